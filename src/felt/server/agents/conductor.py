"""The conductor of a live table: agents are asked in their threads, and hear what has happened once it is stored."""

import asyncio
from collections.abc import Callable
from typing import Any

from felt.agents.api import Agent
from felt.agents.conductor import Conductor
from felt.games.history import Event
from felt.games.views.view import View
from felt.server.agents.asking import AgentThreads, Answer
from felt.server.tables.table import Table

WAIT_SECONDS = 2.0
"""How long a table waits after a hand for agents that are hearing of it; who takes longer has less time to decide."""


class Listener(Agent):
    """Stands for an agent that wants to hear events; the agent itself is made in a thread."""

    def hand_started(self, view: View) -> None:
        """See `LiveConductor.call`."""

    def action_seen(self, view: View, event: Event) -> None:
        """See `LiveConductor.call`."""

    def showdown(self, view: View) -> None:
        """See `LiveConductor.call`."""

    def hand_over(self, view: View) -> None:
        """See `LiveConductor.call`."""


class LiveConductor(Conductor):
    """Follows the hands of one table from step to step.

    It has a hand of its own, on which it makes the moves that the table has stored. So agents never hear of a move that
    is taken back, and after a restart a hand in play is told again from its beginning, to agents that are new.
    """

    def __init__(self, table: Table, threads: AgentThreads) -> None:
        super().__init__()
        self.listening: frozenset[str] = frozenset()
        """The names of the agents that want to hear events."""
        self._table, self._threads = table, threads
        self._number, self._moves = 0, 0
        """The hand, and how many of its moves have been made here."""
        self._names: dict[int, str] = {}
        self._seconds = 0.0

    def follow(self) -> None:
        """Make the moves that the table has stored since the last call, and tell them."""
        state = self._table.state
        if state.hand is None:
            return
        if state.hands != self._number:
            seats = [who.agent if who is not None else None for who in state.seats]
            self._names = {seat: name for seat, name in enumerate(seats) if name is not None}
            self.seat([self._stand_in(name) for name in seats])
            self.names = tuple(who.name if who is not None else "" for who in state.seats)
            self.begin(state.as_dealt(), state.hands, state.dealt)
            self._number, self._moves = state.hands, 0
        for *_, action in state.moves[self._moves :]:
            self.hand.act(action)
            self._moves += 1
            self.tell_move()

    def _stand_in(self, name: str | None) -> Agent | None:
        if name is None:
            return None
        return Listener() if name in self.listening else Agent()

    async def decide(self, seconds: float) -> Answer:
        """What the agent to act answers within `seconds`."""
        self._seconds = seconds
        answer: Answer = await self.ask()
        return answer

    async def deliver(self) -> None:
        """Let every agent that listens hear all that it was told; the table waits for a moment, not for a slow one."""
        hearing = [
            self._threads.hear((self._table.id, seat), name, **self._lane())
            for seat, name in self._names.items()
            if name in self.listening
        ]
        if tasks := [task for task in hearing if task is not None]:
            await asyncio.wait(tasks, timeout=WAIT_SECONDS)

    def call(self, player: int, name: str, method: Callable[..., Any], *arguments: Any) -> Any:
        """Ask in a thread of the agent, which is awaited; an event waits there until the agent is next called."""
        owner, agent, hand = (self._table.id, player), self._names[player], self._table.state.hands
        if name == "act":
            return self._threads.ask(owner, agent, *arguments, hand=hand, seconds=self._seconds, **self._lane())
        return self._threads.tell(owner, hand, name, *arguments)

    def _lane(self) -> dict[str, Any]:
        """Whose the table is, and whether people play: that decides which threads are used."""
        return {"whose": self._table.owner or self._table.id, "people": any(self._table.people)}
