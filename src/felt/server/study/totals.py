"""What players have done so far: totals that are read once and grow as hands end."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from felt.games import Hand
from felt.stats import INDICATORS, Tally
from felt.stats.records import Did, added, count_hand, counted_of
from felt.store.database.db import Store
from felt.store.database.hands import SeatResult, results_after

MOST_KEPT = 1000
FIRST = ("vpip", "pfr", "three_bet", "af", "wtsd", "wsd", "cbet")  # what players look at first
SHOWN = (*FIRST, *(name for name in INDICATORS if name not in FIRST and not name.endswith("_d")))


def counts_of(hand: Hand) -> list[dict[str, Any]]:
    """What is kept of each seat of a hand that is over: what it did, and the stakes that its chips are measured by."""
    return [{"big_blind": hand.rules.big_blind, "did": did} for did in count_hand(hand)]


@dataclass
class Total:
    """One player's hands together."""

    hands: int = 0
    won: int = 0
    did: Did = field(default_factory=dict)
    _tally: Tally = field(default_factory=lambda: Tally(hands_per_unit=1, big_blind=1))
    _waiting: list[float] = field(default_factory=list)

    def add(self, result: SeatResult) -> None:
        self.hands += 1
        self.won += result.payoff
        if result.counts:
            added(self.did, result.counts["did"])
            self._waiting.append(result.payoff / max(result.counts["big_blind"], 1))

    def to_dict(self) -> dict[str, Any]:
        """The figures, with how sure the rate is."""
        self._tally.add(np.array(self._waiting, dtype=np.float64))
        self._waiting = []
        rate = self._tally.rate()
        return {
            "hands": self.hands,
            "stats": [_stat(self.did, name) for name in SHOWN],
            "won": self.won,
            "mbb": round(rate.mbb, 3) if rate.hands else None,
            "mbb_interval": None if rate.half is None else round(rate.half, 3),
        }


def _stat(did: Did, name: str) -> dict[str, Any]:
    about, count = INDICATORS[name], counted_of(did, name)
    return {
        "key": name,
        "title": about.label,
        "help": f"{about.numerator} / {about.denominator}",
        "value": None if count.share is None else round(count.share, 6),
        "count": count.num,
        "of": count.den,
        "unit": "ratio" if about.ratio else "%",
    }


@dataclass
class Totals:
    """Totals by whatever they are told apart by, of the hands up to the last one."""

    last: int = 0
    of: dict[Hashable, Total] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


def seat_key(player: str | None, name: str, agent: str | None) -> Hashable:
    """How totals of a table tell its players apart: a person, or an agent under its name."""
    return ("person", player) if agent is None else ("agent", agent, name)


class TotalsKept:
    """The totals of tables and players that were asked for last; each question reads only what is new."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[Hashable, Totals] = OrderedDict()
        self._lock = Lock()

    def table(self, table: str) -> Totals:
        """Of everybody at a table, by `seat_key`."""
        return self._grown(("table", table), lambda seat: seat_key(seat.player, seat.name, seat.agent), table=table)

    def player(self, player: str) -> Totals:
        """Of a player at all tables, by game."""
        return self._grown(("player", player), lambda result: result.game, player=player)

    def _grown(self, name: Hashable, key: Callable[[SeatResult], Hashable], **filters: str) -> Totals:
        with self._lock:
            totals = self._kept.pop(name, None) or Totals()
            self._kept[name] = totals
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        with totals.lock:
            for result in results_after(self._store, totals.last, **filters):
                totals.of.setdefault(key(result), Total()).add(result)
                totals.last = result.hand
        return totals
