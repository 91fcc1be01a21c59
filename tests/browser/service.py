"""The real service on loopback in a thread of its own, with agents that do what a test says and decks that it chose."""

import asyncio
import itertools
import socket
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from dataclasses import replace
from pathlib import Path

import uvicorn

from felt.cards.card import parse_cards
from felt.cards.deck import Deck
from felt.games import Action, Move
from felt.games.fair import FairDeal, fair_deal
from felt.games.views.view import View
from felt.server.accounts.accounts import Passwords
from felt.server.agents.asking import AgentThreads, Answer
from felt.server.tables.settings import Pace
from felt.server.web.app import create_app
from tests.server.live_helpers import CHEAP, MANY


def read_move(words: str) -> Action:
    """A move as tests write it: `fold`, `check`, `call`, `bet 4`, `raise 12` (the total for the street), `roll 7d`."""
    verb, _, amount = words.partition(" ")
    if verb in ("bet", "raise"):
        return Action(Move.RAISE, int(amount))
    if verb == "roll":
        return Action(Move.EXCHANGE, cards=parse_cards(amount))
    return Action({"fold": Move.FOLD, "check": Move.CALL, "call": Move.CALL}[verb])


class ScriptedBrains(AgentThreads):
    """Agents that wait until the test says what they do."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self._moves: defaultdict[Hashable, asyncio.Queue[Action]] = defaultdict(asyncio.Queue)

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
        """The next move that was told for this table."""
        assert isinstance(owner, tuple)
        try:
            return Answer(await asyncio.wait_for(self._moves[owner[0]].get(), seconds))
        except TimeoutError:
            return Answer(None, "did not answer in time")

    def tell(self, table: str, action: Action) -> None:
        """Say what the agent of a table does next; called in the loop of the service."""
        self._moves[table].put_nowait(action)


class Served:
    """A service that can be told what happens next."""

    def __init__(self, data: Path) -> None:
        self._decks: deque[str] = deque()
        self._brains = ScriptedBrains()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._names = (f"Ada {number}" for number in itertools.count(1))
        listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        pace = Pace(after_hand=0.0, agent=0.0, present=0.05)  # who has gone is dealt no deck of others
        self._app = create_app(
            data,
            pace=pace,
            limits=replace(MANY, name_seconds=120.0),
            brains=self._brains,
            shuffle=self._shuffle,
            passwords=Passwords(CHEAP),
        )
        self._server = uvicorn.Server(uvicorn.Config(self._app, log_level="error", timeout_graceful_shutdown=1))
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(listener)), name="felt-service")
        self._thread.start()

    async def _serve(self, listener: socket.socket) -> None:
        self._loop = asyncio.get_running_loop()
        await self._server.serve(sockets=[listener])

    def stop(self) -> None:
        """End it, and wait until it has ended."""
        self._server.should_exit = True
        self._thread.join(20)
        assert not self._thread.is_alive()

    def new_name(self) -> str:
        """A name that nobody in this service has had."""
        return next(self._names)

    def keep_hands(self, table: str, kept: bool = True) -> None:
        """The end of a hand at a table stays to be looked at, until it is let go."""

        def change() -> None:
            room = self._app.state.tables.get(table)
            room.speed = replace(room.speed, hand_seconds=30.0 if kept else 0.0)
            room.changed.set()

        self._in_loop(change)

    def tell_agent(self, table: str, words: str) -> None:
        """The agent of a table makes this move, now or when its turn comes."""
        self._in_loop(lambda: self._brains.tell(table, read_move(words)))

    def cut(self, table: str) -> None:
        """The connections to a table break off."""
        self._in_loop(lambda: self._app.state.tables.get(table).audience.close())

    def next_deck(self, *dealt: str) -> None:
        """The next hand is dealt from these cards: those of the seat after the button first, then the board."""
        self._decks.append("".join(dealt))

    def clear(self) -> None:
        """Close all tables, and deal by chance again: no table of an earlier test takes a deck of a later one."""

        async def close() -> None:
            for room in self._app.state.tables.all():
                await room.do(lambda room=room: setattr(room, "closed", True) or [])
                room.changed.set()
            self._decks.clear()

        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(close(), self._loop).result(20)

    def _in_loop(self, change: Callable[[], None]) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(change)

    def _shuffle(self, deck: Deck) -> FairDeal:
        if not self._decks:
            return fair_deal(deck)
        first = parse_cards(self._decks.popleft())
        return FairDeal((*first, *(card for card in deck.cards if card not in first)), "00")
