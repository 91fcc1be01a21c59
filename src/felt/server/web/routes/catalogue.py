"""What there is to play, and against whom: games, agents, solved strategies."""

from functools import cache

from fastapi import APIRouter, Request

import felt
from felt.agents.catalogue import describe_agents
from felt.agents.naming import BUILT_IN
from felt.games import load, names, parameters
from felt.server.agents.library import PREFIX, AgentLibrary
from felt.server.agents.preparing import OFFERED
from felt.server.web.schemas.tables import AgentTold, Health, ParameterTold, StrategyTold, Variant

router = APIRouter()


@router.get("/health")
async def health() -> Health:
    """Whether the service is there."""
    return Health(ok=True, version=felt.__version__)


@router.get("/variants")
def variants() -> list[Variant]:
    """The games of the catalogue."""
    return list(map(_variant, names()))


@router.get("/agents")
def agents(request: Request) -> list[AgentTold]:
    """The agents that may be invited, solved strategies and guests too; `games` is null for those that play all."""
    shelf: AgentLibrary = request.app.state.shelf
    guests = [
        AgentTold(name=name, title=name, style=None, about="A guest of this service.", games=None)
        for name in shelf.guests
    ]
    solver, style = BUILT_IN["strategy"][1:]
    solved = [
        AgentTold(
            name=f"{PREFIX}{strategy.name}",
            title=f"{solver} ({strategy.name})",
            style=style,
            about=f"Plays what was solved: {strategy.origin}.",
            games=[strategy.game],
        )
        for strategy in shelf.all()
    ]
    return [*_agents(), *guests, *solved]


def prepare() -> None:
    """Read the catalogue, so that the first page does not wait for it."""
    variants()
    _agents()


@cache
def _agents() -> list[AgentTold]:
    return [
        AgentTold(
            name=agent.name,
            title=agent.title,
            style=agent.style,
            about=agent.about,
            games=None if len(agent.games) == len(names()) else list(agent.games),
        )
        for agent in describe_agents()
        if agent.name in OFFERED
    ]


@cache
def _variant(name: str) -> Variant:
    rules = load(name)
    structures = dict.fromkeys(str(part.betting.structure) for part in rules.rounds if part.betting)
    return Variant(
        name=name,
        title=rules.title or name,
        description=" ".join(rules.description.split()),
        min_players=rules.min_players,
        max_players=rules.max_players,
        structure=", ".join(structures) or "none",
        stack=rules.stack or 100 * rules.big_blind,
        blinds=list(rules.blinds),
        parameters=[ParameterTold(name=p.name, default=p.usual, title=p.description) for p in parameters(name)],
    )


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
