"""A seat of `felt match` for a player of the ACPC protocol: ``acpc:HOST:PORT``, where it connects to."""

import socket
import sys
import time
from typing import Any

from felt.agents.api import CALL, FOLD, Agent, AgentFault
from felt.games.actions import Action
from felt.games.history import Event
from felt.games.moves import LETTERS, Move
from felt.games.rules import GameRules
from felt.games.views.view import View
from felt.interop.acpc.game import GameFileError, read_acpc_game, write_acpc_game
from felt.interop.acpc.hand import AcpcError, BettingForm, Telling, asked_total, before_street, hole_text, is_version
from felt.interop.acpc.wire import GoneError, Wire, accept, address, listen

ANSWER_WITHIN = 3600.0
"""Seconds that an answer is waited for where nobody else watches the time."""
MOST_PASSED_OVER = 1000


class AcpcSeat(Agent):
    """Listens at HOST:PORT from its first hand on, and plays for the player that connects there.

    The player is told what the protocol says, from what the seat sees: hands that were not shown are not told. What it
    answers is judged by the rules of the match, as with any agent.
    """

    def __init__(self, at: str) -> None:
        self._host, self._port = address(at)
        self._door: socket.socket | None = None
        self._wire: Wire | None = None
        self._gone = ""
        self._waited = self._asking = False
        self._number = -1
        self._form: BettingForm | None = None
        self._telling: Telling | None = None

    def plays(self, rules: GameRules, players: int) -> str | None:
        """Games that the competition has words for, where the player can be waited for."""
        try:
            known = read_acpc_game(write_acpc_game(rules, players=players))
        except GameFileError as error:
            return str(error)
        if set(known.deck) != set(rules.deck):
            return f"an ACPC game has another deck for it, {len(known.deck)} cards up to the ace: play its .game file"
        try:
            listen(self._host, self._port).close()
        except AcpcError as error:
            return str(error)
        return None

    def hand_started(self, view: View) -> None:
        """Tell the player its cards."""
        self._number += 1
        self._form = self._form or BettingForm.of(view.rules)
        self._telling = Telling(self._form)
        self._send(view)

    def action_seen(self, view: View, event: Event) -> None:
        """Tell the player of a move."""
        telling = self._telling
        assert telling is not None
        telling.text += telling.action(LETTERS[event.kind], view.put[event.seat])
        if view.street != telling.street:
            telling.turned(view.street, view.board)
        self._send(view)

    def act(self, view: View) -> Action:
        """Wait for the player's answer."""
        before = f"{self._message(view)}:"
        wire = self._connected()
        self._asking = True  # and it stays so if somebody who watches the time breaks in
        try:
            for _ in range(MOST_PASSED_OVER):
                line = wire.line(ANSWER_WITHIN)
                if line.startswith(before):
                    self._asking = False
                    answer: Action = self._action(line[len(before) :], view)
                    return answer
            raise GoneError(f"it sent over {MOST_PASSED_OVER:,} lines that answer nothing")
        except GoneError as error:
            self._lose(str(error))
            raise AgentFault("errors", self._gone) from None

    def match_over(self) -> None:
        """Hang up."""
        for end in (self._wire, self._door):
            if end is not None:
                end.close()
        self._wire = self._door = None

    def _action(self, text: str, view: View) -> Any:
        """What the player answered; as it stands where it is no action."""
        letter, legal = text[:1], view.legal
        if letter == "f":
            return FOLD
        if letter == "c":
            return CALL
        assert self._form is not None and legal is not None
        if letter == "r" and self._form.limit:
            return Action(Move.RAISE, legal.raise_to[1] if legal.raise_to else 0)
        total = asked_total(text)
        return text if total is None else Action(Move.RAISE, total - before_street(view, view.seat))

    def _message(self, view: View) -> str:
        telling, players, first = self._telling, view.players, view.button + 1
        assert telling is not None
        hands = [hole_text(view.cards((first + place) % players)) for place in range(players)]
        position = (view.seat - first) % players
        return f"MATCHSTATE:{position}:{self._number}:{telling.text}:{'|'.join(hands)}{telling.board}"

    def _send(self, view: View) -> None:
        wire = self._connected()
        wire.put(self._message(view))
        try:
            wire.flush(ANSWER_WITHIN)
        except GoneError as error:
            self._lose(str(error))

    def _lose(self, why: str) -> None:
        self._gone = f"the ACPC player at {self._host}:{self._port} is gone: {why}"
        self.match_over()

    def _connected(self) -> Wire:
        """The connection to the player; waits for it the first time."""
        if self._asking and not self._gone:
            self._lose("it did not answer in time")
        if self._gone:
            raise AgentFault("errors", self._gone)
        if self._wire is None:
            wire = self._accepted()
            try:
                line = wire.line(ANSWER_WITHIN)
                if not is_version(line):
                    raise GoneError(f"its first line is {line[:80]!r}, not VERSION:2.0.0")
            except GoneError as error:
                wire.close()
                self._lose(str(error))
                raise AgentFault("errors", self._gone) from None
            self._wire = wire
        return self._wire

    def _accepted(self) -> Wire:
        """The player, once it has connected. It is waited for once; later it is looked whether it has come."""
        patience, self._waited = (0.001 if self._waited else ANSWER_WITHIN), True
        if self._door is None:
            self._door = self._opened(patience)
            print(f"felt: waiting for an ACPC player at {self._host}:{self._port}", file=sys.stderr, flush=True)
        wire = accept(self._door, patience)
        if wire is None:
            raise AgentFault("errors", f"no ACPC player has connected to {self._host}:{self._port}")
        self._door = None
        return wire

    def _opened(self, patience: float) -> socket.socket:
        """A door of one's own: seatings of a duplicate match that are played side by side take turns."""
        until = time.monotonic() + patience
        while True:
            try:
                return listen(self._host, self._port)
            except AcpcError as error:
                if "in use" not in str(error) or time.monotonic() > until:
                    raise AgentFault("errors", str(error)) from None
                time.sleep(0.05)
