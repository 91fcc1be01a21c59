"""`felt agents`: the agents that come with Felt."""

from typing import TYPE_CHECKING

from felt.cli import output
from felt.cli.options import Json

if TYPE_CHECKING:
    from felt.agents.catalogue import AgentDescription


def agents(json: Json = False) -> None:
    """List the agents that come with Felt: what they do, their parameters, which games they play.

    Give one with parameters as `ehs:opponents=2`, one of your own as `./bot.py:Bot`, any program as
    `cmd:./bot` or `tcp:HOST:PORT`.

    Example: `felt agents`
    """
    from dataclasses import asdict

    from felt.agents.catalogue import describe_agents
    from felt.games import names

    descriptions = describe_agents()
    if json:
        output.print_json({"agents": [asdict(agent) for agent in descriptions]})
        return
    table = output.table("agent", "what it does", "parameters", "games")
    for agent in descriptions:
        table.add_row(agent.name, output.plain(agent.about), _parameters(agent), _games(agent, len(names())))
    output.show(table)
    some = {agent.name: agent.games for agent in descriptions if 0 < len(agent.games) < len(names())}
    for name, games in some.items():
        output.say(f"\n[dim]{name} plays[/] {', '.join(games)}")


def _parameters(agent: "AgentDescription") -> str:
    return ", ".join(f"{name}={str(value).lower()}" for name, value in agent.parameters.items())


def _games(agent: "AgentDescription", every: int) -> str:
    return "all" if len(agent.games) == every else f"{len(agent.games)} of {every}"
