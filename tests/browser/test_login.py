"""Feature: Login. A name is enough; none at all is enough too. And names are text, whatever is in them."""

import pytest

from tests.browser.page_words import NAME_FIELD
from tests.browser.scenarios import shows


@shows("login-1")
def test_a_name_and_a_click_and_one_plays(player):
    seen = player.sit_down().your_turn()
    assert seen.you.name == player.name and seen.pot == 3


@shows("login-2")
def test_who_gives_no_name_plays_as_a_guest(player):
    player.page.get_by_role("textbox", name=NAME_FIELD).fill("  ")
    player.press(player.opponent("call"))
    assert player.your_turn().you.name.startswith("Guest ")


@shows("login-3")
def test_a_name_that_somebody_plays_under_is_refused(player, newcomer):
    player.sit_down()
    other = newcomer()
    other.page.get_by_role("textbox", name=NAME_FIELD).fill(player.name)
    other.press(other.opponent("call"))
    other.name_refused(player.name)


@shows("login-4")
def test_a_name_with_a_colon_is_refused(player):
    player.page.get_by_role("textbox", name=NAME_FIELD).fill("Ada: the first")
    player.press(player.opponent("call"))
    player.name_refused(":")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "Robert'); DROP TABLE x;-"])
def test_names_are_shown_as_text(player, name, screenshots):
    shouted: list[str] = []
    player.page.on("dialog", lambda dialog: (shouted.append(dialog.message), dialog.dismiss()))
    name = name[:24]
    player.sit_down(name=name).move("call")
    seen = player.rivals_turn()
    assert seen.you.name == name and f"{name} calls 1" in seen.log and not shouted
    assert player.page.locator("script", has_text="alert").count() == 0
