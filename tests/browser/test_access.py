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
    served.next_deck("KsKh", "AsAh", "2c3d4h8s9d")
    player.sit_down().keep_hands().play("you raise 6", "Bo call", "Bo bet 10")
    player.your_turn()
    screenshots(page, f"table-{light}")
    axe.look("table in play")
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
    assert axe.found == {}
