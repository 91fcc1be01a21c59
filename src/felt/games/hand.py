"""`Hand`: one hand of poker, friendly to use.

It is a thin view over a record (`felt.games.engine.record`); all rules are in the kernels. What players may see of it
is `felt.games.views.view`; what happened in it is kept beside, as the events of a `HandRecord`.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from operator import index, sub
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seed
from felt.cards.card import format_cards, parse_cards
from felt.errors import FeltError
from felt.games.actions import Action, IllegalAction, Legal
from felt.games.amounts import chip_note, in_unit
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.record import HAND, VERSION, kernel_arrays
from felt.games.engine.stakes import Asked, Setup, Stakes, pack, plain, set_up, unpack
from felt.games.history import Event, HandRecord
from felt.games.moves import CALL, EXCHANGE, EXCHANGE_OF_PHASE, FOLD, RAISE, ROLL, SHOWDOWN, EventKind, Move
from felt.games.rules import GameRules
from felt.games.views.public import Cards, PublicState, dealing_order, deals_between, turned_up, with_deals
from felt.games.views.view import NOBODY, Public, View, seen_by

STREAM = 0x706C6179  # "play": keeps the stream of deals apart from those of other rooms

_NEW = tuple.__new__  # of a named tuple: three times as quick as its own way
_FOLDS, _CALLS, _RAISES = EventKind.FOLD, EventKind.CALL, EventKind.RAISE

_Dealt = tuple[int, int, list[int], list[tuple[Cards, Cards]]]


class Hand(PublicState):
    """One hand, from the deal to the payment.

    >>> from felt.games import load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> str(hand.legal())
    'fold, call 1, raise to 4–200'
    >>> hand.call()
    >>> hand.turn
    0
    """

    __slots__ = (
        "_bytes", "_cards", "_compiled", "_engine", "_events", "_ints", "_legal", "_numbers", "_out", "_record",
        "_restored", "_stakes", "_untold", "last_move", "names", "rules",
    )  # fmt: skip

    _ints: memoryview
    last_move: Event
    """The last move that was made, hidden cards included; there is none before the first."""
    names: tuple[str, ...]
    """The players by seat, under names that stay the same from hand to hand; empty where nobody has a name."""

    def __init__(self, rules: GameRules, stakes: Stakes, record: NDArray[np.uint8]) -> None:
        """A hand over the bytes of a record that is there already; `Hand.new` deals one."""
        self.rules = rules
        self._stakes = stakes
        self._record = record
        self._compiled = compile_rules(rules)
        self._engine = _engine()
        self._numbers, self._cards = kernel_arrays(record)
        self._ints, self._bytes = self._numbers.data, self._cards.data  # quicker one by one than arrays
        self._out = np.zeros(len(f.LEGAL_FIELDS), dtype=np.int64)
        self._legal = self._out.data
        self.names = ()
        self._events: list[Event] = []
        self._restored = False
        self._untold: list[tuple[int, int, int]] = []  # deals that are not among the events yet: place, rounds

    @classmethod
    def new(
        cls,
        rules: GameRules,
        stacks: Sequence[int] | int | None = None,
        seed: int = 0,
        *,
        players: int | None = None,
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
        compiled = compile_rules(rules)
        asked = Asked(plain(stacks), players, button, plain(antes), plain(posts), dead_antes)
        setup = set_up(compiled, asked)
        order = None if deck is None else rules.deck.parse(deck)
        if order is not None and len(order) != len(rules.deck):
            size = len(rules.deck)
            raise FeltError(f"a deck of {len(order)} cards for {rules.name}: give all {size}, in dealing order")
        self = cls(rules, setup.stakes, np.zeros(HAND.itemsize, dtype=np.uint8))
        h, size = self._ints, len(compiled.deck)
        h[f.PLAYERS], h[f.BUTTON], h[f.VERSION] = len(setup.stakes.stacks), setup.button, VERSION
        h[f.DECK_COUNT], h[f.MISSING] = size, setup.missing
        self._cards[f.DECK : f.DECK + size] = compiled.deck if order is None else order
        if order is None:
            self._shuffle(seed, number)
        self._begin(setup)
        return self

    # What is on the table

    @property
    def board(self) -> tuple[int, ...]:
        """The shared cards."""
        return tuple(self._bytes[f.BOARD : f.BOARD + self._ints[f.BOARD_COUNT]])

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Chips won or lost, by seat; before the end, chips put in so far count as lost."""
        return tuple(map(sub, self.stacks, self._stakes.stacks))

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
        begin = f.CARDS + f.CARDS_EACH * seat
        return tuple(self._bytes[begin : begin + self._bytes[f.COUNT + seat]])

    def up_cards(self, seat: int) -> tuple[int, ...]:
        """The cards of a player that lie face up."""
        up = self._bytes[f.UP + seat]
        return tuple(card for i, card in enumerate(self.cards(seat)) if up >> i & 1)

    def choosable(self) -> tuple[int, ...]:
        """The cards that the player to act may exchange, or turn up: those are face down, the first of the hand."""
        held = self.cards(self.turn) if self.turn >= 0 else ()
        return held[: len(held) - self._bytes[f.UP + self.turn].bit_count()] if self.phase == ROLL else held

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened, hidden cards included: for the table's owner."""
        return tuple(with_deals(self, self._events, self._untold) if self._untold else self._events)

    @property
    def whole(self) -> bool:
        """Whether the events reach back to the deal: not so in a hand from a snapshot or a batch."""
        return not self._restored

    @property
    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """The record as the kernels see it (`games.engine.fields`), numbers and bytes: the same memory, unchecked."""
        return self._numbers, self._cards

    def view(self, seat: int) -> View:
        """All that a seat may see; `NOBODY` (-1) for what everybody sees."""
        if not NOBODY <= seat < self.players:
            raise FeltError(f"seat {seat}: seats are 0 to {self.players - 1}, or -1 for a spectator")
        return View(self, seat)

    def public(self, seat: int) -> Public:
        """What a view of this seat is made of, beside the cards that the seat knows."""
        events, untold = self._events, self._untold
        if self._compiled.plain:  # then the events are moves, and nothing lies face up
            return self._numbers.tobytes(), None, (), events, untold, len(events), len(untold)
        counts = bytes(self._bytes[f.COUNT : f.COUNT + f.SEATS])
        seen = seen_by(seat, events)
        return self._numbers.tobytes(), counts, tuple(map(self.up_cards, range(self.players))), seen, (), len(seen), 0

    def winnings(self, among: Iterable[int]) -> tuple[int, ...]:
        """What each seat would have been paid, had only `among` shown down: of a hand that is over."""
        if not self.over:
            raise FeltError("winnings are known when the hand is over; it is the turn of seat " + str(self.turn))
        twin = self.copy()
        twin._numbers[f.LIVE] = sum(1 << seat for seat in set(among))
        twin._numbers[f.WON : f.WON + self.players] = 0
        twin._numbers[f.RAKE] = 0
        twin._settle()
        return twin.won

    def stacked(self, cards: str | Iterable[int]) -> "Hand":
        """A copy in which these cards of the deck are dealt next, in this order."""
        twin = self.copy()
        deck = twin._cards[f.DECK + self._numbers[f.DECK_AT] : f.DECK + self._numbers[f.DECK_COUNT]]
        for place, card in enumerate(parse_cards(cards)):
            (places,) = np.nonzero(deck[place:] == card)
            if len(places) == 0:
                raise FeltError(f"{format_cards([card])} is not left in the deck: it has been dealt")
            deck[place], deck[place + places[0]] = card, deck[place]
        return twin

    # What may be done, and doing it

    def legal(self) -> Legal:
        """What the player to act may do."""
        fold, call, least, most, fewest, many = self._legal
        if fewest >= 0:
            return Legal(exchange=(EXCHANGE_OF_PHASE[self.phase].value, fewest, many))
        raise_to = (least, most) if least > 0 else None
        return _NEW(Legal, (fold == 1, call if call >= 0 else None, raise_to, None))

    def fold(self) -> None:
        """Give the hand up."""
        if not self._legal[f.MAY_FOLD]:
            raise self._illegal("fold")
        self._step(FOLD, 0, _NEW(Event, (_FOLDS, self._ints[f.TURN], 0, ())))

    def call(self) -> None:
        """Check, or put in what is missing; or post the bring-in."""
        if self._legal[f.TO_CALL] < 0:
            raise self._illegal("call")
        self._step(CALL, 0, _NEW(Event, (_CALLS, self._ints[f.TURN], 0, ())))

    def raise_to(self, total: int) -> None:
        """Bet or raise, to `total` for the street."""
        least, most = self._legal[f.LEAST_RAISE], self._legal[f.MOST_RAISE]
        if not isinstance(total, int):
            try:
                total = index(total)
            except TypeError:
                raise self._illegal(f"raise to {total!r}, which is no whole number") from None
        if not 0 < least <= total <= most:
            raise self._illegal(f"raise to {in_unit(total, self.rules.unit, grouped=False)}")
        self._step(RAISE, total, _NEW(Event, (_RAISES, self._ints[f.TURN], total, ())))

    def exchange(self, cards: str | Iterable[int] = ()) -> None:
        """Draw, discard, pass or turn up these cards of one's hand, whichever the round asks for."""
        chosen = parse_cards(cards)
        least, most = self._legal[f.LEAST_CARDS], self._legal[f.MOST_CARDS]
        held = self.choosable()
        kind = EXCHANGE_OF_PHASE.get(self.phase)
        if kind is None or not least <= len(chosen) <= most or not set(chosen) <= set(held):
            raise self._illegal(f"{kind or 'exchange'} {format_cards(chosen) or 'no cards'}")
        positions = sum(1 << held.index(card) for card in chosen)
        self._step(EXCHANGE, positions, Event(kind, self.turn, cards=chosen))

    def act(self, action: Action) -> None:
        """Make a move, checked as by the methods that it stands for."""
        if not isinstance(action, Action):
            raise FeltError(f"{action!r} is no action: give one like Action(Move.RAISE, 6)")
        move = action.move
        if move == FOLD:
            self.fold()
        elif move == CALL:
            self.call()
        elif move == RAISE:
            self.raise_to(action.amount)
        elif move == EXCHANGE:
            self.exchange(action.cards)
        else:
            raise self._illegal(f"make move {move!r}: moves are {', '.join(move.name for move in Move)}")

    def _illegal(self, tried: str) -> IllegalAction:
        who = f"seat {self.turn}" if self.turn >= 0 else "nobody"
        unit = self.rules.unit
        return IllegalAction(f"{who} cannot {tried}; legal now: {self.legal().describe(unit)}{chip_note(unit)}")

    # The record underneath

    def _shuffle(self, seed: int, number: int) -> None:
        for name, value in (("seed", seed), ("number", number)):
            if not isinstance(value, int | np.integer) or value < 0:
                raise FeltError(f"{name}={value!r}: use a whole number, 0 or more")
        with self._engine.wrapping():
            self._engine.shuffle(self._numbers, self._cards, block_seed(seed, number, STREAM), self._ints[f.DECK_COUNT])

    def _begin(self, setup: Setup) -> None:
        before = self._dealt()
        self._engine.start(
            self._numbers, self._cards, self._compiled.game, setup.amounts, self._stakes.dead_antes, self.rules.cap,
            self._compiled.shown,
        )  # fmt: skip
        if self._ints[f.PHASE] == SHOWDOWN:
            self._settle()
        self._engine.legal(self._numbers, self._cards, self._compiled.game, self._out)
        self._note(before)

    def _step(self, move: int, amount: int, event: Event) -> None:
        compiled, ints = self._compiled, self._ints
        street, before = ints[f.STREET], None if compiled.plain else self._dealt()
        self._engine.step(self._numbers, self._cards, compiled.game, move, amount, compiled.shown, self._out)
        self._events.append(event)
        self.last_move = event
        if ints[f.PHASE] == SHOWDOWN:  # nothing is legal then, and nothing after it
            self._settle()
        if before is not None:
            self._note(before, event)
        elif ints[f.STREET] != street:  # what is dealt stays where it lies: it is told when somebody asks
            self._untold.append((len(self._events), street + 1, ints[f.STREET]))

    def _settle(self) -> None:
        compiled, room = self._compiled, (np.empty(f.VALUE_ROOM, dtype=np.int64), np.empty(f.CARD_ROOM, dtype=np.uint8))
        self._engine.settle(self._numbers, self._cards, compiled.game, compiled.tables, compiled.extra, *room)

    def _dealt(self) -> _Dealt:
        """The round, the cards on the board and in each hand, and where they are turned up, which lie where."""
        counts = list(self._bytes[f.COUNT : f.COUNT + self.players])
        lying = self._lying() if self._compiled.rolls else []
        return self._ints[f.STREET], self._ints[f.BOARD_COUNT], counts, lying

    def _lying(self) -> list[tuple[Cards, Cards]]:
        """Everybody's cards, all and those face up."""
        return [(self.cards(seat), self.up_cards(seat)) for seat in range(self.players)]

    def _note(self, before: _Dealt, event: Event | None = None) -> None:
        """Add what was dealt since `before` to the events, in the order of the deck."""
        street, board, counts, lying = before
        first, last = street if event is None else street + 1, self.street
        if self._compiled.plain:
            self._untold.append((len(self._events), first, last))
            return
        if event is not None and event.kind == EventKind.DRAW:
            seat, held = event.seat, counts[event.seat]
            new = self.cards(seat)[held - len(event.cards) : held]
            if new:
                self._events.append(Event(EventKind.DOWN, seat, cards=new))
        if event is not None and event.kind == EventKind.DISCARD:
            counts[event.seat] -= len(event.cards)
        if lying and event is not None:
            self._events += turned_up(lying, self._lying(), event)
        cards = dealing_order(self, lying, first) if lying else self.cards
        self._events += deals_between(self, first, last, board, counts, cards)

    def record(self) -> HandRecord:
        """The hand so far, as a history. A hand from a snapshot has none: its events begin with the snapshot."""
        if self._restored:
            raise FeltError("this hand comes from a snapshot or a batch, without its history: keep that beside it")
        finishing = self.stacks if self.over else None
        stakes = self._stakes._asdict()
        return HandRecord(rules=self.rules, events=self.events, button=self.button, finishing=finishing, **stakes)

    def copy(self) -> "Hand":
        """An independent hand in the same state."""
        history = list(self._events), list(self._untold), self._restored
        return _rebuilt(self.rules, self._stakes, self._record.copy(), self._out, self.names, *history)

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles: the arrays are views of one record, and shall be so again."""
        history = self._events, self._untold, self._restored
        return _rebuilt, (self.rules, self._stakes, self._record, self._out, self.names, *history)

    def __bytes__(self) -> bytes:
        """A snapshot of the state (`felt.games.engine.stakes`). Events are not in it."""
        return pack(self._compiled, self._stakes, self._record)

    @classmethod
    def from_bytes(cls, rules: GameRules, snapshot: bytes) -> "Hand":
        """The hand that a snapshot was taken of, under the same rules; its events begin anew."""
        return cls.over_record(rules, *unpack(compile_rules(rules), snapshot))

    @classmethod
    def over_record(
        cls, rules: GameRules, stakes: Stakes, record: NDArray[np.uint8], *, seen: View | None = None
    ) -> "Hand":
        """A hand over the bytes of a record in mid-play; its events begin here, or are those that a view tells."""
        self = cls(rules, stakes, record)
        self._restored = True
        if seen is not None:
            self._events, self._untold = seen.moves()
        self._engine.legal(self._numbers, self._cards, self._compiled.game, self._out)
        return self


@cache
def _engine() -> Any:
    """The kernels of the engine, loaded when the first hand is dealt."""
    from types import SimpleNamespace

    from felt._chance_kernels import wrapping
    from felt.games.engine.batch_kernels import shuffle
    from felt.games.engine.kernels import legal, start, step
    from felt.games.engine.showdown_kernels import settle

    return SimpleNamespace(legal=legal, settle=settle, shuffle=shuffle, start=start, step=step, wrapping=wrapping)


def _rebuilt(
    rules: GameRules, stakes: Stakes, record: NDArray[np.uint8], legal: Any, names: tuple[str, ...], *history: Any
) -> Hand:
    hand = Hand(rules, stakes, record)
    hand._out[:], hand.names = legal, names
    hand._events, hand._untold, hand._restored = history
    return hand
