"""What stands in the columns of a log: the facts of hands, as arrays to be written."""

import numpy as np
from numpy.typing import NDArray

from felt.arena.work import HandColumns
from felt.games import fields as f
from felt.games.facts import Facts
from felt.games.facts_layout import FACT_COLUMNS
from felt.store.files import Columns


def action_columns(facts: Facts, hands: HandColumns) -> Columns:
    """A row for every action. Most columns are the arrays of the facts themselves: narrower copies were no faster."""
    of_hand, seat = facts.hand, facts.column("seat")
    told = {name: facts.column(name) for name in FACT_COLUMNS}
    columns: Columns = {"hand": hands.hand[of_hand], "player": hands.players[of_hand, seat].astype(np.int16)}
    columns |= told | _by_seat("stack", facts.stack) | _by_seat("bet", facts.bet) | {"board": facts.board}
    return columns | _by_seat("up", facts.up) | _by_seat("cards", facts.counts)


def hand_columns(facts: Facts, hands: HandColumns) -> Columns:
    """A row for every hand."""
    numbers, n = facts.numbers, facts.players
    rake = numbers[:, f.RAKE]
    columns: Columns = {"hand": hands.hand, "set": hands.set, "seating": hands.seating, "deal": hands.deal}
    columns |= _by_seat("player", hands.players.T.astype(np.int16)) | _by_seat("cards", facts.held.T)
    columns["board"] = _packed(facts.cards[:, f.BOARD : f.DECK], numbers[:, f.BOARD_COUNT])
    columns |= _by_seat("payoff", facts.payoffs.T) | _by_seat("adjusted", hands.adjusted.T)
    columns["pot"] = numbers[:, f.WON : f.WON + n].sum(axis=1, dtype=np.int32) + rake
    columns |= {"rake": rake, "shown": facts.shown, "actions": np.diff(facts.first).astype(np.int32)}
    return {name: np.ascontiguousarray(column) for name, column in columns.items()}


def _by_seat(name: str, rows: NDArray[np.generic]) -> Columns:
    return {f"{name}_{seat}": row for seat, row in enumerate(rows)}


def _packed(cards: NDArray[np.uint8], counts: NDArray[np.int32]) -> NDArray[np.int64]:
    """Rows of up to eight cards in one number each, as `Facts` has them."""
    places = np.arange(cards.shape[1])
    there = np.where(places < counts[:, None], cards + 1, 0).astype(np.int64)
    packed: NDArray[np.int64] = np.bitwise_or.reduce(there << 8 * places, axis=1)
    return packed
