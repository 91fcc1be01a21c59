"""What rooms do for players who are away, and what they let players do: folds all in, raises, cash-outs."""

from dataclasses import replace

import pytest

from felt.games.moves import EventKind
from felt.interop.phh.reader import read_phh
from felt.interop.phh.writer import write_phh
from felt.interop.results import check
from felt.interop.rooms.fulltilt import read_fulltilt
from felt.interop.rooms.pokerstars import read_pokerstars
from felt.interop.rooms.pokerstars_writer import write_pokerstars
from felt.stats.records import from_records

HEAD = """\
PokerStars Hand #7: Tournament #1, Freeroll  Hold'em No Limit - Level I (10/20) - 2024/05/01 20:00:00 ET
Table '1 2' 6-max Seat #1 is the button
"""
ALL_IN_FROM_A_BLIND = (
    HEAD
    + """\
Seat 1: Ann (1500 in chips)
Seat 2: Bob (10 in chips) is sitting out
Seat 3: Cleo (1500 in chips)
Bob: posts small blind 10 and is all-in
Cleo: posts big blind 20
*** HOLE CARDS ***
Ann: calls 20
Bob: folds
Cleo: checks
*** FLOP *** [Qs 7h 2c]
Cleo: bets 40
Ann: folds
Uncalled bet (40) returned to Cleo
Cleo collected 50 from pot
Cleo: doesn't show hand
*** SUMMARY ***
Total pot 50 | Rake 0
Board [Qs 7h 2c]
Seat 1: Ann (button) folded on the Flop
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cleo (big blind) collected (50)
"""
)
NOBODY_ELSE = (
    HEAD
    + """\
Seat 1: Ann (15 in chips)
Seat 2: Bob (1500 in chips)
Ann: posts small blind 10
Bob: posts big blind 20
*** HOLE CARDS ***
Ann: folds
Uncalled bet (10) returned to Bob
Bob collected 20 from pot
*** SUMMARY ***
Total pot 20 | Rake 0
Seat 1: Ann (button) (small blind) folded before Flop
Seat 2: Bob (big blind) collected (20)
"""
)
RAISE_OVER_AN_ALL_IN = (
    HEAD
    + """\
Seat 1: Ann (1500 in chips)
Seat 2: Bob (600 in chips)
Seat 3: Cleo (400 in chips)
Bob: posts small blind 10
Cleo: posts big blind 20
*** HOLE CARDS ***
Ann: raises 40 to 60
Bob: raises 540 to 600 and is all-in
Cleo: folds
Ann: raises 900 to 1500 and is all-in
Uncalled bet (900) returned to Ann
*** FLOP *** [Qs 7h 2c]
*** TURN *** [Qs 7h 2c] [3d]
*** RIVER *** [Qs 7h 2c 3d] [9s]
*** SHOW DOWN ***
Bob: shows [Kd Kh] (a pair of Kings)
Ann: shows [Ah Qd] (a pair of Queens)
Bob collected 1220 from pot
*** SUMMARY ***
Total pot 1220 | Rake 0
Board [Qs 7h 2c 3d 9s]
Seat 1: Ann (button) showed [Ah Qd] and lost with a pair of Queens
Seat 2: Bob (small blind) showed [Kd Kh] and won (1220) with a pair of Kings
Seat 3: Cleo (big blind) folded before Flop
"""
)
AWAY = (
    HEAD
    + """\
Seat 1: Ann (1500 in chips)
Seat 2: Bob (1500 in chips) is sitting out
Seat 3: Cleo (1500 in chips)
Bob: posts small blind 10
Cleo: posts big blind 20
*** HOLE CARDS ***
Ann: raises 40 to 60
Bob: folds
Cleo: folds
Uncalled bet (40) returned to Ann
Ann collected 50 from pot
*** SUMMARY ***
Total pot 50 | Rake 0
Seat 1: Ann (button) collected (50)
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cleo (big blind) folded before Flop
"""
)
SOLD = RAISE_OVER_AN_ALL_IN.replace(
    "Bob collected 1220 from pot\n", "Bob cashed out the hand for 980 | Cash Out Fee 10\n"
).replace("with a pair of Kings\n", "with a pair of Kings (pot not awarded as player cashed out)\n")


def stars(text: str):
    found = read_pokerstars(text)
    assert not found.problems, found.problems
    (hand,) = found.hands
    assert check(hand).why == ""
    return hand


def figure(hand, player: str, indicator: str) -> tuple[int, int]:
    told = from_records([hand]).table.of(player, indicator)
    return told.num, told.den


def test_the_fold_of_an_absent_player_who_is_all_in_from_a_blind_is_no_showdown():
    hand = stars(ALL_IN_FROM_A_BLIND)
    assert [event.seat for event in hand.events if event.kind == EventKind.FOLD] == [0, 2]
    for player in ("Ann", "Bob", "Cleo"):
        assert figure(hand, player, "wsd") == (0, 0), player
    assert figure(hand, "Cleo", "wtsd") == (0, 1) and figure(hand, "Cleo", "wwsf") == (1, 1)
    assert figure(hand, "Bob", "wtsd") == (0, 0) and figure(hand, "Bob", "vpip") == (0, 0)
    assert from_records([hand]).table.hands("Bob") == 1


def test_a_hand_that_such_a_fold_ends_at_once_has_no_second_round():
    hand = stars(
        NOBODY_ELSE.replace("Ann (15 in", "Ann (10 in").replace("10\nBob: posts", "10 and is all-in\nBob: posts")
    )
    assert figure(hand, "Bob", "wtsd") == (0, 0) and figure(hand, "Bob", "wwsf") == (0, 0)
    assert figure(hand, "Ann", "wtsd") == (0, 0) and from_records([hand]).hands == 1


def test_a_fold_all_in_is_written_as_one_and_read_again():
    hand = stars(ALL_IN_FROM_A_BLIND)
    assert "Bob: folds" in write_pokerstars([hand]) and stars(write_pokerstars([hand])).events == hand.events
    (again,) = read_phh(write_phh(hand)).hands
    assert again.events == hand.events and again.sitting_out == hand.sitting_out == (0,)


def test_a_raise_over_an_all_in_that_nobody_can_cover_is_a_raise():
    hand = stars(RAISE_OVER_AN_ALL_IN)
    assert [event.amount for event in hand.events if event.kind == EventKind.RAISE] == [60, 600, 1500]
    assert figure(hand, "Ann", "four_bet") == (1, 1) and figure(hand, "Ann", "pfr") == (1, 1)
    assert figure(hand, "Bob", "three_bet") == (1, 1)


def test_such_a_raise_counts_as_the_third_bet_too():
    text = RAISE_OVER_AN_ALL_IN.replace("Ann: raises 40 to 60\n", "Ann: calls 20\n")
    hand = stars(text.replace("raises 540 to 600", "raises 580 to 600"))
    assert figure(hand, "Ann", "three_bet") == (1, 1) and figure(hand, "Ann", "pfr") == (1, 1)


def test_such_a_raise_is_written_as_a_raise_and_read_again():
    hand = stars(RAISE_OVER_AN_ALL_IN)
    text = write_pokerstars([hand])
    assert "Ann: raises 900 to 1500 and is all-in" in text and stars(text).events == hand.events
    (again,) = read_phh(write_phh(hand)).hands
    assert again.events == hand.events


def test_pokerkit_reads_the_phh_of_such_a_raise():
    pokerkit = pytest.importorskip("pokerkit", reason="PokerKit is not installed: pip install felt-poker[bench]")
    hand = stars(RAISE_OVER_AN_ALL_IN)
    *_, last = pokerkit.HandHistory.loads(write_phh(hand))
    assert tuple(last.stacks) == hand.finishing


def test_players_sitting_out_have_no_decisions():
    hand = stars(AWAY)
    assert hand.sitting_out == (0,)
    for indicator in ("vpip", "pfr", "three_bet", "fold_to_steal", "fold_to_bet"):
        assert figure(hand, "Bob", indicator) == (0, 0), indicator
        assert figure(replace(hand, sitting_out=()), "Bob", indicator) == (indicator.startswith("fold"), 1), indicator
    assert from_records([hand]).table.hands("Bob") == 1
    assert stars(write_pokerstars([hand])) == hand and figure(hand, "Cleo", "vpip") == (0, 1)


def test_who_comes_back_and_calls_is_there():
    text = AWAY.replace("Bob: folds\n", "Bob has returned\nBob: folds\n")
    assert stars(text).sitting_out == ()


def test_full_tilt_says_who_sits_out_too():
    text = """\
Full Tilt Poker Game #7: Table Rigel - NL Hold'em - 10/20 - 20:00:00 ET - 2012/05/01
Seat 1: Ann (1,500)
Seat 2: Bob (1,500), is sitting out
Ann posts the small blind of 10
Bob posts the big blind of 20
The button is in seat #1
*** HOLE CARDS ***
Ann raises to 60
Bob folds
Uncalled bet of 40 returned to Ann
Ann mucks
Ann wins the pot (40)
*** SUMMARY ***
Total pot 40 | Rake 0
"""
    (hand,) = read_fulltilt(text).hands
    assert hand.names[0] == "Bob" and hand.sitting_out == (0,)


def test_cash_outs_are_told():
    hand = stars(SOLD)
    assert hand.cash_outs == (980, 0, 0) and hand.finishing == (1220, 380, 900)
    assert stars(write_pokerstars([hand])) == hand
    (again,) = read_phh(write_phh(hand)).hands
    assert again.cash_outs == hand.cash_outs
