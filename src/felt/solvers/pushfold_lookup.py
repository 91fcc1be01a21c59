"""Push/fold games that were solved before are not solved again."""

import time

import numpy as np

from felt.cards.combos import CLASS_COUNT
from felt.solvers.pushfold import TARGET, Solution, solve
from felt.solvers.pushfold_game import PushFold, best_response_gains, check_target
from felt.solvers.strategy_cache import StrategyCache


def key_of(game: PushFold) -> str:
    """What the solution depends on: what each end of the hand is worth, in big blinds.

    Games that differ only in chips that are never at risk, or in the unit, share a key.

    >>> key_of(PushFold(stacks=(10, 10))) == key_of(PushFold(stacks=(1000, 3000), small_blind=50, big_blind=100))
    True
    """
    worth = (f"{number:.12g}" for end in game.outcomes for number in end)
    return f"push/fold 1: {' '.join(worth)}"


def looked_up(game: PushFold, cache: StrategyCache, *, target: float = TARGET) -> Solution | None:
    """A solution from the cache, if there is one that is good enough for `target`: its best responses are asked."""
    check_target(target)
    started = time.perf_counter()
    kept = cache.get(key_of(game))
    if kept is None or kept.shape != (2, CLASS_COUNT) or not ((kept >= 0) & (kept <= 1)).all():
        return None
    shove, call = kept
    exploitability = max(sum(best_response_gains(game.outcomes, shove, call)) / 2, 0.0)
    if exploitability > target:
        return None
    return Solution(game, shove, call, exploitability, 0, time.perf_counter() - started, "looked up")


def solve_or_look_up(game: PushFold, cache: StrategyCache, *, target: float = TARGET) -> Solution:
    """The solution of a game, solved and kept if it was not there."""
    found = looked_up(game, cache, target=target)
    if found is None:
        found = solve(game, target=target)
        cache.put(key_of(game), np.stack([found.shove, found.call]))
    return found
