"""A spot to be solved: a board, a pot and two stacks, however they came about."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from numbers import Integral

from felt.cards.card import format_cards
from felt.errors import FeltError
from felt.games.catalogue import load
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.games.trees.tree import plain_deals


def spot(board: str | Iterable[int], *, pot: int, stacks: Sequence[int] | int, game: str | GameRules = "nlhe") -> Hand:
    """A hand of two where this board lies, so much is in the pot and so much in front of each: seat 0 acts first.

    Later streets go by the rules: who acts first before the flop has the button, and acts last from the flop on. The
    pot was put in as antes, half by each, and all have checked so far; what is won or lost counts from before that.
    What players hold is of no account: it is dealt anew by whoever solves the spot.

    >>> hand = spot("QsJh2h7c3d", pot=50, stacks=200)
    >>> hand.pot, hand.stacks, hand.street, str(hand.legal())
    (50, (200, 200), 3, 'fold, check, raise to 2–200')
    """
    rules = load(game) if isinstance(game, str) else game
    if not plain_deals(rules):
        raise FeltError(f"{rules.name}: spots are of games whose cards are not open and not exchanged")
    behind = tuple(stacks) if isinstance(stacks, Iterable) else (stacks, stacks)
    if len(behind) != 2 or not all(isinstance(chips, Integral) and chips > 0 for chips in behind):
        raise FeltError(f"stacks of {stacks}: give whole chips above 0 for two players")
    if not isinstance(pot, Integral) or pot < 2:
        raise FeltError(f"a pot of {pot}: give 2 whole chips or more")
    cards = rules.deck.parse(board)
    street = _street(rules, cards)
    rest = [card for card in rules.deck.cards if card not in cards]
    held = rules.rounds[0].down * 2
    antes = int(pot - pot // 2), int(pot // 2)
    for button in (1, 0):  # whichever lets seat 0 act first here
        hand = Hand.new(
            rules, [int(chips) + ante for chips, ante in zip(behind, antes, strict=True)], antes=antes, posts=(0, 0),
            deck=(*rest[:held], *cards, *rest[held:]), button=button,
        )  # fmt: skip
        while hand.street < street:
            hand.call()
        if hand.turn == 0:
            break
    return hand


def _street(rules: GameRules, cards: Sequence[int]) -> int:
    """The round in which a board of so many cards lies, and in which something can be bet."""
    lying = list(accumulate(part.board for part in rules.rounds))
    for street, (count, part) in enumerate(zip(lying, rules.rounds, strict=True)):
        if count == len(cards) and part.betting:
            return street
    counts = ", ".join(str(count) for count, part in zip(lying, rules.rounds, strict=True) if part.betting)
    raise FeltError(f"the board {format_cards(cards)!r}: in {rules.name} give {counts} cards")
