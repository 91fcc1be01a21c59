"""Live tables: seats, turns, stakes, and coming back as they were."""

import json
import random

import pytest

from felt.cli.games.table import random_action
from felt.errors import FeltError
from felt.games import Action, Move, load, names
from felt.games.catalogue import scaled
from felt.games.fair import fair_deal
from felt.server.tables.settings import TableError, TableSettings
from felt.server.tables.state import TableState
from felt.server.tables.viewer_state import Scene, viewer_state

CALL = Action(Move.CALL)


def seated(settings: TableSettings, *people: str) -> TableState:
    table = TableState(settings)
    for seat, name in enumerate(people):
        table.sit(seat, name)
    return table


def dealt(*people: str, **options: object) -> TableState:
    table = seated(TableSettings(seats=max(2, len(people)), **options), *people)
    table.begin(fair_deal(table.rules.deck))
    return table


def chips(table: TableState) -> int:
    """All that is at the table: stacks of who is not in the hand, and stacks and pot of the hand."""
    hand = table.hand
    behind = sum(who.stack for seat, who in enumerate(table.seats) if who and seat not in table.dealt)
    return behind + (sum(hand.stacks) + hand.pot + hand.rake if hand is not None else 0)


def play(table: TableState, dice: random.Random) -> None:
    """One move at random by who has to make one."""
    action = random_action(table.view(table.turn), dice)
    table.act(table.turn, action, hand=table.hands, step=table.step)


def refused(code: str, what: object, *args: object, **options: object) -> None:
    with pytest.raises(TableError) as caught:
        what(*args, **options)  # type: ignore[operator]
    assert caught.value.code == code and "\n" not in str(caught.value)


@pytest.mark.parametrize("game", names())
def test_any_game_is_played_and_comes_back_at_every_step(game):
    rules, dice = load(game), random.Random(game)
    players = min(max(rules.min_players, 3), rules.max_players)
    table = seated(TableSettings(game=game, seats=players), *"ABCD"[:players])
    for _ in range(3):
        if not table.ready:
            break
        before = sum(who.stack for who in table.seats if who)
        table.begin(fair_deal(table.rules.deck))
        while table.turn >= 0:
            assert chips(table) == before
            again = TableState.restored(json.loads(json.dumps(table.saved())))
            assert again.moves == table.moves
            assert again.saved() == table.saved() and again.turn == table.turn and again.step == table.step
            assert again.view(table.turn).as_dict() == table.view(table.turn).as_dict()
            play(table, dice)
        won = table.finish()
        rake = before - sum(who.stack for who in table.seats if who)
        assert sum(won) == -rake <= 0


def test_nobody_is_shown_what_they_may_not_see():
    table = dealt("Ada", "Bo", "Cem", stack=200)
    for seat in (0, 1, 2, -1):
        seen = table.view(seat)
        assert [len(who.cards) for who in seen.seats] == [2 if table.dealt[i] == seat else 0 for i in range(3)]
    table.sit_out(1)
    assert len(table.view(1).own) == 2  # in the hand until it is over


def test_moves_are_for_one_hand_one_step_and_one_seat():
    table = dealt("Ada", "Bo", stack=200)
    turn, call = table.turn, Action(Move.CALL)
    refused("not_your_turn", table.act, 1 - turn, call, hand=1, step=0)
    refused("stale", table.act, turn, call, hand=2, step=0)
    with pytest.raises(FeltError, match="cannot raise to 3"):
        table.act(turn, Action(Move.RAISE, 3), hand=1, step=0)
    table.act(turn, call, hand=1, step=0)
    refused("stale", table.act, turn, call, hand=1, step=0)  # the same message again
    assert table.step == 1 and table.turn == 1 - turn
    refused("in_play", table.finish)
    refused("not_ready", table.begin, fair_deal(table.rules.deck))


def test_time_is_up():
    table = dealt("Ada", "Bo", stack=200)
    assert table.expire() == Action(Move.FOLD)
    table.finish()
    table.begin(fair_deal(table.rules.deck))
    table.act(table.turn, Action(Move.CALL), hand=2, step=0)
    assert table.expire() == Action(Move.CALL)  # a check costs nothing
    draw = dealt("Ada", "Bo", game="five-card-draw")
    while not draw.hand.legal().exchange:
        draw.act(draw.turn, Action(Move.CALL), hand=1, step=draw.step)
    assert draw.expire() == Action(Move.EXCHANGE)
    refused("nobody", TableState(TableSettings()).expire)


def test_the_button_goes_round_and_passes_by_who_is_not_there():
    table, buttons = seated(TableSettings(seats=4, stack=200), "Ada", "Bo", "Cem", "Dot"), []
    table.sit_out(2)
    for _ in range(5):
        table.begin(fair_deal(table.rules.deck))
        buttons.append(table.button)
        assert table.dealt == (0, 1, 3)
        while table.turn >= 0:
            table.expire()
        table.finish()
    assert buttons == [0, 1, 3, 0, 1]


def test_who_leaves_in_a_hand_gets_up_when_it_is_over():
    table = dealt("Ada", "Bo", "Cem", stack=200)
    table.leave(1)
    assert table.seats[1] is not None and table.seats[1].leaving
    while table.turn >= 0:
        table.expire()
    table.finish()
    assert table.seats[1] is None
    table.leave(0)
    assert table.seats[0] is None
    refused("empty_seat", table.leave, 0)
    refused("no_seat", table.leave, 7)


def test_seats_and_names_are_taken_once():
    table = seated(TableSettings(seats=3), "Ada")
    refused("seat_taken", table.sit, 0, "Bo")
    refused("name_taken", table.sit, 1, "Ada")
    refused("no_rebuy", table.rebuy, 0)


def all_in(table: TableState) -> None:
    while table.turn >= 0:
        legal = table.hand.legal()
        action = Action(Move.RAISE, legal.raise_to[1]) if legal.raise_to else Action(Move.CALL)
        table.act(table.turn, action, hand=table.hands, step=table.step)
    table.finish()


def test_chips_are_bought_again_for_money_and_not_in_a_tournament():
    for tournament in (False, True):
        table = seated(TableSettings(stack=20, tournament=tournament), "Ada", "Bo")
        while table.ready:
            table.begin(fair_deal(table.rules.deck))
            all_in(table)
        broke = next(seat for seat, who in enumerate(table.seats) if who and not who.stack)
        assert table.winner == (1 - broke if tournament else None)
        if tournament:
            refused("no_rebuy", table.rebuy, broke)
            table.leave(broke)
            refused("begun", table.sit, broke, "Cem")
        else:
            table.rebuy(broke)
            assert table.ready and table.seats[broke].stack == 20


def test_stakes_double_after_so_many_hands_and_a_hand_keeps_its_own():
    table = seated(TableSettings(stack=2000, tournament=True, hands_per_level=2), "Ada", "Bo")
    blinds = []
    for _ in range(5):
        table.begin(fair_deal(table.rules.deck))
        blinds.append(table.rules.blinds)
        again = TableState.restored(table.saved())
        assert again.rules.blinds == blinds[-1] and again.view(0).as_dict() == table.view(0).as_dict()
        table.expire()
        table.finish()
    assert blinds == [(1, 2), (1, 2), (2, 4), (2, 4), (4, 8)]


def test_stakes_stop_rising_where_chips_cannot_be_counted_any_more():
    parameters = (("small_blind", 10_000_000), ("big_blind", 20_000_000))
    settings = TableSettings(seats=10, stack=10**8, tournament=True, hands_per_level=1, parameters=parameters)
    table, rose = seated(settings, *"abcdefghij"), []
    assert table.hands_left == 1 and not table.rises
    while table.winner is None and table.hands < 40:
        rose.append(table.rises)
        table.begin(fair_deal(table.rules.deck))
        assert TableState.restored(table.saved()).rules == table.rules
        while table.turn >= 0:
            table.expire()
        table.finish()
    assert rose[:8] == [False, *[True] * 6, False] and not any(rose[8:])
    assert table.level == 6 and table.rules.blinds == (640_000_000, 1_280_000_000) and table.hands_left is None


def test_who_is_away_keeps_no_chips_in_a_tournament():
    table = seated(TableSettings(stack=20, tournament=True), "Ada", "Bo")
    table.sit_out(0)
    while table.ready and table.hands < 40:
        table.begin(fair_deal(table.rules.deck))
        assert table.dealt == (0, 1)
        while table.turn >= 0:
            if table.turn == 0:
                table.expire()
            else:
                action = Action(Move.RAISE, raise_to[0]) if (raise_to := table.hand.legal().raise_to) else CALL
                table.act(1, action, hand=table.hands, step=table.step)
        table.finish()
    assert table.winner in (0, 1) and table.hands < 40
    table = seated(TableSettings(stack=20, tournament=True), "Ada", "Bo")
    for seat in (0, 1):
        table.sit_out(seat)
    assert not table.ready  # nobody is there


def test_chips_are_bought_as_soon_as_the_hand_is_over_and_once():
    for _ in range(100):  # they may split it
        table = dealt("Ada", "Bo", stack=20)
        while table.turn >= 0:
            refused("no_rebuy", table.rebuy, 0)
            legal = table.hand.legal()
            action = Action(Move.RAISE, legal.raise_to[1]) if legal.raise_to else CALL
            table.act(table.turn, action, hand=table.hands, step=table.step)
        if 0 in table.hand.stacks:
            break
    broke = table.hand.stacks.index(0)
    refused("no_rebuy", table.rebuy, 1 - broke)
    table.rebuy(broke)
    refused("no_rebuy", table.rebuy, broke)
    assert viewer_state(table, broke, Scene(), connected={})["seats"][broke]["stack"] == 20  # and everybody sees them
    table = TableState.restored(table.saved())
    table.finish()
    assert table.seats[broke].stack == 20 and not table.seats[broke].rebuys
    refused("no_rebuy", table.rebuy, broke)


@pytest.mark.parametrize("game", names())
def test_scaled_games_are_the_same_in_more_chips(game):
    rules = load(game)
    assert scaled(rules, 1) == rules
    assert scaled(scaled(rules, 2), 3) == scaled(rules, 6)
    assert scaled(rules, 5).big_blind == 5 * rules.big_blind
    with pytest.raises(FeltError, match="stakes times 0"):
        scaled(rules, 0)


@pytest.mark.parametrize(
    ("options", "code"),
    [({"seats": 1}, "seats"), ({"seats": 11}, "seats"), ({"stack": -1}, "stack"), ({"time_limit": 0}, "time_limit")],
)
def test_tables_at_which_nobody_could_play_are_refused(options, code):
    refused(code, TableSettings, **options)


def test_a_table_has_as_many_seats_as_are_asked_for_where_their_number_is_a_parameter() -> None:
    assert TableSettings(game="kuhn", seats=3).rules(0).max_players == 3
    assert TableSettings(game="kuhn").rules(0).max_players == 2
    with pytest.raises(TableError, match=r"3 seats for kuhn: it is for 2$"):
        TableSettings(game="kuhn", seats=3, parameters=(("players", 2),))
