"""Custom scoring as a program for a small register machine: what the kernels run.

One program scores one hand. Its registers hold the cards (sorted, and as dealt), the constants of the formulas, and
what is worked out on the way. Each instruction names its operation, a target and two registers; comparisons jump,
so that a category is left as soon as one of its conditions fails. `felt.games.scoring.kernels` runs it.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.games.rules import Score
from felt.games.scoring.expressions import Binary, CardPart, Choice, Expression, FormulaError, Number, Unary

ScoringArrays = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""The size of a hand, whether cards are wanted as dealt, and how many registers there are; the constants; the
instructions."""


class Op(IntEnum):
    """The operations: arithmetic into the target register, jumps to the target instruction, and the end."""

    ADD = 0
    SUBTRACT = 1
    MULTIPLY = 2
    DIVIDE = 3
    MODULO = 4
    MOVE = 5
    JUMP = 6
    JUMP_IF_EQUAL = 7
    JUMP_IF_UNEQUAL = 8
    JUMP_IF_LESS = 9
    JUMP_IF_LESS_EQUAL = 10
    RETURN = 11
    """The sum of two registers is the value of the hand."""


class Category(NamedTuple):
    """A category with its formulas as trees, and the value of a hand for which they give 0."""

    base: int
    part: Score
    conditions: tuple[Expression, ...]
    subrank: Expression


_ARITHMETIC = {"+": Op.ADD, "-": Op.SUBTRACT, "*": Op.MULTIPLY, "/": Op.DIVIDE, "%": Op.MODULO}
_JUMPS = {"==": Op.JUMP_IF_EQUAL, "!=": Op.JUMP_IF_UNEQUAL, "<": Op.JUMP_IF_LESS, "<=": Op.JUMP_IF_LESS_EQUAL}
_TURNED = {">": "<", ">=": "<="}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(eq=False)
class _Label:
    """A place in the program that jumps lead to; known once it is reached."""

    at: int = -1


class _Writer:
    """Writes a program; registers for what is worked out on the way are numbered upwards from 0 until the end."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._constants: list[int] = []
        self._code: list[tuple[Op, int | _Label, int, int]] = []
        self._used = self._most = 0
        self._dealt = False

    def category(self, category: Category) -> None:
        self._dealt = not category.part.sort
        otherwise = _Label()
        for condition in category.conditions:
            self._branch(condition, False, otherwise)
        self._emit(Op.RETURN, 0, self._value(category.subrank), self._constant(category.base))
        self._used = 0
        self._here(otherwise)

    def arrays(self, *, unsorted: bool) -> ScoringArrays:
        """The finished program, its registers renumbered: cards, then constants, then the rest."""
        first = 4 * self._size + len(self._constants)

        def place(register: int) -> int:
            return register if register >= 0 else first - 1 - register

        rows = []
        for op, target, left, right in self._code:
            to = target.at if isinstance(target, _Label) else place(target)
            rows.append((op, to, place(left), place(right)))
        head = [self._size, int(unsorted), first + self._most]
        arrays = tuple(np.array(part, dtype=np.int64) for part in (head, self._constants, rows))
        for array in arrays:
            array.flags.writeable = False
        return arrays[0], arrays[1], arrays[2].reshape(-1, 4)

    def _emit(self, op: Op, target: "int | _Label", left: int = 0, right: int = 0) -> None:
        self._code.append((op, target, left, right))

    def _here(self, label: _Label) -> None:
        label.at = len(self._code)

    def _constant(self, value: int) -> int:
        if value not in self._constants:
            self._constants.append(value)
        return 4 * self._size + self._constants.index(value)

    def _fresh(self) -> int:
        """A register for a value on the way, as a negative number: where those begin is not known yet."""
        self._used += 1
        self._most = max(self._most, self._used)
        return -self._used

    def _value(self, tree: Expression) -> int:
        """The register that holds the value of a formula once the program has come this far."""
        match tree:
            case Number():
                return self._constant(int(tree.value))
            case CardPart():
                return tree.card + self._size * (2 * self._dealt + tree.suit)
            case Binary() if tree.sign in _ARITHMETIC:
                left, right = self._passing(tree.left, tree.right)
                self._emit(_ARITHMETIC[tree.sign], result := self._fresh(), left, right)
                return result
            case Unary("-"):
                return self._value(Binary("-", Number(0, tree.at), tree.of, tree.at))
            case Choice():
                return self._choice(tree.test, tree.yes, tree.no)
            case Binary() | Unary():
                return self._choice(tree, Number(1, tree.at), Number(0, tree.at))
        raise FormulaError(f"{tree.name!r} is no part of a hand", tree.at)

    def _choice(self, test: Expression, yes: Expression, no: Expression) -> int:
        result, otherwise, end = self._fresh(), _Label(), _Label()
        self._branch(test, False, otherwise)
        self._emit(Op.MOVE, result, *self._passing(yes))
        self._emit(Op.JUMP, end)
        self._here(otherwise)
        self._emit(Op.MOVE, result, *self._passing(no))
        self._here(end)
        return result

    def _passing(self, *trees: Expression) -> list[int]:
        """Values whose own registers are free again afterwards."""
        before = self._used
        registers = [self._value(tree) for tree in trees]
        self._used = before
        return registers

    def _branch(self, tree: Expression, when: bool, label: _Label) -> None:
        """Jump to the label if the formula is true (or false, as `when` says); else go on."""
        match tree:
            case Unary("not"):
                self._branch(tree.of, not when, label)
            case Binary("and" | "or"):
                decisive = tree.sign == "or"  # the truth of one side that settles the whole
                if when == decisive:
                    self._branch(tree.left, when, label)
                    self._branch(tree.right, when, label)
                else:
                    settled = _Label()
                    self._branch(tree.left, decisive, settled)
                    self._branch(tree.right, when, label)
                    self._here(settled)
            case Binary() if tree.sign in _OPPOSITE:
                self._compare(tree.sign if when else _OPPOSITE[tree.sign], tree.left, tree.right, label)
            case _:
                self._compare("!=" if when else "==", tree, Number(0, 0), label)

    def _compare(self, sign: str, left: Expression, right: Expression, label: _Label) -> None:
        first, second = self._passing(left, right)
        if sign in _TURNED:
            sign, first, second = _TURNED[sign], second, first
        self._emit(_JUMPS[sign], label, first, second)


def write_program(categories: tuple[Category, ...], size: int) -> ScoringArrays:
    """The program that tries the categories in turn; the last one takes every hand."""
    writer = _Writer(size)
    for category in categories:
        writer.category(category)
    return writer.arrays(unsorted=any(not category.part.sort for category in categories))
