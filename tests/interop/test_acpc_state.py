"""The messages of the competition's protocol, against what its dealer sent."""

import gzip
import re

import pytest

from felt.games.hand import Hand
from felt.interop.acpc.game import load_acpc_game
from felt.interop.acpc.hand import AcpcHand, Wrong, is_version, known_deck
from felt.interop.acpc.log import stack_of, usual_game
from tests.fixtures.make_hands import GAMES, LOGGED

TRACED = re.compile(r"(TO|FROM) (\d) at [\d.]+ (\S+)")


def dealt(cards, *, players=2, limit=False, number=0):
    rules = usual_game(players, limit=limit)
    deck = known_deck(rules, cards)
    return AcpcHand(Hand.new(rules, stack_of(rules), players=players, deck=deck), number)


def replayed(rules, line):
    """The messages to every seat and the answers, as the line of a log implies them."""
    _, number, betting, cards, *_ = line.split(":")
    deck = known_deck(rules, re.sub(r"[|/]", "", cards))
    players = cards.split("/")[0].count("|") + 1
    hand = AcpcHand(Hand.new(rules, stack_of(rules), players=players, deck=deck), int(number))
    for action in re.findall(r"[fc]|r\d*", betting):
        for player in range(players):
            seat = (player - int(number)) % players
            yield "TO", player + 1, hand.message(seat)
        turn = hand.turn
        yield "FROM", (turn + int(number)) % players + 1, f"{hand.message(turn)}:{action}"
        assert hand.answer(action) is None
    assert hand.turn == -1
    for player in range(players):
        yield "TO", player + 1, hand.message((player - int(number)) % players)
    names = [f"p{(seat + int(number)) % players + 1}" for seat in range(players)]
    assert hand.log_line(hand.values(), names) == line


@pytest.mark.parametrize(("kind", "game"), GAMES.items())
def test_traces_are_replayed_message_for_message(hand_files, kind, game):
    folder = hand_files / "acpc"
    rules = load_acpc_game(folder / "game_definitions" / f"{game}.game")
    (log,) = (folder / "logs").glob(f"{kind}.h*.r0.log")
    lines = log.read_text().splitlines()
    ours = [message for line in lines if line.startswith("STATE") for message in replayed(rules, line)]
    assert sum(line.startswith("STATE") for line in lines) == {"hands": LOGGED, "data": 1000}[hand_files.name]
    trace = log.with_suffix(".actions.log.gz")
    assert trace.exists() or kind == "3p.limit"  # of which the published log is the only file
    if trace.exists():
        found = (TRACED.fullmatch(line.strip()) for line in gzip.decompress(trace.read_bytes()).decode().splitlines())
        assert ours == [(one[1], int(one[2]), one[3]) for one in found if one]


def test_what_is_not_allowed_becomes_a_call_or_the_nearest_raise():
    hand = dealt("5d5c9hQd8dAs8s4h6d")
    assert hand.answer("r120") == Wrong.RESIZED and hand.telling.text == "r200"
    assert hand.answer("bet 100") == Wrong.INVALID and hand.telling.text == "r200c/"
    assert hand.answer("f") == Wrong.INVALID and hand.telling.text == "r200c/c"
    assert hand.answer("r") == Wrong.INVALID and hand.telling.text == "r200c/cc/"
    assert hand.answer("r-3") == Wrong.RESIZED and hand.answer("r999999") == Wrong.RESIZED
    assert hand.telling.text == "r200c/cc/r300r20000"
    assert hand.answer("r20000") == Wrong.INVALID and hand.turn == -1
    assert hand.message(0) == "MATCHSTATE:0:0:r200c/cc/r300r20000c/:5d5c|9hQd/8dAs8s/4h/6d"
    assert hand.values() == (20000, -20000)


def test_raises_of_limit_games_have_no_amounts_and_an_end():
    hand = dealt("5d5c9hQd", limit=True)
    for _ in range(3):
        assert hand.answer("r10") is None
    assert hand.answer("r") == Wrong.INVALID and hand.telling.text == "rrrc/"


def test_pots_are_divided_to_fractions():
    hand = dealt("2c3dAsKsAdKd4c5c6d9h9d", players=3, limit=True)
    for action in "cfccccccc":
        hand.answer(action)
    assert hand.log_line(hand.values(), "abc") == "STATE:0:cfc/cc/cc/cc:2c3d|AsKs|AdKd/4c5c6d/9h/9d:-5|2.5|2.5:a|b|c"


def test_versions():
    assert is_version("VERSION:2.0.0\r\n") and is_version("VERSION:2.0.7")
    assert not any(map(is_version, ("VERSION:1.0.0", "VERSION:2.1.0", "VERSION:2", "\xff\x00", "")))
