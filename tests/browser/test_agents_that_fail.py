"""Feature: Receiving malformed inputs: an agent that answers nonsense is acted for, and the log says so."""

from tests.browser.scenarios import shows


@shows("malformed-1")
def test_an_agent_that_makes_an_impossible_move(player):
    player.sit_down().play("you call", "Bo raise 5000")
    seen = player.until(lambda seen: len(seen.board) == 3, "the flop")
    assert any("Bo made a move that is not allowed" in line for line in seen.log) and "Bo checks" in seen.log
