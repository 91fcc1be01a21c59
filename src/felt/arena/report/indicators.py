"""The tables of what players did: every figure with its numerator, its denominator and its interval."""

from collections.abc import Iterator

from felt.arena.report.markup import Content, Html, element, number, table, to_html
from felt.arena.report.page import note, player_name, section
from felt.stats.counted import Counted
from felt.stats.definitions import INDICATORS, Indicator
from felt.stats.layout import POSITIONS
from felt.stats.table import Table

FEW = 2
"""Columns that have room for a figure and its parts in one line."""


def indicators_section(counts: Table | None, order: list[int]) -> Html:
    """The figures of the whole match, and of each player by position."""
    if counts is None:
        return section("Indicators", element("p", "What players did was not counted in this match."))
    hands = ", ".join(f"{counts.players[player]} {counts.hands(counts.players[player]):,}" for player in order)
    text = (
        "Each with numerator and denominator, and shares with Wilson's 95 % interval in per cent, which takes chances "
        f"as independent of each other; AF, PFR (D) and AF (D) are ratios and have none. Hands dealt: {hands}."
    )
    heads = [player_name(player, counts.players[player]) for player in order]
    rows = [
        [_label(indicator), *(_figure(counts.of(counts.players[player], name)) for player in order)]
        for name, indicator in _counted(counts)
    ]
    shown = table(["", *heads], rows, label="Indicators", class_=_class(heads))
    by_position = [_by_position(counts, player) for player in order]
    return section("Indicators", note(text), shown, *by_position, _meaning(counts))


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
        [_label(indicator), *(_figure(counts.of(name, key, position=seat)) for seat in seats)]
        for key, indicator in _counted(counts, name)
    ]
    heads = [
        to_html([seat if seat != "-" else "all", element("small", f"{dealt:,} hands")])
        for seat in seats
        for dealt in [counts.of(name, "vpip_d", position=seat).den]
    ]
    shown = table(["", *heads], rows, label=f"Indicators of {name} by position", class_=_class(heads))
    return element("details", element("summary", player_name(player, name), " by position"), shown)


def _class(heads: list[Html]) -> str:
    return "indicators few" if len(heads) <= FEW else "indicators"


def _label(indicator: Indicator) -> Html:
    return element("span", indicator.label, title=f"{indicator.numerator} / {indicator.denominator}")


def _figure(counted: Counted) -> Content:
    if counted.share is None:
        return ["–", element("small"), element("small")]
    shown = f"{counted.share:.2f}" if counted.ratio else f"{100 * counted.share:.1f} %"
    interval = "–".join(f"{100 * end:.1f}" for end in counted.ci95 or ())
    parts = element("small", f"{counted.num:,} / {counted.den:,}"), element("small", interval)
    return [number(counted.share, shown), *parts]


def _meaning(counts: Table) -> Html:
    rows = [
        [indicator.label, indicator.numerator, indicator.denominator, indicator.where.value]
        for _, indicator in _counted(counts)
    ]
    shown = table(["", "numerator", "denominator", "counted in"], rows, label="What is counted", class_="meaning")
    return element("details", element("summary", "What these figures mean"), shown)
