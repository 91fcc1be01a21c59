"""High hands with wild cards.

A wild card stands for any card, also for one that the hand has already: five of a kind exists and beats the royal
flush. Its thirteen values follow those of high hands, 7,463 for five twos to 7,475 for five aces. A wild card in
a flush is the highest card that the flush lacks; there is no flush with two aces.

Jokers may be bugs instead: an ace, or any card that completes a straight or a flush. Five aces is then the only five of
a kind that they make.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import DECK_SIZE as FIRST_JOKER
from felt.cards.card import JOKERS, format_card, parse_cards
from felt.cards.ranking.evaluator import tables
from felt.cards.ranking.kinds import find_kind
from felt.cards.ranking.names import describe, rank_words
from felt.errors import CardError

ROYAL_FLUSH = find_kind("high").classes
FIVE_ACES = ROYAL_FLUSH + 13
MOST_CARDS = 16
BUG = 63


def rank_wild(cards: str | Iterable[int], wild: str | Iterable[int] = "", *, bug: bool = False) -> int:
    """Value of the best five of five or more cards; those listed in `wild`, and jokers, are wild.

    With `bug` jokers count as aces, or complete straights and flushes, and are nothing else.

    >>> rank_wild("As Ks Qs Js 3d", wild="3c 3d 3h 3s")
    7462
    >>> rank_wild("Ah Ad Ac As Jk")
    7475
    >>> describe_wild(rank_wild("Ks Kd Kh 7c Jk")), describe_wild(rank_wild("Ks Kd Kh 7c Jk", bug=True))
    ('four of a kind, kings, seven kicker', 'three of a kind, kings, ace-seven kickers')
    """
    hand = parse_cards(cards)
    return int(rank_wild_batch(np.array(hand, dtype=np.uint8).reshape(1, -1), wild, bug=bug)[0])


def rank_wild_batch(
    cards: NDArray[np.integer[Any]], wild: str | Iterable[int] = "", *, bug: bool = False
) -> NDArray[np.uint16]:
    """Values of many hands of five or more cards, one a row.

    >>> rank_wild_batch(np.array([[48, 49, 50, 51, 52]], dtype=np.uint8))
    array([7475], dtype=uint16)
    """
    from felt.cards.ranking.kernels import rank_wilds

    hands = np.asarray(cards)
    if hands.ndim != 2 or not 5 <= hands.shape[1] <= MOST_CARDS:
        raise CardError(f"hands with wild cards have 5 to {MOST_CARDS} cards, one hand a row; this is {hands.shape}")
    last = FIRST_JOKER + JOKERS - 1
    if hands.size and not (0 <= hands.min() and hands.max() <= last):
        wrong = int(hands.min() if hands.min() < 0 else hands.max())
        raise CardError(f"{wrong} is not a card number: cards are 0 ({format_card(0)}) to {last} ({format_card(last)})")
    out = np.empty(len(hands), dtype=np.uint16)
    rank_wilds(np.ascontiguousarray(hands, dtype=np.uint8), wild_bits(wild, bug=bug), tables("high"), out)
    return out


def wild_bits(wild: str | Iterable[int], *, bug: bool = False) -> np.uint64:
    """A set of wild cards as the bits that the kernels take; the last bit says that jokers are bugs.

    >>> int(wild_bits("2c 2d"))
    3
    """
    return np.uint64(sum(1 << card for card in parse_cards(wild)) | bug << BUG)


def describe_wild(value: int) -> str:
    """A value in words.

    >>> describe_wild(7475), describe_wild(7462)
    ('five of a kind, aces', 'royal flush')
    """
    if ROYAL_FLUSH < value <= FIVE_ACES:
        return f"five of a kind, {rank_words(value - ROYAL_FLUSH - 1)}"
    return describe(value)
