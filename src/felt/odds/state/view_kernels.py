# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled strength in any game, by what one seat sees: unseen cards are dealt out again and again by the engine.

Quicker and rougher than `state_kernels.deal_out`: only two hands are compared, and in games where cards are exchanged
only the seat itself thinks about what to exchange; its final hands are measured by how many others end up worse.
"""

import numpy as np

import felt.games.engine.fields as f
from felt._chance_kernels import GOLDEN, random_bits
from felt._jit import kernel
from felt.cards.ranking.kernels import CARD_KEYS, CARD_MASKS, FLUSH_BITS, START, SUIT_MASK, flush_suit, ranks_value
from felt.games.engine.fields import CARDS_EACH
from felt.games.engine.kernels import apply, legal
from felt.games.engine.showdown_kernels import best_value, collect, count_bits
from felt.games.moves import BET, CALL, DISCARD, EXCHANGE, ROLL, SHOWDOWN
from felt.odds.state.state_kernels import MOST_CARDS, choose_exchange, count_below, mix, place_cards, unknown_to

HASHED = 7
"""Cards that are ranked at once."""


@kernel
def dealt_strength(h0, k0, g, places, unseen, seat, rivals, samples, shown, tables, extra, seed, shares):
    """Sum over `samples` deals of what the seat gets of a pot that it and one rival contest: ``shares[rivals]``.

    For games without exchanges. `unseen` cards fall at random into `places`, which are named by the cards that the
    record has there; nobody bets.
    """
    state = np.uint64(seed)
    h, k = np.empty_like(h0), np.empty_like(k0)
    cards, room = np.empty(MOST_CARDS, dtype=np.uint8), np.empty(16, dtype=np.uint8)
    own = np.empty(2, dtype=np.int64)
    kinds = g[f.SCALARS, f.GAME_KINDS]
    for _ in range(samples):
        state = _deal(h0, k0, h, k, places, unseen, state)
        while h[f.PHASE] < SHOWDOWN:
            apply(h, k, g, CALL, np.int64(0), shown)
        held = collect(h, k, seat, cards)
        for kind in range(kinds):
            own[kind] = _final_value(cards[: held + h[f.BOARD_COUNT]], held, g, kind, tables, extra, room)
        for i in range(len(rivals)):
            held = collect(h, k, rivals[i], cards)
            won, contested = 0.0, 0
            for kind in range(kinds):
                value = _final_value(cards[: held + h[f.BOARD_COUNT]], held, g, kind, tables, extra, room)
                if own[kind] > 0 or value > 0:  # else nobody has a hand of this kind
                    contested += 1
                    won += 1.0 if own[kind] > value else 0.5 if own[kind] == value else 0.0
            shares[i] += won / contested if contested else 0.5


@kernel
def exchanged_strength(
    h0, k0, g, places, unseen, seat, exchanges, paths, finishes, shown, tables, extra, ladders, deck, seed
):  # fmt: skip
    """The part of all final hands that the seat's final hand beats, on average, ties half; for games with exchanges.

    The seat has `exchanges` to come and makes them sensibly; others exchange as little as they may, so what they pass
    on is random. Each of `paths` leads to the last exchange, and its hand is then completed in `finishes` ways.
    `ladders` are sorted values of final hands, by kind.
    """
    state = np.uint64(seed)
    h, k = np.empty_like(h0), np.empty_like(k0)
    out = np.empty(len(f.LEGAL_FIELDS), dtype=np.int64)
    cards_now = k0[f.COUNT + seat] + h0[f.BOARD_COUNT]
    beaten, first = 0.0, np.int64(-1)
    for _ in range(paths):
        state = _deal(h0, k0, h, k, places, unseen, state)
        gone, left = np.int64(0), exchanges
        while left > 0 and h[f.PHASE] < SHOWDOWN:
            if h[f.PHASE] == BET:
                apply(h, k, g, CALL, np.int64(0), shown)
                continue
            legal(h, k, g, out)
            chosen = np.int64((1 << out[f.LEAST_CARDS]) - 1)
            if h[f.TURN] == seat and h[f.PHASE] != ROLL:
                same = left == exchanges and k[f.COUNT + seat] + h[f.BOARD_COUNT] == cards_now  # on every path
                chosen = first
                if not same or first < 0:
                    state += GOLDEN
                    fewest, most = out[f.LEAST_CARDS], out[f.MOST_CARDS]
                    chosen = choose_exchange(h, k, g, fewest, most, tables, extra, ladders, deck, random_bits(state))
                if same:
                    first = chosen
                left -= 1
                if left == 0:
                    gone = chosen
                    break
            apply(h, k, g, EXCHANGE, chosen, shown)
        state += GOLDEN
        beaten += _completed(h, k, g, seat, gone, unseen, finishes, tables, extra, ladders, random_bits(state))
    return beaten / paths


@kernel
def _completed(h, k, g, seat, gone, unseen, finishes, tables, extra, ladders, state):
    """The part of final hands that a hand beats, on average over `finishes` ways to replace the cards `gone`."""
    cards, room = np.empty(MOST_CARDS, dtype=np.uint8), np.empty(16, dtype=np.uint8)
    pool = np.empty(len(unseen), dtype=np.uint8)
    total = int(k[f.COUNT + seat])
    own = 0
    for i in range(total):
        if not gone >> i & 1:
            cards[own] = k[f.CARDS + seat * CARDS_EACH + i]
            own += 1
    replaced = 0 if h[f.PHASE] == DISCARD else total - own
    hole, board = own + replaced, h[f.BOARD_COUNT]
    for later in range(h[f.STREET] + 1, g[f.SCALARS, f.GAME_ROUNDS]):
        hole += g[f.DOWN_IN, later] + g[f.UP_IN, later]
        board += g[f.BOARD_IN, later]
    for i in range(h[f.BOARD_COUNT]):
        cards[hole + i] = k[f.BOARD + i]
    left = unknown_to(h, k, seat, unseen, pool)
    needed = hole - own + board - h[f.BOARD_COUNT]
    if needed == 0:
        finishes = 1
    beaten = 0.0
    for _ in range(finishes):
        state = mix(pool[:left], needed, state)
        for i in range(own, hole):
            cards[i] = pool[i - own]
        for i in range(h[f.BOARD_COUNT], board):
            cards[hole + i] = pool[hole - own + i - h[f.BOARD_COUNT]]
        beaten += _part_beaten(cards[: hole + board], hole, g, tables, extra, ladders, room)
    return beaten / finishes


@kernel
def _part_beaten(cards, held, g, tables, extra, ladders, room):
    """The part of the final hands in `ladders` that some cards beat, ties half, over the kinds that share the pot."""
    beaten, kinds = 0.0, g[f.SCALARS, f.GAME_KINDS]
    for kind in range(kinds):
        value = _final_value(cards, held, g, kind, tables, extra, room)
        beaten += count_below(ladders[kind], value) + count_below(ladders[kind], value + 1)
    return beaten / (2 * kinds * ladders.shape[1])


@kernel
def _deal(h0, k0, h, k, places, unseen, state):
    """Copy a record to `h` and `k` with the unseen cards in random places. Returns the next state."""
    state = mix(unseen, len(unseen), state)
    place_cards(h0, k0, h, k, places, unseen)
    return state


@kernel
def _final_value(cards, held, g, kind, tables, extra, room):
    """Value of the best hand of some cards, the first `held` from the hand and the others from the board."""
    size, exactly = g[f.SCALARS, f.GAME_SIZE], g[f.HOLE_EXACTLY, kind]
    if g[f.METHOD, kind] == f.PLAIN and (exactly > 0 or len(cards) > HASHED):
        return _best_choice(cards, held, size, exactly, tables[kind])
    return best_value(cards, held, size, exactly, g[f.METHOD, kind], tables[kind], extra, room)


@kernel
def _best_choice(cards, held, size, exactly, tables):
    """As `best_value` for plain kinds: what is chosen of the board is added up once, not for every hand."""
    offsets, values, flushes = tables
    shared = len(cards) - held
    keys, masks = np.empty(1 << shared, dtype=np.uint64), np.empty(1 << shared, dtype=np.uint64)
    best = 0
    for mine in range(exactly, (exactly or min(size, held)) + 1):
        if size - mine > shared:
            continue
        count = 0
        for chosen in range(1 << shared):
            if count_bits(chosen) == size - mine:
                keys[count], masks[count] = _sums(cards[held:], chosen)
                count += 1
        for chosen in range(1 << held):
            if count_bits(chosen) != mine:
                continue
            own_key, own_mask = _sums(cards[:held], chosen)
            own_key += START[size]
            for i in range(count):
                key = own_key + keys[i]
                if key & FLUSH_BITS and len(flushes) > 0:
                    mask = own_mask | masks[i]
                    best = max(best, int(flushes[(mask >> np.uint64(16 * flush_suit(key))) & SUIT_MASK]))
                else:
                    best = max(best, int(ranks_value(key, offsets, values)))
    return best


@kernel
def _sums(cards, chosen):
    """The keys and the masks of chosen cards together."""
    key, mask = np.uint64(0), np.uint64(0)
    for i in range(len(cards)):
        if chosen >> i & 1:
            key += CARD_KEYS[cards[i]]
            mask |= CARD_MASKS[cards[i]]
    return key, mask
