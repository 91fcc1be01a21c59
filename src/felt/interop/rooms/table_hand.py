"""A hand as a poker room's text tells it: named players on numbered seats, one line after another.

`TableHand` takes what the lines say, keeps the chips in a ledger to see that they add up, and in the end puts the
players who were dealt in into the order of the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from felt.games.history import UNKNOWN, Event, HandRecord
from felt.games.moves import MOVE_OF_EVENT, SHOWS, EventKind
from felt.games.rules import MAX_CHIPS, MAX_PLAYERS, Structure
from felt.interop.histories import HistoryError, check_cards, in_dealing_order, in_money, to_chips, unit_of
from felt.interop.rooms.ledger import Ledger
from felt.interop.rooms.text import read_cards, read_names
from felt.interop.variants import (
    STUD_GAMES,
    Game,
    SourceStakes,
    antes_as_rules,
    blinds_as_rules,
    fitted,
    hole_cards,
    make_rules,
)

DECISIONS = (*MOVE_OF_EVENT, EventKind.DRAW)


@dataclass(frozen=True)
class Header:
    """What the first lines of a hand say; `low` and `high` are the blinds, or the bets of a limit game."""

    hand_id: str
    game: Game
    structure: Structure
    low: Decimal
    high: Decimal
    places: int
    """Digits after the point in its money."""
    cap: Decimal
    currency: str
    button: int
    """The number of its chair; 0 where there is none."""
    meta: dict[str, str]


class Seated(NamedTuple):
    """A player as the lines of the seats have them."""

    number: int
    name: str
    stack: Decimal
    sitting_out: bool = False


@dataclass
class TableSeat:
    """A chair and what is known of who sits there."""

    number: int
    name: str
    stack: int
    sitting_out: bool
    """Whether the player is away, so that the room acts for them: it never calls or raises."""
    dealt_in: bool = False
    ante: int = 0
    post: int = 0
    """Live chips posted, as they count for the others: a short blind counts whole."""
    blind: str = ""
    """``small``, ``big``, ``straddle`` or ``button`` for who posts in turn; ``extra`` for who takes a seat."""
    collected: int = 0
    returned: int = 0
    """Chips of an uncalled bet, where the text says so."""
    in_summary: int = 0
    """Chips that the summary says were collected."""
    held: list["Slot"] = field(default_factory=list)
    cash_out: int = 0
    """Chips that the room paid for the hand."""
    mixed: bool = False
    """Whether unseen cards have been drawn, so that nobody can say which card came when."""


@dataclass(eq=False)
class Slot:
    """A card in a hand, known from the start, later or never."""

    card: int


class DraftEvent(NamedTuple):
    """An event whose cards may become known later."""

    kind: EventKind
    seat: int = -1
    amount: int = 0
    slots: Sequence[Slot] = ()


class TableHand:
    """One hand in the making; seats are told by their index in the list of players."""

    def __init__(self, header: Header, players: Sequence[Seated]) -> None:
        self.header = header
        self.seats = [
            TableSeat(player.number, player.name, self.chips(player.stack), player.sitting_out) for player in players
        ]
        if len(self.seats) < 2:
            raise HistoryError(f"{len(self.seats)} players sit at the table: lines like 'Seat 1: Ann' are missing")
        if len({seat.name for seat in self.seats}) < len(self.seats):
            raise HistoryError("two players of one name sit at the table")
        if sum(seat.stack for seat in self.seats) > MAX_CHIPS:
            raise HistoryError(f"there is more than {self.money(MAX_CHIPS)} on the table")
        self.ledger = Ledger([seat.stack for seat in self.seats], cap=self.chips(header.cap))
        self.drafts: list[DraftEvent] = []
        self.rake: int | None = None
        self.bring_in = 0
        self.board_cards = 0
        self.hero = ""
        self._begun = False

    def chips(self, amount: Decimal) -> int:
        """An amount of the text in chips."""
        return to_chips(amount, self.header.places)

    def money(self, chips: int) -> str:
        """Chips as the text writes them, for messages."""
        return in_money(chips, unit_of(self.header.places))

    def live(self) -> list[int]:
        """Who has cards."""
        return [i for i in self.ledger.live if self.seats[i].dealt_in]

    # Posting

    def ante(self, i: int, chips: int) -> None:
        """An ante, or other dead chips."""
        seat = self.seats[i]
        seat.dealt_in, seat.ante = True, seat.ante + self.ledger.ante(i, chips)

    def _settle_posts(self) -> None:
        """Count antes and blinds that a stack could not cover as the whole ones that they stand for."""
        full = max((seat.ante for seat in self.seats), default=0)
        for i, seat in enumerate(self.seats):
            if seat.ante and not self.ledger.playable(i) and not seat.post:
                seat.ante = full
        dealt = self._order()
        small = next((i for i in dealt if self.seats[i].blind == "small"), None)
        if small is not None and not any(seat.blind == "big" for seat in self.seats):
            after = dealt[(dealt.index(small) + 1) % len(dealt)]
            if not self.ledger.playable(after) and after != small:  # the ante took all that the big blind had
                full = self.seats[after].post = self._full_blind("big")
                self.seats[after].blind = "big"
                self.ledger.post(after, 0, full=full)
        self.ledger.layered = len({seat.ante for seat in self.seats if seat.dealt_in}) == 1

    def post(self, i: int, chips: int, blind: str = "extra", all_in: str = "") -> None:
        """A blind, a straddle, or the blind of somebody who takes a seat (``extra``)."""
        full = max(chips, self._full_blind(blind)) if all_in else chips
        if blind == "small" and any(other.blind == "small" for other in self.seats):
            self.ante(i, chips)  # a small blind missed earlier: made good, and dead
            return
        first_big = next((seat.post for seat in self.seats if seat.blind == "big"), 0)
        if blind == "big" and first_big:  # rooms call a straddle, and the post of who takes a seat, a big blind too
            blind = "straddle" if chips > first_big else "extra"
        seat = self.seats[i]
        seat.dealt_in, seat.blind, seat.post = True, blind, seat.post + full
        self.ledger.post(i, chips, full=full)

    def _full_blind(self, blind: str) -> int:
        """A blind of which a short stack posted only a part."""
        low, high = self.chips(self.header.low), self.chips(self.header.high)
        if self.header.structure == Structure.LIMIT:
            low, high = low // 2, low
        return low if blind == "small" else high

    def post_both(self, i: int, chips: int) -> None:
        """A small and a big blind together: the small one is dead."""
        big = min(chips, self._full_blind("big"))
        self.ante(i, chips - big)
        self.seats[i].blind = "extra"
        self.seats[i].post += self.ledger.post(i, big)

    # Cards

    def board(self, cards: Sequence[int]) -> None:
        """Cards to the board, and a new street."""
        self.ledger.deal()
        self.board_cards += len(cards)
        self.drafts.append(DraftEvent(EventKind.BOARD, slots=[Slot(card) for card in cards]))

    def deal(self, i: int, cards: Sequence[int], *, up: bool = False) -> None:
        """Cards to a player."""
        self.seats[i].dealt_in = True
        self.ledger.deal()
        slots = [Slot(card) for card in cards]
        self.seats[i].held += slots
        self.drafts.append(DraftEvent(EventKind.UP if up else EventKind.DOWN, i, slots=slots))

    def draw(self, i: int, count: str = "0", cards: str = "") -> None:
        """A player throws so many cards away, perhaps these, and gets as many."""
        seat, size, known = self.seats[i], int(count), read_cards(cards)
        self._holding(i)
        thrown = [slot for slot in seat.held if slot.card in known and slot.card != UNKNOWN]
        if not thrown:
            thrown = [Slot(card) for card in known or [UNKNOWN] * size]
            seat.mixed = seat.mixed or size > 0
        if len(thrown) != size or size > len(seat.held):
            raise HistoryError(f"{seat.name!r} cannot discard {size} of {len(seat.held)} cards")
        self.ledger.deal()
        self.drafts.append(DraftEvent(EventKind.DRAW, i, slots=thrown))
        remaining = [slot for slot in seat.held if slot not in thrown]
        seat.held = remaining[: len(seat.held) - size]
        if size:
            self.deal(i, [UNKNOWN] * size)

    def _holding(self, i: int) -> None:
        """Everybody who acts has been dealt a hand, whether the text says so or not."""
        seat = self.seats[i]
        if not seat.held and self.header.game not in STUD_GAMES:
            slots = [Slot(UNKNOWN) for _ in range(hole_cards(self.header.game))]
            seat.dealt_in, seat.held = True, slots
            self.drafts.insert(0, DraftEvent(EventKind.DOWN, i, slots=list(slots)))

    def learn(self, i: int, cards: Sequence[int]) -> None:
        """The cards that a player turns out to hold; fills in those that were dealt unseen."""
        seat = self.seats[i]
        self._holding(i)
        if seat.mixed or not seat.held:
            return
        news = [card for card in cards if card not in [slot.card for slot in seat.held]]
        for slot in seat.held:
            if slot.card == UNKNOWN and news:
                slot.card = news.pop(0)
        if news:
            raise HistoryError(f"{seat.name!r} shows other cards than were dealt")

    # Bets

    def fold(self, i: int, cards: str = "") -> None:
        """The player is out, and may show these cards."""
        self._act(i)
        self.ledger.fold(i)
        self.drafts.append(DraftEvent(EventKind.FOLD, i))
        if cards:
            self.learn(i, read_cards(cards))

    def call(self, i: int, chips: int = 0) -> None:
        """A check (no chips) or a call; they must be those that there are to call."""
        self._act(i)
        to_call = self.ledger.to_call(i)
        if chips not in (to_call, self.ledger.matched(i)):
            name = self.seats[i].name
            raise HistoryError(f"{name!r} puts in {self.money(chips)} where {self.money(to_call)} is to call")
        self.seats[i].sitting_out &= not self.ledger.call(i)
        self.drafts.append(DraftEvent(EventKind.CALL, i))

    def bet(self, i: int, chips: int) -> None:
        """A bet, told as the chips added."""
        self.raise_to(i, self.ledger.bets[i] + chips)

    def raise_to(self, i: int, chips: int) -> None:
        """A bet or raise, told as the player's total for the street."""
        self._act(i)
        have = self.ledger.bets[i] + self.ledger.playable(i)
        if not self.ledger.high < chips <= have:
            raise HistoryError(
                f"{self.seats[i].name!r} cannot bet {self.money(chips)}: {self.money(self.ledger.high)} is to match, "
                f"and there is {self.money(have)}"
            )
        self.ledger.raise_to(i, chips)
        self.seats[i].sitting_out = False
        self.drafts.append(DraftEvent(EventKind.RAISE, i, chips))

    def bring_it_in(self, i: int, chips: int) -> None:
        """The forced bet of stud."""
        self._act(i)
        self.bring_in = chips
        self.ledger.raise_to(i, self.bring_in)
        self.drafts.append(DraftEvent(EventKind.CALL, i))

    def _act(self, i: int) -> None:
        self.seats[i].dealt_in = True
        if not self._begun:
            self._begun = True
            self._settle_posts()
        if i in self.ledger.folded:
            raise HistoryError(f"{self.seats[i].name!r} acts after folding")

    # The end

    def show(self, i: int, cards: str = "") -> None:
        """Cards are turned up; a hand of which only some are shown is given up."""
        shown = read_cards(cards)
        self.learn(i, shown)
        complete = len(shown) >= len(self.seats[i].held)
        if complete or len(self.live()) > 1:
            kind = EventKind.SHOW if complete else EventKind.MUCK
            self.drafts.append(DraftEvent(kind, i, slots=[Slot(card) for card in shown]))

    def muck(self, i: int) -> None:
        """A hand is given up unseen; a winner who does not show is no event."""
        if len(self.live()) > 1:
            self.drafts.append(DraftEvent(EventKind.MUCK, i))

    def collect(self, i: int, chips: int) -> None:
        """Chips from the pot."""
        self.seats[i].collected += chips

    def sit_out(self, i: int) -> None:
        """A player is away; once cards are out, what they have decided is theirs."""
        self.seats[i].sitting_out |= not self._begun

    def come_back(self, i: int) -> None:
        """A player is there again."""
        self.seats[i].sitting_out = False

    def cash_out(self, i: int, chips: int) -> None:
        """The room buys an all-in hand: it pays this, and gets what the hand wins."""
        self.seats[i].cash_out += chips

    def record(self) -> HandRecord:
        """The hand, its players in the order of the game."""
        if not self._begun:
            self._settle_posts()
        finishing = self._finishing()
        order = self._order()
        if not 2 <= len(order) <= MAX_PLAYERS:
            raise HistoryError(f"{len(order)} players are dealt in: Felt keeps hands of 2 to {MAX_PLAYERS}")
        self._give_up_the_rest()
        header, seats = self.header, [self.seats[i] for i in order]
        posts, antes = tuple(seat.post for seat in seats), tuple(seat.ante for seat in seats)
        stakes = self._stakes(seats, antes)
        rules = make_rules(header.game, stakes)
        events = in_dealing_order(self._events(order), rules)
        shown = [seat.name for seat in self.seats]
        names = dict(zip(shown, read_names(shown), strict=True))
        hero = {"hero": names[self.hero]} if self.hero else {}
        cash_outs = tuple(seat.cash_out for seat in seats)
        record = HandRecord(
            rules=fitted(rules, events, opened=any(posts)),
            stacks=tuple(seat.stack for seat in seats),
            antes=antes,
            posts=posts,
            events=events,
            button=len(order) - 1,
            names=tuple(names[seat.name] for seat in seats),
            finishing=tuple(finishing[i] for i in order),
            hand_id=header.hand_id,
            unit=unit_of(header.places),
            currency=header.currency,
            dead_antes=any(antes) and not stakes.ante,
            meta=header.meta | {"seats": str([seat.number for seat in seats])} | hero,
            rake=self.rake or 0,
            sitting_out=tuple(place for place, seat in enumerate(seats) if seat.sitting_out),
            cash_outs=cash_outs if any(cash_outs) else (),
        )
        check_cards(record)
        return record

    def _order(self) -> list[int]:
        """Who is dealt in, from the left of the button on."""
        seats, dealt = self.seats, [i for i, seat in enumerate(self.seats) if seat.dealt_in]
        order = sorted(dealt, key=lambda i: (seats[i].number <= self.header.button, seats[i].number))
        if [seats[i].blind for i in order] == ["small", "big"]:
            order.reverse()  # the button has moved to an empty chair: heads-up, the small blind has it
        return order

    def _finishing(self) -> tuple[int, ...]:
        """The stacks after the hand; all chips must be accounted for.

        Rooms tell of uncalled bets in a line of their own. Programs that convert hands count them as collected, or
        return more than was uncalled, or say nothing.
        """
        if self.rake is None:
            raise HistoryError("the hand breaks off: its summary with the total pot is missing")
        if not any(seat.collected for seat in self.seats):
            for seat in self.seats:
                seat.collected = seat.in_summary
        collected = [seat.collected for seat in self.seats]
        out, contested = sum(collected) + self.rake, self.ledger.pot - self.ledger.uncalled()[1]
        if out == contested:
            return self.ledger.settled(collected)
        if out + sum(seat.returned for seat in self.seats) == self.ledger.pot:
            stacks = zip(self.ledger.stacks, self.seats, strict=True)
            return tuple(stack + seat.collected + seat.returned for stack, seat in stacks)
        raise HistoryError(
            f"the chips do not add up: {self.money(contested)} was put in, {self.money(out)} was collected or raked"
        )

    def _give_up_the_rest(self) -> None:
        """Who is in to the end, shows nothing and wins nothing has mucked; some texts leave that out."""
        spoken = {draft.seat for draft in self.drafts if draft.kind in SHOWS}
        for i in self.live():
            if i not in spoken and not self.seats[i].collected:
                self.muck(i)

    def _events(self, order: Sequence[int]) -> list[Event]:
        """What happened in the order of Felt: hands first, and shown before the board when all are in, not after it."""
        for i in order:
            self._holding(i)
        at = {i: seat for seat, i in enumerate(order)}
        events = [
            Event(draft.kind, at.get(draft.seat, -1), draft.amount, tuple(slot.card for slot in draft.slots))
            for draft in self.drafts
        ]
        last = max((i for i, event in enumerate(events) if event.kind in DECISIONS), default=-1)
        after = events[last + 1 :]
        if any(event.kind == EventKind.BOARD for event in after):
            after.sort(key=lambda event: event.kind not in SHOWS)
        return [*events[: last + 1], *after]

    def _stakes(self, seats: Sequence[TableSeat], antes: tuple[int, ...]) -> SourceStakes:
        header = self.header
        low, high = self.chips(header.low), self.chips(header.high)
        limit, stud = header.structure == Structure.LIMIT, header.game in STUD_GAMES
        if limit and any(seat.blind == "big" and seat.post == high for seat in self.seats):
            low, high = high, 2 * high  # some write the blinds of a limit game instead of its bets
        ante, big_blind_ante = antes_as_rules(antes)
        forced = [seat.post if seat.blind not in ("", "extra") else 0 for seat in seats]
        return SourceStakes(
            header.structure,
            small=low if limit else high,
            big=high if limit else 0,
            blinds=() if stud else blinds_as_rules(forced[::-1] if len(seats) == 2 else forced),
            ante=ante,
            big_blind_ante=big_blind_ante,
            bring_in=(self.bring_in or max(1, low // 4)) if stud else 0,  # where it is completed at once nobody says it
            cap=self.chips(header.cap),
            unit=unit_of(header.places),
        )
