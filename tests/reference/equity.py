"""Equity by dealing every card in every way, in plain Python: a few thousand deals are as many as it can take.

Hands are ranked by the rule book of `tests.reference.ranking`, shares are fractions, and nothing is shared with
the code that it checks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from tests.reference.ranking import RANKERS, Strength, omaha

Cards = tuple[int, ...]

FULL_DECK = range(52)
SHORT_DECK = range(16, 52)


@dataclass
class Share:
    """What one player gets out of all deals together, before dividing by their number (or weight)."""

    equity: Fraction = Fraction(0)
    win: Fraction = Fraction(0)
    tie: Fraction = Fraction(0)


def split(hands: Sequence[Cards], board: Cards, kinds: Sequence[str], *, exactly_two: bool = False) -> list[Fraction]:
    """Everybody's share of one pot.

    Each kind of hand wins an equal part of it, those alike share, and a kind that nobody has leaves its part to
    the others.
    """
    shares = [Fraction(0)] * len(hands)
    contests = [[strength(hand, board, kind, exactly_two) for hand in hands] for kind in kinds]
    contests = [strengths for strengths in contests if any(found is not None for found in strengths)]
    for strengths in contests:
        best = max(found for found in strengths if found is not None)
        for player, found in enumerate(strengths):
            if found == best:
                shares[player] += Fraction(1, len(contests) * strengths.count(best))
    return shares


def strength(hand: Cards, board: Cards, kind: str, exactly_two: bool) -> Strength | None:
    """What a player makes of hole cards and board."""
    if exactly_two:
        return omaha_strength(tuple(sorted(hand)), tuple(sorted(board)), kind)
    return best_of(tuple(sorted(hand + board)), kind)


@cache
def best_of(cards: Cards, kind: str) -> Strength | None:
    return RANKERS[kind](cards)


@cache
def omaha_strength(hand: Cards, board: Cards, kind: str) -> Strength | None:
    return omaha(hand, board, kind)


def completions(sizes: Sequence[int], deck: Iterable[int]) -> Iterator[tuple[Cards, ...]]:
    """Every way to deal hands of these sizes from the deck; the order of cards within a hand does not matter."""
    if not sizes:
        yield ()
        return
    cards = tuple(deck)
    for first in combinations(cards, sizes[0]):
        left = [card for card in cards if card not in first]
        for rest in completions(sizes[1:], left):
            yield (first, *rest)


def add(totals: list[Share], shares: Sequence[Fraction], weight: Fraction = Fraction(1)) -> None:
    """Add one deal: who has the whole pot wins, who has part of it ties."""
    for total, share in zip(totals, shares, strict=True):
        total.equity += weight * share
        total.win += weight * (share == 1)
        total.tie += weight * (0 < share < 1)


def divided(totals: Iterable[Share], by: Fraction) -> list[Share]:
    return [Share(total.equity / by, total.win / by, total.tie / by) for total in totals]


def by_cards(
    hands: Sequence[Cards],
    *,
    hole: int,
    board_size: int = 0,
    kinds: Sequence[str] = ("high",),
    exactly_two: bool = False,
    board: Cards = (),
    dead: Cards = (),
    deck: Iterable[int] = FULL_DECK,
) -> tuple[list[Share], int]:
    """Shares of players whose cards are known in part, and the number of deals."""
    known = {card for cards in (*hands, board, dead) for card in cards}
    sizes = [board_size - len(board), *(hole - len(hand) for hand in hands)]
    totals, deals = [Share() for _ in hands], 0
    for runout, *dealt in completions(sizes, [card for card in deck if card not in known]):
        whole = [hand + rest for hand, rest in zip(hands, dealt, strict=True)]
        add(totals, split(whole, board + runout, kinds, exactly_two=exactly_two))
        deals += 1
    return divided(totals, Fraction(deals)), deals


Weights = Mapping[tuple[int, int], float]


def by_ranges(
    ranges: Sequence[Weights],
    *,
    board: Cards = (),
    dead: Cards = (),
    kind: str = "high",
    deck: Iterable[int] = FULL_DECK,
) -> tuple[list[Share], int]:
    """Shares of players with two hole cards from weighted ranges, and the number of deals before weighting.

    A deal is one hand from every range, no card twice, and the board's missing cards from what is left; its
    weight is the product of the weights of its hands.
    """
    live = [card for card in deck if card not in board and card not in dead]
    totals, weight, deals = [Share() for _ in ranges], Fraction(0), 0
    for hands in product(*ranges):
        held = [card for hand in hands for card in hand]
        if len(set(held)) < len(held) or not set(held) <= set(live):
            continue
        together = Fraction(1)
        for hand, chosen in zip(hands, ranges, strict=True):
            together *= Fraction(chosen[hand])
        for (runout,) in completions([5 - len(board)], [card for card in live if card not in held]):
            add(totals, split(hands, board + runout, [kind]), together)
            weight += together
            deals += 1
    return divided(totals, weight), deals
