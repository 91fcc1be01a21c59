"""Features: Check, Call and All in."""

import pytest

from tests.browser.scenarios import shows

BOARD = "4c5c8d9dJh"
WEAK, STRONG = "2s3s", "AcAd"


@shows("check-1", "check-2", "call-1", "call-2")
def test_checks_add_nothing_and_calls_what_is_missing(player):
    player.sit_down().play("you call", "Bo check", "Bo check")
    before = player.your_turn()
    assert (before.pot, before.rival.bet, before.rival.stack) == (4, 0, 198)
    player.move("check")
    seen = player.until(lambda seen: len(seen.board) == 4, "the turn")
    assert (seen.pot, seen.you.stack) == (4, 198)
    player.rival("bet 6")
    player.move("call")
    seen = player.until(lambda seen: len(seen.board) == 5, "the river")
    assert (seen.pot, seen.you.stack, seen.rival.stack) == (16, 192, 192)
    player.play("Bo check", "you bet 8", "Bo call")
    assert any("Bo calls 8" in line for line in player.next_hand(2).log)


@shows("all-in-1")
def test_all_in_with_equal_stacks(player, screenshots):
    player.sit_down()
    player.all_in()
    seen = player.look()
    assert seen.status == "Your turn" and seen.move("Raise to").name == "Raise to 200 · all in"  # set, not submitted
    screenshots(player.page, "all-in")
    player.press_move("Raise to")
    seen = player.rivals_turn()
    assert (seen.you.stack, seen.you.bet, seen.pot) == (0, 200, 202)


@pytest.mark.parametrize(
    ("own", "other", "left"),
    [
        pytest.param(WEAK, STRONG, (4, 396), id="A.I. wins", marks=shows("all-in-2", "call-4")),
        pytest.param(STRONG, WEAK, (400, 0), id="user wins", marks=shows("all-in-2", "call-4")),
    ],
)
def test_all_in_with_more_than_the_agent_who_calls_with_less(player, own, other, left):
    """What the agent cannot call comes back; the cards decide about the rest."""
    player.sit_down(stack=200, hands_per_level=0)
    player.served.next_deck(own, other, BOARD)
    player.play("you raise 6", "Bo fold", "Bo call")
    player.keep_hands()
    seen = player.your_turn()
    assert (seen.you.stack + seen.you.bet, seen.rival.stack + seen.rival.bet) == (202, 198)
    player.all_in()
    player.press_move("Raise to")
    seen = player.rivals_turn()
    assert (seen.you.stack, seen.you.bet, seen.pot) == (0, 202, 204)
    player.rival("call")
    seen = player.showdown()
    assert (seen.you.stack, seen.rival.stack) == left
    if left[1]:
        assert player.next_hand(3).you.stack == 3  # the small blind is in
    else:
        player.served.keep_hands(player.table, False)
        player.until(lambda seen: "You win!" in seen.verdict, "the end of the game")


@shows("all-in-3", "call-3")
def test_all_in_and_calling_with_less_than_the_agent_has(player):
    served = player.sit_down().served
    served.next_deck(STRONG, WEAK, BOARD)
    served.next_deck(WEAK, STRONG, BOARD)
    player.play("you fold", "Bo raise 201")
    seen = player.your_turn()
    assert seen.options == ["Fold", "Call"] and seen.move("Call").amount == 197 == seen.you.stack
    player.move("call")
    seen = player.next_hand(3)  # the user wins what both had, and nothing ends
    assert (seen.you.stack + seen.you.bet, seen.rival.stack + seen.rival.bet) == (398, 2)
    assert any("wins 398" in line for line in seen.log)
