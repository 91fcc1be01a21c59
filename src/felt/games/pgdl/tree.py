"""XML as a tree that knows where everything stands, so that every error can name its line and column.

Expat does the reading. Document types are refused: they are where entities come from, and with them files that
grow without end or reach for other files.
"""

import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn
from xml.parsers import expat

from felt.errors import FeltWarning
from felt.games.rules import RulesError

MAX_BYTES = 1_000_000
MAX_DEPTH = 20


class PgdlWarning(FeltWarning):
    """Something in a PGDL document that is read, but should be mended; the message names line and column."""


class PgdlError(RulesError):
    """A PGDL document that cannot be used; the message names line and column."""

    def __init__(self, message: str, *, line: int = 0, column: int = 0, source: str = "") -> None:
        place = " ".join(part for part in (source, f"line {line}, column {column}" if line else "") if part)
        super().__init__(f"{place}: {message}" if place else message)
        self.line = line
        self.column = column


@dataclass
class Element:
    """An element: its attributes in the order of the document, its children and its text."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    document: "Document"
    offset: int
    """Where its ``<`` stands in the text of the document."""
    children: list["Element"] = field(default_factory=list)
    pieces: list[tuple[int, int, str]] = field(default_factory=list)
    """Text with the line and column of each piece."""

    @property
    def text(self) -> str:
        """All text directly inside the element."""
        return "".join(text for _, _, text in self.pieces)

    def fail(self, message: str, attribute: str | None = None) -> NoReturn:
        """Raise an error at the element, or at one of its attributes."""
        line, column = (self.line, self.column) if attribute is None else self._place_of(attribute)
        raise PgdlError(message, line=line, column=column, source=self.document.source)

    def warn(self, message: str, attribute: str) -> None:
        """Warn of one of the element's attributes."""
        line, column = self._place_of(attribute)
        error = PgdlError(message, line=line, column=column, source=self.document.source)
        warnings.warn(PgdlWarning(str(error)), stacklevel=2)

    def fail_in_text(self, message: str, at: int) -> NoReturn:
        """Raise an error at a position of the element's text."""
        before = 0
        for line, column, text in self.pieces:
            if at < before + len(text):
                inside = text[: at - before]
                breaks = inside.count("\n")
                column = len(inside) - inside.rfind("\n") if breaks else column + len(inside)
                raise PgdlError(message, line=line + breaks, column=column, source=self.document.source)
            before += len(text)
        self.fail(message)

    def _place_of(self, attribute: str) -> tuple[int, int]:
        """Where the attribute's name stands: expat tells only where the element begins."""
        text = self.document.text
        tag = re.compile(r"[^<>\"']|\"[^\"]*\"|'[^']*'")
        at = self.offset + 1
        end = at
        while match := tag.match(text, end):
            end = match.end()
        name = re.search(rf"(?<=\s){re.escape(attribute)}(?=\s*=)", text[at:end])
        return self.document.place(at + name.start()) if name else (self.line, self.column)


@dataclass
class Document:
    """The text of a document, and what to call it in errors."""

    text: str
    source: str = ""

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, counted from 1, of a position in the text."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def fail(self, message: str, offset: int | None = None) -> NoReturn:
        """Raise an error at a position of the text."""
        line, column = (0, 0) if offset is None else self.place(offset)
        raise PgdlError(message, line=line, column=column, source=self.source)


def read_tree(content: str | bytes, *, source: str = "") -> Element:
    """The root element of a document."""
    return _Builder(_decoded(content, source)).build()


def _decoded(content: str | bytes, source: str) -> Document:
    if isinstance(content, bytes):
        if len(content) > MAX_BYTES:
            raise PgdlError(f"{len(content)} bytes are no game: at most {MAX_BYTES} are read", source=source)
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = content[: error.start].decode("utf-8-sig", errors="replace")
            Document(before + " ", source).fail(
                f"byte 0x{content[error.start]:02x} is not UTF-8: save the file as UTF-8", len(before)
            )
    else:
        text = content.removeprefix("\ufeff")
        if len(text) > MAX_BYTES:
            raise PgdlError(f"{len(text)} characters are no game: at most {MAX_BYTES} are read", source=source)
        if broken := re.search("[\ud800-\udfff]", text):
            Document(text, source).fail(f"{broken[0]!r} is half a character: write the whole one", broken.start())
    return Document(text, source)


class _Builder:
    """Turns what expat reports into elements."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._bytes = document.text.encode()
        self._seen = (0, 0)  # a position as bytes and as characters
        self._root: Element | None = None
        self._open: list[Element] = []
        parser = expat.ParserCreate("utf-8")
        parser.ordered_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = lambda _: self._open.pop()
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        self._parser = parser

    def build(self) -> Element:
        try:
            self._parser.Parse(self._bytes, True)
        except expat.ExpatError as error:
            offset = self._offset(self._parser.ErrorByteIndex)
            self._document.fail(_why(self._document.text, offset, error), offset)
        assert self._root is not None  # expat refuses documents without a root
        return self._root

    def _offset(self, byte: int) -> int:
        """Bytes, as expat counts, to characters; each stretch is counted once, as expat moves on."""
        before, characters = self._seen if byte >= self._seen[0] else (0, 0)
        self._seen = byte, characters + len(self._bytes[before:byte].decode(errors="ignore"))
        return self._seen[1]

    def _start(self, name: str, attributes: list[str]) -> None:
        offset = self._offset(self._parser.CurrentByteIndex)
        line, column = self._document.place(offset)
        pairs = dict(zip(attributes[::2], attributes[1::2], strict=True))
        element = Element(name, pairs, line, column, self._document, offset)
        if len(self._open) >= MAX_DEPTH:
            element.fail(f"<{shown(name)}> is nested more than {MAX_DEPTH} deep")
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _text(self, text: str) -> None:
        line, column = self._document.place(self._offset(self._parser.CurrentByteIndex))
        self._open[-1].pieces.append((line, column, text))

    def _doctype(self, *_: object) -> None:
        before = self._document.text[: self._offset(self._parser.CurrentByteIndex) + 1]
        offset = max(before.rfind("<!DOCTYPE"), 0)
        self._document.fail("a document type (<!DOCTYPE …>) is not read: remove it", offset)


def _why(text: str, offset: int, error: expat.ExpatError) -> str:
    reason = expat.ErrorString(error.code) or "cannot be read"
    line = text[text.rfind("\n", 0, offset) + 1 :].partition("\n")[0]
    if any(quote in line for quote in "“”„‘’"):
        return f'{reason}: quotes must be straight ("), this line has “typographic” ones'
    return f"{reason}: this is not well-formed XML"


def shown(text: str) -> str:
    """Input for a message: on one line, and not endless."""
    flat = " ".join(text.split())
    return flat if len(flat) <= 40 else flat[:39] + "…"


def walk(root: Element) -> Iterator[Element]:
    """The element and everything below it, in the order of the document."""
    yield root
    for child in root.children:
        yield from walk(child)
