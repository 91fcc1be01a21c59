"""Features: Cards and Stacks: what is dealt is a deck of 52, and nobody has less than nothing."""

from tests.browser.scenarios import shows

VALUES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUITS = ("clubs", "diamonds", "hearts", "spades")
DECK = {f"{value} of {suit}" for value in VALUES for suit in SUITS}


@shows("cards-1", "cards-2", "cards-3", "stacks-1")
def test_all_in_by_chance(player):
    """Nine cards of one deal; `check_sense` looks after the same in every other test."""
    player.sit_down().keep_hands().all_in()
    player.press_move("Raise to")
    player.rival("call")
    seen = player.showdown()
    cards = [*seen.you.cards, *seen.rival.cards, *seen.board]
    assert len(set(cards)) == 9 and set(cards) <= DECK
    assert {seen.you.stack, seen.rival.stack} in ({0, 400}, {200})
