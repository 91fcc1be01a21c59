# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""The rules of poker, compiled, in the one place where they live: the course of a hand, who acts first, the betting.

How cards move is in `dealing_kernels`, who is paid in `showdown_kernels`.

`start` deals the first cards, `apply` makes one move; both leave the hand waiting for a player, or for its
showdown (`felt.games.engine.showdown_kernels.settle`). `apply` trusts its caller: `legal` says what may be done. A hand
is the bytes of a `felt.games.engine.record.HAND` record, a game the numbers of `felt.games.engine.fields`; `shown` are
the tables that rank cards which are face up, high and low.

Rules are cited by the Tournament Directors Association's numbering of 2024 (TDA) where there is one.
"""

import numpy as np

import felt.games.engine.fields as f
from felt._jit import kernel
from felt.cards.ranking.kernels import plain_value
from felt.games.engine.dealing_kernels import deal, exchange, find_exchanger, most_exchanged, throw_all, turn_up
from felt.games.engine.showdown_kernels import high_card
from felt.games.moves import BET, CALL, DRAW, EXCHANGE, FOLD, ROLL, SHOWDOWN

ACE, JOKER = 12, 52


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
        exchange(h, k, g, amount)
        _advance(h, k, g, shown)
        return
    seat = h[f.TURN]
    if move == FOLD:
        h[f.LIVE] &= ~(1 << seat)
        throw_all(h, k, seat)
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
def step(h, k, g, move, amount, shown, out):
    """`apply`, and `legal` of what comes next."""
    apply(h, k, g, move, amount, shown)
    legal(h, k, g, out)


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
    if g[f.STRUCTURE_IN, h[f.STREET]] != f.LIMIT:
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
            if find_exchanger(h, k, g):
                return
            _open_betting(h, k, g, shown)
        if g[f.STRUCTURE_IN, h[f.STREET]] != f.NO_BETTING and _find_bettor(h, k, g):
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
    """What may be done now: `out` gets the numbers of `felt.games.engine.fields.LEGAL_FIELDS`."""
    out[f.MAY_FOLD], out[f.TO_CALL], out[f.LEAST_RAISE], out[f.MOST_RAISE] = 0, -1, 0, 0
    out[f.LEAST_CARDS] = out[f.MOST_CARDS] = -1
    if h[f.PHASE] >= SHOWDOWN:
        return
    street, seat = h[f.STREET], h[f.TURN]
    if h[f.PHASE] < BET:
        most = most_exchanged(g, street, h[f.PHASE])
        out[f.LEAST_CARDS] = g[f.DRAW_LEAST_IN, street] if h[f.PHASE] == DRAW else most
        out[f.MOST_CARDS] = most
        return
    out[f.MAY_FOLD] = 0 if h[f.BRING_IN] == 1 and seat == h[f.OPENER] else 1  # TDA RP-10-E: the next player may fold
    facing = h[f.HIGH] - h[f.BETS + seat]
    if h[f.BRING_IN] == 1:
        facing = g[f.SCALARS, f.GAME_BRING_IN]
    out[f.TO_CALL] = min(facing, h[f.STACKS + seat])
    if betting_is_open(h, k, g, seat, facing):
        _raise_bounds(h, k, g, seat, out)


@kernel
def betting_is_open(h, k, g, seat, facing):
    """Whether the player may raise: an all-in that is no whole raise does not reopen the betting to who has acted."""
    most = g[f.MAX_RAISES_IN, h[f.STREET]]
    if most > 0 and h[f.RAISES] >= most:
        return False
    if h[f.STACKS + seat] <= facing:
        return False
    if h[f.BRING_IN] == 1 and facing >= h[f.RAISE_SIZE]:
        return False  # a forced bet is all that there is to choose
    if h[f.ACTED] >> seat & 1:  # TDA 47: it takes a whole raise since the last action, in limit games half of one
        limit = g[f.STRUCTURE_IN, h[f.STREET]] == f.LIMIT
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
    if structure == f.LIMIT:
        most = least
    elif structure == f.POT_LIMIT:
        most = 2 * int(h[f.HIGH]) - h[f.BETS + seat] + pot(h, k)
        if street == 0:
            most += h[f.MISSING]  # TDA 54-B: before the flop blinds count as whole
        most = max(least, most)
    elif structure == f.SPREAD:
        most = max(least, h[f.HIGH] + g[f.MOST_IN, street])
    out[f.LEAST_RAISE] = min(least, all_in)
    out[f.MOST_RAISE] = min(most, all_in)


@kernel
def _find_bettor(h, k, g):
    """Give the turn to the next player who still has to act; False when the betting is over."""
    players, seat = h[f.PLAYERS], h[f.TURN]
    step = 1 if g[f.CLOCKWISE_IN, h[f.STREET]] else players - 1
    for _ in range(players):
        seat += step
        if seat >= players:  # quicker than a division
            seat -= players
        may_act = h[f.LIVE] >> seat & 1 and h[f.STACKS + seat] > 0
        if may_act and (not h[f.ACTED] >> seat & 1 or h[f.BETS + seat] < h[f.HIGH]) and not _alone(h, k, seat):
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
    deal(h, k, g, h[f.STREET])
    if g[f.ROLLS_IN, h[f.STREET]] > 0:  # those face down first, so that any choice among the first of them is one
        for seat in range(h[f.PLAYERS]):
            turn_up(h, k, seat, int(k[f.UP + seat]))
    h[f.EXCHANGED] = 0
    h[f.PHASE] = ROLL
    h[f.TURN] = h[f.BUTTON]


@kernel
def _open_betting(h, k, g, shown):
    """Reset the betting and put the turn just before the first player to act."""
    street, players = h[f.STREET], h[f.PLAYERS]
    if g[f.STRUCTURE_IN, street] == f.NO_BETTING:
        return
    h[f.ACTED] = 0
    h[f.BRING_IN] = 0
    h[f.RAISES] = 0
    h[f.RAISE_SIZE] = g[f.BET_IN, street]
    if street == 0 and g[f.SCALARS, f.GAME_BRING_IN] > 0:
        h[f.BRING_IN] = 1
    elif street == 0 and h[f.HIGH] > 0:
        h[f.RAISES] = 1  # a blind is the first bet
        if g[f.STRUCTURE_IN, street] != f.LIMIT:
            h[f.RAISE_SIZE] = max(h[f.RAISE_SIZE], h[f.HIGH])
    h[f.OPENER] = first_to_act(h, k, g, street, shown)
    before = h[f.OPENER] + (-1 if g[f.CLOCKWISE_IN, street] else 1)
    h[f.TURN] = players - 1 if before < 0 else 0 if before == players else before


@kernel
def first_to_act(h, k, g, street, shown):
    """The seat that the order of the round names, whether or not it can still act."""
    players, button = h[f.PLAYERS], h[f.BUTTON]
    first = g[f.FIRST_IN, street]
    if first == f.AFTER_BLINDS:
        best = -1
        blinds = g[f.SCALARS, f.GAME_BLINDS]
        for step in range(players):  # the last of the largest blinds; a newcomer who posts as much is none
            seat = (button + 1 + step) % players
            if best < 0 or h[f.BETS + seat] >= h[f.BETS + best] + (step >= blinds):
                best = seat
        if players == 2 and h[f.BETS] == h[f.BETS + 1]:
            return button
        return (best + 1) % players
    if first == f.AFTER_BUTTON:
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
    begin = seat * f.CARDS_EACH
    cards = np.empty(f.CARDS_EACH, dtype=np.uint8)
    count = 0
    for i in range(k[f.COUNT + seat]):
        if k[f.UP + seat] >> i & 1:
            cards[count] = k[f.CARDS + begin + i]
            count += 1
    if count == 0:
        return 0
    if first == f.LOWEST_UP:
        return 255 - int(cards[:count].min())
    highest = high_card(cards[:count], first != f.BEST_UP)  # the ace is low in razz
    if first == f.HIGHEST_UP:
        return highest
    value = _shown_value(cards[:count], g[f.SCALARS, f.GAME_WILD], shown[0] if first == f.BEST_UP else shown[1])
    return value << 6 | highest  # TDA RP-10-D


@kernel
def _shown_value(cards, wild, tables):
    """Value of one to seven cards of which those in the set `wild` stand for any: all for the same, as is best.

    Jokers that are bugs are aces: so few cards make no straight and no flush.
    """
    free = 0
    for card in cards:
        free |= wild >> np.int64(card) & 1
    if not free:
        return plain_value(cards, tables)
    made = np.empty(f.CARDS_EACH, dtype=np.uint8)
    best = 0
    for rank in range(13):
        for i in range(len(cards)):
            if wild >> f.BUG & 1 and cards[i] >= JOKER:
                made[i] = 4 * ACE
            else:
                made[i] = 4 * rank if wild >> np.int64(cards[i]) & 1 else cards[i]
        best = max(best, plain_value(made[: len(cards)], tables))
    return best
