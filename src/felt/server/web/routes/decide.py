"""What an agent would do: any state of any game in, its move and its reasons out."""

import random
import secrets
import time

from fastapi import APIRouter, Request

from felt.games import Hand
from felt.server.agents.deciding import decided, think
from felt.server.net.proxies import FORWARDED
from felt.server.study.situations import from_phh, situation
from felt.server.study.study import Here
from felt.server.web.routes.tables import settings_of
from felt.server.web.schemas.decide import DecideAsked, Decided, PhhAsked
from felt.server.web.schemas.tables import TableAsked
from felt.server.web.sessions import check_origin

router = APIRouter()


@router.post("/decide")
async def decide(body: DecideAsked, request: Request, reader: Here) -> Decided:
    """Ask an agent what it would do in a state, and why. Needs no session."""
    check_origin(request)
    study, client = reader.study, reader.client
    seed = secrets.randbits(62) if body.seed is None else body.seed
    with study.deciding(client, forwarded=FORWARDED in request.scope):
        hand = await study.work(client, lambda: _hand(body, seed))
        agent = await study.agent(client, body.agent, hand)
        await study.brains.prepare(hand.rules, [body.agent], hand.players)
        seen, began = hand.view(hand.turn), time.perf_counter()
        limit = body.time_limit
        thought, fault = await study.ask(client, body.agent, lambda: think(agent, seen, seed, limit), limit)
        seconds = time.perf_counter() - began
        return await study.work(client, lambda: decided(hand, thought, fault, seconds))


def _hand(body: DecideAsked, seed: int) -> Hand:
    state = body.state
    if isinstance(state, PhhAsked):
        return from_phh(state)
    table = TableAsked(game=state.game, parameters=state.parameters, seats=len(state.stacks))
    return situation(state, settings_of(table).rules(0), random.Random(seed))
