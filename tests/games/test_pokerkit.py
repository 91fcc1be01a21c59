"""Random hands side by side with PokerKit, an independent engine, in every variant that both have.

Same legal actions, same pots, same payouts, at every step. What PokerKit is known to do otherwise is written down in
`tests.reference.lockstep`, down to the chip, and counted there.
"""

import os
import random
from dataclasses import replace

import pytest
from pokerkit import (
    FixedLimitBadugi,
    FixedLimitDeuceToSevenLowballTripleDraw,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    FixedLimitRazz,
    FixedLimitSevenCardStud,
    FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    FixedLimitTexasHoldem,
    NoLimitDeuceToSevenLowballSingleDraw,
    NoLimitShortDeckHoldem,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
)

from felt.games import load, names
from tests.reference import lockstep
from tests.reference.lockstep import play_lockstep
from tests.reference.pokerkit_games import CARDS, HAND_TYPES, NOT_THERE, PLAIN_TYPES, TheirGame

HANDS = 1000 if os.environ.get("FELT_SLOW_TESTS") else 80

BOTH = [name for name in names() if name not in NOT_THERE]

THEIR_OWN = {
    "27-single-draw": NoLimitDeuceToSevenLowballSingleDraw,
    "27-triple-draw": FixedLimitDeuceToSevenLowballTripleDraw,
    "badugi": FixedLimitBadugi,
    "limit-holdem": FixedLimitTexasHoldem,
    "nlhe": NoLimitTexasHoldem,
    "omaha8": FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    "plo": PotLimitOmahaHoldem,
    "razz": FixedLimitRazz,
    "short-deck": NoLimitShortDeckHoldem,
    "stud": FixedLimitSevenCardStud,
    "stud8": FixedLimitSevenCardStudHighLowSplitEightOrBetter,
}
"""Variants that PokerKit comes with; the others are put together from its parts."""


def possible(name: str) -> set[str]:
    """The differences that can come up in a variant."""
    rules = load(name)
    found = {lockstep.SHORT_WAGER, lockstep.NOTHING_TO_DECIDE, lockstep.ODD_CHIPS}
    if any(part.up for part in rules.rounds):
        found |= {lockstep.SHORT_BRING_IN, lockstep.TIED_CARDS_UP}
        found -= {lockstep.ODD_CHIPS}
    if "low-8" in rules.showdown.kinds:
        found |= {lockstep.NO_LOW_IN_SIDE_POT}
    if 6 * (rules.hole_cards + sum(part.draw_most for part in rules.rounds)) > len(rules.deck):
        found |= {lockstep.RESHUFFLE}
    if rules.max_players == 2:
        found -= {lockstep.ODD_CHIPS}  # two who tie have put in the same
    return found


@pytest.mark.grows
@pytest.mark.parametrize("name", BOTH)
def test_lockstep(name: str) -> None:
    found = play_lockstep(load(name), HANDS, seed=name)
    assert set(+found) <= possible(name)
    apart = found[lockstep.TIED_CARDS_UP] + found[lockstep.SHORT_BLIND]
    assert apart < HANDS / 50, "too few hands are played to their end"


@pytest.mark.parametrize(("name", "differs"), [("limit-holdem", False), ("nlhe", True), ("plo", True)])
def test_lockstep_with_antes_and_a_straddle(name: str, differs: bool) -> None:
    found = play_lockstep(replace(load(name), ante=1, blinds=(1, 2, 4)), 100, seed=name)
    assert (found[lockstep.STRADDLE] > 0) == differs
    assert set(+found) <= {lockstep.STRADDLE, *possible(name)}


@pytest.mark.parametrize(("name", "differs"), [("limit-holdem", False), ("nlhe", False), ("plo", True)])
def test_lockstep_with_stacks_too_short_for_the_blinds(name: str, differs: bool) -> None:
    found = play_lockstep(load(name), 200, seed=name, short_blinds=True)
    assert found[lockstep.SHORT_BLIND] > 0
    assert (found[lockstep.MISSING_BLIND] > 0) == differs
    assert set(+found) <= {lockstep.SHORT_BLIND, lockstep.MISSING_BLIND, *possible(name)}


def test_every_variant_is_compared_or_it_is_said_why_not() -> None:
    assert set(NOT_THERE) < set(names())
    assert len(BOTH) + len(NOT_THERE) == len(names())


@pytest.mark.parametrize("name", THEIR_OWN)
def test_what_is_put_together_is_the_variant_that_pokerkit_comes_with(name: str) -> None:
    ours, theirs = TheirGame.of(load(name)), THEIR_OWN[name]
    assert [kind.__mro__[1] for kind in ours.hand_types] == list(theirs.hand_types)
    if name != "omaha8":  # whose class says pot limit in PokerKit, against its name
        assert ours.structure == theirs.betting_structure
    assert set(ours.deck) == set(theirs.deck)
    stud, limit = any(part.up for part in load(name).rounds), theirs.__name__.startswith("FixedLimit")
    blinds = 10 if stud else (1, 2)  # or a bring-in
    game = theirs((), True, 1, blinds, 2, 4) if limit else theirs((), True, 1, blinds, 2)
    assert len(ours.streets) == len(game.streets)
    for street, other in zip(ours.streets, game.streets, strict=True):
        for part in ("hole_dealing_statuses", "board_dealing_count", "draw_status", "opening"):
            assert getattr(street, part) == getattr(other, part), part


def random_deal(rng: random.Random, kind: str, size: int, hole_exactly: int) -> tuple[list[int], list[int]]:
    """Hole cards and a board of which a hand of this kind can be made."""
    lowest = {"short": 20 if hole_exactly else 16}.get(kind, 36 if size < 3 else 0)
    highest = 48 if size < 3 else 52
    if size < 5:
        return rng.sample(range(lowest, highest), size), []
    cards = rng.sample(range(lowest, highest), 7 if kind == "short" or not hole_exactly else 9)
    return (cards[:5], []) if kind == "badugi" else (cards[:-5], cards[-5:])


@pytest.mark.parametrize("key", PLAIN_TYPES)
def test_the_shortcut_to_pokerkits_hands_finds_the_same(key: tuple[str, int, int]) -> None:
    rng = random.Random(str(key))
    for _ in range(25):
        hole, board = ([CARDS[card] for card in cards] for cards in random_deal(rng, *key))
        plain, quick = (types[key].from_game_or_none(hole, board) for types in (PLAIN_TYPES, HAND_TYPES))
        assert (plain is None) == (quick is None)
        assert plain is None or plain.entry == quick.entry
