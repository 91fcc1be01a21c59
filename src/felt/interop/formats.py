"""Files of hands, whatever wrote them: which format a file has, reading it, writing it."""

import gzip
import io
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import IO

from felt.games.history import HandRecord
from felt.games.rules import GameRules
from felt.interop.acpc.game import load_acpc_game
from felt.interop.acpc.log import read_acpc
from felt.interop.acpc.writer import write_acpc
from felt.interop.histories import Histories, HistoryError, quoted, quoted_path
from felt.interop.irc import read_irc
from felt.interop.phh.reader import read_phh
from felt.interop.phh.writer import write_phh, write_phhs
from felt.interop.rooms import fulltilt, pokerstars
from felt.interop.rooms.pokerstars_writer import write_pokerstars
from felt.interop.rooms.text import READ, not_read, other_room

MOST_BYTES = 1 << 28
"""No file of hands is larger than this when it is unpacked: all files of an archive together, with holes in them."""

_PIECE = 1 << 20
_PACKERS = {b"PK\x03\x04": "zip", b"7z\xbc\xaf": "7z", b"Rar!": "rar", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}

SUFFIXES = (".phh", ".phhs", ".txt", ".log", ".gz", ".tgz")
"""What files of hands are called; in a folder, others are passed over."""

load_game = load_acpc_game
"""The game of an ACPC log from its ``.game`` file."""


def read_hands(path: str | Path, *, game: GameRules | None = None) -> Histories:
    """All hands of a file, or of a folder of the IRC database; the format is told from what is inside.

    `game` is the game of an ACPC log that is none of the usual ones. Broken hands are listed, not raised; only a file
    in which no hand can be found is an error.
    """
    place = Path(path)
    if place.is_dir() or place.name == "hdb":
        return _read_irc_folder(place if place.is_dir() else place.parent)
    return read_bytes(_read(place), name=str(path), game=game)


def find_files(path: str | Path) -> Iterator[Path]:
    """The files of hands in a folder and all folders in it, in order; a file or a month of IRC is itself."""
    place = Path(path)
    if not place.exists():
        raise HistoryError(f"cannot read {quoted_path(place)}: there is no such file or folder")
    if not place.is_dir() or (place / "hdb").is_file():
        yield place
        return
    try:
        inside = sorted(place.iterdir())
    except OSError as error:
        raise _unreadable(place, error) from None
    for item in inside:
        if item.is_dir() and not item.name.startswith("."):
            yield from find_files(item)
        elif item.suffix.lower() in SUFFIXES and not item.name.startswith("."):
            yield item


def read_bytes(data: bytes, *, name: str = "", game: GameRules | None = None) -> Histories:
    """Hands from the bytes of a file.

    >>> len(read_bytes(b"STATE:0:f:5d5c|9hQd:50|-50:ann|bob").hands)
    1
    """
    data = _unpacked(data, name)
    if data[257:262] == b"ustar":
        return _read_irc_archive(data, name)
    for magic, packer in _PACKERS.items():
        if data.startswith(magic):
            raise HistoryError(f"{quoted_path(name)} is a {packer} archive, which is not opened: unpack it first")
    text = decoded(data)
    reader, room = _sniff(text, name)
    if reader is read_acpc:
        return read_acpc(text, game=game)
    if reader is None:
        shown = quoted_path(name) if name else quoted(text[:40])
        raise HistoryError(f"{shown} {not_read(room) if room else f'holds no hands that Felt knows: {READ}'}")
    return reader(text)


def decoded(data: bytes) -> str:
    """Text from bytes: UTF-16 where it says so, else UTF-8, else what Windows wrote in the West."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _sniff(text: str, name: str) -> tuple[Callable[[str], Histories] | None, str]:
    """The reader for a text, or the room that wrote it and is not read: the first line that belongs to one decides."""
    if name.lower().endswith((".phh", ".phhs")):
        return read_phh, ""
    for line in text.replace("\ufeff", "").splitlines():
        line = line.strip()
        if room := other_room(line):
            return None, room
        if fulltilt.BEGINS.match(line):
            return fulltilt.read_fulltilt, ""
        if pokerstars.BEGINS.match(line):
            return pokerstars.read_pokerstars, ""
        if line.startswith(("STATE:", "MATCHSTATE:")) or "MATCHSTATE:" in line[:60]:
            return read_acpc, ""
        if line.startswith(("variant =", "variant=")):
            return read_phh, ""
    return None, ""


def _read(path: Path, most: int = MOST_BYTES) -> bytes:
    try:
        with path.open("rb") as file:
            return _read_up_to(file, most, path)  # what a file says of its size is not always so
    except OSError as error:
        raise _unreadable(path, error) from None


def _read_up_to(file: IO[bytes] | gzip.GzipFile, most: int, name: str | Path, how: str = "") -> bytes:
    """The bytes of a file that has no more than `most`; in pieces: one call would make room for all."""
    pieces, left = [], most + 1
    while left > 0 and (piece := file.read(min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    if left <= 0:
        raise _too_large(name, how)
    return b"".join(pieces)


def _too_large(name: str | Path, how: str = "") -> HistoryError:
    return HistoryError(f"{quoted_path(name)} is larger than {MOST_BYTES >> 20} MB{how}: split it")


def _unreadable(path: Path, error: OSError) -> HistoryError:
    return HistoryError(f"cannot read {quoted_path(path)}: {(error.strerror or 'error').lower()}")


def _unpacked(data: bytes, name: str) -> bytes:
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return _read_up_to(file, MOST_BYTES, name, " when unpacked")
    except (OSError, EOFError, zlib.error) as error:
        raise HistoryError(f"{quoted_path(name)} is a damaged gzip file: {str(error).lower()}") from None


def _read_irc_archive(data: bytes, name: str) -> Histories:
    """The months of a tar archive, one after another."""
    months: dict[str, dict[str, str]] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            members = archive.getmembers()
            if sum(max(member.size, 0) for member in members) > MOST_BYTES:  # with the holes of sparse files
                raise _too_large(name, " when unpacked")
            for member in members:
                file = archive.extractfile(member) if member.isfile() else None
                folder, _, part = member.name.rpartition("/pdb/" if "/pdb/" in member.name[1:] else "/")
                if file is not None:
                    months.setdefault(folder, {})[part] = decoded(file.read())
    except HistoryError:
        raise
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        raise HistoryError(f"{quoted_path(name)} is a damaged tar archive: {str(error).lower()}") from None
    parts = [_month(month) for month in months.values() if "hdb" in month]
    if not parts:
        raise HistoryError(f"{quoted_path(name)} is no archive of the IRC database: there is no file hdb in it")
    columns = zip(*((part.hands, part.problems, part.lines) for part in parts), strict=True)
    hands, problems, lines = (tuple(chain.from_iterable(column)) for column in columns)
    return Histories(hands, problems, lines)


def _read_irc_folder(folder: Path) -> Histories:
    if not (folder / "hdb").is_file():
        raise HistoryError(
            f"{quoted_path(folder)} is a folder without the file hdb of the IRC database: name its files"
        )
    try:
        rows = sorted((folder / "pdb").glob("pdb.*"))
    except OSError as error:
        raise _unreadable(folder, error) from None
    paths = [folder / "hdb", *([folder / "hroster"] if (folder / "hroster").is_file() else []), *rows]
    parts, left = dict[str, str](), MOST_BYTES
    for path in paths:
        data = _read(path, left)
        left -= len(data)
        parts[path.name] = decoded(data)
    return _month(parts)


def _month(parts: Mapping[str, str]) -> Histories:
    rows = [text for name, text in parts.items() if name.startswith("pdb.")]
    return read_irc(parts["hdb"], parts.get("hroster", ""), rows)


FORMATS = ("phh", "phhs", "pokerstars", "acpc")
"""What hands can be written as."""

_OF_SUFFIX = {".phh": "phh", ".phhs": "phhs", ".txt": "pokerstars", ".log": "acpc"}


def format_of(path: str | Path) -> str:
    """The format that a name asks for: ``.phh``, ``.phhs``, ``.txt`` (PokerStars) or ``.log`` (ACPC).

    >>> format_of("session.txt")
    'pokerstars'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in _OF_SUFFIX:
        known = ", ".join(f"{suffix} ({name})" for suffix, name in _OF_SUFFIX.items())
        raise HistoryError(f"{quoted_path(path)} does not say which format to write: end it with {known}")
    return _OF_SUFFIX[suffix]


def write_text(records: Iterable[HandRecord], kind: str, *, hero: str = "") -> str:
    """Hands as the text of a file of this format; `hero` is the player whose cards PokerStars text tells."""
    hands = list(records)
    if not hands:
        raise HistoryError("there are no hands to write")
    if kind == "phh":
        if len(hands) > 1:
            raise HistoryError(f"a .phh file holds one hand, and here are {len(hands)}: write a .phhs file")
        return write_phh(hands[0])
    if kind == "pokerstars":
        return write_pokerstars(hands, hero=hero)
    if kind not in FORMATS:
        raise HistoryError(f"{quoted(kind)} is no format that is written: use {', '.join(FORMATS)}")
    return write_phhs(hands) if kind == "phhs" else write_acpc(hands)
