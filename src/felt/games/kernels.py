"""The rules of poker, compiled, in the one place where they live.

`start` deals the first cards, `apply` makes one move; both leave the hand waiting for a player, or for its
showdown (`felt.games.showdown_kernels.settle`). `apply` trusts its caller: `legal` says what may be done. A hand is
the bytes of a `felt.games.record.HAND` record, a game the numbers of `felt.games.fields`; `shown` are the tables that
rank cards which are face up, high and low.

Rules are cited by the Tournament Directors Association's numbering of 2024 (TDA) where there is one.
"""

import numpy as np

import felt.games.fields as f
from felt._jit import kernel
from felt.games.fields import CARDS_EACH
from felt.games.record import FirstCode, Move, Phase, StructureCode
from felt.games.showdown_kernels import high_card, plain_value

PASS, DISCARD, DRAW, BET, SHOWDOWN, OVER = map(int, Phase)
FOLD, CALL, RAISE, EXCHANGE = map(int, Move)
NO_BETTING, NO_LIMIT, LIMIT, POT_LIMIT, SPREAD = map(int, StructureCode)
AFTER_BUTTON, AFTER_BLINDS, LOWEST_UP, HIGHEST_UP, BEST_UP, BEST_LOW_UP = map(int, FirstCode)


@kernel
def start(h, k, g, amounts, dead_antes, cap, shown):
    """Post antes and blinds and deal the first round. The record's deck, button and players are set.

    `amounts` are stacks, antes and posts by seat: ``int64[3, players]``.
    """
    stacks, antes, posts = amounts[0], amounts[1], amounts[2]
    players = h[f.PLAYERS]
    h[f.LIVE] = (1 << players) - 1
    for seat in range(players):
        playable = stacks[seat] if cap == 0 else min(stacks[seat], cap)
        h[f.ASIDE + seat] = stacks[seat] - playable
        if dead_antes:  # a big blind's ante for all comes after the blind (TDA RP-11)
            post = min(posts[seat], playable)
            ante = min(antes[seat], playable - post)
            h[f.DEAD] += ante
            h[f.PUT + seat] = post
        else:
            ante = min(antes[seat], playable)
            post = min(posts[seat], playable - ante)
            h[f.PUT + seat] = ante + post
        h[f.BETS + seat] = post
        h[f.STACKS + seat] = playable - ante - post
        h[f.HIGH] = max(h[f.HIGH], posts[seat])  # a short blind is still a whole one to call
        h[f.MISSING] += posts[seat] - post
    h[f.STREET] = 0
    h[f.AGGRESSOR] = -1
    _open_round(h, k, g)
    _advance(h, k, g, shown)


@kernel
def apply(h, k, g, move, amount, shown):
    """Make the move of the player whose turn it is; it must be legal."""
    if move == EXCHANGE:
        _exchange(h, k, g, amount)
        _advance(h, k, g, shown)
        return
    seat = h[f.TURN]
    if move == FOLD:
        h[f.LIVE] &= ~(1 << seat)
        _throw_all(h, k, seat)
    elif move == CALL:
        if h[f.BRING_IN] == 1:
            h[f.BRING_IN] = 0
            h[f.HIGH] = g[f.SCALARS, f.GAME_BRING_IN]
            if h[f.HIGH] < h[f.RAISE_SIZE]:
                h[f.RAISE_SIZE] -= h[f.HIGH]  # what completes the bet
            else:
                h[f.RAISES] = 1  # a forced bet, which needs no completing
        _put_in(h, k, seat, min(h[f.HIGH] - h[f.BETS + seat], h[f.STACKS + seat]))
    else:
        _raise(h, k, g, seat, amount)
    h[f.ACTED] |= 1 << seat
    _advance(h, k, g, shown)


@kernel
def _raise(h, k, g, seat, amount):
    """Bet or raise to `amount`.

    A short all-in leaves `acted` alone: those who have acted may call it, not raise it (TDA 47). In limit games half a
    bet counts as a whole one, and less may be completed by the next player (Robert's Rules of Poker).
    """
    bet, step, size = g[f.BET_IN, h[f.STREET]], amount - h[f.HIGH], h[f.RAISE_SIZE]
    _put_in(h, k, seat, amount - h[f.BETS + seat])
    h[f.HIGH] = amount
    h[f.AGGRESSOR] = seat
    h[f.BRING_IN] = 0
    if step >= size:
        h[f.ACTED] = 0
    if g[f.STRUCTURE_IN, h[f.STREET]] != LIMIT:
        h[f.RAISE_SIZE] = max(bet, step if step >= size else size)
        h[f.RAISES] += 1
    elif 2 * (size - step) <= bet:
        h[f.RAISE_SIZE] = bet
        h[f.RAISES] += 1
    else:
        h[f.RAISE_SIZE] = size - step


@kernel
def _advance(h, k, g, shown):
    """Go on from the player who had the turn until another has to decide, or the hand is over."""
    while h[f.LIVE] & (h[f.LIVE] - 1) != 0:
        if h[f.PHASE] < BET:
            if _find_exchanger(h, k, g):
                return
            _open_betting(h, k, g, shown)
        if g[f.STRUCTURE_IN, h[f.STREET]] != NO_BETTING and _find_bettor(h, k, g):
            return
        for seat in range(h[f.PLAYERS]):
            h[f.BETS + seat] = 0
        h[f.HIGH] = 0
        if h[f.STREET] + 1 == g[f.SCALARS, f.GAME_ROUNDS]:
            break
        h[f.STREET] += 1
        _open_round(h, k, g)
    h[f.PHASE] = SHOWDOWN
    h[f.TURN] = -1


@kernel
def _put_in(h, k, seat, chips):
    h[f.STACKS + seat] -= chips
    h[f.BETS + seat] += chips
    h[f.PUT + seat] += chips


@kernel
def pot(h, k):
    """All chips in the middle, bets of the street included."""
    total = int(h[f.DEAD])
    for seat in range(h[f.PLAYERS]):
        total += h[f.PUT + seat]
    return total


@kernel
def legal(h, k, g, out):
    """What may be done now: ``out`` is (fold, chips to call, least raise to, most raise to, least, most exchanged).

    Raises of 0 and -1 chips to call mean "not possible".
    """
    out[0], out[1], out[2], out[3], out[4], out[5] = 0, -1, 0, 0, -1, -1
    if h[f.PHASE] >= SHOWDOWN:
        return
    street, seat = h[f.STREET], h[f.TURN]
    if h[f.PHASE] == PASS:
        out[4] = out[5] = g[f.PASSES_IN, street]
        return
    if h[f.PHASE] == DISCARD:
        out[4] = out[5] = g[f.DISCARDS_IN, street]
        return
    if h[f.PHASE] == DRAW:
        out[4], out[5] = g[f.DRAW_LEAST_IN, street], g[f.DRAW_MOST_IN, street]
        return
    out[0] = 0 if h[f.BRING_IN] == 1 and seat == h[f.OPENER] else 1  # TDA RP-10-E: the next player may fold
    facing = h[f.HIGH] - h[f.BETS + seat]
    if h[f.BRING_IN] == 1:
        facing = g[f.SCALARS, f.GAME_BRING_IN]
    out[1] = min(facing, h[f.STACKS + seat])
    if _may_raise(h, k, g, seat, facing):
        _raise_bounds(h, k, g, seat, out)


@kernel
def _may_raise(h, k, g, seat, facing):
    """Whether a raise of any size is open to the player."""
    most = g[f.MAX_RAISES_IN, h[f.STREET]]
    if most > 0 and h[f.RAISES] >= most:
        return False
    if h[f.STACKS + seat] <= facing:
        return False
    if h[f.BRING_IN] == 1 and facing >= h[f.RAISE_SIZE]:
        return False  # a forced bet is all that there is to choose
    if h[f.ACTED] >> seat & 1:  # TDA 47: it takes a whole raise since the last action, in limit games half of one
        limit = g[f.STRUCTURE_IN, h[f.STREET]] == LIMIT
        if 2 * facing < g[f.BET_IN, h[f.STREET]] if limit else facing < h[f.RAISE_SIZE]:
            return False
    for other in range(h[f.PLAYERS]):
        if other != seat and h[f.LIVE] >> other & 1 and h[f.STACKS + other] + h[f.BETS + other] > h[f.HIGH]:
            return True
    return False  # nobody is left who could call it


@kernel
def _raise_bounds(h, k, g, seat, out):
    street = h[f.STREET]
    structure = g[f.STRUCTURE_IN, street]
    all_in = h[f.STACKS + seat] + h[f.BETS + seat]
    least = h[f.HIGH] + h[f.RAISE_SIZE]
    most = all_in
    if structure == LIMIT:
        most = least
    elif structure == POT_LIMIT:
        most = 2 * int(h[f.HIGH]) - h[f.BETS + seat] + pot(h, k)
        if street == 0:
            most += h[f.MISSING]  # TDA 54-B: before the flop blinds count as whole
        most = max(least, most)
    elif structure == SPREAD:
        most = max(least, h[f.HIGH] + g[f.MOST_IN, street])
    out[2] = min(least, all_in)
    out[3] = min(most, all_in)


@kernel
def _may_act(h, k, seat):
    return h[f.LIVE] >> seat & 1 and h[f.STACKS + seat] > 0


@kernel
def _find_bettor(h, k, g):
    """Give the turn to the next player who still has to act; False when the betting is over."""
    players, seat = h[f.PLAYERS], h[f.TURN]
    step = 1 if g[f.CLOCKWISE_IN, h[f.STREET]] else players - 1
    for _ in range(players):
        seat += step
        if seat >= players:  # quicker than a division
            seat -= players
        if _may_act(h, k, seat) and (not h[f.ACTED] >> seat & 1 or h[f.BETS + seat] < h[f.HIGH]):
            if not _alone(h, k, seat):
                h[f.TURN] = seat
                return True
    return False


@kernel
def _alone(h, k, seat):
    """Whether nobody else can bet, and the player has matched every bet that counts."""
    highest = 0
    for other in range(h[f.PLAYERS]):
        if other != seat and h[f.LIVE] >> other & 1:
            if h[f.STACKS + other] > 0:
                return False
            highest = max(highest, h[f.BETS + other])
    return h[f.BETS + seat] >= highest


@kernel
def _open_round(h, k, g):
    """Deal a round's cards; exchanges come before bets."""
    _deal(h, k, g, h[f.STREET])
    h[f.EXCHANGED] = 0
    h[f.PHASE] = PASS
    h[f.TURN] = h[f.BUTTON]


@kernel
def _deal(h, k, g, street):
    each = g[f.DOWN_IN, street] + g[f.UP_IN, street]
    players = h[f.PLAYERS]
    in_hand = 0
    for seat in range(players):
        in_hand += h[f.LIVE] >> seat & 1
    if each * in_hand > h[f.DECK_COUNT] - h[f.DECK_AT]:  # stud with a full table: one card for all, the muck is dead
        k[f.BOARD + h[f.BOARD_COUNT]] = _draw_card(h, k, 0)
        h[f.BOARD_COUNT] += 1
    elif each > 0:
        seat = h[f.BUTTON]
        for _ in range(players):
            seat = seat + 1 if seat + 1 < players else 0
            if h[f.LIVE] >> seat & 1:
                for i in range(each):
                    if i >= g[f.DOWN_IN, street]:
                        k[f.UP + seat] |= 1 << k[f.COUNT + seat]
                    _give(h, k, seat, _draw_card(h, k, 0))
    for _ in range(g[f.BOARD_IN, street]):
        k[f.BOARD + h[f.BOARD_COUNT]] = _draw_card(h, k, 0)
        h[f.BOARD_COUNT] += 1


@kernel
def _give(h, k, seat, card):
    k[f.CARDS + seat * CARDS_EACH + k[f.COUNT + seat]] = card
    k[f.COUNT + seat] += 1


@kernel
def _draw_card(h, k, keep):
    """The next card of the deck; when it is used up, the muck is shuffled for more.

    The last `keep` cards of the muck, the player's own discards, stay out of it unless there is nothing else.
    """
    if h[f.DECK_AT] == h[f.DECK_COUNT]:
        if h[f.MUCK_COUNT] == keep:
            keep = 0
        count = h[f.MUCK_COUNT] - keep
        state = np.int64(0)  # the cards are the seed; a generator of 32 bits (Press et al. 2007) is enough for them
        for i in range(count):
            state = (1664525 * state + 1013904223 + k[f.MUCK + i]) & 0xFFFFFFFF
        for i in range(count - 1, 0, -1):
            state = (1664525 * state + 1013904223) & 0xFFFFFFFF
            j = state * (i + 1) >> 32
            k[f.MUCK + i], k[f.MUCK + j] = k[f.MUCK + j], k[f.MUCK + i]
        for i in range(count):
            k[f.DECK + i] = k[f.MUCK + i]
        for i in range(keep):
            k[f.MUCK + i] = k[f.MUCK + count + i]
        h[f.DECK_AT] = 0
        h[f.DECK_COUNT] = count
        h[f.MUCK_COUNT] = keep
    card = k[f.DECK + h[f.DECK_AT]]
    h[f.DECK_AT] += 1
    return card


@kernel
def _throw(h, k, card):
    k[f.MUCK + h[f.MUCK_COUNT]] = card
    h[f.MUCK_COUNT] += 1


@kernel
def _throw_all(h, k, seat):
    """A folded hand goes to the muck, where a reshuffle may find it; the player keeps the memory of it."""
    for i in range(k[f.COUNT + seat]):
        _throw(h, k, k[f.CARDS + seat * CARDS_EACH + i])


@kernel
def _take_out(h, k, seat, chosen, out):
    """Remove the cards whose bits are set in `chosen` from a player's hand into `out`; returns how many."""
    begin = seat * CARDS_EACH
    kept, taken, up = 0, 0, 0
    for i in range(k[f.COUNT + seat]):
        card = k[f.CARDS + begin + i]
        if chosen >> i & 1:
            out[taken] = card
            taken += 1
        else:
            k[f.CARDS + begin + kept] = card
            if k[f.UP + seat] >> i & 1:
                up |= 1 << kept
            kept += 1
    k[f.COUNT + seat] = kept
    k[f.UP + seat] = up
    return taken


@kernel
def _exchange(h, k, g, chosen):
    """The player passes, discards or draws: `chosen` is the set of card positions."""
    seat = h[f.TURN]
    h[f.EXCHANGED] |= 1 << seat
    if h[f.PHASE] == PASS:
        k[f.CHOSEN + seat] = chosen
        return
    out = np.empty(CARDS_EACH, dtype=np.uint8)
    taken = _take_out(h, k, seat, chosen, out)
    for i in range(taken):
        _throw(h, k, out[i])
    if h[f.PHASE] == DRAW:
        for _ in range(taken):
            _give(h, k, seat, _draw_card(h, k, taken))


@kernel
def _pass_cards(h, k, g):
    """Move every player's chosen cards at once."""
    players = h[f.PLAYERS]
    out = np.empty((players, CARDS_EACH), dtype=np.uint8)
    taken = np.zeros(players, dtype=np.int64)
    for seat in range(players):
        if h[f.LIVE] >> seat & 1:
            taken[seat] = _take_out(h, k, seat, int(k[f.CHOSEN + seat]), out[seat])
    step = 1 if g[f.PASS_LEFT_IN, h[f.STREET]] else players - 1
    for seat in range(players):
        if h[f.LIVE] >> seat & 1:
            to = (seat + step) % players
            while not h[f.LIVE] >> to & 1:
                to = (to + step) % players
            for i in range(taken[seat]):
                _give(h, k, to, out[seat, i])


@kernel
def _wanted(g, street, phase):
    """Cards that players may exchange in a phase of a round."""
    if phase == PASS:
        return g[f.PASSES_IN, street]
    if phase == DISCARD:
        return g[f.DISCARDS_IN, street]
    return g[f.DRAW_MOST_IN, street]


@kernel
def _find_exchanger(h, k, g):
    """Give the turn to the next player who exchanges cards; False when all have."""
    players, street = h[f.PLAYERS], h[f.STREET]
    while h[f.PHASE] < BET:
        if _wanted(g, street, h[f.PHASE]) > 0:
            seat = h[f.TURN]
            for _ in range(players):
                seat = (seat + 1) % players
                if h[f.LIVE] >> seat & 1 and not h[f.EXCHANGED] >> seat & 1:
                    h[f.TURN] = seat
                    return True
            if h[f.PHASE] == PASS:
                _pass_cards(h, k, g)
        h[f.PHASE] += 1
        h[f.EXCHANGED] = 0
        h[f.TURN] = h[f.BUTTON]
    return False


@kernel
def _open_betting(h, k, g, shown):
    """Reset the betting and put the turn just before the first player to act."""
    street, players = h[f.STREET], h[f.PLAYERS]
    if g[f.STRUCTURE_IN, street] == NO_BETTING:
        return
    h[f.ACTED] = 0
    h[f.BRING_IN] = 0
    h[f.RAISES] = 0
    h[f.RAISE_SIZE] = g[f.BET_IN, street]
    if street == 0 and g[f.SCALARS, f.GAME_BRING_IN] > 0:
        h[f.BRING_IN] = 1
    elif street == 0 and h[f.HIGH] > 0:
        h[f.RAISES] = 1  # a blind is the first bet
        if g[f.STRUCTURE_IN, street] != LIMIT:
            h[f.RAISE_SIZE] = max(h[f.RAISE_SIZE], h[f.HIGH])
    h[f.OPENER] = _first_to_act(h, k, g, street, shown)
    before = h[f.OPENER] + (-1 if g[f.CLOCKWISE_IN, street] else 1)
    h[f.TURN] = players - 1 if before < 0 else 0 if before == players else before


@kernel
def _first_to_act(h, k, g, street, shown):
    """The seat that the order of the round names, whether or not it can still act."""
    players, button = h[f.PLAYERS], h[f.BUTTON]
    first = g[f.FIRST_IN, street]
    if first == AFTER_BLINDS:
        best = -1
        blinds = g[f.SCALARS, f.GAME_BLINDS]
        for step in range(players):  # the last of the largest blinds; a newcomer who posts as much is none
            seat = (button + 1 + step) % players
            if (
                best < 0
                or h[f.BETS + seat] > h[f.BETS + best]
                or (step < blinds and h[f.BETS + seat] == h[f.BETS + best])
            ):
                best = seat
        if players == 2 and h[f.BETS] == h[f.BETS + 1]:
            return button
        return (best + 1) % players
    if first == AFTER_BUTTON:
        return (button + 1) % players
    chosen, best = -1, -1
    for step in range(players):
        seat = (button + 1 + step) % players
        if h[f.LIVE] >> seat & 1:
            score = _up_score(h, k, g, first, seat, shown)
            if score > best:
                chosen, best = seat, score
    return chosen


@kernel
def _up_score(h, k, g, first, seat, shown):
    """How much the cards that a player shows speak for acting first."""
    begin = seat * CARDS_EACH
    cards = np.empty(CARDS_EACH, dtype=np.uint8)
    count = 0
    for i in range(k[f.COUNT + seat]):
        if k[f.UP + seat] >> i & 1:
            cards[count] = k[f.CARDS + begin + i]
            count += 1
    if count == 0:
        return 0
    if first == LOWEST_UP:
        lowest = 255
        for i in range(count):
            lowest = min(lowest, int(cards[i]))
        return 255 - lowest
    highest = high_card(cards[:count], first != BEST_UP)  # the ace is low in razz
    if first == HIGHEST_UP:
        return highest
    value = _shown_value(cards[:count], g[f.SCALARS, f.GAME_WILD], shown[0] if first == BEST_UP else shown[1])
    return value << 6 | highest  # TDA RP-10-D


@kernel
def _shown_value(cards, wild, tables):
    """Value of one to seven cards of which those in the set `wild` stand for any: all for the same, as is best."""
    free = 0
    for card in cards:
        free |= wild >> np.int64(card) & 1
    if not free:
        return plain_value(cards, tables)
    made = np.empty(CARDS_EACH, dtype=np.uint8)
    best = 0
    for rank in range(13):
        for i in range(len(cards)):
            made[i] = 4 * rank if wild >> np.int64(cards[i]) & 1 else cards[i]
        best = max(best, plain_value(made[: len(cards)], tables))
    return best
