"""PGDL, the Poker Game Description Language: games as XML, read and written.

The language is Teófilo's (2016, section 4.2.2 and appendix C) in all its spellings, with what the catalogue needs
added; `docs/play/games.md` describes it, and ``pgdl.xsd`` is its schema.
"""

from pathlib import Path

from felt._files import read_start
from felt.games.pgdl.fields import Parameter
from felt.games.pgdl.reader import read_parameters, read_pgdl
from felt.games.pgdl.tree import MAX_BYTES, PgdlError, PgdlWarning
from felt.games.pgdl.writer import write_pgdl
from felt.games.rules import GameRules

__all__ = [
    "SCHEMA",
    "Parameter",
    "PgdlError",
    "PgdlWarning",
    "load_pgdl",
    "read_parameters",
    "read_pgdl",
    "save_pgdl",
    "write_pgdl",
]

SCHEMA = Path(__file__).parent / "pgdl.xsd"
"""The XML schema of the language."""


def load_pgdl(path: str | Path, **parameters: object) -> GameRules:
    """The game in a file; `parameters` are those that the file declares.

    >>> save_pgdl(load_pgdl(SCHEMA.parents[1] / "variants" / "kuhn.xml"), "kuhn.xml")
    >>> load_pgdl("kuhn.xml").name
    'kuhn'
    """
    return read_pgdl(read_start(path, MAX_BYTES, PgdlError), source=Path(path).name, **parameters)


def save_pgdl(rules: GameRules, path: str | Path) -> None:
    """Write a game to a file."""
    Path(path).write_text(write_pgdl(rules), encoding="utf-8")
