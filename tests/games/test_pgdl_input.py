"""Whatever is thrown at the PGDL reader ends in rules or in one clear line."""

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from felt.errors import FeltError
from felt.games.catalogue import FOLDER, names
from felt.games.pgdl import PgdlError, load_pgdl, read_pgdl
from felt.games.pgdl.tree import MAX_BYTES
from tests.games.documents import BLINDED, WHOLE, error_of


class TestDangerousDocuments:
    """What an XML file can do to its reader besides describing a game."""

    @pytest.mark.parametrize(
        "document",
        [
            '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><PGDL>&c;</PGDL>',
            '<!DOCTYPE a SYSTEM "file:///etc/passwd"><PGDL/>',
            '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><PGDL>&b;</PGDL>',
            '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1/x">%b;]><PGDL/>',
        ],
    )
    def test_document_types_are_refused(self, document: str) -> None:
        error = error_of("\n  " + document)
        assert (error.line, error.column) == (2, 3)
        assert "a document type (<!DOCTYPE …>) is not read: remove it" in str(error)

    def test_unknown_entities_are_refused(self) -> None:
        assert "undefined entity" in str(error_of("<PGDL>&b;</PGDL>"))

    def test_deep_nesting_ends_soon(self) -> None:
        assert "nested more than 20 deep" in str(error_of("<a>" * 100_000))

    def test_large_documents_are_refused(self) -> None:
        for text in ("<a/>" + " " * MAX_BYTES, b"<a/>" + b" " * MAX_BYTES):
            assert f"at most {MAX_BYTES} are read" in str(error_of(text))

    def test_long_documents_are_read_quickly(self) -> None:
        """Places are found as the reader moves on, not from the start again each time."""
        text = "<PGDL>" + "ä\n<History/>" * 60_000 + "</PGDL>"
        assert "<History> stands twice" in str(error_of(text))

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "no element found: this is not well-formed XML"),
            (b"   ", "no element found"),
            (b"hello", "syntax error"),
            (b"<PGDL>", "no element found"),
            (b"<PGDL></PDGL>", "line 1, column 9: mismatched tag"),
            (b"<PGDL/><PGDL/>", "junk after document element"),
            (b"<PGDL a='1' a='2'/>", "duplicate attribute"),
            (
                '<Players\n minimum=”2” maximum="2"/>'.encode(),
                "line 2, column 10: not well-formed (invalid token): quotes must be",
            ),
            (b"<PGDL>\n\xff</PGDL>", "line 2, column 1: byte 0xff is not UTF-8: save the file as UTF-8"),
            ("<PGDL>é\n  <x/></PGDL>".encode(), "line 2, column 3: <x> may not stand in <PGDL>"),
            ("<PGDL>\ud800</PGDL>", "is half a character"),
            ("<PGDL/>".encode("utf-16"), "is not UTF-8"),
            (b"<PGDL>\x00</PGDL>", "not well-formed"),
        ],
    )
    def test_what_is_no_xml(self, content: bytes | str, message: str) -> None:
        assert message in str(error_of(content))

    def test_files_that_are_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(PgdlError, match=r"nothing\.xml cannot be read: No such file"):
            load_pgdl(tmp_path / "nothing.xml")
        with pytest.raises(PgdlError, match="cannot be read: Is a directory"):
            load_pgdl(tmp_path)

    def test_the_file_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.xml"
        path.write_text(WHOLE.replace("<Rake", "<Rakes"), encoding="utf-8")
        with pytest.raises(PgdlError, match=r"^mine\.xml line 19, column 5: <Rakes> may not stand in <PokerGame>"):
            load_pgdl(path)
        path.write_text(WHOLE, encoding="utf-8")
        with pytest.raises(PgdlError, match=r"^mine\.xml: there is no parameter 'foo': it has bet$"):
            load_pgdl(path, foo=1)


class TestRandomBytes:
    """Whatever is thrown at the reader, it ends in rules or in an error that is meant for people."""

    @staticmethod
    def read(content: bytes) -> bool:
        try:
            read_pgdl(content)
        except FeltError as error:
            assert "\n" not in str(error)
            return False
        return True

    def test_ten_thousand_random_strings(self) -> None:
        chance = random.Random(20)
        for _ in range(10_000):
            assert not self.read(chance.randbytes(chance.randrange(60)))

    def test_mutated_documents(self) -> None:
        chance = random.Random(21)
        documents = [WHOLE.encode(), BLINDED.encode(), *((FOLDER / f"{name}.xml").read_bytes() for name in names())]
        words = [
            b'"',
            b"<",
            b">",
            b"/>",
            b"&",
            b"{",
            b"}",
            b"0",
            b"99999999999",
            b"-1",
            b"yes",
            b"\xff",
            b"\x00",
            b"?",
            b"$c9",
        ]
        survived = 0
        for _ in range(1_500):
            content = bytearray(chance.choice(documents))
            for _ in range(chance.randrange(1, 4)):
                at = chance.randrange(len(content))
                if chance.random() < 0.5:
                    content[at : at + chance.randrange(12)] = chance.choice(words)
                else:
                    other = chance.randrange(len(content))
                    content[at:at] = content[other : other + chance.randrange(60)]
            survived += self.read(bytes(content))
        assert survived < 1_500

    def test_tokens_in_any_order(self) -> None:
        chance = random.Random(22)
        tokens = sorted(set(re.findall(r'<\w+|\w+="[^"]*"|/>|</\w+>|>|\s', WHOLE + BLINDED)))
        for _ in range(2_000):
            text = " ".join(chance.choices(tokens, k=chance.randrange(20)))
            self.read(f"<PGDL>{text}</PGDL>".encode())

    def test_trees_in_any_shape(self) -> None:
        """Elements and attributes that all exist, put together at random: well-formed, and mostly nonsense."""
        chance = random.Random(23)
        source = list(ElementTree.fromstring(WHOLE).iter()) + list(ElementTree.fromstring(BLINDED).iter())
        read = 0
        for _ in range(600):
            root = ElementTree.fromstring(chance.choice((WHOLE, BLINDED)))
            element = chance.choice(list(root.iter()))
            donor = chance.choice(source)
            match chance.randrange(4):
                case 0:
                    element.attrib.update(donor.attrib)
                case 1:
                    element.append(donor)
                case 2:
                    for child in list(element)[: chance.randrange(3)]:
                        element.remove(child)
                case 3 if element.attrib:
                    element.attrib[chance.choice(list(element.attrib))] = chance.choice(
                        list(donor.attrib.values()) or ["1"]
                    )
            read += self.read(ElementTree.tostring(root))
        assert 0 < read < 600
