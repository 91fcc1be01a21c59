"""The plots of a match."""

from collections.abc import Sequence

import numpy as np

from felt.arena.match.result import Result
from felt.arena.match.running_statistics import STRETCH, Stretches
from felt.arena.report.pages.markup import clean
from felt.arena.report.plots import curves
from felt.arena.report.plots.curves import MOST
from felt.arena.report.plots.panels import Band, Bar, Curves, Intervals, Line, Numbers, Plot, Row
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
    same = all(raw == changed for raw, changed in zip(rates, adjusted, strict=True))
    rows = tuple(
        Row(player, name, (_bar(rates[player]),) if same else (_bar(rates[player]), _bar(adjusted[player], True)))
        for player, name in key
    )
    caption = "What each player won per hand, in thousandths of a big blind, with the 95 % interval."
    title = "" if same else "Dots: as it happened · diamonds: all-in-adjusted"
    return Plot("rates", "Winnings per hand", "mbb/hand", caption, (Intervals(title, rows),), columns=1)


def _bar(rate: Rate, adjusted: bool = False) -> Bar:
    return Bar(rate.mbb, rate.low, rate.high, adjusted)


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
    columns = 2 if len(key) in (1, 2, 4) else 3
    most = MOST if columns == 2 else SMALL * 2
    panels = []
    for player, name in key:
        fast = curves.moving_average(player, totals[:, player], size, big_blind, window, most)
        lines = [fast]
        if slow is not None:
            lines = [Line(player, fast.x, fast.y, "faint")]
            lines.append(curves.moving_average(player, totals[:, player], size, big_blind, slow, SMALL))
        ends = np.array([0.0, float(sets * size)])
        lines.append(Line(player, ends, np.full(2, rates[player].mbb), "mark"))
        panels.append(Curves(name, tuple(lines), _level_band(player, ends, rates[player]), player))
    caption = f"What {subject} won per hand over the last {window * size:,} hands ({counted(window, 'set')})"
    caption += f"; the thick curve over the last {slow * size:,}. " if slow is not None else ". "
    caption += "The dotted line is the rate of the whole match, in its 95 % interval."
    return Plot("moving-average", "Moving averages", "mbb/hand", caption, tuple(panels), columns)


def _level_band(player: int, ends: Numbers, rate: Rate) -> tuple[Band, ...]:
    if rate.low is None or rate.high is None:
        return ()
    return (Band(player, ends, np.full(2, rate.low), np.full(2, rate.high)),)


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
