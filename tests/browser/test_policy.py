"""The page as browsers guard it: nothing that it does is refused by the service's own policy."""

import pytest


@pytest.mark.parametrize("size", ["desktop"])
def test_playing_and_studying_break_no_rule(newcomer):
    player = newcomer(hurry=False, service_workers="allow", reduced_motion="no-preference")
    page, said = player.page, []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.reload()
    player.sit_down().play("you call", "Bo check", *("Bo check", "you check") * 3)
    player.next_hand(2)
    table = player.table
    page.goto(f"{player.served.address}#/hands")
    page.get_by_role("link").filter(has_text="wins").first.wait_for()
    page.goto(f"{player.served.address}#/hand/{table}-1")
    page.get_by_role("slider").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("equity").first.wait_for()
    page.goto(f"{player.served.address}#/statistics")
    page.get_by_text("VPIP").first.wait_for()
    page.goto(f"{player.served.address}api/v1/docs")
    assert page.get_by_role("heading", name="GET /api/v1/hands/{hand}", exact=True).is_visible()
    assert said == []
