"""Push/fold games of three and more that were solved before are not solved again."""

import hashlib
import time

import numpy as np

from felt.cards.combos import CLASS_COUNT
from felt.solvers.pushfold_game import check_target
from felt.solvers.pushfold_multi import TARGET, MultiSolution, Watch, gains_of, loaded, solve_multi
from felt.solvers.pushfold_multi_game import MultiPushFold
from felt.solvers.strategy_cache import StrategyCache


def key_of(game: MultiPushFold) -> str:
    """What the solution depends on: what each end of the hand is worth to everybody, in big blinds.

    >>> chips = dict(small_blind=50, big_blind=100)
    >>> key_of(MultiPushFold(stacks=(10, 10, 10))) == key_of(MultiPushFold(stacks=(1000, 1000, 1000), **chips))
    True
    """
    digest = hashlib.sha256()
    for all_in, worth in sorted(game.ends.items()):
        digest.update(f"{all_in} {' '.join(f'{number:.12g}' for number in (worth + 0.0).ravel())}\n".encode())
    return f"push/fold of {game.players} 2: {digest.hexdigest()}"


def looked_up(game: MultiPushFold, cache: StrategyCache, *, target: float = TARGET) -> MultiSolution | None:
    """A solution from the cache, if there is one that is good enough for `target`: its best responses are asked."""
    check_target(target)
    kept = cache.get(key_of(game))
    if kept is None or kept.shape != (len(game.spots), CLASS_COUNT) or not ((kept >= 0) & (kept <= 1)).all():
        return None
    evs, often = loaded(game), dict(zip(game.spots, kept, strict=True))
    started = time.perf_counter()
    gains = gains_of(evs, game, often)
    if sum(gains) / len(gains) > target:
        return None
    found = MultiSolution(game, often, gains, 0, time.perf_counter() - started, "looked up")
    return None if target <= TARGET and found.undecided else found


def solve_or_look_up(
    game: MultiPushFold, cache: StrategyCache, *, target: float = TARGET, watch: Watch | None = None
) -> MultiSolution:
    """The solution of a game, solved and kept if it was not there."""
    found = looked_up(game, cache, target=target)
    if found is None:
        found = solve_multi(game, target=target, watch=watch)
        cache.put(key_of(game), np.stack([found.often[spot] for spot in game.spots]))
    return found
