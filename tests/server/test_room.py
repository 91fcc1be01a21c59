"""Tables: agents that misbehave, changes that cannot be kept, and nothing told before it is kept."""

import asyncio
import json
import time
from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from felt.agents.adapters import as_agent
from felt.agents.dice import Dice
from felt.errors import FeltError
from felt.games import Action, Move
from felt.server.agents.asking import AgentThreads
from felt.server.tables.registry import Tables
from felt.server.tables.runner import TableRunner
from felt.server.tables.settings import Pace, TableSettings
from felt.store.database.db import Player, Store, StoreError

ADA = Player("ada", "Ada", True)


class Slow(Store):
    """A store that waits with changes until it is told to go on, or refuses them."""

    held: list | None = None
    broken = False

    def keep_table(self, *args, **options):
        if self.broken:
            failed: Future[None] = Future()
            failed.set_exception(StoreError("the disk is full"))
            return failed
        if self.held is None:
            return super().keep_table(*args, **options)
        done: Future[None] = Future()
        self.held.append(done)
        return done


class Odd(AgentThreads):
    """Agents that do what a test wants."""

    def __init__(self, think):
        super().__init__(2)
        self._agent = as_agent(SimpleNamespace(act=think))
        self._agent.dice = Dice()

    def _with_agent(self, owner, name, work):
        return work(self._agent)


def played(tmp_path, scenario, brains=None, **settings):
    """Run a scenario at a table of Ada and one agent."""

    async def main():
        store = Slow(tmp_path)
        rooms = Tables(store, pace=Pace(after_hand=0.01, agent=0.0), brains=brains)
        await asyncio.wrap_future(store.players.add(ADA, "key"))
        room, _ = await rooms.create(
            TableSettings(seats=2, stack=200, **settings), ADA, agents=["call"], sit=True, private=False
        )
        try:
            await asyncio.wait_for(scenario(room, store), 20)
        finally:
            await rooms.stop()
            store.close()

    asyncio.run(main())


async def turn(room, seat=0):
    while room.state.turn != seat or room._lock.locked():
        room.seen(ADA.id)
        await asyncio.sleep(0.002)


def told(room):
    return json.loads(room.now_told().state(ADA.id, room.now()))


def test_a_result_is_told_after_it_is_kept(tmp_path):
    async def scenario(room, store):
        await turn(room)
        before, store.held = told(room), []
        move = asyncio.create_task(room.act(ADA, Action(Move.FOLD), hand=room.state.hands, step=room.state.step))
        while not store.held:
            await asyncio.sleep(0.001)
        assert room.state.hand.over
        during = told(room)
        assert during["result"] is None
        assert during["seq"] == before["seq"] and during["step"] == before["step"]
        held, store.held = store.held, None
        held[0].set_result(None)
        await move
        assert told(room)["result"]["text"].startswith("Bo wins")

    played(tmp_path, scenario)


def test_a_change_that_cannot_be_kept_has_not_happened(tmp_path):
    async def scenario(room, store):
        await turn(room)
        before, store.broken = told(room), True
        with pytest.raises(StoreError):
            await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=room.state.step)
        after = told(room)
        assert {**after, "deadline_ms": 0} == {**before, "deadline_ms": 0}
        store.broken = False
        await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=room.state.step)

    played(tmp_path, scenario)


def test_a_close_that_cannot_be_kept_has_not_happened(tmp_path):
    async def scenario(room, store):
        await turn(room)
        step, store.held = room.state.step, []
        closing = asyncio.create_task(room.close(ADA))
        while not store.held:
            await asyncio.sleep(0.001)
        room.changed.set()  # whoever plays the table wakes up meanwhile
        await asyncio.sleep(0.05)
        held, store.held = store.held, None
        held[0].set_exception(StoreError("the disk is full"))
        with pytest.raises(StoreError):
            await closing
        assert not room.closed and room.state.step == step
        await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=step)
        while room.state.step == step + 1:  # the agent goes on: the table is still played
            await asyncio.sleep(0.002)

    played(tmp_path, scenario)


def test_whatever_a_change_stumbles_over_it_has_not_happened(tmp_path):
    async def scenario(room, store):
        await turn(room)
        before = told(room)

        def half():
            room.state.expire()
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await room.do(half)
        assert told(room)["step"] == before["step"] and told(room)["deadline_ms"] <= before["deadline_ms"]

        dealer = room.dealer
        with pytest.raises(FeltError):
            await room.act(ADA, Action(Move.RAISE, 10**6), hand=room.state.hands, step=room.state.step)
        assert room.dealer is dealer, "the table was built anew for a move that changed nothing"
        await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=room.state.step)

    played(tmp_path, scenario)


@pytest.mark.parametrize("failures", [1, 99])
def test_a_table_that_stumbles_goes_on_and_one_that_cannot_is_closed(tmp_path, failures, monkeypatch):
    monkeypatch.setattr("felt.server.tables.registry.AFTER_FAILURE", 0.0)
    turns, left = TableRunner._turn, [failures]

    async def stumbles(host, *args):
        if left[0] > 0:
            left[0] -= 1
            raise ZeroDivisionError
        await turns(host, *args)

    monkeypatch.setattr(TableRunner, "_turn", stumbles)

    async def scenario(room, store):
        while left[0] and not room.closed:
            room.seen(ADA.id)
            await asyncio.sleep(0.002)
        if failures == 1:
            await turn(room)
            await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=room.state.step)
        else:
            assert left[0] == 99 - 3
            while await asyncio.to_thread(store.open_tables):  # until that is kept, too
                await asyncio.sleep(0.002)

    played(tmp_path, scenario)


def test_a_new_table_is_kept_once_and_who_sits_down_anew_has_let_nothing_pass(tmp_path):
    async def scenario(room, store):
        assert room.audience.seq == 1
        room.expired[0] = 1
        await turn(room)
        await room.leave(ADA)
        while room.people[0]:
            await asyncio.sleep(0.002)
        room.expired[0] = 1
        await room.sit(ADA, 0)
        assert not room.expired

    played(tmp_path, scenario)


def fails(view):
    raise ValueError("no idea")


@pytest.mark.parametrize(
    ("think", "words"),
    [
        (lambda view: time.sleep(0.5), "did not answer in time"),
        (fails, "failed to decide"),
        (lambda view: Action(Move.RAISE, 10**6), "made a move that is not allowed"),
        (lambda view: "fold", "failed to decide"),  # no Action
    ],
)
def test_a_quick_rule_steps_in_for_an_agent(tmp_path, think, words):
    async def scenario(room, store):
        begun = time.monotonic()
        while not any(words in line for line in room.scene.log):
            room.seen(ADA.id)
            if room.state.turn == 0 and not room._lock.locked():
                await room.act(ADA, Action(Move.CALL), hand=room.state.hands, step=room.state.step)
            await asyncio.sleep(0.002)
        assert time.monotonic() - begun < 5
        assert not any("(" in line for line in room.scene.log), "what an agent says is not for the table"

    played(tmp_path, scenario, Odd(think), time_limit=0.2)
