"""Raising with keys, and bad amounts: what the button says is what is done, and what cannot be is explained."""

import pytest

from tests.browser.conftest import new_page
from tests.browser.game import Player

LONGEST = "three of a kind, queens, eight-seven kickers; eight-seven low (8-7-6-3-2)"
"""The longest words that there are for a hand: in games of high and low."""


@pytest.fixture
def bar(player):
    """A player whose turn it is, with the focus on "Call", where a mouse has left it before."""
    player.sit_down().your_turn()
    player.page.get_by_role("button", name="Call 1").focus()
    return player


def raised(player: Player, total: int) -> None:
    seen = player.until(lambda seen: seen.you.bet == total or seen.you.note == "folded", f"a raise to {total}")
    assert seen.you.bet == total and f"{player.name} raises to {total}" in seen.log, seen.log


def press_enter(player: Player) -> None:
    player.page.wait_for_timeout(300)  # in the first moments of a turn no key counts
    player.page.keyboard.press("Enter")


def test_after_a_preset_enter_raises_as_the_button_says(bar):
    bar.press_preset("Pot")
    assert bar.look().move("Raise to").amount == 6
    press_enter(bar)
    raised(bar, 6)


@pytest.mark.parametrize("how", ["digit", "arrow", "more", "wheel", "slider"])
def test_after_an_amount_set_in_any_way_enter_raises(bar, how):
    page = bar.page
    if how == "digit":
        page.keyboard.press("3")
    elif how == "arrow":
        page.keyboard.press("ArrowUp")
    elif how == "more":
        bar.press(page.get_by_role("button", name="more"))
    elif how == "wheel":
        if bar.touch:
            pytest.skip("a phone has no wheel")
        page.get_by_role("group", name="Set the amount").hover()
        page.mouse.wheel(0, -100)
    else:
        page.get_by_role("slider", name="Amount").fill("200")
    seen = bar.until(lambda seen: seen.move("Raise to").amount > 4, "another amount")
    press_enter(bar)
    raised(bar, seen.move("Raise to").amount)


def test_enter_on_another_button_does_what_that_says(bar):
    bar.press_preset("Pot")
    bar.page.get_by_role("button", name="Call 1").focus()
    press_enter(bar)
    bar.until(lambda seen: f"{bar.name} calls 1" in seen.log, "a call")


@pytest.mark.parametrize("how", ["Enter", "click", "key", "focus"])
def test_a_bad_amount_is_explained_however_it_is_sent(player, how):
    player.sit_down().your_turn()
    page = player.page
    player.type_amount("500")
    if how == "click":
        player.press_move("Raise to")
    elif how == "Enter":
        press_enter(player)
    elif how == "key":
        page.keyboard.press("Escape")  # out of the field
        press_enter(player)
    else:
        page.get_by_role("button", name="Raise to").focus()
        press_enter(player)
    player.until(lambda seen: "500 is too much" in seen.message, "why not")
    page.wait_for_timeout(200)
    seen = player.look()
    assert "Give an amount between 4 and 200" in seen.message and seen.pot == 3  # and it stays there to be read


@pytest.mark.parametrize("amount", ["many", 12.5, 500, 3, -1])
def test_a_bad_amount_is_explained_to_a_socket(player, amount):
    player.sit_down().your_turn()
    ask = """([table, amount]) => new Promise((resolve) => {
      const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/v1/tables/${table}/live`);
      socket.onopen = () => socket.send(JSON.stringify({ type: "act", hand: 1, step: 0, move: "raise", amount }));
      socket.onmessage = ({ data }) => {
        const told = JSON.parse(data);
        if (told.type === "refused") resolve(told.error.message);
      };
    })"""
    message = player.page.evaluate(ask, [player.table, amount])
    assert str(amount) in message and "Input" not in message
    if amount in (500, 3):
        assert "raise to 4–200" in message


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_last_words_of_you_hold_are_not_cut(browser, served, width):
    """At each width: all words of the longest hand are inside of the line, and the bar is as high as before."""
    page = new_page(browser, "phone" if width < 800 else "desktop", viewport={"width": width, "height": 700})
    try:
        page.goto(served.address)
        player = Player(page, served, touch=width < 800)
        player.sit_down()
        bar = page.get_by_role("region", name="Your move")
        before = bar.bounding_box()
        hold = page.get_by_test_id("hold")
        hold.evaluate("(line, words) => { line.textContent = words; }", f"You hold {LONGEST}")
        cut = hold.evaluate(
            """(line) => {
              const range = document.createRange();
              range.selectNodeContents(line);
              const words = range.getBoundingClientRect(), bar = line.closest("section").querySelector(".amount");
              return { out: words.right > innerWidth || words.bottom > bar.getBoundingClientRect().top,
                       hidden: line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight + 1 };
            }"""
        )
        assert cut == {"out": False, "hidden": False} and bar.bounding_box() == before
    finally:
        page.context.close()
