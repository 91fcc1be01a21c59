"""`felt competition`: every combination of agents at a table, every deal in all seatings."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from felt.cli import output
from felt.cli.arena.league import Bars, logs_of
from felt.cli.arena.machines import executor_at
from felt.cli.arena.match_text import interval, print_conduct
from felt.cli.arena.options import Agents, OnError, PlayOptions, Stack, chips, parameter_names, play_command
from felt.cli.arena.reporting import check_report, finish
from felt.cli.games.finding import load_game, parameters_of
from felt.cli.options import count_number, option
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from felt.arena import Match
    from felt.arena.competition import Standings

SEATS = 3


@dataclass(kw_only=True)
class CompetitionOptions(PlayOptions):
    """The options of `felt competition`."""

    agents: Agents
    players_per_table: Annotated[
        int | None, option("--players-per-table", "N", f"Seats at a table [{SEATS}, or the game's].", count_number)
    ] = None
    hands: Annotated[int, option("--hands -n", "N", "Hands of a match, all seatings counted.", count_number)] = 3000
    stack: Stack = None
    on_error: OnError = "call"


@play_command
def competition(options: CompetitionOptions) -> None:
    """Play every combination of agents at a table, and say who wins by total bankroll and by instant run-off.

    Example: `felt competition call raise random ehs --game kuhn --hands 6000`
    """
    from felt.arena.competition import play_competition

    if options.on_error not in ("call", "fold"):
        raise FeltError(f"--on-error {options.on_error!r}: choose call or fold")
    everybody, seats = _everybody(options)
    words = options.again("competition", options.agents)
    check_report(options.report, options.plots)
    with executor_at(options.ray, options.workers) as executor, Bars(options.hands) as bars:
        standings = play_competition(
            everybody, seats, options.hands, workers=options.workers, log=logs_of(options.log, words),
            progress=bars.next, executor=executor,
        )  # fmt: skip
    finish("competition", standings, options, words, print_standings)


def _everybody(options: CompetitionOptions) -> "tuple[Match, int]":
    """All agents, and how many of them sit at a table."""
    from felt.agents import entrant
    from felt.arena import Match

    game, settings, size, agents = options.game, options.settings, options.players_per_table, options.agents
    wished = SEATS if size is None else size
    if "players" in parameter_names(game) and (size is not None or "players" not in parameters_of(settings)):
        rules = load_game(game, settings, wished, counted=f"--players-per-table {wished}")
    else:
        rules = load_game(game, settings)
    seats = min(rules.max_players, max(rules.min_players, wished)) if size is None else wished
    if len(agents) < seats:
        raise FeltError(f"{counted(len(agents), 'agent')} for tables of {seats}: name {seats} or more")
    match = Match.of(
        [entrant(spec) for spec in agents], rules, stack=chips(options.stack, rules), seed=options.seed, duplicate=True,
        on_error=options.on_error, timeout=options.timeout, seats=seats,
    )  # fmt: skip
    return match, seats


def print_standings(standings: "Standings") -> None:
    """The agents by bankroll, then the counts of the run-off, then what went wrong."""
    heads = ("", "player", "big blinds", "mbb/hand", "95 % interval", "run-off")
    rows = output.table(*heads, numbers=("big blinds", "mbb/hand", "95 % interval", "run-off"))
    first = next(iter(standings.results.values()))
    for agent in standings.table:
        rate = standings.overall(agent)
        ends = "-" if rate.ci95 is None else f"{rate.ci95[0]:+,.1f} to {rate.ci95[1]:+,.1f}"
        won = f"{standings.bankroll(agent) / first.match.rules.big_blind:+,.1f}"
        name, run_off = output.plain(standings.names[agent]), str(standings.run_off_places[agent])
        rows.add_row(str(standings.places[agent]), name, won, f"{rate.mbb:+,.1f}", ends, run_off)
    output.show(rows)
    output.say()
    _print_run_off(standings)
    game, size = first.match.rules.title or first.match.rules.name, first.match.plan.size
    output.say(
        f"[dim]{output.plain(game)}, {_matches(len(standings.results))} of {first.hands:,} hands "
        f"(every deal in {size} seatings), seed {standings.seed}, {standings.speed}[/]"
    )
    for result in standings.results.values():
        if not result.conduct.clean:
            print_conduct(result)


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count:,} matches"


def _print_run_off(standings: "Standings") -> None:
    names = standings.names
    for number, count in enumerate(standings.run_off, 1):
        if count.lead is None:
            last = ", ".join(
                f"{names[agent]} {interval(rate)}" for agent, rate in zip(count.agents, count.rates, strict=True)
            )
            output.say(output.plain(f"Run-off, last count: {last} mbb/hand."))
        else:
            sure = "" if count.lead.settled else ", which is not settled"
            output.say(
                output.plain(
                    f"Run-off, count {number}: {names[count.agents[-1]]} is dropped, {interval(count.lead)[1:]} "
                    f"mbb/hand behind {names[count.agents[-2]]}{sure}."
                )
            )
    output.say(output.plain(f"Total bankroll: {standings.first.describe(names)}."))
    output.say(output.plain(f"Instant run-off: {standings.run_off_first.describe(names)}."))
