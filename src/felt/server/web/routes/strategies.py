"""The solved strategies that can be played against."""

from fastapi import APIRouter, Request

from felt.server.agents.library import PREFIX, AgentLibrary
from felt.server.web.schemas.strategies import StrategyTold

router = APIRouter()


@router.get("/strategies")
def strategies(request: Request) -> list[StrategyTold]:
    """Every strategy that is kept, by name; `agent` is how it is invited to a table."""
    shelf: AgentLibrary = request.app.state.shelf
    return [
        StrategyTold(
            name=strategy.name,
            agent=f"{PREFIX}{strategy.name}",
            game=strategy.game,
            players=strategy.players,
            origin=strategy.origin,
            added=strategy.added.isoformat(timespec="seconds") + "Z",
        )
        for strategy in shelf.all()
    ]
