"""`felt competition`: every combination of agents at a table, every deal in all seatings."""

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.finding import Settings, load_game, parameters_of
from felt.cli.league import Bars, logs_of
from felt.cli.machines import Ray, match_crew
from felt.cli.match import Game, LogTo, PlotsTo, ReportTo, Seed, Stack, Timeout, Workers, chips, choices, command
from felt.cli.match_text import interval, print_conduct
from felt.cli.options import Json, count_number
from felt.cli.reporting import check_report, write_competition_report
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from felt.arena import Match
    from felt.arena.competition import Standings

HANDS, SEATS = 3000, 3

Size = Annotated[
    int | None,
    typer.Option("--players-per-table", metavar="N", parser=count_number, help="Seats at a table [3, or the game's]."),
]
Hands = Annotated[
    int, typer.Option("--hands", "-n", metavar="N", parser=count_number, help="Hands of a match, all seatings counted.")
]
OnError = Annotated[
    str, typer.Option("--on-error", metavar="RULE", help="What is done for an agent that does wrong: call, fold.")
]


def competition(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT AGENT…", help="Names, or files like ./bot.py:Bot.")],
    game: Game = "nlhe",
    players_per_table: Size = None,
    hands: Hands = HANDS,
    stack: Stack = None,
    seed: Seed = 0,
    workers: Workers = None,
    on_error: OnError = "call",
    timeout: Timeout = 10.0,
    settings: Settings = None,
    log: LogTo = None,
    report: ReportTo = None,
    plots: PlotsTo = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Play every combination of agents at a table, and say who wins by total bankroll and by instant run-off.

    Example: `felt competition call raise random ehs --game kuhn --hands 6000`
    """
    from felt.arena.competition import play_competition

    if on_error not in ("call", "fold"):
        raise FeltError(f"--on-error {on_error!r}: choose call or fold")
    everybody, seats = _everybody(
        agents, game, settings, players_per_table, stack=stack, seed=seed, on_error=on_error, timeout=timeout
    )  # fmt: skip
    words = command(
        "competition", agents, game=game, settings=settings, players_per_table=players_per_table, hands=hands,
        stack=stack, seed=seed, timeout=timeout,
    )  # fmt: skip
    if on_error != "call":
        words += ["--on-error", on_error]
    check_report(report, plots)
    bars = Bars(hands)
    try:
        with match_crew(ray, workers) as crew:
            found = play_competition(
                everybody, seats, hands, workers=workers, log=logs_of(log, words) if log is not None else None,
                progress=bars.next, crew=crew,
            )  # fmt: skip
    finally:
        bars.stop()
    if report is not None or plots is not None:
        write_competition_report(found, shlex.join(words), report, plots)
    if json:
        output.print_json(found.as_dict())
        return
    print_standings(found)
    output.say_written(report, plots, log)


def _everybody(
    agents: list[str],
    game: str,
    settings: list[str] | None,
    size: int | None,
    *,
    stack: float | None,
    seed: int,
    on_error: str,
    timeout: float,
) -> "tuple[Match, int]":
    """All agents, and how many of them sit at a table."""
    from felt.agents import entrant
    from felt.arena import Match

    asked = SEATS if size is None else size
    if "players" in choices(game) and (size is not None or "players" not in parameters_of(settings)):
        rules = load_game(game, settings, asked, counted=f"--players-per-table {asked}")
    else:
        rules = load_game(game, settings)
    seats = min(rules.max_players, max(rules.min_players, asked)) if size is None else asked
    if len(agents) < seats:
        raise FeltError(f"{counted(len(agents), 'agent')} for tables of {seats}: name {seats} or more")
    entrants = [entrant(spec) for spec in agents]
    found = Match.of(
        entrants, rules, stack=chips(stack, rules), seed=seed, duplicate=True, on_error=on_error, timeout=timeout,
        seats=seats,
    )  # fmt: skip
    return found, seats


def print_standings(found: "Standings") -> None:
    """The agents by bankroll, then the counts of the run-off, then what went wrong."""
    heads = ("", "player", "big blinds", "mbb/hand", "95 % interval", "run-off")
    rows = output.table(*heads, numbers=("big blinds", "mbb/hand", "95 % interval", "run-off"))
    first = next(iter(found.results.values()))
    for agent in found.table:
        rate = found.overall(agent)
        ends = "-" if rate.ci95 is None else f"{rate.ci95[0]:+,.1f} to {rate.ci95[1]:+,.1f}"
        won = f"{found.bankroll(agent) / first.match.rules.big_blind:+,.1f}"
        name, run_off = output.plain(found.names[agent]), str(found.run_off_places[agent])
        rows.add_row(str(found.places[agent]), name, won, f"{rate.mbb:+,.1f}", ends, run_off)
    output.show(rows)
    output.say()
    _print_run_off(found)
    game, size = first.match.rules.title or first.match.rules.name, first.match.plan.size
    output.say(
        f"[dim]{output.plain(game)}, {_matches(len(found.results))} of {first.hands:,} hands "
        f"(every deal in {size} seatings), seed {found.seed}, {found.speed}[/]"
    )
    for result in found.results.values():
        if not result.conduct.clean:
            print_conduct(result)


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count:,} matches"


def _print_run_off(found: "Standings") -> None:
    names = found.names
    for number, one in enumerate(found.run_off, 1):
        if one.lead is None:
            last = ", ".join(
                f"{names[agent]} {interval(rate)}" for agent, rate in zip(one.agents, one.rates, strict=True)
            )
            output.say(output.plain(f"Run-off, last count: {last} mbb/hand."))
        else:
            sure = "" if one.lead.settled else ", which is not settled"
            output.say(
                output.plain(
                    f"Run-off, count {number}: {names[one.agents[-1]]} is dropped, {interval(one.lead)[1:]} mbb/hand "
                    f"behind {names[one.agents[-2]]}{sure}."
                )
            )
    output.say(output.plain(f"Total bankroll: {found.first.told(names)}."))
    output.say(output.plain(f"Instant run-off: {found.run_off_first.told(names)}."))
