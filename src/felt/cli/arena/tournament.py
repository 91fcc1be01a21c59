"""`felt tournament`: freeze-outs, at one table or many, as often as it takes."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from felt.cli import output
from felt.cli.arena.options import Copies, PlayOptions, Repeat, Stack, chips, parameter_names, play_command
from felt.cli.arena.playing import play_runs, print_faults
from felt.cli.games.finding import load_game, parameters_of
from felt.cli.options import count_number, field_option, number, only_one_of
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from felt.arena.tournament import Schedule, TournamentResult
    from felt.games import GameRules
    from felt.stats.means import Mean


@dataclass(kw_only=True)
class TournamentOptions(PlayOptions):
    """The options of `felt tournament`."""

    agents: Copies
    players_per_table: int | None = field_option(
        None, "--players-per-table", "N", "Seats at a table [9, or the game's].", count_number
    )
    stack: Stack = None
    blinds: str | None = field_option(
        None, "--blinds", "LEVELS", "Blinds and antes in chips, like 10/20,15/30,25/50/5."
    )
    levels: str | None = field_option(
        None, "--levels", "LEVELS", "Levels as multiples of the stakes, like 1,2,3,4,6,8."
    )
    hands_per_level: int | None = field_option(None, "--hands-per-level", "N", "Hands of a level [10].", count_number)
    ante: float | None = field_option(None, "--ante", "BB", "Every player's ante in big blinds, like 0.1.", number)
    payouts: str | None = field_option(None, "--payouts", "SHARES", "Shares of all buy-ins by place, like 50,30,20.")
    icm_at: int | None = field_option(
        None, "--icm-at", "N", "Value stacks when N players are left [on the bubble].", count_number
    )
    repeat: Repeat = 1000


@play_command
def tournament(options: TournamentOptions) -> None:
    """Play a tournament many times, and say how often everybody finishes where.

    Example: `felt tournament tag ehs*4 call*4 --repeat 200`
    """
    from felt.arena.tournament import Tournament, play_tournaments
    from felt.arena.tournament.structure import shares

    games = games_for(options.game, options.settings, options.players_per_table, options.agents)
    schedule = _schedule(options)
    tournament = options.build(
        Tournament.of, game=games, stack=chips(options.stack, schedule.rules(games[0], 0, 1)),
        table_size=options.players_per_table, schedule=schedule,
        payouts=None if options.payouts is None else shares(options.payouts),
    )  # fmt: skip
    play, doing = partial(play_tournaments, tournament, options.repeat), f"tournaments of {tournament.players} players"
    play_runs("tournament", options, tournament, play, doing, print_tournament)


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


def _schedule(options: TournamentOptions) -> "Schedule":
    from felt.arena.tournament.structure import FACTORS, HANDS, Schedule, blinds, factors

    only_one_of(blinds=options.blinds, levels=options.levels)
    hands = HANDS if options.hands_per_level is None else options.hands_per_level
    if options.blinds is not None:
        if options.ante is not None:
            raise FeltError(f"--ante {options.ante:g}: with --blinds, antes are written behind them, like 25/50/5")
        return Schedule(blinds(options.blinds), hands, 0.0)
    return Schedule(FACTORS if options.levels is None else factors(options.levels), hands, options.ante or 0.0)


COLUMNS = 10
"""Places that are shown one by one; in larger fields they are shown in parts of it."""


def print_tournament(result: "TournamentResult") -> None:
    """Two tables: what agents are paid, and where they finish; then what went wrong."""
    tournament, test = result.tournament, result.uniformity()
    _print_payouts(result)
    output.say()
    _print_places(result)
    output.say()
    several = len(tournament.entrants) > 1
    between = "the agents" if several else f"the entries of {tournament.names[0]}"
    output.say(output.plain(f"Between {between}, {test}."))
    output.say(f"[dim]{output.plain(_summary(result))}[/]")
    print_faults(result.conduct, tournament.names, tournament.penalty, result.where)


def _print_payouts(result: "TournamentResult") -> None:
    valued = result.icm(0) is not None
    heads = ["agent", "entries", "payout", "return", "mean place", *(["ICM"] if valued else [])]
    rows = output.table(*heads, numbers=heads[1:])
    for agent in result.table:
        at, roi = result.icm(agent), result.roi(agent)
        rows.add_row(
            output.plain(result.tournament.names[agent]),
            f"{result.tournament.copies[agent]:,}",
            _with_half(result.payout(agent), 3),
            f"{100 * roi.value:+,.1f}%" + ("" if roi.half is None else f" ± {100 * roi.half:,.1f}"),
            _with_half(result.place(agent), 2),
            *([] if at is None else [_with_half(at, 3)]),
        )
    output.show(rows)


def _print_places(result: "TournamentResult") -> None:
    from felt.arena.tournament.result import place_groups

    groups = place_groups(result.tournament.players, COLUMNS)
    heads = ["place", *(f"{first}" if first == last else f"{first}–{last}" for first, last in groups)]
    rows = output.table(*heads, numbers=heads[1:])
    for agent in result.table:
        shares = (result.places_between(agent, first, last) for first, last in groups)
        cells = [f"{100 * share:.1f}%\n± {50 * (high - low):.1f}" for share, (low, high) in shares]
        rows.add_row(output.plain(result.tournament.names[agent]), *cells)
    output.show(rows)


def _with_half(figure: "Mean", places: int) -> str:
    return f"{figure.value:,.{places}f}" + ("" if figure.half is None else f" ± {figure.half:,.{places}f}")


def _summary(result: "TournamentResult") -> str:
    tournament = result.tournament
    rules = tournament.games[0]
    tables = -(-tournament.players // tournament.table_size)
    where = f"{tournament.players:,} players at {counted(tables, 'table')}"
    return (
        f"Buy-ins for an entry, ± 95 % intervals: {rules.title or rules.name}, {where}, "
        f"{tournament.stack / tournament.big_blind:,.10g} big blinds, {tournament.payouts.paid} paid, "
        f"{counted(result.repeats, 'tournament')} of {result.hands / result.repeats:,.0f} hands, "
        f"seed {tournament.seed}, {result.speed}"
    )
