"""Always raise: bets and raises by the least that is allowed; calls where no raise is."""

import numpy as np

from felt.agents.api import Agent, Explanation, raise_to
from felt.agents.tables import Moves, Tables, few_cards
from felt.games.actions import Action
from felt.games.engine.fields import LEAST_RAISE
from felt.games.moves import Move
from felt.games.views.view import View


class Raise(Agent):
    """Raises by the least that is allowed; calls where no raise is."""

    remembers = False

    def act(self, view: View) -> Action:
        """The smallest raise, else call."""
        return raise_to(view, 0)

    def probabilities(self, view: View) -> dict[Action, float]:
        """It always does the same."""
        return {self.act(view): 1.0}

    def explain(self, view: View) -> Explanation:
        """It looks at nothing."""
        return Explanation("It raises by the least that is allowed; where no raise is, it calls.")

    def act_batch(self, tables: Tables) -> Moves:
        """The smallest raise, else call."""
        least = tables.legal[:, LEAST_RAISE]
        return few_cards(tables, np.where(least > 0, int(Move.RAISE), int(Move.CALL)), least)
