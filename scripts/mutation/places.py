"""Where a file of kernels can be changed, and how: the places that `scripts/mutate.py` chooses from.

A place is an operator, a condition or a number in a compiled function. Sizes of arrays that a kernel makes are left
out: room to spare changes no result. A change is named by its file, its function, the text of its line before and
after, and which of several equal lines it is, so that it keeps its name when something else in the file moves.
"""

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "-"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"),
}
EXTREMES = {"min": "max", "max": "min"}
WEIGHTS = {"arithmetic": 0.5, "and/or": 2, "comparison": 1.2, "condition": 1, "min/max": 2, "number": 0.2, "sign": 2}
"""How readily each kind is chosen: half of all places are numbers, most of them in an index, where any test notices."""
MAKERS = {"arange", "array", "astype", "copy", "empty", "empty_like", "full", "ones", "zeros", "zeros_like"}


@dataclass(frozen=True)
class Change:
    """One change to one kernel: `text` takes the place of the characters from `begin` to `end` of its file."""

    file: str
    function: str
    line: str
    becomes: str
    nth: int
    begin: int
    end: int
    text: str
    kind: str
    number: int

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """The name of the change, which survives changes elsewhere."""
        return self.file, self.function, self.line, self.becomes, self.nth

    def rank(self, seed: int) -> float:
        """Where the change stands in the order of a seed; its line number has no say in it."""
        digest = hashlib.sha256(repr((seed, self.key)).encode()).digest()
        return int.from_bytes(digest[:6]) / WEIGHTS[self.kind]

    def apply(self, source: str) -> str:
        """The source with the change made."""
        return source[: self.begin] + self.text + source[self.end :]


def changes_of(source: str, file: str) -> list[Change]:
    """Every change that can be made in the source of a file, in the order of its lines."""
    finder = _Finder(source, file)
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        finder.search(function)
    seen: Counter[tuple[str, str, str, str]] = Counter()
    named = []
    for change in sorted(finder.changes, key=lambda change: (change.begin, change.end, change.text)):
        seen[change.key[:4]] += 1
        named.append(replace(change, nth=seen[change.key[:4]]))
    return named


def choose(changes: Sequence[Change], *, count: int, seed: int, least: int) -> list[Change]:
    """`count` changes in the order of a seed, no two at one place, `least` of each file where it has as many."""
    ordered = []
    taken_places = set()
    for change in sorted(changes, key=lambda change: change.rank(seed)):
        place = (change.file, change.begin, change.end)
        if place not in taken_places:
            taken_places.add(place)
            ordered.append(change)
    in_file: Counter[str] = Counter()
    first: list[Change] = []
    later: list[Change] = []
    for change in ordered:
        in_file[change.file] += 1
        (first if in_file[change.file] <= least else later).append(change)
    return sorted((first + later)[:count], key=lambda change: (change.file, change.begin))


class _Finder:
    """Collects the changes of a file's functions."""

    def __init__(self, source: str, file: str) -> None:
        self.source, self.file, self.function = source, file, ""
        self.changes: list[Change] = []
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def search(self, function: ast.FunctionDef) -> None:
        """Look through the body of a function."""
        self.function = function.name
        for statement in function.body:
            for node in self._inside(statement):
                self._look_at(node)

    def _inside(self, node: ast.AST) -> Iterator[ast.AST]:
        """A node and what is in it, but for docstrings, annotations and the arguments of what makes an array."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        yield node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAKERS:
            return
        for child in ast.iter_child_nodes(node):
            yield from self._inside(child)

    def _look_at(self, node: ast.AST) -> None:
        match node:
            case ast.Compare():
                before: ast.expr = node.left
                for operator, after in zip(node.ops, node.comparators, strict=True):
                    if type(operator) in COMPARISONS:
                        sign, others = COMPARISONS[type(operator)]
                        for other in others:
                            self._swap(before, after, sign, other, "comparison")
                    before = after
            case ast.BinOp() if type(node.op) in ARITHMETIC:
                self._swap(node.left, node.right, *ARITHMETIC[type(node.op)], "arithmetic")
            case ast.AugAssign() if type(node.op) in ARITHMETIC:
                sign, other = ARITHMETIC[type(node.op)]
                self._swap(node.target, node.value, sign + "=", other + "=", "arithmetic")
            case ast.UnaryOp(op=ast.USub() | ast.Not()):
                sign = "-" if isinstance(node.op, ast.USub) else "not "
                self._add(self._begin(node), self._begin(node) + len(sign), "", "sign")
            case ast.BoolOp():
                sign, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
                for left, right in zip(node.values, node.values[1:], strict=False):
                    self._swap(left, right, sign, other, "and/or")
            case ast.If() | ast.While() | ast.IfExp():
                begin, end = self._begin(node.test), self._end(node.test)
                self._add(begin, end, f"(not ({self.source[begin:end]}))", "condition")
            case ast.Constant() if type(node.value) is int:
                for number in (node.value + 1, node.value - 1):
                    text = str(number) if number >= 0 else f"({number})"
                    self._add(self._begin(node), self._end(node), text, "number")
            case ast.Call(func=ast.Name(id=name)) if name in EXTREMES:
                self._add(self._begin(node.func), self._end(node.func), EXTREMES[name], "min/max")
            case _:
                pass

    def _swap(self, before: ast.expr, after: ast.expr, sign: str, other: str, kind: str) -> None:
        """Put `other` where `sign` stands between two expressions."""
        begin, end = self._end(before), self._begin(after)
        match = re.search(rf"(?<![<>=!*/&|]){re.escape(sign)}(?![<>=*/&|])", self.source[begin:end])
        if match:
            self._add(begin + match.start(), begin + match.end(), other, kind)

    def _add(self, begin: int, end: int, text: str, kind: str) -> None:
        first = self.source.count("\n", 0, begin)
        last = self.source.count("\n", 0, end)
        start, stop = self._starts[first], self._starts[last + 1]
        line = self.source[start:stop]
        becomes = self.source[start:begin] + text + self.source[end:stop]
        self.changes.append(
            Change(
                file=self.file,
                function=self.function,
                line=_plain(line),
                becomes=_plain(becomes),
                nth=1,
                begin=begin,
                end=end,
                text=text,
                kind=kind,
                number=first + 1,
            )
        )

    def _begin(self, node: ast.expr) -> int:
        return self._at(node.lineno, node.col_offset)

    def _end(self, node: ast.expr) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._at(node.end_lineno, node.end_col_offset)

    def _at(self, number: int, column: int) -> int:
        """The place of a line and column; columns are counted in bytes of UTF-8."""
        return self._starts[number - 1] + len(self._lines[number - 1].encode()[:column].decode())


def _plain(text: str) -> str:
    """Lines as one, without comments and doubled spaces."""
    return " ".join(re.sub(r"\s+#.*", "", line).strip() for line in text.splitlines()).strip()
