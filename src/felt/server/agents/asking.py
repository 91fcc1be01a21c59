"""Agents at live tables: asked in threads of their own, and never waited for longer than allowed."""

import asyncio
import logging
import operator
import secrets
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from functools import partial
from threading import Lock, Thread
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from felt._pool import default_threads
from felt.agents.adapters import as_agent
from felt.agents.api import Agent, OutsideAgent
from felt.agents.dice import Dice
from felt.agents.naming import Entrant, entrant
from felt.errors import FeltError, describe_error
from felt.games import Action, Move
from felt.games.rules import GameRules
from felt.games.views.view import View
from felt.server.agents.library import AgentLibrary, Kind, not_now
from felt.server.agents.preparing import OFFERED, Preparing
from felt.server.agents.thinking import OverranError, Thinking, TooLateError
from felt.server.net.faults import is_machine_fault
from felt.server.tables.settings import TableError

log = logging.getLogger(__name__)
T = TypeVar("T")

MOST_PATIENCE = 15.0
"""Seconds that a program outside gets at most, whatever a table allows: it holds a thread."""
GO_WITHIN = 3.0
MAKE_WITHIN = 5.0
"""Seconds in which a class in a file has to be made, and to say whether it plays a game."""
HEAR_WITHIN = 15.0
"""Seconds that an agent gets after a hand to hear what it was told: it may learn from it."""
MOST_EVENTS = 1000
"""Events that wait for an agent; if it does not take them, the oldest are lost."""
MOST_STUCK = 4
"""Threads that a class in a file may hold although nobody waits for it any more; then it is not offered again."""


class Answer(NamedTuple):
    """What an agent does, or why it does not say."""

    action: Action | None
    fault: str = ""


def offered_agent(name: str, shelf: AgentLibrary | None = None) -> Agent:
    """An agent that anybody may invite: one of `OFFERED`, or one on the shelf. Reading that may take a while."""
    if shelf is not None and shelf.has(name):
        return shelf.agent(name)
    if name not in OFFERED:
        there = ", ".join((*OFFERED, *(shelf.guests if shelf else ())))
        raise TableError("no_agent", f"there is no agent {name!r} here: there are {there}")
    return as_agent(entrant(name).kind())


def check_agent(name: str, rules: GameRules, players: int, shelf: AgentLibrary | None = None) -> None:
    """Refuse an agent that is not offered, or does not play this game."""
    reason = offered_agent(name, shelf).plays(rules, players)
    if reason:
        raise TableError("no_agent", f"{name} does not play {rules.name}: {reason}")


class AgentThreads:
    """The agents of all tables and the threads in which they think."""

    def __init__(self, threads: int = 0) -> None:
        self.shelf: AgentLibrary | None = None
        """Where strategies and guests are; the service sets it up."""
        self.preparing = Preparing()
        self._thinking = Thinking(threads or max(2, default_threads()))
        self._agents: dict[Hashable, Agent] = {}
        self._events: dict[Hashable, deque[tuple[int, str, tuple[Any, ...]]]] = {}
        """What agents are to hear when they are next called: the number of the hand, the method, and its arguments."""
        self._hearing: dict[Hashable, asyncio.Task[None]] = {}
        """Whose agents are hearing what they were told; who is asked meanwhile is waited for."""
        self._busy: set[Hashable] = set()
        self._leaving: set[Hashable] = set()
        """Who has left while being asked: they are let go when that is over."""
        self._given_up: set[Hashable] = set()
        """Classes in files that did not answer: each is asked no more at its table."""
        self._stuck: Counter[str] = Counter()
        """Threads of such classes that are not free again, by name."""
        self._ending = Lock()
        self._closed = False
        self._asked: set[Hashable] = set()
        """Whose agents are being asked in some thread now."""

    def kind(self, name: str) -> Kind:
        """Where an agent works."""
        return self.shelf.kind(name) if self.shelf is not None else Kind.OWN

    async def prepare(self, rules: GameRules, names: Iterable[str], players: int) -> frozenset[str]:
        """Wait until these agents can play a game without compiling or importing: that is nobody's thinking time.

        Returns the names of those that want to hear events.
        """
        entrants = await asyncio.to_thread(self._entrants, names)
        await self.preparing.game(rules, list(entrants.values()), players)
        return frozenset(name for name, entrant in entrants.items() if entrant.listens)

    def _entrants(self, names: Iterable[str]) -> dict[str, Entrant]:
        """Agents as they are prepared, by name; those that are gone are told of when they are asked."""
        entrants, shelf = {}, self.shelf
        for name in sorted(set(names)):
            with suppress(FeltError):
                entrants[name] = shelf.entrant(name) if shelf is not None and shelf.has(name) else entrant(name)
        return entrants

    async def ask(
        self,
        owner: Hashable,
        name: str,
        view: View,
        *,
        hand: int,
        seconds: float,
        whose: Hashable = None,
        people: bool = True,
    ) -> Answer:
        """Let the agent of this owner (a seat) decide; the answer comes within `seconds`, whatever the agent does.

        `whose` table it is counts for guests and where no `people` play: see `Thinking`. What a fault says is for
        everybody at the table, so it holds nothing that the agent said. Only a fault of the machine is raised.
        """
        hearing = self._hearing.get(owner)
        if hearing is not None:
            until = monotonic() + seconds
            await asyncio.wait({hearing}, timeout=seconds)
            seconds = until - monotonic()
        fault = self._not_to_ask(owner, name)
        if fault:
            return Answer(None, fault)

        def think(agent: Agent) -> Action:
            if agent.dice.hand != hand:
                agent.dice.begin(hand)
            return ask_agent(agent, view, seconds)

        try:
            return Answer(await self._call(owner, name, think, seconds=seconds, whose=whose, people=people))
        except TooLateError as late:
            if isinstance(late, OverranError) and self.kind(name) is Kind.CLASS:
                self._given_up.add(owner)
            return Answer(None, str(late))
        except Exception as error:
            if is_machine_fault(error) and self.kind(name) is not Kind.CLASS:
                raise  # it is not the agent's: the table waits, and asks again
            log.warning("agent %s failed: %s", name, describe_error(error))
            return Answer(None, "failed to decide")

    def tell(self, owner: Hashable, hand: int, event: str, *arguments: Any) -> None:
        """Let the agent of this owner hear an event before it is next called for anything."""
        if owner in self._given_up:
            return
        self._events.setdefault(owner, deque(maxlen=MOST_EVENTS)).append((hand, event, arguments))

    def hear(
        self, owner: Hashable, name: str, *, whose: Hashable = None, people: bool = True
    ) -> "asyncio.Task[None] | None":
        """Let the agent of this owner hear now what it was told; None if there is nothing, or it cannot be called."""
        if not self._events.get(owner) or self._not_to_ask(owner, name):
            return None

        async def hearing() -> None:
            try:
                await self._call(owner, name, lambda agent: None, seconds=HEAR_WITHIN, whose=whose, people=people)
            except Exception as error:  # which is nothing to the table
                log.warning("agent %s did not hear of a hand: %s", name, describe_error(error))
            finally:
                self._hearing.pop(owner, None)

        self._hearing[owner] = task = asyncio.ensure_future(hearing())
        return task

    def _not_to_ask(self, owner: Hashable, name: str) -> str:
        """Why an agent cannot be called now; empty if it can."""
        if owner in self._given_up or (self.shelf is not None and name in self.shelf.withdrawn):
            return "is not asked any more"
        return "is still thinking about an earlier move" if owner in self._busy else ""

    async def _call(
        self,
        owner: Hashable,
        name: str,
        work: "Callable[[Agent], T]",
        *,
        seconds: float,
        whose: Hashable,
        people: bool,
    ) -> T:
        """Let the agent of this owner hear what it was told, then do some work with it, in a thread of its kind."""
        self._busy.add(owner)
        called, after = partial(self._with_agent, owner, name, work), partial(self._answered, owner)
        return await self._run(name, called, seconds=seconds, whose=whose, people=people, after=after)

    async def work(
        self, name: str, work: "Callable[[], T]", *, seconds: float, whose: Hashable, after: Callable[[], None]
    ) -> tuple[T | None, str]:
        """Have something else worked out where an agent thinks; what came of it, or None and why nothing did.

        `after` is called when the thread is free again, which may be later than the answer.
        """
        try:
            return await self._run(name, work, seconds=seconds, whose=whose, people=False, after=after), ""
        except TooLateError as late:
            return None, str(late)
        except Exception as error:  # what an agent says is not for whoever asks
            log.warning("an agent failed: %s", describe_error(error))
            return None, "failed to decide"

    async def check(self, name: str, rules: GameRules, players: int, *, whose: Hashable) -> None:
        """Refuse an agent that is not offered, or does not play this game."""
        check = partial(check_agent, name, rules, players, self.shelf)
        if self.kind(name) is Kind.CLASS:
            await self.make(name, check, whose=whose)
        else:
            await asyncio.to_thread(check)

    async def make(self, name: str, how: "Callable[[], T]", *, whose: Hashable) -> T:
        """Have a class in a file made: what its code does then holds nobody up either."""
        try:
            return await self._run(name, how, seconds=MAKE_WITHIN, whose=whose, people=False)
        except TableError:
            raise
        except Exception as error:
            log.warning("agent %s: %s", name, describe_error(error))
            raise not_now(name) from None

    def made(self, name: str, rules: GameRules, players: int) -> Any:
        """A new copy of an agent that is offered and plays this game."""
        check_agent(name, rules, players, self.shelf)
        return offered_agent(name, self.shelf)

    def forget(self, owner: Hashable) -> None:
        """Let go of an agent that has left; one that is being asked, after that."""
        self._given_up.discard(owner)
        self._events.pop(owner, None)
        if owner in self._busy:
            self._leaving.add(owner)
        else:
            dismiss(self._agents.pop(owner, None))

    def _answered(self, owner: Hashable) -> None:
        self._busy.discard(owner)
        if owner in self._leaving:
            self._leaving.discard(owner)
            self.forget(owner)

    def close(self) -> None:
        """Ask nobody any more. Who is being asked now is let go by whoever asks: two at a time would be too many."""
        self.preparing.close()
        self._thinking.close()
        with self._ending:
            self._closed = True
            free = [agent for owner, agent in self._agents.items() if owner not in self._asked]
        going = [dismiss(agent) for agent in free]
        for decision in going:
            if decision is not None:
                decision.join(GO_WITHIN)

    async def _run(
        self,
        name: str,
        work: "Callable[[], T]",
        *,
        seconds: float,
        whose: Hashable,
        people: bool,
        after: Callable[[], None] = lambda: None,
    ) -> T:
        """Have something done in the threads of this agent's kind."""
        kind, thinking = self.kind(name), self._thinking
        if kind is Kind.CLASS:
            return await self._run_inside(name, work, seconds=seconds, whose=whose, after=after)
        lane = thinking.programs if kind is Kind.PROGRAM else thinking.people if people else thinking.others
        return await lane.run(work, seconds=seconds, whose=whose, after=after)

    async def _run_inside(
        self, name: str, work: "Callable[[], T]", *, seconds: float, whose: Hashable, after: Callable[[], None]
    ) -> T:
        """As `_run`, for a class in a file. Threads that it keeps are counted."""
        in_time = False

        def free() -> None:
            self._stuck[name] -= in_time
            after()

        try:
            return await self._thinking.class_named(name).run(work, seconds=seconds, whose=whose, after=free)
        except OverranError:
            in_time = True
            self._stuck[name] += 1
            log.warning("agent %s did not come to an end within %g s; its thread goes on", name, seconds)
            if self._stuck[name] >= MOST_STUCK and self.shelf is not None and name in self.shelf.guests:
                self.shelf.withdraw(name)
                log.error("agent %s holds %d threads: it is not offered any more until a restart", name, MOST_STUCK)
            raise

    def _with_agent(self, owner: Hashable, name: str, work: "Callable[[Agent], T]") -> T:
        """Make the agent of this owner, unless it is there, let it hear what it was told, and do some work with it."""
        with self._ending:
            if self._closed:
                raise TooLateError("did not get to think in time")
            self._asked.add(owner)
        try:
            agent = self._agents.get(owner)
            if agent is None:
                agent = self._agents[owner] = offered_agent(name, self.shelf)
                agent.dice = Dice(secrets.randbits(64))
            self._hear_all(owner, name, agent)
            return work(agent)
        finally:
            with self._ending:
                self._asked.discard(owner)
                closed = self._closed
            if closed:
                dismiss(self._agents.pop(owner, None))

    def _hear_all(self, owner: Hashable, name: str, agent: Agent) -> None:
        """Call an agent for the events that wait for it; an event in which it fails is over for it."""
        events = self._events.get(owner, ())
        while events:
            hand, event, arguments = events.popleft()
            if agent.dice.hand != hand:
                agent.dice.begin(hand)
            try:
                getattr(agent, event)(*arguments)
            except (Exception, SystemExit) as error:
                log.warning("agent %s failed in %s: %s", name, event, describe_error(error))


def ask_agent(agent: Any, view: View, seconds: float) -> Action:
    """What an agent answers. A program outside keeps the time itself: it is ended if it takes longer."""
    if isinstance(agent, OutsideAgent):
        agent.patience = min(seconds, MOST_PATIENCE)
    answer = agent.act(view)  # of any kind; from here on it is a move in our own numbers
    return Action(Move(answer.move), operator.index(answer.amount), tuple(map(int, answer.cards)))


def dismiss(agent: Any) -> Thread | None:
    """Let a program outside go, which may take it a moment: in a thread. Other agents have nothing to let go."""
    if not isinstance(agent, OutsideAgent):
        return None

    def go() -> None:
        try:
            agent.dismiss()
        except Exception:
            log.exception("a program did not go")

    thread = Thread(target=go, name="felt-going", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # there is no thread for it: whoever lets it go waits for it, which is bounded
        go()
        return None
    return thread
