"""Killed at random while people and agents play: no chip is lost, no hand that was told of, and nothing goes back."""

import asyncio
import json
import random
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

import pytest
import websockets

from felt.store.database.db import Store
from tests.kept_hands import hands_of
from tests.server.test_restart import same

SERVICE = """
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
GAMES = ("nlhe", "five-card-draw", "stud")
STACK = 300


class Service:
    """A service in a process of its own, which can be killed."""

    def __init__(self, data: Path) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", SERVICE, str(data)], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        with self.process.stdout:
            self.process.wait(20)

    def ask(self, path: str, body: object = None, headers: dict[str, str] | None = None):
        """An answer and its headers, asked again while the service starts."""
        data = None if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json", **(headers or {})}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/v1{path}", data, sent)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer), answer.headers


class Table:
    """A table of Ada and two agents, followed over all its services; all that was told of it."""

    def __init__(self, service: Service, game: str, headers: dict[str, str]) -> None:
        asked = {"game": game, "seats": 3, "agents": ["random", "call"], "stack": STACK, "time_limit": 600}
        self.headers = headers
        self.id = service.ask("/tables", asked, headers)[0]["table"]["id"]
        self.results: dict[int, dict] = {}
        self.bought = 3 * STACK
        self.counted = 0
        """The event up to which `bought` is known; the service plays on while it is asked, and tells of it later."""
        self.last: dict | None = None

    def heard(self, message: dict) -> None:
        state = message["state"]
        if message["seq"] > self.counted and "buys" in message["event"]["text"]:
            self.bought += STACK
        if state["result"]:
            self.results[state["hand"]] = state["result"]
        assert self.last is None or state["seq"] >= self.last["seq"]
        self.last = state

    def chips(self, state: dict) -> int:
        held = sum(seat["stack"] for seat in state["seats"] if seat)
        return held + (state["pot"] if not state["result"] else 0)


async def play(service: Service, table: Table, dice: random.Random) -> None:
    """Ada's part, until the connection breaks: first from where she was, then from what she is told."""
    since = "" if table.last is None else f"?since={table.last['seq']}"
    url = f"ws://127.0.0.1:{service.port}/api/v1/tables/{table.id}/live{since}"
    with suppress(OSError, HTTPException, websockets.WebSocketException):
        async with websockets.connect(url, additional_headers=table.headers) as socket:
            await act(service, table, socket, dice)
            async for text in socket:
                message = json.loads(text)
                if "state" in message:  # else a move is refused that was kept already, and is told now
                    table.heard(message)
                    await act(service, table, socket, dice)


async def act(service: Service, table: Table, socket: websockets.ClientConnection, dice: random.Random) -> None:
    state = table.last
    if state is None:
        return
    if state["turn"] == 0:
        meant, legal = {"hand": state["hand"], "step": state["step"]}, state["legal"]
        move = {"move": "call"}
        if legal["exchange"]:
            own = state["seats"][0]["cards"]
            move = {"move": "exchange", "cards": "".join(own[: legal["exchange"]["least"]])}
        elif legal["raise_to"] and dice.random() < 0.2:
            move = {"move": "raise", "amount": legal["raise_to"]["least"]}
        await socket.send(json.dumps({"type": "act", **meant, **move}))
    elif not state["playing"] and not state["seats"][0]["stack"]:
        with suppress(urllib.error.HTTPError):  # she has asked already
            await asyncio.to_thread(service.ask, f"/tables/{table.id}/rebuy", {}, table.headers)


async def play_and_kill(service: Service, tables: list[Table], dice: random.Random, seconds: float) -> None:
    before = [table.last and table.last["seq"] for table in tables]
    playing = [asyncio.create_task(play(service, table, dice)) for table in tables]
    for table, seq in zip(tables, before, strict=True):
        async with asyncio.timeout(60):
            while table.last is None or table.last["seq"] < (seq or 0) + 3:
                await asyncio.sleep(0.002)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(service.kill)
    await asyncio.gather(*playing)


def killed(tmp_path: Path, times: int) -> None:
    dice = random.Random(times)
    service = Service(tmp_path)
    me, told = service.ask("/session", {"name": "Ada"})
    headers = {"Cookie": told["set-cookie"].partition(";")[0], "X-Felt-Token": me["token"]}
    tables = [Table(service, game, headers) for game in GAMES]
    try:
        for _ in range(times):
            asyncio.run(play_and_kill(service, tables, dice, dice.uniform(0.0, 1.0)))
            check_kept(tmp_path, tables)
            service = Service(tmp_path)
            for table in tables:
                check_back(service, table)
    finally:
        service.kill()
    assert sum(len(table.results) for table in tables) > times


def check_kept(data: Path, tables: list[Table]) -> None:
    """What was told is on disk: every result, and the stacks of every hand follow from the last."""
    store = Store(data)
    for table in tables:
        hands = hands_of(store, table.id)
        assert [hand.number for hand in hands] == list(range(1, len(hands) + 1))
        kept = {hand.number: hand.result for hand in hands}
        assert all(kept[number] == result for number, result in table.results.items())
        assert all(sum(hand.result["payoffs"]) == 0 for hand in hands)
    store.close()


def check_back(service: Service, table: Table) -> None:
    """The table is where it was, or one kept step further, with all its chips."""
    state, _ = service.ask(f"/tables/{table.id}", headers=table.headers)
    assert table.last is None or state["seq"] >= table.last["seq"]
    if table.last is not None and state["seq"] == table.last["seq"]:
        assert same({**state, "bank_ms": 0}) == same({**table.last, "bank_ms": 0})
    missing = table.chips(state) - table.bought
    assert missing % STACK == 0 and 0 <= missing  # chips that were bought in a step that nobody was told of any more
    table.bought, table.counted = table.bought + missing, state["seq"]


@pytest.mark.long
def test_killed_at_random_fifty_times(tmp_path):
    killed(tmp_path, 50)
