"""Statistics of players as a table for the terminal, for the commands that count them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from felt.cli import output
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.stats.table import Table

GAP = 3
"""Blanks between the columns of a table."""

PARTS = ("position", "street", "ip")

By = Annotated[
    str, typer.Option("--by", metavar="WHAT", help="In parts: by position, street, or ip (in or out of position).")
]


def check_parts(by: str) -> None:
    """Refuse a way to divide figures that there is not."""
    if by not in ("", *PARTS):
        raise FeltError(f"--by {by!r} is no way to divide: use {', '.join(PARTS)}")


def print_stats(table: "Table", by: str, first_rows: Mapping[str, Sequence[str]] | None = None) -> None:
    """A row for each figure, a column for each player; as many players beside each other as there is room for.

    `first_rows` are further rows under the number of hands, with a cell for each player.
    """
    from felt.stats.definitions import INDICATORS

    if not table.players:
        output.say("There is no hand to count.")
        return
    rows: dict[tuple[str, str], list[str]] = {("hands", ""): [f"{table.hands(player):,}" for player in table.players]}
    rows |= {(label, ""): list(cells) for label, cells in (first_rows or {}).items()}
    for indicator in INDICATORS.values():
        for name, part in _parts(table, by):
            figures = [table.of(player, indicator.name, **part) for player in table.players]
            if any(figure.num or figure.den for figure in figures):
                rows[indicator.label, name] = list(map(str, figures))
    first = sum(max(map(len, names)) + GAP for names in zip(*rows, strict=True) if any(names))
    widest = max(len(cell) for cells in (table.players, *rows.values()) for cell in cells) + GAP
    beside = max(1, (output.console().width + GAP - first) // widest)
    for at in range(0, len(table.players), beside):
        if at:
            output.say()
        _print_players(rows, by, table.players[at : at + beside], slice(at, at + beside))


def _print_players(rows: dict[tuple[str, str], list[str]], by: str, players: Sequence[str], these: slice) -> None:
    names = list(map(output.plain, players))
    shown = output.table("", *([by] if by else []), *names, numbers=names)
    before = ""
    for (label, part), cells in rows.items():
        shown.add_row(
            "" if label == before else output.plain(label), *([output.plain(part)] if by else []), *cells[these]
        )
        before = label
    output.show(shown)


def _parts(table: "Table", by: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts of a figure by name, and how `Table.of` is asked for them."""
    from felt.stats.definitions import POSITIONS

    if by == "position":
        yield from ((name, {"position": name}) for name in POSITIONS)
    elif by == "street":
        yield from ((name, {"street": name}) for name in table.streets)
    elif by == "ip":
        yield from (("in position", {"in_position": True}), ("out of position", {"in_position": False}))
    else:
        yield "", {}
