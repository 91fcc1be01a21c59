"""`--report` and `--plots`: files that are whole, or a mistake that is told before anything is played."""

import pytest

from felt.cli.app import run
from tests.cli.test_app import mistake

MATCH = ["match", "call", "raise", "--hands", "60"]
LEAGUE = ["league", "call", "raise", "fold", "--hands", "20"]
ALWAYS = {f"{name}.{kind}" for name in ("rates", "bankroll", "moving-average") for kind in ("png", "svg")}


@pytest.mark.long
@pytest.mark.parametrize("command", [MATCH, LEAGUE], ids=["match", "league"])
def test_a_page_and_plots_are_written(command, tmp_path, capsys):
    page, plots = tmp_path / "page.html", tmp_path / "new" / "plots"
    assert run([*command, "--report", str(page), "--plots", str(plots)]) == 0
    told = capsys.readouterr().out
    assert str(page) in told.replace("\n", "") and str(plots) in told.replace("\n", "")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") and text.endswith("</html>\n")
    assert f"felt {command[0]}" in text.replace("</span> <span>", " ")
    assert {path.name for path in plots.iterdir()} == ALWAYS
    for path in plots.iterdir():
        assert path.read_bytes().startswith(b"\x89PNG\r\n" if path.suffix == ".png" else b"<?xml")
    assert {path.name for path in tmp_path.iterdir()} == {"page.html", "new"}, "nothing is left beside them"


@pytest.mark.parametrize("command", [MATCH, LEAGUE], ids=["match", "league"])
@pytest.mark.parametrize("option", ["--report", "--plots"])
def test_what_cannot_be_written_is_told_before_a_hand_is_played(option, command, tmp_path, capsys, monkeypatch):
    def never(*_args, **_options):
        raise AssertionError("it plays")

    monkeypatch.setattr("felt.arena.play", never)
    monkeypatch.setattr("felt.arena.match.league.play", never)
    (tmp_path / "file").write_text("")
    told = mistake(capsys, *command, option, str(tmp_path / "file" / "page.html"))
    assert "cannot write" in told and "file/page.html" in told


def test_a_folder_is_no_place_for_a_page(tmp_path, capsys):
    assert "is a directory" in mistake(capsys, *MATCH, "--report", str(tmp_path))
