"""Records that say less than the engine wants to know are played all the same."""

from dataclasses import replace

import pytest

from felt.games.history import UNKNOWN, Event
from felt.games.moves import EventKind
from felt.games.replay import ReplayError, replay
from felt.interop.histories import button_last
from felt.interop.phh.reader import read_phh
from felt.interop.results import check, play, with_showdown
from felt.interop.rooms.pokerstars import read_pokerstars
from tests.interop.samples import PHH, POKERSTARS

STUD = """variant = "F7S"
antes = [1, 1, 1]
bring_in = 2
small_bet = 4
big_bet = 8
starting_stacks = [100, 100, 100]
actions = {actions}
finishing_stacks = {stacks}
"""

RAZZ = """variant = "FR"
antes = [10, 10]
bring_in = 10
small_bet = 30
big_bet = 60
starting_stacks = [85, 900]
actions = ["d dh p1 8c2h4c", "d dh p2 4h3d9d", "p2 pb", "p1 cbr 30", "p2 cbr 60", "p1 cc", "d dh p1 Ad", "d dh p2 2s",
           "p1 cc", "p2 cbr {raised}", "p1 cc", "p1 sm 8c2h4cAd", "p2 sm 4h3d9d2s", "d dh p1 Qd", "d dh p2 Td",
           "d dh p1 Jd", "d dh p2 Ks", "d dh p1 Kh", "d dh p2 7h"]
finishing_stacks = [0, 985]
"""


def only(text: str):
    found = read_phh(text)
    assert not found.problems
    return found.hands[0]


def test_who_mucks_takes_no_part_in_the_showdown():
    text = PHH.replace('"p2 sm 7c7d"', '"p2 sm"').replace("'p2 sm 7c7d'", "'p2 sm'")
    hand = only(text.replace("[50, 300, 300]", "[350, 0, 300]"))
    assert hand.events[-3].kind == EventKind.MUCK and check(hand).why == ""
    assert check(hand).payoffs == (150, -150, 0)


def test_an_uncalled_bet_goes_back_to_who_mucks():
    text = PHH.replace("'p1 sm AsKd'", "'p1 sm'").replace("cbr 10', 'p2 cbr 144', 'p1 cc'", "cbr 194', 'p2 cc'")
    assert check(only(text)).payoffs == (-150, 150, 0)


def test_unseen_hands_that_won_nothing_have_mucked():
    hand = only(PHH.replace("AsKd", "????").replace("7c7d", "????"))
    assert check(hand).why == "" and check(hand).payoffs == (-150, 150, 0)


def test_unseen_cards_face_up_do_not_bring_it_in():
    actions = '["d dh p1 ??????", "d dh p2 7c7d3h", "d dh p3 ??????", "p2 pb", "p3 f", "p1 f"]'
    hand = only(STUD.format(actions=actions, stacks="[99, 102, 99]"))
    with pytest.raises(ReplayError, match="it is the turn of seat"):
        replay(hand)
    assert check(hand).why == ""
    low = only(STUD.format(actions=actions.replace("p2 pb", "p1 pb").replace("p1 f", "p2 f"), stacks="[102, 99, 99]"))
    assert UNKNOWN in low.events[0].cards
    assert check(replace(low, events=(*low.events[:7], Event(EventKind.FOLD, 1), Event(EventKind.FOLD, 2)))).why == ""


def test_equal_cards_face_up_may_begin_by_seat():
    actions = (
        '["d dh p1 2c3cKd", "d dh p2 7c7d2h", "d dh p3 8c9cKh", "p2 pb", "p3 cc", "p1 cc", "d dh p1 Qs", "d dh p2 4s", '
        '"d dh p3 Qc", "p1 cbr 4", "p2 f", "p3 f"]'
    )
    hand = only(STUD.format(actions=actions, stacks="[106, 97, 97]"))
    with pytest.raises(ReplayError, match="it is the turn of seat 2"):
        replay(hand)
    assert check(hand).why == ""


def test_a_raise_told_as_what_the_other_has_left():
    hand = only(RAZZ.format(raised=15))
    assert [event.amount for event in hand.events if event.kind == EventKind.RAISE] == [30, 60, 15]
    with pytest.raises(ReplayError, match="cannot raise to 15"):
        replay(hand)
    assert check(hand).why == "" == check(only(RAZZ.format(raised=30))).why
    assert "cannot raise to 14" in check(only(RAZZ.format(raised=14))).why


def test_a_record_that_breaks_off_says_who_has_to_act():
    hand = only(PHH)
    cut = replace(hand, events=hand.events[:5], finishing=None)
    assert play(cut).turn == 1 and check(cut).why == "the hand breaks off: seat 1 has to act"


def test_somebody_away_who_was_all_in_on_a_blind_gives_up():
    text = POKERSTARS.splitlines()
    away = [*text[:2], "Seat 1: Ann ($100 in chips)", "Seat 3: Bob ($0.50 in chips)", "Seat 4: Cleo ($100 in chips)",
            "Bob: posts small blind $0.50 and is all-in", "Cleo: posts big blind $1", "*** HOLE CARDS ***",
            "Ann: raises $1 to $2", "Bob: folds", "Cleo: folds", "Uncalled bet ($1) returned to Ann",
            "Ann collected $2.50 from pot", "*** SUMMARY ***", "Total pot $2.50 | Rake $0"]  # fmt: skip
    (hand,) = read_pokerstars("\n".join(away)).hands
    assert check(hand).why == "" and hand.finishing == (0, 9900, 10150)


def test_showdowns_that_the_engine_does_not_tell():
    hand = only(PHH)
    silent = replace(hand, events=tuple(event for event in hand.events if event.kind != EventKind.SHOW))
    assert [event.seat for event in with_showdown(silent).events[-2:]] == [0, 1]
    assert with_showdown(hand) is hand


def test_seats_are_numbered_from_the_left_of_the_button():
    hand = only(PHH)
    turned = replace(
        hand,
        stacks=hand.stacks[1:] + hand.stacks[:1],
        antes=hand.antes[1:] + hand.antes[:1],
        posts=hand.posts[1:] + hand.posts[:1],
        names=hand.names[1:] + hand.names[:1],
        finishing=hand.finishing[1:] + hand.finishing[:1],
        events=tuple(e._replace(seat=(e.seat - 1) % 3) if e.seat >= 0 else e for e in hand.events),
        button=1,
    )
    assert button_last(turned) == hand and button_last(hand) is hand
