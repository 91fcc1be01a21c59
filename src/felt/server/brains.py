"""Agents at live tables: asked in threads of their own, and never waited for longer than allowed."""

import logging
import operator
import secrets
from collections.abc import Callable, Hashable
from functools import partial
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from felt._pool import default_threads
from felt.agents.dice import Dice
from felt.agents.naming import BUILT_IN, entrant, told
from felt.games import Action, Hand, Move, load
from felt.games.rules import GameRules
from felt.games.view import View
from felt.server.shelf import Shelf
from felt.server.table_settings import TableError
from felt.server.thinking import Thinking, TooLateError

log = logging.getLogger(__name__)
T = TypeVar("T")
OFFERED = tuple(name for name in BUILT_IN if name != "strategy")
"""Who may be invited by anybody: names only, since a longer description may name a file."""


MOST_PATIENCE = 15.0
"""Seconds that a program outside gets at most, whatever a table allows: it holds one of few threads."""
GO_WITHIN = 3.0


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
        self._leaving: set[Hashable] = set()
        """Who has left while being asked: they are let go when that is over."""

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
            after = partial(self._answered, owner)
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
        except Exception as error:  # what an agent says is not for whoever asks
            log.warning("an agent failed: %s", told(error))
            return None, "failed to decide"

    def made(self, name: str, rules: GameRules, players: int) -> Any:
        """A new copy of an agent that is offered and plays this game."""
        check_agent(name, rules, players, self.shelf)
        return offered_agent(name, self.shelf)

    def forget(self, owner: Hashable) -> None:
        """Let go of an agent that has left; one that is being asked, after that."""
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
        """Ask nobody any more."""
        self._thinking.close()
        going = [dismiss(agent) for agent in list(self._agents.values())]
        for one in going:
            if one is not None:
                one.join(GO_WITHIN)

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
        agent.patience = min(seconds, MOST_PATIENCE)
    answer = agent.act(view)  # of any kind; from here on it is a move in our own numbers
    return Action(Move(answer.move), operator.index(answer.amount), tuple(map(int, answer.cards)))


def dismiss(agent: Any) -> Thread | None:
    """Let a program outside go, which may take it a moment: in a thread. Other agents have nothing to let go."""
    if not getattr(agent, "keeps_time", False):
        return None

    def go() -> None:
        try:
            agent.dismiss()
        except Exception:
            log.exception("a program did not go")

    thread = Thread(target=go, name="felt-going", daemon=True)
    thread.start()
    return thread
