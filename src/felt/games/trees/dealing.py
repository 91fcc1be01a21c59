"""What rules alone say about the cards of a game: whether suits matter, and whether betting goes on without them."""

from felt.cards.card import is_joker
from felt.games.rules import First, GameRules

_BY_POSITION = (First.AFTER_BUTTON, First.AFTER_BLINDS)


def suits_matter(rules: GameRules) -> bool:
    """Whether the suit of a card can ever make a difference to who does or wins what.

    >>> from felt.games import load
    >>> suits_matter(load("leduc")), suits_matter(load("nlhe"))
    (False, True)
    """
    shown = rules.showdown
    if rules.has_draws:  # which of two cards of a rank is thrown away is a choice
        return True
    if shown.scoring:
        texts = [text for score in shown.scoring for text in (score.subrank, *score.conditions)]
        by_rank = not any("suit" in text for text in texts)
    else:
        flushes = shown.size == 5 and any(not kind.startswith(("low-a5", "low-8")) for kind in shown.kinds)
        by_rank = not flushes and "badugi" not in shown.kinds
    ranked = not shown.wild and not any(is_joker(card) for card in rules.deck)
    return not (by_rank and ranked and all(part.first in _BY_POSITION and not part.up for part in rules.rounds))


def plain_deals(rules: GameRules) -> bool:
    """Whether cards are dealt face down in the first round only, later ones to the board, and nobody acts by them."""
    later = any(part.down for part in rules.rounds[1:])
    open_ = any(part.up or part.first not in _BY_POSITION for part in rules.rounds)
    return not (later or open_ or rules.has_draws)
