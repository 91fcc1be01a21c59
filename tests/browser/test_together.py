"""Two people at one table, a connection that is lost, and a table played by keys."""

import pytest

from tests.browser.game import Player
from tests.browser.page_words import BACK


def listen(player: Player) -> list[str]:
    """Everything that the service sends to this browser from now on."""
    heard: list[str] = []
    player.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    player.page.on("response", lambda answer: heard.append(answer.text()) if "/api/" in answer.url else None)
    return heard


def tells(heard: list[str], *cards: str) -> bool:
    """Whether any of the cards was told, alone or with the others."""
    words = [f'"{card}"' for card in cards] + ["".join(cards), "".join(reversed(cards))]
    return any(word in message for message in heard for word in words)


def test_two_browsers_never_show_each_others_cards_before_the_showdown(player, newcomer, screenshots):
    player.served.next_deck("KsKh", "AsAh", "2c3d4h8s9d")
    one, heard = player, listen(player)
    one.page.get_by_role("textbox", name="Your name").fill(one.name)
    one.press(one.page.get_by_role("button", name="People"))
    one.until(lambda seen: seen.you.name == one.name, "a seat")
    two = newcomer()
    told = heard, listen(two)
    two.page.get_by_role("textbox", name="Your name").fill(two.name)
    two.press(two.page.get_by_role("link", name="Join").filter(has_text=one.name))
    two.press(two.page.get_by_role("button", name="Take a seat"))
    two.until(lambda seen: seen.hand == 1, "a hand")
    two.page.reload()  # see the next test
    one.keep_hands()
    for mover, other, move in (
        (one, two, "raise 6"),
        (two, one, "call"),
        *((two, one, "check"), (one, two, "check")) * 3,
    ):
        seen = mover.your_turn()
        assert seen.rival.cards == [BACK, BACK] and BACK not in seen.you.cards
        seen = other.until(lambda seen: any(seat.own and BACK not in seat.cards for seat in seen.seats), "own cards")
        assert seen.rival.cards == [BACK, BACK]
        assert tells(told[0], "As", "Ah") and not tells(told[0], "Ks", "Kh")
        assert tells(told[1], "Ks", "Kh") and not tells(told[1], "As", "Ah")
        mover.move(move)
    seen = two.showdown()
    screenshots(two.page, "two-people")
    assert seen.rival.cards == ["ace of spades", "ace of hearts"] and seen.you.cards == [
        "king of spades",
        "king of hearts",
    ]
    assert (seen.rival.stack, seen.you.stack) == (206, 194)
    assert one.showdown().rival.cards == ["king of spades", "king of hearts"]


@pytest.mark.parametrize("size", ["desktop"], indirect=True)
def test_who_comes_as_a_stranger_and_sits_down_is_told_their_cards(player, newcomer):
    player.page.get_by_role("textbox", name="Your name").fill(player.name)
    player.press(player.page.get_by_role("button", name="People"))
    player.until(lambda seen: seen.you.name == player.name, "a seat")
    other = newcomer(f"#/table/{player.table}")
    other.press(other.page.get_by_role("button", name="Take a seat"))
    other.until(lambda seen: seen.hand == 1, "a hand")
    other.until(lambda seen: any(seat.own and BACK not in seat.cards for seat in seen.seats), "own cards", patience=2.0)


def test_after_a_lost_connection_all_is_as_it_would_have_been(player, screenshots):
    player.sit_down().move("call")
    player.rivals_turn()
    player.page.context.set_offline(True)
    player.served.cut(player.table)
    for words in ("check", "bet 4"):
        player.served.tell_agent(player.table, words)
    seen = player.until(lambda seen: seen.link, "that the connection is lost")
    screenshots(player.page, "lost-connection")
    assert seen.board == []
    player.page.context.set_offline(False)
    seen = player.until(lambda seen: seen.yours and not seen.link, "the table again")
    assert len(seen.board) == 3 and seen.move("Call").amount == 4 and seen.pot == 8
    assert [line for line in seen.log if line.startswith("Bo")] == ["Bo checks", "Bo bets 4"]
    player.move("call")
    player.until(lambda seen: len(seen.board) == 4, "the turn")


def test_a_hand_by_keys(player):
    """C calls, digits set the amount and Enter submits it, R goes to the field, F folds."""
    keys = player.page.keyboard
    player.sit_down()

    def key(name: str) -> None:
        player.your_turn()
        player.page.wait_for_timeout(300)  # a key in the first moment of a turn was meant for something else
        keys.press(name)

    key("c")
    player.play("Bo check", "Bo check")
    key("3")
    assert player.look().yours  # set, not submitted
    keys.press("Enter")
    assert player.rivals_turn().you.bet == 4  # the pot
    player.play("Bo raise 8")
    key("r")
    keys.type("20")
    keys.press("Enter")
    assert player.rivals_turn().you.bet == 20
    player.play("Bo raise 40")
    key("f")
    assert player.next_hand(2).rival.stack == 221


def test_events_stay_long_enough_to_be_followed(newcomer):
    """The other tests take a tab that nobody sees; to people, two moves of the agent are shown one after the other."""
    player = newcomer(hurry=False)
    player.sit_down()
    for words in ("check", "bet 4"):
        player.served.tell_agent(player.table, words)
    player.move("call")
    seen = player.until(lambda seen: "Bo checks" in seen.log, "the first of them")
    assert "Bo bets 4" not in seen.log and not seen.yours
    player.your_turn()
