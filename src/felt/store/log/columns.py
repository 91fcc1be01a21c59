"""The facts of hands as columns of a log (`felt.store.log.schema`)."""

import numpy as np
from numpy.typing import NDArray

from felt.arena.match.hands import HandColumns
from felt.games.engine import fields as f
from felt.games.views.facts import Facts
from felt.games.views.facts_layout import FACT_COLUMNS
from felt.store.files import Columns


def action_columns(facts: Facts, numbers: NDArray[np.int64], players: NDArray[np.integer]) -> Columns:
    """A row for every action of hands with these numbers and players (``[hands, seats]``).

    Most columns are the arrays of the facts themselves: narrower copies were no faster.
    """
    hand, seat = facts.hand, facts.column("seat")
    columns: Columns = {"hand": numbers[hand], "player": players[hand, seat]}
    columns |= {name: facts.column(name) for name in FACT_COLUMNS}
    columns |= by_seat("stack", facts.stack) | by_seat("bet", facts.bet)
    columns |= {"board": facts.board, "hole_cards": facts.holes}
    return columns | by_seat("up", facts.up) | by_seat("cards", facts.counts)


def hand_columns(facts: Facts, numbers: NDArray[np.int64], players: NDArray[np.integer]) -> Columns:
    """A row for every hand."""
    records, n = facts.numbers, facts.players
    rake = records[:, f.RAKE]
    columns: Columns = {"hand": numbers, **by_seat("player", players.T), **by_seat("cards", facts.held.T)}
    columns["board"] = _packed(facts.cards[:, f.BOARD : f.BOARD + f.BOARD_SIZE], records[:, f.BOARD_COUNT])
    columns |= by_seat("payoff", facts.payoffs.T)
    columns["pot"] = records[:, f.WON : f.WON + n].sum(axis=1, dtype=np.int32) + rake
    return columns | {"rake": rake, "shown": facts.shown, "actions": np.diff(facts.first).astype(np.int32)}


def match_columns(facts: Facts, hands: HandColumns) -> tuple[Columns, Columns]:
    """The actions and the hands of a part of a match."""
    players = hands.players.astype(np.int16)
    columns: Columns = {"set": hands.set, "seating": hands.seating, "deal": hands.deal}
    columns = hand_columns(facts, hands.hand, players) | columns | by_seat("adjusted", hands.adjusted.T)
    return action_columns(facts, hands.hand, players), columns


def by_seat(name: str, rows: NDArray[np.generic]) -> Columns:
    """A column for each row of an array."""
    return {f"{name}_{seat}": row for seat, row in enumerate(rows)}


def _packed(cards: NDArray[np.uint8], counts: NDArray[np.int32]) -> NDArray[np.int64]:
    """Rows of up to eight cards in one number each, as `Facts` has them."""
    places = np.arange(cards.shape[1])
    there = np.where(places < counts[:, None], cards + 1, 0).astype(np.int64)
    packed: NDArray[np.int64] = np.bitwise_or.reduce(there << 8 * places, axis=1)
    return packed
