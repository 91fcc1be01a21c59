"""`felt pushfold`: all in or fold before the flop, solved."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.options import Json, number, only_one_of, whole_number
from felt.cli.solving.pushfold_multiway import solve_table
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.solvers.pushfold.game import PushFold
    from felt.solvers.pushfold.headsup import Solution
    from felt.solvers.pushfold.scan import Scan

app = typer.Typer()

SCANNED = {"sb": 0.5, "bb": 1.0}
"""What stands before a subcommand unless somebody types it there."""

SmallBlind = Annotated[float, typer.Option("--sb", metavar="X", parser=number, help="The small blind.")]
BigBlind = Annotated[float, typer.Option("--bb", metavar="X", parser=number, help="The big blind.")]
Ante = Annotated[float, typer.Option("--ante", metavar="X", parser=number, help="What each player antes.")]
BigBlindAnte = Annotated[
    float, typer.Option("--bb-ante", metavar="X", parser=number, help="What the big blind antes for the table.")
]
Rake = Annotated[
    float, typer.Option("--rake", metavar="SHARE", parser=number, help="The house's share of pots that are shown down.")
]
RakeCap = Annotated[
    float | None, typer.Option("--rake-cap", metavar="X", parser=number, help="The most that is taken.")
]
Algorithm = Annotated[
    str | None, typer.Option("--algorithm", metavar="NAME", help="fictitious or cfr+; solves even what is known.")
]
Target = Annotated[
    float | None, typer.Option("--target", metavar="BB", parser=number, help="Stop at this exploitability, like 1e-5.")
]
Chart = Annotated[Path | None, typer.Option("--chart", metavar="FILE", help="Write the charts as an SVG picture.")]


@app.callback(invoke_without_command=True)
def pushfold(
    context: typer.Context,
    stack: Annotated[
        float | None, typer.Option("--stack", metavar="X", parser=number, help="Both players' stack before the blinds.")
    ] = None,
    stacks: Annotated[
        str | None,
        typer.Option("--stacks", metavar="A,B,…", help="Stacks: small blind, big blind, then the others in turn."),
    ] = None,
    sb: SmallBlind = 0.5,
    bb: BigBlind = 1.0,
    ante: Ante = 0.0,
    bb_ante: BigBlindAnte = 0.0,
    rake: Rake = 0.0,
    rake_cap: RakeCap = None,
    algorithm: Algorithm = None,
    target: Target = None,
    players: Annotated[
        int | None,
        typer.Option("--players", metavar="N", parser=whole_number, help="How many are left to act: 2 to 9."),
    ] = None,
    payouts: Annotated[
        str | None,
        typer.Option("--payouts", metavar="A,B,…", help="Prizes of a tournament: chips count by ICM."),
    ] = None,
    chart: Chart = None,
    json: Json = False,
) -> None:
    """The equilibrium of push or fold: who shoves what, and who calls with what.

    Amounts are in big blinds unless `--bb` says what a big blind is. What was solved before is looked up. With four
    and more players at most three go all in, and cards that were folded are not counted.

    Example: `felt pushfold --stack 10`

    Example: `felt pushfold --stack 10 --players 3`

    Example: `felt pushfold --stacks 1500,2300 --sb 50 --bb 100 --ante 10 --chart chart.svg`

    Example: `felt pushfold --stacks 10,10,10,2 --payouts 50,30,20`
    """
    if context.invoked_subcommand is not None:
        _check_before_scan(context)
        return
    only_one_of(stack=stack, stacks=stacks)
    prizes = _numbers("--payouts", payouts, "50,30,20") if payouts is not None else ()
    chips = _stacks(stack, stacks, players)
    acting = players or (2 if prizes else len(chips))
    _check_place(chart)
    if acting > 2:
        if rake or rake_cap is not None:
            raise FeltError(f"--rake with {acting} players: rake is for heads-up, leave it out")
        if algorithm not in (None, "cfr+"):
            raise FeltError(f"--algorithm {algorithm!r} with {acting} players: there is cfr+ only, leave it out")
        solve_table(
            chips, acting, prizes, (sb, bb, ante, bb_ante), target=target, afresh=algorithm is not None,
            chart=chart, json=json,
        )  # fmt: skip
        return
    solution = _solved(_game(chips, sb, bb, ante, bb_ante, rake, rake_cap, prizes), algorithm, target)
    if chart is not None:
        from felt._files import write_text
        from felt.solvers.pushfold.chart import solution_svg

        write_text(chart, solution_svg(solution))
    if json:
        output.print_json(solution.as_dict())
    else:
        _print(solution, chart)


@app.command("scan")
def scan(
    first: Annotated[float, typer.Option("--from", metavar="BB", parser=number, help="The first stack.")] = 1.0,
    last: Annotated[float, typer.Option("--to", metavar="BB", parser=number, help="The last stack.")] = 100.0,
    step: Annotated[float, typer.Option("--step", metavar="BB", parser=number, help="From stack to stack.")] = 0.1,
    sb: SmallBlind = 0.5,
    bb: BigBlind = 1.0,
    ante: Ante = 0.0,
    bb_ante: BigBlindAnte = 0.0,
    rake: Rake = 0.0,
    rake_cap: RakeCap = None,
    algorithm: Algorithm = None,
    target: Target = None,
    chart: Chart = None,
    json: Json = False,
) -> None:
    """Up to how many big blinds each hand is shoved, and called with: every stack from 1 to 100 solved.

    Example: `felt pushfold scan --chart chart.svg`
    """
    from felt.cli.progress import progress_bar
    from felt.solvers.pushfold.scan import TARGET
    from felt.solvers.pushfold.scan import scan as solve_all

    game = _game((100 * bb, 100 * bb), sb, bb, ante, bb_ante, rake, rake_cap)
    _check_place(chart)
    with progress_bar("solving") as progress:
        solved = solve_all(
            game,
            first,
            last,
            step,
            algorithm=algorithm or "fictitious",
            target=TARGET if target is None else target,
            progress=progress,
        )
    if chart is not None:
        from felt._files import write_text
        from felt.solvers.pushfold.chart import scan_svg

        write_text(chart, scan_svg(solved))
    if json:
        output.print_json(solved.as_dict())
    else:
        _print_scan(solved, chart)


def _check_before_scan(context: typer.Context) -> None:
    """Refuse options that were typed before the subcommand, where they would do nothing."""
    for name, value in context.params.items():
        if value and value != SCANNED.get(name):
            option = name.replace("_", "-")
            raise FeltError(f"--{option} before scan: its options come after it, --from and --to its stacks")


def _check_place(chart: Path | None) -> None:
    if chart is not None:
        from felt._files import check_writable

        check_writable(chart)


def _solved(game: "PushFold", algorithm: str | None, target: float | None) -> "Solution":
    """Looked up, or solved by an algorithm that was asked for."""
    from felt.solvers.pushfold.headsup import TARGET, solve

    goal = TARGET if target is None else target
    if algorithm is not None:
        return solve(game, algorithm=algorithm, target=goal)
    from felt.solvers.pushfold.lookup import FolderCache, solve_or_look_up

    return solve_or_look_up(game, FolderCache(), target=goal)


def _stacks(stack: float | None, stacks: str | None, players: int | None) -> tuple[float, ...]:
    if players is not None and not 2 <= players <= 9:
        raise FeltError(f"--players {players}: push/fold is solved for 2 to 9")
    if stack is not None:
        return (stack,) * (players or 2)
    if stacks is None:
        raise FeltError("how deep are the stacks? Give --stack 10, or --stacks 10,15 with the small blind's first")
    chips = _numbers("--stacks", stacks, "10,15")
    if players is not None and len(chips) < players:
        raise FeltError(f"--stacks {stacks!r} for --players {players}: give a stack for each")
    return chips


def _numbers(option: str, text: str, example: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise FeltError(f"{option} {text!r} are not numbers: write them like {example}") from None


def _game(
    stacks: tuple[float, ...],
    sb: float,
    bb: float,
    ante: float,
    bb_ante: float,
    rake: float,
    rake_cap: float | None,
    payouts: tuple[float, ...] = (),
) -> "PushFold":
    from math import inf

    from felt.solvers.pushfold.game import PushFold

    blinds = stacks[:2] if payouts else stacks  # the rest has folded
    return PushFold(
        stacks=blinds,  # the game says how many there must be
        small_blind=sb,
        big_blind=bb,
        ante=ante,
        big_blind_ante=bb_ante,
        rake=rake,
        rake_cap=inf if rake_cap is None else rake_cap,
        payouts=payouts,
        others=stacks[2:] if payouts else (),
    )


def _print(solution: "Solution", chart: Path | None) -> None:
    from felt.cli.cards.chart import range_chart
    from felt.solvers.pushfold.headsup import share

    for doing, often in (("Small blind shoves", solution.shove), ("Big blind calls", solution.call)):
        output.say(
            f"[bold]{doing}[/] {output.percent(share(often), 1)} of hands, {solution.game.effective:g} bb effective"
        )
        output.show(range_chart(often))
        output.say()
    small, big = solution.values
    output.say(f"value: small blind [bold]{small:+.4f}[/] bb a hand, big blind {big:+.4f}")
    if solution.game.payouts:
        output.say("[dim]prizes by ICM, in big blinds' worth of chips; everybody but the blinds has folded[/]")
    output.say(f"[dim]exploitability {solution.exploitability:.1e} bb; {_how(solution)}[/]")
    _print_place(chart)


def _how(solution: "Solution") -> str:
    if solution.algorithm == "looked up":
        return "solved before"
    return f"{solution.algorithm}, {solution.iterations:,} iterations, {solution.seconds:.3f} s"


def _print_scan(solved: "Scan", chart: Path | None) -> None:
    from felt.cards.combos import CLASS_NAMES

    most = float(solved.stacks[-1])
    rows = output.table("hand", "shoved at (bb)", "called with at (bb)")
    for name, shoved, called in zip(CLASS_NAMES, solved.shove_intervals(), solved.call_intervals(), strict=True):
        rows.add_row(name, _stretches(shoved, most), _stretches(called, most))
    output.show(rows)
    how = (
        f"{len(solved.stacks):,} stacks, exploitability {solved.exploitability:.1e} bb or less, {solved.seconds:.1f} s"
    )
    output.say(f"[dim]{how}; a hand is in where it is played at least half of the time[/]")
    _print_place(chart)


def _stretches(intervals: list[tuple[float, float]], most: float) -> str:
    return ", ".join(f"{first:g}–{last:g}{'+' if last >= most else ''}" for first, last in intervals) or "never"


def _print_place(chart: Path | None) -> None:
    if chart is not None:
        output.say(f"[dim]chart written to {output.plain(str(chart))}[/]")
