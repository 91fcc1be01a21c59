"""How long a player waits at a live table, alone and beside 199 others.

The service runs in a process of its own, with its database on disk and no pauses between moves; the client speaks to
it over WebSockets on the loopback interface, as the page does. An answer is what a player waits for: from sending a
move until the agent's own move has been told, or the end of the hand. By then both moves are in the database, and a
hand that is over is synced to disk.

Run it alone with ``python -m benchmarks --only service [--quick]``.
"""

import asyncio
import json
import random
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import websockets

from benchmarks.page import page_rows

SERVER = """
import sys
from pathlib import Path
from felt.server.net.limits import Limits
from felt.server.tables.settings import Pace
from felt.server.web.serving import run_service
many = Limits(changes=1e9, changes_at_once=10**9, sessions=1e9, sessions_at_once=10**9).for_own_machine()
fast = Pace(after_hand=0.0, agent=0.0)
tell = lambda url: print(url.rstrip("/").rpartition(":")[2], flush=True)
run_service(Path(sys.argv[1]), host="127.0.0.1", port=0, announce=tell, limits=many, pace=fast)
"""
NOTE = (
    "Two processes on one machine; every move is in the database before it is told. An answer is the time from sending "
    "a move until the agent has moved, or the hand is over. At 200 tables each player thinks for a second on average."
)
Row = dict[str, Any]


def bench(quick: bool = False) -> dict[str, Any]:
    """All figures as rows of name, value, unit and spread."""
    few, many = (300, 1_000) if quick else (10_000, 100_000)
    tables, seconds = (20, 5.0) if quick else (200, 60.0)
    with service() as port:
        alone = asyncio.run(answers_at(port, "random", few))
        rows = latency_rows(f"answer of a random agent, {few:,} moves", alone, mean=5, p99=20)
        long = asyncio.run(answers_at(port, "random", many))
        tenth = len(long) // 10
        first, last = sum(long[:tenth]) / tenth, sum(long[-tenth:]) / tenth
        rows += latency_rows(f"the same, {many:,} moves", long)
        rows.append(
            {
                "name": f"the same, mean of the last tenth of {many:,} by that of the first",
                "value": last / first,
                "unit": "×",
                "spread": [last / first] * 2,
            }
        )
        rows += page_rows(port, quick=quick)
    with service() as port:
        crowd = asyncio.run(crowded(port, "ehs", tables, seconds))
        rows += latency_rows(f"answer of ehs, {tables} tables at once, {len(crowd):,} moves", crowd, p99=300)
    return {"name": "Live tables", "rows": rows, "note": NOTE, "spread": "the best and the worst answer", "order": 70}


@contextmanager
def service() -> Iterator[int]:
    """A service with a database of its own; gives its port and stops it afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVER, folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield int(process.stdout.readline())
            finally:
                process.terminate()
                process.wait(30)


@dataclass
class Guest:
    """A player who calls what is to call, and raises now and then."""

    port: int
    headers: dict[str, str] = field(default_factory=dict)

    def seated(self, agent: str) -> str:
        """Enter, and sit down with an agent at a new table."""
        answer = self._ask("/session", {"name": f"P {secrets.token_hex(6)}"})
        self.headers |= {"Cookie": answer.headers["set-cookie"].split(";")[0]}
        self.headers |= {"X-Felt-Token": json.load(answer)["token"]}
        asked = {"agents": [agent], "stack": 200, "time_limit": 600}
        return str(json.load(self._ask("/tables", asked))["table"]["id"])

    def rebuy(self, table: str) -> None:
        with suppress(urllib.error.HTTPError):  # asked twice
            self._ask(f"/tables/{table}/rebuy", {})

    def _ask(self, path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", **self.headers},
        )
        return urllib.request.urlopen(request, timeout=60)

    def live(self, table: str) -> Any:
        return websockets.connect(
            f"ws://127.0.0.1:{self.port}/api/v1/tables/{table}/live",
            additional_headers=self.headers,
            compression=None,
            max_queue=None,
        )


async def answers_at(port: int, agent: str, moves: int) -> list[float]:
    """Seconds until each of some moves at one new table was answered."""
    guest = Guest(port)
    return await play(guest, guest.seated(agent), moves)


async def play(guest: Guest, table: str, moves: int, *, seconds: float = 0.0, think: float = 0.0) -> list[float]:
    """Seconds until each move was answered: so many moves, or those of so many seconds."""
    dice, until = random.Random(table), time.monotonic() + seconds
    found: list[float] = []
    acted, began = (0, -1), 0.0
    async with guest.live(table) as socket:
        while len(found) < moves and not (seconds and time.monotonic() > until):
            state = json.loads(await asyncio.wait_for(socket.recv(), 60))["state"]
            now, mine = (state["hand"], state["step"]), state["turn"] == 0
            if began and (state["result"] or (mine and now > acted)):
                found.append(time.perf_counter() - began)
                began = 0.0
            if mine and now > acted:
                if think:
                    await asyncio.sleep(dice.expovariate(1 / think))
                acted, began = now, time.perf_counter()
                await socket.send(json.dumps({"type": "act", **move(state, dice)}))
            elif not state["playing"] and not state["seats"][0]["stack"]:
                await asyncio.to_thread(guest.rebuy, table)
    return found


def move(state: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Mostly a call, sometimes the least raise or a fold."""
    legal, meant, chance = state["legal"], {"hand": state["hand"], "step": state["step"]}, dice.random()
    if legal["raise_to"] and chance < 0.15:
        return {**meant, "move": "raise", "amount": legal["raise_to"]["least"]}
    if legal["fold"] and legal["call"] and chance > 0.9:
        return {**meant, "move": "fold"}
    return {**meant, "move": "call"}


async def crowded(port: int, agent: str, tables: int, seconds: float, think: float = 1.0) -> list[float]:
    """Answers at many tables at once, after all have sat down; the first at each does not count."""
    guests = [Guest(port) for _ in range(tables)]
    seated = [(guest, guest.seated(agent)) for guest in guests]
    each = await asyncio.gather(
        *(play(guest, table, 10**9, seconds=seconds, think=think) for guest, table in seated),
    )
    return [answer for answers in each for answer in answers[1:]]


def latency_rows(name: str, seconds: list[float], *, mean: float = 0.0, p99: float = 0.0) -> list[Row]:
    millis = sorted(1e3 * s for s in seconds)
    figures = {"mean": sum(millis) / len(millis), "99th percentile": millis[int(0.99 * (len(millis) - 1))]}
    rows = []
    for which, target in (("mean", mean), ("99th percentile", p99)):
        row: Row = {
            "name": f"{name}, {which}",
            "value": figures[which],
            "unit": "ms",
            "spread": [millis[0], millis[-1]],
        }
        rows.append(row | ({"target": target, "target_kind": "under"} if target else {}))
    return rows
