"""What a player sees, as a row of numbers of fixed length. It is made from a `View`, so it holds nothing else."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import DECK_SIZE
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
    35
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
        self._orders = [np.roll(np.arange(players), -seat) for seat in range(players)]
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
        out, at, seat, players = np.zeros(self.size, dtype=np.float32), self._starts, view.seat, self.players
        street, turn = view.street, view.turn
        self._cards(out, view)
        for card in history.gone[seat]:
            out[at["gone"] + self._column[card]] = 1
        out[at["round"] + street] = 1
        if turn >= 0:
            out[at["turn"] + (turn - seat) % players] = 1
        out[at["position"] + (seat - view.button - 1) % players] = 1
        for other, folded in enumerate(view.folded):
            if folded:
                out[at["folded"] + (other - seat) % players] = 1
        out[self._money] = self._chips(view, seat)
        out[self.parts["history"]] = history.counts[self._orders[seat]].reshape(-1)
        return out

    def _cards(self, out: Floats, view: View) -> None:
        at, column = self._starts, self._column
        for card in view.own:
            out[at["own"] + column[card]] = 1
        for card in view.board:
            out[at["board"] + column[card]] = 1
        if self._up:
            for other in range(self.players):
                start = at["up"] + (other - view.seat) % self.players * len(column)
                for card in view.up_cards(other):
                    out[start + column[card]] = 1
        if self._held:
            self._places(out, view.own)
            phase = _PHASES.get(view.phase)
            if phase is not None:
                out[at["phase"] + phase] = 1

    def _places(self, out: Floats, own: Sequence[int]) -> None:
        start = self._starts["places"]
        for card in places(own)[: self._held]:
            if card < DECK_SIZE:
                out[start + (card >> 2)] = out[start + 13 + (card & 3)] = 1
            else:
                out[start + PLACE - 1] = 1
            start += PLACE

    def _chips(self, view: View, seat: int) -> Floats:
        legal = view.legal
        numbers: list[int] = []
        for by_seat in (view.stacks, view.bets, view.put):
            numbers += by_seat[seat:] + by_seat[:seat]
        call, raises = (0, (0, 0)) if legal is None else (legal.call or 0, legal.raise_to or (0, 0))
        numbers += (view.pot, call, *raises)
        return np.array(numbers, dtype=np.float32) / np.float32(self.rules.big_blind)
