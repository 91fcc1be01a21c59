"""How a set of cards becomes an index: one addition a card, two look-ups at the end.

Each card adds a 64-bit key. The low half is a number for its rank, chosen (greedily, the smallest that
works) so that hands of equal size and different ranks have different sums; the high half counts suits, four
bits each, starting at three so that the fifth card of a suit sets the top bit of its counter. The sums are
sparse, so rows of 1,024 are pushed together until they share one array (Tarjan & Yao 1979, row displacement):
``slot = sum + offset[sum >> 10]``. The rows of hands of different sizes stand behind each other; a hand of
`n` cards starts from ``START[n]`` instead of zero.
"""

RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
MAX_CARDS = 7
ROW_BITS = 10
SUIT_BITS = 32
"""Where the suit counters begin in a key."""


def _starts() -> tuple[int, ...]:
    bias, highest = 0x3333 << SUIT_BITS, [RANK_KEYS[12]] * 4 + [RANK_KEYS[11]] * 3
    starts, row = [bias], 0
    for size in range(MAX_CARDS, 0, -1):
        starts.insert(1, (row << ROW_BITS) + bias)
        row += (sum(highest[:size]) >> ROW_BITS) + 1
    return (*starts, row << ROW_BITS)


*_START, END = _starts()
START: tuple[int, ...] = tuple(_START)
"""The key that a hand of so many cards starts from; `END` is above the key of any hand."""

CARD_KEYS: tuple[int, ...] = tuple(RANK_KEYS[card >> 2] + (1 << (SUIT_BITS + 4 * (card & 3))) for card in range(52))
"""What each card adds to a key."""

CARD_MASKS: tuple[int, ...] = tuple(1 << (16 * (card & 3) + (card >> 2)) for card in range(52))
"""Each card as a bit: sixteen bits a suit, thirteen of them used."""

FLUSH_BITS = 0x8888 << SUIT_BITS
"""The bits of a key of which one is set when five cards or more share a suit."""
