"""`felt convert`: recorded hands from one format into another."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.files import write_text
from felt.cli.progress import progress_bar
from felt.cli.replay import GameFile, all_files, load_game
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.games.history import HandRecord
    from felt.games.rules import GameRules


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A file or folder: PHH, PokerStars, Full Tilt, ACPC, IRC.")
    ],
    target: Annotated[
        str,
        typer.Argument(metavar="OUT", help="What to write: .phh, .phhs, .txt (PokerStars), .log (ACPC); or a folder/."),
    ],
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="phh, phhs, pokerstars or acpc, whatever OUT is called.")
    ] = "",
    hero: Annotated[str, typer.Option("--hero", metavar="NAME", help="Whose cards PokerStars text tells.")] = "",
    game: GameFile = "",
) -> None:
    """Write recorded hands in another format.

    Hands that cannot be read, or have no place in the new format, are listed and left out. With a folder (a name that
    ends with /) each hand becomes a .phh file of its own.

    Example: `felt convert session.txt session.phhs`
    """
    from felt.interop.formats import format_of
    from felt.interop.formats import write_text as as_text

    folder = target.endswith("/") or Path(target).is_dir()
    kind = to or ("phh" if folder else format_of(target))
    hands, left_out = _read(source, load_game(game))
    hands = [record for record in hands if _fits(record, kind, left_out)]
    if not hands:
        raise FeltError(f"no hand of {source!r} can be written: {left_out[0] if left_out else 'there is none'}")
    if folder:
        _write_folder(Path(target), hands, kind, hero)
    else:
        write_text(Path(target), as_text(hands, kind, hero=hero))
    count = f"{len(hands):,} hand{'' if len(hands) == 1 else 's'} written to {target}"
    output.say(output.plain(count + (f", {len(left_out):,} left out:" if left_out else "")))
    for line in left_out:
        output.say(output.plain(line))


def _read(source: str, rules: "GameRules | None") -> "tuple[list[HandRecord], list[str]]":
    from felt.interop.formats import read_hands

    hands: list[HandRecord] = []
    left_out: list[str] = []
    files = all_files([source])
    with progress_bar("Reading") as report:
        for number, file in enumerate(files, start=1):
            try:
                found = read_hands(file, game=rules)
            except FeltError as error:
                if len(files) == 1:
                    raise
                left_out.append(str(error))
                continue
            hands += found.hands
            left_out += [
                f"{file}: {problem.hand or f'line {problem.line}'}: {problem.why}" for problem in found.problems
            ]
            if report:
                report(number, len(files))
    return hands, left_out


def _fits(record: "HandRecord", kind: str, left_out: list[str]) -> bool:
    from felt.interop.formats import write_text as as_text

    try:
        as_text([record], kind)
    except FeltError as error:
        left_out.append(f"hand {record.hand_id}: {error}")
        return False
    return True


def _write_folder(folder: Path, hands: "list[HandRecord]", kind: str, hero: str) -> None:
    """Each hand by itself, named after its number; those of the same number are told apart."""
    from felt.interop.formats import write_text as as_text

    if kind != "phh":
        raise FeltError(f"a folder is for single hands of PHH: name a file for {kind}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FeltError(
            f"cannot write {str(folder)!r} ({(error.strerror or 'error').lower()}): choose another place"
        ) from None
    used: set[str] = set()
    for number, record in enumerate(hands, start=1):
        name = "".join(c if c.isalnum() or c in "-_" else "_" for c in record.hand_id)[:80] or str(number)
        while name in used:
            name = f"{name}_{number}"
        used.add(name)
        write_text(folder / f"{name}.phh", as_text([record], kind, hero=hero))
