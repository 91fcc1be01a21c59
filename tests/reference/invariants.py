"""What must hold in every hand of every game, checked from outside: chips, cards, views, records and snapshots."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from felt.cards.card import CARD_NAMES
from felt.games import Action, EventKind, Hand, Move, replay
from felt.games.engine import fields as f
from felt.games.engine.batch import HandBatch
from felt.games.history import UNKNOWN
from felt.games.rules import GameRules
from felt.games.views.view import NOBODY

CARD = re.compile("|".join(CARD_NAMES))
CARDS_EACH = 7


def most_moves(rules: GameRules, stacks: Sequence[int]) -> int:
    """No hand takes more moves: a raise is a whole bet or all that somebody has, and all others answer it."""
    players, rounds = len(stacks), len(rules.rounds)
    bet = min(part.betting.bet for part in rules.rounds if part.betting)
    raises = max(stacks) // bet + players
    return players * (4 * rounds + raises)


def random_stacks(rules: GameRules, rng: random.Random, players: int) -> list[int]:
    """Stacks from one chip to the usual one, and to many times that."""
    usual = rules.stack or 100 * rules.big_blind
    most = rng.choice((rules.big_blind + rules.ante, max(2, usual // 20), usual, 3 * usual))
    return [rng.randint(1, most) for _ in range(players)]


def seats(rules: GameRules, most: int = 10) -> list[int]:
    """Numbers of players whom the deck serves."""
    dealt = [part.down + part.up for part in rules.rounds]
    found = []
    for players in range(rules.min_players, min(rules.max_players, most) + 1):
        left, enough = len(rules.deck), True
        for number, (each, part) in enumerate(zip(dealt, rules.rounds, strict=True)):
            wanted = players * each
            left -= (1 if number and 0 <= left < wanted else wanted) + part.board  # one card for all will do
            enough = enough and left >= 0
        if enough:
            found.append(players)
    return found


def random_action(hand: Hand, rng: random.Random) -> Action:
    """Any legal move; folding less often, so that hands come to an end with cards."""
    legal = hand.legal()
    if legal.exchange:
        _, least, most = legal.exchange
        held = hand.choosable()
        return Action(Move.EXCHANGE, cards=tuple(rng.sample(held, rng.randint(least, min(most, len(held))))))
    moves = [Move.CALL] * 4 + [Move.RAISE] * (2 if legal.raise_to else 0) + [Move.FOLD] * int(legal.fold)
    move = rng.choice(moves)
    if move == Move.RAISE and legal.raise_to:
        least, most = legal.raise_to
        return Action(move, rng.choice((least, most, rng.randint(least, most))))
    return Action(move)


@dataclass
class Checked:
    """A random hand, checked after every move."""

    rules: GameRules
    stacks: Sequence[int]
    rng: random.Random
    held: dict[int, set[int]] = field(default_factory=dict)
    public: set[int] = field(default_factory=set)

    def play(self) -> Hand:
        """Play it to its end; whatever does not hold is an AssertionError."""
        rng = self.rng
        hand = Hand.new(self.rules, self.stacks, seed=rng.getrandbits(32), button=rng.randrange(len(self.stacks)))
        self.held = {seat: set() for seat in range(hand.players)}
        moves, snapshot, later = 0, bytes(hand), list[Action]()
        while True:
            check_chips(hand)
            check_cards(hand)
            self.check_view(hand, rng.randrange(NOBODY, hand.players))
            if hand.over:
                break
            if rng.random() < 0.2:
                snapshot, later = bytes(hand), []
            action = random_action(hand, rng)
            later.append(action)
            hand.act(action)
            moves += 1
            assert moves <= most_moves(self.rules, self.stacks), "a hand without end"
        check_snapshot(hand, snapshot, later)
        assert replay(hand.record()).record() == hand.record()
        return hand

    def check_view(self, hand: Hand, viewer: int) -> None:
        """Nothing in a view, its history or its JSON is a card that the seat has not seen."""
        for seat in range(hand.players):
            self.held[seat] |= set(hand.cards(seat))
        for event in hand.events:
            if event.kind == EventKind.DOWN:
                self.held[event.seat] |= set(event.cards)
            elif event.kind in (EventKind.UP, EventKind.ROLLED, EventKind.BOARD):
                self.public |= set(event.cards)
        seen = hand.view(viewer)
        allowed = self.public | self.held.get(viewer, set())
        for seat in seen.shown:
            assert hand.over and not hand.folded[seat]
            allowed = allowed | set(hand.cards(seat))
        told = {card for seat in seen.seats for card in (*seat.cards, *seat.up)} | {*seen.board, *seen.own}
        told |= {card for event in seen.history for card in event.cards if card != UNKNOWN}
        assert told <= allowed, f"seat {viewer} sees {told - allowed}"
        text = json.dumps({**seen.as_dict(), "game": "", "round": ""})
        assert {CARD_NAMES.index(card) for card in CARD.findall(text)} <= allowed


def check_chips(hand: Hand) -> None:
    """All chips are behind somebody, in the pot or with the house."""
    assert min(hand.stacks) >= 0 and min(hand.bets) >= 0
    assert sum(hand.stacks) + hand.pot + hand.rake == sum(hand.starting_stacks)
    assert not hand.over or sum(hand.payoffs) == -hand.rake


def check_cards(hand: Hand) -> None:
    """Every card of the deck lies in one place: in a live hand, on the board, in the deck or in the muck."""
    h, k = hand.arrays
    lying = [*k[f.DECK + h[f.DECK_AT] : f.DECK + h[f.DECK_COUNT]], *k[f.MUCK : f.MUCK + h[f.MUCK_COUNT]], *hand.board]
    for seat, folded in enumerate(hand.folded):
        if not folded:
            lying += hand.cards(seat)
    assert sorted(map(int, lying)) == sorted(hand.rules.deck.cards)


def check_snapshot(hand: Hand, snapshot: bytes, later: Sequence[Action]) -> None:
    """From a snapshot in the middle the same moves lead to the same end."""
    again = Hand.from_bytes(hand.rules, snapshot)
    assert bytes(again) == snapshot
    for action in later:
        again.act(action)
    assert bytes(again) == bytes(hand)


class CheckedBatch:
    """Many tables in lockstep with random moves, checked as a whole after every step."""

    def __init__(self, rules: GameRules, tables: int, stacks: Sequence[int], seed: int, *, card_checks: float = 1.0):
        self.rules, self.stacks = rules, stacks
        self.batch = HandBatch(rules, tables, stack=list(stacks), seed=seed, threads=1)  # type: ignore[arg-type]
        self.rng = np.random.default_rng(seed)
        self.card_checks = card_checks
        """Share of the steps after which cards are counted; they always are at the end."""
        self.deck = sum(1 << card for card in rules.deck)

    def play(self) -> int:
        """Play all hands to their end; returns the number of moves."""
        moves, steps, most = 0, 0, most_moves(self.rules, self.stacks)
        going = np.arange(len(self.batch))
        self._check_cards(going)
        while len(going):
            chosen, amounts = self._moves(going)
            self.batch.step(chosen, amounts)
            moves += len(going)
            steps += 1
            assert steps <= most, "a hand without end"
            self._check_chips(going)
            if self.rng.random() < self.card_checks:
                self._check_cards(going)
            going = going[~self.batch.over[going]]
        self._check_cards(np.arange(len(self.batch)))
        rake = self.batch._numbers[:, f.RAKE]
        assert np.array_equal(self.batch.payoffs.sum(axis=1), -rake)
        return moves

    def _moves(self, going: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Random legal moves for the tables that go on."""
        fold, _, least, most, fewest, many = self.batch.legal[going].T
        roll = self.rng.random(len(going))
        move = np.where((roll < 0.35) & (least > 0), Move.RAISE, Move.CALL)
        move = np.where((roll > 0.88) & (fold > 0), Move.FOLD, move)
        some = least + (self.rng.random(len(going)) * (most - least + 1)).astype(np.int64)
        amount = np.choose(self.rng.integers(0, 3, len(going)), [least, most, some])
        amount = np.where(move == Move.RAISE, amount, 0)
        exchanging = np.flatnonzero(fewest >= 0)
        move[exchanging] = Move.EXCHANGE
        amount[exchanging] = self._sets(going[exchanging], fewest[exchanging], many[exchanging])
        moves, amounts = (np.zeros(len(self.batch), dtype=np.int64) for _ in range(2))
        moves[going], amounts[going] = move, amount
        return moves, amounts

    def _sets(self, tables: NDArray[np.int64], fewest: NDArray[np.int64], many: NDArray[np.int64]) -> NDArray[np.int64]:
        """Random sets of the cards of those whose turn it is, as bits."""
        held = self.batch._cards[tables, f.COUNT + self.batch.turn[tables]].astype(np.int64)
        wanted = self.rng.integers(fewest, np.minimum(many, held) + 1)
        order = self.rng.random((len(tables), CARDS_EACH))
        order[np.arange(CARDS_EACH) >= held[:, None]] = 2
        place = order.argsort(axis=1).argsort(axis=1)
        bits: NDArray[np.int64] = ((place < wanted[:, None]) << np.arange(CARDS_EACH)).sum(axis=1)
        return bits

    def _check_chips(self, tables: NDArray[np.int64]) -> None:
        h = self.batch._numbers[tables]
        behind, put, aside = (h[:, at : at + 10] for at in (f.STACKS, f.PUT, f.ASIDE))
        over = self.batch.over[tables]
        pot = np.where(over, h[:, f.RAKE], h[:, f.DEAD] + put.sum(axis=1))
        assert (behind >= 0).all() and (put >= 0).all()
        assert (behind.sum(axis=1) + aside.sum(axis=1) + pot == sum(self.stacks)).all()

    def _check_cards(self, tables: NDArray[np.int64]) -> None:
        """As many cards as the deck has, whose bits add up to those of the deck: so each lies in one place."""
        h, k = self.batch._numbers[tables], self.batch._cards[tables]
        live = h[:, f.LIVE, None] >> np.arange(10) & 1
        counts = np.where(live, k[:, f.COUNT : f.COUNT + 10], 0)
        held = np.arange(CARDS_EACH) < counts[:, :, None]
        places = np.arange(f.DECK_SIZE)
        there = np.hstack(
            [
                held.reshape(len(tables), 70),
                np.arange(f.BOARD_SIZE) < h[:, f.BOARD_COUNT, None],
                (places >= h[:, f.DECK_AT, None]) & (places < h[:, f.DECK_COUNT, None]),
                places < h[:, f.MUCK_COUNT, None],
            ]
        )
        bits = np.left_shift(
            np.uint64(1), np.hstack([k[:, f.CARDS : f.OTHER_BOARDS], k[:, f.DECK :]]).astype(np.uint64)
        )
        assert (there.sum(axis=1) == len(self.rules.deck)).all()
        assert (np.where(there, bits, np.uint64(0)).sum(axis=1) == np.uint64(self.deck)).all()
