"""What a player sees, as a row of numbers of fixed length. It is made from a `View`, so it holds nothing else."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import DECK_SIZE
from felt.games import fields as f
from felt.games.history import Event, EventKind
from felt.games.record import Phase
from felt.games.rules import GameRules
from felt.games.view import View
from felt.interop.envs.menu import most_exchanged_from, places

Floats = NDArray[np.float32]

PLACE = 18
"""Columns of a card in its place: 13 ranks, 4 suits, joker."""

_KINDS = {
    EventKind.CALL: 0,
    EventKind.RAISE: 1,
    EventKind.DRAW: 2,
    EventKind.DISCARD: 2,
    EventKind.PASS: 2,
}
_PHASES = {Phase.BET: 0, Phase.PASS: 1, Phase.DISCARD: 2, Phase.DRAW: 3}


class History:
    """What everybody has done so far, counted: calls, raises and cards exchanged, by player and round.

    It also keeps which cards each player has given away, as far as it is told: that is for their own eyes.
    """

    def __init__(self, rules: GameRules, players: int) -> None:
        kinds = 3 if rules.has_draws else 2
        self.counts = np.zeros((players, len(rules.rounds), kinds), dtype=np.float32)
        self.gone: list[list[int]] = [[] for _ in range(players)]

    def note(self, street: int, event: Event) -> None:
        """Count a move that was made in this round; folds are seen elsewhere."""
        kind = _KINDS.get(event.kind)
        if kind == 2:
            self.counts[event.seat, street, kind] += len(event.cards)
            self.gone[event.seat] += event.cards
        elif kind is not None:
            self.counts[event.seat, street, kind] += 1


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
        self._up = any(part.up for part in rules.rounds)
        later = any(part.down or part.up for part in rules.rounds[1:])  # a deck too short deals one card for all
        self._held = held
        sizes = {
            "own": cards,
            "board": cards if rules.board_cards or later else 0,
            "up": cards * players if self._up else 0,
            "places": PLACE * held,
            "gone": cards if held else 0,
            "round": rounds,
            "phase": len(_PHASES) if held else 0,
            "turn": players,
            "position": players,
            "folded": players,
            "stacks": players,
            "bets": players,
            "put": players,
            "pot": 1,
            "call": 1,
            "raise": 2,
            "history": players * rounds * (3 if held else 2),
        }
        self.parts: dict[str, slice] = {}
        """The columns of each part, by name; parts that the game has no use for are not there."""
        at = 0
        for name, size in sizes.items():
            if size:
                self.parts[name] = slice(at, at + size)
            at += size
        self.size = at
        self._starts = {name: part.start for name, part in self.parts.items()}
        self._column = {card: number for number, card in enumerate(rules.deck)}
        self._everybody = (1 << players) - 1
        self._unit = np.float32(1 / rules.big_blind)
        orders = [np.roll(np.arange(players), -seat) for seat in range(players)]
        self._by_seat = [
            np.concatenate([order + f.STACKS, order + f.BETS, order + f.PUT, order[:1].repeat(4)]) for order in orders
        ]
        self._aside = [order + f.ASIDE for order in orders]
        self._each, self._rest = rounds * (3 if held else 2), self.size
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
        row = np.zeros(self.size, dtype=np.float32)
        out, at, seat, players = row.data, self._starts, view.seat, self.players  # one by one quicker than an array
        numbers, turn = view.numbers(), view.turn
        self._cards(out, view)
        if self._held:
            self._exchanges(out, view, history)
        out[at["round"] + numbers[f.STREET]] = 1
        if turn >= 0:
            out[at["turn"] + (turn - seat) % players] = 1
        out[at["position"] + (seat - numbers[f.BUTTON] - 1) % players] = 1
        live = numbers[f.LIVE]
        if live != self._everybody:
            for other in range(players):
                if not live >> other & 1:
                    out[at["folded"] + (other - seat) % players] = 1
        row[self._money] = self._chips(view, numbers)
        middle = self._rest - seat * self._each
        row[at["history"] : middle] = history.counts[seat:].reshape(-1)
        row[middle:] = history.counts[:seat].reshape(-1)
        return row

    def _cards(self, out: memoryview, view: View) -> None:
        column = self._column
        for card in view.own:
            out[column[card]] = 1
        if view.board:
            start = self._starts["board"]
            for card in view.board:
                out[start + column[card]] = 1
        if self._up:
            for other in range(self.players):
                start = self._starts["up"] + (other - view.seat) % self.players * len(column)
                for card in view.up_cards(other):
                    out[start + column[card]] = 1

    def _exchanges(self, out: memoryview, view: View, history: History) -> None:
        phase = _PHASES.get(view.phase)
        if phase is not None:
            out[self._starts["phase"] + phase] = 1
        start = self._starts["gone"]
        for card in history.gone[view.seat]:
            out[start + self._column[card]] = 1
        start = self._starts["places"]
        for card in places(view.own)[: self._held]:
            if card < DECK_SIZE:
                out[start + (card >> 2)] = out[start + 13 + (card & 3)] = 1
            else:
                out[start + PLACE - 1] = 1
            start += PLACE

    def _chips(self, view: View, numbers: memoryview) -> Floats:
        legal, players = view.legal, self.players
        every = np.frombuffer(numbers, dtype=np.int32)
        chips: Floats = every[self._by_seat[view.seat]].astype(np.float32)  # and room for four more
        chips[:players] += every[self._aside[view.seat]]
        call, raises = (0, (0, 0)) if legal is None else (legal.call or 0, legal.raise_to or (0, 0))
        chips[3 * players :] = view.pot, call, *raises
        chips *= self._unit
        return chips
