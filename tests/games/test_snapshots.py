"""Snapshots: a hand goes to bytes and back, at any moment, and a damaged one is refused in one line."""

import hashlib
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from felt.cards.card import format_cards
from felt.errors import FeltError
from felt.games import Hand, load
from felt.games.engine import fields as f
from felt.games.engine.compiled import compile_rules
from felt.games.engine.record import HAND, VERSION, kernel_arrays
from felt.games.rules import GameRules
from tests.games.rules_for_tests import every_game
from tests.reference.invariants import random_action, random_stacks, seats

OLD_SNAPSHOTS = json.loads((Path(__file__).parent.parent / "fixtures" / "snapshots-1.json").read_text())

OLD_FINGERPRINTS = {
    "nlhe": "d09865c39b942031",
    "stud8": "a34960c4e4a33934",
    "badugi": "76998d13c051139e",
    "anaconda": "decb32d91034fa8b",
    "five-card-draw-jokers": "bd6e8933d80fdbcc",
    "brag": "cec3c0656c04c8db",
    "kuhn": "772939d46d434f81",
}


@pytest.mark.parametrize("rules", list(every_game()), ids=lambda rules: rules.name)
def test_every_moment_of_a_hand_comes_back_whole(rules: GameRules) -> None:
    """Chips, cards, turn and what is legal: all but the past."""
    rng = random.Random(rules.name)
    hand = Hand.new(rules, random_stacks(rules, rng, rng.choice(seats(rules))), seed=3)
    while True:
        again = Hand.from_bytes(rules, bytes(hand))
        assert bytes(again) == bytes(hand)
        assert (again.turn, again.legal(), again.stakes) == (hand.turn, hand.legal(), hand.stakes)
        assert (again.stacks, again.pot, again.payoffs) == (hand.stacks, hand.pot, hand.payoffs)
        assert [again.view(seat).own for seat in range(hand.players)] == [
            hand.view(seat).own for seat in range(hand.players)
        ]
        if hand.over:
            break
        hand.act(random_action(hand, rng))


def test_a_snapshot_is_the_record_and_little_more() -> None:
    hand = Hand.new(load("nlhe"), [200] * 9)
    assert HAND.itemsize <= 768
    assert len(bytes(hand)) == 8 + 3 + 8 + 3 * 4 * 9 + HAND.itemsize


def test_a_hand_from_a_snapshot_is_independent() -> None:
    hand = Hand.new(load("nlhe"), [200, 200], seed=1)
    kept = bytes(hand)
    again = Hand.from_bytes(hand.rules, kept)
    again.raise_to(50)
    assert bytes(hand) == kept != bytes(again)


def test_any_damaged_byte_is_found() -> None:
    whole = bytes(Hand.new(load("leduc"), seed=1))
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        with pytest.raises(FeltError, match="is damaged: its check sum does not fit"):
            Hand.from_bytes(load("leduc"), bytes(damaged))


def test_a_snapshot_that_is_cut_off_or_too_long_is_found() -> None:
    whole = bytes(Hand.new(load("leduc"), seed=1))
    for text in (*(whole[:end] for end in range(len(whole))), whole + b"\0", whole + whole):
        with pytest.raises(FeltError, match=rf"a snapshot of {len(text)} bytes is damaged"):
            Hand.from_bytes(load("leduc"), text)


@pytest.mark.long
def test_noise_is_no_snapshot() -> None:
    rng = random.Random(1)
    for _ in range(1000):
        with pytest.raises(FeltError, match="is damaged"):
            Hand.from_bytes(load("leduc"), rng.randbytes(rng.randrange(800)))


def test_the_record_has_room_for_two_packs_and_more_boards() -> None:
    sizes = {name: HAND[name].shape for name in ("deck", "muck", "board", "other_boards", "other_counts")}
    assert sizes == {"deck": (108,), "muck": (108,), "board": (8,), "other_boards": (24,), "other_counts": (4,)}
    assert kernel_arrays(np.zeros(HAND.itemsize, dtype=np.uint8))[0].shape == (f.NUMBERS,)
    assert kernel_arrays(np.zeros(HAND.itemsize, dtype=np.uint8))[1].shape == (f.BYTES,)


@pytest.mark.parametrize("case", OLD_SNAPSHOTS, ids=lambda case: case["game"])
def test_a_hand_in_play_under_version_1_goes_on(case: dict[str, Any]) -> None:
    """Snapshots that 0.1 took: what was on the table then, and how the same moves end it."""
    snapshot, rules = bytes.fromhex(case["snapshot"]), load(case["game"])
    assert snapshot[8] == 1
    hand = Hand.from_bytes(rules, snapshot)
    seats, state = range(hand.players), case["state"]
    assert (hand.turn, hand.street, str(hand.legal()), hand.pot) == tuple(
        state[name] for name in ("turn", "street", "legal", "pot")
    )
    assert (list(hand.stacks), format_cards(hand.board)) == (state["stacks"], state["board"])
    assert [format_cards(hand.cards(seat)) for seat in seats] == state["cards"]
    assert [format_cards(hand.up_cards(seat)) for seat in seats] == state["up"]
    assert bytes(hand)[8] == VERSION
    hand = Hand.from_bytes(rules, bytes(hand))
    while not hand.over:
        legal = hand.legal()
        if legal.exchange:
            hand.exchange(hand.choosable()[: legal.exchange[2]])
        else:
            hand.call()
    assert format_cards(hand.board) == case["end"]["board"]
    assert [format_cards(hand.cards(seat)) for seat in seats] == case["end"]["cards"]
    assert list(hand.payoffs) == case["end"]["payoffs"]


def test_a_snapshot_of_another_version_says_so() -> None:
    body = bytearray(bytes(Hand.new(load("leduc"), seed=1))[8:])
    body[0] = VERSION + 1
    with pytest.raises(FeltError, match=f"of version {VERSION + 1} cannot be read by version {VERSION}"):
        Hand.from_bytes(load("leduc"), hashlib.sha256(body).digest()[:8] + bytes(body))


def test_a_snapshot_of_another_game_is_refused() -> None:
    snapshot = bytes(Hand.new(load("nlhe"), [200, 200]))
    for other in (load("plo"), load("nlhe", ante=1)):
        with pytest.raises(FeltError, match=f"is of another game than {other.name} here"):
            Hand.from_bytes(other, snapshot)


def test_a_snapshot_from_when_a_game_was_for_fewer_players_goes_on() -> None:
    """Razz was for eight, baseball for seven; hands that were dealt then are played on."""
    for name, most in (("razz", 8), ("baseball", 7)):
        before = replace(load(name), max_players=most)
        hand = Hand.from_bytes(load(name), bytes(Hand.new(before, seed=1)))
        assert hand.rules == load(name) and hand.turn >= 0


def test_the_games_of_old_snapshots_are_known_by_the_same_eight_bytes() -> None:
    """Fingerprints that version 0.1 has written; whatever rules learn to say since must leave them as they are."""
    for name, fingerprint in OLD_FINGERPRINTS.items():
        assert compile_rules(load(name)).fingerprint.hex() == fingerprint, name
