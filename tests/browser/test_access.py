"""axe looks at every part of the page, light and dark: nothing keeps anybody out."""

import pytest
from axe_playwright_python.sync_playwright import Axe

SETTLED = "() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)))"
"""Colours are judged as they stay."""


class Looker:
    """Goes over what is on the screen, and remembers what axe says about it."""

    def __init__(self, page) -> None:
        self._page, self._axe, self.found = page, Axe(), {}

    def look(self, what: str) -> None:
        self._page.evaluate(SETTLED)
        found = self._axe.run(self._page)
        assert found.response["passes"], what
        if found.violations_count:
            self.found[what] = [
                (violation["id"], [node["html"][:160] for node in violation["nodes"]])
                for violation in found.response["violations"]
            ]


CASES = [
    ("desktop", "light"),
    ("phone", "dark"),
    pytest.param("desktop", "dark", marks=pytest.mark.long),
    pytest.param("phone", "light", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("size", "light"), CASES, indirect=["size"])
def test_no_violations(newcomer, light, screenshots):
    player = newcomer(color_scheme=light)
    page, served = player.page, player.served
    axe = Looker(page)

    def in_dialog(button: str, what: str) -> None:
        player.press(page.get_by_role("button", name=button, exact=True))
        screenshots(page, f"{what}-{light}")
        axe.look(what)
        page.keyboard.press("Escape")

    player.opponent("call").wait_for()
    screenshots(page, f"lobby-{light}")
    axe.look("lobby")
    in_dialog("Settings", "settings")
    in_dialog("Register", "account")
    in_dialog("Set up a table …", "set-up")
    player.press(page.get_by_role("button", name="Set up a table …"))
    page.get_by_label("Tournament").check()
    axe.look("set-up of a tournament")
    page.keyboard.press("Escape")
    served.next_deck("KsKh", "AsAh", "2c3d4h8s9d")
    player.sit_down().keep_hands().play("you raise 6", "Bo call", "Bo bet 10")
    player.your_turn()
    screenshots(page, f"table-{light}")
    axe.look("table in play")
    player.press(page.get_by_test_id("who"))
    page.get_by_test_id("who-card").wait_for()
    axe.look("who an agent is")
    page.keyboard.press("Escape")
    player.type_amount("1")
    player.press_move("Raise to")
    player.until(lambda seen: seen.message, "a message")
    axe.look("message")
    page.keyboard.press("Escape")
    player.play("you call", *("Bo check", "you check") * 2)
    player.showdown()
    screenshots(page, f"showdown-{light}")
    axe.look("showdown")
    in_dialog("Table menu", "menu")
    page.goto(f"{served.address}#/hands")
    row = page.get_by_test_id("hand-row").first
    row.wait_for()
    screenshots(page, f"hands-{light}")
    axe.look("history")
    player.press(row)
    page.get_by_role("button", name="Last step").wait_for()
    for _ in range(4):
        player.press(page.get_by_role("button", name="Step forward"))
    page.get_by_test_id("decision").first.wait_for()
    screenshots(page, f"replayer-{light}")
    axe.look("replayer")
    page.goto(f"{served.address}#/statistics")
    page.get_by_role("heading").first.wait_for()
    screenshots(page, f"statistics-{light}")
    axe.look("statistics")
    page.goto(served.address)
    player.press(page.get_by_role("button", name="Log in", exact=True))
    account = page.get_by_role("dialog", name="Account")
    player.press(account.get_by_role("button", name="Lost your password?"))
    axe.look("lost password")
    page.keyboard.press("Escape")
    player.press(page.get_by_role("button", name="Register", exact=True))
    account.get_by_label("Password", exact=True).fill("correct horse")
    player.press(account.get_by_role("button", name="Register"))
    account.get_by_test_id("recovery-code").wait_for()
    axe.look("recovery code")
    player.press(account.get_by_role("button", name="I have kept it"))
    player.press(page.get_by_role("button", name="Account:"))
    axe.look("one's own account")
    player.press(account.get_by_role("button", name="Delete the account"))
    axe.look("deleting the account")
    assert axe.found == {}
