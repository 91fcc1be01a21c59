"""A table in a few lines of text, as one player sees it: what environments render."""

from felt.cards.card import format_cards
from felt.games.views.view import View


def table_text(view: View) -> str:
    """The table through the eyes of a seat.

    >>> from felt.games import Hand, load
    >>> print(table_text(Hand.new(load("nlhe"), [200, 200], seed=1).view(1)))
    No-limit Texas hold'em, preflop, pot 3
      player 0        stack 198   bet 2     2 cards down
    > player 1 (you)  stack 199   bet 1     4hKh
    fold, call 1, raise to 4–200
    """
    board = f", board {format_cards(view.board)}" if view.board else ""
    lines = [f"{view.rules.title or view.game}, {view.round}, pot {view.pot}{board}"]
    for seat in view.seats:
        known = format_cards(seat.cards)
        hidden = seat.down if seat.seat != view.seat and seat.seat not in view.shown else 0
        cards = " ".join(part for part in (known, f"{hidden} cards down" if hidden else "") if part)
        lines.append(
            f"{'>' if seat.seat == view.turn else ' '} player {seat.seat} {'(you)' if seat.seat == view.seat else '':5}"
            f"  stack {seat.stack:<5} bet {seat.bet:<5} {'folded' if seat.folded else cards}"
            f"{f'  won {seat.won}' if seat.won else ''}"
        )
    if view.legal:
        lines.append(str(view.legal))
    return "\n".join(lines)
