"""`felt pushfold`: all in or fold before the flop, solved."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from felt.cli import output
from felt.cli.options import Json, field_option, number, only_one_of, options_command, whole_number
from felt.cli.output import progress_bar
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.solvers.pushfold.game import PushFold
    from felt.solvers.pushfold.headsup import Solution
    from felt.solvers.pushfold.multiway import MultiSolution
    from felt.solvers.pushfold.scan import Scan

app = typer.Typer()

Solved = TypeVar("Solved", bound=Any)

SHOWN = 24
"""Spots that are listed; of larger tables those who meet two all-ins are left to --json."""

SCANNED = {"sb": 0.5, "bb": 1.0}
"""What stands before a subcommand unless somebody types it there."""


@dataclass(kw_only=True)
class StakesOptions:
    """The options of `felt pushfold`, with and without a scan."""

    sb: float = field_option(0.5, "--sb", "X", "The small blind.", number)
    bb: float = field_option(1.0, "--bb", "X", "The big blind.", number)
    ante: float = field_option(0.0, "--ante", "X", "What each player antes.", number)
    bb_ante: float = field_option(0.0, "--bb-ante", "X", "What the big blind antes for the table.", number)
    rake: float = field_option(0.0, "--rake", "SHARE", "The house's share of pots that are shown down.", number)
    rake_cap: float | None = field_option(None, "--rake-cap", "X", "The most that is taken.", number)
    algorithm: str | None = field_option(None, "--algorithm", "NAME", "fictitious or cfr+; solves even what is known.")
    target: float | None = field_option(None, "--target", "BB", "Stop at this exploitability, like 1e-5.", number)
    chart: Path | None = field_option(None, "--chart", "FILE", "Write the charts as an SVG picture.")
    json: Json = False

    def game(self, stacks: tuple[float, ...], payouts: tuple[float, ...] = ()) -> "PushFold":
        """The game of the blinds; with prizes the others have folded."""
        from math import inf

        from felt.solvers.pushfold.game import PushFold

        return PushFold(
            stacks=stacks[:2] if payouts else stacks,  # the game says how many there must be
            small_blind=self.sb,
            big_blind=self.bb,
            ante=self.ante,
            big_blind_ante=self.bb_ante,
            rake=self.rake,
            rake_cap=inf if self.rake_cap is None else self.rake_cap,
            payouts=payouts,
            others=stacks[2:] if payouts else (),
        )

    def goal(self, usual: float) -> float:
        """The exploitability to stop at."""
        return usual if self.target is None else self.target

    def check_chart(self) -> None:
        """Refuse a place where no chart can be written."""
        if self.chart is not None:
            from felt._files import check_writable

            check_writable(self.chart)

    def finish(self, solution: Solved, svg: str, print_solution: Callable[[Solved], None]) -> None:
        """Write the chart by the function of that name, and print what was solved."""
        if self.chart is not None:
            from felt._files import write_text
            from felt.solvers.pushfold import chart

            write_text(self.chart, getattr(chart, svg)(solution))
        if self.json:
            output.print_json(solution.as_dict())
            return
        print_solution(solution)
        if self.chart is not None:
            output.say(f"[dim]chart written to {output.plain(str(self.chart))}[/]")


@dataclass(kw_only=True)
class PushFoldOptions(StakesOptions):
    """The options of `felt pushfold`."""

    context: typer.Context
    stack: float | None = field_option(None, "--stack", "X", "Both players' stack before the blinds.", number)
    stacks: str | None = field_option(
        None, "--stacks", "A,B,…", "Stacks: small blind, big blind, then the others in turn."
    )
    players: int | None = field_option(None, "--players", "N", "How many are left to act: 2 to 9.", whole_number)
    payouts: str | None = field_option(None, "--payouts", "A,B,…", "Prizes of a tournament: chips count by ICM.")


@dataclass(kw_only=True)
class ScanOptions(StakesOptions):
    """The options of `felt pushfold scan`."""

    first: float = field_option(1.0, "--from", "BB", "The first stack.", number)
    last: float = field_option(100.0, "--to", "BB", "The last stack.", number)
    step: float = field_option(0.1, "--step", "BB", "From stack to stack.", number)


def _pushfold_command(function: Callable[[Any], None]) -> Callable[..., None]:
    """A command with its own options first."""
    shared = [field.name for field in fields(StakesOptions)]
    return options_command(function, lambda kind: sorted(fields(kind), key=lambda field: field.name in shared))


@app.callback(invoke_without_command=True)
@_pushfold_command
def pushfold(options: PushFoldOptions) -> None:
    """The equilibrium of push or fold: who shoves what, and who calls with what.

    Amounts are in big blinds unless `--bb` says what a big blind is. What was solved before is looked up. With four
    and more players at most three go all in, and cards that were folded are not counted.

    Example: `felt pushfold --stack 10`

    Example: `felt pushfold --stack 10 --players 3`

    Example: `felt pushfold --stacks 1500,2300 --sb 50 --bb 100 --ante 10 --chart chart.svg`

    Example: `felt pushfold --stacks 10,10,10,2 --payouts 50,30,20`
    """
    if options.context.invoked_subcommand is not None:
        _check_before_scan(options.context)
        return
    only_one_of(stack=options.stack, stacks=options.stacks)
    prizes = _numbers("--payouts", options.payouts, "50,30,20") if options.payouts is not None else ()
    chips = _stacks(options.stack, options.stacks, options.players)
    acting = options.players or (2 if prizes else len(chips))
    options.check_chart()
    if acting > 2:
        if options.rake or options.rake_cap is not None:
            raise FeltError(f"--rake with {acting} players: rake is for heads-up, leave it out")
        if options.algorithm not in (None, "cfr+"):
            raise FeltError(
                f"--algorithm {options.algorithm!r} with {acting} players: there is cfr+ only, leave it out"
            )
        options.finish(_solve_table(options, chips, acting, prizes), "table_svg", _print_table)
        return
    options.finish(_solved(options, options.game(chips, prizes)), "solution_svg", _print)


@app.command("scan")
@_pushfold_command
def scan(options: ScanOptions) -> None:
    """Up to how many big blinds each hand is shoved, and called with: every stack from 1 to 100 solved.

    Example: `felt pushfold scan --chart chart.svg`
    """
    from felt.solvers.pushfold.scan import TARGET
    from felt.solvers.pushfold.scan import scan as solve_all

    game = options.game((100 * options.bb, 100 * options.bb))
    options.check_chart()
    with progress_bar("solving") as progress:
        solved = solve_all(
            game, options.first, options.last, options.step, algorithm=options.algorithm or "fictitious",
            target=options.goal(TARGET), progress=progress,
        )  # fmt: skip
    options.finish(solved, "scan_svg", _print_scan)


def _check_before_scan(context: typer.Context) -> None:
    """Refuse options that were typed before the subcommand, where they would do nothing."""
    for name, value in context.params.items():
        if value and value != SCANNED.get(name):
            option = name.replace("_", "-")
            raise FeltError(f"--{option} before scan: its options come after it, --from and --to its stacks")


def _solved(options: StakesOptions, game: "PushFold") -> "Solution":
    """Looked up, or solved by an algorithm that was asked for."""
    from felt.solvers.pushfold.headsup import TARGET, solve

    if options.algorithm is not None:
        return solve(game, algorithm=options.algorithm, target=options.goal(TARGET))
    from felt.solvers.pushfold.lookup import FolderCache, solve_or_look_up

    return solve_or_look_up(game, FolderCache(), target=options.goal(TARGET))


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


def _print(solution: "Solution") -> None:
    from felt.cli.cards.range_ import range_chart
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
    output.say(
        f"[dim]exploitability {solution.exploitability:.1e} bb; {_how(solution, f'{solution.algorithm}, ', 3)}[/]"
    )


def _how(solution: "Solution | MultiSolution", algorithm: str = "", digits: int = 1) -> str:
    if solution.algorithm == "looked up":
        return "solved before"
    return f"{algorithm}{solution.iterations:,} iterations, {solution.seconds:.{digits}f} s"


def _print_scan(solved: "Scan") -> None:
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


def _stretches(intervals: list[tuple[float, float]], most: float) -> str:
    return ", ".join(f"{first:g}–{last:g}{'+' if last >= most else ''}" for first, last in intervals) or "never"


def _solve_table(
    options: StakesOptions, stacks: tuple[float, ...], players: int, payouts: tuple[float, ...]
) -> "MultiSolution":
    """Solve for three and more players, or look up unless an algorithm was asked for."""
    from math import log

    from felt.solvers.pushfold.lookup import FolderCache, solve_or_look_up
    from felt.solvers.pushfold.multiway import TARGET, solve_multi
    from felt.solvers.pushfold.multiway_game import MultiPushFold

    stakes = options.sb, options.bb, options.ante, options.bb_ante
    game = MultiPushFold(stacks[:players], *stakes, payouts=payouts, others=stacks[players:])
    goal, doing = options.goal(TARGET), f"Solving push/fold for {players}"
    with progress_bar(doing) as report:
        first: list[float] = []

        def watch(done: int, exploitability: float) -> None:
            first.append(max(exploitability, goal))
            if report is not None and first[0] > goal:
                share = log(first[0] / first[-1]) / log(first[0] / goal)
                report(share, 1.0, doing=f"{doing}: exploitability {exploitability:.1e} bb")

        if options.algorithm is not None:
            return solve_multi(game, target=goal, watch=watch)
        return solve_or_look_up(game, FolderCache(), target=goal, watch=watch)


def _print_table(solution: "MultiSolution") -> None:
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
        note = "Calls of two all-ins are in --json and --chart. Hands: those played at least half of the time."
    else:
        note = "Hands: those that are played at least half of the time."
    output.say(f"[dim]{note}[/]")
    if solution.undecided:
        output.say("[dim]Undecided hands may still be wrong by more than 0.0001 bb.[/]")
    values = ", ".join(f"{name} {value:+.4f}" for name, value in zip(game.names, solution.values, strict=True))
    output.say(f"value in bb a hand: {values}")
    if game.payouts:
        output.say("[dim]prizes by ICM, in big blinds' worth of chips[/]")
    output.say(f"[dim]exploitability {solution.exploitability:.1e} bb; {_how(solution)}[/]")
    output.say(f"[dim]{_caveat(solution)}[/]")


def _caveat(solution: "MultiSolution") -> str:
    """What the answer leaves out."""
    nobody = "With more than two players nothing guarantees an equilibrium; the exploitability says how near this is."
    if solution.game.exact:
        return nobody
    missing = sum(solution.values) if not solution.game.payouts else None
    off = f" (values sum to {missing:+.3f} bb, not 0)" if missing is not None else ""
    return f"{nobody} At most three go all in, and cards that others folded are not counted{off}."
