"""`felt tournament`: freeze-outs, at one table or many, as often as it takes."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.finding import Settings, load_game, parameters_of
from felt.cli.machines import Ray, run_crew
from felt.cli.match import Game, PlotsTo, ReportTo, Seed, Timeout, Workers, choices, command
from felt.cli.match import chips as chips_of
from felt.cli.options import Json, count_number, number, only_one_of, positive_number
from felt.cli.progress import progress_bar
from felt.cli.reporting import check_report, write_tournament_report
from felt.cli.run_log import run_log
from felt.cli.tournament_text import print_tournament
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena.tournament import Schedule, Tournament
    from felt.games import GameRules

REPEAT = 1000

Agents = Annotated[
    list[str], typer.Argument(metavar="AGENT AGENT…", help="Names or files; call*20 enters twenty times.")
]
Size = Annotated[
    int | None,
    typer.Option("--players-per-table", metavar="N", parser=count_number, help="Seats at a table [9, or the game's]."),
]
Stack = Annotated[
    float | None,
    typer.Option(
        "--stack", metavar="BB", parser=positive_number, help="Everybody's stack in big blinds of the first level."
    ),
]
Blinds = Annotated[
    str | None, typer.Option("--blinds", metavar="LEVELS", help="Blinds and antes in chips, like 10/20,15/30,25/50/5.")
]
Levels = Annotated[
    str | None, typer.Option("--levels", metavar="LEVELS", help="Levels as multiples of the stakes, like 1,2,3,4,6,8.")
]
HandsPerLevel = Annotated[
    int | None, typer.Option("--hands-per-level", metavar="N", parser=count_number, help="Hands of a level [10].")
]
Ante = Annotated[
    float | None, typer.Option("--ante", metavar="BB", parser=number, help="Everybody's ante in big blinds, like 0.1.")
]
PayoutShares = Annotated[
    str | None, typer.Option("--payouts", metavar="SHARES", help="Shares of all buy-ins by place, like 50,30,20.")
]
IcmAt = Annotated[
    int | None,
    typer.Option(
        "--icm-at", metavar="N", parser=count_number, help="Value stacks when N players are left [on the bubble]."
    ),
]
Repeat = Annotated[
    int, typer.Option("--repeat", "-n", metavar="N", parser=count_number, help="How often it is played.")
]
OnError = Annotated[
    str, typer.Option("--on-error", metavar="RULE", help="What is done for an agent that does wrong: fold or call.")
]
LogTo = Annotated[
    Path | None, typer.Option("--log", metavar="DIR", help="Keep every tournament there; go on where it ends.")
]


def tournament(
    agents: Agents,
    game: Game = "nlhe",
    players_per_table: Size = None,
    stack: Stack = None,
    blinds: Blinds = None,
    levels: Levels = None,
    hands_per_level: HandsPerLevel = None,
    ante: Ante = None,
    payouts: PayoutShares = None,
    icm_at: IcmAt = None,
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
    """Play a tournament many times, and say how often everybody finishes where.

    Example: `felt tournament tag ehs*4 call*4 --repeat 200`
    """
    from felt.arena.tournament import Tournament, play_tournaments
    from felt.arena.tournament.payouts import shares

    games = games_for(game, settings, players_per_table, agents)
    schedule = _schedule(blinds, levels, hands_per_level, ante)
    found = Tournament.of(
        agents, games, stack=chips_of(stack, schedule.rules(games[0], 0, 1)), table_size=players_per_table,
        schedule=schedule, payouts=None if payouts is None else shares(payouts), icm_at=icm_at, seed=seed,
        on_error=on_error, timeout=timeout,
    )  # fmt: skip
    words = command(
        "tournament", agents, game=game, settings=settings, players_per_table=players_per_table, stack=stack,
        blinds=blinds, levels=levels, hands_per_level=hands_per_level, ante=ante, payouts=payouts, icm_at=icm_at,
        repeat=repeat, seed=seed, on_error=on_error, timeout=timeout,
    )  # fmt: skip
    check_report(report, plots)
    with run_log(log, found, words) as kept, run_crew(ray, workers) as crew, progress_bar(_title(found)) as bar:
        result = play_tournaments(found, repeat, workers=workers, kept=kept, progress=bar, crew=crew)
    if report is not None or plots is not None:
        write_tournament_report(result, shlex.join(words), report, plots)
    if json:
        output.print_json(result.as_dict())
        return
    print_tournament(result)
    output.say_written(report, plots, log)


def games_for(game: str, settings: list[str] | None, size: int | None, agents: list[str]) -> "list[GameRules]":
    """The game, or one for each number of players where its rules depend on that, as in Kuhn's.

    Up to a full table, or to all who enter where that is not given; or to as many as the game is for.
    """
    from felt.arena.tournament.spec import MOST_ENTRIES, TABLE, times_of

    if "players" not in choices(game):
        return [load_game(game, settings)]
    if "players" in parameters_of(settings):
        raise FeltError("--set players: their number changes while it is played; give --players-per-table instead")
    most = min(TABLE, sum(times_of(one, MOST_ENTRIES)[1] for one in agents)) if size is None else size
    found = [load_game(game, [*(settings or ()), "players=2"])]
    for count in range(3, most + 1):
        try:
            found.append(load_game(game, [*(settings or ()), f"players={count}"]))
        except FeltError:  # it has no cards for more
            break
    return found


def _schedule(blinds_: str | None, levels: str | None, hands_per_level: int | None, ante: float | None) -> "Schedule":
    from felt.arena.tournament.schedule import FACTORS, HANDS, Schedule, blinds, factors

    only_one_of(blinds=blinds_, levels=levels)
    if blinds_ is not None and ante is not None:
        raise FeltError(f"--ante {ante:g}: with --blinds, antes are written behind them, like 25/50/5")
    found = blinds(blinds_) if blinds_ is not None else factors(levels) if levels is not None else FACTORS
    return Schedule(found, HANDS if hands_per_level is None else hands_per_level, ante or 0.0)


def _title(found: "Tournament") -> str:
    return f"tournaments of {found.players} players"
