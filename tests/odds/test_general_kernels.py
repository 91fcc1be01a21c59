"""Values in games of all kinds, kernel by kernel, where the board makes or breaks a flush."""

import random

import numpy as np
import pytest

from felt.cards.card import parse_cards
from felt.cards.ranking.evaluator import rank_cards, tables
from felt.cards.ranking.hashing import CARD_MASKS
from felt.cards.ranking.kernels import CARD_KEYS, START
from felt.odds.equity.general_kernels import value_any_five

pytestmark = pytest.mark.no_jit


@pytest.mark.parametrize("kind", ["high", "low-a5"])
@pytest.mark.parametrize(("known_board", "missing"), [("2h9h", 3), ("2h9hKh", 2), ("2h9hKhAc", 1), ("", 5)])
def test_the_best_five_of_all_cards_with_board_and_hole_cards_to_come(kind, known_board, missing):
    """Two players, one of whom lacks a card; hearts abound, so that flushes come from hand and board together."""
    board, hands = parse_cards(known_board), [parse_cards("QhJh"), parse_cards("Th")]
    taken, dice = {*board, *hands[0], *hands[1]}, random.Random(missing)
    deck = [card for card in range(52) if card not in taken]
    hearts = [card for card in deck if card % 4 == 2]
    deals = [dice.sample(deck, missing + 1) for _ in range(20)]
    deals += [dice.sample(hearts, min(missing + 1, len(hearts))) for _ in range(20)]
    edges = np.array([0, missing, missing, missing + 1])
    known = [hand + board for hand in hands]
    keys = [int(START[7]) + sum(int(CARD_KEYS[card]) for card in cards) for cards in known]
    masks = [sum(int(CARD_MASKS[card]) for card in cards) for cards in known]
    out = np.zeros((2, len(deals)), dtype=np.uint16)
    arguments = (np.array(keys, dtype=np.uint64), np.array(masks, dtype=np.uint64), tables(kind), out)
    value_any_five(np.array(deals, dtype=np.uint8), edges, *arguments)
    for number, cards in enumerate(deals):
        full = board + tuple(cards[:missing])
        assert out[0, number] == rank_cards(hands[0] + full, kind)
        assert out[1, number] == rank_cards((*hands[1], cards[-1], *full), kind)
