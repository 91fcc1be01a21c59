"""Tables of agents to watch, at any speed; and the time of people, with its bank."""

import asyncio
import json

import pytest

from felt.games import Action, Move
from felt.server.tables.registry import Tables
from felt.server.tables.settings import Pace, Speed, TableError, TableSettings
from felt.store.database.db import Player, Store
from tests.server.live_helpers import QUICK, Guest, refused, service

ADA, EVE = Player("ada", "Ada", True), Player("eve", "Eve", True)
WATCH = {"sit": False, "seats": 3, "agents": ["random"] * 3, "open_cards": True}


def run(tmp_path, scenario, *, pace=QUICK):
    async def main():
        store = Store(tmp_path)
        rooms = Tables(store, pace=pace)
        for player in (ADA, EVE):
            await asyncio.wrap_future(store.players.add(player, player.id))
        try:
            await asyncio.wait_for(scenario(rooms), 20)
        finally:
            await rooms.stop()
            store.close()

    asyncio.run(main())


def told(room, viewer=ADA.id):
    return json.loads(room.now_told().state(viewer, room.now()))


def test_agents_play_among_themselves_with_open_cards(tmp_path):
    with service(tmp_path) as client:
        ada = Guest(client)
        table = ada.table(**WATCH)
        with ada.live(table) as socket:
            messages = [socket.receive_json() for _ in range(60)]
        in_play = [m["state"] for m in messages if m["state"]["playing"]]
        assert in_play and all(len(seat["cards"]) == 2 for state in in_play for seat in state["seats"])
        assert {m["event"]["kind"] for m in messages} >= {"deal", "move", "result"}
        refused(ada.post(f"/tables/{table}/sit", seat=0), 409, "open_cards")


@pytest.mark.parametrize("options", [{"open_cards": True}, {"pace": {"paused": True}}])
def test_open_cards_and_paces_are_for_agents_only(tmp_path, options):
    with service(tmp_path) as client:
        ada = Guest(client)
        refused(ada.post("/tables", agents=["call"], **options), 409, "people")
        refused(ada.post("/tables", agents=["call"], sit=False, **options), 409, "people")


def place(state):
    """How far a table is: by hand, whether it is over, and move."""
    return state["hand"], not state["playing"], state["step"]


def test_who_made_the_table_paces_it(tmp_path):
    with service(tmp_path) as client:
        ada, eve = Guest(client), Guest(client, "Eve")
        table = ada.table(**WATCH, pace={"paused": True, "move_seconds": 0, "hand_seconds": 0})
        first = ada.state(table)
        assert first["table"]["pace"] == {"paused": True, "move_seconds": 0.0, "hand_seconds": 0.0}
        assert first["table"]["owner"] and not eve.state(table)["table"]["owner"]
        for path, body in [("pace", {"paused": False}), ("step", {}), ("close", {})]:
            refused(eve.post(f"/tables/{table}/{path}", **body), 403, "not_owner")
        with ada.live(table) as socket:
            state = socket.receive_json()["state"]
            while not state["playing"]:
                state = socket.receive_json()["state"]
            for _ in range(6):
                before = place(ada.state(table))
                assert before == place(ada.state(table))
                assert ada.post(f"/tables/{table}/step").status_code == 200
                while place(state) <= before:
                    state = socket.receive_json()["state"]
            assert ada.post(f"/tables/{table}/pace", paused=False, move_seconds=0, hand_seconds=0).status_code == 200
            assert max(socket.receive_json()["state"]["hand"] for _ in range(40)) > state["hand"]
            refused(ada.post(f"/tables/{table}/step"), 409, "not_paused")
        refused(ada.post(f"/tables/{table}/pace", move_seconds=11), 422, "invalid")
        assert ada.post(f"/tables/{table}/close").status_code == 200
        refused(ada.get(f"/tables/{table}"), 404, "no_table")


def test_a_table_with_people_is_not_paced_and_not_closed_over_them(tmp_path):
    with service(tmp_path) as client:
        ada, eve = Guest(client), Guest(client, "Eve")
        table = ada.table(agents=[], seats=2)
        assert eve.post(f"/tables/{table}/sit", seat=1).status_code == 200
        refused(ada.post(f"/tables/{table}/pace", paused=True), 409, "people")
        refused(ada.post(f"/tables/{table}/close"), 409, "people")


def test_the_bank_runs_after_the_limit_and_comes_back(tmp_path):
    settings = TableSettings(seats=2, stack=200, time_limit=0.05, time_bank=60.0)

    async def scenario(rooms):
        room, seat = await rooms.create(settings, ADA, agents=["call"])
        watcher = room.watch(ADA.id)
        while room.state.turn != seat:
            await asyncio.sleep(0.002)
        await asyncio.sleep(0.15)
        state = told(room)
        assert state["deadline_ms"] == 0 and 40_000 < state["bank_ms"] < 60_000
        hand, step = room.state.hands, room.state.step
        await room.act(ADA, Action(Move.CALL), hand=hand, step=step)
        assert 40.0 < room.clock.banks[seat] < 59.95
        kept = (await asyncio.to_thread(rooms._store.open_tables))[0]
        assert kept.room["banks"] == room.clock.banks
        before = room.clock.banks[seat]
        room.clock.regain()
        assert room.clock.banks[seat] == min(60.0, before + 1.0)
        room.unwatch(watcher)

    run(tmp_path, scenario)


def test_who_has_no_bank_left_is_stepped_in_for(tmp_path):
    settings = TableSettings(seats=2, stack=200, time_limit=0.05, time_bank=0.1)

    async def scenario(rooms):
        room, seat = await rooms.create(settings, ADA, agents=["call"])
        watcher = room.watch(ADA.id)
        while not any("runs out of time" in line for line in room.scene.log):
            await asyncio.sleep(0.005)
        assert room.clock.banks[seat] == 0.0
        room.unwatch(watcher)

    run(tmp_path, scenario, pace=Pace(after_hand=0.5, agent=0.0))


def test_who_is_gone_gets_no_time_from_the_bank(tmp_path):
    settings = TableSettings(seats=2, stack=200, time_limit=0.05, time_bank=60.0)

    async def scenario(rooms):
        room, seat = await rooms.create(settings, ADA, agents=["call"])
        watcher = room.watch(EVE.id)  # somebody looks on, so hands are dealt
        while not any("runs out of time" in line for line in room.scene.log):
            await asyncio.sleep(0.005)
        assert not room.connected(ADA.id) and room.connected(EVE.id)
        assert room.clock.banks[seat] > 59.0
        room.unwatch(watcher)

    run(tmp_path, scenario, pace=Pace(after_hand=0.5, agent=0.0, present=0.02))


def test_a_table_that_everybody_has_left_for_long_is_closed(tmp_path):
    async def scenario(rooms):
        room, _ = await rooms.create(TableSettings(seats=2), ADA, agents=[])
        while not room.closed:
            room.changed.set()
            await asyncio.sleep(0.01)
        with pytest.raises(TableError):
            rooms.get(room.id)

    run(tmp_path, scenario, pace=Pace(present=0.05, close_after=0.05, abandon_after=0.1))


@pytest.mark.parametrize("paused", [True, False])
def test_a_table_of_agents_is_closed_in_the_middle_of_a_hand_too(tmp_path, paused):
    speed = Speed(paused=paused, move_seconds=0.0 if paused else 0.05)

    async def scenario(rooms):
        room, _ = await rooms.create(TableSettings(seats=2), ADA, agents=["call"] * 2, sit=False, speed=speed)
        while not room.closed:
            room.changed.set()
            await asyncio.sleep(0.01)
        assert room.state.hand is not None

    run(tmp_path, scenario, pace=Pace(present=0.05, close_after=0.05))


def test_a_speed_that_nobody_could_wait_for():
    with pytest.raises(TableError, match="99 s for a move"):
        Speed(move_seconds=99)
