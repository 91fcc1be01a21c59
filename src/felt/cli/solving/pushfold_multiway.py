"""`felt pushfold` with three and more players."""

from pathlib import Path
from typing import TYPE_CHECKING

from felt.cli import output
from felt.cli.progress import progress_bar

if TYPE_CHECKING:
    from felt.solvers.pushfold_multi import MultiSolution

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

    from felt.solvers.pushfold_multi import TARGET, solve_multi
    from felt.solvers.pushfold_multi_game import MultiPushFold
    from felt.solvers.pushfold_multi_lookup import solve_or_look_up
    from felt.solvers.strategy_cache import FolderCache

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
            found = solve_multi(game, target=goal, watch=watch)
        else:
            found = solve_or_look_up(game, FolderCache(), target=goal, watch=watch)
    if chart is not None:
        from felt.cli.files import write_text
        from felt.solvers.pushfold_chart import table_svg

        write_text(chart, table_svg(found))
    if json:
        output.print_json(found.as_dict())
    else:
        _print(found, chart)


def _print(found: "MultiSolution", chart: Path | None) -> None:
    from felt.cards.range import Range
    from felt.solvers.pushfold import share
    from felt.solvers.pushfold_multi import NEVER

    game = found.game
    listed = [spot for spot in found.often if len(spot.all_in) < 2 or len(found.often) <= SHOWN]
    rows = output.table("", "of hands", "hands")
    for spot in listed:
        played = found.often[spot]
        if found.reach(spot) < NEVER:
            rows.add_row(found.title(spot), "", "never comes up")
            continue
        hands = str(Range.from_classes((played >= 0.5).astype(float))).replace(",", ", ") or "none"
        if spot in found.undecided:
            hands += f" (undecided: {', '.join(found.undecided[spot])})"
        rows.add_row(found.title(spot), output.percent(share(played), 1), hands)
    output.show(rows)
    if len(listed) < len(found.often):
        output.say(
            "[dim]Calls of two all-ins are in --json and --chart. Hands: those played at least half of the time.[/]"
        )
    else:
        output.say("[dim]Hands: those that are played at least half of the time.[/]")
    if found.undecided:
        output.say("[dim]Undecided hands may still be wrong by more than 0.0001 bb.[/]")
    worth = ", ".join(f"{name} {value:+.4f}" for name, value in zip(game.names, found.values, strict=True))
    output.say(f"value in bb a hand: {worth}")
    if game.payouts:
        output.say("[dim]prizes by ICM, in big blinds' worth of chips[/]")
    how = (
        "solved before" if found.algorithm == "looked up" else f"{found.iterations:,} iterations, {found.seconds:.1f} s"
    )
    output.say(f"[dim]exploitability {found.exploitability:.1e} bb; {how}[/]")
    output.say(f"[dim]{caveat(found)}[/]")
    if chart is not None:
        output.say(f"[dim]chart written to {output.plain(str(chart))}[/]")


def caveat(found: "MultiSolution") -> str:
    """What the answer leaves out."""
    nobody = "With more than two players nothing guarantees an equilibrium; the exploitability says how near this is."
    if found.game.exact:
        return nobody
    missing = sum(found.values) if not found.game.payouts else None
    off = f" (values sum to {missing:+.3f} bb, not 0)" if missing is not None else ""
    return f"{nobody} At most three go all in, and cards that others folded are not counted{off}."
