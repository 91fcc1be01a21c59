"""The agents that come with Felt, described: for `felt agents` and for anybody who wants a list of them."""

import inspect
from dataclasses import dataclass
from typing import Any

from felt.agents.naming import BUILT_IN, entrant
from felt.games.catalogue import load, names


@dataclass(frozen=True)
class Described:
    """One agent."""

    name: str
    about: str
    """What it does, in a sentence."""
    parameters: dict[str, Any]
    """With their defaults."""
    games: tuple[str, ...]
    """The variants of the catalogue that it plays."""


def described() -> tuple[Described, ...]:
    """All built-in agents.

    >>> [agent.name for agent in described() if len(agent.games) < len(names())]
    ['chen', 'pushfold', 'strategy']
    """
    return tuple(map(_describe, BUILT_IN))


def _describe(name: str) -> Described:
    kind = entrant(name).kind
    about = inspect.cleandoc(kind.__doc__ or "").splitlines()[0]
    taken = inspect.signature(kind).parameters.values()
    agent, rules = kind(), {game: load(game) for game in names()}
    games = tuple(game for game, one in rules.items() if agent.plays(one, one.min_players) is None)
    return Described(name, about, {one.name: one.default for one in taken}, games)
