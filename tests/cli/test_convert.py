"""`felt convert`: into every format, whole files or none, and what is left out."""

import os

import pytest

from felt.cli.app import run
from felt.interop.formats import read_hands
from tests.cli import test_app
from tests.interop.samples import ACPC, FULL_TILT, PHH, POKERSTARS


def mistake(capsys, *args: object) -> str:
    return test_app.mistake(capsys, *map(str, args))


def converted(capsys, *args: object) -> str:
    assert run(["convert", *map(str, args)]) == 0
    return capsys.readouterr().out


def test_there_and_back(capsys, session, tmp_path):
    there, back = tmp_path / "out.phhs", tmp_path / "back.txt"
    told = converted(capsys, session, there)
    assert "1 hand written to" in told and "1 left out:" in told and "hand 102: line 33: the hand breaks off" in told
    converted(capsys, there, back)
    (hand,), (again,) = read_hands(session).hands, read_hands(back).hands
    assert (again.events, again.finishing, again.rake) == (hand.events, hand.finishing, hand.rake)


def test_every_hand_in_a_file_of_its_own(capsys, session, tmp_path):
    session.write_text("\n\n".join([POKERSTARS] * 3), encoding="utf-8")
    converted(capsys, session, f"{tmp_path}/single/")
    assert sorted(path.name for path in (tmp_path / "single").iterdir()) == ["101.phh", "101_2.phh", "101_3.phh"]
    assert "a folder is for single hands" in mistake(capsys, "convert", session, f"{tmp_path}/single/", "--to", "acpc")


def test_a_folder_is_converted_without_what_was_written_into_it(capsys, session, tmp_path):
    (tmp_path / "a.phh").write_text(PHH)
    (tmp_path / "note.txt").write_text("hello")
    for _ in range(2):
        told = converted(capsys, tmp_path, tmp_path / "all.phhs")
        assert "2 hands written" in told and "'note.txt' holds no hands" in told.replace(f"{tmp_path}/", "")
    assert "write to another place" in mistake(capsys, "convert", session, session)
    assert len(read_hands(session).hands) == 1


def test_to_standard_output(capsys, session):
    escaped = POKERSTARS.replace("Bob: the 2nd", "Bob%3A%20the%202nd")
    assert converted(capsys, session, "-", "--to", "pokerstars") == escaped
    assert "add --to" in mistake(capsys, "convert", session, "-")


def test_a_log_is_of_one_game(capsys, tmp_path):
    (tmp_path / "a.log").write_text(ACPC)
    (tmp_path / "b.log").write_text("STATE:9:crrc/rc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d:40|-40:ann|bob\n")
    told = converted(capsys, tmp_path, tmp_path / "c.log")
    assert "2 hands written" in told and "hand 9: another game or number of players than the first" in told
    assert read_hands(tmp_path / "c.log").scores == read_hands(tmp_path / "a.log").scores


def test_the_hero_is_whose_cards_are_told(capsys, tmp_path):
    (tmp_path / "a.phh").write_text(PHH)
    converted(capsys, tmp_path / "a.phh", tmp_path / "a.txt", "--hero", "Ann")
    assert "Dealt to Ann [As Kd]" in (tmp_path / "a.txt").read_text()
    assert "--hero 'Dan' plays in no hand" in mistake(capsys, "convert", tmp_path / "a.phh", "b.txt", "--hero", "Dan")


@pytest.mark.parametrize(
    ("target", "more", "words"),
    [
        ("out.doc", (), "does not say which format to write: end it with .phh"),
        ("out.txt", ("--to", "morse"), "--to 'morse' is no format that is written: use phh, phhs"),
        ("out.log", (), "hand 101: players have stacks of their own, an ACPC log has one for all"),
        ("no/out.txt", (), "choose another place"),
    ],
)
def test_what_cannot_be_converted_leaves_nothing_behind(capsys, session, target, more, words):
    assert words in mistake(capsys, "convert", session, session.parent / target, *more)
    assert [path.name for path in session.parent.iterdir()] == ["session.txt"]


def test_sources_without_hands(capsys, tmp_path):
    assert "no such file" in mistake(capsys, "convert", tmp_path / "nowhere", "x.phhs")
    assert "no files of hands" in mistake(capsys, "convert", tmp_path, "x.phhs")
    (tmp_path / "a.txt").write_text("hello")
    assert "holds no hands" in mistake(capsys, "convert", tmp_path / "a.txt", tmp_path / "x.phhs")
    (tmp_path / "b.txt").write_text(FULL_TILT)
    assert "PHH has no code for Pot-limit Omaha hi/lo" in mistake(
        capsys, "convert", tmp_path / "b.txt", tmp_path / "x.phhs"
    )
    assert not (tmp_path / "x.phhs").exists()


def test_an_old_file_stays_when_the_new_one_cannot_be_written(capsys, session, tmp_path, monkeypatch):
    target = tmp_path / "out.phhs"
    target.write_text("old")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    assert "no space left on device" in mistake(capsys, "convert", session, target)
    assert target.read_text() == "old" and len(list(tmp_path.iterdir())) == 2
