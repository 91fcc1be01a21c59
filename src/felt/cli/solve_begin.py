"""What `felt solve` works at: a game and an algorithm, or a strategy to go on with, as a solver.

`begin` is the one place where the name of an algorithm and of a form become a solver: a new kind of solver is added
here, as one more case that gives a `Task`.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from felt.cli.progress import progress_bar
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.games import GameRules
    from felt.solvers.abstraction import Abstraction
    from felt.solvers.best_response import Evaluation
    from felt.solvers.tree import GameTree

NODES_A_MOMENT = 1_000_000
"""Nodes of a tree that is built before anybody waits; the size of a larger one is told."""

METHODS_BY_DEALS = ("sampled", "external", "outcome")
"""Methods that need no whole tree where cards can be dealt to the betting."""

SAMPLED_MOST = 2_000_000
"""Nodes of a whole tree up to which the strategy of sampled deals is measured."""


@dataclass(frozen=True)
class Asked:
    """A game as it was asked for."""

    rules: "GameRules"
    players: int | None
    stack: int | None
    sizes: str
    cards: str
    history: str
    form: str
    kind: str
    memory: float
    seed: int


@dataclass(frozen=True)
class Task:
    """A solver to run."""

    rules: "GameRules"
    name: str
    solver: Any
    nodes: int
    measure: "Callable[[Any], Evaluation] | None" = None
    """How a strategy is measured where the solver's own tree is not the measure."""
    whole: "Callable[[Any], Evaluation] | None" = None
    """The same in the whole game, of a strategy for an abstraction."""
    bytes: int | None = None
    measured: bool = True
    sampled: bool = False
    """Whether something is left to chance, so that many iterations are needed."""


def begin(asked: Asked, names: list[str]) -> list[Task]:
    """A solver for each algorithm."""
    from felt.solvers.algorithm import ALGORITHMS
    from felt.solvers.dealt import plain_deals
    from felt.solvers.methods import check_method

    menu = read_menu(asked.sizes)
    names = [name or "dcfr" for name in names]
    for name in names:
        check_method(name)
    if asked.form == "vector":
        return [_vector(asked, name, menu) for name in names]
    if asked.kind not in ("", "32", "64"):
        raise FeltError(f"--float {asked.kind}: give 64 or 32; 16 with --form vector")
    dealt = [name in METHODS_BY_DEALS and plain_deals(asked.rules) for name in names]
    tree, whole = (None, None) if all(dealt) else _tree(asked, menu)
    tasks = []
    for name, by_deals in zip(names, dealt, strict=True):
        if name in ALGORITHMS and tree is not None:
            tasks.append(_exact(asked, tree, name, whole))
        else:
            tasks.append(_other(asked, name, None if by_deals else tree, menu, whole))
    return tasks


def _vector(asked: Asked, method: str, menu: Any) -> Task:
    """The public tree with all hands at every node."""
    from felt.solvers.algorithm import ALGORITHMS
    from felt.solvers.vector import VectorSolver
    from felt.solvers.vector_build import vector_tree

    kinds = {"": "float64", "64": "float64", "32": "float32", "16": "int16"}
    if method not in ALGORITHMS or asked.cards or asked.history:
        raise FeltError(f"--form vector is for {', '.join(ALGORITHMS)}, without --cards and --history")
    if asked.kind not in kinds:
        raise FeltError(f"--float {asked.kind}: give 64, 32 or 16")
    if asked.players not in (None, 2):
        raise FeltError(f"--form vector is for two players, not {asked.players}")
    kind = kinds[asked.kind]
    tree = vector_tree(asked.rules, asked.stack, sizes=menu, memory=asked.memory, kind=kind)
    return Task(asked.rules, method, VectorSolver(tree, method, kind=kind), len(tree))


def _exact(asked: Asked, tree: "GameTree", method: str, whole: Any) -> Task:
    from felt.solvers.forgetful import ForgetfulSolver
    from felt.solvers.solver import Solver

    if tree.forgets:
        if asked.form or asked.kind:
            raise FeltError(
                "--history: where players forget there is one form, in 64 bits; leave --form and --float out"
            )
        return Task(asked.rules, method, ForgetfulSolver(tree, method), len(tree), measure=whole)
    solver = Solver(tree, method, form=asked.form or "ends", kind=f"float{asked.kind or 64}")
    return Task(asked.rules, method, solver, len(tree), whole=whole)


def _tree(asked: Asked, menu: Any) -> "tuple[GameTree, Callable[[Any], Evaluation] | None]":
    """The tree to solve; and of an abstraction, what measures in the whole game, where that fits."""
    from felt.solvers.build import build_tree
    from felt.solvers.dealt import plain_deals

    abstraction = _abstraction(asked, menu)
    if abstraction is None and plain_deals(asked.rules):
        _tell_size(asked, menu)
    table: dict[str, Any] = {"players": asked.players, "memory": asked.memory}
    table |= {"sizes": menu} if abstraction is None else {"abstraction": abstraction}
    with progress_bar(f"Growing {asked.rules.name}") as report:

        def watch(nodes: int, most: int) -> None:
            if report is not None:
                report(nodes, most, doing=f"Growing {asked.rules.name}: {nodes:,} nodes so far, {most:,} fit")

        tree = build_tree(asked.rules, asked.stack, watch=watch, **table)
    if abstraction is None:
        return tree, None
    from felt.solvers.translation import whole_game

    return tree, whole_game(tree, memory=asked.memory).measure


def _abstraction(asked: Asked, menu: Any) -> "Abstraction | None":
    if not asked.cards and not asked.history:
        return None
    from felt.solvers.abstraction import Abstraction

    return Abstraction(asked.cards or "all", asked.history or "all", menu, forget=bool(asked.history))


def _tell_size(asked: Asked, menu: Any) -> None:
    from felt.solvers.build import size_of

    size = size_of(asked.rules, asked.stack, players=asked.players, sizes=menu)
    if NODES_A_MOMENT < size.nodes and size.bytes <= asked.memory:
        tell(f"{asked.rules.name}: {size}")


def _other(asked: Asked, name: str, tree: "GameTree | None", menu: Any, whole: Any) -> Task:
    """Methods that leave something to chance, and those that prune."""
    from felt.solvers.methods import begin as begin_method

    if asked.cards or asked.history or asked.form or asked.kind:
        raise FeltError(f"--algorithm {name}: leave --cards, --history, --form and --float out")
    if tree is None:
        solver = begin_method(asked.rules, name, stacks=asked.stack, players=asked.players, sizes=menu, seed=asked.seed)
        return _sampled_task(solver, asked.rules, name, asked.memory)
    solver = begin_method(tree, name, seed=asked.seed)
    return Task(asked.rules, name, solver, len(tree), measure=_measure(tree), sampled=hasattr(solver, "dice_state"))


def _measure(tree: "GameTree") -> "Callable[[Any], Evaluation]":
    from felt.solvers.best_response import evaluate

    return lambda found: evaluate(tree, found)


def _sampled_task(solver: Any, rules: "GameRules", name: str, memory: float) -> Task:
    """Sampled deals, measured where the whole tree is not too large for that."""
    from felt.solvers.best_response import Evaluation
    from felt.solvers.build import build_tree, size_of

    stacks = solver.tree.game.hand.starting_stacks
    size = size_of(rules, stacks, sizes=solver.sizes)
    if size.bytes <= memory and size.nodes <= SAMPLED_MOST:
        tree = build_tree(rules, stacks, sizes=solver.sizes, memory=memory)
        return Task(rules, name, solver, size.nodes, measure=_measure(tree), bytes=solver.bytes, sampled=True)
    unknown = (float("nan"),) * len(stacks)
    return Task(
        rules, name, solver, size.nodes, bytes=solver.bytes, measured=False, sampled=True,
        measure=lambda found: Evaluation(unknown, unknown, found),
    )  # fmt: skip


def resume(path: Path, memory: float) -> Task:
    """A strategy's solver, as it was when it was saved."""
    from felt.solvers.solver import Solver
    from felt.solvers.strategy import load_strategy

    strategy = load_strategy(path)
    solver = strategy.solver(memory=memory)
    if not strategy.whole:
        return _sampled_task(solver, strategy.rules, strategy.algorithm, memory)
    whole = None
    if strategy.abstraction is not None:
        from felt.solvers.translation import whole_game

        whole = whole_game(solver.tree, memory=memory).measure
    if strategy.form == "vector":
        return Task(strategy.rules, strategy.algorithm, solver, len(solver.tree))
    if not isinstance(solver, Solver):
        measure = whole or _measure(solver.tree)
        sampled = strategy.dice is not None
        return Task(strategy.rules, strategy.algorithm, solver, len(solver.tree), measure=measure, sampled=sampled)
    return Task(strategy.rules, strategy.algorithm, solver, len(solver.tree), whole=whole)


def read_menu(text: str) -> Any:
    """Sizes of raises as they are typed."""
    from felt.games.tree import SIZES

    if not text:
        return SIZES
    if text.strip() == "all":
        return None
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise FeltError(f"--sizes {text!r}: give shares of the pot, like 0.5,1,inf, or all") from None


def tell(text: str) -> None:
    """One line for who waits, on a terminal only."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)
