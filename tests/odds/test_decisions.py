"""Decision arithmetic: worked examples, and every formula against hands played out chip by chip."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from felt.errors import OddsError
from felt.odds import decisions as d

# A hand played out chip by chip: stacks, bets in front, a middle. It knows rules, no formulas.


@dataclass
class Table:
    """Two players after some betting: `dead` chips in the middle, villain may have bet in front."""

    dead: int
    villain_bet: int = 0
    hero_bet: int = 0
    rake: Fraction = Fraction(0)
    rake_cap: int | None = None
    hero_stack: Fraction = Fraction(1000)
    bets: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.bets = {"hero": self.hero_bet, "villain": self.villain_bet}

    def put(self, player: str, chips: int) -> None:
        self.bets[player] += chips
        if player == "hero":
            self.hero_stack -= chips

    def settle(self, hero_share: Fraction) -> Fraction:
        """Give back what was not matched, take the rake, pay the hero; the hero's stack is returned."""
        matched = min(self.bets.values())
        self.hero_stack += self.bets["hero"] - matched
        pot = Fraction(self.dead + 2 * matched)
        taken = pot * self.rake if self.rake_cap is None else min(pot * self.rake, Fraction(self.rake_cap))
        return self.hero_stack + hero_share * (pot - taken)


SHARES = {"win": Fraction(1), "tie": Fraction(1, 2), "lose": Fraction(0)}


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def equity_of(runouts: list[str]) -> Fraction:
    return mean([SHARES[r] for r in runouts])


chips = st.integers(1, 300)
runout_lists = st.lists(st.sampled_from(sorted(SHARES)), min_size=1, max_size=8)
rakes = st.sampled_from([(Fraction(0), None), (Fraction(1, 20), None), (Fraction(1, 20), 3), (Fraction(1, 10), 0)])


@given(dead=st.integers(0, 300), bet=chips, runouts=runout_lists, rake=rakes)
def test_ev_of_a_call_is_the_average_over_all_runouts(dead, bet, runouts, rake):
    stacks = []
    for runout in runouts:
        table = Table(dead, villain_bet=bet, rake=rake[0], rake_cap=rake[1])
        table.put("hero", bet)
        stacks.append(table.settle(SHARES[runout]))
    ev = d.ev_call(pot=dead + bet, call=bet, equity=float(equity_of(runouts)), rake=float(rake[0]), rake_cap=rake[1])
    assert ev == pytest.approx(float(mean(stacks) - 1000), abs=1e-9)


@given(
    dead=st.integers(0, 300),
    villain_bet=st.integers(0, 100),
    hero_bet=st.integers(0, 100),
    more=chips,
    folds=st.lists(st.booleans(), min_size=1, max_size=6),
    runouts=runout_lists,
    rake=rakes,
)
def test_ev_of_a_bet_or_raise_is_the_average_over_villains_hands_and_runouts(
    dead, villain_bet, hero_bet, more, folds, runouts, rake
):
    assume(villain_bet >= hero_bet)
    to_call = villain_bet - hero_bet
    raise_to = villain_bet + more
    stacks = []
    for folds_here, runout in product(folds, runouts):
        table = Table(dead, villain_bet=villain_bet, hero_bet=hero_bet, rake=rake[0], rake_cap=rake[1])
        table.put("hero", raise_to - hero_bet)
        if not folds_here:
            table.put("villain", more)
        stacks.append(table.settle(Fraction(1) if folds_here else SHARES[runout]))
    options = {
        "pot": dead + villain_bet + hero_bet,
        "equity": float(equity_of(runouts)),
        "rake": float(rake[0]),
        "rake_cap": rake[1],
    }
    fold = float(Fraction(sum(folds), len(folds)))
    ev = d.ev_raise(call=to_call, raise_to=raise_to, in_front=hero_bet, fold=fold, **options)
    assert ev == pytest.approx(float(mean(stacks) - 1000), abs=1e-9)
    if to_call == 0:
        assert d.ev_bet(bet=more, fold=fold, **options) == ev

    needed = d.required_fold_equity(bet=raise_to - hero_bet, call=to_call, **options)
    never = d.ev_raise(call=to_call, raise_to=raise_to, in_front=hero_bet, fold=0.0, **options)
    if needed == 0:
        assert never >= 0
    elif needed <= 1:
        at_needed = d.ev_raise(call=to_call, raise_to=raise_to, in_front=hero_bet, fold=needed, **options)
        assert at_needed == pytest.approx(0, abs=1e-9)


@given(pot=st.integers(0, 500), call=chips, rake=st.sampled_from([0.0, 0.05]), cap=st.sampled_from([None, 4]))
def test_a_call_at_its_required_equity_is_worth_nothing(pot, call, rake, cap):
    needed = d.required_equity(pot=pot, call=call, rake=rake, rake_cap=cap)
    assume(needed <= 1)
    assert d.ev_call(pot=pot, call=call, equity=needed, rake=rake, rake_cap=cap) == pytest.approx(0, abs=1e-9)


@given(pot=st.integers(0, 500), bet=chips, equity=st.floats(0, 1), alternative=st.floats(-50, 100))
def test_required_fold_equity_meets_the_alternative(pot, bet, equity, alternative):
    needed = d.required_fold_equity(pot=pot, bet=bet, equity=equity, alternative=alternative)
    if needed == 0:
        assert d.ev_bet(pot=pot, bet=bet, fold=0, equity=equity) >= alternative - 1e-9
    elif math.isinf(needed):
        assert d.ev_bet(pot=pot, bet=bet, fold=1, equity=equity) < alternative
    else:
        assert d.ev_bet(pot=pot, bet=bet, fold=needed, equity=equity) == pytest.approx(alternative, abs=1e-9)


@pytest.mark.parametrize(("rake", "cap"), [(0.0, None), (0.05, None), (0.05, 12), (0.05, 20)])
def test_implied_odds_found_by_trying_every_later_win(rake, cap):
    pot, call, outs, unseen = 60, 30, 9, 46

    def average(later: float) -> float:
        won = pot + call + 2 * later
        taken = rake * won if cap is None else min(rake * won, cap)
        return (outs * (won - taken - later) + 0 * (unseen - outs)) / unseen - call

    wanted = next(x / 100 for x in range(100_000) if average(x / 100) >= 0)
    found = d.implied_odds(pot=pot, call=call, equity=outs / unseen, rake=rake, rake_cap=cap)
    assert found == pytest.approx(wanted, abs=0.011)
    assert average(found) == pytest.approx(0, abs=1e-9)


@given(pot=st.integers(0, 500), call=chips, equity=st.floats(0.01, 0.99))
def test_implied_and_reverse_implied_odds_bring_the_call_to_nothing(pot, call, equity):
    options = {"pot": pot, "call": call, "equity": equity}
    later_win, later_loss = d.implied_odds(**options), d.reverse_implied_odds(**options)
    assert later_win == 0 or later_loss == 0
    assert d.ev_call_later(**options, later_win=later_win, later_loss=later_loss) == pytest.approx(0, abs=1e-7)


def test_later_chips_are_averaged_over_the_hands_in_which_they_are_won_and_lost():
    later = {"win": [40, 0, 80], "lose": [10, 0, 20, 30]}
    results = [60 + x for x in later["win"]] + [-20 - x for x in later["lose"]]
    ev = d.ev_call_later(pot=60, call=20, equity=3 / 7, later_win=40, later_loss=15)
    assert ev == pytest.approx(sum(results) / 7)


# Worked examples


def test_five_into_fifteen_lays_four_to_one_and_needs_a_fifth():
    odds = d.pot_odds(pot=20, call=5)
    assert (odds.ratio, odds.fraction, str(odds)) == (4.0, 0.2, "4:1")
    assert d.required_equity(pot=20, call=5) == 0.2


def test_calling_twenty_for_sixty_with_two_fifths_leaves_a_stack_of_24():
    stack = 20
    assert stack + d.ev_call(pot=40, call=20, equity=0.4) == pytest.approx(24)


def test_side_pots_pay_by_their_own_equity():
    # Three-way for 30 each, and 20 more each against one of them.
    assert d.ev_side_pots(call=50, pots=[(90, 0.3), (40, 0.55)]) == pytest.approx(27 + 22 - 50)


def test_a_bluff_of_half_the_pot_must_work_a_third_of_the_time():
    assert d.alpha(pot=100, bet=50) == pytest.approx(1 / 3)
    assert d.minimum_defence(pot=100, bet=50) == pytest.approx(2 / 3)


def test_a_bluff_raise_risks_what_it_adds_for_all_that_lies_there():
    # 100 in the middle, villain bets 50, hero raises to 150: 150 to win 150.
    assert d.required_fold_equity(pot=150, bet=150, call=50) == pytest.approx(0.5)


def test_a_semi_bluff_needs_fewer_folds_than_a_bluff():
    # Flush draw, 9 of 45: called, 0.2 * 300 - 100 = -40; folded to, +100.
    assert d.required_fold_equity(pot=100, bet=100, equity=0.2) == pytest.approx(40 / 140)
    assert d.required_fold_equity(pot=100, bet=100, equity=0.5) == 0.0


def test_a_bet_must_beat_the_value_of_a_check():
    assert d.required_fold_equity(pot=100, bet=100, equity=0.2, alternative=20) == pytest.approx(60 / 140)
    assert d.required_fold_equity(pot=100, bet=100, equity=0.2, alternative=101) == math.inf


def test_a_pot_sized_river_bet_holds_one_bluff_for_two_value_hands():
    assert d.bluff_share(pot=100, bet=100) == pytest.approx(1 / 3)


def test_rake_raises_the_price_and_its_cap_limits_that():
    assert d.required_equity(pot=100, call=50, rake=0.05) == pytest.approx(50 / 142.5)
    assert d.required_equity(pot=100, call=50, rake=0.05, rake_cap=3) == pytest.approx(50 / 147)
    assert d.ev_bet(pot=100, bet=50, fold=1, rake=0.05) == pytest.approx(95)


def test_the_ends_of_implied_odds():
    assert d.implied_odds(pot=10, call=5, equity=0) == math.inf
    assert d.implied_odds(pot=10, call=5, equity=0.5) == 0.0
    assert d.reverse_implied_odds(pot=10, call=5, equity=1) == math.inf
    assert d.reverse_implied_odds(pot=10, call=5, equity=0.1) == 0.0


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: d.pot_odds(pot=-1, call=5), "pot -1 is negative"),
        (lambda: d.pot_odds(pot=10, call=0), "call 0 leaves nothing to decide"),
        (lambda: d.pot_odds(pot=10, call=2.5), "call 2.5 is not a whole number of chips"),
        (lambda: d.ev_call(pot=10, call=5, equity=40), "equity 40 is not a share"),
        (lambda: d.ev_call(pot=10, call=5, equity=-0.1), "equity -0.1 is not a share"),
        (lambda: d.ev_call(pot=10, call=5, equity=math.nan), "equity nan is not a share"),
        (lambda: d.ev_call(pot=10, call=5, equity=0.5, rake=0.5), "rake 0.5"),
        (lambda: d.ev_call(pot=10, call=5, equity=0.5, rake=0.05, rake_cap=-1), "rake_cap -1 is negative"),
        (lambda: d.ev_bet(pot=10, bet=0, fold=0.5), "bet 0 leaves nothing"),
        (lambda: d.ev_bet(pot=10, bet=5, fold=1.5), "fold 1.5 is not a share"),
        (lambda: d.ev_raise(pot=10, call=5, raise_to=5, fold=0.5), "to add 5 chips is no raise with 5 to call"),
        (lambda: d.ev_raise(pot=10, call=5, raise_to=9, in_front=5, fold=0.5), "raise to over 10"),
        (lambda: d.ev_call_later(pot=10, call=5, equity=0.5, later_win=-3), "later_win -3 is negative"),
        (lambda: d.ev_side_pots(call=5, pots=[(-4, 0.5)]), "pot -4 is negative"),
    ],
)
def test_a_question_without_an_answer_is_one_clear_line(ask, words):
    with pytest.raises(OddsError) as error:
        ask()
    assert words in str(error.value)
    assert "\n" not in str(error.value)
