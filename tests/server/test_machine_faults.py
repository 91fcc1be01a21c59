"""No files, memory, threads or disk for a while: tables wait and go on, and none is closed for good."""

import asyncio
import errno
import resource
import signal
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import OperationalError

from felt.errors import FeltError
from felt.games import Action, Move
from felt.server.agents.thinking import Thinking
from felt.server.net.faults import is_machine_fault
from felt.server.tables.runner import TableRunner
from felt.server.tables.table import Table
from felt.store.database.db import Store, StoreError
from felt.store.database.writer import Writer
from tests.server.attacks import Target, upgrade, watched_table
from tests.server.live_helpers import Guest, refused, service
from tests.server.serving_helpers import WITHIN
from tests.server.test_room import ADA, Odd, played, told, turn
from tests.server.test_serving import Served

FAULTS = [
    OSError(errno.EMFILE, "Too many open files"),
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    MemoryError(),
    RuntimeError("can't start new thread"),
    OperationalError("UPDATE", {}, Exception("database is locked")),
]
NAMES = ["files", "disk", "memory", "python memory", "threads", "database"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr("felt.server.tables.registry.AFTER_FAILURE", 0.0)


def fails_first(monkeypatch, owner, name, times, error):
    """Let a method raise an error so many times; how often it may still."""
    right, left = getattr(owner, name), [times]

    def method(*args, **options):
        if left[0] > 0:
            left[0] -= 1
            raise error
        return right(*args, **options)

    monkeypatch.setattr(owner, name, method)
    return left


def test_what_is_a_fault_of_the_machine():
    assert all(map(is_machine_fault, FAULTS))
    assert is_machine_fault(StoreError("the disk is full")) and is_machine_fault(ExceptionGroup("", [FAULTS[0]]))
    assert is_machine_fault(ImportError("libx.so: cannot open shared object file: Too many open files"))
    for error in (ZeroDivisionError(), FileNotFoundError(errno.ENOENT, "no"), RuntimeError("no"), FeltError("no")):
        assert not is_machine_fault(error)
    try:
        try:
            raise FAULTS[0]
        except OSError:
            raise FeltError("a program cannot be started") from None
    except FeltError as error:
        assert is_machine_fault(error), "told in other words"


@pytest.mark.parametrize("error", FAULTS, ids=NAMES)
def test_a_table_is_never_closed_by_a_fault_of_the_machine(tmp_path, monkeypatch, error):
    left = fails_first(monkeypatch, TableRunner, "_turn", 9, error)

    async def scenario(room, store):
        while left[0]:
            room.seen(ADA.id)
            await asyncio.sleep(0.002)
        await turn(room)
        await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=room.state.step)
        assert not room.closed and len(store.open_tables()) == 1

    played(tmp_path, scenario)


def test_a_table_that_cannot_even_be_brought_back_waits(tmp_path, monkeypatch):
    async def scenario(room, store):
        await turn(room)
        restoring = fails_first(monkeypatch, Table, "_restore", 9, MemoryError())
        turns = fails_first(monkeypatch, TableRunner, "_turn", 1, MemoryError())
        room.changed.set()
        while restoring[0] or turns[0]:
            await asyncio.sleep(0.002)
        await turn(room)
        await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=room.state.step)

    played(tmp_path, scenario)


@pytest.mark.parametrize("error", FAULTS[::2], ids=NAMES[::2])
def test_an_agent_is_asked_again_after_a_fault_of_the_machine(tmp_path, error):
    left = [9]

    def think(view):
        if left[0] > 0:
            left[0] -= 1
            raise error
        return Action(Move.CALL)

    async def scenario(room, store):
        while room.state.hands < 2:
            room.seen(ADA.id)
            if room.state.turn == 0 and not room._lock.locked():
                await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=room.state.step)
            await asyncio.sleep(0.002)
        assert not left[0] and not any("failed" in line for line in room.scene.log)

    played(tmp_path, scenario, Odd(think))


def test_a_rule_steps_in_for_an_agent_that_needs_more_than_there_is(tmp_path, monkeypatch):
    monkeypatch.setattr("felt.server.tables.runner.MOST_WAITS", 3)
    asked = []

    def think(view):
        asked.append(view)
        raise MemoryError

    async def scenario(room, store):
        while not any("failed to decide" in line for line in room.scene.log):
            room.seen(ADA.id)
            if room.state.turn == 0 and not room._lock.locked():
                await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=room.state.step)
            await asyncio.sleep(0.002)
        assert len(asked) >= 4

    played(tmp_path, scenario, Odd(think))


def test_people_have_their_whole_time_after_a_fault(tmp_path, monkeypatch):
    async def scenario(room, store):
        await turn(room)
        room.clock.deadline -= 14.0
        assert told(room)["deadline_ms"] < 1500
        left = fails_first(monkeypatch, TableRunner, "_turn", 1, OSError(errno.EMFILE, "Too many open files"))
        room.changed.set()
        while left[0] or room.clock.left(0, now=room.now()) < 14:
            await asyncio.sleep(0.002)

    played(tmp_path, scenario)


def test_no_thread_to_think_in_leaves_nothing_behind(monkeypatch):
    async def scenario():
        thinking, done = Thinking(1), []
        left = fails_first(monkeypatch, ThreadPoolExecutor, "submit", 3, RuntimeError("can't start new thread"))
        for _ in range(3):
            with pytest.raises(RuntimeError):
                await thinking.others.run(lambda: 1, seconds=5, whose="ada", after=lambda: done.append(1))
        assert not left[0] and len(done) == 3
        assert await asyncio.wait_for(thinking.others.run(lambda: 2, seconds=5, whose="ada"), WITHIN) == 2
        thinking.close()

    asyncio.run(scenario())


def test_who_writes_goes_on_without_memory_for_a_while(tmp_path, monkeypatch):
    store = Store(tmp_path)
    try:
        fails_first(monkeypatch, Writer, "_commit", 1, MemoryError())
        with pytest.raises(StoreError):
            store.submit(lambda session: None, synced=False).result(WITHIN)
        store.submit(lambda session: None, synced=False).result(WITHIN)
    finally:
        store.close()


@pytest.mark.parametrize("error", FAULTS[:5], ids=NAMES[:5])
def test_a_request_that_finds_no_room_is_told_to_come_back(tmp_path, monkeypatch, error):
    with service(tmp_path) as client:
        ada = Guest(client)
        fails_first(monkeypatch, client.app.state.tables, "all", 1, error)
        answer = ada.get("/tables")
        refused(answer, 503, "busy")
        assert int(answer.headers["retry-after"]) > 0
        assert ada.get("/tables").status_code == 200


async def read(reader, count):
    """So many bytes of what a table tells."""
    async with asyncio.timeout(2 * WITHIN):
        while count > 0:
            count -= len(await reader.read(2**16))


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another process can be set on Linux only")
def test_a_service_without_files_plays_on(tmp_path):
    """Every file is taken away from a service in play, and given back: nobody can come in meanwhile, tables go on."""
    served = Served(tmp_path)
    pid, target = served.process.pid, Target(int(served.address.rstrip("/").rpartition(":")[2]))
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)

    async def scenario():
        table, headers = await watched_table(target, "Ada", agents=["ehs", "call"])
        reader, writer = await target.connect()
        writer.write(upgrade(table))
        await reader.readuntil(b"\r\n\r\n")
        await read(reader, 300_000)  # until all that it needs is loaded
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (1, before[1]))
        try:
            waiting = asyncio.create_task(target.ask("/health"))
            await read(reader, 100_000)
            assert not waiting.done()
        finally:
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        assert (await waiting)[0] == 200, "who knocked meanwhile is let in"
        await read(reader, 10_000)
        writer.close()
        status, _, _ = await target.ask(f"/tables/{table}", headers=headers)
        assert status == 200

    try:
        asyncio.run(scenario())
    finally:
        assert served.end(signal.SIGINT) == 0
