"""What a viewer is told: over many random hands never a card that they may not see, in no message."""

import asyncio
import os
import random
import re
from concurrent.futures import Future

import pytest

from felt.cards.card import format_cards
from felt.cli.games.table import random_action
from felt.games import load, names
from felt.server.tables.settings import Pace, TableSettings
from felt.server.tables.state import TableState
from felt.server.tables.table import Table, fresh
from felt.server.tables.watching import NOBODY
from felt.server.web.schemas.tables import Message
from felt.store.database.db import Player

SOME, MANY = 8, int(os.environ.get("FELT_SEARCHED_HANDS", "100"))
"""Hands of every game; a longer test plays more (3,226 of each of 31 games make 100,000)."""
CARDS = re.compile(r"\b(?:[2-9TJQKA][cdhs]|J[kK])+\b")


class NoStore:
    """Takes everything and keeps nothing."""

    def keep_table(self, *args, **options):
        done: Future[None] = Future()
        done.set_result(None)
        return done


def cards_in(text: str) -> set[str]:
    """Every card anywhere in a message, also in a text."""
    return {run[at : at + 2] for run in CARDS.findall(text) for at in range(0, len(run), 2)}


def check(room: Table, since: int, shape: bool) -> None:
    hand, table = room.state.hand, room.state
    public = {*hand.board, *(card for seat in range(hand.players) for card in hand.up_cards(seat))}
    if hand.over:
        public |= {card for cards in hand.view(-1).shown_cards for card in cards}
    for viewer in (NOBODY, *filter(None, room.people)):
        seat = room.seat_of(viewer or None)
        own = set(hand.cards(table.dealt.index(seat))) if seat in table.dealt else set()
        allowed = {format_cards([card]) for card in public | own}
        for told in room.audience.since(since):
            text = told.message(viewer, room.now())
            if shape:
                Message.model_validate_json(text)
            for random_letters in (room.id, room.invite, table.deal.commitment):
                text = text.replace(random_letters, "")
            assert {format_cards([card]) for card in own} <= cards_in(text) <= allowed


async def play(game: str, hands: int) -> None:
    dice, rules = random.Random(game), load(game)
    for number in range(hands):
        seats = dice.randint(rules.min_players, min(rules.max_players, 4))
        table = TableState(TableSettings(game=game, seats=seats))
        room = Table(fresh(table), store=NoStore(), pace=Pace(present=1e9))  # the first hands may wait for the compiler
        for seat in range(seats):
            await room.sit(Player(f"id {seat}", f"Player {seat}", True), seat)
        seq = room.audience.seq
        await room.meet(NOBODY)
        await room.do(room.dealer.begin)
        check(room, seq, number == 0)
        while (seat := room.state.turn) >= 0:
            seq, action = room.audience.seq, random_action(room.state.view(seat), dice)
            meant = {"hand": room.state.hands, "step": room.state.step}
            await room.act(Player(f"id {seat}", "", True), action, **meant)
            check(room, seq, number == 0)


@pytest.mark.parametrize("game", names())
def test_nobody_is_told_a_card_they_may_not_see(game):
    asyncio.run(play(game, SOME))


@pytest.mark.long
@pytest.mark.parametrize("game", names())
def test_nobody_is_told_a_card_they_may_not_see_in_many_hands(game):
    asyncio.run(play(game, MANY))
