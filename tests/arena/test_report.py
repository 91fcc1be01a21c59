"""Reports say what the result says, to anybody, and ask nobody for anything."""

import re
import sys
from dataclasses import replace
from datetime import UTC, datetime
from xml.etree import ElementTree

import numpy as np
import pytest

from felt.agents import Agent, check_or_call
from felt.arena import Match, play
from felt.arena.match.league import play_league
from felt.arena.match.result import STRETCH
from felt.arena.report import league_page, league_plots, match_page, match_plots, plot_png, plot_svg, ready
from felt.arena.report.league import together
from felt.errors import FeltError
from felt.games import load
from felt.stats.definitions import INDICATORS
from tests.arena.pages import Page

WHEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
COMMAND = "felt match random call raise --hands 2400 --duplicate --seed 7"
EVIL = "<script>alert('hi')</script> & \x1b[31mred\x00"


class Evil(Agent):
    """Raises what a page must not believe."""

    remembers = False

    def act(self, view):
        if self.dice.random() < 0.05:
            raise RuntimeError(EVIL)
        return check_or_call(view)


@pytest.fixture(scope="module")
def result():
    match = Match.of(["random", "call", "raise"], load("nlhe"), seed=7, duplicate=True)
    return play(match, 2400, watch=True)


@pytest.fixture(scope="module")
def page(result):
    return match_page(result, COMMAND, when=WHEN)


@pytest.fixture(scope="module")
def league():
    return play_league(Match.of(["random", "call", "raise", "call"], load("nlhe"), seed=3, seats=2), 400, watch=True)


@pytest.fixture(scope="module")
def league_text(league):
    return league_page(league, "felt league random call raise call --hands 400", when=WHEN)


# What they say


def test_the_table_has_the_rates_of_the_result(result, page):
    shown = Page(page).figures("Result")
    for player, name in enumerate(result.match.names):
        raw, adjusted = result.rate(player), result.adjusted_rate(player)
        assert shown[name] == [
            [raw.mbb, raw.half], list(raw.ci95), [adjusted.mbb, adjusted.half], list(adjusted.ci95),
            [result.totals[:, player].sum() / result.match.rules.big_blind], [0.0],
        ]  # fmt: skip


def test_what_is_read_is_the_figure_behind_it(page):
    for row in Page(page).tables["Result"][1:]:
        for text, figures in row[1:]:
            read = re.findall(r"[+−]?[\d,]+(?:\.\d+)?", text)
            assert [float(one.replace(",", "").replace("−", "-")) for one in read] == pytest.approx(figures, abs=0.051)


def test_it_says_how_settled_it_is_and_how_to_play_it_again(result, page):
    read = Page(page)
    assert result.sentence() in read.within("header")
    assert COMMAND in read.within("pre")
    facts = read.within("dl")
    for told in ("No-limit Texas hold'em", "100 big blinds", "2,400", "400 of 6 hands", "6 seatings", "2026-03-01"):
        assert told in facts
    assert "all hands were played" in facts and "early: it rained" in Page(
        match_page(replace(result, ended="it rained"), COMMAND, plots=[])
    ).within("dl")


def test_indicators_are_those_that_were_counted(result, page):
    table, read = result.indicators.table, Page(page)
    rows = {row[0][0]: row[1:] for row in read.tables["Indicators"]}
    names = [name for name, _ in rows[""]]
    assert sorted(names) == sorted(result.match.names)
    for indicator in ("vpip", "pfr", "af", "wtsd", "wsd"):
        for name, (text, figures) in zip(names, rows[INDICATORS[indicator].label], strict=True):
            assert (text, figures) == read_of(table.of(name, indicator))


def test_indicators_have_their_figures_by_position(result, page):
    rows = {row[0][0]: row[1:] for row in Page(page).tables["Indicators of random by position"]}
    seats = ("BTN", "SB", "BB")
    assert [text for text, _ in rows[""]] == [f"{seat}800 hands" for seat in seats]
    for indicator in ("vpip", "three_bet", "fold_to_bet", "af"):
        for seat, (text, figures) in zip(seats, rows[INDICATORS[indicator].label], strict=True):
            assert (text, figures) == read_of(result.indicators.table.of("random", indicator, position=seat))


def read_of(counted):
    """What a cell says of a figure: the figure, numerator and denominator, and the ends of its interval."""
    if counted.share is None:
        return "–", []
    shown = f"{counted.share:.2f}" if counted.ratio else f"{100 * counted.share:.1f} %"
    interval = "" if counted.ci95 is None else "{:.1f}–{:.1f}".format(*(100 * end for end in counted.ci95))
    return f"{shown}{counted.num:,} / {counted.den:,}{interval}", [counted.share]


def test_a_match_that_was_not_watched_says_so(result):
    read = match_page(replace(result, indicators=None), COMMAND, when=WHEN)
    assert "was not counted" in read and "Bankrolls" in read


def test_one_set_is_enough_for_a_page():
    match = Match.of(["call", "raise"], load("nlhe"))
    read = Page(match_page(play(match, 1, watch=True), "felt match call raise --hands 1"))
    assert [text for text, _ in read.tables["Result"][1][1:5:2]] == [read.tables["Result"][1][1][0]] * 2
    assert read.tables["Result"][1][2][0] == "–"


# The plots


def plots_of(found):
    return {plot.name: plot for plot in found}


def test_curves_end_with_the_totals(result):
    big_blind = result.match.rules.big_blind
    as_it_happened, adjusted = plots_of(match_plots(result))["bankroll"].panels
    for panel, totals, rates in (
        (as_it_happened, result.totals, result.rates),
        (adjusted, result.adjusted, [result.adjusted_rate(player) for player in range(3)]),
    ):
        for line, band in zip(panel.lines, panel.bands, strict=True):
            assert line.player == band.player and line.x[-1] == band.x[-1] == result.hands
            assert line.y[-1] == pytest.approx(totals[:, line.player].sum() / big_blind)
            width = rates[line.player].half * result.hands / 1000
            assert (band.low[-1], band.high[-1]) == pytest.approx((line.y[-1] - width, line.y[-1] + width))


def test_indicator_curves_end_with_the_figures_of_the_table(result):
    table = result.indicators.table
    panels = {panel.title: panel for panel in plots_of(match_plots(result))["indicators"].panels}
    for name in ("vpip", "pfr", "af", "wtsd"):
        lines = [line for line in panels[INDICATORS[name].label].lines if line.weight == "plain"]
        assert lines
        for line in lines:
            assert line.y[-1] == table.of(result.match.names[line.player], name).share
            assert len(line.x) == -(-result.hands // STRETCH) and line.x[-1] == result.hands


def test_plots_are_png_and_svg_and_always_the_same(result):
    for plot in match_plots(result)[:3]:
        svg = plot_svg(plot)
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
        assert plot.title in texts, "text stays text"
        assert not re.search(r"\d{4}-\d\d-\d\dT", svg), "no date"
        assert plot_svg(plot) == svg
    rates = match_plots(result)[0]
    png = plot_png(rates)
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and b"IEND" in png[-12:]
    assert plot_png(rates) == png


def test_the_readers_own_settings_of_matplotlib_change_nothing(result, monkeypatch):
    import matplotlib

    plot = match_plots(result)[1]
    before = plot_svg(plot)
    monkeypatch.setitem(matplotlib.rcParams, "lines.linewidth", 9.0)
    monkeypatch.setitem(matplotlib.rcParams, "text.color", "red")
    assert plot_svg(plot) == before
    assert matplotlib.rcParams["text.color"] == "red", "and are left as they were"


def test_without_matplotlib_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(FeltError, match=r"pip install '.*\[arena\]'"):
        ready()


# The page


def same_but_speed(text):
    return re.sub(r'id="speed">[^<]*<', "", text)


def test_the_same_match_is_the_same_page(result, page):
    again = play(result.match, 2400, watch=True, workers=1)
    assert same_but_speed(match_page(again, COMMAND, when=WHEN)) == same_but_speed(page)


@pytest.mark.parametrize("which", ["page", "league_text"])
def test_it_needs_nothing_and_runs_nothing(which, request):
    text = request.getfixturevalue(which)
    read = Page(text)
    tags = {tag for tag, _ in read.tags}
    assert not tags & {"script", "img", "iframe", "object", "embed", "base", "form"}
    assert [named["href"] for tag, named in read.tags if tag == "link"] == ["data:,"]
    assert not re.search(r"https?:|@import|url\((?!#)", text)
    assert "default-src 'none'" in text


@pytest.mark.parametrize("which", ["page", "league_text"])
def test_drawings_do_not_share_names_and_all_that_they_use_is_there(which, request):
    text = request.getfixturevalue(which)
    ids = Page(text).ids
    assert len(ids) == len(set(ids))
    used = set(re.findall(r"(?:url\(#|href=\"#)([^\")]*)", text))
    assert used and used <= set(ids)
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ElementTree.fromstring(svg)
        assert not re.search("#[0-9a-f]{6}", svg), "all colours are those of the page"


def test_what_agents_say_is_text():
    found = play(Match.of([Evil, "call"], load("nlhe"), seed=1), 200)
    count = found.conduct.counts[0]["errors"]
    text = match_page(found, "felt match '<b>' call", when=WHEN, plots=[])
    read = Page(text)
    assert count and read.figures("Errors of agents")["Evil"] == [[0.0], [0.0], [float(count)]]
    assert "<script" not in text and "\x1b" not in text and "\x00" not in text
    assert read.within("pre").count("raise RuntimeError(EVIL)") == 5, "the first few with their tracebacks"
    assert "RuntimeError: <script>alert('hi')</script> & �[31mred�" in read.within("pre")
    assert "felt match '<b>' call" in read.within("pre")


@pytest.mark.parametrize("name", ["$x$ ^_{", "<b>", "名前 ♠", "half \udcff", "bell \x07", "a" * 300, '"&'])
def test_players_may_have_any_name(result, name):
    named = replace(result.match.entrants[0], spec=name)
    odd = replace(result, match=replace(result.match, entrants=(named, *result.match.entrants[1:])), indicators=None)
    rates = match_plots(odd)[:1]
    text = match_page(odd, COMMAND, when=WHEN, plots=rates)
    text.encode("utf-8")
    shown = "".join("�" if one in "\udcff\x07" else one for one in name)
    assert shown in [row[0][0] for row in Page(text).tables["Result"]]
    ElementTree.fromstring(plot_svg(*rates))
    assert "名" not in name or plot_png(*rates), "letters that the font has not"


def test_a_million_sets_make_no_larger_page(result):
    dice = np.random.default_rng(1)
    totals = np.rint(dice.standard_t(3, (1_000_000, 1)) * 40).astype(np.int64) * [1, -1, 0]
    long = replace(result, totals=totals, adjusted=totals + 0.25, indicators=None)
    assert len(match_page(long, COMMAND)) < 600_000


# Leagues


def test_the_cross_table_is_antisymmetric(league, league_text):
    for label in ("Everybody against everybody", "Everybody against everybody, all-in-adjusted"):
        rows = Page(league_text).tables[label]
        names = [text for text, _ in rows[0][1:]]
        assert names == [row[0][0] for row in rows[1:]] == [league.names[player] for player in league.table]
        for place, row in enumerate(rows[1:]):
            for other in range(len(names)):
                figures = row[1 + other][1]
                if other == place:
                    assert figures == []
                    continue
                back = rows[1 + other][1 + place][1]
                assert figures == pytest.approx([-back[0], back[1]])


@pytest.mark.parametrize("adjusted", [False, True], ids=["raw", "adjusted"])
def test_the_cross_table_has_the_rates_of_the_league(league, league_text, adjusted):
    rows = Page(league_text).tables["Everybody against everybody" + (", all-in-adjusted" if adjusted else "")]
    for row, player in zip(rows[1:], league.table, strict=True):
        for (_, figures), other in zip(row[1:], league.table, strict=True):
            if player != other:
                pair = min(player, other), max(player, other)
                result, place = league.results[pair], pair.index(player)
                rate = result.adjusted_rate(place) if adjusted else result.rate(place)
                assert figures == [rate.mbb, rate.half]


def test_colours_tell_sign_and_significance(league, league_text):
    cells = re.findall(r'<td class="(won|lost|even)( sure)?"><data value="([^"]*)', league_text)
    assert len(cells) == 2 * 4 * 3
    rates = [league.rate(one, other) for one in league.table for other in league.table if one != other]
    for (sign, sure, value), rate in zip(cells, rates, strict=False):  # the raw table comes first
        assert float(value) == rate.mbb and bool(sure) == rate.settled
        assert sign == ("even" if rate.mbb == 0 else "won" if rate.mbb > 0 else "lost")


def test_the_ranking_has_the_means(league, league_text):
    shown = Page(league_text).figures("Ranking")
    for place, player in enumerate(league.table, 1):
        told = league.overall(player)
        assert shown[f"{place}. {league.names[player]}"][:2] == [[told.mbb, told.half], list(told.ci95)]


def test_indicators_of_a_league_are_those_of_its_matches(league):
    counted = together(league)
    for player, name in enumerate(league.names):
        parts = [
            result.indicators.table.of(result.match.names[pair.index(player)], "vpip")
            for pair, result in league.results.items()
            if player in pair
        ]
        assert counted.table.of(name, "vpip").num == sum(part.num for part in parts)
    curves = sum(result.indicators.curves.sum() for result in league.results.values())
    assert counted.curves.sum() == curves


def test_bankrolls_of_a_league_end_with_what_was_won(league):
    (plot,) = [plot for plot in league_plots(league) if plot.name == "bankroll"]
    for panel, player in zip(plot.panels, league.table, strict=True):
        for line in panel.lines:
            rate = league.rate(player, line.player)
            assert line.y[-1] == pytest.approx(rate.mbb * rate.hands / 1000)
