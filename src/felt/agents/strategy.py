"""Strategy: plays what a solver has found, from its file."""

from functools import lru_cache
from pathlib import Path

from felt.agents.api import Agent, check_or_call
from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.compiled import compile_rules
from felt.games.keys import view_information
from felt.games.rules import GameRules
from felt.games.view import View
from felt.solvers.strategy import Strategy, load_strategy


class FromFile(Agent):
    """Plays a strategy that felt solve has saved, by its chances: strategy:FILE."""

    remembers = False
    takes_file = True

    def __init__(self, file: str = "") -> None:
        self.strategy: Strategy | None = _loaded(str(Path(str(file)).resolve())) if file else None

    def plays(self, rules: GameRules, players: int) -> str | None:
        """Only the game that was solved."""
        if self.strategy is None:
            return "it needs the file of a strategy, like strategy:leduc.felt"
        solved = self.strategy
        if compile_rules(rules).fingerprint != compile_rules(solved.rules).fingerprint or players != solved.players:
            return f"its strategy is for {solved.rules.name} with {solved.players} players"
        return None

    def act(self, view: View) -> Action:
        """One draw decides."""
        chances = self.probabilities(view)
        if chances is None:
            return check_or_call(view)
        left = self.dice.random() * sum(chances.values())
        for action, chance in chances.items():
            left -= chance
            if left < 0:
                return action
        return max(chances, key=lambda action: chances[action])

    def probabilities(self, view: View) -> dict[Action, float] | None:
        """As the strategy has them; None where it was never solved, and the agent checks or calls."""
        if self.strategy is None:
            raise FeltError(
                "the agent 'strategy' needs a file that felt solve --save has written, like strategy:leduc.felt"
            )
        if view.stakes.stacks != self.strategy.stacks:
            return None
        seat = (view.seat - view.button - 1) % view.players
        return self.strategy.at(seat, view_information(view, suits=self.strategy.suits))


@lru_cache(maxsize=8)
def _loaded(file: str) -> Strategy:
    return load_strategy(file)
