"""Compiled checks of the moves that an agent makes at many tables."""

from felt._jit import kernel
from felt.games.record import Move
from felt.games.showdown_kernels import count_bits

FOLD, CALL, RAISE, EXCHANGE = map(int, Move)


@kernel
def find_illegal(legal, counts, moves, amounts, wrong):
    """Mark the moves that the rules do not allow; returns how many. `counts` are the cards that may be exchanged."""
    found = 0
    for i in range(len(moves)):
        move, amount = moves[i], amounts[i]
        good = False
        if move == FOLD:
            good = legal[i, 0] == 1
        elif move == CALL:
            good = legal[i, 1] >= 0
        elif move == RAISE:
            good = legal[i, 2] > 0 and legal[i, 2] <= amount <= legal[i, 3]
        elif move == EXCHANGE and legal[i, 4] >= 0 and 0 <= amount < 1 << counts[i]:
            good = legal[i, 4] <= count_bits(amount) <= legal[i, 5]
        wrong[i] = not good
        found += not good
    return found


@kernel
def replace_moves(legal, where, call, moves, amounts):
    """Check, and else fold, or call if `call`; give away as few cards as allowed: as `Penalty.action` does."""
    for i in range(len(moves)):
        if where[i]:
            amounts[i] = 0
            if legal[i, 4] >= 0:
                moves[i] = EXCHANGE
                amounts[i] = (1 << legal[i, 4]) - 1
            elif legal[i, 0] == 1 and legal[i, 1] > 0 and not call:
                moves[i] = FOLD
            else:
                moves[i] = CALL
