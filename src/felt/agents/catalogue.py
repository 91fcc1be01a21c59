"""The agents that come with Felt, described: for `felt agents` and for anybody who wants a list of them."""

import inspect
from dataclasses import dataclass
from typing import Any

from felt.agents.naming import BUILT_IN, entrant
from felt.games.catalogue import load, names


@dataclass(frozen=True)
class AgentDescription:
    """One agent."""

    name: str
    title: str
    """What players call it."""
    style: str
    """How it plays, in three words."""
    about: str
    """What it does, in a sentence."""
    parameters: dict[str, Any]
    """With their defaults."""
    games: tuple[str, ...]
    """The variants of the catalogue that it plays."""


def describe_agents() -> tuple[AgentDescription, ...]:
    """All built-in agents.

    >>> [agent.name for agent in describe_agents() if len(agent.games) < len(names())]
    ['chen', 'pushfold', 'strategy']
    """
    return tuple(map(_describe, BUILT_IN))


def _describe(name: str) -> AgentDescription:
    kind = entrant(name).kind
    about = inspect.cleandoc(kind.__doc__ or "").splitlines()[0]
    taken = inspect.signature(kind).parameters.values()
    agent, rules = kind(), {game: load(game) for game in names()}
    games = tuple(game for game, game_rules in rules.items() if agent.plays(game_rules, game_rules.min_players) is None)
    return AgentDescription(
        name, *BUILT_IN[name][1:], about, {parameter.name: parameter.default for parameter in taken}, games
    )
