"""Logs of the computer poker competition."""

import gzip
from dataclasses import replace
from fractions import Fraction

import pytest

from felt.errors import FeltError
from felt.games.history import Event
from felt.games.moves import EventKind
from felt.interop.acpc.log import read_acpc
from felt.interop.acpc.writer import write_acpc
from felt.interop.histories import HistoryError
from felt.interop.results import check, check_scores
from felt.interop.rooms.pokerstars import read_pokerstars
from tests.fixtures.make_hands import LOGGED
from tests.interop.samples import ACPC, FULL_TILT, POKERSTARS

TRACE = """\
# name/game/hands/seed sample holdem.nolimit.2p.reverse_blinds.game 1 0
TO 1 at 1.5 MATCHSTATE:0:0::5d5c|
TO 2 at 1.5 MATCHSTATE:1:0::|9hQd
FROM 2 at 1.6 MATCHSTATE:1:0::|9hQd:f
TO 1 at 1.7 MATCHSTATE:0:0:f:5d5c|
TO 2 at 1.7 MATCHSTATE:1:0:f:|9hQd
SCORE:50|-50:ann|bob
"""


def test_a_dealer_log_and_its_score():
    found = read_acpc(ACPC)
    assert not found.problems and [check(hand).why for hand in found.hands] == ["", ""]
    assert found.hands[0].posts == (100, 50) and found.hands[1].names == ("bob", "ann")
    assert found.scores == {"ann": Fraction(300), "bob": Fraction(-300)}
    payoffs = [check(hand).payoffs for hand in found.hands]
    assert check_scores(found, payoffs) == ""
    assert "the score is ann 300" in check_scores(found, [payoffs[0], (0, 0)])


def test_messages_are_put_together():
    found = read_acpc(TRACE)
    (hand,) = found.hands
    assert hand.names == ("ann", "bob") and -1 not in hand.events[0].cards + hand.events[1].cards
    assert check(hand).payoffs == (50, -50)


def test_written_logs_are_the_same():
    found = read_acpc(ACPC)
    assert write_acpc(found.hands).splitlines()[1:] == ACPC.splitlines()[1:]
    assert read_acpc(write_acpc(found.hands)) == found


def test_shares_of_a_chip_are_counted_in_parts():
    split = read_acpc("STATE:0:cfc/cc/cc/cc:2c3d|AsKs|AdKd/4c5c6d/9h/9d:-5|2.5|2.5:a|b|c")
    (hand,) = split.hands
    assert hand.unit == 0.5 and hand.finishing == (3990, 4005, 4005)
    assert check(hand).why == "" and read_acpc(write_acpc([hand])).hands == split.hands


def test_other_games_are_written_with_their_definition():
    (hand,) = read_pokerstars(POKERSTARS).hands
    with pytest.raises(HistoryError, match="an ACPC log has one for all"):
        write_acpc([hand])
    even = replace(hand, stacks=(10000,) * 3, finishing=None)
    with pytest.raises(HistoryError, match="the house took a rake"):
        write_acpc([even])
    even = replace(even, rake=0)
    even = replace(even, events=(*even.events[:3], Event(EventKind.FOLD, 2), Event(EventKind.FOLD, 0)))
    assert ":Bob%3A%20the%202nd|Cleo|Ann" in write_acpc([even])
    even = replace(even, names=("bob", "cleo", "ann"))
    text = write_acpc([even])
    assert "# GAMEDEF" in text and "STATE:101:ff:" in text
    (again,) = read_acpc(text).hands
    assert again.posts == even.posts and again.stacks == even.stacks and check(again).why == ""


def test_toy_games_of_the_competition():
    log = "# name/game/hands/seed x kuhn.limit.3p.game 1 0\nSTATE:0:ccrfc:Js|Qs|Ks:-1|-2|3:a|b|c"
    found = read_acpc(log)
    assert not found.problems and len(found.hands[0].rules.deck) == 4
    assert check(found.hands[0]).why == ""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("STATE:0:cc:5d5c", "is not a state"),
        ("STATE:0:cx:5d5c|9hQd:0|0:a|b", "breaks at 'x'"),
        ("STATE:0:cc/cc:5d5c|9hQd/8dAs8s:0|0:a|b", "breaks off"),
        ("STATE:0:c/cc:5d5c|9hQd/8dAs8s:0|0:a|b", "has to act"),
        ("STATE:0:fc:5d5c|9hQd:0|0:a|b", "more in the betting"),
        ("STATE:0:r99999f:5d5c|9hQd:0|0:a|b", "cannot raise to 99999"),
        ("STATE:0:f:5d5c:0|0:a|b", "1 hands of cards"),
        ("STATE:0:f:5d5c|9hQd:x|0:a|b", "is not a result"),
        ("STATE:0:f:5d5c|5d2c:0|0:a|b", "dealt twice"),
    ],
)
def test_broken_states_are_listed(line, words):
    found = read_acpc(ACPC + line)
    (problem,) = found.problems
    assert words in problem.why and problem.line == 5 and len(found.hands) == 2


def test_games_that_a_log_cannot_tell():
    from felt.interop.rooms.fulltilt import read_fulltilt

    with pytest.raises(FeltError):
        write_acpc(read_fulltilt(FULL_TILT).hands)
    with pytest.raises(HistoryError, match="no hand of an ACPC log"):
        read_acpc("# nothing")


def test_logs_come_to_their_scores(hand_files):
    hands = {"hands": LOGGED, "data": 1000}[hand_files.name]
    for kind in ("2p.limit.h{}.r0.log", "3p.nolimit.h{}.r0.log", "3p.nolimit.h{}.r0.actions.log.gz"):
        name = kind.format(hands)
        data = (hand_files / "acpc" / "logs" / name).read_bytes()
        text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
        found = read_acpc(text)
        outcomes = [check(hand) for hand in found.hands]
        assert len(found.hands) == hands and not any(outcome.why for outcome in outcomes)
        assert check_scores(found, [outcome.payoffs for outcome in outcomes]) == ""
        if name.endswith(".log"):
            told = [line for line in text.splitlines() if not line.startswith("#")]
            assert write_acpc(found.hands).splitlines()[1:] == told
