"""Push/fold games that were solved before are not solved again."""

import hashlib
import time
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Protocol, overload

import numpy as np

from felt._cache import cache_folder
from felt._files import write_bytes
from felt.cards.combos import CLASS_COUNT
from felt.errors import FeltError
from felt.solvers.pushfold.game import Floats, PushFold, check_target
from felt.solvers.pushfold.headsup import TARGET, Solution, best_response_gains, solve
from felt.solvers.pushfold.multiway import MultiSolution, Watch, gains_of, loaded, solve_multi
from felt.solvers.pushfold.multiway_game import MultiPushFold


class StrategyCache(Protocol):
    """A place that keeps arrays of numbers by a key, which says all that they depend on and nothing else.

    Who looks something up checks it as if a stranger had written it: a file that is damaged costs a new solve, no more.
    """

    def get(self, key: str) -> Floats | None:
        """What was put there; None if there is nothing that can be read."""

    def put(self, key: str, strategy: Floats) -> None:
        """Keep an array; where that is not possible, nothing happens."""


class FolderCache:
    """A folder with a file for each key, put in place whole; by default in Felt's cache folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = cache_folder() / "strategies" if folder is None else folder

    def get(self, key: str) -> Floats | None:
        """The array that was kept under a key."""
        try:
            # Mapped, so that a file that claims to be larger than it is takes no memory.
            array = np.load(self._path(key), mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError, TypeError, SyntaxError, OverflowError):
            return None
        return np.array(array) if isinstance(array, np.ndarray) and array.dtype == np.float64 else None

    def put(self, key: str, strategy: Floats) -> None:
        """Write beside and rename; a folder that is read-only or full keeps nothing."""
        with suppress(OSError, FeltError):
            self._folder.mkdir(parents=True, exist_ok=True)
            data = BytesIO()
            np.save(data, strategy, allow_pickle=False)
            write_bytes(self._path(key), data.getvalue())

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npy"


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
    known = look_up(game, cache, target=target)
    if known is not None:
        return known
    if isinstance(game, PushFold):
        heads_up = solve(game, target=target)
        cache.put(key_of(game), np.stack([heads_up.shove, heads_up.call]))
        return heads_up
    solution = solve_multi(game, target=target, watch=watch)
    cache.put(key_of(game), np.stack([solution.often[spot] for spot in game.spots]))
    return solution
