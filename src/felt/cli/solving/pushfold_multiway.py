"""`felt pushfold` with three and more players."""

from pathlib import Path
from typing import TYPE_CHECKING

from felt.cli import output
from felt.cli.progress import progress_bar

if TYPE_CHECKING:
    from felt.solvers.pushfold.multiway import MultiSolution

SHOWN = 24
"""Spots that are listed; of larger tables those who meet two all-ins are left to --json."""


def solve_table(
    stacks: tuple[float, ...],
    players: int,
    payouts: tuple[float, ...],
    stakes: tuple[float, float, float, float],
    *,
    target: float | None,
    afresh: bool,
    chart: Path | None,
    json: bool,
) -> None:
    """Solve, or look up unless `afresh`, and print; `stakes` are blinds, ante and big-blind ante."""
    from math import log

    from felt.solvers.pushfold.lookup import FolderCache, solve_or_look_up
    from felt.solvers.pushfold.multiway import TARGET, solve_multi
    from felt.solvers.pushfold.multiway_game import MultiPushFold

    game = MultiPushFold(stacks[:players], *stakes, payouts=payouts, others=stacks[players:])
    goal = TARGET if target is None else target
    with progress_bar(f"Solving push/fold for {players}") as report:
        first: list[float] = []

        def watch(done: int, exploitability: float) -> None:
            first.append(max(exploitability, goal))
            if report is not None and first[0] > goal:
                share = log(first[0] / first[-1]) / log(first[0] / goal)
                report(share, 1.0, doing=f"Solving push/fold for {players}: exploitability {exploitability:.1e} bb")

        if afresh:
            solution = solve_multi(game, target=goal, watch=watch)
        else:
            solution = solve_or_look_up(game, FolderCache(), target=goal, watch=watch)
    if chart is not None:
        from felt._files import write_text
        from felt.solvers.pushfold.chart import table_svg

        write_text(chart, table_svg(solution))
    if json:
        output.print_json(solution.as_dict())
    else:
        _print(solution, chart)


def _print(solution: "MultiSolution", chart: Path | None) -> None:
    from felt.cards.ranges.range import Range
    from felt.solvers.pushfold.headsup import share
    from felt.solvers.pushfold.multiway import NEVER

    game = solution.game
    shown = [spot for spot in solution.often if len(spot.all_in) < 2 or len(solution.often) <= SHOWN]
    rows = output.table("", "of hands", "hands")
    for spot in shown:
        played = solution.often[spot]
        if solution.reach(spot) < NEVER:
            rows.add_row(solution.title(spot), "", "never comes up")
            continue
        hands = str(Range.from_classes((played >= 0.5).astype(float))).replace(",", ", ") or "none"
        if spot in solution.undecided:
            hands += f" (undecided: {', '.join(solution.undecided[spot])})"
        rows.add_row(solution.title(spot), output.percent(share(played), 1), hands)
    output.show(rows)
    if len(shown) < len(solution.often):
        output.say(
            "[dim]Calls of two all-ins are in --json and --chart. Hands: those played at least half of the time.[/]"
        )
    else:
        output.say("[dim]Hands: those that are played at least half of the time.[/]")
    if solution.undecided:
        output.say("[dim]Undecided hands may still be wrong by more than 0.0001 bb.[/]")
    values = ", ".join(f"{name} {value:+.4f}" for name, value in zip(game.names, solution.values, strict=True))
    output.say(f"value in bb a hand: {values}")
    if game.payouts:
        output.say("[dim]prizes by ICM, in big blinds' worth of chips[/]")
    how = (
        "solved before"
        if solution.algorithm == "looked up"
        else f"{solution.iterations:,} iterations, {solution.seconds:.1f} s"
    )
    output.say(f"[dim]exploitability {solution.exploitability:.1e} bb; {how}[/]")
    output.say(f"[dim]{caveat(solution)}[/]")
    if chart is not None:
        output.say(f"[dim]chart written to {output.plain(str(chart))}[/]")


def caveat(solution: "MultiSolution") -> str:
    """What the answer leaves out."""
    nobody = "With more than two players nothing guarantees an equilibrium; the exploitability says how near this is."
    if solution.game.exact:
        return nobody
    missing = sum(solution.values) if not solution.game.payouts else None
    off = f" (values sum to {missing:+.3f} bb, not 0)" if missing is not None else ""
    return f"{nobody} At most three go all in, and cards that others folded are not counted{off}."
