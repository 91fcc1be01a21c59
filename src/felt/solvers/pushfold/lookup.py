"""Push/fold games that were solved before are not solved again."""

import hashlib
import time
from typing import overload

import numpy as np

from felt.cards.combos import CLASS_COUNT
from felt.solvers.pushfold.game import PushFold, best_response_gains, check_target
from felt.solvers.pushfold.headsup import TARGET, Solution, solve
from felt.solvers.pushfold.multiway import MultiSolution, Watch, gains_of, loaded, solve_multi
from felt.solvers.pushfold.multiway_game import MultiPushFold
from felt.solvers.strategy_cache import Floats, StrategyCache


def key_of(game: PushFold | MultiPushFold) -> str:
    """What the solution depends on: what each end of the hand pays everybody, in big blinds.

    Games that differ only in chips that are never at risk, or in the unit, share a key.

    >>> key_of(PushFold(stacks=(10, 10))) == key_of(PushFold(stacks=(1000, 3000), small_blind=50, big_blind=100))
    True
    """
    if isinstance(game, PushFold):
        return f"push/fold 1: {' '.join(f'{number:.12g}' for outcome in game.outcomes for number in outcome)}"
    digest = hashlib.sha256()
    for all_in, payoffs in sorted(game.terminals.items()):
        digest.update(f"{all_in} {' '.join(f'{number:.12g}' for number in (payoffs + 0.0).ravel())}\n".encode())
    return f"push/fold of {game.players} 2: {digest.hexdigest()}"


@overload
def look_up(game: PushFold, cache: StrategyCache, *, target: float = TARGET) -> Solution | None: ...
@overload
def look_up(game: MultiPushFold, cache: StrategyCache, *, target: float = TARGET) -> MultiSolution | None: ...
def look_up(
    game: PushFold | MultiPushFold, cache: StrategyCache, *, target: float = TARGET
) -> Solution | MultiSolution | None:
    """A solution from the cache, if there is one that is good enough for `target`: its best responses are asked."""
    check_target(target)
    started = time.perf_counter()
    played = cache.get(key_of(game))
    rows = 2 if isinstance(game, PushFold) else len(game.spots)
    if played is None or played.shape != (rows, CLASS_COUNT) or not ((played >= 0) & (played <= 1)).all():
        return None
    if isinstance(game, PushFold):
        shove, call = played
        exploitability = max(sum(best_response_gains(game.outcomes, shove, call)) / 2, 0.0)
        if exploitability > target:
            return None
        return Solution(game, shove, call, exploitability, 0, time.perf_counter() - started, "looked up")
    evs, often = loaded(game), dict(zip(game.spots, played, strict=True))
    started = time.perf_counter()
    gains = gains_of(evs, game, often)
    solution = MultiSolution(game, often, gains, 0, time.perf_counter() - started, "looked up")
    undecided = solution.exploitability <= target <= TARGET and bool(solution.undecided)
    return None if solution.exploitability > target or undecided else solution


@overload
def solve_or_look_up(game: PushFold, cache: StrategyCache, *, target: float = TARGET) -> Solution: ...
@overload
def solve_or_look_up(
    game: MultiPushFold, cache: StrategyCache, *, target: float = TARGET, watch: Watch | None = None
) -> MultiSolution: ...
def solve_or_look_up(
    game: PushFold | MultiPushFold, cache: StrategyCache, *, target: float = TARGET, watch: Watch | None = None
) -> Solution | MultiSolution:
    """The solution of a game, solved and saved if it was not there."""
    if isinstance(game, PushFold):
        heads_up = look_up(game, cache, target=target)
        if heads_up is None:
            heads_up = solve(game, target=target)
            _save(game, cache, heads_up.shove, heads_up.call)
        return heads_up
    solution = look_up(game, cache, target=target)
    if solution is None:
        solution = solve_multi(game, target=target, watch=watch)
        _save(game, cache, *(solution.often[spot] for spot in game.spots))
    return solution


def _save(game: PushFold | MultiPushFold, cache: StrategyCache, *played: Floats) -> None:
    cache.put(key_of(game), np.stack(played))
