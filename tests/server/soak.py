"""A service under load and under attack for a long time, killed again and again: `make soak`.

People play at many tables, each with two agents, from twenty addresses; hostile clients of every kind in
`tests.server.attacks` come from another. In the first half the service is killed at random and started again, and
whatever people were told must be there; in the second half it runs through, and its memory and its descriptors must
stay flat. What others waited meanwhile is measured. Everything happens on the loopback network and ends by itself.

Usage: python -m tests.server.soak [MINUTES] [TABLES] [KILLS]
"""

import asyncio
import json
import random
import signal
import socket
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import websockets

from tests.server.attacks import BROKEN, Latencies, Target, measure
from tests.server.test_kills import STACK, Table, check_back, check_kept

GAMES = ("nlhe", "plo", "stud", "five-card-draw", "limit-holdem", "badugi", "razz", "short-deck")
ADDRESSES = [f"127.0.2.{number}" for number in range(1, 21)]
HOSTILE = {
    "idle": 10,
    "half-header": 8,
    "half-body": 6,
    "half-upgrade": 6,
    "websocket-flood": 6,
    "slow-readers": 4,
    "table-maker": 4,
    "list-flood": 3,
    "phh-bomb": 3,
}
"""Hostile clients by kind: fifty."""
ROUND_SECONDS = 60.0
"""After which hostile clients begin anew."""
THINK_SECONDS = 1.0
START_SECONDS = 120.0
SAMPLE_SECONDS = 2.0
GROWTH_SHARE, GROWTH_BYTES = 0.10, 40 * 2**20
"""By how much memory may be larger at the end of the second half than early in it: noise, not a leak."""
CHECKED_TABLES = 10
"""How many tables are compared with the database after a kill; at the end, all."""


@dataclass
class Sample:
    """The service's process at one moment."""

    seconds: float
    life: int
    memory: int
    descriptors: int
    threads: int


class Service:
    """`felt serve` with its own limits, at one port in all its lives."""

    def __init__(self, data: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.data, self.life = data, 0
        self.began = time.monotonic()
        self.samples: list[Sample] = []
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        command = ["serve", "--no-open", "--port", str(self.port), "--data", str(self.data)]
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "from felt.cli.app import main; main()", *command, stdout=asyncio.subprocess.PIPE
        )
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), START_SECONDS)
        assert b"Felt is served at" in line, line
        self.life += 1

    async def end(self, by: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(by)
        return await asyncio.wait_for(self.process.wait(), 30)

    def ask(self, path: str, body: object = None, headers: dict[str, str] | None = None) -> tuple[Any, Any]:
        """An answer and its headers, as the tests of kills ask."""
        data = None if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json", **(headers or {})}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1{path}", data, sent)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer), answer.headers

    def sample(self) -> None:
        """Look at the process, if it is there."""
        assert self.process is not None
        folder = Path("/proc", str(self.process.pid))
        with suppress(OSError, KeyError, ValueError):
            status = dict(
                line.split(":\t", 1) for line in (folder / "status").read_text().splitlines() if ":\t" in line
            )
            memory, threads = int(status["VmRSS"].split()[0]) * 1024, int(status["Threads"])
            count = sum(1 for _ in (folder / "fd").iterdir())
            self.samples.append(Sample(time.monotonic() - self.began, self.life, memory, count, threads))


class Person(Table):
    """Somebody who plays at a table of their own through all lives of the service."""

    def __init__(self, table: str, headers: dict[str, str]) -> None:
        self.id, self.headers = table, headers
        self.results: dict[int, dict[str, Any]] = {}
        self.bought, self.counted = 3 * STACK, 0
        self.last: dict[str, Any] | None = None

    @classmethod
    async def enter(cls, target: Target, number: int) -> "Person":
        """A new guest with a new table."""
        lines = await target.enter(f"Player {number}")
        game = GAMES[number % len(GAMES)]
        options = {"game": game, "seats": 3, "agents": ["random", "call"], "stack": STACK, "time_limit": 600}
        status, _, body = await target.ask("/tables", options, lines)
        assert status == 201, body
        return cls(json.loads(body)["table"]["id"], dict(line.split(": ", 1) for line in lines))

    async def play(self, target: Target, waits: Latencies, dice: random.Random) -> None:
        """Play until cancelled, over connections that break and are made again."""
        while True:
            with suppress(*BROKEN, websockets.WebSocketException):
                since = "" if self.last is None else f"?since={self.last['seq']}"
                url = f"ws://127.0.0.1:{target.port}/api/v1/tables/{self.id}/live{since}"
                async with websockets.connect(
                    url, additional_headers=self.headers, local_addr=(target.source, 0), open_timeout=20
                ) as connection:
                    await self._follow(target, connection, waits, dice)
            await asyncio.sleep(0.5)

    async def _follow(
        self, target: Target, connection: websockets.ClientConnection, waits: Latencies, dice: random.Random
    ) -> None:
        sent = None
        await self._move(target, connection, dice)
        async for text in connection:
            message = json.loads(text)
            if "state" not in message:
                continue
            if sent is not None:
                waits.seconds.append(time.perf_counter() - sent)
            self.heard(message)
            sent = await self._move(target, connection, dice)

    async def _move(self, target: Target, connection: websockets.ClientConnection, dice: random.Random) -> float | None:
        """Think and act, if it is their turn; when that was sent."""
        state = self.last
        if state is None:
            return None
        if state["turn"] == 0:
            await asyncio.sleep(dice.expovariate(1 / THINK_SECONDS))
            await connection.send(json.dumps(self.choice(state, dice)))
            return time.perf_counter()
        if not state["playing"] and not state["seats"][0]["stack"]:
            lines = [f"{name}: {text}" for name, text in self.headers.items()]
            await target.ask(f"/tables/{self.id}/rebuy", {}, lines)
        return None

    @staticmethod
    def choice(state: dict[str, Any], dice: random.Random) -> dict[str, Any]:
        """Call, sometimes raise, exchange as few cards as may be."""
        legal = state["legal"]
        move: dict[str, Any] = {"type": "act", "hand": state["hand"], "step": state["step"], "move": "call"}
        if legal["exchange"]:
            return {
                **move,
                "move": "exchange",
                "cards": "".join(state["seats"][0]["cards"][: legal["exchange"]["least"]]),
            }
        if legal["raise_to"] and dice.random() < 0.2:
            return {**move, "move": "raise", "amount": legal["raise_to"]["least"]}
        return move


@dataclass
class Outcome:
    """What a soak has shown."""

    minutes: float
    kills: int
    people: list[Person]
    samples: list[Sample]
    halves: list[tuple[Latencies, Latencies]] = field(default_factory=list)
    """Of each half: what others waited for an answer, and people for their moves."""
    attacks: dict[str, list[str]] = field(default_factory=dict)
    after: int = 0
    """Descriptors when the hostile clients were gone."""
    exit_code: int | None = None

    @property
    def hands(self) -> int:
        return sum(len(person.results) for person in self.people)

    def steady(self) -> list[Sample]:
        """The second half: one life."""
        return [sample for sample in self.samples if sample.life == self.samples[-1].life]

    def growth(self) -> tuple[float, float]:
        """Memory in the second and in the last quarter of the steady half."""
        memory = [sample.memory for sample in self.steady()]
        quarter = len(memory) // 4
        return median(memory[quarter : 2 * quarter]), median(memory[-quarter:])

    def faults(self) -> Iterator[str]:
        """What did not hold."""
        early, late = self.growth()
        if late - early > max(GROWTH_BYTES, GROWTH_SHARE * early):
            yield f"memory grew from {early / 2**20:.0f} to {late / 2**20:.0f} MB"
        if self.after > len(self.people) + 100:
            yield f"{self.after} descriptors are open though only {len(self.people)} people are there"
        if self.exit_code not in (0, -signal.SIGTERM):
            yield f"stopped, the service ended with {self.exit_code}"
        for others, _ in self.halves[1:]:
            if others.failed:
                yield f"{others.failed} of {len(others.seconds)} others were kept out while the service ran through"
        if idle := [person.id for person in self.people if not person.results]:
            yield f"at {len(idle)} tables no hand came to its end"

    def table(self) -> str:
        """The figures, in Markdown."""
        rows = ["| | with kills | running through |", "|---|---|---|"]
        for title, part in (("others' answers", 0), ("people's moves", 1)):
            rows.append(" | ".join([f"| {title}", *(str(half[part]) for half in self.halves)]) + " |")
        lives = self.samples[-1].life
        first, last = [s for s in self.samples if s.life < lives], self.steady()
        for title, name, scale in (
            ("memory, MB", "memory", 2**20),
            ("descriptors", "descriptors", 1),
            ("threads", "threads", 1),
        ):
            cells = []
            for samples in (first, last):
                values = [getattr(sample, name) / scale for sample in samples] or [0]
                cells.append(f"{min(values):.0f}–{max(values):.0f}")
            rows.append(f"| {title} | {' | '.join(cells)} |")
        early, late = self.growth()
        rows.append(f"| memory in the second and last quarter, MB | | {early / 2**20:.0f}, {late / 2**20:.0f} |")
        rows.append(f"| descriptors when hostile clients are gone | | {self.after} |")
        rows.append("")
        rows.append(f"{self.minutes:g} minutes, {len(self.people)} tables, {self.hands:,} hands, {self.kills:g} kills.")
        return "\n".join(rows)


async def attack(name: str, clients: int, port: int, until: float) -> list[str]:
    """Hostile clients of one kind in a process of their own, round after round; what each round said."""
    told = []
    while (left := until - time.monotonic()) > 5:
        seconds = min(ROUND_SECONDS, left - 2)
        process = await asyncio.create_subprocess_exec(
            *("nice", "-n", "10", sys.executable, "-m", "tests.server.attacks"),
            *(f"-{name}", str(port), f"{seconds}", str(clients)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # a service that is being killed just now
        )
        try:
            line, _ = await asyncio.wait_for(process.communicate(), seconds + 60)
            told.append(line.decode().strip())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        await asyncio.sleep(0.5)
    return told


async def soak(data: Path, *, minutes: float, tables: int, kills: int, seed: int = 1) -> Outcome:
    """Run one; raises where something that was told is lost."""
    dice, service = random.Random(seed), Service(data)
    await service.start()
    others = Target(service.port)
    targets = [Target(service.port, ADDRESSES[number % len(ADDRESSES)]) for number in range(tables)]
    people = [await Person.enter(target, number) for number, target in enumerate(targets)]
    outcome = Outcome(minutes, kills, people, service.samples)
    half = 30 * minutes
    end = time.monotonic() + 2 * half
    attacks = {name: asyncio.create_task(attack(name, count, service.port, end)) for name, count in HOSTILE.items()}
    sampling = asyncio.create_task(_sample(service))
    playing: list[asyncio.Task[None]] = []

    def play(waits: Latencies) -> None:
        for person, target in zip(people, targets, strict=True):
            playing.append(asyncio.create_task(person.play(target, waits, dice)))

    async def rest() -> None:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        playing.clear()

    try:
        middle = end - half
        waits, moves = Latencies(), Latencies()
        for number in range(kills):
            stop = asyncio.Event()
            measuring = asyncio.create_task(measure(others, stop))
            play(moves)
            pause = max(0.0, (middle - time.monotonic()) / (kills - number))
            await asyncio.sleep(pause * dice.uniform(0.6, 1.0))
            stop.set()
            waits.add(await measuring)
            await service.end(signal.SIGKILL)
            await rest()
            checked = dice.sample(people, min(CHECKED_TABLES, tables))
            await asyncio.to_thread(check_kept, data, checked)
            await service.start()
            for person in people:
                await asyncio.to_thread(check_back, service, person)
        outcome.halves.append((waits, moves))
        stop, moves = asyncio.Event(), Latencies()
        measuring = asyncio.create_task(measure(others, stop))
        play(moves)
        await asyncio.sleep(max(0.0, end - time.monotonic()))
        stop.set()
        outcome.halves.append((await measuring, moves))
        outcome.attacks = dict(zip(attacks, await asyncio.gather(*attacks.values()), strict=True))
        await asyncio.sleep(25)  # until what hostile clients have left is cut
        service.sample()
        outcome.after = service.samples[-1].descriptors
        await rest()
        outcome.exit_code = await service.end(signal.SIGTERM)
        await asyncio.to_thread(check_kept, data, people)
        return outcome
    finally:
        sampling.cancel()
        for task in attacks.values():
            task.cancel()
        await rest()
        if service.process is not None and service.process.returncode is None:
            await service.end(signal.SIGKILL)


async def _sample(service: Service) -> None:
    while True:
        service.sample()
        await asyncio.sleep(SAMPLE_SECONDS)


def main(minutes: float = 30.0, tables: int = 100, kills: int = 20) -> int:
    """Run it, print the table, and say what did not hold."""
    with tempfile.TemporaryDirectory() as folder:
        print(
            f"{minutes:g} minutes with {tables:g} tables, {sum(HOSTILE.values())} hostile clients, {kills:g} kills …",
            flush=True,
        )
        outcome = asyncio.run(soak(Path(folder), minutes=minutes, tables=int(tables), kills=int(kills)))
    print(outcome.table())
    for name, rounds in outcome.attacks.items():
        print(f"{name}: {len(rounds)} rounds, the last: {rounds[-1] if rounds else '-'}")
    faults = list(outcome.faults())
    print("\n".join(faults) or "Nothing was lost, and nothing grew.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*map(float, sys.argv[1:4])))
