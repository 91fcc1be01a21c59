"""Names with odd characters are text: they move nothing around them, and stay in their own place."""

import pytest

LEAVES = "אבג 123"  # written from right to left, with digits that would take the next ones along
MARKS = "Z\u0335\u0327" * 5  # as many as the service takes
ODD = [LEAVES, "ﷺ" * 3, MARKS, "<b>&amp;</b>", "W" * 24, "💥 👩‍🚀"[:3], "${name}{{1}}%s"]


@pytest.mark.parametrize("name", ODD)
def test_odd_names_render_safely(player, name, screenshots):
    name = f"{name[:16]} {player.name.split()[-1]}"
    player.sit_down(name=name).move("raise 24")
    player.rivals_turn()
    page = player.page
    seat = page.get_by_test_id("seat-0")
    plate = seat.locator(".plate").bounding_box()
    shown = seat.locator("bdi").first.evaluate(
        """(bdi) => {
          const line = bdi.parentElement, { x, width, height } = line.getBoundingClientRect();
          return { x, width, height, clips: getComputedStyle(line).overflow };
        }"""
    )
    assert shown["clips"] == "hidden" and shown["height"] <= plate["height"]
    assert plate["x"] <= shown["x"] and shown["x"] + shown["width"] <= plate["x"] + plate["width"] + 1
    line = page.get_by_test_id("log").locator("li").last
    assert line.text_content().replace("\u2068", "").replace("\u2069", "") == f"{name} raises to 24"
    assert ("\u2068" in line.text_content()) == any("\u0590" <= letter <= "\u08ff" or letter == "ﷺ" for letter in name)
    page.goto(player.served.address)
    page.get_by_text("Your seat is kept").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
