"""What the rule books settle, each test named after the clause it plays.

TDA: the Tournament Directors Association's rules of 2024, with the examples of their addendum and their recommended
procedures (RP). RRP: Robert's Rules of Poker, for cash games and where the TDA is silent.
"""

from dataclasses import replace

import pytest

from felt.cards import format_cards, parse_cards
from felt.errors import FeltError
from felt.games import Hand, IllegalAction, Phase
from felt.games.catalogue import load
from felt.games.rules import Rake, Structure
from tests.games.rules_for_tests import full_stud, holdem, pineapple, play, stacked, with_raises

pytestmark = pytest.mark.no_jit

NO_LIMIT = holdem()
POT_LIMIT = holdem(Structure.POT_LIMIT)
LIMIT = holdem(Structure.LIMIT, big=200, max_raises=4)
STUD = replace(load("stud"), ante=5, bring_in=10)  # bets of 40 and 80
DEEP = 100_000


def seats(count: int, stack: int = DEEP, **short: int) -> list[int]:
    """Stacks of `count` players; ``s3=500`` gives seat 3 another one."""
    return [short.get(f"s{seat}", stack) for seat in range(count)]


# Raise amounts


def test_tda_43_a_raise_is_at_least_the_largest_bet_or_raise_of_the_round() -> None:
    hand = play(Hand.new(NO_LIMIT, seats(4)), "c c c c")
    hand.raise_to(600)
    assert hand.legal().raise_to == (1200, DEEP - 100)
    hand.raise_to(1600)
    assert hand.legal().raise_to == (2600, DEEP - 100)
    hand.raise_to(3600)
    assert hand.legal().raise_to == (5600, DEEP - 100)


def test_tda_43_example_2_a_short_all_in_does_not_change_the_least_raise() -> None:
    hand = Hand.new(NO_LIMIT, seats(4, s2=150))
    hand.raise_to(150)
    assert hand.legal().raise_to == (250, DEEP)


def test_tda_43_example_3_the_raise_counts_and_not_the_total() -> None:
    hand = play(Hand.new(holdem(bet=200, blinds=(100, 200)), seats(3)), "c c c c c c r300 r1000")
    assert hand.legal().raise_to == (1700, DEEP - 200)


def test_tda_43_example_4_of_several_raises_the_largest_counts() -> None:
    rules = holdem(bet=50, blinds=(25, 50))
    assert play(Hand.new(rules, seats(6)), "r125 r200 r500").legal().raise_to == (800, DEEP)
    assert play(Hand.new(rules, seats(6)), "r500 c c").legal().raise_to == (950, DEEP)


def test_tda_43_the_least_bet_is_the_big_blind_on_every_street() -> None:
    hand = play(Hand.new(NO_LIMIT, seats(2)), "r900 c")
    assert hand.legal().raise_to == (100, DEEP - 900)
    assert str(hand.legal()) == "fold, check, raise to 100–99100"


def test_rrp_a_straddle_sets_a_new_least_raise() -> None:
    hand = Hand.new(holdem(blinds=(50, 100, 200)), seats(4))
    assert hand.turn == 3
    assert hand.legal().call == 200
    assert hand.legal().raise_to == (400, DEEP)
    play(hand, "c c c")
    assert (hand.turn, hand.street, hand.legal().call) == (2, 0, 0)  # the straddle has the last word


# Re-opening the bet


def opened_for_100() -> Hand:
    """Addendum 47, example 1: after the flop A bets 100, B is all-in for 125, C calls, D is all-in for 200, E calls."""
    hand = play(Hand.new(NO_LIMIT, seats(5, s1=225, s3=300)), "c c c c c")
    return play(hand, "r100 r125 c r200 c")


def test_tda_47a_example_1_short_all_ins_that_add_up_to_a_raise_reopen_the_betting() -> None:
    hand = opened_for_100()
    assert (hand.turn, hand.legal().call) == (0, 100)
    assert hand.legal().raise_to == (300, DEEP - 100)  # the least raise is still the last whole bet


def test_tda_47a_example_1a_but_not_for_a_player_who_faces_less_than_a_raise() -> None:
    hand = play(opened_for_100(), "c")
    assert (hand.turn, hand.legal().call, hand.legal().raise_to) == (2, 75, None)
    with pytest.raises(IllegalAction, match=r"seat 2 cannot raise to 300; legal now: fold, call 75"):
        hand.raise_to(300)


def test_tda_47a_example_1b_until_somebody_raises_again() -> None:
    hand = play(opened_for_100(), "r300")
    assert (hand.turn, hand.legal().call) == (2, 175)
    assert hand.legal().raise_to == (400, DEEP - 100)


def test_tda_47a_example_2_after_several_short_all_ins_the_least_raise_is_the_last_whole_bet() -> None:
    stacks = seats(6, s1=600, s2=750, s3=900)
    hand = play(Hand.new(NO_LIMIT, stacks), "c c c c c c r300 r500 r650 r800 c")
    assert (hand.turn, hand.legal().call, hand.legal().raise_to) == (5, 800, (1100, DEEP - 100))


def test_tda_47a_example_3_a_short_all_in_leaves_the_caller_two_choices_and_the_blind_three() -> None:
    rules = holdem(bet=4000, blinds=(2000, 4000))
    hand = play(Hand.new(rules, seats(5, s4=7500)), "c f r7500 f")
    assert (hand.turn, hand.legal().call, hand.legal().raise_to) == (1, 3500, (11500, DEEP))
    called = play(hand.copy(), "c")
    assert (called.turn, called.legal().call, called.legal().raise_to) == (2, 3500, None)
    raised = play(hand.copy(), "r11500")
    assert (raised.turn, raised.legal().call, raised.legal().raise_to) == (2, 7500, (15500, DEEP))


def test_tda_47a_a_short_all_in_that_opens_the_betting_does_not_reopen_it_for_those_who_checked() -> None:
    hand = play(Hand.new(NO_LIMIT, seats(3, s2=140)), "c c c c c r40")
    assert (hand.turn, hand.legal().call, hand.legal().raise_to) == (0, 40, None)
    hand = play(Hand.new(NO_LIMIT, seats(4, s2=140)), "c c c c c c r40")
    assert (hand.turn, hand.legal().raise_to) == (3, (140, DEEP - 100))  # seat 3 has not acted


def test_tda_47b_in_limit_half_a_bet_reopens_the_betting_and_counts_as_a_raise() -> None:
    hand = play(Hand.new(LIMIT, seats(3, s1=250)), "c c c r100 r150")
    assert (hand.turn, hand.legal().call, hand.legal().raise_to) == (2, 150, (250, 250))
    hand.call()
    assert (hand.turn, hand.legal().call, hand.legal().raise_to) == (0, 50, (250, 250))


def test_tda_47b_in_limit_less_than_half_a_bet_does_not_and_may_be_completed() -> None:
    hand = play(Hand.new(LIMIT, seats(3, s1=240)), "c c c r100 r140")
    assert (hand.turn, hand.legal().call, hand.legal().raise_to) == (2, 140, (200, 200))
    called = play(hand.copy(), "c")
    assert (called.turn, called.legal().call, called.legal().raise_to) == (0, 40, None)
    completed = play(hand.copy(), "r200")
    assert (completed.turn, completed.legal().call, completed.legal().raise_to) == (0, 100, (300, 300))


def test_tda_47b_short_all_ins_in_limit_add_up_to_half_a_bet_for_who_faces_it() -> None:
    hand = play(Hand.new(LIMIT, seats(4, s1=230, s3=260)), "c c c c r100 r130 c r160")
    assert (hand.turn, hand.legal().call, hand.legal().raise_to) == (0, 60, (260, 260))
    hand.call()
    assert (hand.turn, hand.legal().call, hand.legal().raise_to) == (2, 30, None)


# Number of raises


def test_tda_48_in_limit_the_raises_of_a_round_are_capped_and_a_blind_is_the_first_bet() -> None:
    hand = play(Hand.new(LIMIT, seats(3)), "r200 r300 r400")
    assert hand.legal().raise_to is None and hand.legal().call == 200
    play(hand, "c c")
    assert hand.street == 1
    play(hand, "r100 r200 r300 r400")
    assert hand.legal().raise_to is None


def test_tda_48_the_cap_holds_heads_up_too() -> None:
    assert play(Hand.new(LIMIT, seats(2)), "r200 r300 r400").legal().raise_to is None


def test_tda_48_an_all_in_for_less_than_half_a_bet_is_not_one_of_the_raises() -> None:
    hand = play(Hand.new(LIMIT, seats(4, s2=430)), "c c c c r100 r200 r300")
    assert (hand.turn, hand.legal().raise_to) == (3, (400, 400))
    hand = play(Hand.new(LIMIT, seats(4, s3=430)), "c c c c r100 r200 r300 r330")
    assert (hand.turn, hand.legal().raise_to) == (0, (400, 400))


def test_tda_48_there_is_no_cap_without_limits() -> None:
    hand = play(Hand.new(NO_LIMIT, seats(2)), " ".join(f"r{total}" for total in range(200, 3000, 100)))
    assert hand.legal().raise_to == (3000, DEEP)


# Pot-limit, spread limit, caps


def test_tda_54_the_pot_is_what_lies_there_after_a_call() -> None:
    hand = Hand.new(POT_LIMIT, seats(4))
    assert hand.legal().raise_to == (200, 350)
    hand.raise_to(350)
    assert hand.legal().raise_to == (600, 1200)  # 350 to call, 850 in the pot then
    play(hand, "f f c")
    assert hand.pot == 750
    assert hand.legal().raise_to == (100, 750)


def test_tda_54_straddles_and_antes_are_in_the_pot() -> None:
    assert Hand.new(holdem(Structure.POT_LIMIT, blinds=(50, 100, 200)), seats(4)).legal().raise_to == (400, 750)
    assert Hand.new(holdem(Structure.POT_LIMIT, ante=10), seats(4)).legal().raise_to == (200, 390)
    with_ante = holdem(Structure.POT_LIMIT, big_blind_ante=100)
    assert Hand.new(with_ante, seats(4)).legal().raise_to == (200, 450)


@pytest.mark.parametrize(
    ("stacks", "posts"),
    [(seats(3), [0, 200, 0]), (seats(3, s1=100), [100, 200, 0])],
    ids=["a dead small blind", "a short big blind"],
)
def test_tda_54b_before_the_flop_short_and_dead_blinds_count_as_whole(stacks: list[int], posts: list[int]) -> None:
    rules = holdem(Structure.POT_LIMIT, bet=200, blinds=(100, 200))
    hand = Hand.new(rules, stacks, posts=posts)
    assert hand.legal().call == 200 and hand.legal().raise_to == (400, 700)


def test_tda_54c_after_the_flop_the_actual_pot_counts() -> None:
    rules = holdem(Structure.POT_LIMIT, bet=200, blinds=(100, 200))
    hand = play(Hand.new(rules, seats(3, s1=100)), "c c")
    assert (hand.street, hand.pot) == (1, 500)
    assert hand.legal().raise_to == (200, 500)


def test_rrp_pot_limit_example() -> None:
    """ "If a pot is $100, and someone makes a $50 bet, the next player can call $50 and raise the pot $200"."""
    hand = play(Hand.new(holdem(Structure.POT_LIMIT, bet=10, blinds=(50, 50)), seats(2)), "c c r50")
    assert hand.legal().raise_to == (100, 250)


def test_rrp_spread_limit_raises_at_least_the_last_and_at_most_the_spread() -> None:
    hand = play(Hand.new(holdem(Structure.SPREAD, bet=2, most=10, blinds=(1, 2), max_raises=4), seats(3, 200)), "c c c")
    assert hand.legal().raise_to == (2, 10)
    hand.raise_to(7)
    assert hand.legal().raise_to == (14, 17)
    play(hand, "r17 r27 r37")
    assert hand.legal().raise_to is None


def test_cap_games_end_a_players_betting_at_the_cap() -> None:
    rules = holdem(cap=3000)
    hand = Hand.new(rules, seats(3, s1=2500), deck=stacked(rules, "7s2h", "KsKh", "AsAh", "2c3d4h8s9d"))
    assert hand.legal().raise_to == (200, 3000)
    play(hand, "r3000 f c")
    assert hand.over and hand.payoffs == (-50, -2500, 2550)  # 500 went back; nobody can bet what lies above the cap


# Button and blinds


def test_tda_34b_heads_up_the_button_is_the_small_blind_and_acts_first_before_the_flop_and_last_after() -> None:
    hand = Hand.new(NO_LIMIT, seats(2), deck=stacked(NO_LIMIT, "2c2d", "3c3d"))
    assert (hand.button, hand.bets, hand.turn) == (1, (100, 50), 1)
    assert format_cards(hand.cards(1)) == "3c3d"  # the button is dealt last
    play(hand, "c c")
    assert (hand.street, hand.turn) == (1, 0)


def test_heads_up_blinds_the_other_way_round_begin_left_of_the_last_blind() -> None:
    hand = Hand.new(holdem(heads_up_button_blind=False), seats(2))
    assert (hand.bets, hand.turn) == ((50, 100), 0)
    hand.call()
    assert hand.turn == 1 and hand.legal().call == 0


def test_the_button_may_be_any_seat() -> None:
    hand = Hand.new(NO_LIMIT, seats(4), button=1)
    assert (hand.bets, hand.turn) == ((0, 0, 50, 100), 0)
    play(hand, "c c c c")
    assert (hand.street, hand.turn) == (1, 2)


def test_a_newcomer_who_posts_a_blind_is_no_blind() -> None:
    hand = Hand.new(NO_LIMIT, seats(5), posts=[50, 100, 0, 100, 0])
    assert hand.turn == 2
    play(hand, "c")
    assert (hand.turn, hand.legal().call) == (3, 0)
    behind = Hand.new(NO_LIMIT, seats(4), posts=[50, 100, 100, 0])
    assert (behind.turn, behind.legal().call) == (2, 0)


def test_rrp_a_short_big_blind_is_a_whole_one_to_call() -> None:
    hand = Hand.new(NO_LIMIT, seats(3, s1=30), deck=stacked(NO_LIMIT, "7s2h", "KsKh", "AsAh", "2c3d4h8s9d"))
    assert (hand.bets, hand.legal().call, hand.legal().raise_to) == ((50, 30, 0), 100, (200, DEEP))
    play(hand, "c f")
    assert hand.over and hand.payoffs == (-50, -30, 80)  # of the 100 called, 50 went back


def test_heads_up_against_a_short_big_blind_there_is_nothing_to_decide() -> None:
    hand = Hand.new(NO_LIMIT, seats(2, s0=30))
    assert hand.over and len(hand.board) == 5


def test_rrp_an_all_in_small_blind_plays_for_its_part() -> None:
    dealt = stacked(NO_LIMIT, "AsAh", "KsKh", "QsQh", "2c3d4h8s9d")
    hand = play(Hand.new(NO_LIMIT, seats(3, s0=20), deck=dealt), "c c c c c c c c")
    assert hand.payoffs == (40, 60, -100)  # aces win 20 from each, kings the side pot


def test_tda_rp_11_a_big_blind_ante_is_paid_by_one_for_all_and_is_dead() -> None:
    rules = holdem(big_blind_ante=100)
    hand = Hand.new(rules, seats(3))
    assert (hand.pot, hand.bets, hand.legal().call) == (250, (50, 100, 0), 100)
    play(hand, "f f")
    assert hand.payoffs == (-50, 50, 0)


def test_tda_rp_11_the_big_blind_comes_before_its_ante() -> None:
    dealt = stacked(NO_LIMIT, "KsKh", "AsAh", "QsQh", "2c3d4h8s9d")
    rules = holdem(big_blind_ante=100)
    hand = Hand.new(rules, seats(3, s1=130), deck=dealt)
    assert (hand.bets, hand.pot) == ((50, 100, 0), 180)
    play(hand, "c c c c c c c c")
    assert hand.payoffs == (-100, 200, -100)


def test_antes_that_put_a_player_all_in_leave_a_side_pot_for_the_others() -> None:
    rules = holdem(ante=20)
    dealt = stacked(rules, "KsKh", "QsQh", "AsAh", "2c3d4h8s9d")
    hand = Hand.new(rules, seats(3, s2=15), deck=dealt)
    assert hand.turn == 0 and hand.legal().call == 50
    play(hand, "c c c c c c c c")
    assert hand.payoffs == (90, -120, 30)


def test_a_dead_ante_that_puts_a_player_all_in_is_what_they_play_for() -> None:
    dealt = stacked(NO_LIMIT, "KsKh", "QsQh", "AsAh", "2c3d4h8s9d")
    hand = Hand.new(NO_LIMIT, seats(3, s2=15), deck=dealt, antes=[20, 20, 15], dead_antes=True)
    play(hand, "c c c c c c c c")
    assert hand.payoffs == (80, -120, 40)


def test_everyone_all_in_by_the_ante_runs_the_hand_out() -> None:
    hand = Hand.new(holdem(ante=500, blinds=()), [300, 400, 500])
    assert hand.over and len(hand.board) == 5 and sum(hand.payoffs) == 0


# Pots and the showdown


def test_tda_21_four_all_ins_make_a_main_pot_and_three_side_pots() -> None:
    dealt = stacked(NO_LIMIT, "QsQh", "KsKh", "AsAh", "JsJh", "2c3d4h8s9d")
    hand = Hand.new(NO_LIMIT, [3000, 2000, 1000, 4000], deck=dealt)
    play(hand, "r1000 r4000 c c")
    assert hand.over
    assert hand.payoffs == (-1000, 1000, 3000, -3000)  # of 4,000; 3,000; 2,000; and 1,000 that nobody called


def test_tda_21_each_side_pot_is_split_separately() -> None:
    dealt = stacked(NO_LIMIT, "AsKh", "AhKs", "2s7h", "AdAcQcJs2d")
    hand = play(Hand.new(NO_LIMIT, [500, 1000, 1000], deck=dealt), "r1000 c c")
    assert hand.payoffs == (250, 750, -1000)  # half of 1,500 each, and the side pot of 1,000


def test_chips_of_a_folded_player_stay_in_the_pots_that_they_reached() -> None:
    dealt = stacked(NO_LIMIT, "AsAh", "KsKh", "7s2h", "2c3d4h8s9d")
    hand = Hand.new(NO_LIMIT, [500, DEEP, DEEP], deck=dealt)
    play(hand, "r500 c c")
    assert hand.street == 1 and hand.turn == 1
    play(hand, "r1000 r2000 r4000 f")
    assert hand.over and hand.showdown == (0, 1)
    assert hand.payoffs == (1000, 1500, -2500)  # aces take 1,500; kings the side pot of 4,000, and 2,000 back


@pytest.mark.parametrize(("button", "payoffs"), [(3, (2, 2, 1, -5)), (0, (1, 2, 2, -5)), (1, (2, 1, 2, -5))])
def test_tda_20a_odd_chips_go_one_each_from_the_left_of_the_button(button: int, payoffs: tuple[int, ...]) -> None:
    rules = holdem(ante=5, blinds=())
    holes = ["Ts3h", "Th3s", "Td3c", "7s7h"]
    dealt = stacked(rules, *(holes[(button + 1 + i) % 4] for i in range(4)), "AdKdQcJs2d")
    hand = play(Hand.new(rules, seats(4), button=button, deck=dealt), "c " * 16)
    assert hand.payoffs == payoffs  # three straights share 20 chips


def test_tda_20c_the_odd_chip_of_a_split_pot_goes_to_the_high_hand() -> None:
    rules = replace(load("omaha8"), blinds=(1, 2))
    dealt = stacked(rules, "2s3h9s9h", "AsAhKsKh", "QsQhJsJh", "Ad4c8d6cKd")
    hand = play(Hand.new(rules, [100, 100, 1], deck=dealt), "c " * 9)
    assert hand.payoffs == (0, 1, -1)  # of the main pot of 3 the aces get 2; the side pot of 2 is halved


@pytest.mark.parametrize(("aces", "payoffs"), [(("Ah", "As"), (0, 1, -1)), (("As", "Ah"), (1, 0, -1))])
def test_tda_20b_in_stud_the_odd_chip_goes_to_the_highest_card_by_suit(
    aces: tuple[str, str], payoffs: tuple[int, ...]
) -> None:
    rules = replace(load("six-card-stud"), ante=1, bring_in=1)
    third = (aces[0], "Kd", "Tc", aces[1], "Kh", "Td", "2c3c", "Qh")
    hand = Hand.new(rules, seats(3, 100), deck=stacked(rules, *third, "Qc", "Qd", "Jc", "Jd", "2h", "3h"))
    play(hand, "c c f c c c c c c")
    assert hand.showdown == (0, 1) and hand.payoffs == payoffs  # two straights share 5 chips


def test_run_outs_deal_the_board_when_nobody_can_bet() -> None:
    hand = play(Hand.new(NO_LIMIT, [1000, 1000, 500]), "r500 r1000 c")
    assert hand.over and len(hand.board) == 5 and hand.showdown == (0, 1, 2)


def test_tda_58_a_fold_without_a_bet_is_binding() -> None:
    hand = play(Hand.new(NO_LIMIT, seats(3)), "c c c f")
    assert hand.folded == (True, False, False) and hand.turn == 1


def test_the_last_player_takes_the_pot_without_showing() -> None:
    hand = play(Hand.new(NO_LIMIT, seats(3)), "r300 f f")
    assert hand.over and hand.payoffs == (-50, -100, 150) and hand.showdown == () and hand.board == ()


def test_an_uncalled_bet_goes_back() -> None:
    hand = play(Hand.new(NO_LIMIT, seats(2)), "c c r5000 f")
    assert hand.payoffs == (100, -100) and hand.won == (5200, 0)


# Rake


def test_rake_is_never_taken_of_a_bet_that_nobody_called() -> None:
    rules = replace(NO_LIMIT, rake=Rake(0.05))
    hand = play(Hand.new(rules, seats(2)), "c c r5000 f")
    assert (hand.rake, hand.payoffs) == (10, (90, -100))
    hand = play(Hand.new(rules, seats(3, s0=1000)), "c c c r900 r5000 r9100 f")
    assert hand.rake == 150 + 410  # of a main pot of 3,000 and a side pot of 8,200; 4,100 went back


def test_rake_is_capped_for_all_pots_together() -> None:
    rules = replace(NO_LIMIT, rake=Rake(0.05, cap=200))
    hand = play(Hand.new(rules, seats(3, s0=1000)), "c c c r900 r5000 r9100 f")
    assert hand.rake == 200 and sum(hand.payoffs) == -200


def test_no_flop_no_drop() -> None:
    rules = replace(NO_LIMIT, rake=Rake(0.05))
    assert play(Hand.new(rules, seats(3)), "r300 f f").rake == 0
    assert play(Hand.new(rules, seats(2, 1000)), "r1000 c").rake == 100  # all-in before the flop, but there was one
    drop = replace(NO_LIMIT, rake=Rake(0.05, no_flop_no_drop=False))
    assert play(Hand.new(drop, seats(3)), "r300 f f").rake == 12


# Stud


def stud_hand(stacks: list[int], up: str, **more: object) -> Hand:
    """Third street with these cards up, by seat; down cards are whatever is left."""
    rules = more.pop("rules", STUD)
    shown = parse_cards(up)
    rest = [card for card in rules.deck if card not in shown]  # type: ignore[attr-defined]
    order = [card for i, face in enumerate(shown) for card in (rest[2 * i], rest[2 * i + 1], face)]
    return Hand.new(rules, stacks, deck=(*order, *rest[2 * len(shown) :]))  # type: ignore[arg-type]


def test_stud_the_lowest_card_brings_it_in_and_suits_break_ties() -> None:
    hand = stud_hand(seats(4, 4000), "3d2d2cAs")
    assert (hand.turn, str(hand.legal())) == (2, "call 10, raise to 40")
    hand.call()
    assert (hand.turn, hand.bets, str(hand.legal())) == (3, (0, 0, 10, 0), "fold, call 10, raise to 40")


def test_razz_the_highest_card_brings_it_in_and_the_ace_is_low() -> None:
    razz = replace(load("razz"), ante=5, bring_in=10)
    assert stud_hand(seats(4, 4000), "AsKcKd2c", rules=razz).turn == 2


def test_stud_a_completion_makes_a_whole_bet_and_raises_follow_from_there() -> None:
    hand = play(stud_hand(seats(4, 4000), "2c3c4c5c"), "c r40")
    assert str(hand.legal()) == "fold, call 40, raise to 80"
    play(hand, "r80 r120 ")
    assert str(hand.legal()) == "fold, call 110, raise to 160"
    hand.raise_to(160)
    assert hand.legal().raise_to is None  # a completion and three raises: the bring-in is no bet


def test_stud_the_bring_in_may_be_a_whole_bet_at_once() -> None:
    hand = play(stud_hand(seats(3, 4000), "2c3c4c"), "r40")
    assert hand.bets == (40, 0, 0) and str(hand.legal()) == "fold, call 40, raise to 80"


def test_stud_calling_the_bring_in_ends_the_street() -> None:
    hand = play(stud_hand(seats(3, 4000), "2c3c4c"), "c c c")
    assert hand.street == 1 and hand.pot == 45


def test_stud_all_in_for_less_than_the_bring_in_is_a_whole_one_to_call() -> None:
    hand = stud_hand(seats(3, 4000, s0=9), "2c3c4c")
    assert str(hand.legal()) == "call 4"
    hand.call()
    assert (hand.bets, str(hand.legal())) == ((4, 0, 0), "fold, call 10, raise to 40")


def test_tda_rp_10e_all_in_for_the_ante_passes_the_bring_in_to_the_left_who_may_fold() -> None:
    hand = stud_hand(seats(4, 4000, s0=5), "2c3c4c5c")
    assert (hand.turn, str(hand.legal())) == (1, "fold, call 10, raise to 40")
    hand.fold()
    assert (hand.turn, str(hand.legal())) == (2, "fold, call 10, raise to 40")
    hand.call()
    assert hand.bets == (0, 0, 10, 0)


def test_rrp_a_short_all_in_over_the_bring_in_may_still_be_completed() -> None:
    hand = play(stud_hand(seats(4, 4000, s1=20), "2c3c4c5c"), "c r15")
    assert str(hand.legal()) == "fold, call 15, raise to 40"
    hand = play(stud_hand(seats(4, 4000, s1=25), "2c3c4c5c"), "c r20")
    assert str(hand.legal()) == "fold, call 20, raise to 60"  # half a bet is a bet


def test_stud_the_best_hand_up_opens_later_streets() -> None:
    rules = STUD
    third = ["2h3h", "2c", "2s3s", "Kc", "4h5h", "Qc"]
    hand = Hand.new(rules, seats(3, 4000), deck=stacked(rules, *third, "4d", "5d", "Qd", "4s", "Kd", "6d"))
    play(hand, "c c c")
    assert (hand.street, hand.turn) == (1, 2)  # a pair of queens
    play(hand, "c c c")
    assert (hand.street, hand.turn) == (2, 1)  # now a pair of kings


def test_tda_rp_10d_tied_hands_up_open_by_the_suit_of_the_highest_card() -> None:
    third = ["2h3h", "2c", "2s3s", "Kc", "4h5h", "Kd"]
    hand = Hand.new(STUD, seats(3, 4000), deck=stacked(STUD, *third, "4d", "7d", "7s"))
    play(hand, "c c c")
    assert hand.turn == 2
    hand = Hand.new(
        STUD, seats(3, 4000), deck=stacked(STUD, "2h3h", "2c", "2s3s", "Ks", "4h5h", "Kd", "4d", "7d", "7s")
    )
    play(hand, "c c c")
    assert hand.turn == 1


def test_tda_rp_10d_in_razz_too() -> None:
    razz = replace(load("razz"), ante=5, bring_in=10)
    third = ["2h3h", "Kc", "2s3s", "4c", "4h5h", "4d"]
    hand = play(Hand.new(razz, seats(3, 4000), deck=stacked(razz, *third, "Qd", "As", "Ac")), "c c c")
    assert (hand.street, hand.turn) == (1, 2)  # 4-A both; the four of diamonds is higher than that of clubs


def test_tda_rp_10h_stud_for_eight_that_runs_out_of_cards_deals_one_for_all() -> None:
    hand = Hand.new(full_stud(), [4000] * 8, seed=3)
    while not hand.over:
        hand.call()
    assert len(hand.board) == 1
    assert [len(hand.cards(seat)) for seat in range(8)] == [6] * 8
    assert [event.cards for event in hand.events if event.kind == "board"] == [hand.board]


def test_tda_rp_10h_the_muck_is_not_dealt_again_in_stud() -> None:
    hand = Hand.new(full_stud(), [4000] * 8, seed=3)
    while not hand.over:
        hand.fold() if hand.street == 3 and hand.legal().fold and sum(hand.folded) < 3 else hand.call()
    assert sum(hand.folded) == 3 and len(hand.board) == 1  # 4 cards are left, for 5 players


# Draw games, discards, passes


def test_draw_games_shuffle_the_muck_when_the_deck_runs_out() -> None:
    rules = load("27-triple-draw")
    hand = Hand.new(rules, [400] * 6, seed=8)
    seen: list[int] = []
    while not hand.over:
        exchange = hand.legal().exchange
        if exchange:
            before = hand.cards(hand.turn)
            seat = hand.turn
            seen += before
            hand.exchange(before)
            assert not set(hand.cards(seat)) & set(before), "nobody gets back what they threw away"
        else:
            hand.call()
    assert len(seen) == 90
    held = [card for seat in range(6) for card in hand.cards(seat)]
    assert len(set(held)) == 30


def test_a_draw_with_nothing_else_left_gets_own_discards_back() -> None:
    rules = replace(load("five-card-draw"), max_players=10)
    hand = play(Hand.new(rules, [400] * 10, seed=1), "c c c c c c c c c c")
    assert hand.legal().exchange == ("draw", 0, 5)
    before = hand.cards(0)
    hand.exchange(before)  # two cards are left
    held = [card for seat in range(10) for card in hand.cards(seat)]
    assert len(set(held)) == 50 and len(set(hand.cards(0)) & set(before)) == 3


def test_a_table_that_the_deck_cannot_serve_is_refused() -> None:
    rules = replace(load("anaconda"), max_players=8)
    with pytest.raises(FeltError, match="anaconda: 8 players need 56 cards and the deck has 52"):
        Hand.new(rules, [100] * 8)


def test_discards_are_thrown_by_everybody_even_if_all_in() -> None:
    hand = Hand.new(pineapple(), [100, 100, 40], seed=2)
    play(hand, "r40 c c")
    while not hand.legal().exchange:
        hand.call()
    assert hand.phase == Phase.DISCARD and hand.legal().exchange == ("discard", 1, 1)
    with pytest.raises(IllegalAction, match="cannot discard no cards; legal now: discard 1 cards"):
        hand.exchange("")
    thrown = hand.cards(0)[:1]
    hand.exchange(thrown)
    assert hand.turn == 1 and len(hand.cards(0)) == 2
    hand.exchange(hand.cards(1)[:1])
    assert hand.turn == 2
    hand.exchange(hand.cards(2)[:1])
    assert hand.legal().exchange is None


def test_passes_reach_the_next_player_in_the_hand_all_at_once() -> None:
    rules = load("anaconda")
    hand = Hand.new(rules, [400] * 4, seed=6)
    play(hand, "c r2 f c c")
    assert hand.phase == Phase.PASS and hand.folded == (False, False, True, False)
    before = [hand.cards(seat) for seat in range(4)]
    for seat in (0, 1, 3):
        assert hand.turn == seat and hand.legal().exchange == ("pass", 3, 3)
        hand.exchange(before[seat][:3])
        if seat != 3:
            assert hand.cards(1) == before[1]  # nobody sees what comes before choosing what goes
    assert hand.cards(1) == before[1][3:] + before[0][:3]
    assert hand.cards(3) == before[3][3:] + before[1][:3]  # past the player who has folded
    assert hand.cards(0) == before[0][3:] + before[3][:3]


def test_cards_pass_to_the_right_too() -> None:
    rules = load("anaconda")
    turned = replace(rules, rounds=tuple(replace(part, pass_left=False) for part in rules.rounds))
    hand = play(Hand.new(turned, [400] * 3, seed=6), "c c c")
    before = [hand.cards(seat) for seat in range(3)]
    for seat in range(3):
        hand.exchange(before[seat][:3])
    assert hand.cards(0) == before[0][3:] + before[1][:3]


def test_a_cap_on_raises_of_any_size() -> None:
    assert play(Hand.new(with_raises(NO_LIMIT, 2, 2), seats(2)), "r1000").legal().raise_to is None
