"""Wild cards the slow way: every wild card is tried as every card, and the best five count."""

from collections.abc import Collection, Sequence
from itertools import combinations, combinations_with_replacement

from tests.reference.ranking import FLUSH, STRAIGHT, STRAIGHT_FLUSH, Strength, five_card_high, of_a_kind, ranks_of

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


def bug_high(cards: Sequence[int], wild: Collection[int] = ()) -> Strength:
    """The best five cards where jokers are bugs: aces, or any card if the five are then a straight or a flush.

    Cards in `wild` are wild in full.
    """
    return max(_best_with_bugs(five, wild) for five in combinations(cards, 5))


def _best_with_bugs(five: Sequence[int], wild: Collection[int]) -> Strength:
    natural = [card for card in five if card < 52 and card not in wild]
    bugs = sum(card >= 52 for card in five)
    free = 5 - len(natural) - bugs
    left = [card for card in range(52) if card not in natural]
    as_any_card = [five_card_high([*natural, *others]) for others in combinations(left, free + bugs)]
    complete = [strength for strength in as_any_card if strength[0] in (STRAIGHT, FLUSH, STRAIGHT_FLUSH)]
    aces = [*ranks_of(natural), *[ACE] * bugs]
    equal = [_of_a_kind([*aces, *others]) for others in combinations_with_replacement(range(13), free)]
    return max([*complete, *equal])


def _of_a_kind(ranks: Sequence[int]) -> Strength:
    return (FIVE_OF_A_KIND, ranks[0]) if len(set(ranks)) == 1 else of_a_kind(ranks)
