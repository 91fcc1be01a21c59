"""Agents at live tables: asked in threads of their own, and never waited for longer than allowed."""

import asyncio
import secrets
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from felt._pool import default_threads
from felt.agents.dice import Dice
from felt.agents.naming import BUILT_IN, entrant, told
from felt.games import Action, Hand, load
from felt.games.rules import GameRules
from felt.games.view import View
from felt.server.live_table import TableError
from felt.server.shelf import PREFIX, Shelf

T = TypeVar("T")
OFFERED = tuple(name for name in BUILT_IN if name != "strategy")
"""Who may be invited by anybody: names only, since a longer description may name a file."""


class Answer(NamedTuple):
    """What an agent does, or why it does not say."""

    action: Action | None
    fault: str = ""


def offered_agent(name: str, shelf: Shelf | None = None) -> Any:
    """An agent that anybody may invite: one of `OFFERED`, or a strategy on the shelf. Reading that may take a while."""
    if shelf is not None and name.startswith(PREFIX):
        return shelf.agent(name)
    if name not in OFFERED:
        raise TableError("no_agent", f"there is no agent {name!r} here: there are {', '.join(OFFERED)}")
    return entrant(name).kind()


def check_agent(name: str, rules: GameRules, players: int, shelf: Shelf | None = None) -> None:
    """Refuse an agent that is not offered, or does not play this game."""
    reason = offered_agent(name, shelf).plays(rules, players)
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
        self._pool = ThreadPoolExecutor(threads or max(2, default_threads()), thread_name_prefix="felt-agent")
        self._agents: dict[Hashable, Any] = {}
        self._busy: set[Hashable] = set()

    async def ask(self, owner: Hashable, name: str, view: View, *, hand: int, seconds: float) -> Answer:
        """Let the agent of this owner (a seat) decide; the answer comes within `seconds`, whatever the agent does."""
        if owner in self._busy:
            return Answer(None, "is still thinking about an earlier move")
        self._busy.add(owner)
        thinking = asyncio.get_running_loop().run_in_executor(self._pool, self._think, owner, name, view, hand)
        thinking.add_done_callback(lambda done: self._free(owner, done))
        try:
            return Answer(await asyncio.wait_for(asyncio.shield(thinking), max(seconds, 0.0)))
        except TimeoutError:
            return Answer(None, "did not answer in time")
        except Exception as error:
            return Answer(None, f"failed ({told(error)})")

    async def work(self, what: "Callable[[], T]", *, seconds: float, after: Callable[[], None]) -> tuple[T | None, str]:
        """Have something else worked out where agents think; what came of it, or None and why nothing did.

        `after` is called when the thread is free again, which may be later than the answer.
        """
        working = asyncio.get_running_loop().run_in_executor(self._pool, what)

        def done(working: "asyncio.Future[T]") -> None:
            after()
            _look_at(working)

        working.add_done_callback(done)
        try:
            return await asyncio.wait_for(asyncio.shield(working), max(seconds, 0.0)), ""
        except TimeoutError:
            return None, "did not answer in time"
        except Exception as error:
            return None, f"failed ({told(error)})"

    def made(self, name: str, rules: GameRules, players: int) -> Any:
        """A new copy of an agent that is offered and plays this game."""
        check_agent(name, rules, players, self.shelf)
        return offered_agent(name, self.shelf)

    def _free(self, owner: Hashable, done: "asyncio.Future[Action]") -> None:
        self._busy.discard(owner)
        _look_at(done)

    def forget(self, owner: Hashable) -> None:
        """Let go of an agent that has left."""
        self._agents.pop(owner, None)

    def close(self) -> None:
        """Ask nobody any more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _think(self, owner: Hashable, name: str, view: View, hand: int) -> Action:
        agent = self._agents.get(owner)
        if agent is None:
            agent = self._agents[owner] = offered_agent(name, self.shelf)
            agent.dice = Dice(secrets.randbits(64))
        agent.dice.begin(hand)
        answer: Action = agent.act(view)
        return answer


def _look_at(done: "asyncio.Future[Any]") -> None:
    """Take note of how a late answer failed: nobody else will look."""
    if not done.cancelled():
        done.exception()
