"""Compiled custom scoring: a small postfix machine that runs the formulas of `felt.games.formulas`.

`scoring` everywhere is the tuple of arrays that `compile_scoring` makes. Nothing can overflow or divide by zero
here: formulas that could were refused when the rules were built.
"""

import numpy as np

from felt._jit import kernel

# Instructions. Each is a row (instruction, argument); the numbers are shared with felt.games.formulas.
PUSH, RANK, SUIT = 0, 1, 2
ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO = 3, 4, 5, 6, 7
EQUAL, UNEQUAL, LESS, LESS_EQUAL = 8, 9, 10, 11
AND, OR, NOT, NEGATE = 12, 13, 14, 15
JUMP, JUMP_IF_FALSE = 16, 17

STACK = 128
HAND = 8


@kernel
def run_program(code, begin, end, hand, stack):
    """The value that the instructions from `begin` to `end` leave on the stack."""
    top = -1
    at = begin
    while at < end:
        instruction, argument = code[at, 0], code[at, 1]
        at += 1
        if instruction == PUSH:
            top += 1
            stack[top] = argument
        elif instruction == RANK:
            top += 1
            stack[top] = hand[argument] >> 2
        elif instruction == SUIT:
            top += 1
            stack[top] = hand[argument] & 3
        elif instruction == JUMP:
            at = argument
        elif instruction == JUMP_IF_FALSE:
            if stack[top] == 0:
                at = argument
            top -= 1
        elif instruction == NOT:
            stack[top] = stack[top] == 0
        elif instruction == NEGATE:
            stack[top] = -stack[top]
        else:
            top -= 1
            stack[top] = _joined(instruction, stack[top], stack[top + 1])
    return stack[top]


@kernel
def _joined(instruction, left, right):
    if instruction == ADD:
        return left + right
    if instruction == SUBTRACT:
        return left - right
    if instruction == MULTIPLY:
        return left * right
    if instruction == DIVIDE:
        return left // right
    if instruction == MODULO:
        return left % right
    if instruction == EQUAL:
        return np.int64(left == right)
    if instruction == UNEQUAL:
        return np.int64(left != right)
    if instruction == LESS:
        return np.int64(left < right)
    if instruction == LESS_EQUAL:
        return np.int64(left <= right)
    if instruction == AND:
        return np.int64(left != 0 and right != 0)
    return np.int64(left != 0 or right != 0)


@kernel
def score_hand(in_order, as_dealt, scoring, stack):
    """Value of exactly one hand, its cards sorted and as they were dealt: the best category whose test it meets."""
    _, sections, code = scoring
    for i in range(len(sections)):
        hand = in_order if sections[i, 4] else as_dealt
        tested, begin, end = sections[i, 0], sections[i, 1], sections[i, 2]
        if tested == begin or run_program(code, tested, begin, hand, stack) != 0:
            return sections[i, 3] + run_program(code, begin, end, hand, stack)
    return np.int64(0)


@kernel
def score_cards(cards, count, scoring):
    """Value of the best hand among the first `count` of ``uint8`` cards (at most 16); 0 if they are too few."""
    size, unsorted = scoring[0][0], scoring[0][1]
    best = np.int64(0)
    if count < size:
        return best
    stack = np.empty(STACK, dtype=np.int64)
    order = np.empty(16, dtype=np.int64)  # the places of the cards, lowest card first
    for i in range(count):
        at = i
        while at > 0 and cards[order[at - 1]] > cards[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i
    chosen = np.arange(HAND)  # which places of `order` make the hand; always ascending, so the hand is sorted
    in_order = np.empty(HAND, dtype=np.uint8)
    as_dealt = np.empty(HAND, dtype=np.uint8)
    while True:
        for i in range(size):
            in_order[i] = cards[order[chosen[i]]]
        if unsorted:
            _deal_again(cards, order, chosen, size, as_dealt)
        best = max(best, score_hand(in_order, as_dealt, scoring, stack))
        at = size - 1
        while at >= 0 and chosen[at] == count - size + at:
            at -= 1
        if at < 0:
            return best
        chosen[at] += 1
        for i in range(at + 1, size):
            chosen[i] = chosen[i - 1] + 1


@kernel
def _deal_again(cards, order, chosen, size, as_dealt):
    """The chosen cards in the order in which they were given."""
    places = 0
    for i in range(size):
        places |= 1 << order[chosen[i]]
    count = 0
    for place in range(16):
        if places >> place & 1:
            as_dealt[count] = cards[place]
            count += 1
