"""`felt odds`: how strong one hand is, now and on average after the cards to come."""

from typing import Annotated

import typer

from felt.cli.options import Board, Json, whole_number


def odds(
    hand: Annotated[str, typer.Argument(metavar="HAND", help="Two hole cards, like AsKd.")],
    board: Board = "",
    opponents: Annotated[
        int, typer.Option("--opponents", "-o", metavar="N", parser=whole_number, help="Opponents with random hands.")
    ] = 1,
    json: Json = False,
) -> None:
    """What is known about a hand: its strength, its potential, its outs, and how it starts."""
