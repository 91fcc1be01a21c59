"""What an agent would do: any state of any game in, its move and its reasons out."""

import random
import secrets
import time

from fastapi import APIRouter, Request

from felt.games import Hand
from felt.server.deciding import decided, think
from felt.server.proxies import FORWARDED
from felt.server.readers import Here
from felt.server.routes.tables import settings_of
from felt.server.schemas import TableAsked
from felt.server.schemas_decide import DecideAsked, Decided, PhhAsked
from felt.server.sessions import check_origin
from felt.server.situations import from_phh, situation

router = APIRouter()


@router.post("/decide")
async def decide(asked: DecideAsked, request: Request, reader: Here) -> Decided:
    """Ask an agent what it would do in a state, and why. Needs no session."""
    check_origin(request)
    study, client = reader.study, reader.client
    seed = secrets.randbits(62) if asked.seed is None else asked.seed
    with study.deciding(client, forwarded=FORWARDED in request.scope):
        hand = await study.work(client, lambda: _hand(asked, seed))
        agent = await study.agent(client, asked.agent, hand)
        await study.brains.prepare(hand.rules, [asked.agent], hand.players)
        seen, began = hand.view(hand.turn), time.perf_counter()
        limit = asked.time_limit
        thought, fault = await study.ask(client, asked.agent, lambda: think(agent, seen, seed, limit), limit)
        seconds = time.perf_counter() - began
        return await study.work(client, lambda: decided(hand, thought, fault, seconds))


def _hand(asked: DecideAsked, seed: int) -> Hand:
    state = asked.state
    if isinstance(state, PhhAsked):
        return from_phh(state)
    table = TableAsked(game=state.game, parameters=state.parameters, seats=len(state.stacks))
    return situation(state, settings_of(table).rules(0), random.Random(seed))
