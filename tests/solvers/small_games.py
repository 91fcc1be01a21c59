"""Hold'em cut down until its whole tree can be listed."""

from dataclasses import replace

from felt.cards.deck import Deck
from felt.games import GameRules, load


def cut_holdem(
    ranks: int = 3, suits: int = 4, *, boards: tuple[int, ...] = (4,), hole: int = 1, raises: int = 1
) -> GameRules:
    """Limit hold'em with the highest ranks only, one round without a board and one for each of `boards`."""
    whole = load("limit-holdem")
    cards = tuple(4 * (12 - rank) + suit for rank in range(ranks) for suit in range(suits))
    first, *later = whole.rounds
    rounds = [replace(first, down=hole), *(replace(later[i], board=count) for i, count in enumerate(boards))]
    capped = [replace(one, betting=replace(one.betting, max_raises=raises)) for one in rounds if one.betting]
    return replace(whole, name="cut hold'em", deck=Deck("cut", cards), rounds=tuple(capped))
