"""Features: Showdown, New hand and Fold: who gets the pot, and what the next hand begins with."""

import pytest

from tests.browser.scenarios import shows

CHECKED = ("you call", "Bo check", *("Bo check", "you check") * 3)
ENDS = [
    pytest.param("KsKh", "AsAh", (202, 198), "wins 4 with a pair of aces", id="user wins", marks=shows("showdown-1")),
    pytest.param(
        "AsAh", "KsKh", (198, 202), "Bo wins 4 with a pair of aces", id="A.I. wins", marks=shows("showdown-2")
    ),
    pytest.param("AsKh", "AhKs", (200, 200), "wins 2 with", id="equal hands", marks=shows("showdown-3")),
]


@pytest.mark.parametrize(("first", "second", "stacks", "words"), ENDS)
def test_the_better_hand_gets_the_pot(player, first, second, stacks, words, screenshots):
    player.served.next_deck(first, second, "2c3d8h9sJd")
    player.sit_down().keep_hands().play(*CHECKED)
    seen = player.showdown()
    screenshots(player.page, "showdown")
    assert (seen.you.stack, seen.rival.stack) == stacks and len(seen.board) == 5 and seen.options == []
    seen = player.next_hand(2)
    assert any(words in line for line in seen.log)
    assert (seen.you.stack + seen.you.bet, seen.rival.stack + seen.rival.bet) == stacks
    assert (seen.you.bet, seen.rival.bet, seen.pot, seen.board) == (2, 1, 3, [])


@shows("new-1", "new-2", "new-3", "new-4", "new-5", "fold-1", "fold-2")
def test_new_hands_after_folds(player):
    player.sit_down().move("fold")
    seen = player.next_hand(2)
    assert seen.board == [] and seen.rival.button and not seen.you.button
    assert (seen.rival.bet, seen.you.bet, seen.pot) == (1, 2, 3)
    assert (seen.rival.stack, seen.you.stack) == (200, 197)
    player.rival("fold")
    seen = player.next_hand(3)
    assert seen.board == [] and seen.you.button and not seen.rival.button
    assert (seen.you.bet, seen.rival.bet, seen.pot) == (1, 2, 3)
    assert (seen.rival.stack, seen.you.stack) == (198, 199)
