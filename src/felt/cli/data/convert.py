"""`felt convert`: recorded hands from one format into another."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from felt._files import make_folder, write_text
from felt.cli import output
from felt.cli.data.replay import GameFile, all_files, load_game, placed, read_files
from felt.cli.options import argument, option
from felt.cli.output import progress_bar
from felt.errors import FeltError, counted, printable

if TYPE_CHECKING:
    from felt.games.history import HandRecord
    from felt.games.rules import GameRules

STDOUT = "-"


def convert(
    source: str = argument("IN", "A file or folder: PHH, PokerStars, Full Tilt, ACPC, IRC."),
    target: str = argument("OUT", "What to write: .phh, .phhs, .txt (PokerStars), .log (ACPC); a folder/; or -."),
    to: str = option("", "--to", "FORMAT", "phh, phhs, pokerstars or acpc, whatever OUT is called."),
    hero: str = option("", "--hero", "NAME", "Whose cards PokerStars text tells."),
    game: GameFile = "",
) -> None:
    """Write recorded hands in another format.

    Hands that cannot be read, or have no place in the new format, are listed and left out. With a folder (a name that
    ends with /) each hand becomes a .phh file of its own; - is the standard output and wants --to.

    Example: `felt convert session.txt session.phhs`
    """
    from felt.interop.formats import write_text as as_text

    folder = target.endswith("/") or Path(target).is_dir()
    kind = _format(target, to, folder=folder)
    hands, unread = _read(_sources(source, target), load_game(game))
    if hero and not any(hero in record.names for record in hands):
        raise FeltError(f"--hero {hero!r} plays in no hand of {source!r}: write a name as the hands have it")
    left_out: list[str] = []
    hands = [record for record in hands if _fits(record, kind, left_out)]
    if kind == "acpc":
        hands = _of_one_game(hands, left_out)
    if not hands:
        raise FeltError(f"no hand of {source!r} can be written: {[*left_out, *unread, 'there is none'][0]}")
    if folder:
        _write_folder(Path(target), hands, hero)
    else:
        text = as_text(hands, kind, hero=hero)
        if target == STDOUT:
            sys.stdout.write(printable(text, keep="\n\t") if sys.stdout.isatty() else text)
            return
        write_text(Path(target), text)
    lines = [*unread, *left_out]
    output.say(
        output.plain(f"{counted(len(hands), 'hand')} written to {target}" + f", {len(lines):,} left out:" * bool(lines))
    )
    for line in lines:
        output.say(output.plain(line))


def _format(target: str, to: str, *, folder: bool) -> str:
    from felt.interop.formats import FORMATS, format_of

    if to and to not in FORMATS:
        raise FeltError(f"--to {to!r} is no format that is written: use {', '.join(FORMATS)}")
    if folder and to not in ("", "phh"):
        raise FeltError(f"a folder is for single hands of PHH: name a file for {to}")
    if target == STDOUT and not to:
        raise FeltError("'-' does not say which format to write: add --to phhs, pokerstars or acpc")
    return to or ("phh" if folder else format_of(target))


def _sources(source: str, target: str) -> list[Path]:
    """What to read; not what an earlier run may have written in the same folder."""
    written = Path(target).resolve()
    files = [file for file in all_files([source]) if written not in (file.resolve(), *file.resolve().parents)]
    if not files:
        raise FeltError(f"{target!r} is all that there is to read in {source!r}: write to another place")
    return files


def _read(files: list[Path], rules: "GameRules | None") -> "tuple[list[HandRecord], list[str]]":
    hands: list[HandRecord] = []
    left_out: list[str] = []
    with progress_bar("Reading") as report:
        for number, (file, histories, readable) in enumerate(read_files(files, rules, strict=True), start=1):
            hands += histories.hands
            for line, hand, why in histories.problems:
                place = f"{file}: " + (f"hand {hand}: " if hand else "")
                left_out.append(place + placed(line, why) if readable else why)
            if report:
                report(number, len(files))
    return hands, left_out


def _fits(record: "HandRecord", kind: str, left_out: list[str]) -> bool:
    from felt.interop.formats import write_text as as_text

    try:
        as_text([record], kind)
    except FeltError as error:
        left_out.append(_named(record, str(error)))
        return False
    return True


def _named(record: "HandRecord", why: str) -> str:
    begin = f"hand {record.hand_id}: "
    return why if why.startswith(begin) or not record.hand_id else begin + why


def _of_one_game(hands: "list[HandRecord]", left_out: list[str]) -> "list[HandRecord]":
    """The hands of the game that the first is of: a log of ACPC has one game and one number of players."""
    first = [(record.rules, record.players) for record in hands[:1]]
    for record in hands:
        if (record.rules, record.players) not in first:
            left_out.append(_named(record, "another game or number of players than the first: a log is of one"))
    return [record for record in hands if (record.rules, record.players) in first]


def _write_folder(folder: Path, hands: "list[HandRecord]", hero: str) -> None:
    """Each hand by itself, named after its number; those of the same number are told apart."""
    from felt.interop.formats import write_text as as_text

    make_folder(folder)
    used: set[str] = set()
    for number, record in enumerate(hands, start=1):
        name = "".join(c if c.isalnum() or c in "-_" else "_" for c in record.hand_id)[:80] or str(number)
        while name in used:
            name = f"{name}_{number}"
        used.add(name)
        write_text(folder / f"{name}.phh", as_text([record], "phh", hero=hero))
