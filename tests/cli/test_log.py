"""`felt log`: what is in a log, questions, statistics, hand histories."""

import json
from pathlib import Path

import pytest

from felt.cli.app import run
from felt.interop.formats import read_hands
from felt.stats.records import from_records
from felt.store.log.reading import records
from tests.cli import test_app
from tests.store.logs import log_match


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    """Three matches: hold'em for three and for two, and a game that hand histories do not know."""
    folder = tmp_path_factory.mktemp("logs") / "log"
    log_match(folder, 1, "nlhe", 3, hands=60)
    log_match(folder, 2, "nlhe", 2, hands=20)
    log_match(folder, 3, "kuhn", 2, hands=8)
    return folder


def mistake(capsys, *args: object) -> str:
    return test_app.mistake(capsys, *map(str, args))


def told(capsys, *args: object) -> str:
    assert run(["log", *map(str, args)]) == 0
    return capsys.readouterr().out


def told_json(capsys, *args: object) -> dict:
    return json.loads(told(capsys, *args, "--json"))


@pytest.mark.parametrize("command", ["show", "query", "stats", "export"])
def test_help_has_an_example(command, capsys):
    shown = told(capsys, command, "--help")
    assert f"felt log {command}" in shown.split("Example", 1)[1]


def test_felt_log_alone_shows_the_help(capsys):
    assert "Usage: felt log" in told(capsys)


# Showing


def test_show_lists_matches_and_views(capsys, log):
    shown = told(capsys, "show", log)
    assert "ann, bob, cleo" in shown and "results: one row for each player of a hand" in shown
    assert "match, hand, number, street" in shown and "stack_0…2" in shown


def test_show_as_json(capsys, log):
    found = told_json(capsys, "show", log)
    assert [(one["match"], one["game"], one["hands"]) for one in found["matches"]] == [
        (1, "nlhe", 60), (2, "nlhe", 20), (3, "kuhn", 8),
    ]  # fmt: skip
    assert found["matches"][0]["players"] == ["ann", "bob", "cleo"] and found["matches"][0]["command"] == "felt match"
    assert found["views"]["tables"]["columns"] == {
        "match": "INTEGER", "seating": "INTEGER", "lane": "INTEGER", "seats": "INTEGER", "stack": "INTEGER",
        "big_blind": "INTEGER",
    }  # fmt: skip


# Questions


def test_a_question_as_a_table(capsys, log):
    sql = "SELECT player, count(*) AS hands, 1.5::DOUBLE AS x, NULL AS y FROM results GROUP BY ALL ORDER BY 1"
    lines = told(capsys, "query", log, sql).splitlines()
    assert lines[0].split() == ["player", "hands", "x", "y"]
    assert lines[2].split() == ["ann", "88", "1.5"] and lines[4].split() == ["cleo", "60", "1.5"]


def test_a_wide_answer_is_told_line_by_line(capsys, log):
    shown = told(capsys, "query", log, "FROM actions ORDER BY match, hand, number LIMIT 2").splitlines()
    assert "player         cleo" in shown and "stacks         [199, 198, 200]" in shown
    assert sum(line.startswith("street ") for line in shown) == 2


def test_an_answer_without_rows(capsys, log):
    assert told(capsys, "query", log, "FROM hands WHERE hand < 0") == "no rows\n"


def test_a_question_as_json(capsys, log):
    found = told_json(
        capsys, "query", log,
        "SELECT hand, stacks, board, 0.5 AS d, {'a': DATE '2020-02-03'} AS s, 'nan'::DOUBLE AS n, true AS t "
        "FROM actions WHERE match = 1 ORDER BY hand, number LIMIT 1",
    )  # fmt: skip
    assert found == {
        "columns": ["hand", "stacks", "board", "d", "s", "n", "t"],
        "rows": [[0, [199, 198, 200], "", 0.5, {"a": "2020-02-03"}, None, True]],
    }


def test_a_question_as_csv(capsys, log):
    sql = "SELECT hand, players FROM hands WHERE match = 2 ORDER BY hand LIMIT 2"
    assert told(capsys, "query", log, sql, "--csv").splitlines() == [
        "hand,players", "0,\"['ann', 'bob']\"", "1,\"['bob', 'ann']\"",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("query", "SELECT nobody FROM hands"), 'Referenced column "nobody" not found'),
        (("query", "SELECT 1", "--csv", "--json"), "--json and --csv exclude each other"),
        (("stats", "--by", "moon"), "--by 'moon' is no way to divide: use position, street, ip"),
        (("stats", "--match", "9"), "there is no match 9 with hands in"),
        (("export", "hands.doc"), "does not say which format to write"),
        (("export", "hands.phhs", "--hands", "5-2"), "--hands '5-2' names no hands: write it like 0-999"),
        (("export", "hands.phhs", "--hands", "-2"), "--hands '-2' names no hands"),
        (("export", "hands.phhs", "--hands", "a-b"), "'a' is not a whole number"),
        (("export", "hands.phhs", "--hands", "100-200"), "no hands 100-200 in the log"),
        (("export", "hands.phhs", "--match", "3"), "match 3: the game 'kuhn' has no name in hand histories"),
        (("export", "nowhere/hands.phhs"), "choose another place"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_mistakes_are_one_line(capsys, log, args, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert why in mistake(capsys, "log", args[0], log, *args[1:])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("show",), ("query", "SELECT 1"), ("stats",), ("export", "x.phhs")], ids=" ".join)
def test_what_is_no_log(capsys, tmp_path, command):
    assert "is no log of matches" in mistake(capsys, "log", command[0], tmp_path, *command[1:])
    assert "is no folder" in mistake(capsys, "log", command[0], tmp_path / "x", *command[1:])


# Statistics


def test_statistics_are_those_of_the_records(capsys, log):
    found = told_json(capsys, "stats", log)
    expected = from_records(records(log))
    assert found["hands"] == expected.hands == 88
    assert found["players"] == json.loads(json.dumps(expected.table.as_dict()))
    assert found["players"]["cleo"]["hands"] == 60


def test_statistics_of_one_match(capsys, log):
    found = told_json(capsys, "stats", log, "--match", 2)
    assert found["hands"] == 20 and list(found["players"]) == ["ann", "bob"]


@pytest.mark.parametrize(("by", "parts"), [("position", "SB"), ("street", "river"), ("ip", "out of position")])
def test_statistics_in_parts(capsys, log, by, parts):
    shown = told(capsys, "stats", log, "--by", by, "--match", 1)
    assert by in shown.splitlines()[0].split() and parts in shown


def test_as_many_players_beside_each_other_as_fit(capsys, log, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    narrow = told(capsys, "stats", log, "--match", 1).splitlines()
    monkeypatch.setenv("COLUMNS", "200")
    wide = told(capsys, "stats", log, "--match", 1).splitlines()
    assert wide[0].split() == ["ann", "bob", "cleo"] and narrow[0].split() == ["ann", "bob"]
    assert len(narrow) == 2 * len(wide) + 1 and max(map(len, narrow)) <= 60


# Hand histories


def test_hands_are_exported_and_read_back(capsys, log, tmp_path):
    shown = told(capsys, "export", log, tmp_path / "hands.phhs")
    assert "80 hands written to" in shown and "left out: match 3: the game 'kuhn' has no name" in shown
    found = read_hands(tmp_path / "hands.phhs")
    own = [record for record in records(log) if record.rules.name != "kuhn"]
    assert not found.problems and len(found.hands) == 80
    for read, record in zip(found.hands, own, strict=True):
        assert (read.names, read.hand_id, read.stacks, read.finishing) == (
            record.names, record.hand_id, record.stacks, record.finishing,
        )  # fmt: skip
        assert [event for event in read.events if event.kind not in ("show", "muck")] == list(record.events)
    assert run(["replay", str(tmp_path / "hands.phhs"), "--check"]) == 0
    assert capsys.readouterr().out.startswith("80 hands: 80 ok, 0 mismatched, 0 unreadable (80 compared")


def test_some_hands_are_exported(capsys, log, tmp_path):
    told(capsys, "export", log, tmp_path / "a.phhs", "--match", 1, "--hands", "10-12")
    assert [hand.hand_id for hand in read_hands(tmp_path / "a.phhs").hands] == ["1-10", "1-11", "1-12"]
    told(capsys, "export", log, tmp_path / "one.phh", "--match", 2, "--hands", "19")
    assert [hand.hand_id for hand in read_hands(tmp_path / "one.phh").hands] == ["2-19"]
    assert "holds one hand, and here are 40" in mistake(
        capsys, "log", "export", log, tmp_path / "b.phh", "--hands", "0-19"
    )


def test_other_formats(capsys, log, tmp_path):
    told(capsys, "export", log, tmp_path / "a.txt", "--match", 2)
    assert len(read_hands(tmp_path / "a.txt").hands) == 20
    told(capsys, "export", log, tmp_path / "a.log", "--match", 2)
    assert len(read_hands(tmp_path / "a.log").hands) == 20
