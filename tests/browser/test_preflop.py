"""Feature: Preflop. The blinds are bets already, so the first to act folds, calls or raises."""

from tests.browser.scenarios import shows


@shows("preflop-1", "preflop-3", "preflop-10")
def test_the_user_calls_and_the_agent_checks(player):
    player.sit_down().move("call")
    seen = player.rivals_turn()
    assert (seen.you.bet, seen.rival.bet, seen.pot, seen.board) == (2, 2, 4, [])
    player.rival("check")
    assert player.until(lambda seen: len(seen.board) == 3, "the flop").pot == 4


@shows("preflop-5", "preflop-11", "preflop-13")
def test_the_user_raises_and_the_agent_calls(player):
    player.sit_down().move("raise 6")
    seen = player.rivals_turn()
    assert (seen.you.stack, seen.you.bet, seen.pot, seen.board) == (194, 6, 8, [])
    player.rival("call")
    assert player.until(lambda seen: len(seen.board) == 3, "the flop").pot == 12


@shows("preflop-4", "preflop-6", "preflop-9")
def test_the_user_folds_then_the_agent_calls_and_the_user_checks(player):
    player.sit_down().move("fold")
    seen = player.next_hand(2)
    assert (seen.rival.stack + seen.rival.bet, seen.you.stack + seen.you.bet) == (201, 199)
    player.rival("call")
    seen = player.your_turn()
    assert (seen.rival.bet, seen.pot, seen.board) == (2, 4, []) and seen.options == ["Fold", "Check", "Raise to"]
    player.move("check")
    assert player.until(lambda seen: len(seen.board) == 3, "the flop").pot == 4


@shows("preflop-7", "preflop-12", "preflop-14")
def test_the_agent_raises_and_the_user_calls(player):
    player.sit_down().give_away_the_button()
    player.rival("raise 6")
    seen = player.your_turn()
    assert (seen.rival.bet, seen.pot, seen.board) == (6, 8, [])
    assert seen.options == ["Fold", "Call", "Raise to"] and seen.move("Call").amount == 4
    player.move("call")
    assert player.until(lambda seen: len(seen.board) == 3, "the flop").pot == 12


@shows("preflop-8")
def test_the_agent_folds_first(player):
    player.sit_down().give_away_the_button()
    player.rival("fold")
    seen = player.next_hand(3)
    assert (seen.you.stack + seen.you.bet, seen.rival.stack + seen.rival.bet) == (200, 200)
