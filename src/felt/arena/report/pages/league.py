"""The page of a league."""

from datetime import UTC, datetime

from felt.arena.match.league import League
from felt.arena.report.pages.indicators import indicators_section
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
from felt.arena.report.plots.league import league_plots, seats, together
from felt.arena.report.plots.panels import Plot
from felt.stats.rates import Rate, sentence


def league_page(league: League, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None) -> str:
    """The report of a league: one HTML page that needs nothing else. See `match_page`."""
    ranking, names = league.table, [player_name(player, name) for player, name in enumerate(league.names)]
    drawn = {plot.name: plot_section(plot) for plot in (league_plots(league) if plots is None else plots)}
    counts = together(league)
    best = league.overall(ranking[0])
    verdict = sentence(best, league.names[ranking[0]], "all others" if len(ranking) > 2 else league.names[ranking[1]])
    body: list[Content] = [
        header("League report", f"{len(ranking)} players, everybody against everybody", verdict, settled=best.settled),
        facts(_facts(league)),
        _ranking(league, ranking, names, drawn.get("rates", "")),
        _cross(league, ranking, names),
        *(drawn.get(name, "") for name in ("bankroll", "moving-average", "indicators")),
        indicators_section(counts.table if counts else None, ranking),
        _matches(league, names),
        _conduct(league, ranking, names),
        reproduce_section(command, league.seed, league.first_match, when or datetime.now(UTC)),
    ]
    return document(f"League of {', '.join(league.names[player] for player in ranking)}", *body)


def _facts(league: League) -> list[tuple[str, Content]]:
    return [
        *game_facts(league.first_match),
        ("Matches", f"{len(league.results):,}"),
        ("Hands", number(league.hands, f"{league.hands:,}")),
        ("Seed", element("code", str(league.seed))),
        ("Speed", element("span", league.speed, id="speed")),
    ]


def _ranking(league: League, ranking: list[int], names: list[Html], drawn: Content) -> Html:
    rows = []
    for place, player in enumerate(ranking, 1):
        won = [int(result.totals[:, seat].sum()) for _, seat, result in seats(league, player)]
        chips = sum(won) / league.first_match.rules.big_blind
        cells = *rate_cells(league.overall(player)), *rate_cells(league.overall(player, adjusted=True))
        rows.append([[f"{place}. ", names[player]], *cells, signed(chips)])
    heads = ["player", "mbb/hand", "95 % interval", "all-in-adjusted", "95 % interval", "big blinds won"]
    note = (
        "The mean of what a player won per hand against each of the others, in thousandths of a big blind; bold where "
        "the interval leaves out zero."
    )
    shown = table(heads, rows, label="Ranking", class_="result")
    return section("Ranking", shown, beside(drawn, note))


def _cross(league: League, ranking: list[int], names: list[Html]) -> Html:
    note = (
        "mbb/hand that the player of a row won against the player of a column, with the half-width of the 95 % "
        "interval. Strong colours: the interval leaves out zero. Pale: it does not, and nobody is shown to be ahead."
    )
    adjusted = _cross_table(league, ranking, names, adjusted=True)
    return section(
        "Everybody against everybody",
        element("p", note, class_="note"),
        _cross_table(league, ranking, names),
        element("details", element("summary", "The same all-in-adjusted"), adjusted),
    )


def _cross_table(league: League, ranking: list[int], names: list[Html], *, adjusted: bool = False) -> Html:
    label = "Everybody against everybody" + (", all-in-adjusted" if adjusted else "")
    rows = []
    for player in ranking:
        met = {
            other: result.adjusted_rate(seat) if adjusted else result.rate(seat)
            for other, seat, result in seats(league, player)
        }
        rows.append([names[player], *(_cross_cell(met.get(other)) for other in ranking)])
    return table(["won against", *(names[player] for player in ranking)], rows, label=label, class_="cross")


def _cross_cell(rate: Rate | None) -> Html:
    if rate is None:
        return element("td", class_="self")
    kind = "even" if rate.mbb == 0 else "won" if rate.mbb > 0 else "lost"
    return element("td", signed(rate.mbb), half_width(rate), class_=f"{kind} sure" if rate.settled else kind)


def _matches(league: League, names: list[Html]) -> Html:
    rows = []
    for number_, (pair, result) in enumerate(league.results.items(), 1):
        place = 0 if result.rate(0).mbb >= 0 else 1
        verdict = sentence(result.rate(place), league.names[pair[place]], league.names[pair[1 - place]])
        ended = f" Ended early: {result.ended}." if result.ended else ""
        rows.append([
            [f"{number_}. ", swatch(pair[0]), league.names[pair[0]], " – ", swatch(pair[1]), league.names[pair[1]]],
            verdict + ended,
            number(result.hands, f"{result.hands:,}"),
            element("code", str(result.match.seed)),
        ])  # fmt: skip
    shown = table(["match", "result", "hands", "seed"], rows, label="Matches", class_="matches")
    return section("Matches", shown)


def _conduct(league: League, ranking: list[int], names: list[Html]) -> Html:
    rows = [(names[player], league.faults(player)) for player in ranking]
    incidents = [
        incident
        for (player, other), result in league.results.items()
        for incident in incidents_of(
            result.conduct,
            [Html(f"{names[player]} against {names[other]}"), Html(f"{names[other]} against {names[player]}")],
        )
    ]
    return conduct_section(rows, incidents, league.first_match)
