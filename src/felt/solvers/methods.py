"""Every way to solve a game, by its name: one door for who lets people choose."""

from collections.abc import Sequence
from typing import Any

from felt.errors import FeltError
from felt.games.rules import GameRules
from felt.games.tree import SIZES, Sizes
from felt.solvers import dominance
from felt.solvers.algorithm import ALGORITHMS, check_name
from felt.solvers.any_solver import AnySolver
from felt.solvers.build import build_tree
from felt.solvers.memory import MEMORY
from felt.solvers.solver import Solver
from felt.solvers.tree import GameTree

SAMPLING = {
    "sampled": "CFR with sampled deals",
    "external": "external sampling",
    "outcome": "outcome sampling",
    "public-chance": "public chance sampling",
}
"""Methods that leave something to dice, by name."""

BY_DEALS = ("sampled", "external", "outcome")
"""Those of them that need no whole tree where cards can be dealt to the betting."""

METHODS = (*ALGORITHMS, "pruned", *SAMPLING)
"""All there are; `pruned` is linear CFR with regret-based pruning."""

NOT_SAVED = ("pruned",)
"""Those whose strategy no file keeps yet: what they have left out so far would have to go into it."""


def begin(
    game: GameRules | GameTree,
    method: str = "dcfr",
    *,
    stacks: Sequence[int] | int | None = None,
    players: int | None = None,
    sizes: Sizes = SIZES,
    memory: float = MEMORY,
    seed: int = 0,
    whole: bool = False,
    prune: bool = False,
    **options: Any,
) -> AnySolver:
    """A solver by the name of its method, ready to run.

    Methods that deal cards do so over the betting of a game, and take no memory for histories; with `whole`, external
    and outcome sampling walk over the whole tree instead, as they must where cards are open or exchanged. All others
    work on the whole tree, which is built where rules are given; with `prune`, dominated actions are left out of it
    (`felt.solvers.dominance`). `options` are for `felt.solvers.solver.Solver`. Whatever the method, a game is refused
    that would take more than `memory` bytes at any time (`felt.solvers.memory`).

    >>> from felt.games import load
    >>> solver = begin(load("kuhn"), "external", seed=1)
    >>> solver.run(100)
    >>> solver.algorithm.title, solver.iterations
    ('external sampling', 100)
    """
    check_method(method)
    if options and method not in ALGORITHMS:
        raise FeltError(f"{method} has no option {', '.join(options)}: leave it out")
    if isinstance(game, GameTree) and method == "sampled":
        raise FeltError("sampled deals go over the betting of a game: give its rules and not a tree")
    dealt = isinstance(game, GameRules) and method in BY_DEALS and not whole
    if isinstance(game, GameRules) and not dealt:
        room = memory / 2 if prune else memory  # the smaller tree is beside the whole one
        game = build_tree(game, stacks, players=players, sizes=sizes, memory=room)
    if prune:
        if not isinstance(game, GameTree):
            raise FeltError(f"{method} by deals has no tree to prune: leave prune out, or set whole")
        small = dominance.prune(game)
        return dominance.Lifted(small, _begin(small.tree, method, {}, seed, options))
    table = {"stacks": stacks, "players": players, "sizes": sizes, "memory": memory} if dealt else {}
    return _begin(game, method, table, seed, options)


def check_method(method: str) -> None:
    """Refuse a name that is none of `METHODS`."""
    check_name(method, METHODS)


def _begin(game: Any, method: str, table: dict[str, Any], seed: int, options: dict[str, Any]) -> AnySolver:
    from felt.solvers.external import ExternalSampling
    from felt.solvers.outcome import OutcomeSampling
    from felt.solvers.public_chance import PublicChanceSampling
    from felt.solvers.regret_pruning import PrunedSolver
    from felt.solvers.sampled import SampledSolver

    if method in ALGORITHMS:
        return Solver(game, method, **options)
    if method == "pruned":
        return PrunedSolver(game)
    if method == "public-chance":
        return PublicChanceSampling(game, seed=seed)
    walking: dict[str, Any] = {"sampled": SampledSolver, "external": ExternalSampling, "outcome": OutcomeSampling}
    made: AnySolver = walking[method](game, **table, seed=seed)
    return made
