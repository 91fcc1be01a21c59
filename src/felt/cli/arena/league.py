"""`felt league` and `felt competition`: everybody against everybody, by two or at larger tables."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from felt.cli import output
from felt.cli.arena.match import PairOptions, print_conduct
from felt.cli.arena.options import (
    Agents,
    OnError,
    PlayOptions,
    Stack,
    chips,
    parameter_names,
    play_command,
    until_width,
)
from felt.cli.arena.playing import interval, match_bars, play_and_report, rate_cells
from felt.cli.games.finding import load_game, parameters_of
from felt.cli.options import count_number, field_option
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from felt.arena import Match, Result
    from felt.arena.competition import Standings
    from felt.arena.match.hands import Log
    from felt.arena.match.league import League, ProgressMaker

SEATS = 3

Results = TypeVar("Results", bound=Any)


@dataclass(kw_only=True)
class LeagueOptions(PairOptions):
    """The options of `felt league`."""

    agents: Agents


@play_command
def league(options: LeagueOptions) -> None:
    """Play every two agents against each other; `--hands` counts those of one match.

    Example: `felt league call raise random ehs --hands 5000 --duplicate`
    """
    from felt.arena.match.league import play_league

    agents = options.agents
    if len(agents) < 2:
        raise FeltError(f"a league needs at least two agents, here is one: felt league {agents[0]} call random")
    everybody, until = options.make_match(agents, pairs=True), until_width(options.until)
    play = partial(play_league, everybody, options.hands, until=until, watch=options.draws)
    _play_matches("league", options, options.hands, play, print_league)


@dataclass(kw_only=True)
class CompetitionOptions(PlayOptions):
    """The options of `felt competition`."""

    agents: Agents
    players_per_table: int | None = field_option(
        None, "--players-per-table", "N", f"Seats at a table [{SEATS}, or the game's].", count_number
    )
    hands: int = field_option(3000, "--hands -n", "N", "Hands of a match, all seatings counted.", count_number)
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
    play = partial(play_competition, *_everybody(options), options.hands)
    _play_matches("competition", options, options.hands, play, print_standings)


def _play_matches(
    kind: str,
    options: PlayOptions,
    hands: int | None,
    play: Callable[..., Results],
    print_results: Callable[[Results], None],
) -> None:
    def open_logs(folder: Path, command: str) -> "Callable[[int, Match], Log]":
        from felt.store.log.matches import open_match

        return lambda number, match: open_match(folder, match, number=number, command=command)

    @contextmanager
    def bars() -> "Iterator[ProgressMaker | None]":
        with match_bars(hands) as begin:
            yield None if begin is None else lambda number, count, match: begin(match, f"match {number} of {count}: ")

    play_and_report(kind, options, play, print_results, open_log=open_logs, bar=bars())


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
    entrants, stack = [entrant(spec) for spec in agents], chips(options.stack, rules)
    return options.build(Match.of, agents=entrants, rules=rules, stack=stack, duplicate=True, seats=seats), seats


def print_league(league: "League") -> None:
    """The table, the best first, with what everybody won against everybody."""
    order = league.table
    heads = ("", "player", "mbb/hand", *(str(place + 1) for place in range(len(order))))
    rows = output.table(*heads, numbers=heads[2:])
    for place, player in enumerate(order):
        cells = ["" if other == player else interval(league.rate(player, other)) for other in order]
        rows.add_row(str(place + 1), output.plain(league.names[player]), interval(league.overall(player)), *cells)
    output.show(rows)
    output.say()
    first = next(iter(league.results.values()))
    game = first.match.rules.title or first.match.rules.name
    output.say(
        f"[dim]mbb/hand with 95 % intervals: {game}, {len(league.results)} matches of {first.hands:,} hands, "
        f"seed {league.seed}[/]"
    )
    _print_faulty(league.results.values())


def print_standings(standings: "Standings") -> None:
    """The agents by bankroll, then the counts of the run-off, then what went wrong."""
    heads = ("", "player", "big blinds", "mbb/hand", "95 % interval", "run-off")
    rows = output.table(*heads, numbers=heads[2:])
    first = next(iter(standings.results.values()))
    for agent in standings.table:
        won = f"{standings.bankroll(agent) / first.match.rules.big_blind:+,.1f}"
        name, run_off = output.plain(standings.names[agent]), str(standings.run_off_places[agent])
        rows.add_row(str(standings.places[agent]), name, won, *rate_cells(standings.overall(agent)), run_off)
    output.show(rows)
    output.say()
    _print_run_off(standings)
    matches = "1 match" if len(standings.results) == 1 else f"{len(standings.results):,} matches"
    output.say(
        f"[dim]{output.title(first.match.rules)}, {matches} of {first.hands:,} hands "
        f"(every deal in {first.match.plan.size} seatings), seed {standings.seed}, {standings.speed}[/]"
    )
    _print_faulty(standings.results.values())


def _print_faulty(results: "Iterable[Result]") -> None:
    for result in results:
        if not result.conduct.clean:
            print_conduct(result)


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
            behind = f"{interval(count.lead)[1:]} mbb/hand behind {names[count.agents[-2]]}{sure}"
            output.say(output.plain(f"Run-off, count {number}: {names[count.agents[-1]]} is dropped, {behind}."))
    output.say(output.plain(f"Total bankroll: {standings.first.describe(names)}."))
    output.say(output.plain(f"Instant run-off: {standings.run_off_first.describe(names)}."))
