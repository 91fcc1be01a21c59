"""Features: Flop, Turn and River. After the flop the player without the button acts first, on every street."""

import pytest

from tests.browser.game import Player
from tests.browser.scenarios import shows

pytestmark = pytest.mark.parametrize("size", ["desktop", pytest.param("phone", marks=pytest.mark.long)], indirect=True)

BOARD = ["two of clubs", "seven of diamonds", "nine of hearts", "jack of spades", "king of clubs"]
STREETS = {"flop": 3, "turn": 4, "river": 5}


def on_each_street(number: int) -> pytest.MarkDecorator:
    """The same scenario of the three features."""
    return shows(*(f"{street}-{number}" for street in STREETS))


def begin(player: Player, *, button: str) -> int:
    """A hand with a known board that has reached the flop for 4; its number."""
    player.sit_down()
    if button == "Bo":
        player.give_away_the_button()
    player.play(*(("you call", "Bo check") if button == "you" else ("Bo call", "you check")))
    return 1 if button == "you" else 2


@pytest.fixture
def known_board(player: Player) -> Player:
    for _ in range(2):
        player.served.next_deck("3s4s", "3h4h", "2c7d9hJsKc")
    return player


LINES = {
    "AI checks, followed by User checks": ("you", ("Bo check", "you check"), 0, 4),
    "User checks, followed by AI checking": ("Bo", ("you check", "Bo check"), 0, 5),
    "User raises, followed by AI calling": ("you", ("Bo bet 4", "you raise 8", "Bo call"), 8, 6),
    "AI raises, followed by user calling": ("Bo", ("you bet 4", "Bo raise 8", "you call"), 8, 7),
    "User bets, followed by AI calling": ("Bo", ("you bet 4", "Bo call"), 4, 8),
    "AI bets, followed by user calls": ("you", ("Bo bet 4", "you call"), 4, 9),
}
CASES = [
    pytest.param(button, line, chips, id=name, marks=on_each_street(number))
    for name, (button, line, chips, number) in LINES.items()
]


@pytest.mark.parametrize(("button", "line", "chips"), CASES)
@on_each_street(1)
def test_a_street_is_played_and_the_next_comes(known_board, button, line, chips, screenshots):
    player, pot = known_board, 4
    hand = begin(player, button=button)
    for street, cards in STREETS.items():
        seen = player.until(lambda seen, cards=cards: len(seen.board) == cards, street)
        assert seen.board == BOARD[:cards] and seen.pot == pot and seen.hand == hand
        player.play(*line)
        pot += 2 * chips
    seen = player.next_hand(hand + 1)  # the showdown: both have played the board
    assert sum("wins" in line for line in seen.log) >= 1 and f"{seen.you.name} shows" in " ".join(seen.log)
    assert {seat.stack + seat.bet for seat in seen.seats} == ({200} if button == "you" else {199, 201})


@on_each_street(2)
def test_who_has_the_button_acts_last_and_may_check_or_bet(player):
    begin(player, button="you")
    for cards in STREETS.values():
        player.until(lambda seen, cards=cards: len(seen.board) == cards, "the next street")
        player.rival("check")
        assert player.your_turn().options == ["Fold", "Check", "Bet"]
        player.move("check")


@on_each_street(3)
def test_the_user_acts_first_when_the_agent_has_the_button(player):
    begin(player, button="Bo")
    for cards in STREETS.values():
        seen = player.until(lambda seen, cards=cards: len(seen.board) == cards and seen.yours, "the next street")
        assert seen.options == ["Fold", "Check", "Bet"]
        player.move("check")
        player.rival("check")


@pytest.mark.parametrize(
    ("street", "cards"),
    [pytest.param(s, n, id=s, marks=shows(f"{s}-10", f"{s}-11")) for s, n in STREETS.items()],
)
def test_a_fold_ends_the_hand(player, street, cards):
    """The user folds to a bet with the button; then the agent does. Each time the other gets the pot of 4."""
    begin(player, button="you")
    player.play(*("Bo check", "you check") * (cards - 3), "Bo bet 4", "you fold")
    seen = player.next_hand(2)
    assert (seen.you.stack + seen.you.bet, seen.rival.stack + seen.rival.bet) == (198, 202) and seen.board == []
    player.play("Bo call", "you check", *("you check", "Bo check") * (cards - 3), "you bet 4", "Bo fold")
    seen = player.next_hand(3)
    assert (seen.you.stack + seen.you.bet, seen.rival.stack + seen.rival.bet) == (200, 200) and seen.board == []
