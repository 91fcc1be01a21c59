"""The page of a tournament, and its plots."""

from datetime import datetime

import numpy as np

from felt.arena.report import page
from felt.arena.report.markup import Content, Html, element, number, signed, table
from felt.arena.report.match import Key, short_names
from felt.arena.report.panels import Band, Bar, Curves, Intervals, Line, Plot, Row, columns_for
from felt.arena.tournament import Schedule, TournamentResult
from felt.arena.tournament.result import place_groups
from felt.stats.means import Mean, mean

SHOWN = 20
"""Places that have a column of their own; in larger fields they are put together."""


def tournament_plots(result: TournamentResult) -> list[Plot]:
    """The plots of a tournament, in the order of its report."""
    names = short_names(result.tournament.names)
    key = tuple((agent, names[agent]) for agent in result.table)
    return [_returns(result, key), _places(result, key)]


def _returns(result: TournamentResult, key: Key) -> Plot:
    rows = []
    for agent, name in key:
        figure = result.roi(agent)
        low, high = (100 * end for end in figure.ci95) if figure.ci95 else (None, None)
        rows.append(Row(agent, name, (Bar(100 * figure.value, low, high),)))
    caption = "What an entry wins or loses, in per cent of its buy-in, with 95 % intervals over the tournaments."
    return Plot("returns", "Returns", "% of the buy-in", caption, (Intervals("", tuple(rows)),), 1)


def _places(result: TournamentResult, key: Key) -> Plot:
    players = result.tournament.players
    x = np.arange(1.0, players + 1)
    panels = []
    for agent, name in key:
        places = result.places(agent)
        low, high = np.array(places.ci95).T
        line = Line(agent, x, np.array(places.shares))
        even = Line(agent, np.array([1.0, players]), np.full(2, 1 / players), "mark")
        band = Band(agent, x, low, high)
        panels.append(Curves(name, (line, even), (band,), agent, share=True, percent=True, across="place"))
    caption = (
        "How often an entry finishes in each place, with 95 % intervals; the dotted line is where equals would be."
    )
    return Plot("places", "Finishing places", "%", caption, tuple(panels), columns_for(len(panels)))


def tournament_page(
    result: TournamentResult, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None
) -> str:
    """The report of a tournament: one HTML page that needs nothing else. See `match_page`."""
    tournament, test, best = result.tournament, result.uniformity(), result.table[0]
    names = [page.player_name(agent, name) for agent, name in enumerate(tournament.names)]
    drawn, who = page.draw(tournament_plots(result) if plots is None else plots), tournament.who
    paid = result.payout(best)
    sure = "" if paid.half is None else f" ± {paid.half:.3f}"
    return page.report(
        "Tournament",
        who,
        f"{tournament.names[best]} is paid {paid.value:.3f}{sure} buy-ins an entry. Between them, {test}.",
        _payouts(result, names, drawn.get("returns", "")),
        drawn.get("places", ""),
        _places_table(result, names),
        settled=test.differ,
        facts=_facts(result),
        command=command,
        when=when,
        **page.of_runs(result, names),
        name=f"Tournament of {who}",
    )


def _facts(result: TournamentResult) -> page.Facts:
    tournament = result.tournament
    rules, hands = tournament.games[0], mean([record["hands"] for record in result.records])
    tables = -(-tournament.players // tournament.table_size)
    return [
        ("Game", rules.title or rules.name),
        ("Players", f"{tournament.players:,} at {tables:,} tables of up to {tournament.table_size}"),
        ("Stacks", f"{tournament.stack / tournament.big_blind:,.10g} big blinds ({tournament.stack:,} chips)"),
        ("Levels", _levels(tournament.schedule)),
        ("Prizes", ", ".join(f"{prize:.2f}" for prize in tournament.payouts.prizes[:SHOWN]) + " buy-ins"),
        ("Tournaments", page.count(result.repeats)),
        ("Hands each", _figure(hands, 1)),
        *page.seed_and_speed(tournament.seed, result.speed),
    ]


def _levels(schedule: Schedule) -> str:
    shown = [f"×{level}" if isinstance(level, int) else "/".join(map(str, level)) for level in schedule.levels]
    ante = f", antes of {schedule.ante:g} big blinds" if schedule.ante else ""
    return f"{', '.join(shown)}, then twice as much each; {schedule.hands} hands each{ante}"


def _payouts(result: TournamentResult, names: list[Html], drawn: Content) -> Html:
    rows = []
    for agent in result.table:
        valued = result.icm(agent)
        rows.append([
            names[agent], f"{result.tournament.copies[agent]:,}", _figure(result.payout(agent)),
            _percent(result.roi(agent)), _figure(result.place(agent), 2), "–" if valued is None else _figure(valued),
        ])  # fmt: skip
    heads = ["agent", "entries", "payout", "return", "mean place", "ICM"]
    at = result.tournament.icm_at
    moment = (
        f" ICM: what chips were worth when {at} players or fewer were left, prizes won by then included." if at else ""
    )
    text = f"In buy-ins for an entry, with 95 % intervals by Student's t over the tournaments.{moment}"
    return page.section("Payouts", table(heads, rows, label="Payouts", class_="result"), page.beside(drawn, text))


def _places_table(result: TournamentResult, names: list[Html]) -> Html:
    groups = place_groups(result.tournament.players, SHOWN)
    heads = ["agent", *(str(first) if first == last else f"{first}–{last}" for first, last in groups)]
    rows = []
    for agent in result.table:
        cells = [result.places_between(agent, first, last) for first, last in groups]
        rows.append([names[agent], *(_share(*cell) for cell in cells)])
    shown = table(heads, rows, label="Finishing places", class_="result")
    return page.section("Finishing places in figures", page.note("Per cent of an agent's entries."), shown)


def _share(share: float, ends: tuple[float, float]) -> Content:
    low, high = (100 * end for end in ends)
    return [number(share, f"{100 * share:.1f}"), element("small", f"{low:.1f} to {high:.1f}")]


def _figure(figure: Mean, places: int = 3) -> Content:
    return [number(figure.value, f"{figure.value:,.{places}f}"), page.half_text(figure, places)]


def _percent(figure: Mean) -> Content:
    return [signed(100 * figure.value), " %", page.half_text(figure, 1, unit=100)]
