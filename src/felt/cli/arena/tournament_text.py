"""Tournaments for the terminal: a table of the agents, and where they finish."""

from typing import TYPE_CHECKING

from felt.cli import output
from felt.cli.arena.match_text import print_faults
from felt.errors import counted

if TYPE_CHECKING:
    from felt.arena.tournament import TournamentResult
    from felt.stats.means import Mean

COLUMNS = 10
"""Places that are shown one by one; in larger fields they are shown in parts of it."""


def print_tournament(result: "TournamentResult") -> None:
    """Two tables: what agents are paid, and where they finish; then what went wrong."""
    tournament, test = result.tournament, result.uniformity()
    _print_payouts(result)
    output.say()
    _print_places(result)
    output.say()
    output.say(output.plain(f"Between {_whom(result)}, {test}."))
    output.say(f"[dim]{output.plain(_summary(result))}[/]")
    print_faults(result.conduct, tournament.names, str(tournament.penalty), result.where)


def _print_payouts(result: "TournamentResult") -> None:
    valued = result.icm(0) is not None
    heads = ["agent", "entries", "payout", "return", "mean place", *(["ICM"] if valued else [])]
    rows = output.table(*heads, numbers=heads[1:])
    for agent in result.table:
        at = result.icm(agent)
        rows.add_row(
            output.plain(result.tournament.names[agent]),
            f"{result.tournament.copies[agent]:,}",
            _with_half(result.payout(agent), 3),
            _percent(result.roi(agent)),
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
        shares = [result.places_between(agent, first, last) for first, last in groups]
        rows.add_row(output.plain(result.tournament.names[agent]), *(_share(*share) for share in shares))
    output.show(rows)


def _share(share: float, ends: tuple[float, float]) -> str:
    return f"{100 * share:.1f}%\n± {50 * (ends[1] - ends[0]):.1f}"


def _percent(figure: "Mean") -> str:
    return f"{100 * figure.value:+,.1f}%" + ("" if figure.half is None else f" ± {100 * figure.half:,.1f}")


def _with_half(figure: "Mean", places: int) -> str:
    return f"{figure.value:,.{places}f}" + ("" if figure.half is None else f" ± {figure.half:,.{places}f}")


def _whom(result: "TournamentResult") -> str:
    return "the agents" if len(result.tournament.entrants) > 1 else f"the entries of {result.tournament.names[0]}"


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
