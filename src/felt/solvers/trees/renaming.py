"""In which games suits are mere names, and what a player knows by the names that a tree gives them."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from felt.games.history import UNKNOWN
from felt.games.moves import EventKind
from felt.games.rules import GameRules
from felt.games.trees.tree import suits_matter
from felt.games.views.keys import view_information
from felt.games.views.view import View
from felt.solvers.trees.orbits import ALL, NONE, Renamings, fixing, smallest


@lru_cache(maxsize=64)
def renamings(rules: GameRules) -> Renamings:
    """The renamings of suits that leave a game as it is: up to 24, and one alone where suits have meanings.

    >>> from felt.games import load
    >>> len(renamings(load("nlhe"))), len(renamings(load("leduc")))
    (24, 1)
    """
    if not suits_matter(rules) or rules.has_draws or any("suit" in text for text in _formulas(rules)):
        return NONE  # by rank alone; or nobody can say what a formula makes of a suit
    return fixing(ALL, [rules.deck.cards, rules.showdown.wild])


def _formulas(rules: GameRules) -> Iterable[str]:
    return (text for score in rules.showdown.scoring for text in (score.subrank, *score.conditions))


def seen_information(view: View, *, suits: bool, isomorphic: bool) -> str:
    """What a seat knows (`games.views.keys.view_information`) by the names that suits have in an isomorphic tree."""
    known = renamings(view.rules)
    if not isomorphic or len(known) == 1:
        return view_information(view, suits=suits)
    shown = (event for event in view.history if event.kind in (EventKind.DOWN, EventKind.BOARD))
    groups = [event.cards for event in shown if UNKNOWN not in event.cards]
    row = np.array([[card for group in groups for card in sorted(group)]], dtype=np.uint8)
    _, renaming = smallest(row, [len(group) for group in groups], known)
    return view_information(view, suits=suits, names=known[renaming[0]].tolist())
