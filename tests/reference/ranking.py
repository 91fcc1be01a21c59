"""Hand ranking written straight from the rule book, one small function for each kind of hand.

A card is ``4 * rank + suit`` with ranks 0–12 for 2 to ace. Every ranker takes card numbers and returns a
tuple that compares as the hands do: higher is better, low hands included; ``None`` means that no hand
qualifies. Nothing here is fast, and nothing is shared with the code that it checks.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

Strength = tuple[int, ...]

ACE, SIX, FIVE, TWO = 12, 4, 3, 0
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)


def ranks_of(cards: Iterable[int]) -> list[int]:
    return [card // 4 for card in cards]


def suits_of(cards: Iterable[int]) -> list[int]:
    return [card % 4 for card in cards]


def grouped(ranks: Sequence[int]) -> tuple[list[int], list[int]]:
    """How often the ranks stand (most often first), and the ranks themselves in that order.

    Kings full of twos gives ``[3, 2], [11, 0]``.
    """
    by_weight = sorted(((times, rank) for rank, times in Counter(ranks).items()), reverse=True)
    return [times for times, _ in by_weight], [rank for _, rank in by_weight]


def of_a_kind(ranks: Sequence[int]) -> Strength:
    """Pairs, trips and quads only: the strength of a hand without straights and flushes."""
    times, order = grouped(ranks)
    if times[0] == 4:
        return (QUADS, *order)
    if times[:2] == [3, 2]:
        return (FULL_HOUSE, *order)
    if times[0] == 3:
        return (TRIPS, *order)
    if times[:2] == [2, 2]:
        return (TWO_PAIR, *order)
    if times[0] == 2:
        return (PAIR, *order)
    return (HIGH_CARD, *order)


def straight_top(ranks: Sequence[int]) -> int | None:
    """The top rank of a five-card straight, the ace high or below the two."""
    ordered = sorted(ranks)
    if ordered == [0, 1, 2, 3, ACE]:
        return FIVE
    if ordered == list(range(ordered[0], ordered[0] + 5)):
        return ordered[4]
    return None


def short_straight_top(ranks: Sequence[int]) -> int | None:
    """The same without twos to fives: the ace stands below the six."""
    ordered = sorted(ranks)
    if ordered == [4, 5, 6, 7, ACE]:
        return 7
    if ordered == list(range(ordered[0], ordered[0] + 5)):
        return ordered[4]
    return None


def seven_deuce_straight_top(ranks: Sequence[int]) -> int | None:
    """Straights where the ace is high only: A-2-3-4-5 is none."""
    ordered = sorted(ranks)
    if ordered == list(range(ordered[0], ordered[0] + 5)):
        return ordered[4]
    return None


def five_card_high(cards: Sequence[int], straights: Callable[[Sequence[int]], int | None] = straight_top) -> Strength:
    """The classic ranking of exactly five cards."""
    assert len(cards) == 5
    ranks = ranks_of(cards)
    flush = len(set(suits_of(cards))) == 1
    top = straights(ranks)
    if flush and top is not None:
        return (STRAIGHT_FLUSH, top)
    if flush:
        return (FLUSH, *sorted(ranks, reverse=True))
    if top is not None:
        return (STRAIGHT, top)
    return of_a_kind(ranks)


def high(cards: Sequence[int]) -> Strength:
    """Best five cards; hands of one to four cards know neither straights nor flushes."""
    if len(cards) < 5:
        return of_a_kind(ranks_of(cards))
    return max(five_card_high(five) for five in combinations(cards, 5))


def short(cards: Sequence[int], *, trips_beat_straight: bool = False) -> Strength:
    """Short deck (6 to ace): a flush beats a full house; by a house rule trips beat a straight."""
    order = [HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FULL_HOUSE, FLUSH, QUADS, STRAIGHT_FLUSH]
    if trips_beat_straight:
        order[3:5] = [STRAIGHT, TRIPS]

    def strength(five: Sequence[int]) -> Strength:
        category, *rest = five_card_high(five, short_straight_top)
        return (order.index(category), *rest)

    return max(strength(five) for five in combinations(cards, 5))


def short_trips(cards: Sequence[int]) -> Strength:
    return short(cards, trips_beat_straight=True)


def ace_low(ranks: Iterable[int]) -> list[int]:
    """The ranks with the ace as 1, the two as 2, the king as 13."""
    return [1 if rank == ACE else rank + 2 for rank in ranks]


def negated(strength: Strength) -> Strength:
    return tuple(-part for part in strength)


def low_a5(cards: Sequence[int]) -> Strength:
    """Ace to five: straights and flushes do not count, the ace is low, the wheel is best.

    Fewer than five cards are ranked the same way (the cards showing in razz).
    """
    size = min(5, len(cards))
    return max(negated(of_a_kind(ace_low(ranks_of(chosen)))) for chosen in combinations(cards, size))


def low_27(cards: Sequence[int]) -> Strength:
    """Deuce to seven: the worst high hand wins, aces are high, A-2-3-4-5 is no straight."""
    return max(negated(five_card_high(five, seven_deuce_straight_top)) for five in combinations(cards, 5))


def low_8(cards: Sequence[int]) -> Strength | None:
    """Eight or better: five different ranks from ace to eight, or nothing."""
    lows = [
        negated(tuple(sorted(ranks, reverse=True)))
        for ranks in (ace_low(ranks_of(five)) for five in combinations(cards, 5))
        if len(set(ranks)) == 5 and max(ranks) <= 8
    ]
    return max(lows, default=None)


def badugi(cards: Sequence[int]) -> Strength:
    """The largest set of cards of different suits and ranks; among those of one size, the lowest."""
    best: Strength = ()
    for size in range(1, 5):
        for chosen in combinations(cards, size):
            ranks = ace_low(ranks_of(chosen))
            if len(set(ranks)) == len(set(suits_of(chosen))) == size:
                best = max(best, (size, *negated(tuple(sorted(ranks, reverse=True)))))
    return best


RANKERS: dict[str, Callable[[Sequence[int]], Strength | None]] = {
    "high": high,
    "low-a5": low_a5,
    "low-27": low_27,
    "low-8": low_8,
    "badugi": badugi,
    "short": short,
    "short-trips": short_trips,
}


def omaha(hole: Sequence[int], board: Sequence[int], kind: str = "high") -> Strength | None:
    """Exactly two cards from the hand and three from the board; the best of all choices."""
    strengths = [
        RANKERS[kind](two + three) for two in combinations(tuple(hole), 2) for three in combinations(tuple(board), 3)
    ]
    return max((strength for strength in strengths if strength is not None), default=None)
