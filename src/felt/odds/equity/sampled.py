"""Equity by dealing at random, with its standard error.

Deals come in blocks. Each block has a stream of chance of its own, made from the seed and the number of the
block, and counts are whole numbers; so the answer depends on the seed and on nothing else, however many
threads share the work.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from felt._chance import block_seeds
from felt._pool import map_ordered
from felt.cards.combos import COMBO_MASKS
from felt.cards.ranking.evaluator import tables
from felt.errors import OddsError
from felt.odds.equity.question import MASKS, Effort, Question
from felt.odds.equity.result import SHARES, SQUARES, PlayerEquity, players_equity

Counts = NDArray[np.int64]
Deal = Callable[[tuple[int, int]], tuple[Counts, int]]

BLOCK = 4096
FIRST_LOOK = 4 * BLOCK
"""Deals before the first guess how many more an asked error needs."""

BLOCKS_AT_ONCE = 1 << 14
"""Blocks that wait for a thread at one time: more would only fill the memory."""

MOST_SAMPLES = 10**12
TRIES_PER_SAMPLE = 2000
"""Draws of hands that do not go together before we give up on a block."""

STREAM = 0x65717569  # "equi": keeps these streams apart from those of other rooms


def sampled_equity(question: Question, effort: Effort) -> tuple[list[PlayerEquity], int, float]:
    """Every player's equity, the number of deals, and the largest standard error.

    Deals `effort.samples` hands, or until the largest standard error is at most `effort.stderr`.
    """
    from felt.odds.equity.sample_kernels import SHARE_UNIT

    return sample(_dealer(question, effort.seed), question.names, SHARE_UNIT, effort)


def sample(deal: Deal, names: Sequence[str], unit: int, effort: Effort) -> tuple[list[PlayerEquity], int, float]:
    """Deal block after block: every player's equity, the number of deals, and the largest standard error.

    `deal` takes the number of a block and how many deals it has, and counts pots won, tied, shares in
    `unit`-ths of the pot and squares of these for each player.
    """
    samples, stderr = effort.samples, effort.stderr
    counts, done = np.zeros((len(names), 4), dtype=np.int64), 0
    target = samples if samples is not None else FIRST_LOOK
    _check_size(target, unit, f"samples={target} would take days: ask for fewer, or for a standard error")
    while True:
        while done < target:
            for part, dealt in map_ordered(deal, _blocks(done, target), effort.threads):
                counts += part
                done += dealt
                if effort.progress:
                    effort.progress(done, target)
        error = largest_error(counts, done, unit)
        if samples is not None or stderr is None or error <= stderr:
            return players_equity(names, counts, unit, done), done, error
        needed = max(done * (error / stderr) ** 2 * 1.02, done + BLOCK)  # with a little to spare
        _check_size(needed, unit, f"a standard error of {stderr:g} would take {needed:.1e} deals: ask for a larger one")
        target = -(-int(needed) // BLOCK) * BLOCK


def _check_size(deals: float, unit: int, refusal: str) -> None:
    """Refuse more deals than anybody waits for, or than the sums of squares have room for."""
    if deals > min(MOST_SAMPLES, (2**63 - 1) // unit**2):
        raise OddsError(refusal)


def largest_error(counts: Counts, done: int, unit: int) -> float:
    """The largest standard error of the players' mean shares."""
    share = counts[:, SHARES] / unit / done
    square = counts[:, SQUARES] / unit**2 / done
    variance = np.maximum(square - share**2, 0.0)
    seen = float(np.sqrt(variance.max() / max(done - 1, 1)))
    # After n wins of n the chance of a loss is 1 / (n + 2), give or take as much (Laplace's rule of succession).
    return max(seen, 1 / (done + 2))


def _blocks(done: int, target: int) -> list[tuple[int, int]]:
    """The next blocks by number and size, as many as fit in memory."""
    first, last = done // BLOCK, -(-target // BLOCK)
    return [(i, min(BLOCK, target - i * BLOCK)) for i in range(first, min(last, first + BLOCKS_AT_ONCE))]


def _dealer(question: Question, seed: int) -> Deal:
    """A function that deals one block, and returns its counts and its number of deals."""
    from felt._chance_kernels import wrapping
    from felt.odds.equity.sample_kernels import simulate

    stranger = question.strangers()
    weights = question.weights
    order = np.argsort(stranger, kind="stable")  # players with ranges first
    live = [np.flatnonzero(weights[p]) for p in order if not stranger[p]]
    hands = np.concatenate([COMBO_MASKS[i] for i in live]) if live else np.zeros(0, dtype=np.uint64)
    starts = np.cumsum([0, *(len(i) for i in live)])
    aliases = [alias_table(weights[p][i]) for p, i in zip(order, live, strict=False)]
    keep = np.concatenate([k for k, _ in aliases]) if live else np.zeros(0)
    other = np.concatenate([o + s for (_, o), s in zip(aliases, starts, strict=False)]) if live else starts[:0]
    fixed = [i[0] for i in live if len(i) == 1]
    taken = np.bitwise_or.reduce(COMBO_MASKS[fixed]) if fixed else np.uint64(0)
    deck = np.array([card for card in question.deck if not int(taken) & int(MASKS[card])], dtype=np.int64)
    known = np.uint64(sum(int(MASKS[card]) for card in question.board))
    ranking = tables(question.kind)

    def deal(block: tuple[int, int]) -> tuple[Counts, int]:
        number, samples = block
        counts = np.zeros((len(order), 4), dtype=np.int64)
        start = block_seeds(seed, number, 1, STREAM)[0]
        tries = samples * TRIES_PER_SAMPLE
        strangers = len(order) - len(live)
        with wrapping():
            dealt = simulate(
                start, samples, deck, known, question.missing, hands, starts, keep, other, strangers, ranking, tries,
                counts,
            )  # fmt: skip
        if dealt < samples:
            raise OddsError(
                f"{', '.join(map(repr, question.names))} go together in too few deals to sample:"
                " they need the same cards; ask for an exact answer or widen the ranges"
            )
        back = np.empty_like(counts)
        back[order] = counts
        return back, dealt

    return deal


def alias_table(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """For drawing by weight: keep a uniformly chosen entry with chance `keep`, else take `other`.

    Vose 1991. Chances are weights divided by their sum.
    """
    n = len(weights)
    keep = weights * (n / weights.sum())
    other = np.arange(n)
    small = [i for i in range(n) if keep[i] < 1]
    large = [i for i in range(n) if keep[i] >= 1]
    while small and large:
        i, j = small.pop(), large[-1]
        other[i] = j
        keep[j] -= 1 - keep[i]
        if keep[j] < 1:
            small.append(large.pop())
    keep[small + large] = 1.0  # what rounding left over
    return keep, other
