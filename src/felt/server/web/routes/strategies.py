"""The solved strategies that can be played against."""

from fastapi import APIRouter, Request

from felt.server.schemas_strategies import StrategyTold
from felt.server.shelf import PREFIX, Shelf

router = APIRouter()


@router.get("/strategies")
def strategies(request: Request) -> list[StrategyTold]:
    """Every strategy that is kept, by name; `agent` is how it is invited to a table."""
    shelf: Shelf = request.app.state.shelf
    return [
        StrategyTold(
            name=one.name,
            agent=f"{PREFIX}{one.name}",
            game=one.game,
            players=one.players,
            origin=one.origin,
            added=one.added.isoformat(timespec="seconds") + "Z",
        )
        for one in shelf.all()
    ]
