"""The hands of tournaments and rings: kept as they were played, whoever played them, and told again."""

import json

import pytest

from felt.arena.evolution import Evolution
from felt.arena.ring import Ring, play_rings
from felt.arena.tournament import Schedule, Tournament, play_tournaments
from felt.cli.app import run
from felt.games import load
from felt.store.files import LogError
from felt.store.reading import query
from felt.store.run_hands import RunHands
from felt.store.runs import PLAYED, RUNS, open_runs, read_runs

GAMES = ["nlhe", "stud", "badugi", "omaha8"]


def tournament(agents=("tag", "call*2", "random*2"), game="nlhe", **more):
    schedule = Schedule((1, 2, 4), hands=5)
    return Tournament.of(agents, load(game), table_size=3, schedule=schedule, seed=4, **{"stack": 40, **more})


def kept(folder, competition, play, count, **more):
    log = open_runs(folder, competition.describe())
    play(competition, count, kept=log, **more)
    log.close()
    return (folder / PLAYED).read_bytes()


def test_whoever_plays_the_same_hands_are_kept(tmp_path):
    together = kept(tmp_path / "a", tournament(), play_tournaments, 80, workers=1)
    entered, alone = tournament(), tmp_path / "b"
    log = open_runs(alone, entered.describe())
    for number in range(80):  # one at a time is one by one
        play_tournaments(entered, number + 1, kept=log, workers=1)
    log.close()
    assert (alone / PLAYED).read_bytes() == together and together.count(b"\n") == 80
    assert (alone / RUNS).read_bytes() == (tmp_path / "a" / RUNS).read_bytes()
    assert b"all_hands" not in (alone / RUNS).read_bytes()


def test_a_log_that_was_cut_off_anywhere_goes_on_to_the_same_bytes(tmp_path):
    whole = kept(tmp_path / "whole", tournament(), play_tournaments, 6, workers=1)
    runs = (tmp_path / "whole" / RUNS).read_bytes()
    kept(tmp_path / "cut", tournament(), play_tournaments, 3, workers=1)
    three = (tmp_path / "cut" / RUNS).read_bytes()
    two = runs.index(b"\n", runs.index(b"\n") + 1) + 1
    for hands in (whole[: len(whole) // 2], whole, whole[:-7]):  # a crash came before the records of these hands
        (tmp_path / "cut" / RUNS).write_bytes(three[: two + 5])
        (tmp_path / "cut" / PLAYED).write_bytes(hands)
        assert kept(tmp_path / "cut", tournament(), play_tournaments, 6, workers=1) == whole
        assert (tmp_path / "cut" / RUNS).read_bytes() == runs


@pytest.mark.parametrize("game", GAMES)
def test_stacks_go_from_hand_to_hand(tmp_path, game):
    kept(tmp_path, tournament(("random*2", "call"), game), play_tournaments, 12, workers=1)
    found, stacks, hands = RunHands(tmp_path), {}, 0
    for record in found.records():
        run_number = record.hand_id.partition("-")[0]
        hands += 1
        for name, before, after in zip(record.names, record.stacks, record.finishing, strict=True):
            assert stacks.get((run_number, name), 40) == before
            stacks[run_number, name] = after
    told = list(found.facts())
    assert sum(one.facts.hands for one in told) == hands > 20
    assert all(not one.facts.payoffs.sum(axis=1).any() for one in told)
    answer = query(tmp_path, "SELECT count(*), sum(payoff), count(DISTINCT run), count(DISTINCT level) FROM results")
    assert answer[1][0][1:3] == (0, 12) and answer[1][0][3] > 1
    finish = {record["run"]: record["finish"][0] for record in read_runs(tmp_path)}
    winners = {int(run_number): name for (run_number, name), chips in stacks.items() if chips == 120}
    assert winners == {number: found.names[player] for number, player in finish.items()}


def test_rings_keep_their_hands_too_and_all_can_be_asked(tmp_path, capsys):
    ring = Ring.of(["tag", "call*2", "random"], load("nlhe"), rounds=60, seed=4, bankroll=300)
    kept(tmp_path / "ring", ring, play_rings, 3, workers=1)
    found = RunHands(tmp_path / "ring")
    (played,) = query(tmp_path / "ring", "SELECT count(*) FROM hands")[1][0]
    assert played == sum(record["hands"] for record in read_runs(tmp_path / "ring")) > 60
    assert sum(1 for _ in found.records(1)) == len(next(found.played(1))[1])
    assert run(["log", "show", str(tmp_path / "ring"), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["kind"] == "ring" and shown["hands"] == played and shown["players"][2] == "call#2"
    assert run(["log", "show", str(tmp_path / "ring")]) == 0
    assert "one row for each hand" in capsys.readouterr().out
    assert run(["log", "stats", str(tmp_path / "ring"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["hands"] == played and set(told["players"]) == {"tag", "call", "random"}
    file = tmp_path / "hands.phhs"
    assert run(["log", "export", str(tmp_path / "ring"), str(file), "--match", "2"]) == 0
    assert f"{len(next(found.played(2))[1])} hands written" in capsys.readouterr().out
    assert "ring 2" in file.read_text()
    for command, words in (
        (["export", str(tmp_path / "ring"), str(file), "--hands", "0-3"], "give --match"),
        (["export", str(tmp_path / "ring"), str(file), "--match", "9"], "there are no hands of run 9"),
    ):
        assert run(["log", *command]) == 2 and words in capsys.readouterr().err


def test_logs_without_hands_say_so(tmp_path):
    bred = Evolution.of("dials", load("limit-holdem"), population=4, generations=1, seed=1)
    open_runs(tmp_path / "bred", bred.describe()).close()
    with pytest.raises(LogError, match="is the log of evolution, which keeps no hands"):
        RunHands(tmp_path / "bred")
    open_runs(tmp_path / "none", tournament().describe()).close()
    with pytest.raises(LogError, match="there are no hands in"):
        next(RunHands(tmp_path / "none").played())
    (tmp_path / "none" / PLAYED).write_text('{"run":0,"hands":3}\n')
    with pytest.raises(LogError, match=r"line 1 of .* is damaged"):
        next(RunHands(tmp_path / "none").played())
