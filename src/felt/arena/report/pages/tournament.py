"""The page of a tournament."""

from datetime import UTC, datetime

from felt.arena.report.pages.markup import Content, Html, element, number, signed, table, to_html
from felt.arena.report.pages.parts import (
    beside,
    conduct_section,
    document,
    facts,
    header,
    incidents_of,
    player_name,
    reproduce_section,
    section,
)
from felt.arena.report.plots.figures import plot_section
from felt.arena.report.plots.panels import Plot
from felt.arena.report.plots.tournament import tournament_plots
from felt.arena.tournament import TournamentResult
from felt.arena.tournament.blind_levels import Schedule
from felt.arena.tournament.places import place_groups
from felt.stats.means import Mean, mean

SHOWN = 20
"""Places that have a column of their own; in larger fields they are put together."""


def tournament_page(
    result: TournamentResult, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None
) -> str:
    """The report of a tournament: one HTML page that needs nothing else. See `match_page`."""
    tournament, test = result.tournament, result.uniformity()
    names = [player_name(agent, name) for agent, name in enumerate(tournament.names)]
    drawn = {plot.name: plot_section(plot) for plot in (tournament_plots(result) if plots is None else plots)}
    counts = [(names[agent], result.conduct.counts[agent]) for agent in result.table]
    who = ", ".join(
        name if copies == 1 else f"{copies} × {name}"
        for name, copies in zip(tournament.names, tournament.copies, strict=True)
    )
    body: list[Content] = [
        header("Tournament report", who, f"{_winner(result)} Between them, {test}.", settled=test.differ),
        facts(_facts(result)),
        _payouts(result, names, drawn.get("returns", "")),
        drawn.get("places", ""),
        _places(result, names),
        conduct_section(counts, incidents_of(result.conduct, names, result.where), tournament),
        reproduce_section(command, tournament.seed, tournament, when or datetime.now(UTC)),
    ]
    return document(f"Tournament of {who}", *body)


def _winner(result: TournamentResult) -> str:
    best = result.table[0]
    paid = result.payout(best)
    sure = "" if paid.half is None else f" ± {paid.half:.3f}"
    return f"{result.tournament.names[best]} is paid {paid.value:.3f}{sure} buy-ins an entry."


def _facts(result: TournamentResult) -> list[tuple[str, Content]]:
    tournament = result.tournament
    rules, hands = tournament.games[0], mean([record["hands"] for record in result.records])
    tables = -(-tournament.players // tournament.table_size)
    return [
        ("Game", rules.title or rules.name),
        ("Players", f"{tournament.players:,} at {tables:,} tables of up to {tournament.table_size}"),
        ("Stacks", f"{tournament.stack / tournament.big_blind:,.10g} big blinds ({tournament.stack:,} chips)"),
        ("Levels", _levels(tournament.schedule)),
        ("Prizes", ", ".join(f"{prize:.2f}" for prize in tournament.payouts.prizes[:SHOWN]) + " buy-ins"),
        ("Tournaments", number(result.repeats, f"{result.repeats:,}")),
        ("Hands each", _figure(hands, 1)),
        ("Seed", element("code", str(tournament.seed))),
        ("Speed", element("span", result.speed, id="speed")),
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
    note = f"In buy-ins for an entry, with 95 % intervals by Student's t over the tournaments.{moment}"
    return section("Payouts", table(heads, rows, label="Payouts", class_="result"), beside(drawn, note))


def _places(result: TournamentResult, names: list[Html]) -> Html:
    groups = place_groups(result.tournament.players, SHOWN)
    heads = ["agent", *(str(first) if first == last else f"{first}–{last}" for first, last in groups)]
    rows = []
    for agent in result.table:
        cells = [result.places_between(agent, first, last) for first, last in groups]
        rows.append([names[agent], *(_share(*cell) for cell in cells)])
    shown = table(heads, rows, label="Finishing places", class_="result")
    return section("Finishing places in figures", element("p", "Per cent of an agent's entries.", class_="note"), shown)


def _share(share: float, ends: tuple[float, float]) -> Content:
    low, high = (100 * end for end in ends)
    return [number(share, f"{100 * share:.1f}"), element("small", f"{low:.1f} to {high:.1f}")]


def _figure(figure: Mean, places: int = 3) -> Content:
    shown = number(figure.value, f"{figure.value:,.{places}f}")
    return shown if figure.half is None else to_html([shown, element("small", f"± {figure.half:,.{places}f}")])


def _percent(figure: Mean) -> Content:
    shown = signed(100 * figure.value)
    return [shown, " %"] if figure.half is None else [shown, " %", element("small", f"± {100 * figure.half:,.1f}")]
