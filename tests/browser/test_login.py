"""Feature: Login. A name is enough; none at all is enough too. And names are text, whatever is in them."""

import pytest

from tests.browser.page_words import NAME_FIELD
from tests.browser.scenarios import shows


@shows("login-1")
def test_a_name_and_a_key_and_one_plays(player):
    """Enter in the field plays against the first opponent; the other tests press a button."""
    name = player.page.get_by_role("textbox", name=NAME_FIELD)
    name.fill(player.name)
    player.opponent("call").wait_for()  # until they are known, there is nobody to play against
    name.press("Enter")
    seen = player.your_turn()
    assert seen.you.name == player.name and seen.pot == 3


@shows("login-2")
def test_a_name_that_is_none_is_refused_and_another_offered(player):
    player.page.get_by_role("textbox", name=NAME_FIELD).fill("  ")
    player.press(player.opponent("call"))
    player.name_refused("Give a name")
    dialog = player.page.get_by_role("dialog", name="Choose a name")
    dialog.get_by_role("textbox", name=NAME_FIELD).fill(player.name)
    player.press(dialog.get_by_role("button", name="Play"))
    assert player.your_turn().you.name == player.name


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


@pytest.mark.parametrize("name", ["<script>x({})</script>", "x'); DROP TABLE p;--{}", "<img src onerror=x({})>"])
def test_names_are_shown_as_text(player, name):
    shouted: list[str] = []
    player.page.on("pageerror", lambda error: shouted.append(str(error)))  # there is no x
    name = name.format(player.name.split()[-1])
    player.sit_down(name=name).move("call")
    seen = player.rivals_turn()
    assert seen.you.name == name and f"{name} calls 1" in seen.log and not shouted
    player.page.goto(player.served.address)  # the lobby: a seat is kept
    player.page.get_by_text(name).first.wait_for()
    assert not shouted
