# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled checks of the moves that an agent makes at many tables."""

from felt._jit import kernel
from felt.games.engine.fields import LEAST_CARDS, LEAST_RAISE, MAY_FOLD, MOST_CARDS, MOST_RAISE, TO_CALL
from felt.games.engine.showdown_kernels import count_bits
from felt.games.moves import CALL, EXCHANGE, FOLD, RAISE


@kernel
def find_illegal(legal, counts, moves, amounts, wrong):
    """Mark the moves that the rules do not allow; returns how many. `counts` are the cards that may be exchanged."""
    count = 0
    for i in range(len(moves)):
        move, amount = moves[i], amounts[i]
        good = False
        if move == FOLD:
            good = legal[i, MAY_FOLD] == 1
        elif move == CALL:
            good = legal[i, TO_CALL] >= 0
        elif move == RAISE:
            good = 0 < legal[i, LEAST_RAISE] <= amount <= legal[i, MOST_RAISE]
        elif move == EXCHANGE and legal[i, LEAST_CARDS] >= 0 and 0 <= amount < 1 << counts[i]:
            good = legal[i, LEAST_CARDS] <= count_bits(amount) <= legal[i, MOST_CARDS]
        wrong[i] = not good
        count += not good
    return count


@kernel
def replace_moves(legal, where, call, moves, amounts):
    """Check, and else fold, or call if `call`; give away as few cards as allowed: as `Penalty.action` does."""
    for i in range(len(moves)):
        if where[i]:
            amounts[i] = 0
            if legal[i, LEAST_CARDS] >= 0:
                moves[i] = EXCHANGE
                amounts[i] = (1 << legal[i, LEAST_CARDS]) - 1
            elif legal[i, MAY_FOLD] == 1 and legal[i, TO_CALL] > 0 and not call:
                moves[i] = FOLD
            else:
                moves[i] = CALL
