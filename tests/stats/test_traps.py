"""Where statistics of poker players usually go wrong: each trap with a hand that shows it.

Players are called by their positions, so that ``of("BB", "vpip")`` is the VPIP of the big blind.
"""

from dataclasses import replace

import pytest

from felt.games import GameRules, Hand, load
from felt.stats.definitions import INDICATORS
from felt.stats.indicators import positions
from felt.stats.means import Counted
from felt.stats.records import from_records
from felt.stats.table import Table

pytestmark = pytest.mark.no_jit

NLHE, LIMIT, STUD, DRAW = load("nlhe"), load("limit-holdem"), load("stud"), load("five-card-draw")
STACKED = "AsAd KsKd QsQd JsJd 2c7h8d 3s 4c"
"""Cards for up to four players, the first seat best."""


def counted(moves: str, players: int = 3, *, rules: GameRules = NLHE, stacks=200, seed: int = 1, **begin) -> Table:
    """The counts of one hand: moves are f (fold), c (check or call), 6 (raise to 6), and - (draw nothing)."""
    hand = Hand.new(rules, stacks, players=players, seed=seed, **begin)
    for move in moves.split():
        match move:
            case "f":
                hand.fold()
            case "c":
                hand.call()
            case "-":
                hand.exchange(())
            case _:
                hand.raise_to(int(move))
    assert hand.over, f"it is the turn of seat {hand.turn}: {hand.legal()}"
    names = positions(rules, players) if not rules.bring_in else tuple(f"p{seat}" for seat in range(players))
    return from_records([replace(hand.record(), names=names)]).table


def pair(table: Table, player: str, indicator: str, **part) -> tuple[int, int]:
    told = table.of(player, indicator, **part)
    return told.num, told.den


def test_a_posted_blind_is_not_vpip():
    table = counted("f f")
    assert pair(table, "SB", "vpip") == (0, 1) and pair(table, "BB", "vpip") == (0, 0)


def test_completing_the_small_blind_is_vpip():
    assert pair(counted("f c c c c c c c c"), "SB", "vpip") == (1, 1)


def test_checking_the_big_blind_option_is_not_vpip():
    table = counted("c f c c c c c c c")
    assert pair(table, "BB", "vpip") == (0, 1) and pair(table, "BTN", "vpip") == (1, 1)
    assert pair(table, "BB", "pfr") == (0, 1) and pair(table, "BB", "limp") == (0, 0)


@pytest.mark.parametrize("indicator", ["vpip", "pfr", "rfi", "three_bet", "fold_to_bet", "wtsd", "wwsf", "wsd"])
def test_the_big_blind_gets_no_vpip_chance_when_everybody_folds(indicator):
    assert pair(counted("f f"), "BB", indicator) == (0, 0)


def test_a_walk_counts_a_hand_but_no_chance():
    table = counted("f f")
    assert [table.hands(name) for name in ("SB", "BB", "BTN")] == [1, 1, 1]
    assert pair(table, "BB", "vpip_d") == (0, 1) and table.counts[1, :, :, :, :, 1].sum() == 1


def test_an_all_in_before_the_flop_leaves_no_cbet_chance():
    table = counted("200 c f")  # the button shoves, the small blind calls: nobody can bet
    assert table.sum("player", "position", "street", "ip")[[*INDICATORS].index("cbet")].tolist() == [0, 0]
    assert pair(table, "BTN", "wtsd") == pair(table, "SB", "wtsd") == (1, 1)
    covered = counted("6 c f", stacks=[6, 200, 200])  # the caller is all in, the raiser alone has chips
    assert pair(covered, "BTN", "cbet") == (0, 0) and pair(covered, "BTN", "wtsd") == (1, 1)


def test_a_side_pot_is_a_cbet_chance():
    table = counted("6 c c c 4 f", stacks=[6, 200, 200])
    assert pair(table, "BTN", "cbet", street="flop") == (1, 1) and pair(table, "BB", "fold_to_cbet") == (1, 1)
    assert pair(table, "BB", "donk_bet") == (0, 1)


def test_a_player_already_all_in_gets_no_chance():
    table = counted("20 c 60 f", stacks=[20, 200, 200])  # the small blind called all in and faces the 3-bet no more
    assert pair(table, "SB", "fold_to_bet") == (0, 1) and pair(table, "SB", "vpip") == (1, 1)
    assert pair(table, "SB", "afq") == (0, 0) and pair(table, "BTN", "fold_to_three_bet") == (1, 1)


def test_a_player_all_in_from_the_blind_gets_no_chance():
    table = counted("c c c c c c c c", 3, stacks=[200, 2, 200])
    assert pair(table, "BB", "vpip") == (0, 0) and pair(table, "BB", "vpip_d") == (0, 1)
    assert pair(table, "BB", "wtsd") == (1, 1)


def test_a_call_of_an_all_in_counts_as_vpip():
    table = counted("200 f c")
    assert pair(table, "BB", "vpip") == (1, 1) and pair(table, "BB", "pfr") == (0, 1)
    short = counted("200 f c", stacks=[200, 50, 200])  # all in for less
    assert pair(short, "BB", "vpip") == (1, 1)


def test_a_three_bet_chance_needs_exactly_one_raise():
    table = counted("6 20 60 f f")
    assert pair(table, "BTN", "three_bet") == (0, 0) and pair(table, "BTN", "rfi") == (1, 1)
    assert pair(table, "SB", "three_bet") == (1, 1) and pair(table, "SB", "fold_to_four_bet") == (1, 1)
    assert pair(table, "BB", "three_bet") == (0, 0) and pair(table, "BB", "four_bet") == (1, 1)
    assert pair(table, "BTN", "fold_to_three_bet") == (0, 0)  # three raises by then, and not only the 3-bet to face


def test_a_three_bet_chance_needs_chips_to_raise():
    table = counted("20 c f", stacks=[20, 200, 200])
    assert pair(table, "SB", "three_bet") == (0, 0) and pair(table, "BB", "three_bet") == (0, 1)


def test_nobody_left_to_call_is_no_raise_chance():
    table = counted("200 f f", stacks=[200, 300, 200])  # the big blind covers both, who are all in or gone
    assert pair(table, "SB", "three_bet") == (0, 0) and pair(table, "BB", "three_bet") == (0, 0)
    assert pair(table, "BB", "fold_to_bet") == (1, 1)


@pytest.mark.parametrize("posts", [(1, 2, 4, 0), (1, 2, 0, 2)], ids=["straddle", "newcomer"])
def test_a_straddle_or_a_post_is_not_a_raise(posts):
    moves = {4: "12 f f f", 0: "f 12 f f"}[posts[2]]
    table = counted(moves, 4, posts=posts)
    raiser = "BTN"
    assert pair(table, raiser, "rfi") == pair(table, raiser, "steal") == (1, 1)
    assert pair(table, raiser, "three_bet") == (0, 0) and pair(table, "SB", "three_bet") == (0, 1)
    assert pair(table, "BB", "fold_to_steal") == (1, 1)


def test_a_post_checked_is_neither_vpip_nor_an_opening():
    table = counted("f c 8 f f", 4, posts=(1, 2, 0, 2))  # the newcomer on the button checks, the small blind raises
    assert pair(table, "SB", "rfi") == (1, 1) and pair(table, "BTN", "vpip") == (0, 1)
    assert pair(table, "BTN", "check_fold") == (1, 1)


def test_capped_limit_betting_gives_no_raise_chance():
    table = counted("4 6 8 c c c c c c c c c c c", 3, rules=LIMIT)
    assert pair(table, "BTN", "four_bet") == (0, 0)  # the fourth bet has been made
    assert pair(table, "BTN", "fold_to_bet") == (0, 1) and pair(table, "BB", "four_bet") == (1, 1)


def test_wsd_counts_showdowns_only():
    table = counted("c c c c c c c c c c c c", deck=deal(STACKED))
    assert pair(table, "SB", "wsd") == (1, 1) and pair(table, "BB", "wsd") == (0, 1)
    folded = counted("6 c f 10 f", deck=deal(STACKED))
    assert pair(folded, "SB", "wsd") == (0, 0) and pair(folded, "SB", "wwsf") == (1, 1)
    assert pair(folded, "BTN", "wtsd") == (0, 1)


def deal(text: str) -> list[int]:
    """A whole deck that deals the given cards first; a player's cards come together."""
    first = list(NLHE.deck.parse(text.replace(" ", "")))
    players = 3
    order = first[: 2 * players] + first[8:]
    return order + [card for card in NLHE.deck if card not in order]


def test_an_uncalled_bet_that_comes_back_is_no_winning():
    table = counted("f c c c 198 c", deck=deal(STACKED), stacks=[100, 200, 200])
    assert pair(table, "SB", "wsd") == (1, 1) and pair(table, "BB", "wsd") == (0, 1)  # who got 100 chips back


def test_a_split_pot_is_won_by_both():
    board = "AhKh QhJh 2c3d 4d5d ThJdQc Kd Ac"
    table = counted("f c c c c c c c c", deck=deal(board))
    assert pair(table, "SB", "wsd") == pair(table, "BB", "wsd") == (1, 1)


def test_the_heads_up_button_is_in_position_though_it_acts_first():
    table = counted("6 c c 4 f", 2)
    assert pair(table, "BTN", "pfr", in_position=True) == (1, 1) == pair(table, "BTN", "steal", position="BTN")
    assert pair(table, "BB", "check_fold", in_position=False, street="flop") == (1, 1)
    assert pair(table, "BTN", "cbet", in_position=True, street="flop") == (1, 1)


def test_an_all_in_player_does_not_take_position_away():
    table = counted("6 c c c 4 f", stacks=[200, 200, 6])  # the button is all in: the big blind acts last
    assert pair(table, "BB", "afq", street="flop", in_position=True) == (1, 1)
    assert pair(table, "SB", "check_fold", street="flop", in_position=False) == (1, 1)


def test_barrels_are_counted_by_street():
    table = counted("6 f c c 8 c c 20 c c c")
    told = {street: pair(table, "BTN", "cbet", street=street) for street in table.streets}
    assert told == {"preflop": (0, 0), "flop": (1, 1), "turn": (1, 1), "river": (0, 1)}
    assert pair(table, "BB", "fold_to_cbet") == (0, 2)


def test_a_round_that_is_checked_through_leaves_no_aggressor():
    table = counted("6 f c c c c c c c")
    assert pair(table, "BTN", "cbet") == (0, 1)  # the flop; on the turn there was nothing to go on with


def test_a_bet_into_the_aggressor_is_a_donk_bet():
    table = counted("6 f c 8 f")
    assert pair(table, "BB", "donk_bet", street="flop") == (1, 1) and pair(table, "BTN", "cbet") == (0, 0)


def test_check_raise_and_check_fold_share_their_chances():
    table = counted("6 f c c 8 24 f")
    assert pair(table, "BB", "check_raise") == (1, 1) and pair(table, "BB", "check_fold") == (0, 1)
    assert pair(table, "BTN", "check_fold") == (0, 0) and pair(table, "BTN", "fold_to_bet") == (1, 1)


def test_the_aggression_factor_is_of_later_rounds_and_may_be_above_one():
    table = counted("6 f c c 8 24 50 f")
    assert table.of("BTN", "af") == Counted(2, 0, ratio=True) and table.of("BB", "af") == Counted(1, 0, ratio=True)
    assert pair(table, "BB", "afq") == (1, 2)
    called = counted("6 f c c 8 c c 10 40 c c 50 c")
    assert table.of("BB", "af").share is None
    assert called.of("BTN", "af").num == 3 and pair(called, "BTN", "af", street="turn") == (1, 1)


def test_the_figures_of_the_simulators_table():
    """D, table 15: PFR is raises to calls and folds before the flop, AF raises to calls on the flop."""
    table = counted("c 6 c c c c 4 c c" + " c" * 6)
    assert pair(table, "SB", "pfr_d") == (1, 0) and pair(table, "BTN", "pfr_d") == (0, 2)
    assert table.of("BTN", "af_d").num == 1 and pair(table, "SB", "af_d") == pair(table, "BB", "af_d") == (0, 1)


def test_a_steal_that_was_called_is_none_to_fold_to():
    table = counted("f 6 c f c c c c c c", 4)
    assert pair(table, "BTN", "steal") == (1, 1) and pair(table, "SB", "fold_to_steal") == (0, 1)
    assert pair(table, "BB", "fold_to_steal") == (0, 0) and pair(table, "BB", "fold_to_bet") == (1, 1)


def test_a_raise_from_early_position_is_no_steal():
    table = counted("6 f f f f", 5)
    assert pair(table, "UTG", "rfi") == (1, 1) and pair(table, "UTG", "steal") == (0, 0)
    assert pair(table, "BB", "fold_to_steal") == (0, 0)


def test_the_bring_in_is_neither_a_call_nor_a_raise():
    rules = STUD
    hand = Hand.new(rules, players=3, seed=1)
    poster = hand.turn
    table = counted("c 40 f f", 3, rules=rules, stacks=None)
    after = f"p{(poster + 1) % 3}"
    assert pair(table, f"p{poster}", "vpip") == (0, 1) and pair(table, after, "rfi") == (1, 1)
    assert pair(table, f"p{poster}", "limp") == (0, 0) and pair(table, f"p{poster}", "fold_to_bet") == (1, 1)
    assert pair(table, f"p{poster}", "pfr_d") == (0, 1)  # the fold; posting was no call
    assert pair(table, after, "steal") == (0, 0) and pair(table, after, "rfi", position="-") == (1, 1)


def test_calling_the_bring_in_is_vpip_and_a_limp():
    table = counted("c c f" + " c" * 8, 3, rules=STUD, stacks=None)
    called = [name for name in ("p0", "p1", "p2") if pair(table, name, "limp") == (1, 1)]
    assert len(called) == 1 and pair(table, called[0], "vpip") == (1, 1)


def test_exchanges_are_no_decisions():
    table = counted("4 f c - - c 4 c", 3, rules=DRAW)
    assert pair(table, "BTN", "cbet", street="draw") == (1, 1) and pair(table, "BB", "fold_to_cbet") == (0, 1)
    assert pair(table, "BB", "check_fold") == (0, 1) and table.streets == ("deal", "draw")


def test_a_game_of_one_round_has_no_later_rounds():
    table = counted("1 c", 2, rules=load("kuhn"), stacks=None)
    assert table.streets == ("deal",) and pair(table, "CO", "rfi") == (1, 1) and pair(table, "BTN", "vpip") == (1, 1)
    assert pair(table, "CO", "wtsd") == (0, 0) and sum(pair(table, name, "wsd")[0] for name in ("CO", "BTN")) == 1


def test_a_bring_in_that_leaves_no_choice_is_no_chance():
    poster = Hand.new(STUD, players=3, seed=1).turn
    stacks = [8 if seat == poster else 4000 for seat in range(3)]  # three chips are left after the ante
    table = counted("c f f", 3, rules=STUD, stacks=stacks)
    assert pair(table, f"p{poster}", "vpip") == (0, 0) and pair(table, f"p{poster}", "vpip_d") == (0, 1)


def test_a_player_at_the_cap_of_a_hand_is_all_in():
    rules = load("cap-holdem")
    table = counted(f"{rules.cap} c f", rules=rules, stacks=300)  # the button has chips, but none to bet
    assert pair(table, "BB", "fold_to_bet", in_position=True) == (1, 1)
