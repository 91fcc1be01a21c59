"""`felt tournament`: freeze-outs, at one table or many, as often as it takes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from felt.cli.arena.machines import executor_at
from felt.cli.arena.options import Copies, PlayOptions, Repeat, Stack, chips, parameter_names, play_command
from felt.cli.arena.reporting import check_report, finish
from felt.cli.arena.run_log import run_log
from felt.cli.arena.tournament_text import print_tournament
from felt.cli.games.finding import load_game, parameters_of
from felt.cli.options import count_number, number, only_one_of, option
from felt.cli.progress import progress_bar
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena.tournament import Schedule
    from felt.games import GameRules


@dataclass(kw_only=True)
class TournamentOptions(PlayOptions):
    """The options of `felt tournament`."""

    agents: Copies
    players_per_table: Annotated[
        int | None, option("--players-per-table", "N", "Seats at a table [9, or the game's].", count_number)
    ] = None
    stack: Stack = None
    blinds: Annotated[
        str | None, option("--blinds", "LEVELS", "Blinds and antes in chips, like 10/20,15/30,25/50/5.")
    ] = None
    levels: Annotated[
        str | None, option("--levels", "LEVELS", "Levels as multiples of the stakes, like 1,2,3,4,6,8.")
    ] = None
    hands_per_level: Annotated[int | None, option("--hands-per-level", "N", "Hands of a level [10].", count_number)] = (
        None
    )
    ante: Annotated[float | None, option("--ante", "BB", "Every player's ante in big blinds, like 0.1.", number)] = None
    payouts: Annotated[str | None, option("--payouts", "SHARES", "Shares of all buy-ins by place, like 50,30,20.")] = (
        None
    )
    icm_at: Annotated[
        int | None, option("--icm-at", "N", "Value stacks when N players are left [on the bubble].", count_number)
    ] = None
    repeat: Repeat = 1000


@play_command
def tournament(options: TournamentOptions) -> None:
    """Play a tournament many times, and say how often everybody finishes where.

    Example: `felt tournament tag ehs*4 call*4 --repeat 200`
    """
    from felt.arena.tournament import Tournament, play_tournaments
    from felt.arena.tournament.structure import shares

    games = games_for(options.game, options.settings, options.players_per_table, options.agents)
    schedule = _schedule(options.blinds, options.levels, options.hands_per_level, options.ante)
    tournament = Tournament.of(
        options.agents, games, stack=chips(options.stack, schedule.rules(games[0], 0, 1)),
        table_size=options.players_per_table, schedule=schedule,
        payouts=None if options.payouts is None else shares(options.payouts), icm_at=options.icm_at, seed=options.seed,
        on_error=options.on_error, timeout=options.timeout,
    )  # fmt: skip
    words = options.again("tournament", options.agents)
    check_report(options.report, options.plots)
    with (
        run_log(options.log, tournament, words) as log,
        executor_at(options.ray, options.workers) as executor,
        progress_bar(f"tournaments of {tournament.players} players") as bar,
    ):
        result = play_tournaments(
            tournament, options.repeat, workers=options.workers, log=log, progress=bar, executor=executor
        )  # fmt: skip
    finish("tournament", result, options, words, print_tournament)


def games_for(game: str, settings: list[str] | None, size: int | None, agents: list[str]) -> "list[GameRules]":
    """The game, or one for each number of players where its rules depend on that, as in Kuhn's.

    Up to a full table, or to all who enter where that is not given; or to as many as the game is for.
    """
    from felt.arena.tournament.spec import MOST_ENTRIES, TABLE, times_of

    if "players" not in parameter_names(game):
        return [load_game(game, settings)]
    if "players" in parameters_of(settings):
        raise FeltError("--set players: their number changes while it is played; give --players-per-table instead")
    most = min(TABLE, sum(times_of(agent, MOST_ENTRIES)[1] for agent in agents)) if size is None else size
    games = [load_game(game, [*(settings or ()), "players=2"])]
    for count in range(3, most + 1):
        try:
            games.append(load_game(game, [*(settings or ()), f"players={count}"]))
        except FeltError:  # it has no cards for more
            break
    return games


def _schedule(blinds_: str | None, levels: str | None, hands_per_level: int | None, ante: float | None) -> "Schedule":
    from felt.arena.tournament.structure import FACTORS, HANDS, Schedule, blinds, factors

    only_one_of(blinds=blinds_, levels=levels)
    if blinds_ is not None and ante is not None:
        raise FeltError(f"--ante {ante:g}: with --blinds, antes are written behind them, like 25/50/5")
    stakes = blinds(blinds_) if blinds_ is not None else factors(levels) if levels is not None else FACTORS
    return Schedule(stakes, HANDS if hands_per_level is None else hands_per_level, ante or 0.0)
