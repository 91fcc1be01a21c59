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
    """Felt's own measures; to load them is to load the tables."""
    from felt import _tables
    from felt.cards.combos import CLASS_NAMES, class_index
    from felt.cards.ranking.evaluator import rank_cards
    from felt.cards.starting import chen
    from felt.odds.strength.ars import SCALE, STREETS

    points = [chen(name) for name in CLASS_NAMES]
    means = {size: _tables.load_archive(f"ars_{street}")["mean"] for size, street in STREETS.items()}

    def ars(cards: Cards, opponents: int) -> float:  # `felt.odds.strength.ars`, without what it says about its error
        strength: int = means[len(cards)].item(rank_cards(cards), class_index(cards[0], cards[1]))
        return (strength / SCALE) ** opponents

    return Measures(
        rank=rank_cards,
        chen=lambda cards: points[class_index(cards[0], cards[1])],
        ars=ars,
        hs=hand_strength,
        hp=lambda cards, _: hand_potential(cards),
        ehs=effective_strength,
    )


def hand_strength(cards: Cards, opponents: int) -> float:
    """HS against one opponent to the power of their number, as the literature has it.

    >>> from felt.cards.card import parse_cards
    >>> round(hand_strength(parse_cards("5h4hKh6s3h"), 1), 4)
    0.0264
    """
    return _strength(cards)[0] ** opponents


def hand_potential(cards: Cards) -> tuple[float, float]:
    """Positive and negative potential against one opponent; the number of opponents does not enter."""
    _, positive, negative = _strength(cards)
    return positive, negative


def effective_strength(cards: Cards, opponents: int) -> float:
    """EHS: the chance to be best now against all opponents, or else to become so."""
    now, positive, _ = _strength(cards)
    return now**opponents + (1 - now**opponents) * positive


def _strength(cards: Cards) -> tuple[float, float, float]:
    """HS, positive and negative potential against one opponent.

    Asked for one opponent only: what `strength` adds for several is sampled, and not what these commands mean.
    """
    from felt.cards.card import format_cards
    from felt.odds.strength.calculate import strength

    measures = strength(format_cards(cards[:2]), format_cards(cards[2:]), threads=1)
    assert measures.hs is not None and measures.ppot is not None and measures.npot is not None  # there is a flop
    return measures.hs, measures.ppot, measures.npot


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
