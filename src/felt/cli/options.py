"""Reading options, and the types that several commands share.

Numbers are read here and not by Typer so that a message quotes what was typed.
"""

from typing import Annotated

import typer

from felt.errors import FeltError


def whole_number(text: str | int) -> int:
    """A whole number; ``50_000`` and ``50,000`` are fine. Defaults pass through here as they are."""
    try:
        return int(str(text).replace(",", "_"))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a whole number: write digits, like 1000") from None


def seed_number(text: str | int) -> int:
    """A seed: a whole number that is not negative."""
    seed = whole_number(text)
    if seed < 0:
        raise typer.BadParameter(f"{str(text)!r} is negative: a seed is 0 or more")
    return seed


def share(text: str | float) -> float:
    """A share between 0 and 1, written ``0.3`` or ``30%``."""
    return _number(text, hint="write 0.3 or 30%")


def number(text: str | float) -> float:
    """A number such as ``0.001``, or ``0.1%`` for the same."""
    return _number(text, hint="write it like 0.001 or 0.1%")


def _number(text: str | float, *, hint: str) -> float:
    typed = str(text).strip()
    try:
        return float(typed.removesuffix("%")) / (100 if typed.endswith("%") else 1)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number: {hint}") from None


def only_one_of(**given: object) -> None:
    """Refuse options that exclude each other when more than one of them is given."""
    names = [f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise FeltError(f"{' and '.join(names)} exclude each other: choose one")


Database = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", help="PostgreSQL or another file instead of the data folder (FELT_DATABASE_URL)."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Board = Annotated[str, typer.Option("--board", "-b", metavar="CARDS", help="Community cards, like QsJh2h.")]
Dead = Annotated[str, typer.Option("--dead", metavar="CARDS", help="Cards that are out of play.")]
Opponents = Annotated[
    int | None,
    typer.Option("--opponents", "-o", metavar="N", parser=whole_number, help="Add N opponents with random hands."),
]
