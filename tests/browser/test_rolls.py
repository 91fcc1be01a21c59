"""Roll your own at the page: one taps the card to turn up, and sees the other's when both have chosen."""

import re

import pytest

from tests.browser.page_words import BACK


@pytest.mark.parametrize("size", ["desktop"], indirect=True)
def test_one_taps_the_card_to_turn_up(player, screenshots):
    player.served.next_deck("KsKh9c", "As2c7d", "3h4h")
    player.page.get_by_role("textbox", name="Your name").fill(player.name)
    player.press(player.page.get_by_role("button", name=re.compile("^Roll your own")))
    player.press(player.opponent("call"))
    player.until(lambda seen: len(seen.you.cards) == 3, "three cards", patience=60.0)  # kernels may be compiled first
    player.rival("roll 9c")
    seen = player.until(lambda seen: seen.status == "Your turn", "your turn")
    assert seen.rival.cards == [BACK] * 3, "its choice is not seen yet"
    assert any("rolls 1 card" in line for line in seen.log) and seen.options == []
    tappable = player.page.locator(".seat.own [data-testid=cards] button svg[role=img]")
    assert tappable.count() == 3
    player.press(tappable.and_(player.page.get_by_label("seven of diamonds")))
    bar = player.page.get_by_role("region", name="Your move")
    screenshots(player.page, "roll-your-own")
    player.press(bar.get_by_role("button", name="Turn up 1"))
    seen = player.until(lambda seen: "nine of clubs" in seen.rival.cards, "what the rival has turned up")
    assert seen.rival.cards == [BACK, BACK, "nine of clubs"] and seen.you.cards[-1] == "seven of diamonds"
    player.move("call")  # the seven brings it in
    player.rival("call")
    player.rival("roll Kh")
    player.until(lambda seen: len(seen.you.cards) == 4, "the fourth card")
    player.until(lambda seen: seen.status == "Your turn", "your turn")
    assert tappable.count() == 3, "what lies face up is not turned up again"
