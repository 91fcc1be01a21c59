"""Hand strength and potential straight from their definitions: every opposing hand, every runout, fractions.

A strength is 1 for each hand that is beaten and one half for each that is level, over all that may be met. Nothing
here is fast. Hands are ranked by the rule book unless the caller brings a quicker ranker.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple

from tests.reference import ranking

Cards = tuple[int, ...]
Number = int | Fraction
Ranker = Callable[[Cards], Any]
Weights = Mapping[Cards, Number]

AHEAD, LEVEL, BEHIND = "ahead", "level", "behind"
POINTS = {AHEAD: 2, LEVEL: 1, BEHIND: 0}
"""What a hand scores against another: halves of a pot."""


class Measures(NamedTuple):
    """The measures of one hand against one opponent."""

    hs: Fraction
    ppot: Fraction
    npot: Fraction
    expected: Fraction
    expected_square: Fraction


def standing(own: Any, other: Any) -> str:
    if own == other:
        return LEVEL
    return AHEAD if own > other else BEHIND


def unseen(known: Sequence[int]) -> list[int]:
    return [card for card in range(52) if card not in known]


def any_two(known: Sequence[int]) -> dict[Cards, Number]:
    """Every hand that a stranger may hold, all with the same weight."""
    return dict.fromkeys(combinations(unseen(known), 2), 1)


def possible(opponent: Weights | None, known: Cards) -> dict[Cards, Number]:
    """What the opponent may hold (any two cards if nothing is said) beside these cards."""
    hands = any_two(known) if opponent is None else opponent
    return {(a, b): weight for (a, b), weight in hands.items() if a not in known and b not in known}


def measure(hole: Cards, board: Cards, opponent: Weights | None = None, rank: Ranker = ranking.high) -> Measures:
    """All measures on a board of three to five cards.

    E[HS] and E[HS²] are means over runouts, each runout weighted by what the opponent may hold there.
    """
    hands = possible(opponent, hole + board)
    own = rank(hole + board)
    now = {hand: standing(own, rank(hand + board)) for hand in hands}
    moves: Counter[tuple[str, str]] = Counter()
    strengths: list[tuple[Fraction, Number]] = []  # of each runout, with its weight
    for runout in combinations(unseen(hole + board), 5 - len(board)):
        final = board + runout
        own = rank(hole + final)
        met: Number = 0
        points: Number = 0
        for hand, weight in possible(hands, runout).items():
            then = standing(own, rank(hand + final))
            moves[now[hand], then] += weight
            met += weight
            points += weight * POINTS[then]
        if met:
            strengths.append((Fraction(points) / (2 * met), met))
    total = sum(weight for _, weight in strengths)
    return Measures(
        hs=Fraction(sum(weight * POINTS[now[hand]] for hand, weight in hands.items())) / (2 * sum(hands.values())),
        ppot=potential(moves, BEHIND, AHEAD),
        npot=potential(moves, AHEAD, BEHIND),
        expected=sum(weight * value for value, weight in strengths) / total,
        expected_square=sum(weight * value**2 for value, weight in strengths) / total,
    )


def potential(moves: Mapping[tuple[str, str], Number], start: str, end: str) -> Fraction:
    """Chance to get from one side to the other: half for each way that begins or ends level."""
    begun = {where: sum(moves.get((where, then), 0) for then in POINTS) for where in (start, LEVEL)}
    halves = 2 * begun[start] + begun[LEVEL]
    moved = 2 * moves.get((start, end), 0) + moves.get((start, LEVEL), 0) + moves.get((LEVEL, end), 0)
    return Fraction(moved) / halves if halves else Fraction(0)


def share_of_two_strangers(hole: Cards, board: Cards, rank: Ranker = ranking.high) -> Fraction:
    """Hero's share against two strangers on a board as it lies; a tied pot is shared by all who tie."""
    own = rank(hole + board)
    values = {hand: rank(hand + board) for hand in any_two(hole + board)}
    deals: Counter[int] = Counter()  # by how many share the pot with hero; 0 if hero has lost
    for (a, b), first in values.items():
        for (c, d), second in values.items():
            if a != c and a != d and b != c and b != d:
                deals[0 if max(first, second) > own else 1 + (first == own) + (second == own)] += 1
    return sum(Fraction(deals[winners], winners) for winners in (1, 2, 3)) / sum(deals.values())


def canonical(hole: Cards, board: Cards) -> tuple[Cards, Cards]:
    """The smallest of the 24 ways to name the suits of a hand and a board."""
    ways = []
    for suits in permutations(range(4)):
        renamed = [tuple(sorted(card // 4 * 4 + suits[card % 4] for card in cards)) for cards in (hole, board)]
        ways.append((renamed[0], renamed[1]))
    return min(ways)
