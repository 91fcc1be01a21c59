"""The lobby and the table say who one plays against, and speak as players do."""

import re

import pytest


def test_opponents_have_a_name_and_a_style_in_three_words(player):
    player.opponent("ehs").wait_for()
    rivals = player.page.locator("button[data-agent]")
    for rival in rivals.all():
        title, style = rival.locator("b").inner_text(), rival.locator("small").inner_text()
        assert len(re.split(", ", style)) == 3 and title[0].isupper(), (title, style)
        assert title != rival.get_attribute("data-agent")
    assert rivals.count() >= 10
    assert "Regular" in player.opponent("tag").inner_text()
    assert "Tight, aggressive, patient" in player.opponent("tag").inner_text()


def test_who_bo_is_can_be_seen_at_the_table(player, screenshots):
    player.sit_down()
    page = player.page
    player.press(page.get_by_test_id("seat-1").get_by_test_id("who"))
    card = page.get_by_test_id("who-card")
    card.wait_for()
    assert card.inner_text().split("\n")[:1] == ["Bo"]
    for words in ("Calling station", "Loose, passive, stubborn", "Checks and calls"):
        assert words in card.inner_text()
    box, view = card.bounding_box(), page.viewport_size
    assert box["x"] >= 0 and box["x"] + box["width"] <= view["width"]
    screenshots(page, "who")
    page.keyboard.press("Escape")
    card.wait_for(state="detached")
    player.press(page.get_by_role("button", name="Table menu"))
    menu = page.get_by_role("dialog", name="Table menu")
    assert "Bo Calling station" in menu.get_by_role("listitem").inner_text().replace("\n", " ")


def test_set_up_a_table_speaks_as_players_do(player, screenshots):
    page = player.page
    player.opponent("call").wait_for()
    player.press(page.get_by_role("button", name="Set up a table"))
    dialog = page.get_by_role("dialog", name="Set up a table")
    for label in ("Small blind", "Big blind", "Ante", "Big-blind ante", "Buy-in", "Seconds to act"):
        assert dialog.get_by_label(label, exact=True).is_visible(), label
    assert dialog.get_by_text("_", exact=False).count() == 0
    assert dialog.get_by_label("Hands per level").count() == 0 and dialog.get_by_label("Starting stack").count() == 0
    screenshots(page, "set-up-cash")
    dialog.get_by_label("Tournament").check()
    assert dialog.get_by_label("Hands per level").is_visible() and dialog.get_by_label("Starting stack").is_visible()
    assert dialog.get_by_label("Buy-in").count() == 0
    screenshots(page, "set-up-tournament")
    dialog.get_by_label("Cash game").check()
    assert dialog.get_by_label("Hands per level").count() == 0


def test_a_table_with_a_big_blind_ante(player):
    page = player.page
    page.get_by_role("textbox", name="Your name").fill(player.name)
    player.opponent("call").wait_for()
    player.press(page.get_by_role("button", name="Set up a table"))
    dialog = page.get_by_role("dialog", name="Set up a table")
    dialog.get_by_label("Seat 2").select_option("call")
    for label, chips in (("Small blind", "5"), ("Big blind", "10"), ("Ante", "1"), ("Big-blind ante", "10")):
        dialog.get_by_label(label, exact=True).fill(chips)
    player.press(dialog.get_by_role("button", name="Open the table"))
    problem = dialog.get_by_test_id("setup-problem").filter(has_text="ante")  # one or the other
    problem.wait_for()
    dialog.get_by_label("Ante", exact=True).fill("0")
    player.press(dialog.get_by_role("button", name="Open the table"))
    seen = player.until(lambda seen: seen.hand == 1 and seen.pot, "a hand")
    assert seen.pot == 25


@pytest.mark.parametrize("game", ["Seven-card stud", "Kuhn poker"])
def test_the_settings_of_other_games(player, game):
    page = player.page
    player.opponent("call").wait_for()
    player.press(page.get_by_role("button", name=game, exact=False).first)
    player.press(page.get_by_role("button", name="Set up a table"))
    dialog = page.get_by_role("dialog", name="Set up a table")
    labels = [label.inner_text().split("\n")[0] for label in dialog.locator("label").all()]
    if game == "Kuhn poker":
        assert "Players" not in labels  # the seats say so
    else:
        assert {"Ante", "Bring-in", "Small bet", "Big bet"} <= set(labels)
