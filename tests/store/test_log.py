"""Writing a log: parts are there whole or not at all, whatever goes wrong."""

import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from felt.arena.schedule.tasks import Task
from felt.games import load
from felt.store import files
from felt.store.files import LogError
from felt.store.log.part_reader import read_note
from felt.store.log.part_writer import PartWriter, clean, done_parts, remove_parts
from felt.store.log.reading import query
from tests.store.logs import as_part, log_match, random_hands

A, B, C, D = (Task(first, 2).name for first in (0, 2, 4, 6))


def some_part(game: str = "leduc"):
    rules = load(game)
    played = list(random_hands(rules, 2, 4, stack=rules.stack, seed=5))
    return as_part(rules, played, stack=rules.stack, seed=5)


def names_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("game", ["nlhe", "stud", "badugi"])
def test_the_same_part_is_the_same_bytes(tmp_path, game):
    written = []
    for name in ("a", "b"):
        PartWriter(tmp_path / name).write(A, *some_part(game), "a note")
        written.append([(tmp_path / name / kind / f"{A}.parquet").read_bytes() for kind in ("actions", "hands")])
    assert written[0] == written[1]


@pytest.mark.parametrize("note", ["", "x", 'it\'s {"a": [1]}, ä ♠\n' * 2000])
def test_a_note_is_kept_with_the_part(tmp_path, note):
    PartWriter(tmp_path).write(A, *some_part(), note)
    assert read_note(tmp_path, A) == note


def test_a_writer_can_be_sent_to_another_process(tmp_path):
    pickle.loads(pickle.dumps(PartWriter(tmp_path))).write(A, *some_part())
    assert done_parts(tmp_path) == [A]


def test_a_forked_process_has_a_database_of_its_own():
    first = files.connection()
    assert files.connection() is first
    files._local.process = -1  # as a fork finds it
    assert files.connection() is not first


def test_half_a_part_is_not_there_and_is_taken_away(tmp_path):
    writer = PartWriter(tmp_path)
    for name in (A, B, C):
        writer.write(name, *some_part())
    (tmp_path / "hands" / f"{B}.parquet").unlink()  # killed between the two files
    (tmp_path / "hands" / f"{D}.parquet.tmp").write_bytes(b"PAR1")  # killed in the midst of one
    (tmp_path / "players.parquet.tmp").write_bytes(b"")
    assert done_parts(tmp_path) == [A, C]
    clean(tmp_path)
    assert names_in(tmp_path) == [f"{kind}/{name}.parquet" for kind in ("actions", "hands") for name in (A, C)]


def test_a_part_within_another_does_not_count(tmp_path):
    writer = PartWriter(tmp_path)
    shorter, longer, other_lane = Task(2, 1).name, Task(2, 4).name, Task(2, 2, lane=1).name
    for name in (A, shorter, longer, other_lane):
        writer.write(name, *some_part())
    assert done_parts(tmp_path) == [A, longer, other_lane]
    clean(tmp_path)
    assert len(names_in(tmp_path)) == 6
    remove_parts(tmp_path, [longer])
    writer.write(shorter, *some_part())
    assert done_parts(tmp_path) == [A, other_lane, shorter]


def test_other_files_are_none_of_ours(tmp_path):
    PartWriter(tmp_path).write("mine", *some_part())
    assert done_parts(tmp_path) == []


def test_parts_are_removed_by_name(tmp_path):
    writer = PartWriter(tmp_path)
    for name in (A, B, C):
        writer.write(name, *some_part())
    remove_parts(tmp_path, [B, C, D])
    assert names_in(tmp_path) == [f"actions/{A}.parquet", f"hands/{A}.parquet"]
    remove_parts(tmp_path / "nowhere", [A])


def test_hands_are_written_last(tmp_path):
    (tmp_path / "hands" / f"{A}.parquet.tmp").mkdir(parents=True)  # where the file would be written first
    with pytest.raises(LogError):
        PartWriter(tmp_path).write(A, *some_part())
    assert names_in(tmp_path) == [f"actions/{A}.parquet"] and done_parts(tmp_path) == []


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "match").write_text("")
    with pytest.raises(LogError, match=r"cannot write the log in '.*match' \(file exists\): what was logged before"):
        PartWriter(tmp_path / "match").write(A, *some_part())


def test_without_duckdb_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)  # as if it were not there
    with pytest.raises(LogError, match=r"logs need DuckDB, which is not installed: pip install '.*\[arena\]'"):
        PartWriter(tmp_path).write(A, *some_part())


# A disk that is full


FULL = textwrap.dedent("""
    import resource, sys
    from pathlib import Path
    from felt.store.log.part_writer import PartWriter
    from tests.store.logs import as_part, log_match, random_hands

    logged = log_match(Path(sys.argv[1]), 1, "nlhe", 2, hands=8, parts=2)
    part = as_part(logged.rules, list(random_hands(logged.rules, 2, 400, stack=200, seed=5)), stack=200, seed=5)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))  # writing more is refused: "file too large"
    PartWriter(logged.folder).write("sets-4-204-0", *part)
""")


def test_what_was_written_before_the_disk_was_full_can_be_read(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=Path(__file__).parents[2],
    )
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1 and "LogError: cannot write the log in " in last, done.stderr
    assert "(file too large): what was logged before can be read; make room" in last and "match=0001" in last
    assert not [name for name in names_in(tmp_path) if "sets-4-" in name]
    assert query(tmp_path, "SELECT count(*) FROM hands")[1] == [(8,)]
    assert query(tmp_path, "SELECT count(DISTINCT hand) FROM actions")[1] == [(8,)]


def test_the_files_of_a_log(tmp_path):
    log_match(tmp_path, 3, "kuhn", 2, hands=8, parts=2)
    assert names_in(tmp_path) == [
        f"match=0003/actions/{A}.parquet",
        f"match=0003/actions/{B}.parquet",
        f"match=0003/hands/{A}.parquet",
        f"match=0003/hands/{B}.parquet",
        "match=0003/match.json",
        "match=0003/players.parquet",
        "match=0003/tables.parquet",
    ]
