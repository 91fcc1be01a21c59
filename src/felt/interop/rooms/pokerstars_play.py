"""The middle of a hand in PokerStars text: cards and bets, street by street."""

from collections.abc import Callable, Iterable, Iterator

from felt.cards.card import format_cards
from felt.games.history import UNKNOWN, Event, HandRecord
from felt.games.moves import SHOWS, EventKind
from felt.interop.rooms.ledger import Ledger
from felt.interop.rooms.table_hand import DECISIONS
from felt.interop.variants import DRAW_GAMES, STUD_GAMES, Game

_STUD_STREETS = ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")
_DRAWS = ("FIRST DRAW", "SECOND DRAW", "THIRD DRAW")
_BOARDS = {3: "FLOP", 4: "TURN", 5: "RIVER"}
_NTH_DRAW = ("1st", "2nd", "3rd")


class Play:
    """Follows the events of a hand, tells them, and remembers what the summary needs."""

    def __init__(self, record: HandRecord, game: Game, names: tuple[str, ...], hero: str) -> None:
        self.record, self.game, self.names, self.hero = record, game, names, hero
        self.ledger = Ledger.of(record)
        self.board: list[int] = []
        self.held = [list[int]() for _ in names]
        self.up = [list[int]() for _ in names]
        self.shown: dict[int, tuple[int, ...]] = {}
        self.folds: dict[int, str] = {}
        self.at_showdown: list[Event] = []
        self._street = 0
        self._bet = set[int]()

    def lines(self, money: Callable[[int], str], all_in: Callable[[Ledger, int], str]) -> Iterator[str]:
        """The lines from the first card to the last bet; hands shown at the end are kept for the showdown."""
        events = self.record.events
        last = max((i for i, event in enumerate(events) if event.kind in DECISIONS), default=-1)
        for i, event in enumerate(events):
            if event.kind in DECISIONS and event.kind != EventKind.DRAW:
                yield self._decision(event, money, all_in)
            elif event.kind in SHOWS:
                self._shown(event)
            else:
                yield from self._cards(event)
            seat, over = self.ledger.uncalled()
            if i == last and over:
                yield f"Uncalled bet ({money(over)}) returned to {self.names[seat]}"

    def opening(self) -> str:
        """The heading above the first cards."""
        if self.game in STUD_GAMES:
            return _STUD_STREETS[0]
        return "DEALING HANDS" if self.game in DRAW_GAMES else "HOLE CARDS"

    def _decision(self, event: Event, money: Callable[[int], str], all_in: Callable[[Ledger, int], str]) -> str:
        seat, ledger = event.seat, self.ledger
        high = ledger.high
        brings_in = self.record.rules.bring_in > 0 and not ledger.street and not high
        chips = ledger.apply(event)
        name, end = self.names[seat], all_in(ledger, seat) if chips else ""
        if chips:
            self._bet.add(seat)
        if event.kind == EventKind.FOLD:
            self.folds[seat] = self._fold_words(seat)
            return f"{name}: folds"
        if event.kind == EventKind.RAISE:
            words = f"raises {money(event.amount - high)} to {money(event.amount)}" if high else f"bets {money(chips)}"
            return f"{name}: {words}{end}"
        if brings_in:
            return f"{name}: brings in for {money(chips)}{end}"
        return f"{name}: calls {money(chips)}{end}" if chips else f"{name}: checks"

    def _fold_words(self, seat: int) -> str:
        bet = "" if seat in self._bet or self.record.posts[seat] else " (didn't bet)"
        if self.game in STUD_GAMES:
            return f"folded on the {_STUD_STREETS[self._street].title()}{bet}"
        if self.game in DRAW_GAMES:
            return (
                f"folded after the {_NTH_DRAW[self._street - 1]} Draw"
                if self._street
                else f"folded before the Draw{bet}"
            )
        if not self.board:
            return f"folded before Flop{bet}"
        return f"folded on the {_BOARDS.get(len(self.board), 'RIVER').title()}"

    def _shown(self, event: Event) -> None:
        self.at_showdown.append(event)
        if event.kind == EventKind.SHOW:
            self.shown[event.seat] = event.cards or tuple(self.held[event.seat])

    def _cards(self, event: Event) -> Iterator[str]:
        self.ledger.apply(event)
        if event.kind == EventKind.BOARD:
            yield self._board(event)
        elif event.kind == EventKind.DRAW:
            yield from self._draw(event)
        elif self.game in STUD_GAMES:
            yield from self._dealt_stud(event)
        else:
            yield from self._dealt(event)

    def _board(self, event: Event) -> str:
        before = f" {_bracket(self.board)}" if self.board else ""
        self.board += event.cards
        return f"*** {_BOARDS.get(len(self.board), 'RIVER')} ***{before} {_bracket(event.cards)}"

    def _dealt(self, event: Event) -> Iterator[str]:
        """Down cards; of the hero only, and after a draw with those that were kept."""
        seat = event.seat
        before = list(self.held[seat])
        self.held[seat] += event.cards
        if self._is_hero(seat) and UNKNOWN not in self.held[seat]:
            old = f" {_bracket(before)}" if before else ""
            yield f"Dealt to {self.names[seat]}{old} {_bracket(event.cards)}"

    def _dealt_stud(self, event: Event) -> Iterator[str]:
        """Up cards of everybody; the first three of the hero together."""
        seat, up = event.seat, event.kind == EventKind.UP
        before, ups = list(self.held[seat]), list(self.up[seat])
        self.held[seat] += event.cards
        if up:
            self.up[seat] += event.cards
        street = len(self.held[seat]) - 3
        if street > self._street:
            self._street = street
            yield f"*** {_STUD_STREETS[street]} ***"
        hero = self._is_hero(seat) and UNKNOWN not in self.held[seat]
        if street == 0 and up:
            yield f"Dealt to {self.names[seat]} {_bracket(self.held[seat] if hero else event.cards)}"
        elif street > 0 and (up or hero):
            yield f"Dealt to {self.names[seat]} {_bracket(before if hero else ups)} {_bracket(event.cards)}"

    def _draw(self, event: Event) -> Iterator[str]:
        seat, count = event.seat, len(event.cards)
        draws = sum(1 for part in self.record.rules.rounds if part.draw_most)
        if self.ledger.street > self._street:
            self._street = self.ledger.street
            if draws > 1:
                yield f"*** {_DRAWS[min(self._street, 3) - 1]} ***"
        hero = self._is_hero(seat) and UNKNOWN not in self.held[seat]
        name = self.names[seat]
        if not count:
            yield f"{name}: stands pat" + (f" on {_bracket(self.held[seat])}" if hero else "")
            return
        thrown = f" {_bracket(event.cards)}" if hero and UNKNOWN not in event.cards else ""
        yield f"{name}: discards {count} card{'s' * (count > 1)}{thrown}"
        for card in event.cards:
            held = self.held[seat]
            held.pop(held.index(card if card in held else UNKNOWN) if card in held or UNKNOWN in held else 0)

    def _is_hero(self, seat: int) -> bool:
        return self.names[seat] == self.hero


def _bracket(cards: Iterable[int]) -> str:
    return f"[{card_names(cards)}]"


def card_names(cards: Iterable[int]) -> str:
    """Cards with blanks between; one that is not known is XX."""
    return " ".join("XX" if card == UNKNOWN else format_cards([card]) for card in cards)
