"""Games of ours as PokerKit, an independent engine, plays them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

from pokerkit import (
    Automation,
    BadugiHand,
    BettingStructure,
    Card,
    CombinationHand,
    EightOrBetterLowHand,
    HoleBoardCombinationHand,
    KuhnPokerHand,
    Label,
    LeducHoldemHand,
    Mode,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    Rank,
    RegularLowHand,
    ShortDeckHoldemHand,
    StandardHighHand,
    StandardLowHand,
    State,
    Street,
)
from pokerkit.lookups import Lookup

from felt.cards.card import format_card
from felt.games import Hand
from felt.games.rules import First, GameRules, Round, Structure

NOT_THERE = {
    "anaconda": "PokerKit passes no cards",
    "baseball": "PokerKit has no wild cards",
    "five-card-draw-bug": "PokerKit has no jokers",
    "five-card-draw-jokers": "PokerKit has no jokers",
    "roll-your-own": "PokerKit lets nobody choose which cards to turn up",
    "spread-holdem": "PokerKit has no spread limit",
}
"""Variants of the catalogue that PokerKit cannot play, and why."""

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
OPENINGS = {
    First.AFTER_BUTTON: Opening.POSITION,
    First.AFTER_BLINDS: Opening.POSITION,
    First.LOWEST_UP: Opening.LOW_CARD,
    First.HIGHEST_UP: Opening.HIGH_CARD,
    First.BEST_UP: Opening.HIGH_HAND,
    First.BEST_LOW_UP: Opening.LOW_HAND,
}
STRUCTURES = {
    Structure.NO_LIMIT: BettingStructure.NO_LIMIT,
    Structure.LIMIT: BettingStructure.FIXED_LIMIT,
    Structure.POT_LIMIT: BettingStructure.POT_LIMIT,
}

CARDS: list[Card] = [next(Card.parse(format_card(card))) for card in range(52)]
NUMBERS = {card: number for number, card in enumerate(CARDS)}


class ManilaHand(HoleBoardCombinationHand):
    """Both hole cards and three of the board, ranked as in short deck."""

    lookup = ShortDeckHoldemHand.lookup
    low = False
    card_count = 5
    board_card_count = 3
    hole_card_count = 2


class BragLookup(Lookup):
    """Three-card brag: three threes are the best prial, ace-two-three the best run."""

    def _add_entries(self) -> None:
        order = tuple(Rank(rank) for rank in "23456789TJQKA")
        wheel = tuple(Rank(rank) for rank in "A23")
        self._ranked(order, {1: 3}, False, Label.HIGH_CARD)
        self._ranked(order, {2: 1, 1: 1}, False, Label.ONE_PAIR)
        self._ranked(order, {1: 3}, True, Label.FLUSH)
        for suited in (False, True):
            for ranks in (order, wheel):
                self.rank_order = ranks  # type: ignore[misc]
                self._add_straights(3, (suited,), Label.STRAIGHT_FLUSH if suited else Label.STRAIGHT, False)
        threes_last = (*(rank for rank in order if rank != Rank.TREY), Rank.TREY)
        self._ranked(threes_last, {3: 1}, False, Label.THREE_OF_A_KIND)

    def _ranked(self, ranks: Sequence[Rank], counts: dict[int, int], suited: bool, label: Label) -> None:
        self.rank_order = ranks  # type: ignore[assignment, misc]
        self._add_multisets(Counter(counts), (suited,), label)


class BragHand(CombinationHand):
    lookup = BragLookup()
    low = False
    card_count = 3


def remembering(hand_type: type[Any]) -> type[Any]:
    """PokerKit's own hands, each looked up once in its tables: its showdown does that ten times over."""
    entries: dict[tuple[tuple[int, ...], bool], Any] = {}

    def entry(cards: tuple[int, ...]) -> Any:
        key = tuple(sorted(card >> 2 for card in cards)), len({card & 3 for card in cards}) == 1
        if key not in entries:
            entries[key] = hand_type.lookup.get_entry_or_none([CARDS[card] for card in cards])
        return entries[key]

    class Remembering(hand_type):  # type: ignore[misc]
        @classmethod
        def from_game(cls, hole_cards: Iterable[Card], board_cards: Iterable[Card] = ()) -> Any:
            found = made(tuple(hole_cards), tuple(board_cards))
            if found is None:
                raise ValueError("no hand")
            return found

        @cached_property
        def entry(self) -> Any:
            return self.lookup.get_entry(self.cards)

    @lru_cache(maxsize=200)
    def made(hole_cards: tuple[Card, ...], board_cards: tuple[Card, ...]) -> Any:
        if not issubclass(hand_type, CombinationHand):
            try:
                return super(Remembering, Remembering).from_game(hole_cards, board_cards)
            except ValueError:
                return None
        best, chosen = None, None
        for cards in choices([NUMBERS[c] for c in hole_cards], [NUMBERS[c] for c in board_cards]):
            found = entry(cards)
            if found is not None and (best is None or (found < best if hand_type.low else found > best)):
                best, chosen = found, cards
        return None if chosen is None else Remembering([CARDS[card] for card in chosen])

    def choices(hole: Sequence[int], board: Sequence[int]) -> Iterator[tuple[int, ...]]:
        own = getattr(hand_type, "hole_card_count", 0)
        if not own:
            return combinations([*hole, *board], hand_type.card_count)
        shared = list(combinations(board, hand_type.board_card_count))
        return ((*pair, *three) for pair in combinations(hole, own) for three in shared)

    return Remembering


PLAIN_TYPES: dict[tuple[str, int, int], type[Any]] = {
    ("high", 5, 0): StandardHighHand,
    ("high", 5, 2): OmahaHoldemHand,
    ("high", 1, 0): KuhnPokerHand,
    ("high", 2, 0): LeducHoldemHand,
    ("high", 3, 0): BragHand,
    ("low-8", 5, 0): EightOrBetterLowHand,
    ("low-8", 5, 2): OmahaEightOrBetterLowHand,
    ("low-a5", 5, 0): RegularLowHand,
    ("low-27", 5, 0): StandardLowHand,
    ("badugi", 5, 0): BadugiHand,
    ("badugi", 4, 0): BadugiHand,
    ("short", 5, 0): ShortDeckHoldemHand,
    ("short", 5, 2): ManilaHand,
}
"""By kind, size, and hole cards that must be used."""

HAND_TYPES = {key: remembering(plain) for key, plain in PLAIN_TYPES.items()}


@dataclass(frozen=True, eq=False)
class TheirGame:
    """A game of ours, ready for PokerKit."""

    deck: tuple[Card, ...]
    hand_types: tuple[type[Any], ...]
    streets: tuple[Street, ...]
    structure: BettingStructure
    bring_in: int

    @classmethod
    def of(cls, rules: GameRules) -> "TheirGame":
        shown, betting = rules.showdown, rules.rounds[0].betting
        assert betting is not None
        return cls(
            deck=tuple(CARDS[card] for card in rules.deck),
            hand_types=tuple(HAND_TYPES[kind, shown.size, shown.hole_exactly] for kind in shown.kinds),
            streets=tuple(their_street(part, bool(rules.blinds) and i == 0) for i, part in enumerate(rules.rounds)),
            structure=STRUCTURES[betting.structure],
            bring_in=rules.bring_in,
        )

    def state(self, hand: Hand) -> State:
        """PokerKit's state of the same hand, before any card is dealt."""
        posts = hand.stakes.posts
        cap = hand.rules.cap
        return State(
            AUTOMATIONS,
            self.deck,
            self.hand_types,
            self.streets,
            self.structure,
            not hand.stakes.dead_antes,
            hand.stakes.antes,
            posts[::-1] if len(posts) == 2 else posts,
            self.bring_in,
            tuple(min(stack, cap or stack) for stack in hand.starting_stacks),
            hand.players,
            mode=Mode.TOURNAMENT,
        )


def their_street(part: Round, blind: bool) -> Street:
    """A round as PokerKit has it. It does not count a blind as the first bet (TDA 48), so its cap is one lower; and
    it has no round without betting: there nobody may bet, and all check."""
    bet, most = (part.betting.bet, part.betting.max_raises) if part.betting else (1, -1)
    return Street(
        False,  # we burn no cards
        (False,) * part.down + (True,) * part.up,
        part.board,
        part.draw_most > 0,
        OPENINGS[part.first],
        bet,
        None if most == 0 else max(0, most - blind),
    )
