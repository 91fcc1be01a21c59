"""Who is at a table: who follows it over a connection, and who has asked about it lately."""

import asyncio
import math

from felt.server.tables.pace import Pace
from felt.server.tables.watching import Audience, Watcher


class Presence:
    """Those who look at one table."""

    def __init__(self, audience: Audience, pace: Pace) -> None:
        self.audience, self.pace = audience, pace
        self.changed = asyncio.Event()
        """Set whenever something has happened."""
        self.last_seen = self.now()
        self._asked: dict[str, float] = {}

    def seen(self, viewer: str) -> None:
        """Somebody has asked about the table: they are there."""
        self._asked[viewer] = self.last_seen = self.now()
        self.changed.set()

    @property
    def asking(self) -> set[str]:
        """Who has asked about the table lately."""
        then = self.now() - self.pace.present
        self._asked = {viewer: at for viewer, at in self._asked.items() if at > then}
        return set(self._asked)

    def watch(self, viewer: str) -> Watcher:
        """Follow the table over a connection."""
        watcher = Watcher(viewer)
        self.audience.watchers.add(watcher)
        self.seen(viewer)
        return watcher

    def unwatch(self, watcher: Watcher) -> None:
        """A connection is gone."""
        self.audience.watchers.discard(watcher)
        self.last_seen = self.now()
        self.changed.set()

    @property
    def present(self) -> bool:
        """Whether anybody looks at the table; hands begin for no one else."""
        return bool(self.audience.watchers or self.asking)

    def connected(self, player: str | None) -> bool:
        """Whether a player is at the table just now."""
        if player is None:
            return False
        following = any(watcher.viewer == player for watcher in self.audience.watchers)
        return following or self._asked.get(player, -math.inf) > self.now() - self.pace.present

    @staticmethod
    def now() -> float:
        """The time of the loop, in seconds."""
        return asyncio.get_running_loop().time()
