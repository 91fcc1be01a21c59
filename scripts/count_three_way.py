"""Count every three-way all-in before the flop on a graphics card: half a minute there, days without one.

    python scripts/count_three_way.py src/felt/data          needs CuPy and an NVIDIA GPU; writes three_way.npz

For each three of the 169 classes of starting hands (first <= second <= third) it counts, over all their combos that
share no card and all 2,598,960 boards, in how many ways the three hands end up in each of the 13 possible orders, ties
included. Boards that differ by a change of suits are counted once, with their weight. What is kept is the number of
combos of each three classes, and the share of each order in units of 1/65535 that sum to one.

Nothing here is taken from the package, so the two can be held against each other: hands are ranked by a function of
its own, and the tests compare orders between two of the three with the exact table for two.
"""

import sys
import time
from itertools import permutations
from pathlib import Path

import numpy as np

try:
    import cupy as cp
except ImportError:
    sys.exit("counting needs CuPy and an NVIDIA GPU; the table that it makes ships with Felt")

BOARDS = 1_370_754
"""Of the 46 cards that three hands leave."""

UNITS = 65535

SOURCE = r"""
extern "C" {

// A seven-card hand as a number: larger is better. Cards are rank * 4 + suit.
__device__ int straight(int ranks) {
    int with_low_ace = (ranks << 1) | ((ranks >> 12) & 1);
    for (int top = 9; top >= 0; --top)
        if (((with_low_ace >> top) & 31) == 31) return top + 1;
    return 0;
}

__device__ int top_bits(int ranks, int keep) {
    int found = 0;
    for (int i = 0; i < keep; ++i) {
        int high = 31 - __clz(ranks);
        found |= 1 << high;
        ranks &= ~(1 << high);
    }
    return found;
}

__device__ int value_of(const int *cards) {
    int suits[4] = {0, 0, 0, 0}, seen[4] = {0, 0, 0, 0};
    for (int i = 0; i < 7; ++i) {
        int bit = 1 << (cards[i] >> 2);
        suits[cards[i] & 3] |= bit;
        if (seen[2] & bit) seen[3] |= bit;
        if (seen[1] & bit) seen[2] |= bit;
        if (seen[0] & bit) seen[1] |= bit;
        seen[0] |= bit;
    }
    for (int s = 0; s < 4; ++s)
        if (__popc(suits[s]) >= 5) {
            int run = straight(suits[s]);
            if (run) return (8 << 26) | run;
            // Seven cards with a flush hold no four of a kind and no full house.
            return (5 << 26) | top_bits(suits[s], 5);
        }
    if (seen[3]) {
        int four = 31 - __clz(seen[3]);
        return (7 << 26) | (four << 13) | top_bits(seen[0] & ~(1 << four), 1);
    }
    if (seen[2]) {
        int three = 31 - __clz(seen[2]);
        int rest = seen[1] & ~(1 << three);
        if (rest) return (6 << 26) | (three << 13) | (31 - __clz(rest));
    }
    int run = straight(seen[0]);
    if (run) return (4 << 26) | run;
    if (seen[2]) {
        int three = 31 - __clz(seen[2]);
        return (3 << 26) | (three << 13) | top_bits(seen[0] & ~(1 << three), 2);
    }
    if (__popc(seen[1]) >= 2) {
        int pairs = top_bits(seen[1], 2);
        return (2 << 26) | (pairs << 13) | top_bits(seen[0] & ~pairs, 1);
    }
    if (seen[1]) return (1 << 26) | (seen[1] << 13) | top_bits(seen[0] & ~seen[1], 3);
    return top_bits(seen[0], 5);
}

// values[board, combo], 0 where they share a card.
__global__ void rank_all(const unsigned char *boards, const unsigned char *combos, int *values, int count, int hands) {
    int hand = blockIdx.x * blockDim.x + threadIdx.x, board = blockIdx.y + blockIdx.z * gridDim.y;
    if (hand >= hands || board >= count) return;
    int cards[7];
    bool shared_card = false;
    for (int i = 0; i < 5; ++i) cards[i] = boards[board * 5 + i];
    for (int i = 0; i < 2; ++i) {
        cards[5 + i] = combos[hand * 2 + i];
        for (int j = 0; j < 5; ++j) shared_card |= cards[j] == cards[5 + i];
    }
    values[(long long)board * hands + hand] = shared_card ? 0 : 1 + value_of(cards);
}

#define CHUNK 32
#define HANDS 1326

// One block: all combos of two classes against 128 combos of the third, over a slice of the boards. Combos stand in
// order of their classes. `ranks` are dense: 1, 2, … on each board.
__global__ void count_orders(const unsigned short *ranks, const unsigned char *weights, int boards, int per_slice,
                             const int *starts, const unsigned char *combos, const int *class_of,
                             const int *pairs_first, const int *pairs_second, const int *place, unsigned int *counts) {
    int A = pairs_first[blockIdx.x], B = pairs_second[blockIdx.x];
    int c = starts[B] + blockIdx.y * blockDim.x + threadIdx.x;
    if (starts[B] + blockIdx.y * blockDim.x >= HANDS) return;
    bool mine = c < HANDS;
    int a0 = starts[A], na = starts[A + 1] - a0, b0 = starts[B], nb = starts[B + 1] - b0;
    int c1 = mine ? combos[2 * c] : 255, c2 = mine ? combos[2 * c + 1] : 255;
    unsigned int free_a = 0, free_b = 0;
    for (int i = 0; i < na; ++i) {
        int x = combos[2 * (a0 + i)], y = combos[2 * (a0 + i) + 1];
        if (x != c1 && x != c2 && y != c1 && y != c2) free_a |= 1u << i;
    }
    for (int i = 0; i < nb; ++i) {
        int x = combos[2 * (b0 + i)], y = combos[2 * (b0 + i) + 1];
        if (x != c1 && x != c2 && y != c1 && y != c2) free_b |= 1u << i;
    }
    __shared__ unsigned short ra[CHUNK][12], rb[CHUNK][12];
    __shared__ unsigned int weight[CHUNK];
    __shared__ unsigned int apart[12];
    if (threadIdx.x < na) {
        unsigned int found = 0;
        int x = combos[2 * (a0 + threadIdx.x)], y = combos[2 * (a0 + threadIdx.x) + 1];
        for (int i = 0; i < nb; ++i) {
            int u = combos[2 * (b0 + i)], v = combos[2 * (b0 + i) + 1];
            if (x != u && x != v && y != u && y != v) found |= 1u << i;
        }
        apart[threadIdx.x] = found;
    }
    unsigned int n[13];
    for (int i = 0; i < 13; ++i) n[i] = 0;
    int begin = blockIdx.z * per_slice, end = min(begin + per_slice, boards);
    for (int base = begin; base < end; base += CHUNK) {
        int size = min(CHUNK, end - base);
        __syncthreads();
        for (int i = threadIdx.x; i < size * 12; i += blockDim.x) {
            int board = i / 12, j = i % 12;
            ra[board][j] = j < na ? ranks[(long long)(base + board) * HANDS + a0 + j] : 0;
            rb[board][j] = j < nb ? ranks[(long long)(base + board) * HANDS + b0 + j] : 0;
        }
        for (int i = threadIdx.x; i < size; i += blockDim.x) weight[i] = weights[base + i];
        __syncthreads();
        for (int board = 0; board < size; ++board) {
            int rc = mine ? ranks[(long long)(base + board) * HANDS + c] : 0;
            unsigned int w = rc ? weight[board] : 0;
            for (int i = 0; i < na; ++i) {
                int x = ra[board][i];
                if (!x) continue;
                unsigned int may = ((free_a >> i) & 1) ? (free_b & apart[i]) : 0;
                for (int j = 0; j < nb; ++j) {
                    int y = rb[board][j];
                    if (!y) continue;
                    unsigned int add = ((may >> j) & 1) ? w : 0;
                    if (x > y) {
                        n[0] += rc > x ? add : 0;
                        n[1] += rc == x ? add : 0;
                        n[2] += (rc < x && rc > y) ? add : 0;
                        n[3] += rc == y ? add : 0;
                        n[4] += rc < y ? add : 0;
                    } else if (x < y) {
                        n[5] += rc > y ? add : 0;
                        n[6] += rc == y ? add : 0;
                        n[7] += (rc < y && rc > x) ? add : 0;
                        n[8] += rc == x ? add : 0;
                        n[9] += rc < x ? add : 0;
                    } else {
                        n[10] += rc > x ? add : 0;
                        n[11] += rc == x ? add : 0;
                        n[12] += rc < x ? add : 0;
                    }
                }
            }
        }
    }
    if (!mine) return;
    long long row = (long long)place[blockIdx.x] + class_of[c] - B;
    for (int i = 0; i < 13; ++i) if (n[i]) atomicAdd(&counts[row * 13 + i], n[i]);
}
}
"""


def class_index(low: int, high: int) -> int:
    """Place in the 13 x 13 grid, aces first, suited hands above the diagonal."""
    first, second = sorted((12 - (low >> 2), 12 - (high >> 2)))
    suited = (low & 3) == (high & 3)
    return first * 13 + second if suited or first == second else second * 13 + first


def canonical_boards() -> tuple[np.ndarray, np.ndarray]:
    """One board of each kind, and of how many it is one."""
    cards = cp.arange(52)
    grid = cp.stack(cp.meshgrid(*[cards] * 3, indexing="ij"), -1).reshape(-1, 3)
    grid = grid[(grid[:, 0] < grid[:, 1]) & (grid[:, 1] < grid[:, 2])]
    parts = []
    pairs = cp.stack(cp.meshgrid(cards, cards, indexing="ij"), -1).reshape(-1, 2)
    pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    for low in range(52):
        some = grid[grid[:, 2] == low]
        rest = pairs[pairs[:, 0] > low]
        if len(some) and len(rest):
            parts.append(cp.hstack([cp.repeat(some, len(rest), 0), cp.tile(rest, (len(some), 1))]))
    boards = cp.concatenate(parts)
    assert len(boards) == 2_598_960

    def code(some: cp.ndarray) -> cp.ndarray:
        total = cp.zeros(len(some), dtype=cp.int64)
        for i in range(5):
            total |= cp.int64(1) << some[:, i].astype(cp.int64)
        return total

    own = code(boards)
    least, same = own.copy(), cp.zeros(len(boards), dtype=cp.int32)
    for order in permutations(range(4)):
        moved = boards // 4 * 4 + cp.array(order)[boards % 4]
        image = code(moved)
        least = cp.minimum(least, image)
        same += image == own
    keep = least == own
    return cp.asnumpy(boards[keep]).astype(np.uint8), cp.asnumpy(24 // same[keep]).astype(np.uint8)


def packed(counts: np.ndarray) -> dict[str, np.ndarray]:
    """Combos of each three classes; shares of all orders but the fifth, low and high bytes apart to compress well."""
    ways = counts.sum(axis=1, dtype=np.int64)
    shares = counts * (UNITS / np.maximum(ways, 1))[:, None]
    units = np.floor(shares).astype(np.int64)
    missing = np.where(ways > 0, UNITS, 0) - units.sum(axis=1)
    by_rest = np.argsort(np.argsort(units - shares, axis=1, kind="stable"), axis=1)
    units += by_rest < missing[:, None]
    kept = np.ascontiguousarray(np.delete(units, 4, axis=1).T)
    return {
        "combos": (ways // BOARDS).astype(np.uint16),
        "low": (kept & 255).astype(np.uint8),
        "high": (kept >> 8).astype(np.uint8),
    }


def main(folder: Path) -> None:
    """Count, check the sums, write."""
    started = time.time()
    boards, weights = canonical_boards()
    assert weights.sum(dtype=np.int64) == 2_598_960
    print(f"{len(boards):,} boards, {time.time() - started:.1f} s", flush=True)
    combos = sorted(((a, b) for b in range(52) for a in range(b)), key=lambda c: (class_index(*c), c))
    class_of = np.array([class_index(*c) for c in combos], dtype=np.int32)
    starts = np.searchsorted(class_of, np.arange(170)).astype(np.int32)
    first, second = np.triu_indices(169)
    rows = 169 - second
    place = np.concatenate([[0], np.cumsum(rows)])
    code = cp.RawModule(code=SOURCE, options=("--std=c++14",))
    rank_all, count_orders = code.get_function("rank_all"), code.get_function("count_orders")
    on_card = cp.asarray(np.array(combos, dtype=np.uint8))
    ranks = cp.zeros((len(boards), 1326), dtype=cp.uint16)
    for begin in range(0, len(boards), 8192):
        some = cp.asarray(boards[begin : begin + 8192])
        values = cp.zeros((len(some), 1326), dtype=cp.int32)
        rank_all((11, len(some), 1), (128,), (some, on_card, values, np.int32(len(some)), np.int32(1326)))
        order = cp.argsort(values, axis=1)
        in_order = cp.take_along_axis(values, order, axis=1)
        new = cp.zeros_like(in_order)
        new[:, 1:] = in_order[:, 1:] != in_order[:, :-1]
        dense = cp.zeros((len(some), 1326), dtype=cp.uint16)
        cp.put_along_axis(dense, order, cp.cumsum(new, axis=1).astype(cp.uint16), axis=1)
        ranks[begin : begin + 8192] = dense  # the 245 combos that share a card with the board come first, as 0
    cp.cuda.Device().synchronize()
    print(f"ranked, {time.time() - started:.1f} s", flush=True)
    counts = cp.zeros((int(place[-1]), 13), dtype=cp.uint32)
    slices = 8
    per_slice = -(-len(boards) // slices)
    count_orders(
        (len(first), 11, slices),
        (128,),
        (
            ranks, cp.asarray(weights), np.int32(len(boards)), np.int32(per_slice), cp.asarray(starts), on_card,
            cp.asarray(class_of), cp.asarray(first.astype(np.int32)), cp.asarray(second.astype(np.int32)),
            cp.asarray(place[:-1].astype(np.int32)), counts,
        ),
    )  # fmt: skip
    cp.cuda.Device().synchronize()
    print(f"counted, {time.time() - started:.1f} s", flush=True)
    found = cp.asnumpy(counts)
    triples = found.sum(axis=1, dtype=np.int64)
    assert (triples % BOARDS == 0).all(), "some boards were not counted"
    print(f"{len(found):,} threes of classes, {int(triples.sum()):,} ways", flush=True)
    draft = folder / "three_way.tmp.npz"
    np.savez_compressed(draft, **packed(found))
    draft.replace(folder / "three_way.npz")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
