"""Answers on disk: found again, shared, never mixed up with another program's file."""

import os
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from felt.errors import FeltError
from felt.server.rank.commands import Slow
from felt.server.rank.measures import AnswerStore
from tests.server.helpers import HAND, Fakes, running


def test_answers_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    for run in range(2):
        store = AnswerStore(path)
        assert store.get("a") == (None if run == 0 else "1")
        store.put("a", "1")
        assert store.get("a") == "1"
        store.close()


def test_a_batch_is_written_without_waiting_for_the_end(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    store = AnswerStore(path, flush_seconds=0.01)
    store.put("a", "1")
    wait_until_written(path, 1)
    assert store.get("a") == "1"
    store.close()


def test_a_full_batch_is_written_at_once(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    store = AnswerStore(path, flush_seconds=3600, batch=10)
    for number in range(10):
        store.put(str(number), "x")
    wait_until_written(path, 10)
    store.close()


def wait_until_written(path: Path, count: int) -> None:
    reader = sqlite3.connect(path)
    deadline = threading.Event()
    for _ in range(2000):
        if reader.execute("SELECT count(*) FROM answers").fetchone()[0] == count:
            reader.close()
            return
        deadline.wait(0.01)
    reader.close()
    raise AssertionError("nothing was written")


def test_many_threads_put_while_one_gets(tmp_path: Path) -> None:
    store = AnswerStore(tmp_path / "answers.db", flush_seconds=0.001, batch=7)

    def fill(number: int) -> None:
        for item in range(200):
            store.put(f"{number} {item}", f"{number * item}")

    threads = [threading.Thread(target=fill, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert store.get("3 0") in (None, "0")
    assert all(store.get(f"{n} {i}") == f"{n * i}" for n in range(4) for i in range(200))
    store.close()


def test_two_servers_may_share_a_file(tmp_path: Path) -> None:
    one, two = AnswerStore(tmp_path / "a.db", flush_seconds=0.01), AnswerStore(tmp_path / "a.db", flush_seconds=0.01)
    one.put("a", "1")
    two.put("b", "2")
    wait_until_written(tmp_path / "a.db", 2)
    assert one.get("b") == "2"
    assert two.get("a") == "1"
    one.close()
    two.close()


def refused(path: Path) -> str:
    with pytest.raises(FeltError) as caught:
        AnswerStore(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("remember the milk\n" * 100)
    assert "file is not a database" in refused(path)
    assert path.read_text() == "remember the milk\n" * 100


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE answers (question, answer)")
    other.commit()
    other.close()
    before = path.read_bytes()
    assert "a database of another program" in refused(path)
    assert path.read_bytes() == before


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    AnswerStore(path).close()
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    assert "another version of Felt" in refused(path)


def test_a_folder_that_is_missing_and_a_file_that_is_a_folder(tmp_path: Path) -> None:
    assert "make it first" in refused(tmp_path / "nowhere" / "answers.db")
    assert "cannot be used (unable to open database file)" in refused(tmp_path)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everything")
    path = tmp_path / "answers.db"
    AnswerStore(path).close()
    path.chmod(stat.S_IRUSR)
    assert "cannot be used" in refused(path)


def test_damage_found_later_costs_speed_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "answers.db"
    store = AnswerStore(path)
    for number in range(5000):
        store.put(f"question {number:06}", "answer" * 10)
    store.close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    store = AnswerStore(path, flush_seconds=0.001)
    assert store.get("question 000001") is None
    store.put("new", "1")
    store.close()
    assert len(caplog.records) == 1
    assert "answers are computed afresh" in caplog.text


def test_the_server_answers_at_once_what_it_has_kept(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    fakes = Fakes()
    fakes.gate.set()
    store = AnswerStore(path)
    with running(fakes.measures(), answers=store) as server, server.client() as client:
        assert client.ask(f"HS {HAND} 3") == "0.030000"
        assert client.ask(f"HP {HAND} 1") == "0.250000 0.125000"
    store.close()

    shut = Fakes()  # its gate never opens: only a kept answer can come
    store = AnswerStore(path)
    with running(shut.measures(), answers=store) as server, server.client() as client:
        assert client.ask("HS AcAh7c4h2d 3") == "0.030000"
        assert client.ask(f"HP {HAND} 1") == "0.250000 0.125000"
    store.close()
    assert not shut.slow_calls


def test_slow_is_the_name_of_what_is_not_kept() -> None:
    assert Slow(b"#1 ", lambda: b"x\n").answer() == b"#1 x\n"
