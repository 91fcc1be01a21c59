"""What a player sees, as a row of numbers of fixed length: of a `View`, or of a hand, which gives the same row."""

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import DECK_SIZE
from felt.features.menu import most_exchanged_from, places
from felt.games.actions import Legal
from felt.games.engine import fields as f
from felt.games.hand import Hand
from felt.games.history import Event
from felt.games.moves import EventKind, Phase
from felt.games.rules import GameRules, Round
from felt.games.views.view import View

Floats = NDArray[np.float32]
Row: TypeAlias = "memoryview[float]"  # quicker than an array where numbers are set one by one

PLACE = 18
"""Columns of a card in its place: 13 ranks, 4 suits, joker."""

_KINDS = {EventKind.CALL: 0, EventKind.RAISE: 1}
_KINDS |= dict.fromkeys((EventKind.DRAW, EventKind.DISCARD, EventKind.PASS, EventKind.ROLL), 2)
_PHASES = {int(Phase.BET): 0, int(Phase.PASS): 1, int(Phase.DISCARD): 2, int(Phase.DRAW): 3, int(Phase.ROLL): 4}
_ROLL = int(Phase.ROLL)
_STAGES = dict.fromkeys((EventKind.DOWN, EventKind.UP, EventKind.BOARD), 0)
_STAGES |= {EventKind.ROLL: 1, EventKind.PASS: 2, EventKind.DISCARD: 3, EventKind.DRAW: 4}
_STAGES |= dict.fromkeys((EventKind.FOLD, EventKind.CALL, EventKind.RAISE), 5)
"""A round is dealt, turned up, passed, discarded, drawn and bet, in this order."""
_BET = 5


class History:
    """What everybody has done so far, counted: calls, raises and cards exchanged, by player and round.

    It also keeps which cards each player has given away, as far as it is told: that is for their own eyes.
    """

    def __init__(self, rules: GameRules, players: int) -> None:
        self._kinds = 3 if rules.has_draws else 2
        self.each = self._kinds * len(rules.rounds)
        """Numbers of each player."""
        self.counts = array("f", bytes(4 * players * self.each))
        self.gone: list[list[int]] = [[] for _ in range(players)] if rules.has_draws else []

    def note(self, street: int, event: Event) -> None:
        """Count a move that was made in this round; folds are seen elsewhere."""
        kind = _KINDS.get(event.kind)
        if kind is None:
            return
        self.counts[event.seat * self.each + street * self._kinds + kind] += len(event.cards) if kind == 2 else 1
        if kind == 2 and event.kind != EventKind.ROLL:
            self.gone[event.seat] += event.cards


class Layout:
    """Which column of an observation means what, in one game for so many players with these chips.

    Players are counted from the viewer: 0 is the viewer, 1 the next to the left. Chips are in big blinds.

    >>> from felt.games import load
    >>> layout = Layout(load("leduc"), players=2, chips=26)
    >>> layout.size
    38
    >>> layout.parts["own"], layout.parts["pot"]
    (slice(0, 6, None), slice(26, 27, None))
    """

    def __init__(self, rules: GameRules, players: int, chips: int) -> None:
        self.rules, self.players, self.chips = rules, players, chips
        cards, rounds, held = len(rules.deck), len(rules.rounds), most_exchanged_from(rules)
        self._up = rules.shows_cards
        later = any(part.down or part.up for part in rules.rounds[1:])  # a deck too short deals one card for all
        self._held = held
        sizes = {
            "own": cards,
            "board": cards if rules.board_cards or later else 0,
            "up": cards * players if self._up else 0,
            "places": PLACE * held,
            "gone": cards if held else 0,
            "round": rounds,
            "phase": 4 + any(part.rolls for part in rules.rounds) if held else 0,
            **dict.fromkeys(("turn", "position", "folded", "stacks", "bets", "put"), players),
            "pot": 1,
            "call": 1,
            "raise": 2,
            "history": players * rounds * (3 if held else 2),
        }
        ends = dict(zip(sizes, accumulate(sizes.values()), strict=True))
        self.parts = {name: slice(ends[name] - size, ends[name]) for name, size in sizes.items() if size}
        """The columns of each part, by name; parts that the game has no use for are not there."""
        self.size = sum(sizes.values())
        self._starts = {name: part.start for name, part in self.parts.items()}
        self._column = {card: number for number, card in enumerate(rules.deck)}
        self._unit = 1 / rules.big_blind
        self._money = slice(self._starts["stacks"], self._starts["history"])

    @cached_property
    def most(self) -> Floats:
        """The most that each column can be; the least is 0."""
        most = np.ones(self.size, dtype=np.float32)
        most[self._money] = self.chips / self.rules.big_blind
        most[self.parts["history"]] = self.chips  # every raise adds a chip
        return most

    def observe(self, view: View, history: History) -> Floats:
        """What one player sees now."""
        return self._row(view, view.numbers(), view.seat, view.own, view.legal, history)

    def observe_in(self, hand: Hand, seat: int, legal: Legal | None, history: History) -> Floats:
        """The same as of ``hand.view(seat)``, quicker; `legal` is for the player to act."""
        return self._row(hand, hand.arrays[0].data, seat, hand.cards(seat), legal, history)

    def _row(
        self, seen: Hand | View, numbers: memoryview, seat: int, own: Sequence[int], legal: Legal | None, past: History
    ) -> Floats:
        """A row from public numbers and one's own cards; of others' only what lies face up is looked at."""
        row = np.zeros(self.size, dtype=np.float32)
        out: Row = row.data  # type: ignore[assignment]  # of floats, as the array is
        at, players, turn = self._starts, self.players, numbers[f.TURN]
        for card in own:
            out[self._column[card]] = 1
        self._public_cards(out, seen, seat)
        if self._held:
            up = seen.up_cards(seat) if numbers[f.PHASE] == _ROLL else ()
            self._exchanges(out, own[: len(own) - len(up)], numbers[f.PHASE], past.gone[seat])
        out[at["round"] + numbers[f.STREET]] = 1
        if turn >= 0:
            out[at["turn"] + (turn - seat) % players] = 1
        out[at["position"] + (seat - numbers[f.BUTTON] - 1) % players] = 1
        self._by_player(out, numbers, seat)
        if legal is not None and legal.exchange is None:
            start = at["call"]
            out[start] = (legal.call or 0) * self._unit
            if legal.raise_to:
                out[start + 1], out[start + 2] = legal.raise_to[0] * self._unit, legal.raise_to[1] * self._unit
        start, mine = at["history"], seat * past.each
        middle = self.size - mine
        out[start:middle] = past.counts[mine:]
        out[middle:] = past.counts[:mine]
        return row

    def _by_player(self, out: Row, numbers: memoryview, seat: int) -> None:
        """Who has folded, and everybody's chips, from one's own seat on."""
        players, unit, live, pot = self.players, self._unit, numbers[f.LIVE], numbers[f.DEAD]
        folded, at = self._starts["folded"], self._starts["stacks"]
        for place in range(players):
            other = (seat + place) % players
            if not live >> other & 1:
                out[folded + place] = 1
            put = numbers[f.PUT + other]
            out[at + place] = (numbers[f.STACKS + other] + numbers[f.ASIDE + other]) * unit
            out[at + players + place] = numbers[f.BETS + other] * unit
            out[at + 2 * players + place] = put * unit
            pot += put
        if numbers[f.TURN] >= 0:  # else it has been paid
            out[self._starts["pot"]] = pot * unit

    def _public_cards(self, out: Row, seen: Hand | View, seat: int) -> None:
        column, board = self._column, seen.board
        if board:
            start = self._starts["board"]
            for card in board:
                out[start + column[card]] = 1
        if self._up:
            for other in range(self.players):
                start = self._starts["up"] + (other - seat) % self.players * len(column)
                for card in seen.up_cards(other):
                    out[start + column[card]] = 1

    def _exchanges(self, out: Row, own: Sequence[int], phase: int, gone: Sequence[int]) -> None:
        """What to do with cards, which have gone, and those held in their places."""
        if phase in _PHASES:
            out[self._starts["phase"] + _PHASES[phase]] = 1
        start = self._starts["gone"]
        for card in gone:
            out[start + self._column[card]] = 1
        start = self._starts["places"]
        for card in places(own)[: self._held]:
            if card < DECK_SIZE:
                out[start + (card >> 2)] = out[start + 13 + (card & 3)] = 1
            else:
                out[start + PLACE - 1] = 1
            start += PLACE


def with_streets(view: View) -> Iterator[tuple[int, Event]]:
    """The moves so far, each with its round.

    >>> from felt.games import Hand, load
    >>> hand = Hand.new(load("27-triple-draw"), seed=1, players=2)
    >>> for move in hand.call, hand.call, hand.exchange:
    ...     move()
    >>> [(street, event.kind.value) for street, event in with_streets(hand.view(0))]
    [(0, 'call'), (0, 'call'), (1, 'draw')]
    """
    moves, deals = view.moves()
    if not deals:  # then they are among the moves
        yield from _walk(view.rules.rounds, moves)
        return
    places, street = {place: last for place, _, last in deals}, 0  # before which move, and of which rounds
    for place, event in enumerate(moves):
        street = places.get(place, street)
        yield street, event


def _walk(rounds: tuple[Round, ...], events: list[Event]) -> Iterator[tuple[int, Event]]:
    """By the order of what is done in a round: nobody is dealt to or exchanges cards twice in one."""
    street, stage, before = 0, 0, Event(EventKind.BOARD)
    done: set[tuple[EventKind, int]] = set()
    for event in events:
        event_stage, event_key = _STAGES.get(event.kind), (event.kind, event.seat)
        drawn = before.kind == EventKind.DRAW and before.cards and before.seat == event.seat
        before = event
        if event_stage is None or (drawn and event.kind == EventKind.DOWN):  # what was drawn
            continue
        if event_stage < stage or (event_stage != _BET and event_key in done):
            street, done = street + 1, set()
        while street < len(rounds) - 1 and not _has(rounds[street], event_stage):
            street, done = street + 1, set()
        stage = event_stage
        done.add(event_key)
        if event_stage:
            yield street, event


def _has(part: Round, stage: int) -> bool:
    dealt = part.down or part.up or part.board
    return bool((dealt, part.rolls, part.passes, part.discards, part.draw_most, part.betting)[stage])
