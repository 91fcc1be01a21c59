"""Tables of counts: adding, summing, naming, and what their figures are worth."""

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from felt.errors import FeltError
from felt.games import Hand, load
from felt.games.engine.batch import HandBatch
from felt.games.views.facts import trace
from felt.stats.definitions import INDICATORS, POSITIONS
from felt.stats.indicators import count, count_chunks, positions, seat_positions
from felt.stats.means import Counted
from felt.stats.records import from_records
from felt.stats.table import Table
from tests.conftest import ROOT
from tests.stats.test_indicators import random_records


def facts_of(name: str, hands: int, players: int, seed: int = 3, *, actions: bool = True):
    """Hands in which everybody calls, but for a first raise in every other one."""
    batch = HandBatch(load(name), hands, players=players, seed=seed)
    moves: list[list[int]] = [[] for _ in range(hands)]
    while not batch.over.all():
        playing = ~batch.over
        first = np.array([not told for told in moves]) & (np.arange(hands) % 2 == 0)
        move = np.where(first & (batch.legal[:, 2] > 0), 2, 1)
        amount = np.where(move == 2, batch.legal[:, 2], 0)
        for hand in np.nonzero(playing)[0]:
            moves[hand].append(int(amount[hand]) * 4 + int(move[hand]))
        batch.step(move, amount)
    batch = HandBatch(load(name), hands, players=players, seed=seed)
    codes, counts = np.concatenate([np.array(told) for told in moves]), np.array([len(told) for told in moves])
    return trace(batch.rules, *batch.arrays, batch.stacks, codes, counts, actions=actions)


@pytest.mark.no_jit
def test_parts_of_a_match_add_up_to_the_whole_and_chunks_to_the_table():
    facts, names = facts_of("nlhe", 20, 3), ("a", "b", "c")
    players = (np.arange(3) + np.arange(20)[:, None]) % 3
    table, curves = count_chunks(facts, players, names, np.arange(20) // 8, 3)
    assert curves.shape == (3, 3, len(INDICATORS), 2)
    assert (curves.sum(axis=0) == table.sum("position", "street", "ip")).all()
    assert curves[:, :, [*INDICATORS].index("vpip_d"), 1].tolist() == [[8] * 3, [8] * 3, [4] * 3]
    assert (count(facts, players, names).counts == table.counts).all()
    left_out = count(facts, np.where(players == 1, -1, players), names)
    assert (left_out.counts[[0, 2]] == table.counts[[0, 2]]).all() and not left_out.counts[1].any()
    twice = table + table
    assert (twice.counts == 2 * table.counts).all() and twice.hands("a") == 40


def test_figures_can_be_asked_for_in_parts():
    table = from_records(random_records("nlhe", 6, 200)).table
    for player in table.players:
        for name in INDICATORS:
            whole = table.of(player, name)
            parts = [[table.of(player, name, position=position) for position in POSITIONS],
                     [table.of(player, name, street=street) for street in table.streets],
                     [table.of(player, name, in_position=inside) for inside in (True, False)]]  # fmt: skip
            for told in parts:
                assert sum(told[1:], told[0]) == whole
            assert INDICATORS[name].ratio or whole.num <= whole.den
    assert table.sum("position", "street", "ip").shape == (7, len(INDICATORS), 2)
    assert table.sum("player").shape == table.counts.shape[1:]


def test_plain_values_are_the_same_figures():
    table = from_records(random_records("nlhe", 3, 100)).table
    told = json.loads(json.dumps(table.as_dict()))
    assert list(told) == list(table.players) and list(told["Ann"]) == ["hands", *INDICATORS]
    cbet, expected = told["Ann"]["cbet"], table.of("Ann", "cbet")
    assert (cbet["num"], cbet["den"], cbet["share"]) == (expected.num, expected.den, expected.share)
    assert cbet["ci95"] == list(expected.ci95) and told["Ann"]["af"]["ci95"] is None
    assert set(cbet["by_street"]) <= {"flop", "turn", "river"} and set(cbet["by_position"]) <= {"BTN", "SB", "BB"}
    assert sum(part["den"] for part in cbet["by_ip"].values()) == expected.den
    assert "by_street" not in told["Ann"]["vpip"] and told["Ann"]["hands"] == table.hands("Ann")


def test_tables_of_games_with_other_rounds_add_up():
    hold, draw = Table.empty("ab", ("preflop", "flop", "turn")), Table.empty("ab", ("deal", "draw"))
    hold.counts[:], draw.counts[:] = 1, 10
    for both in (hold + draw, draw + hold):
        assert both.streets == ("round 1", "round 2", "round 3")
        assert both.counts[0, 0, 0, :, 0, 0].tolist() == [11, 11, 1]
    assert (hold + Table.empty("ab", ("preflop",))).streets == hold.streets
    assert (hold + Table.empty("ab", ())).streets == hold.streets


def test_mistakes_are_told():
    table, facts = Table.empty("ab", ("preflop",)), facts_of("kuhn", 2, 2)
    for ask, words in (
        (lambda: table.of("x", "vpip"), "no player 'x' in this table: a, b"),
        (lambda: table.of("a", "vpp"), "no indicator 'vpp'"),
        (lambda: table.of("a", "vpip", street="flop"), "no street 'flop' in this table: preflop"),
        (lambda: table.of("a", "vpip", position="UGT"), "no position 'UGT'"),
        (lambda: table.sum("seat"), "no axis 'seat'"),
        (lambda: table + Table.empty("ac", ("preflop",)), "do not add up"),
        (lambda: count(facts, np.zeros((2, 3), dtype=int), ["a"]), r"players of shape \(2, 3\)"),
        (lambda: count(facts, np.full((2, 2), 4), ["a"]), "players 4 to 4: 1 name"),
        (lambda: count_chunks(facts, np.zeros((2, 2), dtype=int), ["a"], np.array([0, 5]), 2), "a chunk from 0 to 1"),
        (lambda: count(facts_of("kuhn", 2, 2, actions=False), np.zeros((2, 2), dtype=int), ["a"]), "actions=True"),
    ):
        with pytest.raises(FeltError, match=words):
            ask()


def test_the_table_of_definitions_in_the_docs_is_that_of_the_code():
    page = (ROOT / "docs" / "data" / "statistics.md").read_text(encoding="utf-8")
    rows = [f"| `{i.name}` | {i.label} | {i.where} | {i.numerator} | {i.denominator} |" for i in INDICATORS.values()]
    assert [line for line in page.splitlines() if line.startswith("| `")] == rows


def test_nothing_to_count_is_a_table_of_zeros():
    told = from_records([])
    assert told.names == () and told.hands == told.skipped == 0 and told.table.counts.size == 0


# Shares


@pytest.mark.parametrize(
    ("num", "den", "low", "high"),
    [  # Newcombe (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_as_published(num, den, low, high):
    assert Counted(num, den).ci95 == pytest.approx((low, high), abs=5e-5)


def test_the_ends_of_wilsons_interval_are_where_the_share_is_just_not_refuted():
    """Each end is a share p of which the count is exactly z standard errors away."""
    told = Counted(7, 40)
    for end in told.ci95:
        error = math.sqrt(end * (1 - end) / 40)
        assert abs(7 / 40 - end) / error == pytest.approx(1.959964, abs=1e-6)


def test_a_share_prints_itself():
    assert str(Counted(30, 1200)) == "2.5% (30/1,200)" and str(Counted(3, 2, ratio=True)) == "1.50 (3/2)"
    assert str(Counted(0, 0)) == "– (0/0)" and Counted(0, 0).share is None and Counted(0, 0).ci95 is None
    assert Counted(5, 5).ci95[1] == 1.0 and Counted(1, 3).share == float(Fraction(1, 3))


# Names of seats


def test_names_of_seats_at_every_table():
    nlhe = load("limit-holdem")
    told = {players: " ".join(positions(nlhe, players)) for players in range(2, 11)}
    assert told == {
        2: "BB BTN",
        3: "SB BB BTN",
        4: "SB BB CO BTN",
        5: "SB BB UTG CO BTN",
        6: "SB BB UTG MP CO BTN",
        7: "SB BB UTG MP HJ CO BTN",
        8: "SB BB UTG UTG+1 MP HJ CO BTN",
        9: "SB BB UTG UTG+1 MP MP+1 HJ CO BTN",
        10: "SB BB UTG UTG+1 UTG+2 MP MP+1 HJ CO BTN",
    }
    one_blind, old_custom = replace(nlhe, blinds=(2,)), replace(nlhe, heads_up_button_blind=False)
    assert positions(one_blind, 3) == ("BB", "CO", "BTN") and positions(old_custom, 2) == ("SB", "BTN")
    assert positions(load("brag"), 10)[:4] == ("UTG", "UTG+1", "UTG+2", "UTG+3")


def test_seats_are_named_from_the_button_wherever_it_is():
    codes = seat_positions(load("nlhe"), np.array([2, 0], dtype=np.int32), 3)
    assert [[POSITIONS[code] for code in hand] for hand in codes] == [["SB", "BB", "BTN"], ["BTN", "SB", "BB"]]


# Records


def test_hands_that_do_not_replay_are_skipped_and_told():
    good, bad, short = random_records("nlhe", 3, 3)
    bad = replace(bad, hand_id="77", events=(*bad.events, bad.events[-1]))
    at = next(i for i, event in enumerate(short.events) if event.kind in ("fold", "call", "raise"))
    short = replace(short, events=short.events[:at])
    told = from_records([good, bad, short])
    assert (told.hands, told.skipped) == (1, 2)
    assert told.reasons[0].startswith("hand 77: card") and "breaks off" in told.reasons[1]
    assert set(told.names) == set(good.names)  # who only played in skipped hands is not there


def test_players_without_names_go_by_their_seats_and_some_can_be_left_out():
    records = [replace(record, names=()) for record in random_records("nlhe", 3, 30)]
    whole, some = from_records(records), from_records(records, only={"seat 1"})
    assert whole.names == ("seat 0", "seat 1", "seat 2") and some.names == ("seat 1",)
    assert (some.table.counts[0] == whole.table.counts[1]).all() and some.hands == 30
    assert from_records(records, only=()).names == ()


def test_games_may_be_mixed_and_come_in_any_number(monkeypatch):
    monkeypatch.setattr("felt.stats.records.AT_ONCE", 7)
    records = random_records("nlhe", 3, 20) + random_records("five-card-draw", 4, 20) + random_records("nlhe", 2, 20)
    told = from_records(records[::3] + records[1::3] + records[2::3])
    assert told.hands == 60 and told.table.streets == ("round 1", "round 2", "round 3", "round 4")
    monkeypatch.undo()
    apart = {record.rules.name: from_records(r for r in records if r.rules == record.rules) for record in records}
    for name in told.names:
        dens = [part.table.of(name, "vpip") for part in apart.values() if name in part.names]
        assert sum(dens[1:], dens[0]) == told.table.of(name, "vpip")


def test_who_won_is_what_the_record_says():
    """Of two hands that came to the showdown one was mucked unseen: cards filled in for it cannot have won."""
    hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    while not hand.over:
        hand.call()
    winner = hand.won.index(max(hand.won))
    assert hand.won[1 - winner] == 0
    record = replace(hand.record(), names=("a", "b"))
    other = replace(record, finishing=tuple(reversed(hand.stacks)))
    assert from_records([record]).table.of("ab"[winner], "wsd").num == 1
    assert from_records([other]).table.of("ab"[winner], "wsd") == Counted(0, 1)
    mucked = (*record.events, record.events[-1]._replace(kind="muck", seat=winner))
    silent = replace(record, finishing=None, events=mucked)
    assert from_records([silent]).table.of("ab"[winner], "wsd") == Counted(0, 1)


def test_with_a_dead_small_blind_the_big_blind_sits_next_to_the_button():
    hand = Hand.new(load("nlhe"), players=4, posts=(2, 0, 0, 0))
    while not hand.over:
        hand.fold()
    told = from_records([replace(hand.record(), names=tuple("abcd"))])
    assert told.table.of("a", "vpip_d", position="BB").den == told.table.of("b", "rfi", position="UTG").den == 1
