"""The conductor of a hand: asks the player to act, and tells everybody the events of the protocol.

`Conductor` is one hand at one table, as a step machine. A loop drives it (`felt.arena.conductor.table`), or a learner
outside (`felt.learning.environments`), or people and clocks (`felt.server.tables`). `conduct_in_step` is the batch
form: many tables, a move at each in every step.
"""

from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt.agents.adapters import as_agent
from felt.agents.api import EVENTS, Agent
from felt.agents.dice import Dice
from felt.agents.tables import Ints, Moves
from felt.games.engine import fields as f
from felt.games.engine.batch import HandBatch
from felt.games.hand import Hand
from felt.games.history import Event
from felt.games.moves import CALL, encode_move
from felt.games.views.view import View, seen_by


class Conductor:
    """Agents by the number of the player, and the hand that they play.

    Whoever drives it begins a hand, then asks, makes the move on the hand and tells it until nobody is to act. A player
    who is None decides elsewhere: nobody asks that player, and nobody tells that player anything.

    >>> from felt.games import load
    >>> from felt.agents.basic.call import Call
    >>> conductor, hand = Conductor([Call(), Call()], seed=1), Hand.new(load("kuhn"), seed=1)
    >>> conductor.begin(hand, number=0)
    >>> while hand.turn >= 0:
    ...     hand.act(conductor.ask())
    ...     conductor.tell_move()
    >>> [event.kind.value for event in hand.view(-1).history]
    ['down', 'down', 'call', 'call', 'show', 'muck']
    """

    hand: Hand
    seating: Sequence[int]
    """The player in each seat of the hand."""

    def __init__(self, agents: Sequence[Any] = (), *, seed: int = 0, names: Sequence[str] = ()) -> None:
        """`names` are those of the players, in the same order; none for tables at which nobody has a name."""
        self.seed, self.names = seed, tuple(names)
        self.seat(agents)

    def seat(self, agents: Sequence[Any]) -> None:
        """Let these agents play from now on, with new dice."""
        self.agents = {player: as_agent(agent) for player, agent in enumerate(agents) if agent is not None}
        self._listeners = {event: _listeners(self.agents, event) for event in EVENTS}
        self._anybody_listens = any(self._listeners.values())
        self.give_dice(self.seed)

    def give_dice(self, seed: int) -> None:
        """Give every agent new dice, which depend on the seed and on the player."""
        self.seed = seed
        self._dice = {player: Dice(seed, player) for player in self.agents}
        for player, agent in self.agents.items():
            agent.dice = self._dice[player]

    def begin(self, hand: Hand, number: int, seating: Sequence[int] | None = None) -> None:
        """Start a hand that has been dealt; `number` is its place among the hands of the seed."""
        self.hand = hand
        self.seating = range(hand.players) if seating is None else seating
        if self.names:
            hand.names = tuple([self.names[player] for player in self.seating])
        if self._dice:
            for player in self.seating:
                if player in self._dice:
                    self._dice[player].begin(number)
        if self._anybody_listens:
            self.tell("hand_started")
            if hand.turn < 0:
                self._tell_end()

    def ask(self) -> Any:
        """What the player to act answers; whether that is a legal move is for the hand to say."""
        turn = self.hand.turn
        player = self.seating[turn]
        return self.call(player, "act", self.agents[player].act, View(self.hand, turn))

    def tell_move(self) -> None:
        """Tell the move that was made last, and the end of the hand if that move ended it."""
        if self._anybody_listens:
            if self._listeners["action_seen"]:
                self.tell("action_seen", self.hand.last_move)
            if self.hand.turn < 0:
                self._tell_end()

    def _tell_end(self) -> None:
        if self.hand.showdown:
            self.tell("showdown")
        self.tell("hand_over")

    def tell(self, name: str, *move: Event) -> None:
        """Tell an event to every agent that listens to it, as its seat sees it."""
        listeners = self._listeners[name]
        if listeners:
            for seat, player in enumerate(self.seating):
                if player in listeners:
                    self.call(player, name, listeners[player], View(self.hand, seat), *seen_by(seat, move))

    def call(self, player: int, name: str, method: Callable[..., Any], *arguments: Any) -> Any:
        """Call the method `name` of a player's agent; a kind of table overrides this to say what becomes of faults."""
        return method(*arguments)


def _listeners(agents: dict[int, Agent], event: str) -> dict[int, Callable[..., None]]:
    """The agents that do something when an event happens: all others have the empty method of `Agent`."""
    methods = {player: getattr(agent, event) for player, agent in agents.items()}
    empty = getattr(Agent, event)
    return {player: method for player, method in methods.items() if method != MethodType(empty, agents[player])}


Decide = Callable[[int, NDArray[np.intp], list[Ints], list[NDArray[np.int32]]], Moves]
"""The moves of a player at some tables of a batch. The last arguments are the steps so far and where they were made, as
`felt.agents.tables.Tables` takes them."""


def conduct_in_step(batch: HandBatch, players: Ints, decide: Decide) -> list[Ints]:
    """Play all tables of a batch to the end: every player decides at all tables where it is their turn.

    ``players[table, seat]`` is who sits where. Returns the moves of every step: their
    codes (`felt.games.moves.encode_move`) by table, and -1 where the hand was over.
    """
    steps: list[Ints] = []
    places: list[NDArray[np.int32]] = []
    active, count = np.arange(len(batch)), int(players.max()) + 1
    while True:
        turn = batch.turn[active]
        active = active[turn >= 0]
        if len(active) == 0:
            return steps
        to_act = players[active, turn[turn >= 0]]
        moves, amounts = np.full(len(active), CALL), np.zeros(len(active), dtype=np.int64)
        for player in range(count):
            here = np.flatnonzero(to_act == player)
            if len(here):
                moves[here], amounts[here] = decide(player, active[here], steps, places)
        step = np.full(len(batch), -1)
        step[active] = encode_move(moves, amounts)
        steps.append(step)
        places.append(batch.arrays[0][:, f.STREET] << 4 | batch.arrays[0][:, f.TURN])
        batch.step(moves, amounts, active)
