"""Names that look like something else, in every format that is written: each reader finds the same hand."""

import re
from dataclasses import replace
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from felt.games import Hand, load
from felt.games.history import HandRecord
from felt.interop.acpc.log import read_acpc
from felt.interop.acpc.writer import write_acpc
from felt.interop.phh.reader import read_phh
from felt.interop.phh.writer import write_phh, write_phhs
from felt.interop.rooms.pokerstars import read_pokerstars
from felt.interop.rooms.pokerstars_writer import write_pokerstars
from felt.interop.rooms.text import escape_name, plain_names

NASTY = (
    "*** SUMMARY ***", "*** FLOP *** [As Kd Qh]", "Bob\nBob: folds", "Bob: folds", "Bob: ", "Seat 1: Ann (9 in chips)",
    "Seat 1", "[Ah Kd]", "(button)", "Ann (small blind)", "Dealt to Ann", "Uncalled bet (5) returned to Ann",
    "Ann collected 5 from pot", "Total pot 5 | Rake 0", "PokerStars Hand #1: Hold'em No Limit ($1/$2)", "Hand #12",
    "\x1b[31mred\x1b[0m", "\x07\x00\r\n", "a\u2028b\u2029c\x85d", " lead", "trail ", "two  blanks", " ", "", "%2A",
    "variant = 'NT'", "'''", '"""\\"', "STATE:0:f:|:1|-1:a|b", "a|b:c", "\u202eabc", "\u200b", "Ann is sitting out",
    "Cash Drop", "STP added", "x" * 5000, "é" * 100, "\ud800", "# no comment", "O'Brien, Zoë 2.0",
)  # fmt: skip

names = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=30),
    st.text(alphabet=":[]()*# \n\r\x1b|%'\"\\abSeat1folds", max_size=30),
    st.tuples(st.sampled_from(NASTY), st.sampled_from(NASTY)).map(" ".join),
)
tables = st.lists(names, min_size=3, max_size=3, unique=True).map(tuple)


@pytest.fixture(scope="module")
def hand() -> HandRecord:
    """A hand with folds, a raise and a showdown."""
    played = Hand.new(load("nlhe"), [200, 200, 200], seed=3)
    played.raise_to(6)
    played.call()
    played.fold()
    while not played.over:
        played.call()
    return replace(played.record(), hand_id="77")


quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def as_read(name: str) -> str:
    """A name after it was written as text and read again: the same, unless it was too long or half a letter.

    A name that looks like an escaped one is read as what it stands for.
    """
    if escape_name(unquote(name)) == name:
        return unquote(name)
    return name.encode("utf-8", "replace").decode()[: 60 if escape_name(name) != name else None]


@quick
@given(tables)
def test_phh_keeps_every_name(hand, players):
    record = replace(hand, names=players)
    text = write_phhs([record, record])
    found = read_phh(text)
    assert not found.problems and len(found.hands) == 2
    told = tuple(name.encode("utf-8", "replace").decode() for name in players)
    assert found.hands[1].names == told and found.hands[1].stacks == record.stacks
    assert all(line.isprintable() for line in write_phh(record).split("\n"))


@quick
@given(tables, names)
def test_pokerstars_text_survives_every_name(hand, players, table):
    record = replace(hand, names=players, meta={"table": table, "level": table, "time": table, "hero": players[1]})
    text = write_pokerstars([record, record])
    assert all(line.isprintable() for line in text.split("\n")), "a control character is left"
    found = read_pokerstars(text)
    assert not found.problems and len(found.hands) == 2, (players, found.problems)
    told = found.hands[1]
    numbered = (as_read(name) or f"Player {seat}" for seat, name in enumerate(players, start=1))
    assert told.names == tuple(numbered) and told.meta.get("hero", told.names[1]) == told.names[1]
    assert told.finishing == record.finishing
    assert write_pokerstars([told]) == write_pokerstars(found.hands[:1])


@pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")  # PokerKit's own
@settings(quick, max_examples=10)
@given(tables)
def test_pokerkit_survives_every_name_in_pokerstars_text(hand, players):
    pokerkit = pytest.importorskip("pokerkit", reason="PokerKit is not installed: pip install felt-poker[bench]")
    text = write_pokerstars([replace(hand, names=players)])
    (history,) = pokerkit.HandHistory.from_pokerstars(text, error_status=True)
    *_, last = history
    told = dict(zip(plain_names(players, 3), hand.finishing, strict=True))
    assert dict(zip(history.players, last.stacks, strict=True)) == told


@quick
@given(tables)
def test_an_acpc_log_survives_every_name(hand, players):
    found = read_acpc(write_acpc([replace(hand, names=players)] * 2))
    assert not found.problems and len(found.hands) == 2
    assert len(set(found.hands[0].names)) > 0 and sum(found.scores.values()) == 0


@given(names)
def test_an_escaped_name_is_plain(name):
    shown = escape_name(name)
    assert escape_name(shown) == shown and shown.isprintable() and not re.search(r"[:\[\]()*#|]|^ | $|  ", shown)


@pytest.mark.parametrize(
    "name", ["Ann", "Ann Lee", "O'Brien", "Zoë 2.0", "a_b-c!", "$$$ 100%", "x" * 40, "folds", "名前"]
)
def test_usual_names_stay_as_they_are(name):
    assert escape_name(name) == name


def test_names_that_would_become_alike_are_told_apart():
    assert plain_names(["a:b", "a%3Ab", "c"], 3) == ("a%3Ab~1", "a%3Ab", "c")
