"""`Hand`: one hand of poker, friendly to use.

It is a thin view over a record (`felt.games.record`); all rules are in the kernels. What players may see of it is
`felt.games.view`; what happened in it is kept beside, as the events of a `HandRecord`.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seed
from felt.cards.card import format_cards, parse_cards
from felt.errors import FeltError
from felt.games import fields as f
from felt.games.compiled import compile_rules
from felt.games.history import Event, EventKind, HandRecord
from felt.games.record import HAND, VERSION, Move, Phase, kernel_arrays
from felt.games.rules import MAX_CHIPS, GameRules, Round

if TYPE_CHECKING:
    from felt.games.view import View

STREAM = 0x706C6179  # "play": keeps the stream of deals apart from those of other rooms

_EXCHANGES = {Phase.PASS: "pass", Phase.DISCARD: "discard", Phase.DRAW: "draw"}
_THROWN = (EventKind.DRAW, EventKind.DISCARD)
_SHOWDOWN, _OVER = int(Phase.SHOWDOWN), int(Phase.OVER)
_EVENTS = {"pass": EventKind.PASS, "discard": EventKind.DISCARD, "draw": EventKind.DRAW}


class IllegalAction(FeltError):  # noqa: N818 - named after what the player did
    """A move that the rules do not allow; the message says which they do."""


class Action(NamedTuple):
    """A move: what, how much (a raise's total for the street), which cards (of an exchange)."""

    move: Move
    amount: int = 0
    cards: tuple[int, ...] = ()


@dataclass(frozen=True)
class Legal:
    """What the player to act may do."""

    fold: bool = False
    call: int | None = None
    """Chips to add: 0 is a check; None when there is nothing to call or check."""
    raise_to: tuple[int, int] | None = None
    """Least and most total for the street of a bet or raise; None when none is allowed."""
    exchange: tuple[str, int, int] | None = None
    """What is done with cards ("draw", "discard", "pass"), with how many at least and at most."""

    def __str__(self) -> str:
        parts = []
        if self.fold:
            parts.append("fold")
        if self.call is not None:
            parts.append(f"call {self.call}" if self.call else "check")
        if self.raise_to:
            least, most = self.raise_to
            parts.append(f"raise to {least}" if least == most else f"raise to {least}–{most}")
        if self.exchange:
            what, least, most = self.exchange
            parts.append(f"{what} {least} cards" if least == most else f"{what} {least} to {most} cards")
        return ", ".join(parts) or "nothing: the hand is over"


class Stakes(NamedTuple):
    """What was on the table before the first card, by seat."""

    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    posts: tuple[int, ...]
    dead_antes: bool


class Hand:
    """One hand, from the deal to the payment.

    >>> from felt.games import load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> str(hand.legal())
    'fold, call 1, raise to 4–200'
    >>> hand.call()
    >>> hand.turn
    0
    """

    __slots__ = ("_bytes", "_cards", "_compiled", "_events", "_ints", "_numbers", "_out", "_record", "_stakes", "rules")

    def __init__(self, rules: GameRules, stakes: Stakes, record: NDArray[np.void]) -> None:
        """A hand over a record that is there already; `Hand.new` deals one."""
        self.rules = rules
        self._stakes = stakes
        self._record = record
        self._compiled = compile_rules(rules)
        self._numbers, self._cards = kernel_arrays(record)
        self._ints, self._bytes = self._numbers.data, self._cards.data  # quicker one by one than arrays
        self._out = np.zeros(6, dtype=np.int64)
        self._events: list[Event] = []

    @classmethod
    def new(
        cls,
        rules: GameRules,
        stacks: Sequence[int] | int | None = None,
        *,
        players: int | None = None,
        seed: int = 0,
        number: int = 0,
        deck: Iterable[int] | str | None = None,
        button: int = -1,
        antes: Sequence[int] | None = None,
        posts: Sequence[int] | None = None,
        dead_antes: bool | None = None,
    ) -> "Hand":
        """Post, deal and wait for the first player.

        `stacks` by seat, or one for all `players`. Cards come from the deck shuffled by `seed` and `number`, or
        in the order of `deck`. `antes` and `posts` (blinds, straddles) by seat replace those of the rules.
        """
        chips = _stacks(rules, stacks, players)
        count = len(chips)
        if button < -1 or button >= count:
            raise FeltError(f"button={button}: seats are 0 to {count - 1}, or -1 for the last")
        place = button % count
        order = rules.deck.cards if deck is None else _whole_deck(rules, deck)
        stakes = Stakes(
            stacks=chips,
            antes=_amounts("antes", antes, count) if antes is not None else _antes(rules, count, place),
            posts=_amounts("posts", posts, count) if posts is not None else _posts(rules, count, place),
            dead_antes=rules.big_blind_ante > 0 if dead_antes is None else dead_antes,
        )
        self = cls(rules, stakes, np.zeros(1, dtype=HAND))
        h, k = self._numbers, self._cards
        h[f.PLAYERS], h[f.BUTTON], h[f.VERSION] = count, place, VERSION
        h[f.MISSING] = max(0, sum(rules.blinds[:count]) - sum(stakes.posts))  # dead blinds
        k[f.DECK : f.DECK + len(order)] = order
        h[f.DECK_COUNT] = len(order)
        if deck is None:
            self._shuffle(seed, number)
        self._begin()
        return self

    # What is on the table

    @property
    def over(self) -> bool:
        """Whether the hand has been paid out."""
        return self._ints[f.PHASE] == _OVER

    @property
    def players(self) -> int:
        """How many were dealt in."""
        return self._ints[f.PLAYERS]

    @property
    def turn(self) -> int:
        """The seat to act; -1 when the hand is over."""
        return self._ints[f.TURN]

    @property
    def street(self) -> int:
        """The round in play, counted from 0."""
        return self._ints[f.STREET]

    @property
    def phase(self) -> Phase:
        """What the hand waits for."""
        return Phase(self._ints[f.PHASE])

    @property
    def button(self) -> int:
        """The seat of the button."""
        return self._ints[f.BUTTON]

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        behind = self._chips(f.STACKS)
        return tuple(a + b for a, b in zip(behind, self._chips(f.ASIDE), strict=True))

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips bet on this street, by seat."""
        return self._chips(f.BETS)

    @property
    def pot(self) -> int:
        """All chips in the middle, bets of the street included; 0 once paid."""
        return 0 if self.over else self._ints[f.DEAD] + sum(self._chips(f.PUT))

    @property
    def put(self) -> tuple[int, ...]:
        """Chips put in for the pot since the deal, by seat: bets, blinds, and antes unless they are dead."""
        return self._chips(f.PUT)

    @property
    def won(self) -> tuple[int, ...]:
        """Chips taken from the pot, by seat, uncalled bets included; nothing before the end."""
        return self._chips(f.WON)

    @property
    def rake(self) -> int:
        """Chips that the house took."""
        return self._ints[f.RAKE]

    @property
    def board(self) -> tuple[int, ...]:
        """The shared cards."""
        return tuple(self._bytes[f.BOARD : f.BOARD + self._ints[f.BOARD_COUNT]])

    @property
    def folded(self) -> tuple[bool, ...]:
        """Who has folded, by seat."""
        live = self._ints[f.LIVE]
        return tuple(not live >> seat & 1 for seat in range(self.players))

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Chips won or lost, by seat; before the end, chips put in so far count as lost."""
        return tuple(now - then for now, then in zip(self.stacks, self._stakes.stacks, strict=True))

    @property
    def stakes(self) -> Stakes:
        """Stacks, antes and blinds before the first card."""
        return self._stakes

    @property
    def starting_stacks(self) -> tuple[int, ...]:
        """Chips before antes and blinds, by seat."""
        return self._stakes.stacks

    @property
    def showdown(self) -> tuple[int, ...]:
        """The seats that were still in when cards were compared."""
        shown = self._ints[f.SHOWN]
        return tuple(seat for seat in range(self.players) if shown >> seat & 1)

    @property
    def first_to_show(self) -> int:
        """Who shows down first: the last to bet or raise on the last street, else who acts first there (TDA 17)."""
        n = self._numbers
        if n[f.AGGRESSOR] >= 0 and n[f.RAISES] > 0:
            return int(n[f.AGGRESSOR])
        order = ((int(n[f.OPENER]) + step) % self.players for step in range(self.players))
        return next((seat for seat in order if n[f.LIVE] >> seat & 1), -1)

    def cards(self, seat: int) -> tuple[int, ...]:
        """A player's cards: for the table's owner. Players are shown `view`."""
        begin = f.CARDS + 7 * seat
        return tuple(self._bytes[begin : begin + self._bytes[f.COUNT + seat]])

    def up_cards(self, seat: int) -> tuple[int, ...]:
        """The cards of a player that lie face up."""
        up = self._bytes[f.UP + seat]
        return tuple(card for i, card in enumerate(self.cards(seat)) if up >> i & 1)

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened, hidden cards included: for the table's owner."""
        return tuple(self._events)

    @property
    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """The record as the kernels see it (`felt.games.fields`), numbers and bytes: the same memory, unchecked."""
        return self._numbers, self._cards

    @property
    def deck_left(self) -> int:
        """Cards left in the deck, before the muck would be shuffled."""
        return self._ints[f.DECK_COUNT] - self._ints[f.DECK_AT]

    def view(self, seat: int) -> "View":
        """All that a seat may see; -1 for what everybody sees."""
        from felt.games.view import view

        return view(self, seat)

    def winnings(self, among: Iterable[int]) -> tuple[int, ...]:
        """What each seat would have been paid, had only `among` shown down: of a hand that is over."""
        if not self.over:
            raise FeltError("winnings are known when the hand is over; it is the turn of seat " + str(self.turn))
        twin = self.copy()
        twin._numbers[f.LIVE] = sum(1 << seat for seat in set(among))
        twin._settle_again()
        return twin.won

    def stacked(self, cards: str | Iterable[int]) -> "Hand":
        """A copy in which these cards of the deck are dealt next, in this order."""
        twin = self.copy()
        deck = twin._cards[f.DECK + self._numbers[f.DECK_AT] : f.DECK + self._numbers[f.DECK_COUNT]]
        for place, card in enumerate(parse_cards(cards)):
            (found,) = np.nonzero(deck[place:] == card)
            if len(found) == 0:
                raise FeltError(f"{format_cards([card])} is not left in the deck: it has been dealt")
            deck[place], deck[place + found[0]] = card, deck[place]
        return twin

    def _chips(self, field: int) -> tuple[int, ...]:
        return tuple(self._ints[field : field + self.players])

    # What may be done, and doing it

    def legal(self) -> Legal:
        """What the player to act may do."""
        fold, call, least, most, fewest, many = self._out.tolist()
        if fewest >= 0:
            return Legal(exchange=(_EXCHANGES[self.phase], fewest, many))
        return Legal(bool(fold), call if call >= 0 else None, (least, most) if least > 0 else None)

    def fold(self) -> None:
        """Give the hand up."""
        if not self._out[0]:
            raise self._illegal("fold")
        self._step(Move.FOLD, 0, Event(EventKind.FOLD, self.turn))

    def call(self) -> None:
        """Check, or put in what is missing; or post the bring-in."""
        if self._out[1] < 0:
            raise self._illegal("call")
        self._step(Move.CALL, 0, Event(EventKind.CALL, self.turn))

    def raise_to(self, total: int) -> None:
        """Bet or raise, to `total` for the street."""
        least, most = int(self._out[2]), int(self._out[3])
        if not 0 < least <= total <= most:
            raise self._illegal(f"raise to {total}")
        self._step(Move.RAISE, total, Event(EventKind.RAISE, self.turn, total))

    def exchange(self, cards: str | Iterable[int] = ()) -> None:
        """Draw, discard or pass these cards of one's hand, whichever the round asks for."""
        chosen = parse_cards(cards)
        least, most = int(self._out[4]), int(self._out[5])
        held = self.cards(self.turn) if self.turn >= 0 else ()
        what = _EXCHANGES.get(self.phase, "exchange")
        if least < 0 or not least <= len(chosen) <= most or not set(chosen) <= set(held):
            raise self._illegal(f"{what} {format_cards(chosen) or 'no cards'}")
        positions = sum(1 << held.index(card) for card in chosen)
        self._step(Move.EXCHANGE, positions, Event(_EVENTS[what], self.turn, cards=chosen))

    def act(self, action: Action) -> None:
        """Make a move, checked as by the methods that it stands for."""
        match action.move:
            case Move.FOLD:
                self.fold()
            case Move.CALL:
                self.call()
            case Move.RAISE:
                self.raise_to(action.amount)
            case _:
                self.exchange(action.cards)

    def _illegal(self, tried: str) -> IllegalAction:
        who = f"seat {self.turn}" if self.turn >= 0 else "nobody"
        return IllegalAction(f"{who} cannot {tried}; legal now: {self.legal()}")

    # The record underneath

    def _shuffle(self, seed: int, number: int) -> None:
        if seed < 0 or number < 0:
            raise FeltError(f"seed {seed} and number {number} must not be negative: use 0 or more")
        with np.errstate(over="ignore"):  # the generator wraps around; only an uncompiled kernel would warn
            _engine().shuffle(self._numbers, self._cards, block_seed(seed, number, STREAM), self._ints[f.DECK_COUNT])

    def _begin(self) -> None:
        compiled, before = self._compiled, self._dealt()
        stacks, antes, posts = (np.array(chips, dtype=np.int64) for chips in self._stakes[:3])
        _engine().start(
            self._numbers, self._cards, compiled.game, stacks, antes, posts, self._stakes.dead_antes, self.rules.cap,
            compiled.shown,
        )  # fmt: skip
        self._go_on()
        self._note(before)

    def _step(self, move: Move, amount: int, event: Event) -> None:
        compiled, before = self._compiled, self._dealt()
        self._events.append(event)
        _engine().apply(self._numbers, self._cards, compiled.game, int(move), amount, compiled.shown)
        self._go_on()
        self._note(before, event)

    def _go_on(self) -> None:
        """Settle the hand if it has come to that, and find out what is legal."""
        if self._ints[f.PHASE] == _SHOWDOWN:
            self._settle()
        _engine().legal(self._numbers, self._cards, self._compiled.game, self._out)

    def _settle(self) -> None:
        compiled, room = self._compiled, (np.empty((3, 10), dtype=np.int64), np.empty((2, 16), dtype=np.uint8))
        _engine().settle(self._numbers, self._cards, compiled.game, compiled.tables, compiled.extra, *room)

    def _settle_again(self) -> None:
        """Divide the pot anew, for the players whom the record has as live."""
        self._numbers[f.WON : f.WON + self.players] = 0
        self._numbers[f.RAKE] = 0
        self._settle()

    def _dealt(self) -> tuple[int, int, list[int]]:
        """The round, and the cards on the board and in each hand."""
        return self._ints[f.STREET], self._ints[f.BOARD_COUNT], list(self._bytes[f.COUNT : f.COUNT + self.players])

    def _note(self, before: tuple[int, int, list[int]], event: Event | None = None) -> None:
        """Add what was dealt since `before` to the events, in the order of the deck."""
        street, board, counts = before
        if event is not None and street == self.street and event.kind not in _THROWN:
            return
        if event is not None and event.kind == EventKind.DRAW:
            seat, last = event.seat, counts[event.seat]
            new = self.cards(seat)[last - len(event.cards) : last]
            if new:
                self._events.append(Event(EventKind.DOWN, seat, cards=new))
        if event is not None and event.kind == EventKind.DISCARD:
            counts[event.seat] -= len(event.cards)
        for part in self.rules.rounds[street if event is None else street + 1 : self.street + 1]:
            if part.down or part.up:
                self._note_hands(part, counts)
            size = part.board or int(self._one_for_all(part))
            if size and board < self._ints[f.BOARD_COUNT]:
                self._events.append(Event(EventKind.BOARD, cards=self.board[board : board + size]))
                board += size

    def _note_hands(self, part: Round, counts: list[int]) -> None:
        """Add the cards that a round dealt to the players who were in; `counts` are those they had before."""
        players = self.players
        for seat in ((self.button + 1 + step) % players for step in range(players)):
            cards, at = self.cards(seat), counts[seat]
            for kind, size in ((EventKind.DOWN, part.down), (EventKind.UP, part.up)):
                if size and at < len(cards):
                    self._events.append(Event(kind, seat, 0, cards[at : at + size]))
                    at += size
            counts[seat] = min(at, len(cards))

    def _one_for_all(self, part: Round) -> bool:
        """Whether a round gave one card to all, the deck being too short for one each."""
        return part.down + part.up > 0 and self._ints[f.BOARD_COUNT] > self.rules.board_cards

    def record(self) -> HandRecord:
        """The hand so far, as a history."""
        return HandRecord(
            rules=self.rules,
            stacks=self._stakes.stacks,
            antes=self._stakes.antes,
            posts=self._stakes.posts,
            dead_antes=self._stakes.dead_antes,
            events=tuple(self._events),
            button=self.button,
            finishing=self.stacks if self.over else None,
        )

    def copy(self) -> "Hand":
        """An independent hand in the same state."""
        twin = Hand(self.rules, self._stakes, self._record.copy())
        twin._out[:] = self._out
        twin._events = list(self._events)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles: the arrays are views of one record, and shall be so again."""
        return _restored, (self.rules, self._stakes, self._record, self._out.tolist(), self._events)

    def __bytes__(self) -> bytes:
        """A snapshot: version and check sum, starting stacks, antes, posts, and the record. Events are not in it."""
        amounts = np.array(self._stakes[:3], dtype="<i4").tobytes()
        body = bytes([VERSION, self.players, self._stakes.dead_antes]) + amounts + self._record.tobytes()
        return hashlib.sha256(body).digest()[:8] + body

    @classmethod
    def from_bytes(cls, rules: GameRules, snapshot: bytes) -> "Hand":
        """The hand that a snapshot was taken of, under the same rules; its events begin anew."""
        check, body = snapshot[:8], snapshot[8:]
        if len(body) < 3 or hashlib.sha256(body).digest()[:8] != check:
            raise FeltError(f"a snapshot of {len(snapshot)} bytes is damaged: its check sum does not fit")
        version, players = body[0], body[1]
        if version != VERSION:
            raise FeltError(f"a snapshot of version {version} cannot be read by version {VERSION} of the engine")
        cut = 3 + 12 * players
        stacks, antes, posts = np.frombuffer(body[3:cut], dtype="<i4").reshape(3, players).tolist()
        stakes = Stakes(tuple(stacks), tuple(antes), tuple(posts), bool(body[2]))
        return cls.over_record(rules, stakes, np.frombuffer(body[cut:], dtype=HAND).copy())

    @classmethod
    def over_record(cls, rules: GameRules, stakes: Stakes, record: NDArray[np.void]) -> "Hand":
        """A hand over a record in mid-play; its events begin here."""
        self = cls(rules, stakes, record)
        _engine().legal(self._numbers, self._cards, self._compiled.game, self._out)
        return self


@cache
def _engine() -> Any:
    """The kernels of the engine, loaded when the first hand is dealt."""
    from felt.games import batch_kernels

    return batch_kernels


def _restored(rules: GameRules, stakes: Stakes, record: NDArray[np.void], out: list[int], events: list[Event]) -> Hand:
    hand = Hand(rules, stakes, record)
    hand._out[:] = out
    hand._events = events
    return hand


def _stacks(rules: GameRules, stacks: Sequence[int] | int | None, players: int | None) -> tuple[int, ...]:
    if stacks is None:
        stacks = rules.stack or 100 * rules.big_blind
    if isinstance(stacks, int):
        stacks = [stacks] * (players or rules.min_players)
    chips = tuple(int(stack) for stack in stacks)
    if not rules.min_players <= len(chips) <= rules.max_players:
        raise FeltError(
            f"{rules.name} is for {rules.min_players} to {rules.max_players} players; {len(chips)} stacks were given"
        )
    if min(chips) < 1 or sum(chips) > MAX_CHIPS:
        raise FeltError(f"stacks {list(chips)}: each must be 1 chip or more, all together {MAX_CHIPS:,} at most")
    _check_deck(rules, len(chips))
    return chips


def _check_deck(rules: GameRules, players: int) -> None:
    """Refuse more players than the deck can serve. After the first deal one card for all will do, as in stud."""
    left = len(rules.deck)
    for number, part in enumerate(rules.rounds):
        wanted = players * (part.down + part.up)
        left -= (1 if number > 0 and 0 <= left < wanted else wanted) + part.board
    if left < 0:
        raise FeltError(
            f"{rules.name}: {players} players need {len(rules.deck) - left} cards and the deck has {len(rules.deck)}"
        )


def _amounts(name: str, amounts: Sequence[int], count: int) -> tuple[int, ...]:
    chips = tuple(int(amount) for amount in amounts)
    if len(chips) != count or min(chips) < 0:
        raise FeltError(f"{name} {list(chips)}: give {count} amounts of 0 or more, one for each seat")
    return chips


def _antes(rules: GameRules, count: int, button: int) -> tuple[int, ...]:
    antes = [rules.ante] * count
    if rules.big_blind_ante:
        antes[_blind_seat(rules, 1, count, button)] += rules.big_blind_ante
    return tuple(antes)


def _posts(rules: GameRules, count: int, button: int) -> tuple[int, ...]:
    posts = [0] * count
    for number, blind in enumerate(rules.blinds[:count]):
        posts[_blind_seat(rules, number, count, button)] = blind
    return tuple(posts)


def _blind_seat(rules: GameRules, number: int, count: int, button: int) -> int:
    """The seat of a blind: left of the button in turn; heads-up the button posts the first (TDA 34)."""
    ahead = 0 if count == 2 and rules.heads_up_button_blind else 1
    return (button + ahead + number) % count


def _whole_deck(rules: GameRules, deck: Iterable[int] | str) -> tuple[int, ...]:
    cards = rules.deck.parse(deck)
    if len(cards) != len(rules.deck):
        raise FeltError(f"a deck of {len(cards)} cards for {rules.name}: give all {len(rules.deck)}, in dealing order")
    return cards
