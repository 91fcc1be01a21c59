"""The agents that come with Felt, described: for `felt agents` and for anybody who wants a list of them."""

import inspect
from dataclasses import dataclass
from typing import Any

from felt.agents.naming import BUILT_IN, entrant
from felt.games.catalogue import load, names

CHARACTERS = {
    "fold": ("Folder", "Tight, timid, harmless"),
    "call": ("Calling station", "Loose, passive, stubborn"),
    "raise": ("Maniac", "Loose, aggressive, relentless"),
    "allin": ("Gambler", "Loose, reckless, all-in"),
    "random": ("Dice roller", "Loose, wild, unreadable"),
    "chen": ("Bookworm", "Tight, steady, bookish"),
    "potodds": ("Accountant", "Tight, passive, exact"),
    "ehs": ("Mathematician", "Tight, aggressive, changeable"),
    "tag": ("Regular", "Tight, aggressive, patient"),
    "pushfold": ("Short stack", "Fearless, exact, all-in"),
    "strategy": ("Solver", "Solved, mixed, balanced"),
    "dials": ("All-rounder", "Tight, bluffing, adjustable"),
}
"""What players call the agents, and their style in three words; their strength is for matches to say."""


@dataclass(frozen=True)
class Described:
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
    return Described(name, *CHARACTERS[name], about, {one.name: one.default for one in taken}, games)
