"""Compiled and imported before a clock starts: tables deal, and agents are asked, when all is there that they need."""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product

from felt.agents.naming import BUILT_IN, Entrant
from felt.arena._warm import FIRST_AGENT, FIRST_GAME
from felt.arena.conductor.prepare import is_prepared, prepare
from felt.errors import describe_error
from felt.games import load
from felt.games.rules import GameRules
from felt.server.net.faults import is_machine_fault

log = logging.getLogger("uvicorn.error")

OFFERED = tuple(name for name in BUILT_IN if name != "strategy")
"""Who may be invited by anybody: names only, since a longer description may name a file."""

USUAL = (FIRST_GAME, "plo", "five-card-draw", "leduc")
"""Games that are prepared when the service starts, one of each kind: nearly all kernels are loaded then."""


class Preparing:
    """One thread that compiles and loads, one game after the other: who thinks or deals has other threads."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="felt-preparing")
        self._pool.submit(int)  # the thread is there from the beginning: later there might be none to have

    async def game(self, rules: GameRules, agents: Sequence[str | Entrant], players: int | None = None) -> None:
        """Wait until hands of this game between these agents can be played without compiling or importing anything."""
        if not is_prepared(rules, agents, players=players, lockstep=False):
            work = partial(prepare, rules, agents, players=players, lockstep=False, say=log.warning)
            try:
                await asyncio.get_running_loop().run_in_executor(self._pool, work)
            except Exception as error:
                if is_machine_fault(error):
                    raise  # it passes: whoever waits tries again
                log.warning("felt: first moves at %s will be slow: %s", rules.name, describe_error(error))

    async def usual_games(self) -> None:
        """Prepare what is played most, so that the first tables need not wait for it.

        It is done in small parts, the page's first offer first: a table that needs another one waits for one part only.
        """
        for name, agent in product(USUAL, (FIRST_AGENT, *OFFERED)):
            await self.game(load(name), [agent])

    def close(self) -> None:
        """Prepare nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
