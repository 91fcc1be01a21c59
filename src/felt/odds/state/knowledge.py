"""What a seat can work out from its view: cards that it has not seen, cards that others are known to hold, and a deal
that it could be.

Nothing here looks into the hand itself: a view is all there is.
"""

import random
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seed
from felt.errors import OddsError
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.record import kernel_arrays
from felt.games.hand import Hand
from felt.games.history import UNKNOWN, Event
from felt.games.moves import DEALS, EventKind, Phase
from felt.games.views.view import HIDDEN, View


@dataclass(frozen=True)
class Knowledge:
    """The cards of a game through the eyes of one seat."""

    unseen: tuple[int, ...]
    """Cards that may be anywhere: in the deck, in other hands, in the muck."""
    dead: tuple[int, ...]
    """Cards known to be out of play."""
    held: dict[int, tuple[int, ...]]
    """Cards that others are known to hold, by seat: those face up, and those that were passed to them."""


def knowledge(view: View) -> Knowledge:
    """What the seat of a view knows of the cards.

    Discards and folded cards are dead until the muck is shuffled to be drawn from. Without a history (a hand that was
    read from a snapshot) what the player threw away is forgotten.
    """
    memory = _Memory(view)
    for event in view.history:
        memory.see(event)
    others = [seat for seat in view.seats if seat.seat != view.seat]
    held = {seat.seat: (*seat.up, *memory.passed.get(seat.seat, ())) for seat in others if not seat.folded}
    dead = memory.dead
    if not memory.shuffled:
        dead = dead.union(*(seat.up for seat in others if seat.folded))
    in_play = {*view.own, *view.board, *chain.from_iterable(held.values())}
    unseen = tuple(card for card in view.rules.deck if card not in in_play and card not in dead)
    return Knowledge(unseen, tuple(sorted(dead - in_play)), held)


@dataclass
class _Memory:
    """Follows a history: what was thrown away and passed on, and when the muck was shuffled."""

    view: View
    dead: set[int] = field(default_factory=set)
    """Cards that the viewer saw go to the muck since it was last shuffled."""
    passed: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Cards that the viewer passed and that their new owner has not had a chance to part with."""
    shuffled: bool = False

    def __post_init__(self) -> None:
        self._players = len(self.view.seats)
        self._left, self._muck = len(self.view.rules.deck), 0
        self._count = [0] * self._players
        self._up: list[set[int]] = [set() for _ in range(self._players)]
        self._live = set(range(self._players))
        self._moving: dict[int, tuple[int, ...]] = {}
        self._passes = iter([part.pass_left for part in self.view.rules.rounds if part.passes])
        self._just_thrown: tuple[int, ...] = ()

    def see(self, event: Event) -> None:
        """Take in the next event."""
        if event.kind in DEALS:
            self._deal(event)
        elif event.kind == EventKind.FOLD:
            self._live.discard(event.seat)
            self._muck += self._count[event.seat]
            self.dead |= self._up[event.seat]
        elif event.kind in (EventKind.DRAW, EventKind.DISCARD):
            self._throw(event)
        elif event.kind == EventKind.PASS:
            self._pass(event)
        elif event.kind == EventKind.ROLLED:
            self._up[event.seat].update(event.cards)
            left = tuple(card for card in self.passed.pop(event.seat, ()) if card not in event.cards)
            self.passed |= {event.seat: left} if left else {}

    def _deal(self, event: Event) -> None:
        for _ in event.cards:
            if self._left == 0:
                self._shuffle()
            self._left -= 1
        self._just_thrown = ()
        if event.seat >= 0:
            self._count[event.seat] += len(event.cards)
        if event.kind == EventKind.UP:
            self._up[event.seat].update(event.cards)

    def _shuffle(self) -> None:
        """The muck becomes the deck, but for what the player who draws has just thrown away."""
        keep = self._just_thrown if self._muck > len(self._just_thrown) else ()
        self._left, self._muck = self._muck - len(keep), len(keep)
        self.dead = {card for card in keep if card != UNKNOWN}
        self.shuffled = True

    def _throw(self, event: Event) -> None:
        self.dead |= {card for card in event.cards if card != UNKNOWN}
        self._just_thrown = event.cards if event.kind == EventKind.DRAW else ()
        self._muck += len(event.cards)
        self._count[event.seat] -= len(event.cards)
        if event.cards:
            self.passed.pop(event.seat, None)

    def _pass(self, event: Event) -> None:
        """Cards move when all have chosen."""
        self._moving[event.seat] = event.cards
        if len(self._moving) < len(self._live):
            return
        step = 1 if next(self._passes, True) else -1
        cards, to = self._moving.get(self.view.seat, ()), self.view.seat
        self.passed, self._moving = {}, {}
        while cards:
            to = (to + step) % self._players
            if to in self._live:
                self.passed[to] = cards
                return


STREAM = 0x76696577  # "view": keeps these streams apart from those of other rooms


def possible_hand(view: View, dice: random.Random | None = None) -> Hand:
    """A hand that looks like the true one from the view's seat: what is hidden is dealt at random.

    All that the seat knows holds in it, cards that it passed on and threw away included (if the view has its history).

    >>> from felt.games import load
    >>> view = Hand.new(load("nlhe"), [200, 200], seed=1).view(0)
    >>> possible_hand(view).view(0) == view
    True
    """
    if view.over:
        raise OddsError("the hand is over: all that can be seen of it has been shown")
    known = knowledge(view)
    cards = list(known.unseen)
    (dice or random.Random(situation_seed(view))).shuffle(cards)
    return Hand.over_record(view.rules, view.stakes, filled(view, known, cards), seen=view)


def filled(view: View, known: Knowledge, cards: list[int]) -> NDArray[np.uint8]:
    """The record of a view with hidden cards: `cards` go to live hands, the deck and the muck, in this order."""
    record = view.record()
    h, k = kernel_arrays(record)
    pool = chain(cards, known.dead)
    for seat, held in known.held.items():
        begin = f.CARDS + f.CARDS_EACH * seat
        hidden = int(k[f.COUNT + seat]) - len(held)
        passed = held[len(view.up_cards(seat)) :]
        k[begin : begin + hidden + len(passed)] = [*islice(pool, hidden), *passed]
    deck, muck = k[f.DECK + h[f.DECK_AT] : f.DECK + h[f.DECK_COUNT]], k[f.MUCK : f.MUCK + h[f.MUCK_COUNT]]
    for place in (deck, muck):
        place[:] = list(islice(pool, len(place)))
    _remember_folded(view, known, k, muck.tolist() or deck.tolist())
    if view.phase <= Phase.PASS:
        _choose(view, h, k)
    return record


def _remember_folded(view: View, known: Knowledge, k: NDArray[np.uint8], lying: list[int]) -> None:
    """The record keeps what folded players held, which lies elsewhere now."""
    seen = iter([card for card in lying if card not in known.dead] or lying)
    for seat, folded in enumerate(view.folded):
        begin = f.CARDS + f.CARDS_EACH * seat
        held = k[begin : begin + int(k[f.COUNT + seat])]
        if folded and HIDDEN in held:
            held[held == HIDDEN] = [next(seen, lying[0]) for _ in range(int((held == HIDDEN).sum()))]


def _choose(view: View, h: NDArray[np.int32], k: NDArray[np.uint8]) -> None:
    """Those who have chosen what to pass or turn up: the viewer's is known, others' is as good as their first cards."""
    part, rolls = view.rules.rounds[view.street], view.phase == Phase.ROLL
    count, kind = (part.rolls, EventKind.ROLL) if rolls else (part.passes, EventKind.PASS)
    for seat in range(view.players):
        if h[f.EXCHANGED] >> seat & 1:
            k[f.CHOSEN + seat] = (1 << count) - 1
    choices = [event.cards for event in view.history if event.kind == kind and event.seat == view.seat]
    if choices and view.seat >= 0 and h[f.EXCHANGED] >> view.seat & 1:
        k[f.CHOSEN + view.seat] = sum(1 << view.own.index(card) for card in choices[-1])


def situation(view: View) -> tuple[Any, ...]:
    """All that the odds of a view depend on: cards in sight, and the course of the hand as far as it moves cards."""
    h = view.numbers()
    ups = tuple(map(view.up_cards, range(view.players)))
    course = [h[at] for at in (f.PLAYERS, f.BUTTON, f.LIVE, f.STREET, f.PHASE, f.DECK_AT, f.DECK_COUNT, f.MUCK_COUNT)]
    waiting = (h[f.TURN], h[f.EXCHANGED]) if h[f.PHASE] < Phase.BET else ()
    counts = tuple(len(view.cards(seat)) for seat in range(view.players))
    game = compile_rules(view.rules).fingerprint
    return game, view.seat, view.own, view.board, ups, tuple(course), waiting, counts


def situation_seed(view: View) -> int:
    """A seed from what a seat sees: where no dice are given, the same view has the same answer everywhere."""
    return int(block_seed(crc32(repr(situation(view)).encode()), 0, STREAM))
