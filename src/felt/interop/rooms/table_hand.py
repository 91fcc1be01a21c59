"""A hand as a poker room's text tells it: named players on numbered seats, one line after another.

`TableHand` takes what the lines say, keeps the chips in a ledger to see that they add up, and in the end puts the
players who were dealt in into the order of the game.
"""

from collections.abc import Sequence
from decimal import Decimal

from felt.games.history import UNKNOWN, Event, HandRecord
from felt.games.moves import SHOWS, EventKind
from felt.games.rules import MAX_CHIPS, MAX_PLAYERS, Structure
from felt.interop.histories import HistoryError, check_cards, in_dealing_order, in_money, to_chips, unit_of
from felt.interop.rooms.ledger import Ledger
from felt.interop.rooms.seats import (
    DraftEvent,
    Header,
    Seated,
    Slot,
    TableSeat,
    blinds_of,
    in_order,
    shows_before_board,
)
from felt.interop.rooms.text import read_names
from felt.interop.variants import (
    STUD_GAMES,
    SourceStakes,
    antes_as_rules,
    fitted,
    hole_cards,
    make_rules,
)


class TableHand:
    """One hand in the making; seats are told by their index in the list of players."""

    def __init__(self, header: Header, players: Sequence[Seated], *, button: int) -> None:
        self.header, self.button = header, button
        self.seats = [
            TableSeat(player.number, player.name, self.chips(player.stack), sitting_out=player.sitting_out)
            for player in players
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

    def ante(self, i: int, amount: Decimal) -> None:
        """An ante, or other dead chips."""
        self.seats[i].dealt_in = True
        self.seats[i].ante += self.ledger.ante(i, self.chips(amount))

    def _settle_posts(self) -> None:
        """Count antes and blinds that a stack could not cover as the whole ones that they stand for."""
        full = max((seat.ante for seat in self.seats), default=0)
        for i, seat in enumerate(self.seats):
            if seat.ante and not self.ledger.playable(i) and not seat.post:
                seat.ante = full
        dealt = in_order(self.seats, self.button)
        small = next((i for i in dealt if self.seats[i].blind == "small"), None)
        if small is not None and not any(seat.blind == "big" for seat in self.seats):
            after = dealt[(dealt.index(small) + 1) % len(dealt)]
            if not self.ledger.playable(after) and after != small:  # the ante took all that the big blind had
                self.seats[after].post, self.seats[after].blind = self._full_blind("big"), "big"
                self.ledger.post(after, 0, full=self._full_blind("big"))
        antes = {seat.ante for seat in self.seats if seat.dealt_in}
        self.ledger.layered = len(antes) == 1

    def post(self, i: int, amount: Decimal, blind: str, *, all_in: bool = False) -> None:
        """A blind, a straddle, or the blind of somebody who takes a seat (``extra``)."""
        chips = self.chips(amount)
        full = max(chips, self._full_blind(blind)) if all_in else chips
        seat = self.seats[i]
        if blind == "small" and any(other.blind == "small" for other in self.seats):
            self.ante(i, amount)  # a small blind missed earlier: made good, and dead
            return
        if blind == "big":
            blind = self._second_big(chips)
        seat.dealt_in, seat.blind = True, blind
        seat.post += full
        self.ledger.post(i, chips, full=full)

    def _second_big(self, chips: int) -> str:
        """Rooms call a straddle, and the post of who takes a seat, a big blind too."""
        first = next((seat.post for seat in self.seats if seat.blind == "big"), 0)
        return "big" if not first else "straddle" if chips > first else "extra"

    def _full_blind(self, blind: str) -> int:
        """A blind of which a short stack posted only a part."""
        low, high = self.chips(self.header.low), self.chips(self.header.high)
        if self.header.structure == Structure.LIMIT:
            low, high = low // 2, low
        return low if blind == "small" else high

    def post_both(self, i: int, amount: Decimal) -> None:
        """A small and a big blind together: the small one is dead."""
        big = min(self.chips(amount), self._full_blind("big"))
        seat = self.seats[i]
        seat.dealt_in, seat.blind = True, "extra"
        seat.ante += self.ledger.ante(i, self.chips(amount) - big)
        seat.post += self.ledger.post(i, big)

    # Cards

    def board(self, cards: Sequence[int]) -> None:
        """Cards to the board, and a new street."""
        self.ledger.deal()
        self.board_cards += len(cards)
        self.drafts.append(DraftEvent(EventKind.BOARD, slots=[Slot(card) for card in cards]))

    def deal(self, i: int, cards: Sequence[int], *, up: bool = False) -> None:
        """Cards to a player."""
        seat = self.seats[i]
        seat.dealt_in = True
        self.ledger.deal()
        slots = [Slot(card) for card in cards]
        seat.held += slots
        self.drafts.append(DraftEvent(EventKind.UP if up else EventKind.DOWN, i, slots=slots))

    def draw(self, i: int, count: int, cards: Sequence[int] = ()) -> None:
        """A player throws cards away and gets as many."""
        seat = self.seats[i]
        self._holding(i)
        thrown = [slot for slot in seat.held if slot.card in cards and slot.card != UNKNOWN]
        if not thrown:
            thrown = [Slot(card) for card in cards or [UNKNOWN] * count]
            seat.mixed = seat.mixed or count > 0
        if len(thrown) != count or count > len(seat.held):
            raise HistoryError(f"{seat.name!r} cannot discard {count} of {len(seat.held)} cards")
        self.ledger.deal()
        self.drafts.append(DraftEvent(EventKind.DRAW, i, slots=thrown))
        remaining = [slot for slot in seat.held if slot not in thrown]
        seat.held = remaining[: len(seat.held) - count]
        if count:
            self.deal(i, [UNKNOWN] * count)

    def _holding(self, i: int) -> None:
        """Everybody who acts has been dealt a hand, whether the text says so or not."""
        if not self.seats[i].held and self.header.game not in STUD_GAMES:
            self.seats[i].dealt_in = True
            slots = [Slot(UNKNOWN) for _ in range(hole_cards(self.header.game))]
            self.seats[i].held = slots
            self.drafts.insert(0, DraftEvent(EventKind.DOWN, i, slots=list(slots)))

    def learn(self, i: int, cards: Sequence[int]) -> None:
        """The cards that a player turns out to hold; fills in what was dealt unseen."""
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

    def fold(self, i: int) -> None:
        """The player is out."""
        self._act(i)
        self.ledger.fold(i)
        self.drafts.append(DraftEvent(EventKind.FOLD, i))

    def call(self, i: int, amount: Decimal | None = None) -> None:
        """A check (no amount) or a call; the amount must be what there is to call."""
        self._act(i)
        chips = 0 if amount is None else self.chips(amount)
        to_call = self.ledger.to_call(i)
        if chips not in (to_call, self.ledger.matched(i)):
            name = self.seats[i].name
            raise HistoryError(f"{name!r} puts in {self.money(chips)} where {self.money(to_call)} is to call")
        self.seats[i].sitting_out &= not self.ledger.call(i)
        self.drafts.append(DraftEvent(EventKind.CALL, i))

    def bet(self, i: int, amount: Decimal) -> None:
        """A bet, told as the chips added."""
        self.raise_to(i, self.ledger.bets[i] + self.chips(amount))

    def raise_to(self, i: int, total: int) -> None:
        """A bet or raise, told as the player's total for the street in chips."""
        self._act(i)
        have = self.ledger.bets[i] + self.ledger.playable(i)
        if not self.ledger.high < total <= have:
            raise HistoryError(
                f"{self.seats[i].name!r} cannot bet {self.money(total)}: {self.money(self.ledger.high)} is to match, "
                f"and there is {self.money(have)}"
            )
        self.ledger.raise_to(i, total)
        self.seats[i].sitting_out = False
        self.drafts.append(DraftEvent(EventKind.RAISE, i, total))

    def bring_it_in(self, i: int, amount: Decimal) -> None:
        """The forced bet of stud."""
        self._act(i)
        self.bring_in = self.chips(amount)
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

    def show(self, i: int, cards: Sequence[int]) -> None:
        """Cards are turned up; a hand of which only some are shown is given up."""
        self.learn(i, cards)
        complete = len(cards) >= len(self.seats[i].held)
        if complete or len(self.live()) > 1:
            kind = EventKind.SHOW if complete else EventKind.MUCK
            self.drafts.append(DraftEvent(kind, i, slots=[Slot(card) for card in cards]))

    def muck(self, i: int) -> None:
        """A hand is given up unseen; a winner who does not show is no event."""
        if len(self.live()) > 1:
            self.drafts.append(DraftEvent(EventKind.MUCK, i))

    def collect(self, i: int, amount: Decimal) -> None:
        """Chips from the pot."""
        self.seats[i].collected += self.chips(amount)

    def sit_out(self, i: int) -> None:
        """A player is away; once cards are out, what they have decided is theirs."""
        self.seats[i].sitting_out |= not self._begun

    def come_back(self, i: int) -> None:
        """A player is there again."""
        self.seats[i].sitting_out = False

    def cash_out(self, i: int, amount: Decimal) -> None:
        """The room buys an all-in hand: it pays this, and gets what the hand wins."""
        self.seats[i].cash_out += self.chips(amount)

    def give_back(self, i: int, amount: Decimal) -> None:
        """An uncalled bet."""
        self.seats[i].returned += self.chips(amount)

    def record(self) -> HandRecord:
        """The hand, its players in the order of the game."""
        if not self._begun:
            self._settle_posts()
        finishing = self._finishing()
        order = in_order(self.seats, self.button)
        if not 2 <= len(order) <= MAX_PLAYERS:
            raise HistoryError(f"{len(order)} players are dealt in: Felt keeps hands of 2 to {MAX_PLAYERS}")
        self._give_up_the_rest()
        posts = tuple(self.seats[i].post for i in order)
        antes = tuple(self.seats[i].ante for i in order)
        stakes = self._stakes(order, posts, antes)
        rules = make_rules(self.header.game, stakes)
        events = in_dealing_order(self._events(order), rules)
        numbers = ", ".join(str(self.seats[i].number) for i in order)
        shown = [seat.name for seat in self.seats]
        names = dict(zip(shown, read_names(shown), strict=True))
        hero = {"hero": names[self.hero]} if self.hero else {}
        meta = self.header.meta | {"seats": f"[{numbers}]"} | hero
        record = HandRecord(
            rules=fitted(rules, events, opened=any(posts)),
            stacks=tuple(self.seats[i].stack for i in order),
            antes=antes,
            posts=posts,
            events=events,
            button=len(order) - 1,
            names=tuple(names[self.seats[i].name] for i in order),
            finishing=tuple(finishing[i] for i in order),
            hand_id=self.header.hand_id,
            unit=unit_of(self.header.places),
            currency=self.header.currency,
            dead_antes=any(antes) and not stakes.ante,
            meta=meta,
            rake=self.rake or 0,
            sitting_out=tuple(seat for seat, i in enumerate(order) if self.seats[i].sitting_out),
            cash_outs=self._cash_outs(order),
        )
        check_cards(record)
        return record

    def _cash_outs(self, order: Sequence[int]) -> tuple[int, ...]:
        paid = tuple(self.seats[i].cash_out for i in order)
        return paid if any(paid) else ()

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
        _, over = self.ledger.uncalled()
        out, contested = sum(collected) + self.rake, self.ledger.pot - over
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
        if len(self.live()) > 1:
            for i in self.live():
                if i not in spoken and not self.seats[i].collected:
                    self.drafts.append(DraftEvent(EventKind.MUCK, i))

    def _events(self, order: Sequence[int]) -> list[Event]:
        """What happened in the order of Felt: hands first, and shown before the board when all are in."""
        if self.header.game not in STUD_GAMES:
            for i in order:
                self._holding(i)
        at = {i: seat for seat, i in enumerate(order)}
        events = [draft.event(at) for draft in self.drafts]
        return shows_before_board(events)

    def _stakes(self, order: Sequence[int], posts: tuple[int, ...], antes: tuple[int, ...]) -> SourceStakes:
        header = self.header
        low, high = self.chips(header.low), self.chips(header.high)
        limit = header.structure == Structure.LIMIT
        if limit and any(seat.blind == "big" and seat.post == high for seat in self.seats):
            low, high = high, 2 * high  # some write the blinds of a limit game instead of its bets
        ante, big_blind_ante = antes_as_rules(antes)
        bring_in = self.bring_in or max(1, low // 4)  # nobody says what it was where it is completed at once
        return SourceStakes(
            header.structure,
            small=low if limit else high,
            big=high if limit else 0,
            blinds=() if header.game in STUD_GAMES else blinds_of(self.seats, order, posts),
            ante=ante,
            big_blind_ante=big_blind_ante,
            bring_in=bring_in if header.game in STUD_GAMES else 0,
            cap=self.chips(header.cap),
            unit=unit_of(header.places),
        )
