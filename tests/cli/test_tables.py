"""`felt tables`, with a builder that is quick."""

import json

import pytest

from felt.cli.app import run
from felt.odds.strength import lookup
from tests.cli.test_app import mistake


def test_what_was_built_is_listed(tmp_path, monkeypatch, capsys):
    path = tmp_path / "turn.npy"
    path.write_bytes(b"x" * 3_000_000)
    monkeypatch.setattr(lookup, "build_turn_tables", lambda: [path])
    assert run(["tables", "turn"]) == 0
    assert capsys.readouterr().out == f"{path}  3 MB\n"
    assert run(["tables", "turn", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"files": [{"path": str(path), "bytes": 3_000_000}]}


def test_a_folder_that_cannot_be_written(monkeypatch, capsys):
    def fail():
        raise PermissionError(13, "Permission denied", "/nowhere/felt")

    monkeypatch.setattr(lookup, "build_turn_tables", fail)
    assert "cannot write '/nowhere/felt' (Permission denied)" in mistake(capsys, "tables", "turn")


@pytest.mark.parametrize("which", ["river", ""])
def test_tables_that_do_not_exist(which, capsys):
    assert repr(which) in mistake(capsys, "tables", which)
