"""What `felt solve` works at: a game and an algorithm, or a strategy to go on with, as a solver.

`begin` is the one place where the name of an algorithm and of a form become a solver: a new kind of solver is added
here, as one more case that gives a `Task`.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from felt.cli.games.finding import Settings
from felt.cli.options import (
    Json,
    argument,
    count_number,
    field_option,
    gigabytes,
    number,
    seed_number,
    shared_option,
    thread_number,
)
from felt.cli.output import has_terminal, progress_bar
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.abstraction.abstraction import Abstraction
    from felt.games import GameRules
    from felt.solvers.best_response import Evaluation
    from felt.solvers.sampling.betting import PublicTree
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


WORK = 50_000_000
"""Places of the betting, for each player and deal, that are looked at to bound gains: some seconds."""

LEAST, MOST = 100, 20_000
"""Deals that are looked at, whatever the size of the betting."""

Memory = Annotated[float, shared_option("--memory", "GB", "Memory that it may take, like 4 or 200MB.", gigabytes)]


@dataclass(kw_only=True)
class SolveOptions:
    """The options of `felt solve`."""

    game: Annotated[str, argument("GAME", "A variant, or a file; or a strategy to go on with.")]
    algorithm: str = field_option(
        "",
        "--algorithm",
        "NAMES",
        "cfr, cfr+, linear, dcfr, predictive or pruned; or sampled, external, outcome, public-chance. "
        "Several, like cfr,dcfr, are compared.",
    )
    iterations: int | None = field_option(None, "--iterations", "N", "Stop after N iterations in all.", count_number)
    target: float | None = field_option(
        None, "--target", "CHIPS", "Stop at this exploitability, in chips a hand.", number
    )
    players: int | None = field_option(None, "--players", "N", "Players at the table.", count_number)
    stack: int | None = field_option(None, "--stack", "CHIPS", "Everybody's stack.", count_number)
    sizes: str = field_option("", "--sizes", "LIST", "Raises in pots, like 0.5,1,inf; or all.")
    cards: str = field_option("", "--cards", "HOOK", "Hands put together: suits, ranks or ehs:N.")
    history: str = field_option("", "--history", "HOOK", "Moves that are remembered: street or raises.")
    settings: Settings = None
    save: Path | None = field_option(None, "--save", "FILE", "Write the strategy to this file; each minute, too.")
    plot: Path | None = field_option(None, "--plot", "FILE", "Draw how the exploitability falls, as .svg or .png.")
    form: str = field_option("", "--form", "FORM", "What is swept over: ends, levels or vector.")
    seed: int = field_option(0, "--seed", "N", "Of what is left to chance.", seed_number)
    kind: str = field_option("", "--float", "BITS", "Keep numbers in 64, 32 or 16 bits.")
    threads: int | None = field_option(None, "--threads", "N", "Threads that share out large sweeps.", thread_number)
    memory: Memory = 4.0
    json: Json = False


@dataclass(frozen=True)
class SolveRequest:
    """A game as it was asked for."""

    rules: "GameRules"
    options: SolveOptions
    menu: Any
    """Sizes of raises."""
    memory: float
    """Bytes for each solver."""


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


def begin(rules: "GameRules", options: SolveOptions, names: list[str]) -> list[SolveTask]:
    """A solver for each algorithm."""
    from felt.games.trees.tree import plain_deals
    from felt.solvers.registry import BETTING, find_method, names_of

    names = [name or "dcfr" for name in names]
    # all that are compared stand beside each other
    request = SolveRequest(rules, options, read_menu(options.sizes), options.memory * 1e9 / len(names))
    methods = [find_method(name) for name in names]
    if options.form not in ("", *FORMS):
        raise FeltError(f"--form {options.form}: use one of {', '.join(FORMS)}")
    if options.threads is not None and (
        options.form not in ("", "ends") or not all(method.sweeps for method in methods)
    ):
        raise FeltError(f"--threads share out sweeps over ends, of {', '.join(names_of('ends'))}: leave it out")
    if options.form == "vector":
        return [_vector(request, name) for name in names]
    if options.kind not in ("", "32", "64"):
        raise FeltError(f"--float {options.kind}: give 64 or 32; 16 with --form vector")
    dealt = [method.takes(BETTING) and plain_deals(rules) for method in methods]
    tree, measure_whole = (None, None) if all(dealt) else _tree(request)
    tasks = []
    for name, method, by_deals in zip(names, methods, dealt, strict=True):
        if method.sweeps and tree is not None:
            tasks.append(_exact(request, tree, name, measure_whole))
        else:
            tasks.append(_other(request, name, None if by_deals else tree))
    return tasks


def _vector(request: SolveRequest, method: str) -> SolveTask:
    """The public tree with all hands at every node."""
    from felt.solvers.public_tree.build import size_of_table, vector_tree
    from felt.solvers.public_tree.solver import VectorSolver
    from felt.solvers.registry import names_of

    options = request.options
    kinds = {"": "float64", "64": "float64", "32": "float32", "16": "int16"}
    if method not in names_of("vector") or options.cards or options.history:
        raise FeltError(f"--form vector is for {', '.join(names_of('vector'))}, without --cards and --history")
    if options.kind not in kinds:
        raise FeltError(f"--float {options.kind}: give 64, 32 or 16")
    if options.players not in (None, 2):
        raise FeltError(f"--form vector is for two players, not {options.players}")
    kind = kinds[options.kind]
    tree = vector_tree(request.rules, options.stack, sizes=request.menu, memory=request.memory, kind=kind)
    needed = size_of_table(tree.table, kind).peak
    return SolveTask(request.rules, method, VectorSolver(tree, method, kind=kind), len(tree), needed=needed)


def _exact(request: SolveRequest, tree: "GameTree", method: str, measure_whole: Any) -> SolveTask:
    from felt.solvers.cfr.imperfect_recall import ForgetfulSolver
    from felt.solvers.cfr.solver import Solver
    from felt.solvers.memory import bytes_of

    options = request.options
    if tree.forgets:
        if options.form or options.kind or options.threads:
            raise FeltError(
                "--history: where players forget there is one form, in 64 bits and one thread; leave --form, --float "
                "and --threads out"
            )
        forgetful = ForgetfulSolver(tree, method)
        return SolveTask(request.rules, method, forgetful, len(tree), measure=measure_whole, needed=bytes_of(tree))
    solver = Solver(
        tree, method, form=options.form or "ends", kind=f"float{options.kind or 64}", threads=options.threads
    )
    return SolveTask(request.rules, method, solver, len(tree), measure_whole=measure_whole, needed=bytes_of(tree))


def _tree(request: SolveRequest) -> "tuple[GameTree, Callable[[Any], Evaluation] | None]":
    """The tree to solve; and of an abstraction, what measures in the whole game, where that fits."""
    from felt.games.trees.tree import plain_deals
    from felt.solvers.trees.build import build_tree, size_of

    rules, options, menu = request.rules, request.options, request.menu
    abstraction = _abstraction(options, menu)
    if abstraction is None and plain_deals(rules):
        size = size_of(rules, options.stack, players=options.players, sizes=menu, memory=request.memory)
        if NODES_A_MOMENT < size.nodes and size.peak <= request.memory:
            tell(f"{rules.name}: {size}")
    table: dict[str, Any] = {"sizes": menu} if abstraction is None else {"abstraction": abstraction}
    with progress_bar(f"Growing {rules.name}") as report:

        def watch(nodes: int, most: int) -> None:
            if report is not None:
                report(nodes, most, doing=f"Growing {rules.name}: {nodes:,} nodes so far, {most:,} fit")

        tree = build_tree(rules, options.stack, players=options.players, memory=request.memory, watch=watch, **table)
    return tree, None if abstraction is None else measure_in_whole_game(tree, request.memory)


def _abstraction(options: SolveOptions, menu: Any) -> "Abstraction | None":
    if not options.cards and not options.history:
        return None
    from felt.abstraction.abstraction import HISTORY_HOOKS, Abstraction
    from felt.abstraction.buckets import CARD_HOOKS

    for name, text, ready in (("cards", options.cards, CARD_HOOKS), ("history", options.history, HISTORY_HOOKS)):
        if text and ":" not in text and text not in ready:
            raise FeltError(f"--{name} {text}: use one of {', '.join(ready)}, or a function as module:function")
    return Abstraction(options.cards or "all", options.history or "all", menu, forget=bool(options.history))


def _other(request: SolveRequest, name: str, tree: "GameTree | None") -> SolveTask:
    """Methods that leave something to chance, and those that prune."""
    from felt.solvers.memory import bytes_of
    from felt.solvers.registry import METHODS
    from felt.solvers.registry import begin as begin_method

    rules, options = request.rules, request.options
    if options.cards or options.history or options.form or options.kind:
        raise FeltError(f"--algorithm {name}: leave --cards, --history, --form and --float out")
    if tree is None:
        solver = begin_method(
            rules, name, stacks=options.stack, players=options.players, sizes=request.menu, seed=options.seed,
            memory=request.memory,
        )  # fmt: skip
        return sampled_task(solver, rules, name, request.memory)
    solver = begin_method(tree, name, seed=options.seed)
    return SolveTask(
        rules, name, solver, len(tree), measure=measure_in(tree), sampled=METHODS[name].samples, needed=bytes_of(tree)
    )  # fmt: skip


def measure_in(tree: "GameTree") -> "Callable[[Any], Evaluation]":
    """How a strategy is measured in a whole tree."""
    from felt.solvers.best_response import evaluate

    return lambda chances: evaluate(tree, chances)


def measure_in_whole_game(tree: "GameTree", memory: float) -> "Callable[[Any], Evaluation]":
    """How a strategy for an abstraction is measured in the game that it is of."""
    from felt.solvers.memory import memory_beside
    from felt.solvers.whole_game import whole_game

    return whole_game(tree, memory=memory_beside(tree, memory)).measure


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


def gains_by_deals(
    tree: "PublicTree", chances: Any, deals: int | None = None, *, memory: float | None = None
) -> "SampledGains":
    """Gains from sampled deals: so many, or as many as take some seconds."""
    from felt.solvers.memory import MEMORY
    from felt.solvers.sampling.gains import sampled_gains

    fit = WORK // (len(tree.player) * tree.infosets.players)
    count = min(max(fit, LEAST), MOST) if deals is None else deals
    return sampled_gains(tree, chances, deals=count, memory=MEMORY if memory is None else memory)


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
    if has_terminal():
        print(text, file=sys.stderr, flush=True)


def resume(path: Path, memory: float, threads: int | None = None) -> SolveTask:
    """A strategy's solver, as it was when it was saved."""
    from felt.solvers.memory import bytes_of
    from felt.solvers.public_tree.build import size_of_table
    from felt.solvers.strategy import load_strategy

    strategy = load_strategy(path)
    solver = strategy.solver(memory=memory, threads=threads)
    if not strategy.whole:
        return sampled_task(solver, strategy.rules, strategy.algorithm, memory)
    about = strategy.rules, strategy.algorithm, solver, len(solver.tree)
    if strategy.form == "vector":
        return SolveTask(*about, needed=size_of_table(solver.tree.table, solver.kind).peak)
    measure_whole = None if strategy.abstraction is None else measure_in_whole_game(solver.tree, memory)
    needed = bytes_of(solver.tree)
    if strategy.form in ("ends", "levels"):
        return SolveTask(*about, measure_whole=measure_whole, needed=needed)
    sampled = strategy.form == "sampling"
    return SolveTask(*about, measure=measure_whole or measure_in(solver.tree), sampled=sampled, needed=needed)
