"""`felt tables`: build the tables that are too large to ship."""

from typing import Annotated

import typer

from felt.cli import output
from felt.cli.options import Json
from felt.errors import FeltError


def tables(
    table: Annotated[str, typer.Argument(metavar="WHICH", help="What to build: turn.")],
    json: Json = False,
) -> None:
    """Build tables that are too large to ship, into the cache folder: some seconds, once.

    `turn` is the expected strength of every hand on every turn board (112 MB), for lookups instead of counting.

    Example: `felt tables turn`
    """
    if table != "turn":
        raise FeltError(f"there are no tables {table!r} to build: choose 'turn'")
    from felt.odds.strength.lookup import build_turn_tables

    try:
        paths = build_turn_tables()
    except OSError as error:
        place = repr(error.filename) if error.filename else "the cache folder"
        raise FeltError(f"cannot write {place} ({error.strerror}): set FELT_CACHE to a folder of yours") from None
    if json:
        output.print_json({"files": [{"path": str(path), "bytes": path.stat().st_size} for path in paths]})
    else:
        for path in paths:
            output.say(f"{output.plain(str(path))}  [dim]{path.stat().st_size / 1e6:,.0f} MB[/]")
