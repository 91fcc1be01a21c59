"""Feature: Initial game state, and what may be done before the flop without an action yet."""

from tests.browser.scenarios import shows


@shows("initial-1", "initial-2", "initial-3", "initial-4", "initial-5", "initial-8", "preflop-2")
def test_a_new_table_when_the_user_has_the_button(player, screenshots):
    player.served.next_deck("KsKh", "AsTh")
    seen = player.sit_down().your_turn()
    screenshots(player.page, "first-hand")
    assert [seat.button for seat in seen.seats].count(True) == 1 and seen.you.button
    assert seen.you.stack + seen.you.bet == seen.rival.stack + seen.rival.bet == 200
    assert seen.you.cards == ["ace of spades", "ten of hearts"]
    assert seen.rival.cards == ["hidden card", "hidden card"]
    assert seen.board == []
    assert seen.options == ["Fold", "Call", "Raise to"]
    assert (seen.you.bet, seen.rival.bet, seen.pot) == (1, 2, 3)
    assert (seen.move("Call").amount, seen.move("Raise to").amount) == (1, 4)


@shows("initial-6", "initial-7", "initial-9")
def test_a_hand_when_the_agent_has_the_button(player):
    player.sit_down().give_away_the_button()
    seen = player.rivals_turn()  # nothing can be pressed
    assert (seen.rival.bet, seen.you.bet, seen.pot) == (1, 2, 3)
    player.rival("call")
    assert player.your_turn().options == ["Fold", "Check", "Raise to"]
