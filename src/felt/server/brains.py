"""Agents at live tables: asked in threads of their own, and never waited for longer than allowed."""

import logging
import secrets
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from felt._pool import default_threads
from felt.agents.dice import Dice
from felt.agents.naming import BUILT_IN, entrant, told
from felt.games import Action, Hand, load
from felt.games.rules import GameRules
from felt.games.view import View
from felt.server.shelf import Shelf
from felt.server.table_settings import TableError
from felt.server.thinking import Thinking, TooLateError

log = logging.getLogger(__name__)
T = TypeVar("T")
OFFERED = tuple(name for name in BUILT_IN if name != "strategy")
"""Who may be invited by anybody: names only, since a longer description may name a file."""


class Answer(NamedTuple):
    """What an agent does, or why it does not say."""

    action: Action | None
    fault: str = ""


def offered_agent(name: str, shelf: Shelf | None = None) -> Any:
    """An agent that anybody may invite: one of `OFFERED`, or one on the shelf. Reading that may take a while."""
    if shelf is not None and shelf.has(name):
        return shelf.agent(name)
    if name not in OFFERED:
        there = ", ".join((*OFFERED, *(shelf.guests if shelf else ())))
        raise TableError("no_agent", f"there is no agent {name!r} here: there are {there}")
    return entrant(name).kind()


def check_agent(name: str, rules: GameRules, players: int, shelf: Shelf | None = None) -> None:
    """Refuse an agent that is not offered, or does not play this game."""
    reason = getattr(offered_agent(name, shelf), "plays", lambda *_: None)(rules, players)
    if reason:
        raise TableError("no_agent", f"{name} does not play {rules.name}: {reason}")


def warm_up() -> None:
    """Load what the first decisions would have to wait for: the compiled code of the engine and of the agents."""
    hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    agent = entrant("ehs").kind()
    agent.dice = Dice(1)
    while not hand.over:
        agent.dice.begin(0)
        hand.act(agent.act(hand.view(hand.turn)))


class Brains:
    """The agents of all tables and the threads in which they think."""

    def __init__(self, threads: int = 0) -> None:
        self.shelf: Shelf | None = None
        """Where strategies are; the service sets it up."""
        self._thinking = Thinking(threads or max(2, default_threads()))
        self._agents: dict[Hashable, Any] = {}
        self._busy: set[Hashable] = set()

    async def ask(
        self, owner: Hashable, name: str, view: View, *, hand: int, seconds: float, whose: Hashable = None
    ) -> Answer:
        """Let the agent of this owner (a seat) decide; the answer comes within `seconds`, whatever the agent does.

        `whose` table it is counts where nobody plays: see `Thinking`. What a fault says is for everybody at the table,
        so it holds nothing that the agent said.
        """
        if owner in self._busy:
            return Answer(None, "is still thinking about an earlier move")
        self._busy.add(owner)

        def think() -> Action:
            return self._think(owner, name, view, hand, seconds)

        try:
            after = partial(self._busy.discard, owner)
            return Answer(await self._thinking.run(think, seconds=seconds, whose=whose, after=after))
        except TooLateError as late:
            return Answer(None, str(late))
        except Exception as error:
            log.warning("agent %s failed: %s", name, told(error))
            return Answer(None, "failed to decide")

    async def work(self, what: "Callable[[], T]", *, seconds: float, after: Callable[[], None]) -> tuple[T | None, str]:
        """Have something else worked out where agents think; what came of it, or None and why nothing did.

        `after` is called when the thread is free again, which may be later than the answer.
        """
        try:
            return await self._thinking.run(what, seconds=seconds, whose=object(), after=after), ""
        except TooLateError as late:
            return None, str(late)
        except Exception as error:
            return None, f"failed ({told(error)})"

    def made(self, name: str, rules: GameRules, players: int) -> Any:
        """A new copy of an agent that is offered and plays this game."""
        check_agent(name, rules, players, self.shelf)
        return offered_agent(name, self.shelf)

    def forget(self, owner: Hashable) -> None:
        """Let go of an agent that has left."""
        dismiss(self._agents.pop(owner, None))

    def close(self) -> None:
        """Ask nobody any more."""
        self._thinking.close()
        for agent in self._agents.values():
            dismiss(agent)

    def _think(self, owner: Hashable, name: str, view: View, hand: int, seconds: float) -> Action:
        agent = self._agents.get(owner)
        if agent is None:
            agent = self._agents[owner] = offered_agent(name, self.shelf)
            agent.dice = Dice(secrets.randbits(64))
        agent.dice.begin(hand)
        return asked(agent, view, seconds)


def asked(agent: Any, view: View, seconds: float) -> Action:
    """What an agent answers. A program outside keeps the time itself: it is ended if it takes longer."""
    if getattr(agent, "keeps_time", False):
        agent.patience = seconds
    answer: Action = agent.act(view)
    return answer


def dismiss(agent: Any) -> None:
    """Let a program outside go; any other agent has nothing to let go."""
    if getattr(agent, "keeps_time", False):
        agent.dismiss()
