"""Where agents think: people's tables first, nobody takes all threads, and what is late is not begun."""

import asyncio
import threading
import time

import pytest

from felt.server.agents.thinking import Thinking, TooLateError


def run(scenario):
    async def main():
        thinking, gate = Thinking(2), threading.Event()
        try:
            await asyncio.wait_for(scenario(thinking, gate), 10)
        finally:
            gate.set()
            thinking.close()

    asyncio.run(main())


def test_tables_of_agents_do_not_hold_up_people_nor_one_player_another():
    async def scenario(thinking, gate):
        many = [asyncio.create_task(thinking.others.run(gate.wait, seconds=9, whose="eve")) for _ in range(20)]
        await asyncio.sleep(0.01)
        assert await thinking.others.run(lambda: "bo", seconds=1, whose="bo") == "bo"
        more = [asyncio.create_task(thinking.others.run(gate.wait, seconds=9, whose=who)) for who in range(20)]
        await asyncio.sleep(0.01)
        begun = time.monotonic()
        for _ in range(20):
            assert await thinking.people.run(lambda: "people", seconds=1) == "people"
        assert time.monotonic() - begun < 0.5
        gate.set()
        assert all(await asyncio.gather(*many, *more))

    run(scenario)


@pytest.mark.parametrize("kind", ["people", "others"])
def test_what_has_not_begun_in_time_is_never_done(kind):
    async def scenario(thinking, gate):
        freed, lane, whose = [], getattr(thinking, kind), "eve"
        holding = [asyncio.create_task(lane.run(gate.wait, seconds=0.02, whose=whose)) for _ in range(2)]
        await asyncio.sleep(0.005)
        done = []
        begun = time.monotonic()
        with pytest.raises(TooLateError, match="did not get to think"):
            await lane.run(lambda: done.append(1), seconds=0.02, whose=whose, after=lambda: freed.append(1))
        assert time.monotonic() - begun < 0.5
        told = [str(error) for error in await asyncio.gather(*holding, return_exceptions=True)]
        assert "did not answer in time" in told
        gate.set()
        await asyncio.sleep(0.02)
        assert freed == [1] and not done
        assert await lane.run(lambda: 3, seconds=1, whose=whose) == 3

    run(scenario)


def test_what_the_work_raises_is_handed_on():
    async def scenario(thinking, gate):
        def fails():
            raise TimeoutError("mine")

        with pytest.raises(TimeoutError, match="mine"):
            await thinking.people.run(fails, seconds=1)

    run(scenario)
