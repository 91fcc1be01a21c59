"""Logs of Felt 0.1: read as they are, and turned into the form of today, whole or not at all."""

import json
import os

import pytest

from felt.cli.app import run
from felt.store.files import LogError, locked_folder
from felt.store.log import upgrade as upgrading
from felt.store.log.logged import match_folders, read_match
from felt.store.log.matches import read_runs
from felt.store.log.part_reader import read_note
from felt.store.log.part_writer import done_parts
from felt.store.log.reading import query, records
from felt.store.log.schema import FORMAT
from felt.store.log.upgrade import has_old_runs, upgrade_log
from tests.baselines.running import unpack
from tests.store.logs import rows_of

RUNS, MATCHES = ("cups", "rings", "cut-cups"), ("match", "draw", "league", "cut")


@pytest.fixture
def old(tmp_path):
    unpack("logs-0.1.0.zip", tmp_path)
    return tmp_path


def old_rows(folder):
    """What a log says, without what 0.1 has not got."""
    actions = query(folder, "SELECT * EXCLUDE (cards, cards_packed) FROM actions ORDER BY ALL")[1]
    return {**rows_of(folder), "actions": actions}


@pytest.mark.parametrize("name", RUNS)
def test_runs_are_the_same_before_and_after(old, name):
    log = old / name
    before, runs, hands = rows_of(log), list(read_runs(log)), [record.hand_id for record in records(log)]
    files = {path.name: path.read_bytes() for path in log.iterdir()}
    assert has_old_runs(log) and upgrade_log(log) == 1 and not has_old_runs(log) and upgrade_log(log) == 0
    assert rows_of(log) == before and list(read_runs(log)) == runs and [r.hand_id for r in records(log)] == hands
    lines = (log / "runs.jsonl").read_bytes().rpartition(b"\n")[0].splitlines()
    assert [json.loads(line) for line in lines] == runs
    assert {path.name: path.read_bytes() for path in log.iterdir() if path.is_file()} == files, "its own files stay"


@pytest.mark.parametrize("name", MATCHES)
def test_matches_get_the_columns_that_they_lack(old, name):
    log = old / name
    before = old_rows(log)
    assert query(log, "SELECT count(cards) FROM actions")[1] == [(0,)]
    folders = match_folders(log)
    notes = [read_note(folder, part) for folder in folders.values() for part in done_parts(folder)]
    assert upgrade_log(log) == len(folders) and upgrade_log(log) == 0
    assert old_rows(log) == before
    assert query(log, "SELECT count(*) - count(cards) FROM actions")[1] == [(0,)]
    assert notes == [read_note(folder, part) for folder in folders.values() for part in done_parts(folder)]
    assert all(read_match(1, folder).description["format"] == FORMAT for folder in folders.values())


def test_an_evolution_has_its_rounds_and_goes_on_with_hands(old, capsys):
    assert [len(record["won"]) for record in read_runs(old / "bred")] == [4] * 6
    with pytest.raises(LogError, match="there are no hands in"):
        next(records(old / "bred"))
    words = "evolve dials --game limit-holdem --population 4 --generations 3 --deals 2 --meetings 2 --yardstick 1"
    assert run([*words.split(), "--seed", "3", "--workers", "1", "--log", str(old / "bred"), "--json"]) == 0
    names = query(old / "bred", "SELECT DISTINCT player FROM results WHERE run >= 6")[1]
    assert len(names) > 4 and all(name.startswith("dials:") for (name,) in names)
    assert len(list(read_runs(old / "bred"))) == 9


def test_what_is_stopped_in_the_midst_leaves_a_whole_log(old, monkeypatch):
    class StopError(Exception):
        pass

    def stop(*_):
        raise StopError

    log = old / "league"
    before = old_rows(log)
    with pytest.raises(StopError):
        upgrade_log(log, stop)
    assert old_rows(log) == before
    log = old / "cups"
    before = rows_of(log)
    monkeypatch.setattr(upgrading, "PART_HANDS", 1)
    with pytest.raises(StopError):
        upgrade_log(log, stop)
    assert has_old_runs(log) and rows_of(log) == before and not [*log.glob("match=*")]


def test_what_is_no_log_is_refused(tmp_path, capsys):
    assert run(["log", "upgrade", str(tmp_path / "nowhere")]) == 2
    assert "is no folder" in capsys.readouterr().err
    assert run(["log", "upgrade", str(tmp_path)]) == 2
    assert "is no log: there is neither match=0001 nor competition.json" in capsys.readouterr().err
    (tmp_path / "match=0001").mkdir()
    (tmp_path / "match=0001" / "match.json").write_text(json.dumps({"format": FORMAT + 1, "felt": "9.0"}))
    assert run(["log", "show", str(tmp_path)]) == 2
    assert "was written by a newer Felt: install 9.0" in capsys.readouterr().err


@pytest.mark.parametrize("missing", [0, 2, -1])
def test_a_run_whose_hands_are_missing_takes_no_others_along(old, missing):
    file = old / "cups" / "hands.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    gone = len(json.loads(lines.pop(missing))["hands"])
    ((before,),) = query(old / "cups", "SELECT count(*) FROM hands")[1]
    file.write_text("".join(lines), encoding="utf-8")
    upgrade_log(old / "cups")
    assert query(old / "cups", "SELECT count(*) FROM hands")[1] == [(before - gone,)] != [(before,)]


def test_two_do_not_turn_a_log_at_once(old):
    lock = locked_folder(old / "cups")
    with pytest.raises(LogError, match="somebody else is writing"):
        upgrade_log(old / "cups")
    os.close(lock)
    assert upgrade_log(old / "cups") == 1
