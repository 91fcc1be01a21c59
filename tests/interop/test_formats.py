"""Files of any format: found, unpacked, told apart, and written."""

import gzip
import io
import tarfile

import pytest

from felt.errors import FeltError
from felt.interop.formats import decoded, find_files, format_of, read_bytes, read_hands, write_text
from felt.interop.histories import HistoryError
from tests.interop.samples import ACPC, FULL_TILT, IRC, PHH, POKERSTARS

TEXTS = {"a.phh": PHH, "b.txt": POKERSTARS, "c.txt": FULL_TILT, "d.log": ACPC}


def archive() -> bytes:
    data = io.BytesIO()
    parts = {"hdb": IRC[0], "hroster": IRC[1]} | {f"pdb/pdb.{text.split()[0]}": text for text in IRC[2]}
    with tarfile.open(fileobj=data, mode="w:gz") as file:
        for name, text in parts.items():
            member = tarfile.TarInfo(f"holdem.200001/{name}")
            member.size = len(text)
            file.addfile(member, io.BytesIO(text.encode()))
    return data.getvalue()


@pytest.mark.parametrize("name", TEXTS)
def test_the_format_is_told_from_the_text(name):
    plain = read_bytes(TEXTS[name].encode())
    assert plain.hands and not plain.problems
    assert read_bytes(gzip.compress(TEXTS[name].encode()), name=name + ".gz") == plain


def test_encodings_of_other_days():
    assert decoded("Ä €".encode("utf-16")) == decoded("Ä €".encode()) == decoded("Ä €".encode("cp1252")) == "Ä €"
    assert read_bytes(POKERSTARS.encode("utf-16")).hands == read_bytes(POKERSTARS.encode()).hands


def test_a_folder_of_everything(tmp_path):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "LICENSE").write_text("not hands")
    (tmp_path / ".hidden.txt").write_text("not hands")
    month = tmp_path / "irc"
    (month / "pdb").mkdir(parents=True)
    (month / "hdb").write_text(IRC[0])
    (month / "hroster").write_text(IRC[1])
    for text in IRC[2]:
        (month / "pdb" / f"pdb.{text.split()[0]}").write_text(text)
    files = list(find_files(tmp_path))
    assert [file.name for file in files] == [*sorted(TEXTS), "irc"]
    assert sum(len(read_hands(file).hands) for file in files) == 7
    assert read_hands(month) == read_bytes(archive(), name="holdem.tgz") == read_hands(month / "hdb")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "holds no hands that Felt knows"),
        (b"\x1f\x8b", "damaged gzip"),
        (gzip.compress(b"x" * 257 + b"ustar" + b"x" * 300, mtime=0), "tar archive"),
        (archive()[:150], "damaged gzip"),
    ],
    ids=["empty", "two bytes", "no archive", "cut off"],  # archives hold the time: ids must not
)
def test_damaged_files(data, words):
    with pytest.raises(HistoryError, match=words):
        read_bytes(data, name="x.gz")


def test_places_that_are_not_there(tmp_path):
    with pytest.raises(HistoryError, match="no such file"):
        list(find_files(tmp_path / "nowhere"))
    with pytest.raises(HistoryError, match="cannot read"):
        read_hands(tmp_path / "nowhere.phh")
    with pytest.raises(HistoryError, match="without the file hdb"):
        read_hands(tmp_path)


def test_writing_by_name():
    (hand,) = read_bytes(PHH.encode()).hands
    for name in ("x.phh", "x.phhs", "x.txt", "x.log"):
        if name == "x.log":  # its stacks differ, and an ACPC log has one for all
            with pytest.raises(FeltError):
                write_text([hand], format_of(name))
            continue
        again = read_bytes(write_text([hand], format_of(name)).encode(), name=name).hands[0]
        assert again.finishing == hand.finishing
    with pytest.raises(HistoryError, match="does not say which format"):
        format_of("x.doc")
    with pytest.raises(HistoryError, match="holds one hand, and here are 2"):
        write_text([hand, hand], "phh")
    with pytest.raises(HistoryError, match="no hands to write"):
        write_text([], "phhs")
    with pytest.raises(HistoryError, match="no format that is written"):
        write_text([hand], "morse")
