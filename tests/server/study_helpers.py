"""Random hands that are over, as the service keeps them, without a service."""

import asyncio
import random
from concurrent.futures import Future
from datetime import datetime

from felt.cli.games.table import random_action
from felt.games import load
from felt.server.tables.settings import Pace, TableSettings
from felt.server.tables.state import TableState
from felt.server.tables.table import Table, fresh
from felt.store.database.db import Player
from felt.store.database.hands import FinishedHand

WHEN = datetime(2026, 1, 31, 12, 0, 0)


class Kept:
    """A store that remembers the hands that ended."""

    def __init__(self):
        self.ended = []

    def keep_table(self, table, ended=None, **options):
        if ended is not None:
            self.ended.append(ended)
        done: Future[None] = Future()
        done.set_result(None)
        return done


def past_hands(game, hands, *, seats=0, people=1, private=False, seed=0, **settings):
    """Hands of random moves; the first `people` seats are those of persons called "id 0", "id 1" …"""
    return asyncio.run(_play(game, hands, seats, people, private, seed, settings))


async def _play(game, hands, seats, people, private, seed, settings):
    dice, rules, store = random.Random(f"{game} {seed}"), load(game), Kept()
    found = []
    for _ in range(hands):
        count = seats or dice.randint(rules.min_players, min(rules.max_players, 5))
        table = TableState(TableSettings(game=game, seats=count, **settings))
        room = Table(fresh(table, private=private), store=store, pace=Pace())
        for seat in range(count):
            if seat < people:
                await room.sit(Player(f"id {seat}", f"Player {seat}", True), seat, room.invite)
            else:
                await room.settle(None, ["random"])
        await room.do(room.dealer.begin)
        while (seat := room.state.turn) >= 0:
            action = random_action(room.state.view(seat), dice)

            def move(seat=seat, action=action, table=room.state):
                table.act(seat, action, hand=table.hands, step=table.step)
                return action

            await room.do(lambda move=move, room=room: room.dealer.move(move))
        found.append(FinishedHand(room.id, private, WHEN, store.ended[-1], len(found) + 1))
    return found
