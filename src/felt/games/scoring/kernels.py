# mypy: allow-untyped-defs, no-check-untyped-defs, allow-any-generics
"""Compiled custom scoring: runs the programs of `felt.games.scoring.programs`.

`scoring` everywhere is the tuple of arrays that `felt.games.scoring.formulas.compile_scoring` makes. Nothing can
overflow or divide by zero here: formulas that could were refused when the rules were built.
"""

import numpy as np

from felt._jit import kernel
from felt.games.scoring.programs import Op

ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO, MOVE, *_jumps, _ = map(int, Op)
JUMP, JUMP_IF_EQUAL, JUMP_IF_UNEQUAL, JUMP_IF_LESS, JUMP_IF_LESS_EQUAL = _jumps

MOST_CARDS = 16


@kernel
def run_program(code, registers):
    """The value of the hand whose cards are in the registers."""
    at = 0
    while True:
        op, target = code[at, 0], code[at, 1]
        left, right = registers[code[at, 2]], registers[code[at, 3]]
        at += 1
        if op == JUMP_IF_EQUAL:
            if left == right:
                at = target
        elif op == JUMP_IF_UNEQUAL:
            if left != right:
                at = target
        elif op == JUMP_IF_LESS:
            if left < right:
                at = target
        elif op == JUMP_IF_LESS_EQUAL:
            if left <= right:
                at = target
        elif op == JUMP:
            at = target
        elif op == ADD:
            registers[target] = left + right
        elif op == SUBTRACT:
            registers[target] = left - right
        elif op == MULTIPLY:
            registers[target] = left * right
        elif op == DIVIDE:
            registers[target] = left // right
        elif op == MODULO:
            registers[target] = left % right
        elif op == MOVE:
            registers[target] = left
        else:
            return left + right


@kernel
def score_cards(cards, count, scoring):
    """Value of the best hand among the first `count` of ``uint8`` cards (at most 16); 0 if they are too few."""
    head, constants, code = scoring
    size, unsorted = head[0], head[1]
    best = np.int64(0)
    if count < size or len(code) == 0:
        return best
    registers = np.empty(head[2], dtype=np.int64)
    for i in range(len(constants)):
        registers[4 * size + i] = constants[i]
    order = np.empty(2 * MOST_CARDS, dtype=np.int64)  # the places of the cards, lowest card first
    chosen = order[MOST_CARDS:]  # which of those make the hand; always ascending, so the hand is sorted
    _sort(cards, count, order)
    for i in range(size):
        chosen[i] = i
    while True:
        for i in range(size):
            card = cards[order[chosen[i]]]
            registers[i] = card >> 2
            registers[size + i] = card & 3
        if unsorted:
            _deal_again(cards, order, chosen, size, registers)
        best = max(best, run_program(code, registers))
        at = size - 1
        while at >= 0 and chosen[at] == count - size + at:
            at -= 1
        if at < 0:
            return best
        chosen[at] += 1
        for i in range(at + 1, size):
            chosen[i] = chosen[i - 1] + 1


@kernel
def _sort(cards, count, order):
    for i in range(count):
        at = i
        while at > 0 and cards[order[at - 1]] > cards[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i


@kernel
def _deal_again(cards, order, chosen, size, registers):
    """The chosen cards in the order in which they were given, into the registers for those."""
    places = 0
    for i in range(size):
        places |= 1 << order[chosen[i]]
    count = 0
    for place in range(MOST_CARDS):
        if places >> place & 1:
            registers[2 * size + count] = cards[place] >> 2
            registers[3 * size + count] = cards[place] & 3
            count += 1


@kernel
def score_many(hands, scoring, out):
    """Value of each row of ``uint8[n, k]`` cards."""
    for i in range(len(hands)):
        out[i] = score_cards(hands[i], hands.shape[1], scoring)
