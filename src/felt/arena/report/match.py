"""The page of a match, and its plots."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import numpy as np

from felt.arena.match.result import STRETCH, Result, Stretches
from felt.arena.match.spec import Match
from felt.arena.report import curves, page
from felt.arena.report.markup import Content, Html, clean, element, number, signed, table, to_html
from felt.arena.report.panels import Band, Bar, Curves, Intervals, Line, Plot, Row, columns_for
from felt.errors import counted
from felt.stats.definitions import INDICATORS, POSITIONS, Indicator
from felt.stats.means import Counted
from felt.stats.rates import Rate
from felt.stats.table import Table

SHOWN = ("vpip", "pfr", "three_bet", "cbet", "fold_to_bet", "check_fold", "af", "wtsd", "wsd")
"""Indicators that have curves; the table has them all."""
SMALL = 400
"""Points of a curve in a small panel."""
MOST_NAME = 22
"""Letters of a name in a drawing."""
FEW = 2
"""Columns that have room for a figure and its parts in one line."""

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


# What players did: every figure with its numerator, its denominator and its interval


def indicators_section(counts: Table | None, order: list[int]) -> Html:
    """The figures of the whole match, and of each player by position."""
    if counts is None:
        return page.section("Indicators", element("p", "What players did was not counted in this match."))
    hands = ", ".join(f"{counts.players[player]} {counts.hands(counts.players[player]):,}" for player in order)
    text = (
        "Each with numerator and denominator, and shares with Wilson's 95 % interval in per cent, which takes chances "
        f"as independent of each other; AF, PFR (D) and AF (D) are ratios and have none. Hands dealt: {hands}."
    )
    heads = [page.player_name(player, counts.players[player]) for player in order]
    rows = [
        [_label(indicator), *(_share(counts.of(counts.players[player], name)) for player in order)]
        for name, indicator in _counted(counts)
    ]
    shown = table(["", *heads], rows, label="Indicators", class_=_class(heads))
    by_position = [_by_position(counts, player) for player in order]
    return page.section("Indicators", page.note(text), shown, *by_position, _meaning(counts))


def _counted(counts: Table, player: str | None = None) -> Iterator[tuple[str, Indicator]]:
    """Indicators for which somebody, or one player, had a chance."""
    players = counts.players if player is None else (player,)
    for name, indicator in INDICATORS.items():
        if any(counts.of(player, name).num or counts.of(player, name).den for player in players):
            yield name, indicator


def _by_position(counts: Table, player: int) -> Html:
    name = counts.players[player]
    seats = [seat for seat in POSITIONS if counts.of(name, "vpip_d", position=seat).den]
    rows = [
        [_label(indicator), *(_share(counts.of(name, key, position=seat)) for seat in seats)]
        for key, indicator in _counted(counts, name)
    ]
    heads = [
        to_html([seat if seat != "-" else "all", element("small", f"{dealt:,} hands")])
        for seat in seats
        for dealt in [counts.of(name, "vpip_d", position=seat).den]
    ]
    shown = table(["", *heads], rows, label=f"Indicators of {name} by position", class_=_class(heads))
    return element("details", element("summary", page.player_name(player, name), " by position"), shown)


def _class(heads: list[Html]) -> str:
    return "indicators few" if len(heads) <= FEW else "indicators"


def _label(indicator: Indicator) -> Html:
    return element("span", indicator.label, title=f"{indicator.numerator} / {indicator.denominator}")


def _share(counts: Counted) -> Content:
    if counts.share is None:
        return ["–", element("small"), element("small")]
    shown = f"{counts.share:.2f}" if counts.ratio else f"{100 * counts.share:.1f} %"
    interval = "–".join(f"{100 * end:.1f}" for end in counts.ci95 or ())
    parts = element("small", f"{counts.num:,} / {counts.den:,}"), element("small", interval)
    return [number(counts.share, shown), *parts]


def _meaning(counts: Table) -> Html:
    rows = [
        [indicator.label, indicator.numerator, indicator.denominator, indicator.where.value]
        for _, indicator in _counted(counts)
    ]
    shown = table(["", "numerator", "denominator", "counted in"], rows, label="What is counted", class_="meaning")
    return element("details", element("summary", "What these figures mean"), shown)
