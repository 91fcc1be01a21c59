"""The one list of solvers: what each is called, which games it takes, what it works on, and what files call that.

Commands, strategy files and docs read `METHODS`. A new solver is a class (`felt.solvers.cfr.base.AnySolver`) and a row
here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from felt.errors import FeltError
from felt.games.rules import GameRules
from felt.games.trees.tree import SIZES, Sizes
from felt.solvers.cfr.algorithm import ALGORITHMS, SAMPLING, Algorithm, check_name
from felt.solvers.cfr.base import AnySolver
from felt.solvers.memory import MEMORY
from felt.solvers.trees.tree import GameTree

HISTORY, PUBLIC, BETTING = "history", "public", "betting"
"""Trees that solvers work on: every history, of any game; public actions and boards, of games of two; the betting
alone, with cards dealt for each iteration. The last two are for games whose cards are not open and not exchanged."""


@dataclass(frozen=True)
class Form:
    """How a solver holds a game."""

    trees: tuple[str, ...]
    solver: str  # where its class is: module:class
    options: tuple[str, ...] = ()  # what the class takes beside a tree and an algorithm

    def make(self, tree: Any, *method: Algorithm, **options: Any) -> Any:
        """A solver of a tree."""
        module, _, name = self.solver.partition(":")
        return getattr(import_module(module), name)(tree, *method, **options)


SWEEPS: Mapping[str, Form] = {
    "ends": Form((HISTORY,), "felt.solvers.cfr.solver:Solver", ("form", "kind", "threads")),
    "levels": Form((HISTORY,), "felt.solvers.cfr.solver:Solver", ("form", "kind", "threads")),
    "vector": Form((PUBLIC,), "felt.solvers.public_tree.solver:VectorSolver", ("kind",)),
    "forgetful": Form((HISTORY,), "felt.solvers.cfr.imperfect_recall:ForgetfulSolver"),
}
"""The forms of algorithms that sweep over all deals, those of one's own among them."""


@dataclass(frozen=True)
class Method:
    """A way to solve a game."""

    algorithm: Algorithm
    forms: Mapping[str, Form]  # by the names that files give them; "" where no file keeps the strategy yet

    @property
    def sweeps(self) -> bool:
        """Whether every iteration sweeps over all deals, in a form that can be chosen."""
        return self.forms is SWEEPS

    @property
    def samples(self) -> bool:
        """Whether something is left to chance, so that there is a seed, and many iterations are needed."""
        return "sampling" in self.forms

    @property
    def saved(self) -> bool:
        """Whether a file can keep its strategy."""
        return "" not in self.forms

    def takes(self, tree: str) -> bool:
        """Whether it works on this kind of tree: `HISTORY`, `PUBLIC` or `BETTING`."""
        return any(tree in form.trees for form in self.forms.values())


def _sampling(solver: str, *trees: str) -> dict[str, Form]:
    return {"sampling": Form(trees, f"felt.solvers.sampling.{solver}")}


METHODS: Mapping[str, Method] = {
    **{name: Method(algorithm, SWEEPS) for name, algorithm in ALGORITHMS.items()},
    "pruned": Method(ALGORITHMS["linear"], {"": Form((HISTORY,), "felt.solvers.cfr.regret_pruning:PrunedSolver")}),
    "sampled": Method(SAMPLING["sampled"], _sampling("deals:SampledSolver", BETTING)),
    "external": Method(SAMPLING["external"], _sampling("base:ExternalSampling", BETTING, HISTORY)),
    "outcome": Method(SAMPLING["outcome"], _sampling("base:OutcomeSampling", BETTING, HISTORY)),
    "public-chance": Method(SAMPLING["public-chance"], _sampling("public_chance:PublicChanceSampling", HISTORY)),
}
"""All there are, by name; `pruned` is linear CFR with regret-based pruning."""

SAVED_FORMS = tuple(dict.fromkeys(name for method in METHODS.values() for name in method.forms if name))
"""What files may call a form."""


def find_method(name: str) -> Method:
    """A method by its name; a name that is none of `METHODS` is refused."""
    check_name(name, METHODS)
    return METHODS[name]


def names_of(form: str) -> tuple[str, ...]:
    """The methods that have a form."""
    return tuple(name for name, method in METHODS.items() if form in method.forms)


def find_form(method: str, form: str) -> Form:
    """How a method holds a game in this form; a method that is not listed is an algorithm of one's own."""
    return METHODS[method].forms[form] if form == "sampling" else SWEEPS[form]


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
    (`felt.solvers.trees.dominance`). `options` are for `felt.solvers.cfr.solver.Solver`. Whatever the method, a game is
    refused that would take more than `memory` bytes at any time (`felt.solvers.memory`).

    >>> from felt.games import load
    >>> solver = begin(load("kuhn"), "external", seed=1)
    >>> solver.run(100)
    >>> solver.algorithm.title, solver.iterations
    ('external sampling', 100)
    """
    from felt.solvers.sampling.betting import betting_of
    from felt.solvers.trees import dominance
    from felt.solvers.trees.build import build_tree

    entry = find_method(method)
    if options and not entry.sweeps:
        raise FeltError(f"{method} has no option {', '.join(options)}: leave it out")
    if isinstance(game, GameTree) and not entry.takes(HISTORY):
        raise FeltError("sampled deals go over the betting of a game: give its rules and not a tree")
    tree: Any = game
    if not isinstance(game, GameTree):
        if entry.takes(BETTING) and not whole:
            if prune:
                raise FeltError(f"{method} by deals has no tree to prune: leave prune out, or set whole")
            tree = betting_of(game, stacks, players=players, sizes=sizes, memory=memory)
        else:
            allowed = memory / 2 if prune else memory  # the smaller tree is beside the whole one
            tree = build_tree(game, stacks, players=players, sizes=sizes, memory=allowed)
    small = dominance.prune(tree) if prune else None
    if small is not None:
        tree = small.tree
    form = next(iter(entry.forms.values()))
    solver: AnySolver = form.make(tree, seed=seed) if entry.samples else form.make(tree, entry.algorithm, **options)
    return solver if small is None else dominance.Lifted(small, solver)
