"""Hands in the words that PokerStars uses for them."""

from felt.cards.card import RANKS
from felt.cards.kinds import ACE, Category, HandClass, hand_class
from felt.cards.naming import rank_word, rank_words
from felt.cards.omaha import rank_omaha
from felt.cards.ranking import rank
from felt.errors import FeltError
from felt.games.rules import GameRules


def words_for(rules: GameRules, hole: tuple[int, ...], board: tuple[int, ...]) -> str:
    """What a shown hand is worth, such as ``two pair, Kings and Fours`` or ``HI: …; LO: 8,5,4,2,A``.

    >>> from felt.cards import parse_cards
    >>> from felt.games import load
    >>> words_for(load("nlhe"), parse_cards("AhKs"), parse_cards("5c4c4hQsKc"))
    'two pair, Kings and Fours'
    """
    found = []
    for kind in rules.showdown.kinds:
        try:
            value = rank_omaha(hole, board, kind) if rules.showdown.hole_exactly == 2 else rank(hole + board, kind)
        except FeltError:  # a hand that is not all there has no name
            continue
        named = hand_class(value, kind)
        if named is not None:
            found.append((kind.startswith("low"), _words(named)))
    if len(rules.showdown.kinds) == 2:
        return "; ".join(f"{'LO' if low else 'HI'}: {words}" for low, words in found)
    return ", ".join(f"Lo: {words}" if low else words for low, words in found)


def _words(hand: HandClass) -> str:
    first, *rest = hand.ranks
    one, many = rank_word(first).capitalize(), rank_words(first).capitalize()
    match hand.category:
        case Category.PAIR:
            return f"a pair of {many}"
        case Category.TWO_PAIR:
            return f"two pair, {many} and {rank_words(rest[0]).capitalize()}"
        case Category.TRIPS:
            return f"three of a kind, {many}"
        case Category.STRAIGHT:
            return f"a straight, {_straight(first)}"
        case Category.FLUSH:
            return f"a flush, {one} high"
        case Category.FULL_HOUSE:
            return f"a full house, {many} full of {rank_words(rest[0]).capitalize()}"
        case Category.QUADS:
            return f"four of a kind, {many}"
        case Category.STRAIGHT_FLUSH:
            return "a Royal Flush" if first == ACE else f"a straight flush, {_straight(first)}"
        case Category.HIGH_CARD:
            return f"high card {one}"
        case _:  # lows and badugis
            return ",".join(RANKS[number] for number in hand.ranks)


def _straight(top: int) -> str:
    bottom = top - 4 if top >= 4 else ACE
    return f"{rank_word(bottom).capitalize()} to {rank_word(top).capitalize()}"
