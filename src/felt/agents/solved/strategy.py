"""Strategy: plays what a solver has found, from its file."""

from functools import cached_property, lru_cache
from pathlib import Path

from felt.abstraction.translation import real_action, shadows
from felt.agents.api import Agent, Explanation, check_or_call
from felt.errors import FeltError
from felt.games.actions import Action
from felt.games.engine.compiled import compile_rules
from felt.games.hand import Hand
from felt.games.history import HandRecord
from felt.games.replay import replay
from felt.games.rules import GameRules
from felt.games.trees.tree import actions
from felt.games.views.view import View
from felt.solvers.strategy import Strategy, load_strategy
from felt.solvers.trees.build_any import Key


class FromFile(Agent):
    """Plays a strategy that felt solve has saved, by its chances: strategy:FILE.

    Where a hand has left what was solved, by a raise that is not on its menu or by other stacks, it is followed in the
    solved game (`felt.abstraction.translation`): the raise counts as one of its two neighbours on the menu, drawn anew
    at every decision, and what the strategy does then is done in shares of the pot. Beyond that the agent checks or
    calls.
    """

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
        """As the strategy has them, translated where it must be; None where it says nothing, and the agent calls."""
        strategy = self.strategy
        if strategy is None:
            raise FeltError(
                "the agent 'strategy' needs a file that felt solve --save has written, like strategy:leduc.felt"
            )
        start = strategy.origin.start
        button = start.button if start is not None else view.players - 1
        turn = button - view.button
        plain = strategy.abstraction is None and strategy.origin.key is None
        if plain and _turned(view.stakes.stacks, turn) == strategy.stacks:
            chances = strategy.at((view.seat + turn) % view.players, strategy.knows(view))
            if chances is not None:
                return chances
        return self._translated(strategy, view, turn)

    def explain(self, view: View) -> Explanation | None:
        """What the seat knows, and what the strategy does there."""
        if self.strategy is None or view.legal is None:
            return None
        known, how = self.strategy.knows(view), f"{self.strategy.algorithm}, {self.strategy.iterations:,} iterations"
        if self.probabilities(view) is None:
            return Explanation(f"The strategy ({how}) has nothing for {known!r}: it checks or calls.")
        if self.strategy.sequences(view.seat, known) is None:
            return Explanation(
                f"The strategy ({how}) does not have {known!r}: the hand is followed in the solved game."
            )
        return Explanation(f"The strategy ({how}) has these chances for what the seat knows, {known!r}.")

    def _translated(self, strategy: Strategy, view: View, turn: int) -> dict[Action, float] | None:
        assert view.legal is not None
        hand = _seen(view, turn)
        chances: dict[Action, float] = {}
        total = 0.0
        for weight, shadow in shadows(hand, stacks=strategy.stacks, sizes=strategy.sizes, like=strategy.origin.start):
            sequences = strategy.sequences(shadow.turn, self._key(shadow, shadow.turn))
            if sequences is None:
                continue
            total += weight
            for sequence, action in zip(sequences, actions(shadow, sizes=strategy.sizes), strict=True):
                real = real_action(action, shadow, view, view.legal)
                chances[real] = chances.get(real, 0.0) + weight * float(strategy.chances[sequence])
        return {action: chance / total for action, chance in chances.items()} if total else None

    @cached_property
    def _key(self) -> Key:
        """What a seat of the solved game remembers."""
        strategy = self.strategy
        assert strategy is not None
        if strategy.abstraction is not None:
            return strategy.abstraction.key(strategy.rules, suits=strategy.suits)
        return strategy.origin.key or (lambda hand, seat: strategy.knows(hand.view(seat)))


def _seen(view: View, turn: int) -> Hand:
    """A hand that looks the same to the viewer, with the seats turned as the strategy has them."""
    stakes, players = view.stakes, view.players
    events = tuple(
        event._replace(seat=(event.seat + turn) % players) if event.seat >= 0 else event for event in view.history
    )  # fmt: skip
    return replay(
        HandRecord(
            rules=view.rules,
            stacks=_turned(stakes.stacks, turn),
            antes=_turned(stakes.antes, turn),
            posts=_turned(stakes.posts, turn),
            events=events,
            button=(view.button + turn) % players,
            dead_antes=stakes.dead_antes,
        )
    )


def _turned(numbers: tuple[int, ...], turn: int) -> tuple[int, ...]:
    """Numbers by seat, each so many seats further."""
    return tuple(numbers[(seat - turn) % len(numbers)] for seat in range(len(numbers)))


@lru_cache(maxsize=8)
def _loaded(file: str) -> Strategy:
    return load_strategy(file)
