"""A hook of one's own for cards, which a recorded strategy file names: it stays where it is, under its name."""

from collections.abc import Sequence


def pair_or_high(own: Sequence[int], boards: Sequence[Sequence[int]]) -> str:
    """Whether the hole card pairs the board, and else whether it is the highest rank of Leduc's three."""
    rank = own[0] // 4
    if any(card // 4 == rank for board in boards for card in board):
        return "pair"
    return "high" if rank == 12 else "low"
