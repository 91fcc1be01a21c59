"""What is behind the pages for studying: hands that are over, what players did in them, agents that are asked."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from felt.server.brains import Brains
from felt.server.limits import Allowance, Limits
from felt.server.live_table import TableError
from felt.server.totals import TotalsKept
from felt.store.db import Store
from felt.store.past import PastHand, one_hand, split_id

T = TypeVar("T")
MOST_THINKING = 1
"""Agents that may think for strangers at a time: the others think for the tables."""


class Study:
    """Past hands for who may see them."""

    def __init__(self, store: Store, brains: Brains, limits: Limits) -> None:
        self.store, self.brains = store, brains
        self.totals = TotalsKept(store)
        self.allowance = Allowance(rate=limits.studies, at_once=limits.studies_at_once)
        self.decisions = Allowance(rate=limits.studies, at_once=limits.studies_at_once)
        """Of agents that are asked from one address."""
        self._thinking = asyncio.Semaphore(MOST_THINKING)

    async def ask(self, what: Callable[[], T], seconds: float) -> tuple[T | None, str]:
        """Have an agent think for a stranger, after those who asked before; None and why, if nothing comes in time."""
        began = time.monotonic()
        try:
            await asyncio.wait_for(self._thinking.acquire(), seconds)
        except TimeoutError:
            return None, "did not get to think in time"
        left = seconds - (time.monotonic() - began)
        return await self.brains.work(what, seconds=left, after=self._thinking.release)

    def hand(self, text: str, player: str | None) -> PastHand:
        """A hand by its id, for one player; what they may not see is not there."""
        place = split_id(text)
        found = None if place is None else one_hand(self.store, *place)
        if found is None or not found.visible_to(player):
            raise TableError("no_such_hand", "there is no such hand, or it is not yours to see")
        return found
