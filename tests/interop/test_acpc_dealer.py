"""Felt as the dealer of the computer poker competition."""

import io
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest

from felt.cli.app import run
from felt.cli.arena.acpc import _report, _rules
from felt.errors import FeltError
from felt.interop.acpc.contest import Contest, ContestLimits, ContestOutcome, rates_of
from felt.interop.acpc.dealer import SharedCore, deal
from felt.interop.acpc.game import save_acpc_game
from felt.interop.acpc.hand import Wrong
from felt.interop.acpc.log import read_acpc, usual_game
from felt.interop.acpc.page import acpc_page
from felt.interop.acpc.table import places, play, seatings
from felt.interop.results import check, check_scores
from tests.interop.acpc_players import VERSION, seated, with_action

call = with_action("c")
NAMES = ("ann", "bob")
PLAYER = Path(__file__).parents[2] / "benchmarks" / "acpc_player.c"
GAME = "holdem.nolimit.2p.reverse_blinds.game"


def contest(hands=3, *, limit=False, **limits):
    return Contest(usual_game(2, limit=limit), NAMES, hands, seed=7, limits=ContestLimits(**limits))


def dealt(*players, hands=3, version=VERSION, **limits):
    log = io.StringIO()
    with seated(*players, version=version) as wires:
        return deal(contest(hands, **limits), wires, log), log.getvalue()


def test_a_match_and_its_log():
    def wild(message):
        return f"{message}:{'r900' if message.count('r') == 0 else 'f' if message.endswith('s') else 'c'}\r\n".encode()

    outcome, text = dealt(wild, call, hands=20)
    found = read_acpc(text)
    assert len(found.hands) == 20 and not found.problems and found.hands[1].names == ("bob", "ann")
    payoffs = [check(hand).payoffs for hand in found.hands]
    assert check_scores(found, payoffs) == "" and found.scores == dict(zip(NAMES, outcome.scores, strict=True))
    head = text.splitlines()[:4]
    assert head[0].startswith("# name/game/hands/seed felt ") and head[1:] == [
        "#--t_response 600000",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
    ]
    assert text.splitlines()[-1] == outcome.score_line() and not outcome.ended
    assert all(not any(count.values()) for count in outcome.counts[1:])


def test_limit_games_have_no_amounts():
    log = io.StringIO()
    with seated(with_action("r"), call) as wires:
        outcome = deal(contest(2, limit=True), wires, log)
    assert "STATE:0:crc/rc/rc/rc:" in log.getvalue() and not outcome.ended


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        (lambda m: b"hello there\r\n\xff\xfe\r\n" + call(m), "garbage"),
        (lambda m: call(m.replace(":0:", ":999:", 1)) + call(m), "unasked"),
        (lambda m: call(m.replace("STATE:0", "STATE:7").replace("STATE:1", "STATE:8")) + call(m), "unasked"),
        (lambda m: call(m) + call(m), "unasked"),
        (with_action("bet 20"), "invalid"),
        (with_action("r"), "invalid"),
        (with_action("r99999999"), "resized"),
        (with_action("r1"), "resized"),
    ],
)
def test_what_does_no_harm_is_counted_and_named(sent, fault):
    outcome, text = dealt(sent, call)
    assert outcome.counts[0][fault] >= 1 and not outcome.ended and "SCORE:" in text
    assert {kind for kind, times in outcome.counts[0].items() if times} <= {fault, "resized", "invalid"}
    assert outcome.incidents[0]["player"] == "ann" and outcome.incidents[0]["fault"] == fault
    assert not any(outcome.counts[1].values())


def test_comments_are_no_fault():
    outcome, _ = dealt(lambda m: b"# thinking\r\n; still\r\n" + call(m), call)
    assert not outcome.incidents and not outcome.ended


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (lambda m: None, "closed the connection"),
        (lambda m: b"", "no answer within 0.3 s"),
        (lambda m: b"x" * 200_000, "a line of over 4,096 bytes"),
        (lambda m: b"noise\r\n" * 3000, "over 1,000 lines that answer nothing"),
        (lambda m: b"MATCHSTATE:0:0:", "no answer within 0.3 s"),
    ],
)
def test_whoever_is_gone_floods_or_hangs_ends_the_match(sent, why):
    after = iter([call] * 9)

    def turns_bad(message):
        return next(after, sent)(message)

    began = time.monotonic()
    outcome, text = dealt(call, turns_bad, hands=100, response=0.3)
    assert time.monotonic() - began < 5
    assert (
        outcome.ended_by == 1 and outcome.ended.startswith("bob ended the match in hand 2: ") and why in outcome.ended
    )
    assert text.count("STATE:") == 2 == len(outcome.values) and "SCORE" not in text and "# bob ended" in text


def test_time_for_a_hand_and_for_the_match():
    def slow(message):
        time.sleep(0.05)
        return call(message)

    assert "over 0.12 s for one hand" in dealt(slow, call, hand=0.12)[0].ended
    assert "over 0.06 s, 0.03 for each hand" in dealt(slow, call, hands=2, per_hand=0.03)[0].ended


@pytest.mark.parametrize("version", [b"VERSION:1.0.0\r\n", b"GET / HTTP/1.1\r\n"])
def test_other_protocols_are_not_spoken(version):
    outcome, _ = dealt(call, call, version=version)
    assert outcome.ended_by == 0 and "not VERSION:2.0.0" in outcome.ended and not outcome.values


def test_quick_players_share_a_core_until_one_thinks(monkeypatch):
    told = []
    monkeypatch.setattr(SharedCore, "share", lambda self: told.append("share"))
    monkeypatch.setattr(SharedCore, "release", lambda self: told.append("release"))

    def thinks(message):
        time.sleep(0.05 if message.startswith("MATCHSTATE:1:2:") else 0)  # the first decision of hand 2
        return call(message)

    outcome, _ = dealt(thinks, thinks, hands=20)
    assert not outcome.ended and len(outcome.values) == 20
    assert "share" in told and "release" in told[:-1] and told[-1] == "release"
    assert told.count("share") < 20, "the hand with the pause is no reason to share"


def test_players_and_seatings():
    found = places(["listen", "listen:ann", "start:./x/bot --deep", "call", "call", "ehs:opponents=2"])
    assert [one.name for one in found] == ["p1", "ann", "bot", "call", "call#2", "ehs.opponents=2"]
    assert len(seatings(3, duplicate=True)) == 6
    for wrong in (lambda: places(["start:"]), lambda: places(["nobody"]), lambda: seatings(5, duplicate=True)):
        with pytest.raises(FeltError):
            wrong()


def test_duplicates_are_one_unit_of_the_interval():
    first = ContestOutcome(contest(2), values=[(300, -300), (100, -100)])
    second = ContestOutcome(Contest(usual_game(2, limit=False), NAMES[::-1], 2), values=[(200, -200), (Fraction(0), 0)])
    ann, bob = rates_of([first, second])
    assert (ann.mbb, ann.units, ann.hands) == (500, 2, 4) and bob.mbb == -500 and ann.half == pytest.approx(0)


def felt(capsys, *words):
    code = run(["acpc", *map(str, words)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_the_command_starts_players_and_agents(tmp_path, capsys):
    log = tmp_path / "m.log"
    command = f"start:{sys.executable} -m tests.interop.acpc_caller"
    code, out, _ = felt(capsys, "deal", "nlhe", command, "call", "-n", 5, "--json", "--log", log)
    told = json.loads(out)
    assert code == 0 and told["ended"] == "" and told["matches"][0]["hands"] == 5
    found = read_acpc(log.read_text())
    assert not found.problems and all(check(hand).why == "" for hand in found.hands)


def test_games_are_dealt_as_their_definitions_have_them():
    assert {card >> 2 for card in _rules("kuhn", None, 2).deck} == {10, 11, 12}  # queen to ace
    assert _rules("nlhe", None, 2).stack == 200  # players count on it


def test_mistakes_in_one_line(tmp_path, capsys):
    for words, said in [
        (("deal", "nlhe", "call", "call", "--hands", 0), "'0' is too small"),
        (("deal", "stud", "call", "call"), "cannot be written as an ACPC game"),
        (("deal", "nlhe", "listen", "start:/no/such/player"), "cannot start '/no/such/player'"),
        (("deal", "nlhe", "start:sh -c 'exit 3' --", "listen"), "sh ended with exit code 3 before it had connected"),
        (("deal", "nlhe", "listen", "listen", "--start-timeout", 0.05), "p1 has not connected within 0.05 s"),
        (("deal", "nlhe", "listen", "listen", "--port", "5000,x"), "'x' is no port"),
        (("deal", "nlhe", "listen", "listen", "--t-hand", 0), "'0' is too small"),
        (("deal", "nlhe", "listen", "listen", "--t-response", "inf"), "'inf' is too large"),
        (("deal", "nlhe", "listen", "listen", "--t-per-hand", "1e300"), "'1e300' is too large"),
        (("deal", "nlhe", "listen", "listen", "--start-timeout", "nan"), "'nan' is not a number"),
        (("deal", "nlhe", "listen", "listen", "--start-timeout", "-5"), "'-5' is too small"),
        (("deal", "nlhe", "listen", "listen", "--host", "a..b"), "cannot listen at a..b:0"),
        (("deal", "nlhe", "listen", "listen", "--port", "9" * 5000), "is no port"),
        (("deal", "nlhe", 'start:./a "', "call"), "is no command: no closing quotation"),
        (("join", "a..b", 5000, "call"), "cannot connect to a..b:5000"),
        (("join", "127.0.0.1", 0, "call"), "0 is no port"),
        (("join", "127.0.0.1", 5000, "nobody"), "there is no agent 'nobody'"),
    ]:
        code, _, err = felt(capsys, *words)
        assert code == 2 and said in err.splitlines()[-1]


def test_all_players_have_one_deadline():
    def comes(ports):
        time.sleep(0.3)
        connections.append(socket.create_connection(("127.0.0.1", ports[0][1])))

    connections, begun = [], time.monotonic()
    game = Contest(usual_game(2, limit=False), NAMES, 1)
    told = []
    for waiting in (lambda ports: threading.Thread(target=comes, args=(ports,)).start(), told.append):
        with pytest.raises(FeltError, match="has not connected within"):
            play(game, places(["listen", "listen"]), start_within=0.5, waiting=waiting)
    assert len(told) == 1 and time.monotonic() - begun < 1.2
    connections[0].close()


def test_where_no_hand_was_played_nobody_has_won(capsys):
    none = {wrong.value: 0 for wrong in Wrong}
    outcome = ContestOutcome(
        contest(), counts=[none, none], ended="ann ended the match in hand 0: it hung up", ended_by=0
    )
    _report([outcome], json=False)
    told, page = capsys.readouterr().err, acpc_page([outcome], "felt acpc deal")
    assert "no hand was played to its end" in told and "nan" not in told
    assert "No hand was played to its end" in page and "nan" not in page


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_players_that_were_started_do_not_outlive_the_dealer(tmp_path, how):
    there = tmp_path / "pid"
    stays = f"import os, time; open({str(there)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    command = [sys.executable, "-c", "from felt.cli.app import main; main()", "acpc", "deal", "nlhe", "listen"]
    player = f"start:{shlex.join([sys.executable, '-S', '-c', stays])}"
    with subprocess.Popen([*command, player], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as dealer:
        pid = waited(lambda: there.exists() and there.read_text())
        dealer.send_signal(how)
        dealer.wait(10)
    waited(lambda: not Path(f"/proc/{pid}").exists())


def waited(what):
    for _ in range(500):
        if found := what():
            return found
        time.sleep(0.02)
    raise AssertionError("it does not come")


# Against the competition's own programs


@pytest.fixture(scope="session")
def acpc_server():
    """The folder of the competition's dealer and example player, where they have been built."""
    folder = Path(os.environ.get("FELT_ACPC_SERVER", "/nowhere"))
    if not (folder / "dealer").exists() or not (folder / "example_player").exists():
        pytest.skip("no project_acpc_server: build it with make, and set FELT_ACPC_SERVER to its folder")
    return folder


@pytest.mark.parametrize(("game", "players"), [(GAME, 2), ("holdem.limit.3p.game", 3), ("kuhn.limit.3p.game", 3)])
def test_the_example_players_of_the_competition_play_here(acpc_server, tmp_path, capsys, game, players):
    command = f"start:{acpc_server}/example_player {acpc_server}/{game}"
    log = tmp_path / "m.log"
    code, out, err = felt(capsys, "deal", acpc_server / game, *[command] * players, "-n", 100, "--log", log)
    found = read_acpc(log.read_text())
    assert code == 0 and "did wrong" not in err and len(found.hands) == 100 and not found.problems
    outcomes = [check(hand) for hand in found.hands]
    assert not any(outcome.why for outcome in outcomes)
    assert check_scores(found, [outcome.payoffs for outcome in outcomes]) == "" and out.startswith("SCORE:")


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc to build the player of the benchmark")
def test_duplicates_of_the_players_of_the_benchmark(tmp_path, capsys):
    program, game, log = tmp_path / "player", tmp_path / "game.game", tmp_path / "m.log"
    subprocess.run(["gcc", "-O1", "-o", program, PLAYER], check=True)
    save_acpc_game(usual_game(2, limit=False), game, players=2)
    report, plots = tmp_path / "m.html", tmp_path / "plots"
    command = ("deal", game, *[f"start:{program}"] * 2, "-n", 200, "--seed", 5, "--duplicate", "--json", "--log", log)
    code, out, _ = felt(capsys, *command, "--report", report, "--plots", plots)
    told = json.loads(out)
    assert code == 0 and [match["hands"] for match in told["matches"]] == [200, 200]
    faults = ("invalid", "resized", "unasked", "garbage")
    assert not any(player[fault] for match in told["matches"] for player in match["players"] for fault in faults)
    first, second = ((tmp_path / f"m.{place}.log").read_text() for place in (0, 1))
    swapped = re.sub(r"player(#2)?\b", lambda found: "player" if found[1] else "player#2", first)
    assert second.splitlines()[1:] == swapped.splitlines()[1:]  # the same cards, and players that do the same
    assert [player["mbb_per_hand"] for player in told["players"]] == [0, 0]
    page = report.read_text()
    assert "player against player#2" in page and "2, the same deals in every order" in page
    assert "Nobody did anything wrong" in page and f"{program}" in page and "--duplicate" in page
    assert sorted(path.name for path in plots.glob("*.svg")) == ["bankroll.svg", "moving-average.svg", "rates.svg"]


def test_the_report_tells_who_ended_the_match_and_who_did_wrong():
    def garbage(message):
        return b"<b>?</b>\r\n" + call(message)

    outcome, _ = dealt(garbage, call, hands=2)
    page = acpc_page([outcome], "felt acpc deal nlhe ann bob")
    assert "ann · garbage · hand 0" in page and "&lt;b&gt;?&lt;/b&gt;" in page and "<b>?" not in page
    ended, _ = dealt(lambda _: None, call, hands=2)
    assert "ended the match in hand 0" in acpc_page([ended], "felt acpc deal nlhe ann bob")
