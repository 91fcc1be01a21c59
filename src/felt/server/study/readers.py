"""Who studies: each question is charged by what it costs, and worked out beside the event loop."""

from collections.abc import Callable
from typing import Annotated, NamedTuple, TypeVar

from fastapi import Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel

from felt.server.net.clients import Client, client_of
from felt.server.study.study import Study
from felt.server.web.sessions import Viewer
from felt.store.database.db import Player

T = TypeVar("T")


class Cost:
    """What questions cost of the allowance, roughly in proportion to their work."""

    FIGURES = 1.0
    HAND = 1.0
    LIST = 1.0
    """Fifty hands."""
    GRAPH = 2.0
    REPLAY = 4.0
    ALL_HANDS = 30.0


class Reader(NamedTuple):
    """Somebody who studies, and what there is to study."""

    study: Study
    player: Player | None
    client: Client

    @property
    def id(self) -> str | None:
        """Who asks, by id."""
        return self.player.id if self.player else None

    async def ask(self, question: Callable[[], T], cost: float) -> T:
        """Have something worked out."""
        with self.study.asking(self.client, cost):
            return await self.study.work(self.client, question)

    async def answer(self, question: Callable[[], BaseModel], cost: float) -> Response:
        """The same as an answer, which is written where it was worked out."""
        written = await self.ask(lambda: question().model_dump_json(by_alias=True), cost)
        return Response(written, media_type="application/json")


async def reader(request: Request, player: Viewer) -> Reader:
    """Who asks."""
    return Reader(request.app.state.study, player, client_of(request, player))


Here = Annotated[Reader, Depends(reader)]
