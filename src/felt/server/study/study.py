"""What is behind the pages for studying: hands that are over, what players did in them, agents that are asked.

Whatever takes a while and no table waits for is done in a few threads of their own, in turn for all who ask, so that
nobody who studies can hold up the tables or the others.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel

from felt.games import Hand
from felt.server.agents.asking import AgentThreads
from felt.server.agents.library import Kind
from felt.server.net.limits import DECISIONS, Client, Limits, SharedAllowance, UnderWay, client_of
from felt.server.net.slow_requests import SlowRequests
from felt.server.study.totals import TotalsKept
from felt.server.tables.settings import TableError
from felt.server.web.sessions import Viewer
from felt.store.database.db import Player, Store
from felt.store.database.hands import FinishedHand, one_hand, split_id

T = TypeVar("T")
THREADS = 2
MOST_THINKING = 1  # agents that may think for strangers at a time: the others think for the tables


class Study:
    """Past hands for who may see them. Belongs to the event loop that it was made in."""

    def __init__(self, store: Store, brains: AgentThreads, limits: Limits) -> None:
        self.store, self.brains = store, brains
        self.totals = TotalsKept(store)
        self._allowance = SharedAllowance(rate=limits.studies, at_once=limits.studies_at_once)
        words = "you have asked for several things that are not done yet: wait for them first"
        self._asked = UnderWay(limits.studies_waiting, "too_fast", words)
        self._deciding = UnderWay(limits.decisions_waiting, "too_fast", words)  # each may think for seconds
        rate = DECISIONS if limits.decisions is None else limits.decisions
        self._decisions = SharedAllowance(rate=rate, at_once=limits.decisions_at_once)
        self._free_decisions = limits.decisions is None
        self._lane: SlowRequests[None] = SlowRequests(asyncio.get_running_loop(), THREADS, step_back=False)
        self._thinking = asyncio.Semaphore(MOST_THINKING)

    @contextmanager
    def asking(self, client: Client, cost: float) -> Iterator[None]:
        """While something is done for a client; refused to who asks too often, or for too much at a time."""
        with self._asked.one_more(client):
            self._allowance.check(client, cost)
            yield

    @contextmanager
    def deciding(self, client: Client, *, forwarded: bool) -> Iterator[None]:
        """While an agent is asked for a client; `forwarded` by somebody, so that the client may be anybody."""
        with self._deciding.one_more(client):
            if forwarded or not self._free_decisions:
                self._decisions.check(client)
            yield

    async def work(self, client: Client, work: Callable[[], T]) -> T:
        """Have something worked out that takes a while, when it is the client's turn."""
        done: Future[T] = Future()

        def attempt() -> None:
            if done.set_running_or_notify_cancel():  # else whoever asked has gone
                try:
                    done.set_result(work())
                except Exception as error:
                    done.set_exception(error)

        self._lane.submit(client.name, attempt, lambda _: None)
        return await asyncio.wrap_future(done)

    async def agent(self, client: Client, name: str, hand: Hand) -> Any:
        """A copy of an agent that plays this hand's game."""
        make = partial(self.brains.made, name, hand.rules, hand.players)
        if self.brains.kind(name) is Kind.CLASS:
            return await self.brains.make(name, make, whose=client.name)
        return await self.work(client, make)

    async def ask(self, client: Client, name: str, work: Callable[[], T], seconds: float) -> tuple[T | None, str]:
        """Have an agent think for a stranger, after those who asked before; None and why, if nothing comes in time.

        Guests have threads of their own, so nobody waits for who asks them.
        """
        if self.brains.kind(name) is not Kind.OWN:
            return await self.brains.work(name, work, seconds=seconds, whose=client.name, after=lambda: None)
        began = time.monotonic()
        try:
            await asyncio.wait_for(self._thinking.acquire(), seconds)
        except TimeoutError:
            return None, "did not get to think in time"
        left = seconds - (time.monotonic() - began)
        return await self.brains.work(name, work, seconds=left, whose=object(), after=self._thinking.release)

    def hand(self, text: str, player: str | None) -> FinishedHand:
        """A hand by its id, for one player; what they may not see is not there."""
        place = split_id(text)
        hand = None if place is None else one_hand(self.store, *place)
        if hand is None or not hand.visible_to(player):
            raise TableError("no_such_hand", "there is no such hand, or it is not yours to see")
        return hand

    def close(self) -> None:
        self._lane.close()


class Cost:
    """What questions cost of the allowance, roughly in proportion to their work."""

    FIGURES = 1.0
    HAND = 1.0
    LIST = 1.0  # fifty hands
    GRAPH = 2.0
    REPLAY = 4.0
    ALL_HANDS = 30.0


class Reader(NamedTuple):
    """Somebody who studies: each question is charged by what it costs, and worked out beside the event loop."""

    study: Study
    player: Player | None
    client: Client

    @property
    def id(self) -> str | None:
        return self.player.id if self.player else None

    async def ask(self, question: Callable[[], T], cost: float) -> T:
        with self.study.asking(self.client, cost):
            return await self.study.work(self.client, question)

    async def answer(self, question: Callable[[], BaseModel], cost: float) -> Response:
        """The same as an answer, which is written where it was worked out."""
        written = await self.ask(lambda: question().model_dump_json(by_alias=True), cost)
        return Response(written, media_type="application/json")


async def reader(request: Request, player: Viewer) -> Reader:
    return Reader(request.app.state.study, player, client_of(request, player))


Here = Annotated[Reader, Depends(reader)]
