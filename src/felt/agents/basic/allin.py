"""Always all-in: bets as much as the game allows, at every turn; calls where no raise is allowed."""

import numpy as np

from felt.agents.api import Agent, Explanation, raise_to
from felt.agents.tables import Moves, Tables, few_cards
from felt.games.actions import Action
from felt.games.engine.fields import MOST_RAISE
from felt.games.moves import Move
from felt.games.views.view import View


class AllIn(Agent):
    """Bets all it has, or as much of it as the game allows; calls where no raise is."""

    remembers = False

    def act(self, view: View) -> Action:
        """The largest raise, else call."""
        return raise_to(view, float("inf"))

    def probabilities(self, view: View) -> dict[Action, float]:
        """It always does the same."""
        return {self.act(view): 1.0}

    def explain(self, view: View) -> Explanation:
        """It looks at nothing."""
        return Explanation("It bets as much as the game allows; where no raise is allowed, it calls.")

    def act_batch(self, tables: Tables) -> Moves:
        """The largest raise, else call."""
        most = tables.legal[:, MOST_RAISE]
        return few_cards(tables, np.where(most > 0, int(Move.RAISE), int(Move.CALL)), most)
