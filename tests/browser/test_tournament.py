"""Features: Game completion and Minimum bet: a tournament, as the lobby's further choices make it."""

import re

import pytest

from tests.browser.page_words import Seen
from tests.browser.scenarios import shows

BOARD = "4c5c8d9dJh"
WEAK, STRONG = "2s3s", "AcAd"
CHECKED = ("you call", "Bo check", *("Bo check", "you check") * 3)
ENDS = [
    pytest.param(WEAK, STRONG, "You have lost", id="user loses", marks=shows("completion-1")),
    pytest.param(STRONG, WEAK, "You win!", id="user wins", marks=shows("completion-2")),
]


@pytest.mark.parametrize(("own", "other", "words"), ENDS)
def test_who_has_no_chips_left_has_lost(player, own, other, words, screenshots):
    """One chip of a big blind of two is enough to be dealt in; with none the game is over, and another is offered."""
    player.served.next_deck(other, own, BOARD)  # the user has the button: second
    player.served.next_deck(own, other, BOARD)
    player.sit_down(stack=3, hands_per_level=0).play(*CHECKED)
    seen = player.until(lambda seen: words in seen.verdict, "who has won")
    screenshots(player.page, "completion")
    assert "Hand 2: Bo has the button" in seen.log
    player.press(player.page.get_by_role("button", name="Play a new game"))
    seen = player.until(lambda seen: not seen.verdict and seen.yours, "a new game")
    assert seen.hand == 1 and [seat.stack + seat.bet for seat in seen.seats] == [3, 3]


def stakes(seen: Seen) -> tuple[int, int, int]:
    """Small and big blind, and hands until they double, as the title says."""
    small, big = re.match(r"(\d+) / (\d+)", seen.title).groups()
    return int(small), int(big), seen.hands_left


@shows("minimum-1", "minimum-2", "minimum-3")
def test_the_stakes_double_every_three_hands(player):
    player.sit_down(stack=200, hands_per_level=3)
    told = []
    for hand in range(1, 5):
        seen = player.next_hand(hand)
        told.append(stakes(seen))
        assert sorted(seat.bet for seat in seen.seats) == list(told[-1][:2])
        player.move("fold") if hand % 2 else player.rival("fold")
    assert told == [(1, 2, 3), (1, 2, 2), (1, 2, 1), (2, 4, 3)]
