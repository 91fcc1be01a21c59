"""The odds in a state of a hand, by what a seat may know. Begin with `at_state`."""

from felt.odds.state.at_state import StateOdds, at_state, open_equity
from felt.odds.state.from_view import expected_strength, possible_hand, sensible_exchange

__all__ = ["StateOdds", "at_state", "expected_strength", "open_equity", "possible_hand", "sensible_exchange"]
