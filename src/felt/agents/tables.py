"""Agents that decide at many tables at once, and what they see there."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from felt.agents.dice import Dice, ManyDice
from felt.cards.card import format_cards
from felt.games.actions import Action, IllegalAction
from felt.games.engine import fields as f
from felt.games.engine.batch import HandBatch
from felt.games.engine.record import kernel_arrays
from felt.games.hand import Hand
from felt.games.moves import EXCHANGE, RAISE, ROLL, Move, decode_move, encode_move
from felt.games.rules import GameRules
from felt.games.views.view import View

Ints = NDArray[np.int64]
Moves = tuple[Ints, Ints]
"""A `Move` for each table, and its amount: a raise's total for the street, an exchange's cards as bits of places."""


class Tables:
    """Tables at which it is one player's turn, through that player's eyes: arrays with a row for each.

    Valid until the agent has answered. Numbers are those of `View`.
    """

    def __init__(
        self,
        batch: HandBatch,
        rows: NDArray[np.intp],
        dice: ManyDice,
        steps: Sequence[Ints] | None = None,
        places: Sequence[NDArray[np.int32]] | None = None,
        *,
        seating: Ints | None = None,
        names: Sequence[str] = (),
    ) -> None:
        """Rows of a batch. `steps` are the moves of all its tables so far, for those who ask for a history: for every
        step their codes (`felt.games.moves.encode_move`) by table, less than 0 where the hand was over. `places` are
        where these moves were made, ``street * 16 + seat``. ``seating[table, seat]`` is the player who sits there, by
        whose number `names` has a name; without both the tables are anonymous."""
        self._batch, self._rows, self._dice, self._steps = batch, rows, dice, steps
        self._seating, self._names = seating if names else None, names
        self.past = None if steps is None or places is None else (steps, places)
        """The moves of all tables of the batch and where they were made, if that is known."""
        self._arrays = batch.arrays
        self.rules: GameRules = batch.rules
        self.players = batch.players
        self.legal: Ints = batch.legal[rows]
        """``[n, 6]``: may fold, chips to call, least and most raise to, fewest and most cards to exchange."""

    def __len__(self) -> int:
        return len(self._rows)

    @cached_property
    def names(self) -> NDArray[np.object_] | None:
        """``[n, players]``: who sits where, as `View.names`; None where the tables are anonymous."""
        if self._seating is None:
            return None
        return np.array(self._names, dtype=object)[self._seating[self._rows]]

    @cached_property
    def seat(self) -> Ints:
        """The player's seat."""
        return self._numbers(f.TURN)

    @cached_property
    def street(self) -> Ints:
        """The round in play."""
        return self._numbers(f.STREET)

    @cached_property
    def own(self) -> NDArray[np.uint8]:
        """``[n, 7]``: the player's cards; ``count`` of each row are there."""
        places = f.CARDS + f.CARDS_EACH * self.seat[:, None] + np.arange(f.CARDS_EACH)
        cards: NDArray[np.uint8] = self._arrays[1][self._rows[:, None], places]
        return cards

    @cached_property
    def count(self) -> Ints:
        """How many cards the player holds."""
        counts: Ints = self._arrays[1][self._rows, f.COUNT + self.seat].astype(np.int64)
        return counts

    @cached_property
    def choosable(self) -> Ints:
        """How many of these may be exchanged, the first ones; of those to be turned up, how many are face down."""
        ups: Ints = self._arrays[1][self._rows, f.UP + self.seat].astype(np.int64)
        shown: Ints = (ups[:, None] >> np.arange(f.CARDS_EACH) & 1).sum(axis=1)
        return self.count - np.where(self._numbers(f.PHASE) == ROLL, shown, 0)

    @cached_property
    def board(self) -> NDArray[np.uint8]:
        """``[n, 8]``: the board; ``board_count`` of each row are there."""
        return self._arrays[1][self._rows, f.BOARD : f.BOARD + f.BOARD_SIZE]

    @cached_property
    def board_count(self) -> Ints:
        """How many cards lie on the board."""
        return self._numbers(f.BOARD_COUNT)

    @cached_property
    def pot(self) -> Ints:
        """All chips in the middle, bets of the street included."""
        chips: Ints = self.put.sum(axis=1) + self._numbers(f.DEAD)
        return chips

    @cached_property
    def stacks(self) -> Ints:
        """``[n, players]``: chips behind."""
        return self._by_seat(f.STACKS) + self._by_seat(f.ASIDE)

    @cached_property
    def bets(self) -> Ints:
        """``[n, players]``: chips bet on the street."""
        return self._by_seat(f.BETS)

    @cached_property
    def put(self) -> Ints:
        """``[n, players]``: chips put in since the deal, dead antes apart."""
        return self._by_seat(f.PUT)

    @cached_property
    def folded(self) -> NDArray[np.bool_]:
        """``[n, players]``: who has folded."""
        out: NDArray[np.bool_] = self._numbers(f.LIVE)[:, None] >> np.arange(self.players) & 1 == 0
        return out

    @cached_property
    def raises(self) -> Ints:
        """Bets and raises of the street so far; a blind is one."""
        return self._numbers(f.RAISES)

    @cached_property
    def behind(self) -> Ints:
        """How many of the others who have not folded sit between the player and the button."""
        button = self._numbers(f.BUTTON)[:, None]
        place = (np.arange(self.players) - button - 1) % self.players
        own = np.take_along_axis(place, self.seat[:, None], axis=1)
        later: Ints = ((place > own) & ~self.folded).sum(axis=1)
        return later

    @cached_property
    def opponents(self) -> Ints:
        """How many others have not folded."""
        others: Ints = self.players - 1 - self.folded.sum(axis=1)
        return others

    @property
    def batch(self) -> HandBatch:
        """All tables, these and others, with all cards: not for the eyes of players."""
        return self._batch

    @property
    def rows(self) -> NDArray[np.intp]:
        """Which rows of the batch these tables are."""
        return self._rows

    def some(self, chosen: NDArray[np.bool_]) -> "Tables":
        """Some of the tables."""
        places = None if self.past is None else self.past[1]
        return Tables(
            self._batch, self._rows[chosen], self._dice, self._steps, places, seating=self._seating, names=self._names
        )

    def dice_state(self) -> NDArray[np.uint64]:
        """Where the dice are, for `back_to`."""
        return self._dice.state()

    def back_to(self, state: NDArray[np.uint64]) -> None:
        """Put the dice of these tables back to where they were."""
        self._dice.back_to(state, self._rows)

    def random(self) -> NDArray[np.float64]:
        """The next number from 0 up to 1 at each table."""
        return self._dice.random(self._rows)

    def bits(self) -> NDArray[np.uint64]:
        """The next 64 random bits at each table."""
        return self._dice.bits(self._rows)

    def dice(self, row: int) -> AbstractContextManager[Dice]:
        """The dice of one table, as a plain agent throws them."""
        return self._dice.dice(int(self._rows[row]))

    def view(self, row: int) -> View:
        """What the player sees at one table; its history begins now unless the tables were given their `steps`."""
        table = int(self._rows[row])
        hand = self._batch.hand(table) if self._steps is None else self._replayed(table)
        if self._seating is not None:
            hand.names = tuple([self._names[player] for player in self._seating[table].tolist()])
        return hand.view(int(self.seat[row]))

    def _replayed(self, table: int) -> Hand:
        assert self._steps is not None
        hand = self._batch.dealt(table)
        for codes in self._steps:
            move, amount = decode_move(int(codes[table]))
            if move == EXCHANGE:
                held = hand.cards(hand.turn)
                hand.exchange(card for place, card in enumerate(held) if amount >> place & 1)
            else:
                hand.act(Action(Move(move), amount))
        return hand

    def _numbers(self, field: int) -> Ints:
        column: Ints = self._arrays[0][self._rows, field].astype(np.int64)
        return column

    def _by_seat(self, field: int) -> Ints:
        columns: Ints = self._arrays[0][self._rows, field : field + self.players].astype(np.int64)
        return columns


class OneTable(Tables):
    """One table as `Tables`, made from what the player sees: hidden cards are not in it."""

    def __init__(self, view: View, dice: Dice) -> None:
        legal = view.legal
        if legal is None:
            raise ValueError(f"it is not the turn of seat {view.seat}")
        numbers, cards = kernel_arrays(view.record())
        self._names, self._seating = view.names, np.arange(view.players)[None] if view.names else None
        self._arrays = numbers[None], cards[None]
        self._rows = np.zeros(1, dtype=np.intp)
        self._view, self._one, self.past = view, dice, None
        self.rules, self.players = view.rules, view.players
        raises, exchange = legal.raise_to or (0, 0), (legal.exchange or ("", -1, -1))[1:]
        call = -1 if legal.call is None else legal.call
        self.legal = np.array([[legal.fold, call, *raises, *exchange]], dtype=np.int64)

    def random(self) -> NDArray[np.float64]:
        """The next number from 0 up to 1."""
        return np.array([self._one.random()])

    def bits(self) -> NDArray[np.uint64]:
        """The next 64 random bits."""
        return np.array([self._one.bits()], dtype=np.uint64)

    def dice(self, row: int) -> AbstractContextManager[Dice]:
        """The player's dice."""
        return nullcontext(self._one)

    def view(self, row: int) -> View:
        """What the player sees."""
        return self._view


@runtime_checkable
class BatchAgent(Protocol):
    """An agent that decides at many tables at once. It keeps nothing from hand to hand."""

    def act_batch(self, tables: Tables) -> Moves:
        """A legal move for every table."""
        ...


def few_cards(tables: Tables, moves: Ints, amounts: Ints | None = None) -> Moves:
    """Moves as they are where there is betting; where cards are exchanged, as few as allowed, the first ones."""
    fewest = tables.legal[:, f.LEAST_CARDS]
    exchange = fewest >= 0
    chosen = np.where(moves == RAISE, 0 if amounts is None else amounts, 0)
    return np.where(exchange, EXCHANGE, moves), np.where(exchange, (1 << np.maximum(fewest, 0)) - 1, chosen)


def code_of(action: Action, held: tuple[int, ...]) -> int:
    """A move as a number (`encode_move`); cards of an exchange as bits of their places in `held`."""
    if action.move == Move.EXCHANGE:
        missing = tuple(card for card in action.cards if card not in held)
        if missing:
            raise IllegalAction(f"it does not hold {format_cards(missing)}")
        places = {held.index(card) for card in action.cards}
        if len(places) < len(action.cards):
            raise IllegalAction(f"{format_cards(action.cards)} has a card twice")
        return encode_move(EXCHANGE, sum(1 << place for place in places))
    return encode_move(int(action.move), int(action.amount))
