"""Tournaments, rings and evolutions in a log: their hands are logged as they were played, whoever played them."""

import json

import pytest

from felt.arena.evolution import Evolution, play_evolution
from felt.arena.ring import Ring, play_rings
from felt.arena.tournament import Schedule, Tournament, play_tournaments
from felt.cli.app import run
from felt.games import load
from felt.store.files import LogError
from felt.store.log import run_writer
from felt.store.log.matches import open_runs, read_runs
from felt.store.log.part_writer import done_parts
from felt.store.log.reading import facts, query, read_matches, records
from tests.store.logs import cut_runs, rows_of

GAMES = ["nlhe", "stud", "badugi", "omaha8"]


def tournament(agents=("tag", "call*2", "random*2"), game="nlhe", **more):
    schedule = Schedule((1, 2, 4), hands=5)
    return Tournament.of(agents, load(game), table_size=3, schedule=schedule, seed=4, **{"stack": 40, **more})


def write_log(folder, competition, play, *count, **more):
    log = open_runs(folder, competition.describe())
    play(competition, *count, log=log, **more)
    log.close()


def test_whoever_plays_the_same_hands_are_logged(tmp_path):
    write_log(tmp_path / "together", tournament(), play_tournaments, 80, workers=1)
    entered = tournament()
    log = open_runs(tmp_path / "alone", entered.describe())
    for number in range(80):  # one at a time is one by one
        play_tournaments(entered, number + 1, log=log, workers=1)
    log.close()
    together, alone = tmp_path / "together", tmp_path / "alone"
    assert len(done_parts(alone / "match=0001")) == 80 > len(done_parts(together / "match=0001"))
    assert list(read_runs(alone)) == list(read_runs(together)) and rows_of(alone) == rows_of(together)
    assert not any("all_hands" in record for record in read_runs(alone))


def test_a_log_that_was_cut_off_anywhere_goes_on_to_the_same_rows(tmp_path):
    write_log(tmp_path / "whole", tournament(), play_tournaments, 6, workers=1)
    runs, rows = list(read_runs(tmp_path / "whole")), rows_of(tmp_path / "whole")
    entered = tournament()
    for parts in range(4):
        cut = tmp_path / str(parts)
        log = open_runs(cut, entered.describe())
        for number in range(6):
            play_tournaments(entered, number + 1, log=log, workers=1)
        log.close()
        assert cut_runs(cut, parts) == parts
        write_log(cut, tournament(), play_tournaments, 6, workers=1)
        assert list(read_runs(cut)) == runs and rows_of(cut) == rows
        assert not [*cut.rglob("*.tmp")]


def test_a_batch_of_many_hands_is_several_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(run_writer, "PART_HANDS", 40)
    write_log(tmp_path / "small", tournament(), play_tournaments, 12, workers=1)
    monkeypatch.setattr(run_writer, "PART_HANDS", 10**6)
    write_log(tmp_path / "large", tournament(), play_tournaments, 12, workers=1)
    small, large = (done_parts(tmp_path / size / "match=0001") for size in ("small", "large"))
    assert len(small) > 4 * len(large) and rows_of(tmp_path / "small") == rows_of(tmp_path / "large")


@pytest.mark.parametrize("game", GAMES)
def test_stacks_go_from_hand_to_hand(tmp_path, game):
    write_log(tmp_path, tournament(("random*2", "call"), game), play_tournaments, 12, workers=1)
    stacks, hands = {}, 0
    for record in records(tmp_path):
        run_number = record.hand_id.partition("-")[0]
        hands += 1
        for name, before, after in zip(record.names, record.stacks, record.finishing, strict=True):
            assert stacks.get((run_number, name), 40) == before
            stacks[run_number, name] = after
    told = [hands for hands, _ in facts(tmp_path)]
    assert sum(part.hands for part in told) == hands > 20
    assert all(not part.payoffs.sum(axis=1).any() for part in told)
    answer = query(tmp_path, "SELECT count(*), sum(payoff), count(DISTINCT run), count(DISTINCT level) FROM results")
    assert answer[1][0][1:3] == (0, 12) and answer[1][0][3] > 1
    finish = {record["run"]: record["finish"][0] for record in read_runs(tmp_path)}
    winners = {int(run_number): name for (run_number, name), chips in stacks.items() if chips == 120}
    names = read_matches(tmp_path)[0].names
    assert winners == {number: names[player] for number, player in finish.items()}


@pytest.mark.parametrize("game", GAMES)
def test_views_say_of_runs_what_the_hands_say(tmp_path, game):
    write_log(tmp_path, tournament(("random*2", "call"), game), play_tournaments, 3, workers=1)
    columns, rows = query(tmp_path, "SELECT * FROM hands ORDER BY run, hand")
    results = query(tmp_path, "SELECT stack, payoff, position, player FROM results ORDER BY run, hand, seat")[1]
    moves = query(tmp_path, "SELECT run, hand, player, cards, added, stacks[seat + 1] FROM actions WHERE all_in")[1]
    for record, row in zip(records(tmp_path), rows, strict=True):
        told = dict(zip(columns, row, strict=True))
        assert f"{told['run']}-{told['hand']}" == record.hand_id and tuple(told["players"]) == record.names
        assert tuple(told["stacks"]) == record.stacks and told["button"] == record.button
        assert told["big_blind"] == record.rules.big_blind and told["date"].year >= 2024
    assert len(results) == sum(len(row[columns.index("players")]) for row in rows)
    assert moves and all(added == stack for *_, added, stack in moves)
    if game == "nlhe":
        assert {position for _, _, position, _ in results} == {"SB", "BB", "BTN"}


def test_rings_keep_their_hands_too_and_all_can_be_asked(tmp_path, capsys):
    ring, folder = (
        Ring.of(["tag", "call*2", "random"], load("nlhe"), rounds=60, seed=4, bankroll=300),
        tmp_path / "ring",
    )
    write_log(folder, ring, play_rings, 3, workers=1)
    (hands,) = query(folder, "SELECT count(*) FROM hands")[1][0]
    runs = [record["hands"] for record in read_runs(folder)]
    assert hands == sum(runs) > 60 and sum(1 for _ in records(folder, 1)) == runs[1]
    assert run(["log", "show", str(folder), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["kind"] == "ring" and shown["hands"] == hands and shown["players"][2] == "call#2"
    assert run(["log", "show", str(folder)]) == 0
    assert "one row for each hand" in capsys.readouterr().out
    assert run(["log", "stats", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["hands"] == hands and set(told["players"]) == {"tag", "call", "random"}
    file = tmp_path / "hands.phhs"
    assert run(["log", "export", str(folder), str(file), "--match", "2"]) == 0
    assert f"{runs[2]} hands written" in capsys.readouterr().out
    assert "ring 2" in file.read_text()
    for command, words in (
        (["export", str(folder), str(file), "--hands", "0-3"], "give --match"),
        (["export", str(folder), str(file), "--match", "9"], "there are no hands of run 9"),
    ):
        assert run(["log", *command]) == 2 and words in capsys.readouterr().err


def test_an_evolution_keeps_its_hands_with_names_that_stay(tmp_path, capsys):
    bred = Evolution.of(
        "dials", load("limit-holdem"), population=4, generations=3, deals=3, meetings=2, yardstick=1, seed=1
    )
    write_log(tmp_path, bred, play_evolution, workers=1)
    won = [record["won"] for record in read_runs(tmp_path)]
    assert len(won) == 9
    sql = "SELECT run, player_id % 4, sum(payoff) FROM results WHERE player_id // 4 = run // 3 GROUP BY ALL"
    for number, player, chips in query(tmp_path, sql)[1]:
        if number != 2:  # in that round the first generation plays against itself
            assert won[number][player] == chips
    players = query(tmp_path, "SELECT player_id, player, spec FROM players ORDER BY 1")[1]
    assert [row[0] for row in players] == list(range(12)) and all(row[2].startswith("dials:edge=") for row in players)
    generations = [{row[1] for row in players[at : at + 4]} for at in (0, 4, 8)]
    assert generations[0] & generations[1] and generations[1] & generations[2], "who stays has the same name"
    assert sum(1 for _ in records(tmp_path)) == query(tmp_path, "SELECT count(*) FROM hands")[1][0][0] == 3 * 3 * 2 * 8
    assert run(["log", "stats", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["players"]
    assert set(told) == {row[1] for row in players}
    assert sum(one["hands"] for one in told.values()) == 2 * 3 * 3 * 2 * 8


def test_logs_without_hands_say_so(tmp_path):
    open_runs(tmp_path / "none", tournament().describe()).close()
    with pytest.raises(LogError, match="is empty: no hands"):
        next(records(tmp_path / "none"))
    log = open_runs(tmp_path / "other", {"kind": "walk"})
    log.add([{"run": 0, "won": 3}])
    with pytest.raises(LogError, match="is the log of walk, which has no hands"):
        next(records(tmp_path / "other"))
    assert list(read_runs(tmp_path / "other")) == [{"run": 0, "won": 3}]
