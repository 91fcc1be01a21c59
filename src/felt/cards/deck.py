"""Decks of any make, and shuffles that a seed reproduces.

A `Deck` says which cards are in play; it is never dealt from or changed. `Deck.shuffled` gives the cards
in a random order that depends on the deck, the seed, the name of the stream and the number of the
shuffle, and on nothing else: not on the platform, not on what was drawn elsewhere.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from felt.cards.card import DECK_SIZE, JOKERS, RANKS, SUITS, format_card, format_cards, make_card, parse_cards
from felt.errors import CardError, counted


@dataclass(frozen=True)
class Deck:
    """Which cards are in play, each once, in the order of an unshuffled pack.

    >>> deck = standard_deck(jokers=1)
    >>> len(deck), deck.cards[-1]
    (53, 52)
    """

    name: str
    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.cards:
            raise CardError(f"the deck {self.name!r} has no cards: give at least one")
        object.__setattr__(self, "cards", parse_cards(self.cards))

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[int]:
        return iter(self.cards)

    def __contains__(self, card: object) -> bool:
        return card in self.cards

    def parse(self, text: str | Iterable[int]) -> tuple[int, ...]:
        """Cards from text (as `parse_cards` reads it) that must all belong to this deck.

        >>> short_deck().parse("As 6d")
        (51, 17)
        """
        cards = parse_cards(text)
        for card in cards:
            if card not in self.cards:
                raise CardError(
                    f"card {format_card(card)} is not in the {self.name} deck: it has {counted(len(self), 'card')}, "
                    f"{format_card(min(self.cards))} to {format_card(max(self.cards))}"
                )
        return cards

    def without(self, cards: str | Iterable[int]) -> tuple[int, ...]:
        """The cards left in the pack once `cards` are gone, in its order.

        >>> kuhn_deck().without("Ks")
        (39, 43)
        """
        gone = self.parse(cards)
        return tuple(card for card in self.cards if card not in gone)

    def shuffled(self, seed: int, *, stream: str = "deck", number: int = 0) -> tuple[int, ...]:
        """The cards in the random order that `seed` gives; the same on every machine.

        `stream` names what the shuffle is for, and `number` counts shuffles of one stream, so the
        hundredth can be had without the ninety-nine before it.

        >>> kuhn_deck().shuffled(7) == kuhn_deck().shuffled(7)
        True
        """
        draw = random_stream(seed, stream, number).random_raw
        cards = list(self.cards)
        for last in range(len(cards) - 1, 0, -1):
            chosen = _below(last + 1, draw)
            cards[last], cards[chosen] = cards[chosen], cards[last]
        return tuple(cards)


def random_stream(seed: int, name: str, number: int = 0) -> np.random.PCG64:
    """The bits of a named stream of randomness: one seed gives any number of unrelated ones."""
    if seed < 0 or number < 0:
        raise CardError(f"seed {seed} and number {number} must not be negative: use 0 or more")
    return np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(zlib.crc32(name.encode()), number)))


def _below(limit: int, draw: Callable[[], int]) -> int:
    """A number under `limit`, each equally likely.

    NumPy may change how its Generator shuffles; the raw bits are fixed for good, so the shuffles are.
    """
    fair = 2**64 - 2**64 % limit
    while (bits := int(draw())) >= fair:
        pass
    return bits % limit


def make_deck(name: str, *, ranks: Iterable[int] = range(13), suits: Iterable[int] = range(4), jokers: int = 0) -> Deck:
    """Every rank in every suit, and so many jokers (0 to 2).

    >>> len(make_deck("royal", ranks=range(8, 13)))
    20
    """
    if not 0 <= jokers <= JOKERS:
        raise CardError(f"a deck cannot have {jokers} jokers: use 0 to {JOKERS}")
    chosen = tuple(suits)
    cards = (*(make_card(rank, suit) for rank in ranks for suit in chosen), *range(DECK_SIZE, DECK_SIZE + jokers))
    return Deck(name, cards)


def standard_deck(*, jokers: int = 0) -> Deck:
    """The 52 cards, with up to two jokers."""
    return make_deck(f"standard+{jokers}" if jokers else "standard", jokers=jokers)


def short_deck(*, jokers: int = 0) -> Deck:
    """The 36 cards from six to ace, with up to two jokers."""
    return make_deck(f"short+{jokers}" if jokers else "short", ranks=range(RANKS.index("6"), 13), jokers=jokers)


def kuhn_deck(size: int = 3) -> Deck:
    """One suit of 3 to 13 cards that ends with the king: J, Q, K for Kuhn's own game.

    Only the thirteenth card is the ace, so that the classic game keeps its classic cards.

    >>> from felt.cards.card import format_cards
    >>> format_cards(kuhn_deck(4))
    'TsJsQsKs'
    """
    if not 3 <= size <= 13:
        raise CardError(f"a Kuhn deck cannot have {counted(size, 'card')}: use 3 to 13")
    return make_deck("kuhn" if size == 3 else f"kuhn-{size}", ranks=_up_to_king(size), suits=[SUITS.index("s")])


def leduc_deck(ranks: int = 3, suits: int = 2) -> Deck:
    """A few ranks in a few suits: J, Q, K of hearts and spades for Leduc hold'em.

    >>> from felt.cards.card import format_cards
    >>> format_cards(leduc_deck())
    'JhJsQhQsKhKs'
    """
    if not (1 <= ranks <= 13 and 1 <= suits <= 4):
        raise CardError(f"a Leduc deck cannot have {ranks} ranks in {suits} suits: use 1 to 13 ranks, 1 to 4 suits")
    name = "leduc" if (ranks, suits) == (3, 2) else f"leduc-{ranks}x{suits}"
    return make_deck(name, ranks=_up_to_king(ranks), suits=range(4 - suits, 4))


def _up_to_king(count: int) -> range:
    king = RANKS.index("K")
    return range(13) if count == 13 else range(king - count + 1, king + 1)


def group_by_rank(deck: Deck, cards: Iterable[int], names: Sequence[str] = RANKS) -> list[str]:
    """Cards of a deck in short: complete ranks by their `names`, all jokers, then single cards.

    >>> group_by_rank(standard_deck(), [0, 1, 2, 3, 51])
    ['2', 'As']
    """
    left, groups = set(cards), list[str]()
    jokers = {card for card in deck if card >= DECK_SIZE}
    for rank, name in enumerate((*names, "jokers")):
        alike = jokers if rank == len(RANKS) else {card for card in deck if card >> 2 == rank}
        if alike and alike <= left:
            left -= alike
            groups.append(name)
    return groups + [format_card(card) for card in sorted(left)]


_NAMES: tuple[tuple[str, Callable[..., Deck]], ...] = (
    (r"(?:standard|52)(?:\+(\d{1,3}))?", lambda jokers: standard_deck(jokers=int(jokers or 0))),
    (r"(?:short|36)(?:\+(\d{1,3}))?", lambda jokers: short_deck(jokers=int(jokers or 0))),
    (r"kuhn(?:-(\d{1,3}))?", lambda size: kuhn_deck(int(size or 3))),
    (r"leduc(?:-(\d{1,3})x(\d{1,3}))?", lambda ranks, suits: leduc_deck(int(ranks or 3), int(suits or 2))),
)


def parse_deck(text: str) -> Deck:
    """A deck by its name, or by its cards.

    Names are ``standard`` (or ``52``), ``short`` (or ``36``), both with ``+1`` or ``+2`` for jokers,
    ``kuhn``, ``kuhn-5``, ``leduc`` and ``leduc-4x3`` (ranks x suits).

    >>> len(parse_deck("standard+2")), len(parse_deck("leduc-4x3")), len(parse_deck("AsKsQs"))
    (54, 12, 3)
    """
    name = text.strip().lower()
    for pattern, build in _NAMES:
        if match := re.fullmatch(pattern, name):
            return build(*match.groups())
    try:
        cards = parse_cards(text)
    except CardError as error:
        raise CardError(
            f"{text!r} is not a deck: name one (standard, standard+1, short, kuhn, kuhn-5, leduc, leduc-4x3) "
            f"or list its cards ({error})"
        ) from None
    return Deck(format_cards(cards) or text, cards)
