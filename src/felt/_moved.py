"""Modules that have moved since 0.1: the old path is imported as the new one, with a warning, for one release.

`docs/upgrading.md` lists them for users. Where the old path is a folder now, there is no row: the folder exports the
names.
"""

import sys
import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MOVED = {
    "felt.arena.conduct": "felt.arena.conductor.conduct",
    "felt.arena.prepare": "felt.arena.conductor.prepare",
    "felt.arena.runs": "felt.arena.schedule.runs",
    "felt.cards.kinds": "felt.cards.ranking.kinds",
    "felt.cards.range": "felt.cards.ranges.range",
    "felt.cards.wild": "felt.cards.ranking.wild",
    "felt.games.batch": "felt.games.engine.batch",
    "felt.games.expressions": "felt.games.scoring.expressions",
    "felt.games.facts": "felt.games.views.facts",
    "felt.games.formulas": "felt.games.scoring.formulas",
    "felt.games.kernels": "felt.games.engine.kernels",
    "felt.games.record": "felt.games.engine.record",
    "felt.games.shares": "felt.games.engine.exact_payoffs",
    "felt.games.tree": "felt.games.trees.tree",
    "felt.games.tree_counts": "felt.games.trees.counts",
    "felt.interop.acpc_game": "felt.interop.acpc.game",
    "felt.interop.envs": "felt.learning.environments",
    "felt.interop.phh_writer": "felt.interop.phh.writer",
    "felt.odds.at_state": "felt.odds.state.at_state",
    "felt.odds.few": "felt.odds.equity.exact",
    "felt.odds.from_view": "felt.odds.state.from_view",
    "felt.odds.showdown": "felt.odds.equity.showdown",
    "felt.server.app": "felt.server.web.app",
    "felt.solvers.abstraction": "felt.abstraction.abstraction",
    "felt.solvers.build": "felt.solvers.trees.build",
    "felt.solvers.dominance": "felt.solvers.trees.dominance",
    "felt.solvers.forgetful": "felt.solvers.cfr.imperfect_recall",
    "felt.solvers.icm": "felt.solvers.pushfold.icm",
    "felt.solvers.methods": "felt.solvers.registry",
    "felt.solvers.pushfold_game": "felt.solvers.pushfold.game",
    "felt.solvers.pushfold_lookup": "felt.solvers.pushfold.lookup",
    "felt.solvers.pushfold_multi": "felt.solvers.pushfold.multiway",
    "felt.solvers.pushfold_multi_game": "felt.solvers.pushfold.multiway_game",
    "felt.solvers.pushfold_scan": "felt.solvers.pushfold.scan",
    "felt.solvers.sampled": "felt.solvers.sampling.deals",
    "felt.solvers.sampled_gains": "felt.solvers.sampling.gains",
    "felt.solvers.solver": "felt.solvers.cfr.solver",
    "felt.solvers.spots": "felt.solvers.public_tree.build",
    "felt.solvers.translation": "felt.solvers.whole_game",
    "felt.solvers.vanilla": "felt.solvers.cfr.recursive",
    "felt.solvers.vector": "felt.solvers.public_tree.solver",
    "felt.solvers.vector_build": "felt.solvers.public_tree.build",
    "felt.store.matches": "felt.store.log.matches",
    "felt.store.reading": "felt.store.log.reading",
    "felt.store.run_hands": "felt.store.log.matches",
    "felt.store.runs": "felt.store.log.matches",
}


def warn_renamed(old: str, new: str) -> None:
    """Say that a name, or an argument, has another name now; `stacklevel` shows the line that uses it."""
    warnings.warn(f"{old} is {new} now: the old name works until 0.3", DeprecationWarning, stacklevel=3)


def renamed_arguments(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function take arguments under their old names too, with a warning."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old, new in names.items():
                if old in kwargs:
                    warn_renamed(f"argument {old} of {function.__name__}", new)
                    kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate


class _Package(ModuleType):
    """A package that exports a name which a module in it had before: the old module does not take its place."""

    def __setattr__(self, name: str, value: object) -> None:
        moved = isinstance(value, ModuleType) and f"{self.__name__}.{name}" in MOVED
        if not (moved and name in getattr(self, "__all__", ())):
            super().__setattr__(name, value)


class _Mover:
    """Finds a module by its old path, after all usual finders have failed. A finder and loader by its methods alone:
    `importlib.abc` would cost every command 20 ms."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in MOVED:
            return None
        return ModuleSpec(fullname, self)  # type: ignore[arg-type]  # a loader by its methods

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = MOVED[spec.name]
        sys.modules[spec.name.rpartition(".")[0]].__class__ = _Package
        warnings.warn(f"{spec.name} is {new} now: the old path works until 0.3", DeprecationWarning, stacklevel=2)
        module = import_module(new)
        self.true_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.true_spec  # the import system has set that of the old path


def install() -> None:
    """Have old paths found from now on."""
    sys.meta_path.append(_Mover())
