"""A rank value in words: what a dealer would say when the hand is shown."""

from collections.abc import Sequence
from functools import lru_cache

from felt.cards.card import RANKS
from felt.cards.ranking.kinds import ACE, Category, HandClass, hand_class

RANK_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip

_WHEEL = (3, 2, 1, 0, ACE)
_COUNT_WORDS = ("", "one", "two", "three", "four")


def describe(value: int, kind: str = "high") -> str:
    """The class that a rank value stands for, in words; no two classes of a kind share a name.

    >>> describe(7462), describe(56, "low-8"), describe(0, "low-8")
    ('royal flush', 'wheel (5-4-3-2-A)', 'no low')
    >>> describe(4907)
    'two pair, aces and fives, king kicker'
    """
    return _describe(int(value), kind)


def category(value: int, kind: str = "high") -> str:
    """The family of a rank value alone: ``two pair``, ``flush``, ``low`` …

    >>> category(7462), category(4907)
    ('straight flush', 'two pair')
    """
    hand = hand_class(int(value), kind)
    return "no low" if hand is None else str(hand.category)


def rank_words(rank: int) -> str:
    """A rank 0–12 in the plural: 4 is ``sixes``."""
    return RANK_WORDS[rank] + ("es" if RANK_WORDS[rank] == "six" else "s")


_ROOM_WORDS = {
    Category.HIGH_CARD: "high card {rank}",
    Category.PAIR: "a pair of {ranks}",
    Category.TWO_PAIR: "two pair, {ranks} and {others}",
    Category.TRIPS: "three of a kind, {ranks}",
    Category.STRAIGHT: "a straight, {bottom} to {rank}",
    Category.FLUSH: "a flush, {rank} high",
    Category.FULL_HOUSE: "a full house, {ranks} full of {others}",
    Category.QUADS: "four of a kind, {ranks}",
    Category.STRAIGHT_FLUSH: "a straight flush, {bottom} to {rank}",
}


def room_words(hand: HandClass) -> str:
    """A made hand as poker rooms write it in hand histories; lows and badugis as their ranks.

    >>> room_words(hand_class(4907, "high")), room_words(hand_class(7462, "high")), room_words(hand_class(56, "low-8"))
    ('two pair, Aces and Fives', 'a Royal Flush', '5,4,3,2,A')
    """
    first, second = hand.ranks[0], hand.ranks[1] if len(hand.ranks) > 1 else hand.ranks[0]
    if hand.category not in _ROOM_WORDS:
        return ",".join(RANKS[rank] for rank in hand.ranks)
    if hand.category == Category.STRAIGHT_FLUSH and first == ACE:
        return "a Royal Flush"
    return _ROOM_WORDS[hand.category].format(
        rank=RANK_WORDS[first].capitalize(),
        ranks=rank_words(first).capitalize(),
        others=rank_words(second).capitalize(),
        bottom=RANK_WORDS[first - 4 if first >= 4 else ACE].capitalize(),
    )


@lru_cache(maxsize=8192)
def _describe(value: int, kind: str) -> str:
    hand = hand_class(value, kind)
    if hand is None:
        return "no low"
    if hand.category == Category.BADUGI:
        return _badugi(hand.ranks)
    if hand.category == Category.LOW or (hand.category == Category.HIGH_CARD and kind.startswith("low")):
        return _low(hand.ranks)
    if hand.category == Category.STRAIGHT_FLUSH and hand.ranks[0] == ACE and not kind.startswith("low"):
        return "royal flush"
    return _high(hand)


def _high(hand: HandClass) -> str:
    first, *rest = hand.ranks
    match hand.category:
        case Category.STRAIGHT | Category.STRAIGHT_FLUSH:
            return f"{hand.category}, {RANK_WORDS[first]} high"
        case Category.FLUSH | Category.HIGH_CARD:
            return f"{hand.category}, {_joined(hand.ranks)}"
        case Category.FULL_HOUSE:
            return f"full house, {rank_words(first)} full of {rank_words(rest[0])}"
        case Category.TWO_PAIR:
            return f"two pair, {rank_words(first)} and {rank_words(rest[0])}{_kickers(rest[1:])}"
        case Category.PAIR:
            return f"pair of {rank_words(first)}{_kickers(rest)}"
        case _:
            return f"{hand.category}, {rank_words(first)}{_kickers(rest)}"


def _kickers(ranks: Sequence[int]) -> str:
    return f", {_joined(ranks)} kicker{'s' * (len(ranks) > 1)}" if ranks else ""


def _joined(ranks: Sequence[int]) -> str:
    return "-".join(RANK_WORDS[rank] for rank in ranks)


def _low(ranks: tuple[int, ...]) -> str:
    """A low is called by its two highest cards; the rest follows in brackets."""
    cards = "-".join(RANKS[rank] for rank in ranks)
    if ranks == _WHEEL:
        return f"wheel ({cards})"
    return f"{_joined(ranks[:2])} low" + (f" ({cards})" if len(ranks) > 2 else "")


def _badugi(ranks: tuple[int, ...]) -> str:
    """Only four cards are a badugi; fewer are called by their number."""
    cards = "-".join(RANKS[rank] for rank in ranks)
    return f"{_COUNT_WORDS[len(ranks)]}-card {'badugi' if len(ranks) == 4 else 'hand'}, {cards}"
