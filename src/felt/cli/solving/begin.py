"""What `felt solve` works at: a game and an algorithm, or a strategy to go on with, as a solver.

`begin` is the one place where the name of an algorithm and of a form become a solver: a new kind of solver is added
here, as one more case that gives a `Task`.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from felt.cli.progress import progress_bar
from felt.cli.solving.gains import gains_by_deals
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.abstraction.abstraction import Abstraction
    from felt.games import GameRules
    from felt.solvers.best_response import Evaluation
    from felt.solvers.sampling.gains import SampledGains
    from felt.solvers.trees.tree import GameTree

NODES_A_MOMENT = 1_000_000
"""Nodes of a tree that is built before anybody waits; the size of a larger one is told."""

MUCH = 100e6
"""Bytes from which on the memory that a solver needs is told before it starts."""

FORMS = ("ends", "levels", "vector")
"""What can be swept over."""

SAMPLED_MOST = 2_000_000
"""Nodes of a whole tree up to which the strategy of sampled deals is measured."""


@dataclass(frozen=True)
class SolveRequest:
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
class SolveTask:
    """A solver to run."""

    rules: "GameRules"
    name: str
    solver: Any
    nodes: int
    measure: "Callable[[Any], Evaluation] | None" = None
    """How a strategy is measured where the solver's own tree is not the measure."""
    measure_whole: "Callable[[Any], Evaluation] | None" = None
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


def begin(request: SolveRequest, names: list[str]) -> list[SolveTask]:
    """A solver for each algorithm."""
    from felt.games.trees.tree import plain_deals
    from felt.solvers.registry import BETTING, find_method, names_of

    menu = read_menu(request.sizes)
    names = [name or "dcfr" for name in names]
    request = replace(request, memory=request.memory / len(names))  # all that are compared stand beside each other
    methods = [find_method(name) for name in names]
    if request.form not in ("", *FORMS):
        raise FeltError(f"--form {request.form}: use one of {', '.join(FORMS)}")
    if request.threads is not None and (
        request.form not in ("", "ends") or not all(method.sweeps for method in methods)
    ):
        raise FeltError(f"--threads share out sweeps over ends, of {', '.join(names_of('ends'))}: leave it out")
    if request.form == "vector":
        return [_vector(request, name, menu) for name in names]
    if request.kind not in ("", "32", "64"):
        raise FeltError(f"--float {request.kind}: give 64 or 32; 16 with --form vector")
    dealt = [method.takes(BETTING) and plain_deals(request.rules) for method in methods]
    tree, measure_whole = (None, None) if all(dealt) else _tree(request, menu)
    tasks = []
    for name, method, by_deals in zip(names, methods, dealt, strict=True):
        if method.sweeps and tree is not None:
            tasks.append(_exact(request, tree, name, measure_whole))
        else:
            tasks.append(_other(request, name, None if by_deals else tree, menu, measure_whole))
    return tasks


def _vector(request: SolveRequest, method: str, menu: Any) -> SolveTask:
    """The public tree with all hands at every node."""
    from felt.solvers.public_tree.build import size_of_table, vector_tree
    from felt.solvers.public_tree.solver import VectorSolver
    from felt.solvers.registry import names_of

    kinds = {"": "float64", "64": "float64", "32": "float32", "16": "int16"}
    if method not in names_of("vector") or request.cards or request.history:
        raise FeltError(f"--form vector is for {', '.join(names_of('vector'))}, without --cards and --history")
    if request.kind not in kinds:
        raise FeltError(f"--float {request.kind}: give 64, 32 or 16")
    if request.players not in (None, 2):
        raise FeltError(f"--form vector is for two players, not {request.players}")
    kind = kinds[request.kind]
    tree = vector_tree(request.rules, request.stack, sizes=menu, memory=request.memory, kind=kind)
    needed = size_of_table(tree.table, kind).peak
    return SolveTask(request.rules, method, VectorSolver(tree, method, kind=kind), len(tree), needed=needed)


def _exact(request: SolveRequest, tree: "GameTree", method: str, measure_whole: Any) -> SolveTask:
    from felt.solvers.cfr.imperfect_recall import ForgetfulSolver
    from felt.solvers.cfr.solver import Solver
    from felt.solvers.memory import bytes_of

    if tree.forgets:
        if request.form or request.kind or request.threads:
            raise FeltError(
                "--history: where players forget there is one form, in 64 bits and one thread; leave --form, --float "
                "and --threads out"
            )
        forgetful = ForgetfulSolver(tree, method)
        return SolveTask(request.rules, method, forgetful, len(tree), measure=measure_whole, needed=bytes_of(tree))
    solver = Solver(
        tree, method, form=request.form or "ends", kind=f"float{request.kind or 64}", threads=request.threads
    )
    return SolveTask(request.rules, method, solver, len(tree), measure_whole=measure_whole, needed=bytes_of(tree))


def _tree(request: SolveRequest, menu: Any) -> "tuple[GameTree, Callable[[Any], Evaluation] | None]":
    """The tree to solve; and of an abstraction, what measures in the whole game, where that fits."""
    from felt.games.trees.tree import plain_deals
    from felt.solvers.trees.build import build_tree

    abstraction = _abstraction(request, menu)
    if abstraction is None and plain_deals(request.rules):
        _tell_size(request, menu)
    table: dict[str, Any] = {"players": request.players, "memory": request.memory}
    table |= {"sizes": menu} if abstraction is None else {"abstraction": abstraction}
    with progress_bar(f"Growing {request.rules.name}") as report:

        def watch(nodes: int, most: int) -> None:
            if report is not None:
                report(nodes, most, doing=f"Growing {request.rules.name}: {nodes:,} nodes so far, {most:,} fit")

        tree = build_tree(request.rules, request.stack, watch=watch, **table)
    if abstraction is None:
        return tree, None
    from felt.solvers.memory import memory_beside
    from felt.solvers.whole_game import whole_game

    return tree, whole_game(tree, memory=memory_beside(tree, request.memory)).measure


def _abstraction(request: SolveRequest, menu: Any) -> "Abstraction | None":
    if not request.cards and not request.history:
        return None
    from felt.abstraction.abstraction import HISTORY_HOOKS, Abstraction
    from felt.abstraction.buckets import CARD_HOOKS

    for option, text, ready in (("cards", request.cards, CARD_HOOKS), ("history", request.history, HISTORY_HOOKS)):
        if text and ":" not in text and text not in ready:
            raise FeltError(f"--{option} {text}: use one of {', '.join(ready)}, or a function as module:function")
    return Abstraction(request.cards or "all", request.history or "all", menu, forget=bool(request.history))


def _tell_size(request: SolveRequest, menu: Any) -> None:
    from felt.solvers.trees.build import size_of

    size = size_of(request.rules, request.stack, players=request.players, sizes=menu, memory=request.memory)
    if NODES_A_MOMENT < size.nodes and size.peak <= request.memory:
        tell(f"{request.rules.name}: {size}")


def _other(request: SolveRequest, name: str, tree: "GameTree | None", menu: Any, measure_whole: Any) -> SolveTask:
    """Methods that leave something to chance, and those that prune."""
    from felt.solvers.memory import bytes_of
    from felt.solvers.registry import METHODS
    from felt.solvers.registry import begin as begin_method

    if request.cards or request.history or request.form or request.kind:
        raise FeltError(f"--algorithm {name}: leave --cards, --history, --form and --float out")
    if tree is None:
        solver = begin_method(
            request.rules, name, stacks=request.stack, players=request.players, sizes=menu, seed=request.seed,
            memory=request.memory,
        )  # fmt: skip
        return sampled_task(solver, request.rules, name, request.memory)
    solver = begin_method(tree, name, seed=request.seed)
    return SolveTask(
        request.rules, name, solver, len(tree), measure=measure_in(tree), sampled=METHODS[name].samples,
        needed=bytes_of(tree),
    )  # fmt: skip


def measure_in(tree: "GameTree") -> "Callable[[Any], Evaluation]":
    """How a strategy is measured in a whole tree."""
    from felt.solvers.best_response import evaluate

    return lambda chances: evaluate(tree, chances)


def sampled_task(solver: Any, rules: "GameRules", name: str, memory: float) -> SolveTask:
    """Sampled deals, measured where the whole tree is not too large for that."""
    from felt.solvers.best_response import Evaluation
    from felt.solvers.sampling.betting import size_of_public
    from felt.solvers.trees.build import build_tree, size_of

    stacks, sizes = solver.tree.stacks, solver.tree.sizes
    size = size_of(rules, stacks, sizes=sizes, memory=memory)
    needed = size_of_public(solver.tree.game)
    beside = memory - needed
    if size.peak <= beside and size.nodes <= SAMPLED_MOST:
        tree = build_tree(rules, stacks, sizes=sizes, memory=beside)
        return SolveTask(
            rules, name, solver, size.nodes, measure=measure_in(tree), bytes=solver.bytes, sampled=True,
            needed=needed + size.peak,
        )  # fmt: skip
    unknown = (float("nan"),) * len(stacks)
    return SolveTask(
        rules, name, solver, size.nodes, bytes=solver.bytes, sampled=True, needed=needed,
        measure=lambda chances: Evaluation(unknown, unknown, chances),
        interval=lambda chances: gains_by_deals(solver.tree, chances, memory=memory),
    )  # fmt: skip


def read_menu(text: str) -> Any:
    """Sizes of raises as they are typed."""
    from felt.games.trees.tree import SIZES

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


def tell_memory(task: SolveTask, memory: float) -> None:
    """The bound that a solver keeps, before it starts, where it is more than anybody would overlook."""
    from felt.solvers.trees.tree import format_bytes

    if task.needed > MUCH:
        tell(
            f"{task.rules.name} by {task.name}: up to {format_bytes(task.needed)} of the {format_bytes(memory)} allowed"
        )


def tell(text: str) -> None:
    """One line for who waits, on a terminal only."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)
