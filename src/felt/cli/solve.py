"""`felt solve`: an equilibrium of a small game, and how near it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from felt.cli import output
from felt.cli.finding import Settings, load_game
from felt.cli.options import Json, number, whole_number
from felt.cli.progress import progress_bar
from felt.cli.solve_sampled import print_sampled, solve_sampled
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.games import GameRules
    from felt.solvers.solver import Solver
    from felt.solvers.solving import Solved, Watch


def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A variant, or a file; or a strategy to go on with.")],
    algorithm: Annotated[str, typer.Option(help="cfr, cfr+, linear, dcfr or predictive; or sampled, by deals.")] = "",
    iterations: Annotated[
        int | None, typer.Option(metavar="N", parser=whole_number, help="Stop after N iterations in all.")
    ] = None,
    target: Annotated[
        float | None, typer.Option(metavar="CHIPS", parser=number, help="Stop at this exploitability, in chips a hand.")
    ] = None,
    players: Annotated[int | None, typer.Option(metavar="N", parser=whole_number, help="Players at the table.")] = None,
    stack: Annotated[int | None, typer.Option(metavar="CHIPS", parser=whole_number, help="Everybody's stack.")] = None,
    sizes: Annotated[str, typer.Option(metavar="LIST", help="Raises in pots, like 0.5,1,inf; or all.")] = "",
    settings: Settings = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the strategy to this file.")] = None,
    kind: Annotated[str, typer.Option("--float", metavar="BITS", help="Keep numbers in 64 or 32 bits.")] = "",
    memory: Annotated[float, typer.Option(metavar="GB", parser=number, help="Memory that it may take.")] = 4.0,
    json: Json = False,
) -> None:
    """Solve a small game: find a strategy that nobody can gain much by leaving.

    Exploitability is what the best answers gain, on average over the seats, in chips a hand.

    Example: `felt solve leduc --algorithm dcfr --target 0.001 --save leduc.felt`
    """
    from felt.cli.files import check_writable
    from felt.solvers.files import is_strategy
    from felt.solvers.solving import solve as solve_tree
    from felt.solvers.strategy import save_strategy

    if save is not None:
        check_writable(save)
    menu = _menu(sizes)
    if is_strategy(Path(game)):
        given = {"algorithm": algorithm, "players": players, "stack": stack, "sizes": sizes, "set": settings}
        for name, value in given.items():
            if value:
                raise FeltError(f"--{name}: {game!r} is a strategy, which goes on as it was begun; leave it out")
        solver, menu = _resumed(Path(game))
    else:
        rules = load_game(game, settings, players)
        if algorithm == "sampled":
            if save is not None or target is not None:
                raise FeltError("--algorithm sampled has no --target and no --save: it stops after --iterations deals")
            dealt = solve_sampled(
                rules, players=players, stack=stack, menu=menu, deals=iterations, memory=memory * 1e9
            )  # fmt: skip
            output.print_json(dealt) if json else print_sampled(rules, dealt)
            return
        solver = _begun(rules, players, stack, menu, algorithm or "dcfr", kind, memory * 1e9)
    with _bar(solver, iterations, target) as watch:
        solved = solve_tree(solver, iterations=iterations, target=target, watch=watch)
    if save is not None:
        save_strategy(save, solver, solved.evaluation, sizes=menu)
    told = as_dict(solved)
    if json:
        output.print_json(told)
    else:
        _print(solver.tree.rules, told, save)


def as_dict(solved: "Solved") -> dict[str, Any]:
    """What was found, for JSON."""
    solver, found = solved.solver, solved.evaluation
    return {
        "game": solver.tree.rules.name,
        "algorithm": solver.algorithm.name,
        "infosets": solver.tree.infosets.count,
        "iterations": solver.iterations,
        "seconds": solved.seconds,
        "seconds_per_iteration": solved.seconds_per_iteration,
        "exploitability": found.exploitability,
        "values": list(found.values),
        "gains": list(found.gains),
        "nodes": len(solver.tree),
    }


def _menu(text: str) -> Any:
    from felt.games.tree import SIZES

    if not text:
        return SIZES
    if text.strip() == "all":
        return None
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise FeltError(f"--sizes {text!r}: give shares of the pot, like 0.5,1,inf, or all") from None


def _begun(
    rules: "GameRules", players: int | None, stack: int | None, menu: Any, algorithm: str, kind: str, memory: float
) -> "Solver":
    from felt.solvers.build import build_tree
    from felt.solvers.solver import Solver

    if kind not in ("", "32", "64"):
        raise FeltError(f"--float {kind}: give 32 or 64")
    return Solver(
        build_tree(rules, stack, players=players, sizes=menu, memory=memory), algorithm, kind=f"float{kind or 64}"
    )


def _resumed(path: Path) -> "tuple[Solver, Any]":
    from felt.solvers.strategy import load_strategy

    strategy = load_strategy(path)
    return strategy.solver(), strategy.sizes


@contextmanager
def _bar(solver: "Solver", iterations: int | None, target: float | None) -> "Iterator[Watch | None]":
    """A bar that shows the exploitability: to the number of iterations, or down to the target."""
    name = solver.tree.rules.name
    with progress_bar(f"Solving {name}") as report:
        if report is None:
            yield None
            return
        first: list[float] = []

        def watch(done: int, exploitability: float) -> None:
            first.append(exploitability)
            shares = [done / iterations if iterations else 0.0]
            if target and first[0] > target and exploitability > 0:
                shares.append(log(first[0] / exploitability) / log(first[0] / target))
            report(max(shares), 1.0, doing=f"Solving {name}: exploitability {exploitability:.3g}")

        yield watch


def _print(rules: "GameRules", told: dict[str, Any], save: Path | None) -> None:
    output.say(
        f"[bold]{output.plain(rules.title or rules.name)}[/]  [dim]{told['infosets']:,} information sets, "
        f"{told['nodes']:,} nodes; {told['algorithm']}[/]"
    )
    rows = [
        ("iterations", f"{told['iterations']:,} in {told['seconds']:.2f} s"),
        ("an iteration", f"{told['seconds_per_iteration'] * 1e6:,.1f} µs"),
        ("exploitability", f"{told['exploitability']:.3g} chips a hand"),
        ("values", ", ".join(f"{value:+.6f}" for value in told["values"])),
        ("gains by leaving", ", ".join(f"{gain:.2g}" for gain in told["gains"])),
    ]
    output.facts(rows)
    if len(told["values"]) > 2:
        output.say(
            "[dim]With more than two players nothing guarantees an equilibrium: the gains say how near it is.[/]"
        )
    if save is not None:
        output.say(f"[dim]Written to {output.plain(str(save))}[/]")
