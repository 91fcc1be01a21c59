"""Few hands counted without the compiler: the same answer as by the kernels, to the last bit."""

import sys
from itertools import product

import numpy as np
import pytest

from felt.cards.card import DECK_SIZE, format_cards
from felt.odds import equity
from felt.odds.equity import exact
from felt.odds.equity import exact as few

GAMES = {"holdem": 0, "short-deck": 16}
RANGES = ("AA", "QQ+,AKs", "random", "7s6s", "ThTd,9h8h")


@pytest.fixture
def without_kernels(monkeypatch):
    """As in a process that has not needed a kernel."""
    monkeypatch.delitem(sys.modules, "felt.odds.equity.exact_kernels", raising=False)


def answer(hands, board, game):
    found = equity(hands, board=board, game=game, exact=True)
    return found.players, found.samples, found.method


@pytest.mark.parametrize("cards", [3, 4, 5])
@pytest.mark.parametrize("game", GAMES)
def test_few_hands_have_the_equities_of_the_kernels(cards, game, monkeypatch):
    monkeypatch.setattr(few, "MOST", 200_000)
    dice = np.random.default_rng(cards)
    for first, second in product(RANGES, ("AhKh", "TT-88,JTs")):
        board = format_cards(dice.choice(np.arange(GAMES[game], DECK_SIZE), cards, replace=False).tolist())
        if any(card in board for card in ("Ah", "Kh", "7s", "6s")) or (game == "short-deck" and "7" in first):
            continue
        with monkeypatch.context() as patched:
            patched.delitem(sys.modules, "felt.odds.equity.exact_kernels", raising=False)
            without = answer([first, second], board, game)
        with monkeypatch.context() as patched:
            patched.setattr(exact, "is_few", lambda *_: False)
            assert answer([first, second], board, game) == without


def test_hands_that_need_the_same_cards_are_refused_as_ever(without_kernels):
    with pytest.raises(Exception, match="need the same cards"):
        equity(["AsAd", "AsKd"], board="2c7d9h")


@pytest.mark.parametrize("hands", [["AsKs", "QQ", "JJ"], ["AsKs", "QQ:0.5"], ["random", "random"]])
def test_weights_and_many_hands_are_left_to_the_kernels(hands, without_kernels, monkeypatch):
    monkeypatch.setattr(exact, "count_few", lambda *_: pytest.fail("it is counted without kernels"))
    assert equity(hands, board="2c7d9h", exact=True).exact
