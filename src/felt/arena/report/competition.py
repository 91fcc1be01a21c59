"""The page of a duplicate competition, and its plot."""

from datetime import datetime

from felt.arena.competition import Standings
from felt.arena.report import page
from felt.arena.report.markup import Content, Html, signed, table
from felt.arena.report.match import game_facts, rates_plot, short_names
from felt.arena.report.panels import Plot


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
    names = [page.player_name(agent, name) for agent, name in enumerate(standings.names)]
    drawn = page.draw(competition_plots(standings) if plots is None else plots)
    bankroll, run_off = standings.first, standings.run_off_first
    by_bankroll, by_run_off = bankroll.describe(standings.names), run_off.describe(standings.names)
    incidents = [
        incident
        for agents, result in standings.results.items()
        for incident in page.incidents_of(result.conduct, [names[agent] for agent in agents])
    ]
    matches = f"{len(standings.results):,} of {next(iter(standings.results.values())).hands:,} hands"
    return page.report(
        "Competition",
        f"{len(names)} agents at tables of {standings.seats}",
        f"By total bankroll {by_bankroll}. By instant run-off {by_run_off}.",
        _ranking(standings, names, drawn.get("rates", "")),
        _run_off(standings, names),
        _matches(standings),
        settled=bankroll.lead.settled and run_off.lead.settled,
        facts=[
            *game_facts(standings.first_match),
            ("Matches", matches),
            ("Hands", page.count(standings.hands)),
            *page.seed_and_speed(standings.seed, standings.speed),
        ],
        incidents=incidents,
        **page.of_matches(standings, standings.table, names),
        command=command,
        when=when,
        name=f"Competition of {', '.join(standings.names)}",
    )


def _ranking(standings: Standings, names: list[Html], drawn: Content) -> Html:
    rows, big_blind = [], standings.first_match.rules.big_blind
    for agent in standings.table:
        cells = *page.rate_cells(standings.overall(agent)), *page.rate_cells(standings.overall(agent, adjusted=True))
        won = signed(standings.bankroll(agent) / big_blind)
        rows.append([[f"{standings.places[agent]}. ", names[agent]], won, *cells, str(standings.run_off_places[agent])])
    heads = ["player", "big blinds won", "mbb/hand", "95 % interval", "all-in-adjusted", "95 % interval", "run-off"]
    text = (
        "By total bankroll: all that an agent won and lost in its matches. Rates are means over them, in thousandths "
        "of a big blind per hand, bold where the interval leaves out zero. Last column: the place by instant run-off."
    )
    return page.section("Ranking", table(heads, rows, label="Ranking", class_="result"), page.beside(drawn, text))


def _run_off(standings: Standings, names: list[Html]) -> Html:
    rows = []
    for place, turn in enumerate(standings.run_off, 1):
        left: list[Content] = []
        for agent, rate in zip(turn.agents, turn.rates, strict=True):
            left += [names[agent], " ", signed(rate.mbb), page.half_width(rate), " "]
        if turn.lead is None:
            rows.append([f"{place}.", left, "–", "–"])
        else:
            rows.append(
                [f"{place}.", left, names[turn.agents[-1]], [signed(-turn.lead.mbb), page.half_width(turn.lead)]]
            )
    text = (
        "In every count the last by total bankroll is dropped, and the matches that it took part in count no more, "
        "until one table is left. Rates are those of the matches that still count; behind: by how much the one that "
        "is dropped is behind the next, with the 95 % interval of the difference."
    )
    heads = ["count", "still in", "dropped", "behind"]
    shown = table(heads, rows, label="Instant run-off", class_="matches")
    return page.section("Instant run-off", page.note(text), shown)


def _matches(standings: Standings) -> Html:
    rows = []
    for place, (agents, result) in enumerate(standings.results.items(), 1):
        order = sorted(range(len(agents)), key=lambda seat: -result.totals[:, seat].sum())
        rates: list[Content] = []
        for seat in order:
            rate = result.rate(seat)
            rates += [
                page.swatch(agents[seat]),
                standings.names[agents[seat]],
                " ",
                signed(rate.mbb),
                page.half_width(rate),
                " ",
            ]
        rows.append([str(place), rates, page.count(result.hands), str(result.match.seed)])
    heads = ["match", "mbb/hand", "hands", "seed"]
    return page.section("Matches", table(heads, rows, label="Matches", class_="matches"))
