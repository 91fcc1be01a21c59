"""`felt solve` and `felt exploitability`: an equilibrium of a small game, and how near a strategy is to one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from felt.cli import output
from felt.cli.games.finding import Settings, load_game
from felt.cli.options import Json, argument, count_number, flag_of, option, options_command
from felt.cli.solving.begin import (
    Memory,
    SolveOptions,
    SolveTask,
    begin,
    gains_by_deals,
    measure_in_whole_game,
    resume,
    tell_memory,
)
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.games.rules import GameRules
    from felt.solvers.best_response import Evaluation
    from felt.solvers.sampling.gains import SampledGains
    from felt.solvers.strategy import Strategy

FIXED = ("algorithm", "players", "stack", "sizes", "cards", "history", "settings", "form", "kind", "seed")
"""Options that a strategy was begun with."""


@options_command
def solve(options: SolveOptions) -> None:
    """Solve a small game: find a strategy that nobody can gain much by leaving.

    Exploitability is what the best answers gain, on average over the seats, in chips a hand.

    Example: `felt solve leduc --algorithm dcfr --target 0.001 --save leduc.felt`
    """
    from felt.cli.solving.run import draw, run
    from felt.solvers.files import is_strategy

    game, save, plot = options.game, options.save, options.plot
    names = [name.strip() for name in options.algorithm.split(",")]
    _check(names, save, plot)
    if is_strategy(Path(game)) or Path(game).suffix == ".felt":
        for name in FIXED:
            if getattr(options, name):
                flag = flag_of(SolveOptions, name)
                raise FeltError(f"{flag}: {game!r} is a strategy, which goes on as it was begun; leave it out")
        tasks = [resume(Path(game), options.memory * 1e9, options.threads)]
    else:
        tasks = begin(load_game(game, options.settings, options.players), options, names)
    runs = []
    for task in tasks:
        tell_memory(task, options.memory * 1e9)
        runs.append(run(task, iterations=options.iterations, target=options.target, save=save, drawn=plot is not None))
        if runs[-1].stopped:  # who stops one wants no other to begin
            break
    if plot is not None:
        draw(plot, runs)
    stopped = any(done.stopped for done in runs)
    runs_data = [as_dict(task, done) for task, done in zip(tasks, runs, strict=False)]
    if options.json:
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


def as_dict(task: SolveTask, solved: Any) -> dict[str, Any]:
    """What was found, for JSON."""
    solver, evaluation = solved.solver, solved.evaluation
    data = {
        "game": task.rules.name,
        "algorithm": task.name,
        "infosets": solver.tree.infosets.count,
        "iterations": solver.iterations,
        "seconds": solved.seconds,
        "seconds_per_iteration": solved.seconds_per_iteration,
        **_evaluation_dict(evaluation),
        "nodes": task.nodes,
        "memory_needed": task.needed,
    }
    if task.interval is not None:  # who stopped it does not want to wait for one
        data |= _gains_dict(None if solved.stopped else task.interval(solver.average()))
    if task.forgets:
        data |= {"exploitability": None, "exploitability_whole": evaluation.exploitability}
    if task.bytes is not None:
        data["bytes"] = task.bytes
    if task.measure_whole is not None:
        data["exploitability_whole"] = task.measure_whole(solver.average()).exploitability
    return data


def _evaluation_dict(evaluation: "Evaluation") -> dict[str, Any]:
    return {
        "exploitability": evaluation.exploitability,
        "values": list(evaluation.values),
        "gains": list(evaluation.gains),
    }


# For people


def print_runs(
    tasks: Sequence[SolveTask], runs: Sequence[dict[str, Any]], save: Path | None, plot: Path | None
) -> None:
    """One run in lines, several in a table."""
    rules, first = tasks[0].rules, runs[0]
    output.say(
        f"[bold]{output.title(rules)}[/]  [dim]{first['infosets']:,} information sets, "
        f"{first['nodes']:,} nodes{'; ' + first['algorithm'] if len(runs) == 1 else ''}[/]"
    )
    if len(runs) == 1:
        output.facts(_facts(first))
    else:
        _table(runs)
    if len(first["values"] or first.get("gains_low", ())) > 2:
        output.say(
            "[dim]With more than two players nothing guarantees an equilibrium: the gains say how near it is.[/]"
        )
    output.say_written(save, plot)


def _facts(run: dict[str, Any]) -> list[tuple[str, str]]:
    from felt.solvers.trees.tree import format_bytes

    rows = [
        ("deals" if "bytes" in run else "iterations", f"{run['iterations']:,} in {run['seconds']:.2f} s"),
        ("a deal" if "bytes" in run else "an iteration", f"{run['seconds_per_iteration'] * 1e6:,.1f} µs"),
    ]
    if "bytes" in run:
        rows.append(("memory", format_bytes(run["bytes"])))
    return rows + measured_rows(run)


def measured_rows(run: dict[str, Any], *, digits: int = 3) -> list[tuple[str, str]]:
    """How near to an equilibrium it is, as far as that is known."""
    if run["values"] is None:
        return _gains_rows(run)
    here, in_whole_game = (
        f"{number:.{digits}g} chips a hand" if number is not None else ""
        for number in (run["exploitability"], run.get("exploitability_whole"))
    )
    rows = [("exploitability", here or f"{in_whole_game} in the whole game")]
    if here and in_whole_game:
        rows.append(("in the whole game", in_whole_game))
    rows.append(("values", ", ".join(f"{value:+.6f}" for value in run["values"])))
    rows.append(("gains by leaving", ", ".join(f"{gain:.{digits - 1}g}" for gain in run["gains"])))
    return rows


def _table(runs: Sequence[dict[str, Any]]) -> None:
    numbers = ("iterations", "seconds", "µs each", "exploitability")
    table = output.table("algorithm", *numbers, numbers=numbers)
    for run in runs:
        measured = run.get("exploitability_whole") if run["exploitability"] is None else run["exploitability"]
        table.add_row(
            run["algorithm"], f"{run['iterations']:,}", f"{run['seconds']:.2f}",
            f"{run['seconds_per_iteration'] * 1e6:,.1f}", "-" if measured is None else f"{measured:.3g}",
        )  # fmt: skip
    output.show(table)


def _gains_dict(gains: "SampledGains | None") -> dict[str, Any]:
    """For JSON, in place of what was not measured."""
    data: dict[str, Any] = {"exploitability": None, "values": None, "gains": None}
    if gains is not None:
        data |= {"gains_low": list(gains.low), "gains_high": list(gains.high), "deals_looked_at": gains.deals}
    return data


def _gains_rows(data: dict[str, Any]) -> list[tuple[str, str]]:
    """For people: the interval of each seat, and what it is."""
    rows = [("exploitability", "not measured: the whole tree is too large")]
    if "gains_low" in data:
        pairs = zip(data["gains_low"], data["gains_high"], strict=True)
        rows.append(("gains by leaving", ", ".join(f"{low:.3g} to {high:.3g}" for low, high in pairs)))
        rows.append(("", f"intervals from {data['deals_looked_at']:,} sampled deals, each right with 95 %"))
    return rows


# A saved strategy


def exploitability(
    file: str = argument("FILE", "A strategy that felt solve has saved; with --game, an agent."),
    game: str | None = option(None, "--game", "GAME", "The game that the agent plays, a variant or a file."),
    settings: Settings = None,
    players: int | None = option(None, "--players", "N", "Players at the table, with --game.", count_number),
    deals: int | None = option(None, "--deals", "N", "Look at N deals, of a strategy solved by deals.", count_number),
    memory: Memory = 4.0,
    json: Json = False,
) -> None:
    """Measure a saved strategy, or an agent: what it is worth, and what the best answers to it gain.

    It is exact where the whole tree fits, and else an interval from sampled deals. An agent must remember nothing and
    tell its probabilities; its whole tree must fit, with every amount of a raise.

    Example: `felt exploitability leduc.felt`

    Example: `felt exploitability ehs --game leduc`
    """
    from felt.solvers.strategy import load_strategy

    if game is not None:
        if deals is not None:
            raise FeltError(f"--deals {deals}: an agent is measured over the whole tree, which is exact; leave it out")
        _measure_agent(file, load_game(game, settings, players), players, memory * 1e9, json=json)
        return
    for name, value in (("--set", settings), ("--players", players)):
        if value:
            raise FeltError(f"{name}: a strategy has its game and players; leave it out, or measure an agent (--game)")
    if not Path(file).exists() and "." not in file:
        raise FeltError(f"there is no strategy {file!r}: to measure an agent, say in which game, like --game leduc")
    strategy = load_strategy(file)
    data = {
        "game": strategy.rules.name,
        "algorithm": strategy.algorithm,
        "infosets": strategy.infosets,
        "iterations": strategy.iterations,
        **_measured(strategy, deals, memory * 1e9),
    }
    if json:
        output.print_json(data)
        return
    output.say(
        f"[bold]{output.title(strategy.rules)}[/]  "
        f"[dim]{strategy.players} players, {strategy.algorithm}, {strategy.iterations:,} iterations[/]"
    )
    output.facts(measured_rows(data, digits=6))


def _measure_agent(agent: str, rules: "GameRules", players: int | None, memory: float, *, json: bool) -> None:
    """What the best answers to an agent gain, over the whole tree of a game with every amount of a raise."""
    from felt.agents.tabular import strategy_of
    from felt.cli.output import progress_bar
    from felt.solvers.best_response import evaluate
    from felt.solvers.trees.build import build_tree

    tree = build_tree(rules, players=players, sizes=None, memory=memory)
    with progress_bar("asking the agent") as progress:
        evaluation = evaluate(tree, strategy_of(agent, tree, progress=progress))
    data = {"game": rules.name, "agent": agent, "infosets": tree.infosets.count, **_evaluation_dict(evaluation)}
    if json:
        output.print_json(data)
        return
    output.say(
        f"[bold]{output.plain(agent)}[/] in [bold]{output.title(rules)}[/]  "
        f"[dim]{tree.players} players, {tree.infosets.count:,} information sets, exact[/]"
    )
    output.facts(measured_rows(data, digits=6))


def _measured(strategy: "Strategy", deals: int | None, memory: float) -> dict[str, Any]:
    """Exploitability, values and gains, and in place of them intervals of the gains."""
    from felt.solvers.best_response import evaluate
    from felt.solvers.sampling.betting import betting_of

    if deals is not None and strategy.whole:
        raise FeltError(f"--deals {deals}: this strategy was solved over a whole tree, which is exact; leave it out")
    large = _too_large(strategy, memory)
    if large and strategy.form == "vector":
        return _evaluation_dict(strategy.vector_solver(memory=memory).measure())
    if large or deals is not None:
        betting = betting_of(strategy.rules, strategy.stacks, sizes=strategy.sizes, memory=memory)
        return _gains_dict(gains_by_deals(betting, strategy.chances, deals, memory=memory))
    tree, in_whole_game = strategy.tree(memory=memory), None
    if strategy.abstraction is not None:
        in_whole_game = measure_in_whole_game(tree, memory)(strategy.chances.astype("float64"))
    evaluation = evaluate(tree, strategy.chances) if in_whole_game is None or not tree.forgets else in_whole_game
    data = _evaluation_dict(evaluation)
    if tree.forgets:
        data["exploitability"] = None
    if in_whole_game is not None:
        data["exploitability_whole"] = in_whole_game.exploitability
    return data


def _too_large(strategy: "Strategy", memory: float) -> bool:
    """Whether it was solved without the whole tree of a game, which does not fit."""
    from felt.solvers.trees.build import size_of

    if strategy.whole and strategy.form != "vector":
        return False
    size = size_of(
        strategy.rules, strategy.stacks, sizes=strategy.sizes, isomorphic=strategy.isomorphic, memory=memory
    )  # fmt: skip
    return size.peak > memory
