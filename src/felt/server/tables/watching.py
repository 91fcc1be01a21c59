"""Who is at a table and follows it, and what they have been told: numbered messages, the last of which are kept."""

import asyncio
import json
import math
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import orjson

from felt.server.tables.settings import Pace

KEPT = 64  # messages of a table from which somebody who was away can go on; after more they get a fresh picture
MOST_WAITING = 256  # messages that somebody slow may be behind
NOBODY = ""  # the viewer who has no seat


def compact(value: object) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # half a character, in words that somebody sent
        return json.dumps(value, separators=(",", ":"))


@dataclass(frozen=True)
class TableMessage:
    """One event, with the table after it as each viewer sees it (JSON texts, by the viewers' ids)."""

    seq: int
    event: Mapping[str, Any]
    states: Mapping[str, str]
    deadline: float | None
    bank: float | None = None  # what the time bank of the seat to act had when its decision began

    def shows(self, viewer: str) -> bool:
        return viewer in self.states or NOBODY in self.states

    def state(self, viewer: str, now: float) -> str:
        """The state of a viewer, with the time that is left."""
        left = bank = "null"
        if self.deadline is not None:
            over = self.deadline - now
            left = str(max(0, round(1000 * over)))
            if self.bank is not None:
                bank = str(max(0, round(1000 * min(self.bank, self.bank + over))))
        rest = self.states.get(viewer) or self.states[NOBODY]
        return f'{{"seq":{self.seq},"deadline_ms":{left},"bank_ms":{bank},{rest[1:]}'

    def message(self, viewer: str, now: float) -> str:
        return f'{{"seq":{self.seq},"event":{compact(self.event)},"state":{self.state(viewer, now)}}}'


@dataclass(eq=False)
class Watcher:
    """One connection; `waiting` holds what is to be sent, and None when the connection is to be closed."""

    viewer: str
    waiting: asyncio.Queue[TableMessage | str | None] = field(default_factory=lambda: asyncio.Queue(MOST_WAITING))

    def put(self, message: TableMessage | str | None) -> None:
        """Send this next; who is too far behind is let go, and can come back and resume."""
        try:
            self.waiting.put_nowait(message)
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        """Send nothing more, and close."""
        while not self.waiting.empty():
            self.waiting.get_nowait()
        self.waiting.put_nowait(None)


class Audience:
    """All who follow a table."""

    def __init__(self, seq: int = 0) -> None:
        self.seq = seq  # the number of the last event
        self.watchers: set[Watcher] = set()
        self._kept: deque[TableMessage] = deque(maxlen=KEPT)
        self._polls: dict[asyncio.Event, str] = {}  # requests that wait for the next event, with who has asked
        self._closed = False

    def tell(self, message: TableMessage) -> None:
        self.seq = message.seq
        self._kept.append(message)
        for watcher in self.watchers:
            watcher.put(message)
        self._wake()

    def since(self, seq: int | None) -> list[TableMessage] | None:
        """What was told after an event; None where that is not known any more."""
        if seq is None or seq > self.seq or (seq < self.seq and (not self._kept or seq < self._kept[0].seq - 1)):
            return None
        return [message for message in self._kept if message.seq > seq]

    async def wait(self, viewer: str, seconds: float) -> None:
        """Until the next event, or so many seconds; no longer than the viewer may stay."""
        if self._closed:
            return
        news = asyncio.Event()
        self._polls[news] = viewer
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), seconds)
        finally:
            del self._polls[news]

    def _wake(self, only: str | None = None) -> None:
        for news, viewer in self._polls.items():
            if only is None or viewer == only:
                news.set()

    @property
    def viewers(self) -> set[str]:
        return {watcher.viewer for watcher in self.watchers}

    def dismiss(self, viewer: str) -> None:
        """Let a viewer go, who can come back as whom they are then."""
        for watcher in self.watchers:
            if watcher.viewer == viewer:
                watcher.end()
        self._wake(viewer)

    def close(self) -> None:
        """Let everybody go, when they have been told the last."""
        for watcher in self.watchers:
            watcher.put(None)
        self._closed = True
        self._wake()


class Presence:
    """Those who look at one table."""

    def __init__(self, audience: Audience, pace: Pace) -> None:
        self.audience, self.pace = audience, pace
        self.changed = asyncio.Event()  # set whenever something has happened
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
        watcher = Watcher(viewer)
        self.audience.watchers.add(watcher)
        self.seen(viewer)
        return watcher

    def unwatch(self, watcher: Watcher) -> None:
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
