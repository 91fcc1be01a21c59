"""`felt agents`: the agents that come with Felt."""

from felt.cli import output
from felt.cli.options import Json


def agents(json: Json = False) -> None:
    """List the agents that come with Felt: what they do, their parameters, which games they play.

    Give one with parameters as `ehs:opponents=2`, one of your own as `./bot.py:Bot`, any program as
    `cmd:./bot` or `tcp:HOST:PORT`.

    Example: `felt agents`
    """
    from dataclasses import asdict

    from felt.agents.catalogue import describe_agents
    from felt.games import names

    descriptions, every = describe_agents(), len(names())
    if json:
        output.print_json({"agents": [asdict(agent) for agent in descriptions]})
        return
    table = output.table("agent", "what it does", "parameters", "games")
    for agent in descriptions:
        parameters = ", ".join(f"{name}={str(value).lower()}" for name, value in agent.parameters.items())
        games = "all" if len(agent.games) == every else f"{len(agent.games)} of {every}"
        table.add_row(agent.name, output.plain(agent.about), parameters, games)
    output.show(table)
    for agent in descriptions:
        if 0 < len(agent.games) < every:
            output.say(f"\n[dim]{agent.name} plays[/] {', '.join(agent.games)}")
