"""What `felt solve` works at: a game and an algorithm, or a strategy to go on with, as a solver.

`begin` is the one place where the name of an algorithm and of a form become a solver: a new kind of solver is added
here, as one more case that gives a `Task`.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from felt.cli.progress import progress_bar
from felt.cli.solve_gains import gains_by_deals
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.games import GameRules
    from felt.solvers.abstraction import Abstraction
    from felt.solvers.best_response import Evaluation
    from felt.solvers.sampled_gains import SampledGains
    from felt.solvers.tree import GameTree

NODES_A_MOMENT = 1_000_000
"""Nodes of a tree that is built before anybody waits; the size of a larger one is told."""

MUCH = 100e6
"""Bytes from which on the memory that a solver needs is told before it starts."""

FORMS = ("ends", "levels", "vector")
"""What can be swept over."""

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
    threads: int | None = None


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
    sampled: bool = False
    """Whether something is left to chance, so that many iterations are needed."""
    needed: float = 0.0
    """The most memory that it takes at a time, in bytes: at most what is allowed."""
    interval: "Callable[[Any], SampledGains] | None" = None
    """What is told of a strategy where the whole tree is too large to measure it."""

    @property
    def forgets(self) -> bool:
        """Whether players forget, so that best answers are known in the whole game only."""
        return bool(getattr(self.solver.tree, "forgets", False))


def begin(asked: Asked, names: list[str]) -> list[Task]:
    """A solver for each algorithm."""
    from felt.solvers.algorithm import ALGORITHMS
    from felt.solvers.dealt import plain_deals
    from felt.solvers.methods import BY_DEALS, check_method

    menu = read_menu(asked.sizes)
    names = [name or "dcfr" for name in names]
    asked = replace(asked, memory=asked.memory / len(names))  # all that are compared stand beside each other
    for name in names:
        check_method(name)
    if asked.form not in ("", *FORMS):
        raise FeltError(f"--form {asked.form}: use one of {', '.join(FORMS)}")
    if asked.threads is not None and (asked.form not in ("", "ends") or any(name not in ALGORITHMS for name in names)):
        raise FeltError(f"--threads share out sweeps over ends, of {', '.join(ALGORITHMS)}: leave it out")
    if asked.form == "vector":
        return [_vector(asked, name, menu) for name in names]
    if asked.kind not in ("", "32", "64"):
        raise FeltError(f"--float {asked.kind}: give 64 or 32; 16 with --form vector")
    dealt = [name in BY_DEALS and plain_deals(asked.rules) for name in names]
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
    from felt.solvers.vector_build import size_of_table, vector_tree

    kinds = {"": "float64", "64": "float64", "32": "float32", "16": "int16"}
    if method not in ALGORITHMS or asked.cards or asked.history:
        raise FeltError(f"--form vector is for {', '.join(ALGORITHMS)}, without --cards and --history")
    if asked.kind not in kinds:
        raise FeltError(f"--float {asked.kind}: give 64, 32 or 16")
    if asked.players not in (None, 2):
        raise FeltError(f"--form vector is for two players, not {asked.players}")
    kind = kinds[asked.kind]
    tree = vector_tree(asked.rules, asked.stack, sizes=menu, memory=asked.memory, kind=kind)
    needed = size_of_table(tree.table, kind).peak
    return Task(asked.rules, method, VectorSolver(tree, method, kind=kind), len(tree), needed=needed)


def _exact(asked: Asked, tree: "GameTree", method: str, whole: Any) -> Task:
    from felt.solvers.forgetful import ForgetfulSolver
    from felt.solvers.memory import bytes_of
    from felt.solvers.solver import Solver

    if tree.forgets:
        if asked.form or asked.kind or asked.threads:
            raise FeltError(
                "--history: where players forget there is one form, in 64 bits and one thread; leave --form, --float "
                "and --threads out"
            )
        forgetful = ForgetfulSolver(tree, method)
        return Task(asked.rules, method, forgetful, len(tree), measure=whole, needed=bytes_of(tree))
    solver = Solver(tree, method, form=asked.form or "ends", kind=f"float{asked.kind or 64}", threads=asked.threads)
    return Task(asked.rules, method, solver, len(tree), whole=whole, needed=bytes_of(tree))


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
    from felt.solvers.memory import memory_beside
    from felt.solvers.translation import whole_game

    return tree, whole_game(tree, memory=memory_beside(tree, asked.memory)).measure


def _abstraction(asked: Asked, menu: Any) -> "Abstraction | None":
    if not asked.cards and not asked.history:
        return None
    from felt.solvers.abstraction import HISTORY_HOOKS, Abstraction
    from felt.solvers.card_hooks import CARD_HOOKS

    for option, text, ready in (("cards", asked.cards, CARD_HOOKS), ("history", asked.history, HISTORY_HOOKS)):
        if text and ":" not in text and text not in ready:
            raise FeltError(f"--{option} {text}: use one of {', '.join(ready)}, or a function as module:function")
    return Abstraction(asked.cards or "all", asked.history or "all", menu, forget=bool(asked.history))


def _tell_size(asked: Asked, menu: Any) -> None:
    from felt.solvers.build import size_of

    size = size_of(asked.rules, asked.stack, players=asked.players, sizes=menu, memory=asked.memory)
    if NODES_A_MOMENT < size.nodes and size.peak <= asked.memory:
        tell(f"{asked.rules.name}: {size}")


def _other(asked: Asked, name: str, tree: "GameTree | None", menu: Any, whole: Any) -> Task:
    """Methods that leave something to chance, and those that prune."""
    from felt.solvers.memory import bytes_of
    from felt.solvers.methods import begin as begin_method

    if asked.cards or asked.history or asked.form or asked.kind:
        raise FeltError(f"--algorithm {name}: leave --cards, --history, --form and --float out")
    if tree is None:
        solver = begin_method(
            asked.rules, name, stacks=asked.stack, players=asked.players, sizes=menu, seed=asked.seed,
            memory=asked.memory,
        )  # fmt: skip
        return sampled_task(solver, asked.rules, name, asked.memory)
    solver = begin_method(tree, name, seed=asked.seed)
    sampled = hasattr(solver, "dice_state")
    return Task(
        asked.rules, name, solver, len(tree), measure=measure_in(tree), sampled=sampled, needed=bytes_of(tree)
    )  # fmt: skip


def measure_in(tree: "GameTree") -> "Callable[[Any], Evaluation]":
    """How a strategy is measured in a whole tree."""
    from felt.solvers.best_response import evaluate

    return lambda found: evaluate(tree, found)


def sampled_task(solver: Any, rules: "GameRules", name: str, memory: float) -> Task:
    """Sampled deals, measured where the whole tree is not too large for that."""
    from felt.solvers.best_response import Evaluation
    from felt.solvers.build import build_tree, size_of
    from felt.solvers.public import size_of_public

    stacks = solver.tree.game.hand.starting_stacks
    size = size_of(rules, stacks, sizes=solver.sizes, memory=memory)
    needed = size_of_public(solver.tree.game)
    beside = memory - needed
    if size.peak <= beside and size.nodes <= SAMPLED_MOST:
        tree = build_tree(rules, stacks, sizes=solver.sizes, memory=beside)
        return Task(
            rules, name, solver, size.nodes, measure=measure_in(tree), bytes=solver.bytes, sampled=True,
            needed=needed + size.peak,
        )  # fmt: skip
    unknown = (float("nan"),) * len(stacks)
    return Task(
        rules, name, solver, size.nodes, bytes=solver.bytes, sampled=True, needed=needed,
        measure=lambda found: Evaluation(unknown, unknown, found),
        interval=lambda found: gains_by_deals(solver.tree, found, memory=memory),
    )  # fmt: skip


def read_menu(text: str) -> Any:
    """Sizes of raises as they are typed."""
    from felt.games.tree import SIZES

    if not text:
        return SIZES
    if text.strip() == "all":
        return None
    try:
        menu = tuple(float(part) for part in text.split(","))
    except ValueError:
        menu = ()
    if not menu or not all(size > 0 for size in menu):  # nan is not above 0 either
        raise FeltError(f"--sizes {text!r}: give shares of the pot above 0, like 0.5,1,inf, or all")
    return menu


def tell_memory(task: Task, memory: float) -> None:
    """The bound that a solver keeps, before it starts, where it is more than anybody would overlook."""
    from felt.solvers.tree import told_bytes

    if task.needed > MUCH:
        tell(f"{task.rules.name} by {task.name}: up to {told_bytes(task.needed)} of the {told_bytes(memory)} allowed")


def tell(text: str) -> None:
    """One line for who waits, on a terminal only."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)
