"""Roll your own: players choose which of their cards to turn up, and nobody sees a choice before all have chosen."""

import random
from dataclasses import replace

import pytest

from felt.cards.card import format_cards, parse_cards
from felt.errors import FeltError
from felt.games import Action, EventKind, GameRules, Hand, IllegalAction, Move, load, replay
from felt.games.engine.compiled import compile_rules
from felt.games.history import UNKNOWN
from felt.games.moves import Phase
from felt.games.pgdl import PgdlError, read_pgdl, write_pgdl
from felt.games.rules import Betting, First, Round, RulesError, Showdown, Structure
from felt.games.trees.tree import Tree, actions
from felt.games.typed_moves import read_move
from felt.games.views.keys import information, state_key
from felt.odds.state.knowledge import knowledge, possible_hand
from tests.reference.invariants import Checked, random_action

ROLL = load("roll-your-own")
BET = Betting(Structure.LIMIT, 2, max_raises=1)
MIXED = GameRules(
    "mixed",
    (
        Round("one", down=3, up=1, rolls=1, betting=BET, first=First.BEST_UP),
        Round("two", passes=1, betting=BET, first=First.BEST_UP),
        Round("three", down=1, up=1, rolls=2, discards=1, betting=BET, first=First.BEST_UP),
        Round("four", down=1, rolls=1),
    ),
    max_players=5,
    ante=1,
    showdown=Showdown(size=5),
    stack=40,
)
"""Cards are turned up and dealt up, some are passed on and thrown away, and a round has no bets."""


def dealt(cards: str, players: int = 2) -> Hand:
    """Roll your own with these cards first in the deck."""
    first = parse_cards(cards)
    return Hand.new(ROLL, players=players, deck=(*first, *(card for card in ROLL.deck if card not in first)))


def test_a_choice_is_seen_by_others_once_everybody_has_chosen() -> None:
    hand = dealt("As2c7d KsKh9c 5s5h5d", players=3)
    for card in ("7d", "9c"):
        hand.exchange(card)
        for viewer in (-1, 0, 1, 2):
            seen = hand.view(viewer)
            assert [seen.up_cards(seat) for seat in range(3)] == [(), (), ()]
            told = {event.seat: event.cards for event in seen.history if event.kind == EventKind.ROLL}
            assert all(cards == (UNKNOWN,) for seat, cards in told.items() if seat != viewer)
    hand.exchange("5h")
    assert hand.phase == Phase.BET
    for viewer in (-1, 0, 1, 2):
        seen = hand.view(viewer)
        assert [format_cards(seen.up_cards(seat)) for seat in range(3)] == ["7d", "9c", "5h"]
        turned = [(event.seat, format_cards(event.cards)) for event in seen.history if event.kind == EventKind.ROLLED]
        assert turned == [(0, "7d"), (1, "9c"), (2, "5h")]
        assert [seat.down for seat in seen.seats] == [2, 2, 2]
    assert hand.turn == 2, "the lowest card up brings it in"


def test_only_cards_that_are_face_down_can_be_turned_up() -> None:
    hand = dealt("As2c7d KsKh9c")
    for wrong in ("", "As2c", "Ks"):
        with pytest.raises(IllegalAction, match=r"seat 0 cannot roll .*; legal now: roll 1 cards"):
            hand.exchange(wrong)
    hand.exchange("7d")
    hand.exchange("9c")
    hand.call()
    hand.call()
    assert hand.phase == Phase.ROLL and hand.street == 1
    seat, up = hand.turn, hand.up_cards(hand.turn)
    assert hand.choosable() == tuple(card for card in hand.cards(seat) if card not in up)
    with pytest.raises(IllegalAction, match="cannot roll"):
        hand.exchange(up)
    assert {action.cards for action in actions(hand)} == {(card,) for card in hand.choosable()}
    assert hand.view(seat).choosable() == hand.choosable()


def test_what_is_typed() -> None:
    seen = dealt("As2c7d KsKh9c").view(0)
    for typed in ("roll 7d", "rolls 7d", "turn up 7d", "Turns up 7d", "d 7d", "exchange 7d"):
        assert read_move(typed, seen) == Action(Move.EXCHANGE, cards=parse_cards("7d"))
    with pytest.raises(FeltError, match="'draw' is not what is asked for; legal now: roll 1 cards"):
        read_move("draw 7d", seen)


def test_every_street_of_roll_your_own() -> None:
    """Four of seven are turned up, in the order in which they were chosen; the last card stays down."""
    hand = Hand.new(ROLL, players=7, seed=4)
    chosen: dict[int, list[int]] = {seat: [] for seat in range(7)}
    while not hand.over:
        if hand.legal().exchange:
            cards = hand.choosable()[-1:]
            chosen[hand.turn] += cards
            hand.exchange(cards)
        else:
            hand.call()
    for seat in range(7):
        assert len(hand.cards(seat)) == 7 and list(hand.up_cards(seat)) == chosen[seat]
    assert len(chosen[0]) == 4


@pytest.mark.parametrize("rules", [ROLL, MIXED], ids=lambda rules: rules.name)
def test_a_plain_account_of_who_shows_what(rules: GameRules) -> None:
    """The cards are followed with sets, by the events alone."""
    for seed in range(60):
        rng = random.Random(seed)
        hand = Hand.new(rules, players=2 + seed % 4, seed=seed)
        while not hand.over:
            hand.act(random_action(hand, rng))
            assert up_by_events(hand) == [set(hand.up_cards(seat)) for seat in range(hand.players)]
        assert any(event.kind == EventKind.ROLLED for event in hand.events)


def up_by_events(hand: Hand) -> list[set[int]]:
    """Who shows what, told slowly: dealt up, turned up when all have chosen, gone when passed or thrown away."""
    up: list[set[int]] = [set() for _ in range(hand.players)]
    live, waiting = set(range(hand.players)), dict[int, tuple[int, ...]]()
    for event in hand.events:
        if event.kind == EventKind.UP:
            up[event.seat] |= set(event.cards)
        elif event.kind == EventKind.FOLD:
            live.discard(event.seat)
        elif event.kind in (EventKind.ROLL, EventKind.PASS):
            waiting[event.seat] = event.cards
            if set(waiting) == live:
                for seat, cards in waiting.items():
                    up[seat] = up[seat] | set(cards) if event.kind == EventKind.ROLL else up[seat] - set(cards)
                waiting.clear()
        elif event.kind == EventKind.DISCARD:
            up[event.seat] -= set(event.cards)
    return up


def test_hands_with_every_way_to_move_cards_hold_together() -> None:
    """Chips, cards, views, snapshots and replays, after each move."""
    for seed in range(40):
        Checked(MIXED, [40] * (2 + seed % 4), random.Random(seed)).play()


def test_what_one_seat_saw_can_be_replayed() -> None:
    for seed in range(20):
        rng, hand = random.Random(seed), Hand.new(ROLL, players=2 + seed % 6, seed=seed)
        while not hand.over:
            hand.act(random_action(hand, rng))
        for viewer in (-1, 0):
            again = replay(replace(hand.record(), events=hand.view(viewer).history))
            assert [again.up_cards(seat) for seat in range(hand.players)] == [
                hand.up_cards(seat) for seat in range(hand.players)
            ]
            assert again.pot == hand.pot and again.folded == hand.folded


def test_a_snapshot_keeps_choices_that_nobody_sees_yet() -> None:
    hand = dealt("As2c7d KsKh9c")
    hand.exchange("2c")
    again = Hand.from_bytes(ROLL, bytes(hand))
    again.exchange("9c")
    assert format_cards(again.up_cards(0)) == "2c"
    other = dealt("As2c7d KsKh9c")
    other.exchange("7d")
    assert state_key(other) != state_key(hand), "another choice is another state"
    assert information(other, 1) == information(hand, 1), "which the next player cannot tell apart"
    assert information(other, 0) != information(hand, 0)


def test_games_that_turn_up_other_cards_are_other_games() -> None:
    fewer = replace(ROLL, rounds=(*ROLL.rounds[:3], replace(ROLL.rounds[3], rolls=0), ROLL.rounds[4]))
    assert compile_rules(fewer).fingerprint != compile_rules(ROLL).fingerprint


def test_a_possible_hand_remembers_the_choice_of_the_viewer() -> None:
    hand = dealt("As2c7d KsKh9c")
    hand.exchange("2c")
    twin = possible_hand(hand.view(0))
    assert twin.view(0) == hand.view(0)
    twin.exchange(twin.choosable()[:1])
    assert format_cards(twin.up_cards(0)) == "2c"


def test_a_card_that_was_passed_on_and_turned_up_is_known_once() -> None:
    for seed in range(30):
        rng, hand = random.Random(seed), Hand.new(MIXED, players=3, seed=seed)
        while not hand.over:
            hand.act(random_action(hand, rng))
            for seat, cards in knowledge(hand.view(0)).held.items():
                assert len(set(cards)) == len(cards) and set(cards) <= set(hand.cards(seat))


def test_the_tree_has_a_branch_for_each_card_and_the_others_cannot_tell_them_apart() -> None:
    small = replace(
        ROLL,
        deck=ROLL.deck.__class__("five", parse_cards("As Ks Qs Js Ts")),
        rounds=(replace(ROLL.rounds[0], down=2, betting=None, first=First.AFTER_BUTTON),),
        bring_in=0,
        showdown=Showdown(size=2),
        max_players=2,
    )
    tree = Tree.of_game(small)
    counts = tree.counts()
    assert tree.roots == 30, "two of five, two of three"
    assert counts.decisions == 30 + 60
    assert counts.infosets == 10 + 10, "what was chosen first is not known to who chooses next"
    assert counts.terminals == 120


def test_pgdl_says_which_cards_are_turned_up() -> None:
    text = write_pgdl(ROLL)
    assert text.count('<RollCards value="1"/>') == 4
    assert read_pgdl(text) == ROLL
    assert [part.rolls for part in read_pgdl(text).rounds] == [1, 1, 1, 1, 0]
    assert "RollCards" not in write_pgdl(load("stud"))
    with pytest.raises(PgdlError, match=r"line \d+, column \d+: <RollCards> value is 'one'"):
        read_pgdl(text.replace('<RollCards value="1"/>', '<RollCards value="one"/>', 1))


def test_games_that_cannot_be_are_refused() -> None:
    first = ROLL.rounds[0]
    with pytest.raises(RulesError, match="round 'third street' turns up 4 of 3 cards face down"):
        replace(ROLL, rounds=(replace(first, rolls=4), *ROLL.rounds[1:]))
    with pytest.raises(RulesError, match="round 'third street': rolls is -1; it cannot be negative"):
        replace(first, rolls=-1)
    with pytest.raises(RulesError, match="cards are drawn and turned up; a game can have one of both"):
        replace(ROLL, rounds=(replace(first, draw_most=1), *ROLL.rounds[1:]))
    with pytest.raises(FeltError, match="roll-your-own: 8 players need 56 cards and the deck has 52"):
        Hand.new(replace(ROLL, max_players=8, rounds=(*ROLL.rounds[:4], replace(ROLL.rounds[4], rolls=1))), players=8)
