"""The page of a league, and its plots."""

from datetime import datetime

import numpy as np

from felt.arena.match.league import League
from felt.arena.match.result import Result, Stretches
from felt.arena.report import curves, page
from felt.arena.report.markup import Content, Html, element, signed, table
from felt.arena.report.match import (
    SMALL,
    Key,
    game_facts,
    indicators_plot,
    indicators_section,
    moving_plot,
    rates_plot,
    short_names,
)
from felt.arena.report.panels import Curves, Plot, columns_for
from felt.stats.rates import sentence
from felt.stats.table import Table


def league_plots(league: League) -> list[Plot]:
    """The plots of a league, in the order of its report."""
    names, players = short_names(league.names), range(len(league.names))
    key = tuple((player, names[player]) for player in league.table)
    rates = [league.overall(player) for player in players]
    adjusted = [league.overall(player, adjusted=True) for player in players]
    first = next(iter(league.results.values()))
    size, big_blind = first.match.plan.size, first.match.rules.big_blind
    plots = [
        rates_plot(key, rates, adjusted),
        _bankrolls(league, key),
        moving_plot(means(league), size, big_blind, key, rates, subject="a player, in the mean of all their matches,"),
        indicators_plot(together(league), max(result.hands for result in league.results.values()), key),
    ]
    return [plot for plot in plots if plot is not None]


def seats(league: League, player: int) -> list[tuple[int, int, Result]]:
    """The matches of a player: the opponent, the player's place in it, and the result."""
    return [(pair[1 - place], place, result) for pair, place, result in league.matches_of(player)]


def _bankrolls(league: League, key: Key) -> Plot:
    panels = []
    for player, name in key:
        matches = {other: (place, result) for other, place, result in seats(league, player)}
        lines = []
        for other, _ in reversed(key):
            if other != player:
                place, result = matches[other]
                match = result.match
                won = result.totals[:, place]
                lines.append(curves.bankroll(other, won, match.plan.size, match.rules.big_blind, SMALL))
        panels.append(Curves(name, tuple(lines)))
    caption = (
        "Big blinds that each player won or lost in all, over the hands of a match; the colour tells against whom."
    )
    return Plot("bankroll", "Bankrolls", "big blinds", caption, tuple(panels), columns_for(len(key)), key)


def means(league: League) -> curves.Totals:
    """``[sets, players]``: the mean over a player's matches, as far as all of them go."""
    sets = min(result.sets for result in league.results.values())
    columns = []
    for player in range(len(league.names)):
        won = [result.totals[:sets, place] for _, place, result in seats(league, player)]
        columns.append(np.mean(won, axis=0))
    return np.stack(columns, axis=1)


def together(league: League) -> Stretches | None:
    """What everybody did in all their matches; None if that was not counted."""
    counted = [result.indicators for result in league.results.values() if result.indicators is not None]
    if len(counted) < len(league.results):
        return None
    longest = max(len(stretches.curves) for stretches in counted)
    table = Table.empty(league.names, counted[0].table.streets)
    curves = np.zeros((longest, len(league.names), *counted[0].curves.shape[2:]), dtype=np.int64)
    for pair, stretches in zip(league.results, counted, strict=True):
        for place, player in enumerate(pair):
            table.counts[player] += stretches.table.counts[place]
            curves[: len(stretches.curves), player] += stretches.curves[:, place]
    return Stretches(table, 0, curves)


def league_page(league: League, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None) -> str:
    """The report of a league: one HTML page that needs nothing else. See `match_page`."""
    ranking, names = league.table, [page.player_name(player, name) for player, name in enumerate(league.names)]
    drawn = page.draw(league_plots(league) if plots is None else plots)
    counts, best = together(league), league.overall(ranking[0])
    incidents = [
        incident
        for (player, other), result in league.results.items()
        for incident in page.incidents_of(
            result.conduct,
            [Html(f"{names[player]} against {names[other]}"), Html(f"{names[other]} against {names[player]}")],
        )
    ]
    return page.report(
        "League",
        f"{len(ranking)} players, everybody against everybody",
        sentence(best, league.names[ranking[0]], "all others" if len(ranking) > 2 else league.names[ranking[1]]),
        _ranking(league, ranking, names, drawn.get("rates", "")),
        _cross(league, ranking, names),
        *(drawn.get(name, "") for name in ("bankroll", "moving-average", "indicators")),
        indicators_section(counts.table if counts else None, ranking),
        _matches(league),
        settled=best.settled,
        facts=[
            *game_facts(league.first_match),
            ("Matches", f"{len(league.results):,}"),
            ("Hands", page.count(league.hands)),
            *page.seed_and_speed(league.seed, league.speed),
        ],
        incidents=incidents,
        **page.of_matches(league, ranking, names),
        command=command,
        when=when,
        name=f"League of {', '.join(league.names[player] for player in ranking)}",
    )


def _ranking(league: League, ranking: list[int], names: list[Html], drawn: Content) -> Html:
    rows = []
    for place, player in enumerate(ranking, 1):
        chips = league.bankroll(player) / league.first_match.rules.big_blind
        cells = *page.rate_cells(league.overall(player)), *page.rate_cells(league.overall(player, adjusted=True))
        rows.append([[f"{place}. ", names[player]], *cells, signed(chips)])
    heads = ["player", "mbb/hand", "95 % interval", "all-in-adjusted", "95 % interval", "big blinds won"]
    text = (
        "The mean of what a player won per hand against each of the others, in thousandths of a big blind; bold where "
        "the interval leaves out zero."
    )
    return page.section("Ranking", table(heads, rows, label="Ranking", class_="result"), page.beside(drawn, text))


def _cross(league: League, ranking: list[int], names: list[Html]) -> Html:
    text = (
        "mbb/hand that the player of a row won against the player of a column, with the half-width of the 95 % "
        "interval. Strong colours: the interval leaves out zero. Pale: it does not, and nobody is shown to be ahead."
    )
    adjusted = _cross_table(league, ranking, names, adjusted=True)
    return page.section(
        "Everybody against everybody",
        page.note(text),
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
        cells = [
            page.cross_cell(rate.mbb, page.half_width(rate), sure=rate.settled) if rate else page.cross_cell(None)
            for rate in map(met.get, ranking)
        ]
        rows.append([names[player], *cells])
    return table(["won against", *(names[player] for player in ranking)], rows, label=label, class_="cross")


def _matches(league: League) -> Html:
    rows = []
    for number, (pair, result) in enumerate(league.results.items(), 1):
        place, pair_names = 0 if result.rate(0).mbb >= 0 else 1, [league.names[player] for player in pair]
        verdict = sentence(result.rate(place), pair_names[place], pair_names[1 - place])
        ended = f" Ended early: {result.ended}." if result.ended else ""
        rows.append([
            [f"{number}. ", page.swatch(pair[0]), pair_names[0], " – ", page.swatch(pair[1]), pair_names[1]],
            verdict + ended,
            page.count(result.hands),
            element("code", str(result.match.seed)),
        ])  # fmt: skip
    heads = ["match", "result", "hands", "seed"]
    return page.section("Matches", table(heads, rows, label="Matches", class_="matches"))
