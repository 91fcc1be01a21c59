"""Files that are made to cost time and memory: refused before they do."""

import gzip
import io
import tarfile
import tracemalloc

import pytest

from felt.interop.formats import MOST_BYTES, read_bytes, read_hands
from felt.interop.histories import HistoryError
from felt.interop.phh import actions as phh_toml
from felt.interop.phh.actions import MOST_CHARACTERS, MOST_DEPTH, parse_phh
from felt.interop.phh.reader import read_phh
from tests.interop.samples import PHH

NESTED = {
    "dotted key": ".".join("a" * 20_000) + " = 1",
    "spaced key": " . ".join("a" * 10_000) + " = 1",
    "quoted key": ".".join(['"a"'] * 10_000) + " = 1",
    "header": "[[" + ".".join("a" * 20_000) + "]]",
    "own table": "[_" + ".".join("a" * 20_000) + "]\nb = 1",
    "inline table": "a = {" + ".".join("a" * 20_000) + " = 1}",
    "arrays": "a = " + "[" * 20_000 + "]" * 20_000,
    "tables in tables": "a = " + "{a = " * 5_000 + "1" + "}" * 5_000,
    "behind a string": "s = '''\n'''\nt = \"\\\"\" # '\n" + ".".join("a" * 20_000) + " = 1",
}


@pytest.mark.parametrize("kind", NESTED)
def test_nested_keys_are_refused_before_they_are_parsed(kind, monkeypatch):
    monkeypatch.setattr(phh_toml.tomllib, "loads", lambda *_, **__: pytest.fail("it was parsed"))
    (problem,) = read_phh(f"{PHH}{NESTED[kind]}").problems
    assert f"of more than {MOST_DEPTH}" in problem.why and "\n" not in problem.why


def test_memory_stays_small_with_40_kb_of_nested_keys():
    tracemalloc.start()
    try:
        read_phh(NESTED["dotted key"])
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5_000_000  # it was 1.6 GB


def test_dots_and_brackets_in_texts_comments_and_lists_do_not_count():
    text = f"""a = "{"." * 100}{"[" * 100}" # {"." * 100}
b = '{"a.b" * 100}'
c = [{", ".join(["1.5"] * 100)}]
d = [{", ".join(["[1]"] * 100)}]
e = '''{"x.y." * 100}'''
f.{".".join("a" * (MOST_DEPTH - 2))} = 1
"""
    assert len(parse_phh(text)["c"]) == 100


def test_a_hand_of_more_characters_than_any_is_refused():
    (problem,) = read_phh(PHH + "#" * MOST_CHARACTERS).problems
    assert f"at most {MOST_CHARACTERS:,}" in problem.why


def test_the_line_of_a_broken_hand_is_that_of_the_file():
    (problem,) = read_phh("\n\n[1]\n" + PHH.replace("antes = [", "antes = [[")).problems
    assert problem.line == 7 and problem.why.startswith("line 7: not TOML")


def sparse_tar(size: int) -> bytes:
    """An archive of one file that is nothing but a hole."""
    member = tarfile.TarInfo("month/hdb")
    member.type, member.size = tarfile.GNUTYPE_SPARSE, 0
    header = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    header[386 : 386 + 24] = b"%011o\0%011o\0" % (size, 0)  # where data begin, and how many there are
    header[483 : 483 + 12] = b"%011o\0" % size
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + bytes(1024)


def test_a_sparse_archive_is_as_large_as_it_unpacks_to():
    data = gzip.compress(sparse_tar(4 << 30))
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        assert archive.getmembers()[0].size == 4 << 30
    tracemalloc.start()
    try:
        with pytest.raises(HistoryError, match=r"'a\.tgz' is larger than 256 MB when unpacked: split it"):
            read_bytes(data, name="a.tgz")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5_000_000


def test_the_files_of_an_archive_are_bounded_together():
    one = sparse_tar(MOST_BYTES // 2 + 1)[:512]
    with pytest.raises(HistoryError, match="larger than 256 MB when unpacked"):
        read_bytes(one + one + bytes(1024), name="a.tar")


@pytest.mark.parametrize(("magic", "packer"), [(b"PK\x03\x04", "zip"), (b"BZh9", "bzip2"), (b"\xfd7zXZ\0", "xz")])
def test_archives_that_are_not_opened_are_named(magic, packer):
    with pytest.raises(HistoryError, match=f"is a {packer} archive, which is not opened: unpack it first"):
        read_bytes(magic + bytes(100), name="a.txt")


def test_a_file_without_an_end_is_too_large():
    with pytest.raises(HistoryError, match="'/dev/zero' is larger than 256 MB: split it"):
        read_hands("/dev/zero")
