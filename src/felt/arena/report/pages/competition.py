"""The page of a duplicate competition, and its plot."""

from datetime import UTC, datetime

from felt.arena.competition import Standings
from felt.arena.report.pages.markup import Content, Html, element, number, signed, table
from felt.arena.report.pages.match import game_facts
from felt.arena.report.pages.parts import (
    beside,
    conduct_section,
    document,
    facts,
    half_width,
    header,
    incidents_of,
    player_name,
    rate_cells,
    reproduce_section,
    section,
    swatch,
)
from felt.arena.report.plots.figures import plot_section
from felt.arena.report.plots.match import rates_plot, short_names
from felt.arena.report.plots.panels import Plot


def competition_plots(standings: Standings) -> list[Plot]:
    """What everybody won per hand, the best first."""
    names, agents = short_names(standings.names), range(len(standings.names))
    key = tuple((agent, names[agent]) for agent in standings.table)
    rates = [standings.overall(agent) for agent in agents]
    return [rates_plot(key, rates, [standings.overall(agent, adjusted=True) for agent in agents])]


def competition_page(
    standings: Standings, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None
) -> str:
    """The report of a duplicate competition: one HTML page that needs nothing else. See `match_page`."""
    names = [player_name(agent, name) for agent, name in enumerate(standings.names)]
    drawn = {plot.name: plot_section(plot) for plot in (competition_plots(standings) if plots is None else plots)}
    bankroll, run_off = standings.first, standings.run_off_first
    by_bankroll, by_run_off = bankroll.describe(standings.names), run_off.describe(standings.names)
    verdict = f"By total bankroll {by_bankroll}. By instant run-off {by_run_off}."
    counts = [(names[agent], standings.faults(agent)) for agent in standings.table]
    incidents = [
        incident
        for agents, result in standings.results.items()
        for incident in incidents_of(result.conduct, [names[agent] for agent in agents])
    ]
    title = f"{len(names)} agents at tables of {standings.seats}"
    body: list[Content] = [
        header("Competition report", title, verdict, settled=bankroll.lead.settled and run_off.lead.settled),
        facts(_facts(standings)),
        _ranking(standings, names, drawn.get("rates", "")),
        _run_off(standings, names),
        _matches(standings),
        conduct_section(counts, incidents, standings.first_match),
        reproduce_section(command, standings.seed, standings.first_match, when or datetime.now(UTC)),
    ]
    return document(f"Competition of {', '.join(standings.names)}", *body)


def _facts(standings: Standings) -> list[tuple[str, Content]]:
    first = next(iter(standings.results.values()))
    return [
        *game_facts(standings.first_match),
        ("Matches", f"{len(standings.results):,} of {first.hands:,} hands"),
        ("Hands", number(standings.hands, f"{standings.hands:,}")),
        ("Seed", element("code", str(standings.seed))),
        ("Speed", element("span", standings.speed, id="speed")),
    ]


def _ranking(standings: Standings, names: list[Html], drawn: Content) -> Html:
    rows, big_blind = [], standings.first_match.rules.big_blind
    for agent in standings.table:
        cells = *rate_cells(standings.overall(agent)), *rate_cells(standings.overall(agent, adjusted=True))
        won = signed(standings.bankroll(agent) / big_blind)
        rows.append([[f"{standings.places[agent]}. ", names[agent]], won, *cells, str(standings.run_off_places[agent])])
    heads = ["player", "big blinds won", "mbb/hand", "95 % interval", "all-in-adjusted", "95 % interval", "run-off"]
    note = (
        "By total bankroll: all that an agent won and lost in its matches. Rates are means over them, in thousandths "
        "of a big blind per hand, bold where the interval leaves out zero. Last column: the place by instant run-off."
    )
    return section("Ranking", table(heads, rows, label="Ranking", class_="result"), beside(drawn, note))


def _run_off(standings: Standings, names: list[Html]) -> Html:
    rows = []
    for place, count in enumerate(standings.run_off, 1):
        left: list[Content] = []
        for agent, rate in zip(count.agents, count.rates, strict=True):
            left += [names[agent], " ", signed(rate.mbb), half_width(rate), " "]
        if count.lead is None:
            rows.append([f"{place}.", left, "–", "–"])
        else:
            rows.append([f"{place}.", left, names[count.agents[-1]], [signed(-count.lead.mbb), half_width(count.lead)]])
    note = (
        "In every count the last by total bankroll is dropped, and the matches that it took part in count no more, "
        "until one table is left. Rates are those of the matches that still count; behind: by how much the one that "
        "is dropped is behind the next, with the 95 % interval of the difference."
    )
    shown = table(["count", "still in", "dropped", "behind"], rows, label="Instant run-off", class_="matches")
    return section("Instant run-off", element("p", note, class_="note"), shown)


def _matches(standings: Standings) -> Html:
    rows = []
    for place, (agents, result) in enumerate(standings.results.items(), 1):
        order = sorted(range(len(agents)), key=lambda seat: -result.totals[:, seat].sum())
        rates: list[Content] = []
        for seat in order:
            rate = result.rate(seat)
            rates += [swatch(agents[seat]), standings.names[agents[seat]], " ", signed(rate.mbb), half_width(rate), " "]
        rows.append([str(place), rates, number(result.hands, f"{result.hands:,}"), str(result.match.seed)])
    shown = table(["match", "mbb/hand", "hands", "seed"], rows, label="Matches", class_="matches")
    return section("Matches", shown)
