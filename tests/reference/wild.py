"""Wild cards the slow way: every wild card is tried as every card, and the best five count."""

from collections.abc import Collection, Sequence
from itertools import combinations

from tests.reference.ranking import Strength, five_card_high

ACE = 12
FIVE_OF_A_KIND = 9


def wild_high(cards: Sequence[int], wild: Collection[int]) -> Strength:
    """The best five cards, where each wild card may be any card that the five do not hold yet.

    Only for five of a kind may it be one that they hold.
    """
    return max(_best_of_five(five, wild) for five in combinations(cards, 5))


def _best_of_five(five: Sequence[int], wild: Collection[int]) -> Strength:
    natural = [card for card in five if card not in wild and card < 52]
    ranks = {card // 4 for card in natural}
    if len(natural) < 5 and len(ranks) <= 1:
        return (FIVE_OF_A_KIND, *(ranks or {ACE}))
    left = [card for card in range(52) if card not in natural]
    return max(five_card_high([*natural, *others]) for others in combinations(left, 5 - len(natural)))
