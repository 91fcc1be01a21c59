"""The page of a match, and its plots."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from felt.arena.match.result import STRETCH, Result, Stretches
from felt.arena.match.spec import Match
from felt.arena.report import curves, page
from felt.arena.report.indicators import indicators_section
from felt.arena.report.markup import Content, Html, clean, number, signed, table
from felt.arena.report.panels import Band, Bar, Curves, Intervals, Line, Plot, Row, columns_for
from felt.errors import counted
from felt.stats.definitions import INDICATORS
from felt.stats.rates import Rate

SHOWN = ("vpip", "pfr", "three_bet", "cbet", "fold_to_bet", "check_fold", "af", "wtsd", "wsd")
"""Indicators that have curves; the table has them all."""
SMALL = 400
"""Points of a curve in a small panel."""
MOST_NAME = 22
"""Letters of a name in a drawing."""

Key = tuple[tuple[int, str], ...]


def match_plots(result: Result) -> list[Plot]:
    """The plots of a match, in the order of its report."""
    names, rates = short_names(result.match.names), result.rates
    key = tuple((player, names[player]) for player in order(rates))
    size, big_blind = result.match.plan.size, result.match.rules.big_blind
    adjusted = [result.adjusted_rate(player) for player in range(len(names))]
    plots = [
        rates_plot(key, rates, adjusted),
        bankroll_plot(result.totals, result.adjusted, size, big_blind, key),
        moving_plot(result.totals, size, big_blind, key, rates),
        indicators_plot(result.indicators, result.hands, key),
    ]
    return [plot for plot in plots if plot is not None]


def order(rates: Sequence[Rate]) -> list[int]:
    """The players, the best first."""
    return sorted(range(len(rates)), key=lambda player: -rates[player].mbb)


def short_names(names: Sequence[str]) -> list[str]:
    """Names for drawings: long ones are cut."""
    cleaned = [clean(name) for name in names]
    return [name if len(name) <= MOST_NAME else name[: MOST_NAME - 1] + "…" for name in cleaned]


def rates_plot(key: Key, rates: Sequence[Rate], adjusted: Sequence[Rate]) -> Plot:
    """What everybody won per hand, with intervals."""
    same = list(rates) == list(adjusted)
    rows = []
    for player, name in key:
        shown = [(rates[player], False)] if same else [(rates[player], False), (adjusted[player], True)]
        rows.append(Row(player, name, tuple(Bar(rate.mbb, rate.low, rate.high, diamond) for rate, diamond in shown)))
    caption = "What each player won per hand, in thousandths of a big blind, with the 95 % interval."
    title = "" if same else "Dots: as it happened · diamonds: all-in-adjusted"
    return Plot("rates", "Winnings per hand", "mbb/hand", caption, (Intervals(title, tuple(rows)),), columns=1)


def bankroll_plot(totals: curves.Totals, adjusted: curves.Totals | None, size: int, big_blind: int, key: Key) -> Plot:
    """What everybody has won, over the hands; `adjusted` is None where that was not counted."""
    kinds: list[tuple[str, curves.Totals]] = [("As it happened", totals)]
    if adjusted is not None and not np.array_equal(totals, adjusted):
        kinds.append(("All-in-adjusted", adjusted))
    panels = []
    for title, shown in kinds:
        won = [shown[:, player] for player in range(shown.shape[1])]
        lines = tuple(curves.bankroll(player, won[player], size, big_blind) for player, _ in reversed(key))
        bands = (curves.bankroll_band(player, won[player], size, big_blind) for player, _ in reversed(key))
        panels.append(Curves(title, lines, tuple(band for band in bands if band is not None)))
    caption = (
        "Big blinds won or lost in all, over the hands played. The band around a curve is its 95 % interval at that "
        "point: where it lies wholly on one side of zero, the hands up to there show who is ahead."
    )
    if adjusted is not None and len(kinds) == 1:
        caption += " All-in-adjusted results are the same."
    return Plot("bankroll", "Bankrolls", "big blinds", caption, tuple(panels), key=key)


def moving_plot(
    totals: curves.Totals, size: int, big_blind: int, key: Key, rates: Sequence[Rate], *, subject: str = "a player"
) -> Plot | None:
    """Winnings per hand over the last 1,000 hands, a panel for each player; None with fewer than two sets."""
    sets = len(totals)
    if sets < 2:
        return None
    window, slow = curves.window_sets(sets, size), curves.slow_sets(sets, size)
    columns = columns_for(len(key))
    most = curves.MOST if columns == 2 else SMALL * 2
    panels = []
    for player, name in key:
        fast = curves.moving_average(player, totals[:, player], size, big_blind, window, most)
        lines = [fast]
        if slow is not None:
            lines = [Line(player, fast.x, fast.y, "faint")]
            lines.append(curves.moving_average(player, totals[:, player], size, big_blind, slow, SMALL))
        ends = np.array([0.0, float(sets * size)])
        lines.append(Line(player, ends, np.full(2, rates[player].mbb), "mark"))
        low, high = rates[player].ci95 or (None, None)
        bands = () if low is None else (Band(player, ends, np.full(2, low), np.full(2, high)),)
        panels.append(Curves(name, tuple(lines), bands, player))
    caption = f"What {subject} won per hand over the last {window * size:,} hands ({counted(window, 'set')})"
    caption += f"; the thick curve over the last {slow * size:,}. " if slow is not None else ". "
    caption += "The dotted line is the rate of the whole match, in its 95 % interval."
    return Plot("moving-average", "Moving averages", "mbb/hand", caption, tuple(panels), columns)


def indicators_plot(indicators: Stretches | None, hands: int, key: Key) -> Plot | None:
    """What players did, over the hands; None if that was not counted, or the match had one stretch only."""
    stretches = -(-hands // STRETCH)
    if indicators is None or stretches < 2:
        return None
    counts, panels = indicators.curves[:stretches], []
    for name in SHOWN:
        indicator, place = INDICATORS[name], list(INDICATORS).index(name)
        did = [player for player, _ in reversed(key) if counts[:, player, place, 1].any()]
        lines = [
            curves.shares(player, counts[:, player, place], hands, summed=summed, most=SMALL)
            for summed in (False, True)
            for player in did
        ]
        if lines:
            panels.append(Curves(indicator.label, tuple(lines), share=True, percent=not indicator.ratio))
    caption = f"Thick: from the first hand up to there. Thin: each stretch of {STRETCH:,} hands by itself."
    return Plot("indicators", "What players do", "", caption, tuple(panels), 3, key, shared=False) if panels else None


def match_page(result: Result, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None) -> str:
    """The report of a match: one HTML page that needs nothing else, no network and no script.

    `command` is what somebody types for the same result, `when` the time that the page tells; `plots` are made of the
    result unless they are there already.
    """
    match, rates = result.match, result.rates
    best_first, names = order(rates), [page.player_name(player, name) for player, name in enumerate(match.names)]
    drawn = page.draw(match_plots(result) if plots is None else plots)
    return page.report(
        "Match",
        title(match),
        result.sentence(),
        _results(result, best_first, names, drawn.get("rates", "")),
        *(drawn.get(name, "") for name in ("bankroll", "moving-average", "indicators")),
        indicators_section(result.indicators.table if result.indicators else None, best_first),
        settled=rates[best_first[0]].settled,
        facts=_facts(result),
        faults=[(names[player], result.conduct.counts[player]) for player in best_first],
        incidents=page.incidents_of(result.conduct, names),
        match=match,
        seed=match.seed,
        command=command,
        when=when,
    )


def title(match: Match) -> str:
    """Who plays."""
    names = match.names
    return " against ".join(names) if len(names) == 2 else ", ".join(names[:-1]) + " and " + names[-1]


def game_facts(match: Match) -> page.Facts:
    """What is played: the same for all matches of a league."""
    rules, size = match.rules, match.plan.size
    stack = number(match.stack / rules.big_blind, f"{match.stack / rules.big_blind:,.10g}")
    return [
        ("Game", rules.title or rules.name),
        ("Stacks", [stack, f" big blinds ({match.stack:,} chips)"]),
        ("Duplicate", f"yes: every deal in {size} seatings" if match.duplicate else "no: every deal once"),
    ]


def _facts(result: Result) -> page.Facts:
    speed = f"{result.hands_per_second:,.0f} hands a second"
    return [
        *game_facts(result.match),
        ("Hands", page.count(result.hands)),
        ("Sets", [page.count(result.sets), f" of {result.match.plan.size} hands"]),
        *page.seed_and_speed(result.match.seed, speed if result.played else "all of it was in the log"),
        ("End", f"early: {result.ended}" if result.ended else "all hands were played"),
    ]


def _results(result: Result, best_first: list[int], names: list[Html], drawn: Content) -> Html:
    rows, big_blind = [], result.match.rules.big_blind
    for player in best_first:
        won = int(result.totals[:, player].sum()) / big_blind
        faults = sum(result.conduct.counts[player].values())
        cells = *page.rate_cells(result.rate(player)), *page.rate_cells(result.adjusted_rate(player))
        rows.append([names[player], *cells, signed(won), page.count(faults)])
    heads = ["player", "mbb/hand", "95 % interval", "all-in-adjusted", "95 % interval", "big blinds won", "errors"]
    text = (
        f"mbb/hand: thousandths of a big blind per hand; bold where the interval leaves out zero. Intervals are "
        f"Student's t over {counted(result.sets, 'set')}. All-in-adjusted: where betting was over and all live cards "
        "were known, the hand counts what it was worth on average then."
    )
    return page.section("Result", table(heads, rows, label="Result", class_="result"), page.beside(drawn, text))
