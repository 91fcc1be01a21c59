"""Questions that compile the kernels of this room: see `felt._warm`."""

from collections.abc import Callable

import numpy as np

from felt.arena.conductor.prepare import called_down, prepare
from felt.arena.match.run import play
from felt.arena.match.spec import Match
from felt.games import GameRules, load
from felt.games.engine.compiled import compile_rules
from felt.games.engine.exact_payoffs import room_to_settle
from felt.games.engine.record import HAND, kernel_arrays
from felt.odds.strength.lookup import counted_hs, flop_hs
from felt.stats.records import count_hand

FIRST_GAME, FIRST_AGENT = "nlhe", "tag"
"""What the page offers first, so what a new player sees first."""


def first_hand() -> dict[str, Callable[[], object]]:
    """What to ask, each in a process of its own, so that a table of the first game deals without compiling anything."""
    rules = load(FIRST_GAME)
    return {
        "betting": lambda: prepare(rules, [FIRST_AGENT], lockstep=False),
        "showdown": lambda: (_showdown(rules), flop_hs((51, 50), (0, 17, 34)), counted_hs(*_RIVER)),
        "statistics": lambda: count_hand(called_down(rules)),
    }


_RIVER = np.array([[51, 50]], dtype=np.uint8), np.array([[0, 17, 34, 9, 2]], dtype=np.uint8)


def _showdown(rules: GameRules) -> object:
    """What divides the pot: a third of all that a hand needs, and it needs nothing of the rest."""
    from felt.games.engine.showdown_kernels import settle

    compiled, record = compile_rules(rules), np.zeros(HAND.itemsize, dtype=np.uint8)
    return settle(*kernel_arrays(record), compiled.game, compiled.tables, compiled.extra, *room_to_settle())


def steps() -> dict[str, Callable[[], object]]:
    """What to ask, by a name to show."""
    return {"a match": lambda: play(Match.of([_Wrong, "call"], load("kuhn")), hands=4, workers=1)}


class _Wrong:
    """An agent whose moves have to be replaced."""

    def act_batch(self, tables: object) -> object:
        return [9] * len(tables), [0] * len(tables)  # type: ignore[arg-type]
