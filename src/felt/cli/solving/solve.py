"""`felt solve`: an equilibrium of a small game, and how near it is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from felt.cli import output
from felt.cli.games.finding import Settings, load_game
from felt.cli.options import Json, count_number, gigabytes, number, seed_number, thread_number
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.cli.solving.begin import SolveTask


def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A variant, or a file; or a strategy to go on with.")],
    algorithm: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="cfr, cfr+, linear, dcfr, predictive or pruned; or sampled, external, outcome, public-chance. "
            "Several, like cfr,dcfr, are compared.",
        ),
    ] = "",
    iterations: Annotated[
        int | None, typer.Option(metavar="N", parser=count_number, help="Stop after N iterations in all.")
    ] = None,
    target: Annotated[
        float | None, typer.Option(metavar="CHIPS", parser=number, help="Stop at this exploitability, in chips a hand.")
    ] = None,
    players: Annotated[int | None, typer.Option(metavar="N", parser=count_number, help="Players at the table.")] = None,
    stack: Annotated[int | None, typer.Option(metavar="CHIPS", parser=count_number, help="Everybody's stack.")] = None,
    sizes: Annotated[str, typer.Option(metavar="LIST", help="Raises in pots, like 0.5,1,inf; or all.")] = "",
    cards: Annotated[str, typer.Option(metavar="HOOK", help="Hands put together: suits, ranks or ehs:N.")] = "",
    history: Annotated[str, typer.Option(metavar="HOOK", help="Moves that are remembered: street or raises.")] = "",
    settings: Settings = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the strategy to this file; each minute, too.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw how the exploitability falls, as .svg or .png.")
    ] = None,
    form: Annotated[str, typer.Option(metavar="FORM", help="What is swept over: ends, levels or vector.")] = "",
    seed: Annotated[int, typer.Option(metavar="N", parser=seed_number, help="Of what is left to chance.")] = 0,
    kind: Annotated[str, typer.Option("--float", metavar="BITS", help="Keep numbers in 64, 32 or 16 bits.")] = "",
    threads: Annotated[
        int | None, typer.Option(metavar="N", parser=thread_number, help="Threads that share out large sweeps.")
    ] = None,
    memory: Annotated[
        float, typer.Option(metavar="GB", parser=gigabytes, help="Memory that it may take, like 4 or 200MB.")
    ] = 4.0,
    json: Json = False,
) -> None:
    """Solve a small game: find a strategy that nobody can gain much by leaving.

    Exploitability is what the best answers gain, on average over the seats, in chips a hand.

    Example: `felt solve leduc --algorithm dcfr --target 0.001 --save leduc.felt`
    """
    from felt.cli.solving.begin import SolveRequest, begin, tell_memory
    from felt.cli.solving.resume import resume
    from felt.cli.solving.run import draw, run
    from felt.cli.solving.text import print_runs
    from felt.solvers.files import is_strategy

    names = [name.strip() for name in algorithm.split(",")] if algorithm else [""]
    _check(names, save, plot)
    options = {
        "algorithm": algorithm, "players": players, "stack": stack, "sizes": sizes, "cards": cards, "history": history,
        "set": settings, "form": form, "float": kind, "seed": seed,
    }  # fmt: skip
    if is_strategy(Path(game)) or Path(game).suffix == ".felt":
        for name, value in options.items():
            if value:
                raise FeltError(f"--{name}: {game!r} is a strategy, which goes on as it was begun; leave it out")
        tasks = [resume(Path(game), memory * 1e9, threads)]
    else:
        rules = load_game(game, settings, players)
        request = SolveRequest(rules, players, stack, sizes, cards, history, form, kind, memory * 1e9, seed, threads)
        tasks = begin(request, names)
    runs = []
    for task in tasks:
        tell_memory(task, memory * 1e9)
        runs.append(run(task, iterations=iterations, target=target, save=save, drawn=plot is not None))
        if runs[-1].stopped:  # who stops one wants no other to begin
            break
    if plot is not None:
        draw(plot, runs)
    stopped = any(done.stopped for done in runs)
    runs_data = [as_dict(task, done) for task, done in zip(tasks, runs, strict=False)]
    if json:
        output.print_json(runs_data[0] if len(tasks) == 1 else {"game": runs_data[0]["game"], "runs": runs_data})
    else:
        print_runs(tasks, runs_data, save, plot)
    if stopped:
        raise typer.Exit(130)


def _check(names: list[str], save: Path | None, plot: Path | None) -> None:
    """Refuse before anything runs what could not be written after it."""
    from felt._files import check_writable
    from felt.cli.solving.run import check_plot
    from felt.solvers.registry import METHODS

    for place in (save, plot):
        if place is not None:
            check_writable(place)
    if plot is not None:
        check_plot(plot)
    if save is not None and len(names) > 1:
        raise FeltError(
            f"--algorithm {','.join(names)}: several are compared, not saved; leave --save out, or give one"
        )
    if save is not None and names[0] in METHODS and not METHODS[names[0]].saved:
        raise FeltError(f"--algorithm {names[0]}: its strategy cannot be saved yet; leave --save out, or use linear")


def as_dict(task: "SolveTask", solved: Any) -> dict[str, Any]:
    """What was found, for JSON."""
    from felt.cli.solving.gains import gains_as_dict

    solver, evaluation = solved.solver, solved.evaluation
    data = {
        "game": task.rules.name,
        "algorithm": task.name,
        "infosets": solver.tree.infosets.count,
        "iterations": solver.iterations,
        "seconds": solved.seconds,
        "seconds_per_iteration": solved.seconds_per_iteration,
        "exploitability": evaluation.exploitability,
        "values": list(evaluation.values),
        "gains": list(evaluation.gains),
        "nodes": task.nodes,
        "memory_needed": task.needed,
    }
    if task.interval is not None:  # who stopped it does not want to wait for one
        data |= gains_as_dict(None if solved.stopped else task.interval(solver.average()))
    if task.forgets:
        data |= {"exploitability": None, "exploitability_whole": evaluation.exploitability}
    if task.bytes is not None:
        data["bytes"] = task.bytes
    if task.measure_whole is not None:
        data["exploitability_whole"] = task.measure_whole(solver.average()).exploitability
    return data
