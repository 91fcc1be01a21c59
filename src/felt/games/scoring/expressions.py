"""Formulas as expression trees: read with their positions, bounded before they run, and walked as they stand.

The language is that of PGDL's scoring: whole numbers, the cards ``$c1`` … ``$cN`` with ``.rank`` (0 for the two
to 12 for the ace) and ``.suit`` (0 to 3 for clubs, diamonds, hearts, spades), ``+ - * / %``, comparisons, ``and``,
``or``, ``not`` (also ``&&``, ``||``, ``!``), ``a ? b : c`` and parentheses. Division is of whole numbers and rounds
down. True is 1, false is 0, and any number but 0 counts as true.
"""

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, NoReturn

from felt.errors import FeltError

MAX_LENGTH = 20_000
"""Characters of one formula."""

MAX_DEPTH = 60
"""How deep a formula may be nested."""

MAX_SIGNS = 300
"""Operators and brackets of one formula; it bounds the height of the tree."""

LARGEST = 2**46
"""Every value that a formula can reach lies between minus this and this."""


class FormulaError(FeltError):
    """A formula that cannot be read or used; `at` is the position in its text, counted from 0."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


class Number(NamedTuple):
    """A number as written."""

    value: int | Fraction
    at: int


class CardPart(NamedTuple):
    """The rank or the suit of one card; cards are counted from 0 here and from 1 in the text."""

    card: int
    suit: bool
    at: int


class Name(NamedTuple):
    """A parameter."""

    name: str
    at: int


class Unary(NamedTuple):
    """``-`` or ``not``."""

    sign: str
    of: "Expression"
    at: int


class Binary(NamedTuple):
    """Two sides and what joins them."""

    sign: str
    left: "Expression"
    right: "Expression"
    at: int


class Choice(NamedTuple):
    """``test ? yes : no``."""

    test: "Expression"
    yes: "Expression"
    no: "Expression"
    at: int


Expression = Number | CardPart | Name | Unary | Binary | Choice

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<card>\$[A-Za-z0-9_.]*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>==|!=|<>|<=|>=|&&|\|\||[-+*/%<>?:()!=×·−])|(?P<end>\Z)|(?P<other>.))",
    re.DOTALL,
)
_CARD = re.compile(r"\$c([1-9][0-9]?)(?:\.(rank|value|suit))?", re.IGNORECASE)
_SPELLINGS = {"&&": "and", "||": "or", "<>": "!=", "×": "*", "·": "*", "−": "-"}
_POWERS = {
    "?": 1,
    "or": 2, "and": 3,
    "==": 5, "!=": 5, "<": 5, "<=": 5, ">": 5, ">=": 5,
    "+": 6, "-": 6,
    "*": 7, "/": 7, "%": 7,
}  # fmt: skip
_NOT, _COMPARING, _SIGNED = 4, 5, 8


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while not tokens or tokens[-1].kind != "end":
        match = _TOKEN.match(text, at)
        assert match is not None and match.lastgroup is not None  # the last alternatives take anything
        kind, word = match.lastgroup, match[match.lastgroup]
        if kind == "other":
            raise FormulaError(
                f"{word!r} is not part of the language: use numbers, $c1.rank, $c1.suit, + - * / %, "
                "== != < <= > >=, and, or, not, ? :, ( )",
                match.start(kind),
            )
        if kind == "name" and word.lower() in ("and", "or", "not"):
            kind, word = "sign", word.lower()
        tokens.append(_Token(kind, _SPELLINGS.get(word, word), match.start(kind)))
        at = match.end()
    signs = [token for token in tokens if token.kind == "sign"]
    if len(signs) > MAX_SIGNS:
        raise FormulaError(f"the formula has {len(signs)} operators: use up to {MAX_SIGNS}", signs[MAX_SIGNS].at)
    return tokens


class _Reader:
    """Reads by binding power: each step takes the signs that bind more tightly than the one before."""

    def __init__(self, text: str, *, cards: int, names: Collection[str]) -> None:
        self._tokens = _tokens(text)
        self._next = 0
        self._depth = 0
        self._cards = cards
        self._names = names

    def whole(self) -> Expression:
        if self._peek.kind == "end":
            self._fail("the formula is empty")
        tree = self._expression(0)
        if self._peek.kind != "end":
            self._unexpected()
        return tree

    @property
    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        self._next += token.kind != "end"
        return token

    def _fail(self, message: str, at: int | None = None) -> NoReturn:
        raise FormulaError(message, self._peek.at if at is None else at)

    def _shown(self) -> str:
        return "the end of the formula" if self._peek.kind == "end" else repr(self._peek.text)

    def _unexpected(self) -> NoReturn:
        if self._peek.text == "=":
            self._fail("'=' compares nothing: write '=='")
        self._fail(f"{self._shown()} where an operator such as '+', '==' or '?' is wanted")

    def _expression(self, power: int) -> Expression:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self._fail(f"the formula is nested more than {MAX_DEPTH} deep: split it into several categories")
        left = self._operand()
        while self._peek.kind == "sign" and (binds := _POWERS.get(self._peek.text, 0)) > power:
            sign = self._take()
            if sign.text == "?":
                left = self._choice(left, sign)
                continue
            right = self._expression(binds)
            left = Binary(sign.text, left, right, sign.at)
            if binds == _COMPARING and _POWERS.get(self._peek.text) == _COMPARING:
                self._fail("comparisons cannot be chained: join two of them with 'and'")
        self._depth -= 1
        return left

    def _choice(self, test: Expression, sign: _Token) -> Expression:
        yes = self._expression(0)
        if self._peek.text != ":":
            if self._peek.text == "=":
                self._unexpected()
            self._fail(f"{self._shown()} where ':' is wanted: every '?' needs its ':' (test ? one value : another)")
        self._take()
        return Choice(test, yes, self._expression(_POWERS["?"] - 1), sign.at)

    def _operand(self) -> Expression:
        token = self._take()
        match token.kind, token.text:
            case "number", text:
                return self._number(text, token.at)
            case "card", text:
                return self._card(text, token.at)
            case "name", text:
                return self._name(text, token.at)
            case "sign", "not":
                return Unary("not", self._expression(_NOT), token.at)
            case "sign", "!":
                return Unary("not", self._expression(_SIGNED), token.at)
            case "sign", "-":
                return Unary("-", self._expression(_SIGNED), token.at)
            case "sign", "(":
                inside = self._expression(0)
                if self._peek.text != ")":
                    self._fail(f"{self._shown()} where ')' is wanted: the bracket at {token.at + 1} is open")
                self._take()
                return inside
        self._next -= token.kind != "end"
        return self._fail(f"{self._shown()} where a number, a card such as $c1.rank or '(' is wanted")

    def _number(self, text: str, at: int) -> Expression:
        if len(text) > 15:
            self._fail(f"the number {text[:15]}… is too long: use up to 15 digits", at)
        if "." in text and self._cards:
            self._fail(f"{text} is not a whole number", at)
        return Number(Fraction(text) if "." in text else int(text), at)

    def _card(self, text: str, at: int) -> Expression:
        match = _CARD.fullmatch(text)
        if not self._cards:
            self._fail(f"{text!r} stands for a card; here only parameters are known", at)
        if match is None or int(match[1]) > self._cards:
            self._fail(f"{text!r} is no card of the hand: use $c1 to $c{self._cards} with .rank or .suit", at)
        return CardPart(int(match[1]) - 1, (match[2] or "rank").lower() == "suit", at)

    def _name(self, text: str, at: int) -> Expression:
        if text not in self._names:
            known = f"the parameters here are {', '.join(self._names)}" if self._names else "write $c1.rank for a card"
            self._fail(f"{text!r} means nothing here: {known}", at)
        return Name(text, at)


def parse_formula(text: str, *, cards: int = 0, names: Collection[str] = ()) -> Expression:
    """The tree of a formula over `cards` cards, or over named parameters.

    >>> parse_formula("$c2.rank * 13 + 1", cards=2).sign
    '+'
    >>> parse_formula("$c1.rank > 3 ? 1 0", cards=2)
    Traceback (most recent call last):
        ...
    felt.games.scoring.expressions.FormulaError: '0' where ':' is wanted: every '?' needs its ':' (test ? one value :
    another)
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"the formula has {len(text)} characters: at most {MAX_LENGTH} are read")
    return _Reader(text, cards=cards, names=names).whole()


Value = int | Fraction
_WHOLE: dict[str, Callable[[Value, Value], Value]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
    "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b), "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b), ">=": lambda a, b: int(a >= b),
    "and": lambda a, b: int(bool(a) and bool(b)), "or": lambda a, b: int(bool(a) or bool(b)),
}  # fmt: skip
_EXACT = _WHOLE | {"/": lambda a, b: Fraction(a) / b}


def evaluate(tree: Expression, cards: Sequence[int]) -> int:
    """The value of a formula for these cards: a plain walk over the tree.

    >>> evaluate(parse_formula("$c1.rank == 12 ? 100 : $c1.rank", cards=1), [51])
    100
    """
    return int(_walk(tree, cards, {}, _WHOLE))


def evaluate_exactly(tree: Expression, values: Mapping[str, Fraction]) -> Fraction:
    """The value of a formula over named parameters; here ``/`` divides exactly.

    >>> evaluate_exactly(parse_formula("big / 2", names=["big"]), {"big": Fraction(1)})
    Fraction(1, 2)
    """
    return Fraction(_walk(tree, (), values, _EXACT))


def _walk(
    tree: Expression,
    cards: Sequence[int],
    values: Mapping[str, Fraction],
    signs: Mapping[str, Callable[[Value, Value], Value]],
) -> Value:
    match tree:
        case Number():
            return tree.value
        case CardPart():
            return cards[tree.card] & 3 if tree.suit else cards[tree.card] >> 2
        case Name():
            return values[tree.name]
        case Unary():
            inside = _walk(tree.of, cards, values, signs)
            return -inside if tree.sign == "-" else int(not inside)
        case Choice():
            chosen = tree.yes if _walk(tree.test, cards, values, signs) else tree.no
            return _walk(chosen, cards, values, signs)
        case Binary():
            left = _walk(tree.left, cards, values, signs)
            right = _walk(tree.right, cards, values, signs)
            if tree.sign in "/%" and right == 0:
                raise FormulaError("divides by 0", tree.at)
            return signs[tree.sign](left, right)


def bounds(tree: Expression) -> tuple[int, int]:
    """The least and the largest value that a formula over cards can have, or somewhat beyond them.

    Formulas that might divide by 0, or grow out of what 64 bits hold with ease, are refused here, so that nothing
    can go wrong when they run.

    >>> bounds(parse_formula("$c1.rank * 13 + $c2.rank", cards=2))
    (0, 168)
    """
    match tree:
        case Number():
            if tree.value > LARGEST:
                raise FormulaError(f"{tree.value} is too large: stay within 2^46", tree.at)
            return int(tree.value), int(tree.value)
        case CardPart():
            return 0, 3 if tree.suit else 12
        case Name():
            raise FormulaError(f"{tree.name!r} is no part of a hand", tree.at)
        case Unary():
            least, most = bounds(tree.of)
            return (-most, -least) if tree.sign == "-" else (0, 1)
        case Choice():
            bounds(tree.test)
            yes, no = bounds(tree.yes), bounds(tree.no)
            return min(yes[0], no[0]), max(yes[1], no[1])
        case Binary():
            least, most = _joined_bounds(tree, bounds(tree.left), bounds(tree.right))
            if max(-least, most) > LARGEST:
                reached = most if most > -least else least
                raise FormulaError(f"this part of the formula can reach {reached}: stay within 2^46", tree.at)
            return least, most


def _joined_bounds(tree: Binary, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    match tree.sign:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            corners = [a * b for a in left for b in right]
            return min(corners), max(corners)
        case "/" | "%" if right[0] <= 0:
            raise FormulaError(f"the number right of '{tree.sign}' can be {right[0]}: it must be 1 or more", tree.at)
        case "/":
            corners = [a // b for a in left for b in right]
            return min(corners), max(corners)
        case "%":
            return 0, right[1] - 1
        case _:
            return 0, 1
