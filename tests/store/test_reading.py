"""Reading a log: hands again as they were, and what is no log."""

from dataclasses import replace

import numpy as np
import pytest

from felt.arena.schedule.tasks import Task
from felt.games import load, names
from felt.store import files
from felt.store.files import LogError
from felt.store.log import part_reader as parts
from felt.store.log import reading
from felt.store.log.part_writer import PartWriter, done_parts, remove_parts
from felt.store.log.reading import ask, chosen, connect, count_hands, facts, query, records
from felt.store.log.schema import EVENTS
from tests.kinds import each_kind
from tests.store.logs import NAMES, as_part, log_match


@pytest.mark.parametrize("game", each_kind(names()))
def test_records_are_those_of_the_hands(tmp_path, game, monkeypatch):
    monkeypatch.setattr(reading, "CHUNK", 3)
    match = log_match(tmp_path, 2, game, min(load(game).max_players, 3), hands=10, parts=2)
    again = list(records(tmp_path))
    assert len(again) == len(match.hands) == 10
    for record, played in zip(again, match.hands, strict=True):
        own = played.record
        assert record.names == tuple(NAMES[player] for player in played.seating)
        assert record.hand_id == f"2-{played.number}" and record.meta["deal"] == str(played.deal)
        assert replace(record, names=(), hand_id="", meta={}) == own


@pytest.mark.parametrize(("first", "count"), [(0, None), (0, 1), (3, None), (2, 5), (9, 5), (40, 2), (4, 0)])
def test_some_records_of_some_matches(tmp_path, first, count, monkeypatch):
    monkeypatch.setattr(reading, "CHUNK", 2)
    for number in (1, 2):
        log_match(tmp_path, number, "kuhn", 2, hands=10, parts=3)
    wanted = list(range(10))[first:][:count]
    assert [record.hand_id for record in records(tmp_path, 2, first, count)] == [f"2-{number}" for number in wanted]
    assert len(list(records(tmp_path, None, first, count))) == 2 * len(wanted)


def test_lanes_mingle(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "CHUNK", 5)
    match = log_match(tmp_path, 1, "kuhn", 2, hands=12, parts=1)
    remove_parts(match.folder, done_parts(match.folder))
    parts = [(1, 0, 7), (1, 8, 12), (0, 0, 12)]  # seating, hands from and to
    for lane, begin, end in parts:
        hands = [played for played in match.hands[begin:end] if played.number % 2 == lane]
        part = as_part(match.rules, hands, stack=match.stack, seed=match.seed)
        PartWriter(match.folder).write(Task(begin // 2, len(hands), lane).name, *part)
    assert len(done_parts(match.folder)) == 3
    missing = 7
    assert [r.hand_id for r in records(tmp_path)] == [f"1-{number}" for number in range(12) if number != missing]
    assert [part.hands for part, _ in facts(tmp_path)] == [5, 4, 2]


@pytest.mark.parametrize(("game", "players"), [("nlhe", 2), ("stud", 3), ("badugi", 3)])
def test_facts_are_told_again(tmp_path, game, players, monkeypatch):
    monkeypatch.setattr(reading, "CHUNK", 5)
    match = log_match(tmp_path, 1, game, players, hands=12, parts=2)
    whole, _ = as_part(match.rules, match.hands, stack=match.stack, seed=match.seed)
    told = list(facts(tmp_path, 1))
    assert [part.hands for part, _ in told] == [5, 5, 2]
    for field in ("columns", "up", "counts"):
        assert np.array_equal(np.concatenate([getattr(part, field) for part, _ in told], axis=1), getattr(whole, field))
    for field in ("board", "held", "payoffs", "shown", "closed"):
        assert np.array_equal(np.concatenate([getattr(part, field) for part, _ in told]), getattr(whole, field))
    assert np.array_equal(np.concatenate([who for _, who in told]), [played.seating for played in match.hands])


def test_only_whole_parts_are_seen(tmp_path):
    match = log_match(tmp_path, 1, "nlhe", 3, hands=12, parts=3)
    hands = sorted((match.folder / "hands").iterdir())
    hands[1].unlink()
    (match.folder / "hands" / "x.parquet.tmp").write_bytes(b"half")
    left = [0, 1, 2, 3, 8, 9, 10, 11]  # of parts of four hands
    for view in ("hands", "results", "actions"):
        assert query(tmp_path, f"SELECT DISTINCT hand FROM {view} ORDER BY 1")[1] == [(number,) for number in left]
    assert [record.hand_id for record in records(tmp_path)] == [f"1-{number}" for number in left]
    assert [count_hands(match) for match in chosen(tmp_path)] == [8]


def test_a_match_that_has_just_begun_is_known_and_has_no_hands(tmp_path):
    log_match(tmp_path, 1, "kuhn", 2, hands=4)
    begun = log_match(tmp_path, 2, "stud", 6, hands=4, parts=1)
    for path in (begun.folder / "hands").iterdir():
        path.unlink()
    assert query(tmp_path, "SELECT match, game FROM matches ORDER BY 1")[1] == [(1, "kuhn"), (2, "stud")]
    assert query(tmp_path, "SELECT DISTINCT match FROM actions")[1] == [(1,)]
    assert len(list(records(tmp_path))) == 4
    with pytest.raises(LogError, match=r"there is no match 2 with hands in .*: it has 1"):
        list(records(tmp_path, 2))


def test_what_is_no_log(tmp_path):
    with pytest.raises(LogError, match="is no folder: give one that felt match --log wrote"):
        connect(tmp_path / "nowhere")
    (tmp_path / "match=0001").mkdir()
    (tmp_path / "match=x").mkdir()
    with pytest.raises(LogError, match=r"is no log of matches: there is no match=0001/match.json in it"):
        connect(tmp_path)


def test_an_empty_log(tmp_path):
    match = log_match(tmp_path, 1, "kuhn", 2, hands=2, parts=1)
    for path in (match.folder / "actions").iterdir():
        path.unlink()
    with pytest.raises(LogError, match="is empty: no hands have been written to it yet"):
        connect(tmp_path)


def test_a_damaged_file(tmp_path):
    match = log_match(tmp_path, 1, "kuhn", 2, hands=2, parts=1)
    for path in (match.folder / "hands").iterdir():
        path.write_bytes(b"nothing")
    with pytest.raises(LogError, match=r"the log .*cannot be read: "):
        connect(tmp_path)
    with pytest.raises(LogError, match="the log cannot be read: "):
        list(records(tmp_path))


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT nobody FROM hands", 'Referenced column "nobody" not found'),
        ("SELECT * FROM handz", "Table with name handz does not exist"),
        ("SELEKT 1", "syntax error at or near"),
        ("SELECT 'a'::INTEGER", "Could not convert string 'a' to INT32"),
    ],
)
def test_a_question_that_cannot_be_answered(tmp_path, sql, why):
    log_match(tmp_path, 1, "kuhn", 2, hands=2)
    with pytest.raises(LogError) as mistake:
        query(tmp_path, sql)
    assert why in str(mistake.value) and "\n" not in str(mistake.value)


def test_no_more_rows_are_held_than_a_chunk_has(tmp_path, monkeypatch):
    """A log of many parts is read some hands at a time: rows that are in memory do not grow with the log."""
    monkeypatch.setattr(reading, "CHUNK", 20)
    match = log_match(tmp_path, 1, "nlhe", 3, hands=400, parts=10)
    longest, select = [], parts.select

    def count_rows(sql):
        answer = select(sql)
        longest.append(max(map(len, answer.values())))
        return answer

    monkeypatch.setattr(parts, "select", count_rows)
    most = max(sum(len(played.rows) for played in match.hands[at : at + 20]) for at in range(0, 400, 20))
    assert sum(part.hands for part, _ in facts(tmp_path)) == 400 == sum(1 for _ in records(tmp_path))
    assert max(longest) == most and sum(longest) > 1000


def test_answers_are_read_as_they_are_wanted(tmp_path):
    log_match(tmp_path, 1, "kuhn", 2, hands=2)
    columns, rows = ask(tmp_path, "SELECT range AS number FROM range(1000000000)")
    assert columns == ["number"] and [next(rows) for _ in range(3)] == [(0,), (1,), (2,)]


def test_what_nobody_decides_is_no_action(tmp_path):
    """Rows of posts, deals and the like, which the schema has room for, change no hand and no view of today."""
    match = log_match(tmp_path, 1, "nlhe", 3, hands=4, parts=1)
    before = [record.events for record in records(tmp_path)], query(tmp_path, "SELECT * FROM actions ORDER BY ALL")
    (file,) = (match.folder / "actions").iterdir()
    rows = f"SELECT * FROM read_parquet('{file}', hive_partitioning = false)"
    posts = f"SELECT * REPLACE (4 + seat % {len(EVENTS)} AS move, -1 AS number) FROM ({rows})"
    files.connection().execute(f"COPY ({rows} UNION ALL {posts}) TO '{file}' (FORMAT parquet)")
    after = [record.events for record in records(tmp_path)], query(tmp_path, "SELECT * FROM actions ORDER BY ALL")
    assert after == before and len(before[1][1]) > 4
