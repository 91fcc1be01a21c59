"""Always call: pays whatever it takes to stay in, and never bets."""

import numpy as np

from felt.agents.api import Agent, Explanation, check_or_call
from felt.agents.tables import Moves, Tables, few_cards
from felt.games.actions import Action
from felt.games.moves import Move
from felt.games.views.view import View


class Call(Agent):
    """Checks and calls, whatever it costs."""

    remembers = False

    def act(self, view: View) -> Action:
        """Check or call."""
        return check_or_call(view)

    def probabilities(self, view: View) -> dict[Action, float]:
        """It always does the same."""
        return {self.act(view): 1.0}

    def explain(self, view: View) -> Explanation:
        """It looks at nothing."""
        return Explanation("It checks and calls, whatever it costs.")

    def act_batch(self, tables: Tables) -> Moves:
        """Check or call."""
        return few_cards(tables, np.full(len(tables), int(Move.CALL)))
