"""What happens at a table, in words that everybody there may read."""

from collections.abc import Iterator, Sequence

from felt.cards.card import format_cards
from felt.games import Action, Legal, Move
from felt.games.amounts import in_unit
from felt.games.views.view import View, made_hand


def move_words(action: Action, legal: Legal, *, opened: bool, all_in: bool, unit: float = 1.0) -> str:
    """A move as one says it of somebody: `legal` and `opened` (whether there was a bet) are from before it.

    `unit` is what one chip is in the amounts of the game.

    >>> move_words(Action(Move.RAISE, 12), Legal(True, 4, (8, 200)), opened=True, all_in=False)
    'raises to 12'
    """
    return _move(action, legal, opened, unit) + (" and is all in" if all_in else "")


def _move(action: Action, legal: Legal, opened: bool, unit: float) -> str:
    if action.move == Move.FOLD:
        return "folds"
    if action.move == Move.RAISE:
        total = in_unit(action.amount, unit, grouped=False)
        return f"raises to {total}" if opened else f"bets {total}"
    if action.move == Move.CALL:
        if not legal.call:
            return "checks"
        chips = in_unit(legal.call, unit, grouped=False)
        return f"calls {chips}" if legal.fold else f"brings it in for {chips}"
    kind = legal.exchange[0] if legal.exchange else "exchange"
    if kind == "draw" and not action.cards:
        return "stands pat"
    verb = "passes" if kind == "pass" else f"{kind}s"
    return f"{verb} {len(action.cards)} card{'s' * (len(action.cards) != 1)}"


def showdown_lines(seen: View, names: Sequence[str]) -> Iterator[str]:
    """Who shows what, in their order."""
    for seat, cards in zip(seen.shown, seen.shown_cards, strict=True):
        made = made_hand(seen, seat)
        yield f"{names[seat]} shows {format_cards(cards)}" + (f", {made}" if made else "")
    for seat in seen.mucked:
        yield f"{names[seat]} mucks"


def result_text(seen: View, names: Sequence[str]) -> str:
    """Who wins how much, and with what, of a hand that is over; bets that nobody called are not won.

    >>> from felt.games import Hand, load
    >>> hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    >>> hand.fold()
    >>> result_text(hand.view(-1), ["Ada", "Bo"])
    'Ada wins 2'
    """
    won = list(seen.won)
    most, second = sorted(seen.put, reverse=True)[:2]
    if most > second:
        won[seen.put.index(most)] -= most - second
    parts = []
    for seat, chips in enumerate(won):
        if chips > 0:
            made = made_hand(seen, seat) if seat in seen.shown else ""
            parts.append(f"{names[seat]} wins {chips}" + (f" with {_indefinite(made)}" if made else ""))
    return "; ".join(parts) or "nobody wins anything"


def _indefinite(made: str) -> str:
    """A hand after "with": a pair, a flush, but two pair."""
    singular = ("pair of", "straight", "flush", "full house", "royal flush", "wheel")
    return f"a {made}" if made.startswith(singular) else made
