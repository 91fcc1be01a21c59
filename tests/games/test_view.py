"""Views: what each seat sees, and that nothing else ever reaches it."""

import json
import random
import re
from collections.abc import Iterator

import pytest

from felt.cards.card import CARD_NAMES, format_cards, parse_cards
from felt.errors import FeltError
from felt.games import Action, Event, EventKind, Hand, Move, load, names
from felt.games.engine import fields as f
from felt.games.history import UNKNOWN
from felt.games.views.view import NOBODY, Pot
from tests.kinds import each_kind

CARD = re.compile("|".join(CARD_NAMES))


def stacked(rules, cards: str) -> tuple[int, ...]:
    """A whole deck that deals these cards first."""
    first = parse_cards(cards)
    return (*first, *rules.deck.without(first))


def random_action(hand: Hand, dice: random.Random) -> Action:
    legal = hand.legal()
    if legal.exchange:
        _, least, most = legal.exchange
        return Action(Move.EXCHANGE, cards=tuple(dice.sample(hand.choosable(), dice.randint(least, most))))
    choices = [Move.CALL, Move.CALL, Move.CALL]
    if legal.fold and legal.call:
        choices.append(Move.FOLD)
    if legal.raise_to:
        choices.append(Move.RAISE)
    move = dice.choice(choices)
    amount = dice.choice(legal.raise_to) if move == Move.RAISE and legal.raise_to else 0
    return Action(move, amount)


def new_hand(name: str, dice: random.Random, number: int) -> Hand:
    rules = load(name)
    players = dice.randint(rules.min_players, min(rules.max_players, 5))
    stacks = [dice.randint(rules.stack // 8 + 1, rules.stack) for _ in range(players)]
    return Hand.new(rules, stacks, seed=7, number=number, button=dice.randrange(players))


def random_states(name: str, hands: int) -> Iterator[Hand]:
    """The same hand object after every move of random hands, from the deal to the end."""
    dice = random.Random(name)
    for number in range(hands):
        hand = new_hand(name, dice, number)
        yield hand
        while not hand.over:
            hand.act(random_action(hand, dice))
            yield hand


def numbers_in(seen) -> set[int]:
    """Every card in the fields of a view that hold cards."""
    found = {card for seat in seen.seats for card in (*seat.cards, *seat.up)}
    found |= {card for event in seen.history for card in event.cards if card != UNKNOWN}
    return found | set(seen.board) | set(seen.own)


@pytest.mark.parametrize("name", each_kind(names()))
def test_no_view_contains_a_hidden_card(name):
    held: dict[int, set[int]] = {}
    public: set[int] = set()
    for hand in random_states(name, hands=8):
        if not any(event.kind not in ("down", "up", "board") for event in hand.events):  # a new hand
            held, public = {seat: set() for seat in range(hand.players)}, set()
        for event in hand.events:
            if event.kind == EventKind.DOWN:
                held[event.seat] |= set(event.cards)
            elif event.kind in (EventKind.UP, EventKind.ROLLED, EventKind.BOARD):
                public |= set(event.cards)
        for seat in range(hand.players):
            held[seat] |= set(hand.cards(seat))
        for seat in (NOBODY, *range(hand.players)):
            seen = hand.view(seat)
            allowed = public | held.get(seat, set())
            for shown in seen.shown:
                assert not hand.folded[shown]
                allowed |= set(hand.cards(shown))
            assert numbers_in(seen) <= allowed
            told = seen.as_dict()
            assert told["pots"] == [{"chips": pot.chips, "seats": list(pot.seats)} for pot in seen.pots]
            assert (told["pot"], told["street"], told["deck_left"]) == (seen.pot, seen.street, seen.deck_left)
            for one, own in zip(told["seats"], seen.seats, strict=True):  # at once, and one by one
                cards = {"cards": format_cards(own.cards), "up": format_cards(own.up)}
                assert one == {**own._asdict(), **cards}
            text = json.dumps({**told, "game": "", "round": ""})
            assert {CARD_NAMES.index(card) for card in CARD.findall(text)} == numbers_in(seen)


@pytest.mark.parametrize("name", names())
def test_a_view_does_not_depend_on_what_it_hides(name):
    """Deal again with the hidden cards in other places, make the same moves: the viewer cannot tell."""
    dice = random.Random(name)
    for number in range(4):
        hand = new_hand(name, dice, number)
        deck = tuple(hand.arrays[1][f.DECK : f.DECK + len(hand.rules.deck)].tolist())
        moves: list[tuple[Action, tuple[int, ...]]] = []
        while not hand.over:
            viewer = dice.randrange(-1, hand.players)
            seen = hand.view(viewer)
            if hand.deck_left + _dealt(hand) == len(deck):  # the muck was not shuffled for more
                other = _again(hand, _shuffle_hidden(deck, numbers_in(seen), dice), moves)
                assert other.view(viewer) == seen
            action = random_action(hand, dice)
            cards = hand.cards(hand.turn)
            moves.append((action, tuple(cards.index(card) for card in action.cards)))
            hand.act(action)


def _dealt(hand: Hand) -> int:
    return sum(len(event.cards) for event in hand.events if event.kind in ("down", "up", "board"))


def _shuffle_hidden(deck: tuple[int, ...], seen: set[int], dice: random.Random) -> list[int]:
    hidden = [card for card in deck if card not in seen]
    dice.shuffle(hidden)
    return [card if card in seen else hidden.pop() for card in deck]


def _again(hand: Hand, deck: list[int], moves: list[tuple[Action, tuple[int, ...]]]) -> Hand:
    twin = Hand.new(hand.rules, hand.starting_stacks, deck=deck, button=hand.button)
    for action, places in moves:
        held = twin.cards(twin.turn)
        twin.act(action._replace(cards=tuple(held[place] for place in places)))
    return twin


@pytest.mark.parametrize("name", names())
def test_the_parts_of_the_pot_add_up(name):
    for hand in random_states(name, hands=6):
        seen = hand.view(NOBODY)
        assert sum(pot.chips for pot in seen.pots) == seen.pot
        live = {seat.seat for seat in seen.seats if not seat.folded}
        for pot in seen.pots:
            assert set(pot.seats) <= live
        for before, after in zip(seen.pots, seen.pots[1:], strict=False):
            assert set(after.seats) < set(before.seats)


def test_only_the_seat_to_act_is_told_what_is_legal():
    hand = Hand.new(load("nlhe"), [200] * 4, seed=3)
    for seat in (NOBODY, *range(4)):
        assert (hand.view(seat).legal is not None) == (seat == hand.turn)
    assert hand.view(hand.turn).legal == hand.legal()


def test_a_spectator_sees_no_card_that_is_face_down():
    hand = Hand.new(load("stud"), [4000] * 3, seed=3)
    seen = hand.view(NOBODY)
    assert seen.own == ()
    for seat in seen.seats:
        assert seat.cards == seat.up == hand.up_cards(seat.seat)
        assert seat.down == 2


def test_a_view_cannot_be_changed_and_goes_through_json():
    hand = Hand.new(load("nlhe"), [200, 200], seed=3)
    seen = hand.view(1)
    with pytest.raises(AttributeError):
        seen.pot = 5
    told = json.loads(json.dumps(seen.as_dict()))
    assert told["seats"][1]["cards"] == format_cards(hand.cards(1))
    assert told["legal"] == {"fold": True, "call": 1, "raise_to": {"least": 4, "most": 200}, "exchange": None}
    assert told["history"] == [
        {"kind": "down", "seat": 0, "count": 2},
        {"kind": "down", "seat": 1, "cards": format_cards(hand.cards(1)), "count": 2},
    ]


@pytest.mark.parametrize("seat", [-2, 2, 9])
def test_a_seat_that_is_not_there(seat):
    with pytest.raises(FeltError, match=rf"seat {seat}: seats are 0 to 1"):
        Hand.new(load("kuhn"), seed=1).view(seat)


def test_draws_are_counts_to_the_others():
    rules = load("five-card-draw")
    hand = Hand.new(rules, [400] * 3, seed=5)
    for _ in range(3):
        hand.call()
    thrown = hand.cards(0)[:2]
    hand.exchange(thrown)
    own, other = hand.view(0).history[-2:], hand.view(1).history[-2:]
    assert own == (Event(EventKind.DRAW, 0, cards=thrown), Event(EventKind.DOWN, 0, cards=hand.cards(0)[3:]))
    assert other == (Event(EventKind.DRAW, 0, cards=(-1, -1)), Event(EventKind.DOWN, 0, cards=(-1, -1)))
    hand.exchange()
    assert hand.view(0).as_dict()["history"][-1] == {"kind": "draw", "seat": 1, "cards": "", "count": 0}


def test_a_pass_is_known_to_the_passer_and_to_who_holds_the_cards_then():
    hand = Hand.new(load("anaconda"), [400] * 3, seed=5)
    while not hand.legal().exchange:
        hand.call()
    given = hand.cards(0)[:3]
    hand.exchange(given)
    assert hand.view(0).history[-1].cards == given
    assert hand.view(1).history[-1].cards == hand.view(NOBODY).history[-1].cards == (-1, -1, -1)
    assert set(given) <= set(hand.view(0).own), "cards move when all have chosen"
    for _ in range(2):
        hand.exchange(hand.cards(hand.turn)[:3])
    assert set(given) <= set(hand.view(1).own)
    assert not set(given) & set(hand.view(0).own)


def played_to_the_river(cards: str, *, players: int = 3, name: str = "nlhe", stacks: list[int] | None = None) -> Hand:
    rules = load(name)
    hand = Hand.new(rules, stacks or [200] * players, deck=stacked(rules, cards))
    while len(hand.board) < 5:
        hand.call()
    return hand


BOARD = "2c7d9hTsJs"


def test_the_last_to_bet_shows_first_and_losers_muck():
    hand = played_to_the_river("AsAh 3h3d KsKh" + BOARD)
    hand.call()
    hand.raise_to(10)
    hand.call()
    hand.call()
    seen = hand.view(NOBODY)
    assert seen.shown == (1, 2, 0), "each beats what was shown before"
    assert seen.mucked == ()
    hand = played_to_the_river("3h3d AsAh KsKh" + BOARD)
    hand.call()
    hand.raise_to(10)
    hand.call()
    hand.call()
    seen = hand.view(NOBODY)
    assert (seen.shown, seen.mucked) == ((1,), (2, 0))
    assert seen.seats[2].cards == () and seen.seats[1].cards == hand.cards(1)
    assert hand.view(2).own == hand.cards(2)
    assert [event.kind for event in seen.history[-3:]] == ["show", "muck", "muck"]


def test_with_no_bet_on_the_last_street_the_first_to_act_shows_first():
    hand = played_to_the_river("3h3d AsAh KsKh" + BOARD)
    while not hand.over:
        hand.call()
    seen = hand.view(NOBODY)
    assert (seen.shown, seen.mucked) == ((0, 1), (2,))


def test_a_bet_on_an_earlier_street_does_not_count():
    rules = load("nlhe")
    hand = Hand.new(rules, [200] * 3, deck=stacked(rules, "3h3d AsAh KsKh" + BOARD))
    hand.raise_to(6)  # seat 2, who would have to show first if this were the last street
    while not hand.over:
        hand.call()
    assert hand.view(NOBODY).shown == (0, 1)


def test_with_a_player_all_in_everybody_shows():
    hand = played_to_the_river("AsAh 3h3d KsKh" + BOARD)
    hand.raise_to(198)
    hand.call()
    hand.call()
    seen = hand.view(NOBODY)
    assert (seen.shown, seen.mucked) == ((0, 1, 2), ())


def test_who_shares_the_pot_shows():
    hand = played_to_the_river("AsKh AdKd 3h4d" + BOARD)
    while not hand.over:
        hand.call()
    assert hand.view(NOBODY).shown == (0, 1)
    assert hand.view(NOBODY).mucked == (2,)


def test_the_low_half_is_shown_too():
    hand = played_to_the_river("AsAhKsKh Ad2d3hKc KdQdQcJh" + "5c7d8hTsTh", name="plo8")
    while not hand.over:
        hand.call()
    seen = hand.view(NOBODY)
    assert (seen.shown, seen.mucked) == ((0, 1), (2,))


def test_nothing_is_shown_when_all_others_fold():
    hand = Hand.new(load("nlhe"), [200] * 3, seed=1)
    hand.fold()
    hand.fold()
    seen = hand.view(NOBODY)
    assert (seen.shown, seen.mucked) == ((), ())
    assert all(seat.cards == () for seat in seen.seats)
    assert seen.payoffs == (-1, 1, 0)
    assert seen.pot == 0 and seen.pots == ()


def test_side_pots_are_seen_while_they_are_played_for():
    hand = Hand.new(load("nlhe"), [20, 50, 200, 200], seed=1)
    hand.raise_to(100)
    assert hand.view(NOBODY).pots == (Pot(103, (0, 1, 2, 3)),)
    hand.call()
    hand.call()
    assert hand.view(NOBODY).pots == (Pot(62, (0, 1, 2, 3)), Pot(160, (1, 2, 3)))
    hand.call()
    assert hand.view(NOBODY).pots == (Pot(80, (0, 1, 2, 3)), Pot(90, (1, 2, 3)), Pot(100, (2, 3)))


def test_a_snapshot_shows_the_same_but_for_the_past():
    hand = Hand.new(load("stud"), [4000] * 3, seed=3)
    hand.call()
    again = Hand.from_bytes(hand.rules, bytes(hand))
    for seat in (NOBODY, 0, 1, 2):
        assert {**hand.view(seat).as_dict(), "history": []} == again.view(seat).as_dict()
