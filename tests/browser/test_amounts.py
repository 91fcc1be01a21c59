"""Features: Bet and Raise: what is put in, and what is said to who gives an amount that cannot be."""

import pytest

from tests.browser.game import Player
from tests.browser.scenarios import shows

WRONG = [("500", "too much"), ("1", "too little"), ("test", "not a number"), ("-400", "too little"), ("forty", "not")]


def is_refused(player: Player, button: str, typed: str, words: str, between: str) -> None:
    """The amount is answered with a modal that says what can be given, and nothing else happens."""
    before = player.your_turn()
    player.type_amount(typed)
    player.press_move(button)
    seen = player.until(lambda seen: seen.message, f"a message about {typed}")
    assert words in seen.message and between in seen.message
    player.press(player.page.get_by_role("button", name="OK", exact=True))
    seen = player.until(lambda seen: not seen.message, "the message is closed")
    assert (seen.pot, seen.you.stack, seen.options) == (before.pot, before.you.stack, before.options)


@shows("bet-1", "bet-4", "bet-5", "bet-6")
def test_the_user_bets(player, screenshots):
    player.sit_down().give_away_the_button()
    player.play("Bo call", "you check")
    player.until(lambda seen: len(seen.board) == 3, "the flop")
    for typed, words in WRONG:
        is_refused(player, "Bet", typed, words, "between 2 and 197")
    player.type_amount("500")
    player.press_move("Bet")
    player.until(lambda seen: seen.message, "a message")
    screenshots(player.page, "refused-bet")
    player.page.keyboard.press("Escape")
    player.move("bet 10")
    seen = player.rivals_turn()
    assert (seen.you.bet, seen.you.stack, seen.pot, seen.rival.bet) == (10, 187, 14, 0)


@shows("bet-2", "raise-1", "raise-4", "raise-5", "raise-6", "minimum-4")
def test_the_agent_bets_and_the_user_raises(player):
    player.sit_down().play("you call", "Bo check", "Bo bet 10")
    seen = player.your_turn()
    assert (seen.rival.bet, seen.rival.stack, seen.pot) == (10, 188, 14)
    assert seen.options == ["Fold", "Call", "Raise to"]
    assert seen.move("Raise to").amount == 20 == int(seen.typed)  # by the size of the bet at least
    for typed, words in [("19", "too little"), *WRONG]:
        is_refused(player, "Raise to", typed, words, "between 20 and 198")
    player.move("raise 30")
    seen = player.rivals_turn()
    assert (seen.you.bet, seen.you.stack, seen.pot) == (30, 168, 44)
    player.rival("raise 50")  # by 20, as the raise before it
    assert player.your_turn().move("Raise to").amount == 70


@shows("raise-2")
def test_the_agent_raises(player):
    player.sit_down().play("you raise 6", "Bo raise 16")
    seen = player.your_turn()
    assert (seen.rival.bet, seen.rival.stack, seen.pot) == (16, 184, 22)
    assert seen.options == ["Fold", "Call", "Raise to"] and seen.move("Raise to").amount == 26


@pytest.mark.parametrize(
    ("moves", "button", "rest"),
    [
        pytest.param(("you call", "Bo check", "Bo check"), "Bet", 1, id="bet", marks=shows("bet-3")),
        pytest.param((), "Raise to", 3, id="raise", marks=shows("raise-3")),
    ],
)
def test_who_has_less_than_the_least_may_go_all_in_with_it(player, moves, button, rest):
    player.sit_down(stack=3).play(*moves)
    seen = player.your_turn()
    assert seen.move(button).name == f"{button} {rest} · all in"
    is_refused(player, button, "4", "too much", f"The only amount here is {rest}")
    player.move(f"{button.split()[0].lower()} {rest}")
    assert player.rivals_turn().you.stack == 0
