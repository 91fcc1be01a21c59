"""What can be typed at the table of `felt game play`."""

from collections.abc import Iterator

from felt.games import Action, GameRules, Legal
from felt.games.amounts import in_unit
from felt.games.rules import Structure
from felt.games.typed_moves import read_move as read_any_move
from felt.games.views.view import View


def read_move(typed: str, seen: View) -> Action:
    """The move that was typed by the player whose turn it is; it may still be against the rules."""
    return read_any_move(typed, seen, hint="type one of the letters, or ? for help")


def choices(legal: Legal, unit: float = 1.0) -> str:
    """What may be typed, in one line; `unit` is what one chip is in the game's own amounts."""
    parts = []
    if legal.exchange:
        kind, least, most = legal.exchange
        parts.append(f"d CARDS {kind} " + (f"{least}" if least == most else f"{least}–{most}"))
    if legal.fold:
        parts.append("f fold")
    if legal.call is not None:
        parts.append(f"c call {in_unit(legal.call, unit)}" if legal.call else "c check")
    if legal.raise_to:
        low, high = (in_unit(total, unit) for total in legal.raise_to)
        parts.append(f"r {low}" + (f"–{high}" if high != low else "") + " raise")
    return " · ".join(parts)


def help_lines(rules: GameRules) -> Iterator[tuple[str, str]]:
    """What can be typed at a table of this game, and what it does."""
    structures = {part.betting.structure for part in rules.rounds if part.betting}
    if structures:
        yield "f", "fold"
        yield "c", "call, or check (Enter checks too when it is free)"
    if structures == {Structure.LIMIT}:
        yield "r", "bet or raise by the limit"
    elif structures:
        yield "r 40", "bet or raise to 40 in all on this street"
    if Structure.NO_LIMIT in structures:
        yield "a", "all in"
    if verbs := _verbs(rules):
        pat = any(part.draw_most and not part.draw_least for part in rules.rounds)
        yield "d 2c 9h", f"{' or '.join(verbs)} these cards" + ("; d alone stands pat" if pat else "")
    yield "o", "the odds: price of the call, your equity against random hands"
    yield "q", "leave the table (whole words, like fold and raise, are fine too)"


def _verbs(rules: GameRules) -> list[str]:
    """What is done with cards in this game."""
    done = {
        "roll": any(part.rolls for part in rules.rounds),
        "pass": any(part.passes for part in rules.rounds),
        "discard": any(part.discards for part in rules.rounds),
        "draw": any(part.draw_most for part in rules.rounds),
    }
    return [verb for verb, ever in done.items() if ever]
