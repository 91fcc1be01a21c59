# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled parts of suit isomorphism: orbits of boards, and of hole cards beside them."""

import numpy as np

from felt._jit import kernel
from felt.cards.ranking.kernels import CARD_MASKS

LANE = np.uint64(0xFFFF)


@kernel
def rename_mask(mask, suits):
    """A set of cards (sixteen bits a suit) with its suits renamed."""
    return (
        (mask & LANE) << np.uint64(16 * suits[0])
        | ((mask >> np.uint64(16)) & LANE) << np.uint64(16 * suits[1])
        | ((mask >> np.uint64(32)) & LANE) << np.uint64(16 * suits[2])
        | (mask >> np.uint64(48)) << np.uint64(16 * suits[3])
    )


@kernel
def next_subset(subset, n):
    """Move `subset` (ascending positions below `n`) to the next one, in colexicographic order."""
    size = len(subset)
    for i in range(size):
        limit = subset[i + 1] if i + 1 < size else n
        if subset[i] + 1 < limit:
            subset[i] += 1
            for j in range(i):
                subset[j] = j
            return True
    return False


@kernel
def smallest_renamings(size, suit_permutations, masks, renamings):
    """For each board of `size` cards, as `next_subset` lists them: its smallest mask, and the way there."""
    subset = np.arange(size)
    for number in range(len(masks)):
        mask = np.uint64(0)
        for card in subset:
            mask |= CARD_MASKS[card]
        masks[number] = mask
        renamings[number] = 0
        for p in range(1, 24):
            moved = rename_mask(mask, suit_permutations[p])
            if moved < masks[number]:
                masks[number] = moved
                renamings[number] = p
        next_subset(subset, 52)


@kernel
def number_combos(masks, suit_permutations, combo_permutations, combo_cards, base, local):
    """Classes of combos beside each canonical board: those that its own symmetries take into each other."""
    blocked = np.uint16(65535)
    own = np.empty(24, dtype=np.int64)
    base[0] = 0
    for i in range(len(masks)):
        mask = masks[i]
        symmetries = 0
        for p in range(24):
            if rename_mask(mask, suit_permutations[p]) == mask:
                own[symmetries] = p
                symmetries += 1
        count = 0
        for combo in range(1326):
            if (CARD_MASKS[combo_cards[combo, 0]] | CARD_MASKS[combo_cards[combo, 1]]) & mask:
                local[i, combo] = blocked
                continue
            least = combo
            for s in range(symmetries):
                least = min(least, combo_permutations[own[s], combo])
            if least == combo:
                local[i, combo] = count
                count += 1
            else:
                local[i, combo] = local[i, least]
        base[i + 1] = base[i] + count
