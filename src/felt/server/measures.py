"""What the hand-rank server can be asked, as plain functions of cards.

The server and its tests are handed a `Measures`; Felt's own are put together here, so that this is the
only file of the server that knows where they come from.
"""

from collections.abc import Callable
from dataclasses import dataclass

Cards = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Functions of 5 to 7 different cards, the two hole cards first (two cards for `chen`).

    `rank`, `chen` and `ars` are called in the event loop and should take microseconds. The others, given the
    number of opponents too, run on threads of their own.
    """

    rank: Callable[[Cards], int]
    chen: Callable[[Cards], float]
    ars: Callable[[Cards, int], float]
    hs: Callable[[Cards, int], float]
    hp: Callable[[Cards, int], tuple[float, float]]
    ehs: Callable[[Cards, int], float]


def felt_measures() -> Measures:
    """Felt's own measures; loading them loads the tables and the compiler's output."""
    from felt.cards.combos import CLASS_NAMES, class_index
    from felt.cards.ranking import rank_cards
    from felt.cards.starting import chen
    from felt.odds import ars, strength

    def potential(cards: Cards, opponents: int) -> tuple[float, float]:
        both = strength(cards[:2], cards[2:], opponents)
        return both.ppot, both.npot

    points = [chen(name) for name in CLASS_NAMES]
    return Measures(
        rank=rank_cards,
        chen=lambda cards: points[class_index(cards[0], cards[1])],
        ars=lambda cards, opponents: ars(cards[:2], cards[2:], opponents),
        hs=lambda cards, opponents: strength(cards[:2], cards[2:], opponents).hs,
        hp=potential,
        ehs=lambda cards, opponents: strength(cards[:2], cards[2:], opponents).ehs,
    )


def warm(measures: Measures) -> None:
    """Ask everything once, on every street, so that no client waits for a table or a kernel to load."""
    for size in (5, 6, 7):
        cards = (51, 50, 40, 30, 21, 12, 3)[:size]
        measures.rank(cards)
        measures.ars(cards, 1)
        for measure in (measures.hs, measures.hp, measures.ehs):
            measure(cards, 1)
            measure(cards, 2)
    measures.chen((51, 50))
