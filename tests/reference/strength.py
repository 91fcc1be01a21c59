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
Ranker = Callable[[Cards], Any]
Weights = Mapping[Cards, Fraction]

AHEAD, LEVEL, BEHIND = "ahead", "level", "behind"
HALF = Fraction(1, 2)


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


def share(where: str) -> Fraction:
    """What a hand is worth against another: all, half or nothing."""
    return {AHEAD: Fraction(1), LEVEL: HALF, BEHIND: Fraction(0)}[where]


def unseen(*known: Sequence[int]) -> list[int]:
    gone = {card for cards in known for card in cards}
    return [card for card in range(52) if card not in gone]


def any_two(*known: Sequence[int]) -> dict[Cards, Fraction]:
    """Every hand that a stranger may hold, all with the same weight."""
    return dict.fromkeys(combinations(unseen(*known), 2), Fraction(1))


def hand_strength(hole: Cards, board: Cards, opponent: Weights | None = None, rank: Ranker = ranking.high) -> Fraction:
    """HS: the share won if no more cards came."""
    hands = opponent or any_two(hole, board)
    hands = {hand: weight for hand, weight in hands.items() if not set(hand) & set(hole + board)}
    own = rank(hole + board)
    won = sum(weight * share(standing(own, rank(hand + board))) for hand, weight in hands.items())
    return Fraction(won) / sum(hands.values())


def measure(hole: Cards, board: Cards, opponent: Weights | None = None, rank: Ranker = ranking.high) -> Measures:
    """All measures on a board of three to five cards.

    E[HS] and E[HS²] are means over runouts, each runout weighted by what the opponent may hold there.
    """
    hands = opponent or any_two(hole, board)
    hands = {hand: weight for hand, weight in hands.items() if not set(hand) & set(hole + board)}
    own = rank(hole + board)
    now = {hand: standing(own, rank(hand + board)) for hand in hands}
    moves: Counter[tuple[str, str]] = Counter()
    strengths: list[tuple[Fraction, Fraction]] = []  # of each runout, with its weight
    for runout in combinations(unseen(hole, board), 5 - len(board)):
        final = board + runout
        own = rank(hole + final)
        met, won = Fraction(0), Fraction(0)
        for hand, weight in hands.items():
            if set(hand) & set(runout):
                continue
            then = standing(own, rank(hand + final))
            moves[now[hand], then] += weight
            met += weight
            won += weight * share(then)
        if met:
            strengths.append((won / met, met))
    total = sum(weight for _, weight in strengths)
    return Measures(
        hs=hand_strength(hole, board, hands, rank),
        ppot=potential(moves, BEHIND, AHEAD),
        npot=potential(moves, AHEAD, BEHIND),
        expected=sum(weight * value for value, weight in strengths) / total,
        expected_square=sum(weight * value**2 for value, weight in strengths) / total,
    )


def potential(moves: Mapping[tuple[str, str], Fraction], start: str, end: str) -> Fraction:
    """Chance to get from one side to the other: half for each way that begins or ends level."""
    begun = {where: sum(moves.get((where, then), 0) for then in (AHEAD, LEVEL, BEHIND)) for where in (start, LEVEL)}
    whole = begun[start] + HALF * begun[LEVEL]
    moved = moves.get((start, end), 0) + HALF * moves.get((start, LEVEL), 0) + HALF * moves.get((LEVEL, end), 0)
    return Fraction(moved) / whole if whole else Fraction(0)


def share_of_pot(hole: Cards, board: Cards, opponents: int, rank: Ranker = ranking.high) -> Fraction:
    """Hero's share against several strangers on a board as it lies; a tied pot is shared by all who tie."""
    own = rank(hole + board)
    value = {hand: rank(hand + board) for hand in any_two(hole, board)}
    shares, deals = Fraction(0), 0

    def deal(left: int, used: frozenset[int], tied: int) -> None:
        nonlocal shares, deals
        if left == 0:
            deals += 1
            shares += Fraction(1, tied) if tied else 0
            return
        for hand, other in value.items():
            if used.isdisjoint(hand):
                lost = not tied or other > own
                deal(left - 1, used | set(hand), 0 if lost else tied + (other == own))

    deal(opponents, frozenset(), 1)
    return shares / deals


def canonical(hole: Cards, board: Cards) -> tuple[Cards, Cards]:
    """The smallest of the 24 ways to name the suits of a hand and a board."""
    ways = []
    for suits in permutations(range(4)):
        renamed = [tuple(sorted(card // 4 * 4 + suits[card % 4] for card in cards)) for cards in (hole, board)]
        ways.append((renamed[0], renamed[1]))
    return min(ways)
