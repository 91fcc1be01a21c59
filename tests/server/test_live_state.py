"""What a viewer is told: over many random hands never a card that they may not see."""

import json
import random

import pytest

from felt.cards.card import format_cards
from felt.cli.table import random_action
from felt.games import load, names
from felt.games.fair import fair_deal
from felt.server.live_state import Scene, state
from felt.server.live_table import LiveTable, TableSettings
from felt.server.schemas import State

SOME = 4
"""Hands of every game; a longer test plays more."""


def seated(game: str, dice: random.Random) -> LiveTable:
    rules = load(game)
    table = LiveTable(TableSettings(game=game, seats=dice.randint(rules.min_players, min(rules.max_players, 5))))
    for seat in range(table.settings.seats):
        table.sit(seat, f"P{seat}")
    return table


def cards_in(told: object) -> set[str]:
    """Every card anywhere in a message: as an item of a list, or in a text (the log, an event)."""
    if isinstance(told, dict):
        return set().union(*map(cards_in, told.values()))
    if isinstance(told, list):
        return set().union(*map(cards_in, told))
    return set()


def check(table: LiveTable) -> None:
    hand = table.hand
    public = {*hand.board, *(card for seat in range(hand.players) for card in hand.up_cards(seat))}
    if hand.over:
        seen = hand.view(-1)
        public |= {card for cards in seen.shown_cards for card in cards}
    for viewer in (-1, *table.dealt):
        own = set(hand.cards(table.dealt.index(viewer))) if viewer >= 0 else set()
        told = state(table, viewer, Scene(), connected={})
        allowed = {format_cards([card]) for card in public | own}
        found = [*told["board"], *(card for seat in told["seats"] if seat for card in seat["cards"] + seat["up"])]
        assert set(found) <= allowed
        text = json.dumps({**told, "board": [], "seats": [], "hold": None})  # the hold is in words
        deck = {format_cards([card]) for card in hand.rules.deck}
        assert not any(f'"{card}"' in text for card in deck)
        assert told["deal"] is None if hand.over else told["deal"]["deck"] is told["deal"]["salt"] is None
        State.model_validate({**told, "seq": 0, "deadline_ms": None, "table": INFO})


INFO = {"id": "", "game": "", "title": "", "seats": 2, "taken": 0, "people": [], "agents": [], "tournament": False,
        "stack": 1, "blinds": [], "hands": 0, "private": False, "invite": None}  # fmt: skip


def play(game: str, hands: int) -> None:
    dice = random.Random(game)
    for _ in range(hands):
        table = seated(game, dice)
        table.begin(fair_deal(table.rules.deck))
        check(table)
        while table.turn >= 0:
            table.act(table.turn, random_action(table.view(table.turn), dice), hand=table.hands, step=table.step)
            check(table)


@pytest.mark.parametrize("game", names())
def test_nobody_is_told_a_card_they_may_not_see(game):
    play(game, SOME)


@pytest.mark.long
@pytest.mark.parametrize("game", names())
def test_nobody_is_told_a_card_they_may_not_see_in_many_hands(game):
    play(game, 100)
