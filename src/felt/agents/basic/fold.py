"""Always fold: gives up against any bet, and checks where that is free."""

import numpy as np

from felt.agents.api import Agent, Explanation, check_or_fold
from felt.agents.tables import Moves, Tables, few_cards
from felt.games.actions import Action
from felt.games.engine.fields import MAY_FOLD, TO_CALL
from felt.games.moves import Move
from felt.games.views.view import View


class Fold(Agent):
    """Folds to any bet, and checks where that is free."""

    remembers = False

    def act(self, view: View) -> Action:
        """Check, else fold."""
        return check_or_fold(view)

    def probabilities(self, view: View) -> dict[Action, float]:
        """It always does the same."""
        return {self.act(view): 1.0}

    def explain(self, view: View) -> Explanation:
        """It looks at nothing."""
        return Explanation("It folds to every bet, and checks where that is free.")

    def act_batch(self, tables: Tables) -> Moves:
        """Check, else fold."""
        may_fold, call = tables.legal[:, MAY_FOLD], tables.legal[:, TO_CALL]
        return few_cards(tables, np.where((may_fold == 1) & (call > 0), int(Move.FOLD), int(Move.CALL)))
