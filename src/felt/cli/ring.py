"""`felt ring`: ring games with bankrolls, stakes and ruin."""

import shlex
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.finding import Settings
from felt.cli.machines import Ray, run_crew
from felt.cli.match import Game, PlotsTo, ReportTo, Seed, Timeout, Workers, command
from felt.cli.match_text import print_faults
from felt.cli.options import Json, count_number
from felt.cli.progress import progress_bar
from felt.cli.reporting import check_report, write_ring_report
from felt.cli.run_log import run_log
from felt.cli.tournament import OnError, games_for
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena.ring import RingResult

REPEAT, ROUNDS, BANKROLL, BUY_IN, LEVELS, POLICY = 200, 1000, "1000", 100, "1,2,5,10", "buyins"

Agents = Annotated[
    list[str],
    typer.Argument(metavar="AGENT AGENT…", help="Names or files, with a policy and a number if wanted: tag@kelly*4."),
]
Size = Annotated[
    int | None,
    typer.Option("--players-per-table", metavar="N", parser=count_number, help="Seats at a table [6, or the game's]."),
]
Bankroll = Annotated[
    str,
    typer.Option(
        "--bankroll",
        metavar="BB",
        help="In big blinds of the smallest stakes, for all or for each AGENT, like 50,150.",
    ),
]
Policy = Annotated[
    str,
    typer.Option(
        "--policy", metavar="NAME", help="Of agents without one: buyins:count=20, kelly:fraction=0.05, never, whole."
    ),
]
Levels = Annotated[
    str, typer.Option("--levels", metavar="LEVELS", help="Stakes as multiples of the game's, like 1,2,5,10.")
]
BuyIn = Annotated[
    int, typer.Option("--buy-in", metavar="BB", parser=count_number, help="A full buy-in in big blinds of its table.")
]
Rounds = Annotated[
    int, typer.Option("--rounds", metavar="N", parser=count_number, help="Hands at each table of a history, at most.")
]
Repeat = Annotated[
    int, typer.Option("--repeat", "-n", metavar="N", parser=count_number, help="How many histories are played.")
]
LogTo = Annotated[
    Path | None, typer.Option("--log", metavar="DIR", help="Keep what comes of it there; go on where it ends.")
]


def ring(
    agents: Agents,
    game: Game = "nlhe",
    players_per_table: Size = None,
    bankroll: Bankroll = BANKROLL,
    policy: Policy = POLICY,
    levels: Levels = LEVELS,
    buy_in: BuyIn = BUY_IN,
    rounds: Rounds = ROUNDS,
    repeat: Repeat = REPEAT,
    seed: Seed = 0,
    workers: Workers = None,
    on_error: OnError = "fold",
    timeout: Timeout = 10.0,
    settings: Settings = None,
    log: LogTo = None,
    report: ReportTo = None,
    plots: PlotsTo = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Play ring games with bankrolls many times, and say who grows and who is ruined, beside the theory.

    Example: `felt ring tag@kelly ehs@never call*4 --bankroll 500 --repeat 100 --report ring.html`
    """
    from felt.arena.ring import Ring, play_rings
    from felt.arena.tournament.schedule import factors

    found = Ring.of(
        agents, games_for(game, settings, players_per_table, agents), bankroll=_bankrolls(bankroll, len(agents)),
        policy=policy, levels=factors(levels), buy_in=buy_in, table_size=players_per_table, rounds=rounds, seed=seed,
        on_error=on_error, timeout=timeout,
    )  # fmt: skip
    words = command(
        "ring", agents, game=game, settings=settings, players_per_table=players_per_table, bankroll=bankroll,
        policy=policy, levels=levels, buy_in=buy_in, rounds=rounds, repeat=repeat, seed=seed, on_error=on_error,
        timeout=timeout,
    )  # fmt: skip
    check_report(report, plots)
    doing = f"histories of {found.players} players"
    with run_log(log, found, words) as kept, run_crew(ray, workers) as crew, progress_bar(doing) as bar:
        result = play_rings(found, repeat, workers=workers, kept=kept, progress=bar, crew=crew)
    if report is not None or plots is not None:
        write_ring_report(result, shlex.join(words), report, plots)
    if json:
        output.print_json(result.as_dict())
        return
    print_ring(result)
    output.say_written(report, plots, log)


def _bankrolls(text: str, agents: int) -> float | list[float]:
    try:
        found = [float(part) for part in text.split(",")]
        if not all(0 < one < inf for one in found):
            raise ValueError
    except ValueError:
        raise FeltError(f"--bankroll {text!r}: write big blinds above 0, for all or for each, like 50,150") from None
    if len(found) not in (1, agents):
        raise FeltError(f"--bankroll {text!r}: {len(found)} bankrolls for {agents} agents; give one, or one for each")
    return found[0] if len(found) == 1 else found


def _name(result: "RingResult", agent: int) -> str:
    copies = result.ring.copies[agent]
    return f"{copies:,} × " * (copies > 1) + result.ring.names[agent]


def _to(ends: tuple[float, float] | None, times: int, form: str) -> str:
    """An interval below its figure; a history alone has none."""
    return "\n-" if ends is None else f"\n{times * ends[0]:{form}} to {times * ends[1]:{form}}"


def print_ring(result: "RingResult") -> None:
    """A table of the agents: how they grew, how often they were ruined, and what theory says."""
    ring = result.ring
    heads = ["agent", "bankroll", "growth", "ruined", "theory", "mbb/hand"]
    rows = output.table(*heads, numbers=heads[1:])
    for agent in result.table:
        share, (low, high) = result.ruin(agent)
        grown, walk, ends = result.growth(agent), result.walk(agent), result.theory_ends(agent)
        rows.add_row(
            output.plain(_name(result, agent)),
            f"{ring.bankrolls[agent] / ring.big_blind(0):,.10g}",
            f"×{grown.value:,.2f}" + ("" if grown.half is None else f"\n± {grown.half:,.2f}"),
            f"{100 * share:.1f}%\n{100 * low:.1f} to {100 * high:.1f}",
            f"{100 * result.theory(agent):.1f}%" + _to(ends, 100, ".1f"),
            f"{1000 * walk.drift:+,.0f}" + _to(walk.ends, 1000, "+,.0f"),
        )
    output.show(rows)
    output.say()
    title = ring.games[0].title or ring.games[0].name
    output.say(
        f"[dim]{output.plain(title)}, {result.repeats:,} histories of up to {ring.rounds:,} rounds, {result.hands:,} "
        f"hands, seed {ring.seed}, {result.speed}[/]"
    )
    print_faults(result.conduct, ring.names, str(ring.penalty), result.where)
