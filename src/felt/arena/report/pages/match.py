"""The page of a match."""

from datetime import UTC, datetime

from felt.arena.match.result import Result
from felt.arena.match.spec import Match
from felt.arena.report.pages.indicators import indicators_section
from felt.arena.report.pages.markup import Content, Html, element, number, signed, table
from felt.arena.report.pages.parts import (
    beside,
    conduct_section,
    document,
    facts,
    header,
    incidents_of,
    player_name,
    rate_cells,
    reproduce_section,
    section,
)
from felt.arena.report.plots.figures import plot_section
from felt.arena.report.plots.match import match_plots, order
from felt.arena.report.plots.panels import Plot
from felt.errors import counted


def match_page(result: Result, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None) -> str:
    """The report of a match: one HTML page that needs nothing else, no network and no script.

    `command` is what somebody types for the same result, `when` the time that the page tells; `plots` are made of the
    result unless they are there already.
    """
    match, rates = result.match, result.rates
    best_first = order(rates)
    drawn = {plot.name: plot_section(plot) for plot in (match_plots(result) if plots is None else plots)}
    names = [player_name(player, name) for player, name in enumerate(match.names)]
    body: list[Content] = [
        header("Match report", title(match), result.sentence(), settled=rates[best_first[0]].settled),
        facts(_facts(result)),
        _results(result, best_first, names, drawn.get("rates", "")),
        *(drawn.get(name, "") for name in ("bankroll", "moving-average", "indicators")),
        indicators_section(result.indicators.table if result.indicators else None, best_first),
        conduct_section(
            [(names[player], result.conduct.counts[player]) for player in best_first],
            incidents_of(result.conduct, names),
            match,
        ),
        reproduce_section(command, match.seed, match, when or datetime.now(UTC)),
    ]
    return document(title(match), *body)


def title(match: Match) -> str:
    """Who plays."""
    names = match.names
    return " against ".join(names) if len(names) == 2 else ", ".join(names[:-1]) + " and " + names[-1]


def game_facts(match: Match) -> list[tuple[str, Content]]:
    """What is played: the same for all matches of a league."""
    rules, size = match.rules, match.plan.size
    stack = number(match.stack / rules.big_blind, f"{match.stack / rules.big_blind:,.10g}")
    return [
        ("Game", rules.title or rules.name),
        ("Stacks", [stack, f" big blinds ({match.stack:,} chips)"]),
        ("Duplicate", f"yes: every deal in {size} seatings" if match.duplicate else "no: every deal once"),
    ]


def _facts(result: Result) -> list[tuple[str, Content]]:
    speed = f"{result.hands_per_second:,.0f} hands a second"
    return [
        *game_facts(result.match),
        ("Hands", number(result.hands, f"{result.hands:,}")),
        ("Sets", [number(result.sets, f"{result.sets:,}"), f" of {result.match.plan.size} hands"]),
        ("Seed", element("code", str(result.match.seed))),
        ("Speed", element("span", speed if result.played else "all of it was in the log", id="speed")),
        ("End", f"early: {result.ended}" if result.ended else "all hands were played"),
    ]


def _results(result: Result, best_first: list[int], names: list[Html], drawn: Content) -> Html:
    big_blind = result.match.rules.big_blind
    rows = []
    for player in best_first:
        won = int(result.totals[:, player].sum()) / big_blind
        faults = sum(result.conduct.counts[player].values())
        cells = *rate_cells(result.rate(player)), *rate_cells(result.adjusted_rate(player))
        rows.append([names[player], *cells, signed(won), number(faults, f"{faults:,}")])
    heads = ["player", "mbb/hand", "95 % interval", "all-in-adjusted", "95 % interval", "big blinds won", "errors"]
    return section(
        "Result",
        table(heads, rows, label="Result", class_="result"),
        beside(
            drawn,
            f"mbb/hand: thousandths of a big blind per hand; bold where the interval leaves out zero. Intervals are "
            f"Student's t over {counted(result.sets, 'set')}. All-in-adjusted: where betting was over and all live "
            "cards were known, the hand counts what it was worth on average then.",
        ),
    )
