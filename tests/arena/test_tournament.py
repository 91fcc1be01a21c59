"""Tournaments: the rules of the room, chips that stay, places and prizes, and runs that are the same everywhere."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from felt.agents import Agent, check_or_call
from felt.agents.basic.call import Call
from felt.arena.conductor.table import Table
from felt.arena.report.tournament import tournament_page
from felt.arena.schedule.runs import play_runs
from felt.arena.schedule.tasks import Task
from felt.arena.schedule.workplace import RunWorkplace
from felt.arena.tournament import Payouts, Schedule, Tournament, play, play_tournaments
from felt.arena.tournament.play import EMPTY, Room, Seats, play_once
from felt.arena.tournament.result import finish, uniformity
from felt.arena.tournament.spec import entries
from felt.arena.tournament.structure import blinds, factors
from felt.cli.arena.tournament import games_for
from felt.errors import FeltError
from felt.games import load, names
from felt.games.catalogue import with_blinds
from felt.store.log.matches import open_runs, read_runs
from tests.arena.players import Learner, Wrong
from tests.store.logs import cut_runs, rows_of

HERE = __file__.replace("test_tournament.py", "players.py")


# The room


@given(st.integers(2, 60), st.integers(2, 10), st.integers(0, 10**6))
def test_tables_stay_even_and_few(players, size, seed):
    chance = Random(seed)
    room = Room(players, size, chance)
    left = set(range(players))
    while len(left) > 1:
        tables = [table.players for table in room.tables]
        assert sorted(player for table in tables for player in table) == sorted(left)
        assert len(tables) == -(-len(left) // size)
        assert max(map(len, tables)) - min(map(len, tables)) <= 1
        for table in room.tables:
            assert len(table.seats) == size
            if len(table) > 1:
                table.move_blind()
        gone = chance.sample(sorted(left), chance.randint(1, max(1, min(len(left) - 1, 4))))
        room.leave(gone)
        left -= set(gone)
    assert room.players == list(left)


def test_the_big_blind_goes_round_and_nobody_pays_it_twice_running():
    table = Seats(6, [10, 11, 12, 13], blind=3)
    paid = []
    for gone in (None, None, 11, None, 12, None, None):
        if gone is not None:
            table.leave(gone)
        players, place = table.move_blind()
        paid.append(players[place])
    assert paid == [10, 11, 12, 13, 10, 13, 10]


def test_who_is_next_to_pay_moves_and_pays_soon():
    room = Room(9, 5, Random(1))
    long, short = sorted(room.tables, key=len, reverse=True)
    assert (len(long), len(short)) == (5, 4)
    next_to_pay = long.next_to_pay()
    room.leave(short.players[:1])  # 5 and 3
    assert next_to_pay in short.seats and next_to_pay not in long.seats and room.moves == 1
    after = [seat % 5 for seat in range(short.blind + 1, short.blind + 6)]
    free = [seat for seat in after if short.seats[seat] in (EMPTY, next_to_pay)]
    assert short.seats[free[0]] == next_to_pay


# Schedules


def test_stakes_of_any_game_rise():
    schedule = Schedule(factors("1,2,5"), ante=0.1)
    stud, holdem = load("stud"), load("limit-holdem")
    assert schedule.rules(holdem, 1, 10_000).ante == 1 and schedule.rules(holdem, 2, 10_000).ante == 1
    assert Schedule((1, 2)).rules(stud, 1, 10_000).bring_in == 2 * stud.bring_in
    last = Schedule((1,)).rules(holdem, 200, 1000)
    assert last.blinds == (1000, 1000), "stakes stop where everybody is all in"
    given = Schedule(blinds("10/20,25/50/5"))
    assert [given.rules(holdem, level, 10**6).blinds for level in (0, 1, 2)] == [(10, 20), (25, 50), (50, 100)]
    assert given.rules(holdem, 2, 10**6).ante == 10
    assert with_blinds(load("plo"), 25, 50).rounds[0].betting.bet == 50


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: factors("2,1"), "levels '2,1'"),
        (lambda: factors("a"), "levels 'a'"),
        (lambda: blinds("10"), "blinds '10'"),
        (lambda: blinds("10/20,5/10"), "blinds '10/20,5/10': 5/10 comes after 10/20"),
        (lambda: Schedule(blinds("10/20")).rules(load("stud"), 0, 10**6), "blinds 10/20: stud"),
        (lambda: Schedule(blinds("2/1")).rules(load("nlhe"), 0, 10**6), "blinds 2/1: the second"),
        (lambda: Schedule(hands=0), "0 hands"),
        (lambda: Tournament.of(["fold*2"], load("nlhe"), schedule=Schedule(blinds("0/2"))), "fewer than two players"),
        (lambda: Tournament.of(["call"], load("nlhe")), "a tournament is for 2"),
        (lambda: Tournament.of(["call*0"], load("nlhe")), r"call\*0"),
        (lambda: Tournament.of(["call*3"], load("nlhe"), table_size=12), "12 players at a table"),
        (lambda: Tournament.of(["call*3"], load("nlhe"), on_error="forfeit"), "on_error='forfeit'"),
        (lambda: Tournament.of(["call*3"], load("nlhe"), stack=0), "stacks of 0"),
        (lambda: Tournament.of(["call*3"], load("nlhe"), payouts=[20, 30]), "payouts '20,30'"),
        (lambda: Tournament.of(["call*3"], load("nlhe"), icm_at=4), "icm_at=4"),
        (lambda: Tournament.of(["pushfold*3"], load("nlhe")), "'pushfold' does not play nlhe with 3"),
        (lambda: Tournament.of(["call*3"], load("kuhn", players=3)), "kuhn is not for 2 players"),
    ],
)
def test_mistakes_are_told(make, told):
    with pytest.raises(FeltError, match=told):
        make()


# Playing


class Spy(Table):
    """A table that writes down who began a hand with how much, and what was left of it."""

    def play(self, hand, number, seating, codes):
        count = super().play(hand, number, seating, codes)
        self.hands.append((dict(zip(seating, hand.starting_stacks, strict=True)), hand))
        return count


def spied(tournament, number=0):
    table = RunWorkplace(tournament).table(number)
    table.__class__, table.hands = Spy, []
    return play_once(tournament, number, table), table.hands


@settings(max_examples=12)
@given(st.integers(2, 40), st.integers(2, 9), st.integers(0, 1000))
def test_chips_are_conserved_and_places_follow_from_the_stacks(players, size, number):
    """Counted again from the hands alone: rounds, chips, who went out when, and who had how much before."""
    tournament = Tournament.of([f"random*{players}"], load("nlhe"), table_size=size, stack=40, seed=5)
    record, hands = spied(tournament, number)
    stacks, rounds, seen = dict.fromkeys(range(players), 40), [[]], set()
    for start, hand in hands:
        if seen & set(start):
            rounds.append([])
            seen = set()
        seen |= set(start)
        rounds[-1].append((start, hand))
    out = []
    for played in rounds:
        before = dict(stacks)
        for start, hand in played:
            assert all(stacks[player] == chips for player, chips in start.items())
            assert sum(hand.stacks) == sum(start.values()) and 2 <= len(start) <= size
            stacks.update(zip(start, hand.stacks, strict=True))
        assert sum(stacks.values()) == 40 * players
        gone = [player for player in before if before[player] and not stacks[player]]
        for chips in sorted({before[player] for player in gone}):
            out.append({player for player in gone if before[player] == chips})
    out.append({player for player, chips in stacks.items() if chips})
    assert [set(group) for _, group in finish(record)] == out[::-1]
    assert record["hands"] == len(hands) and record["rounds"] == len(rounds)


def test_heads_up_the_button_has_the_small_blind_and_blinds_alternate():
    tournament = Tournament.of(["call*2"], load("nlhe"), schedule=Schedule((1,), hands=50))
    _, hands = spied(tournament)
    small = [list(start)[hand.stakes.posts.index(1)] for start, hand in hands[:20]]
    assert small in ([0, 1] * 10, [1, 0] * 10)
    assert all(hand.stakes.posts[hand.button] == 1 for _, hand in hands[:20])
    assert hands[-1][1].stakes.posts != hands[0][1].stakes.posts, "stakes have risen"


def test_every_tournament_has_an_end_with_any_stacks():
    """Nobody plays of their own will, and as many chips as can be counted are in play."""
    for game in ("nlhe", "stud", "cap-holdem", "limit-holdem"):
        for players in (2, 3):
            stack = 2_000_000_000 // players
            tournament = Tournament.of([f"fold*{players}"], load(game), stack=stack, schedule=Schedule(hands=1))
            (record,) = play_runs(tournament, 1, workers=1)
            assert record["rounds"] < 100, "31 doublings, then a few hands for all chips"


@pytest.mark.parametrize("game", names())
def test_every_variant_has_its_tournament(game):
    agents = ["random*4", "call*3"]
    games = games_for(game, None, None, agents)
    tournament = Tournament.of(agents, games, table_size=4, stack=20 * games[0].big_blind)
    (record,) = play_runs(tournament, 1, workers=1)
    assert sorted(player for _, group in finish(record) for player in group) == list(range(7))
    assert "conduct" not in record


@pytest.mark.parametrize(
    ("agents", "game"), [(["random*5", "ehs*4"], "nlhe"), (["random*7"], "stud"), (["call*3", "random*3"], "badugi")]
)
def test_tournaments_in_step_are_those_one_by_one(agents, game, monkeypatch):
    monkeypatch.setattr(play, "FEW", 4)
    tournament = Tournament.of(agents, load(game), stack=10 * load(game).big_blind, table_size=4, seed=3)
    workplace, numbers = RunWorkplace(tournament), range(5, 13)
    assert tournament.together and play.play_together(tournament, numbers) == [
        play_once(tournament, number, RunWorkplace(tournament).table(number)) for number in numbers
    ]
    assert workplace.play(Task(5, 2)).content == [workplace.play_run(number) for number in numbers[:2]]


def test_wrong_moves_in_step_are_seen_one_by_one(monkeypatch):
    monkeypatch.setattr(play, "FEW", 2)
    monkeypatch.setattr(Call, "act_batch", lambda self, tables: (np.full(len(tables), 2), np.full(len(tables), 10**9)))
    tournament = Tournament.of(["call*4"], load("nlhe"), stack=20)
    assert play.play_together(tournament, range(3)) is None
    assert [record["run"] for record in RunWorkplace(tournament).play(Task(0, 3)).content] == [0, 1, 2]


def test_memories_last_for_one_tournament():
    met = Counter()

    class Fresh(Agent):
        def __init__(self):
            met["made"] += 1

        def act(self, view):
            return check_or_call(view)

        def match_over(self):
            met["over"] += 1

    play_tournaments(Tournament.of([Fresh, "call*2"], load("nlhe"), stack=10), 3)
    assert met["over"] == 3 and met["made"] >= 3


def test_agents_that_do_wrong_are_counted_and_named():
    class Odd(Wrong):
        def __init__(self):
            super().__init__("illegal", 1)

    result = play_tournaments(Tournament.of([Odd, Odd, "call"], load("nlhe"), stack=20), 3)
    assert result.tournament.names == ("Odd", "call") and result.tournament.copies == (2, 1)
    assert result.conduct.counts[0]["illegal"] > 10 and not any(result.conduct.counts[1].values())
    told = {one["name"]: one for one in result.as_dict()["agents"]}
    assert told["Odd"]["incidents"][0]["run"] == 0 and "cannot raise" in told["Odd"]["incidents"][0]["message"]


def test_one_worker_and_two_and_a_log_that_was_cut_give_the_same_rows(tmp_path):
    """Agents with a memory, several tables, and two in the middle of whose play the log was torn."""
    agents = [f"{HERE}:Learner*3", "random*4"]
    tournament = Tournament.of(agents, load("limit-holdem"), table_size=4, stack=30)
    here = Tournament.of([Learner, Learner, Learner, "random*4"], load("limit-holdem"), table_size=4, stack=30)
    one = open_runs(tmp_path / "one", tournament.describe())
    play_tournaments(here, 8, workers=1, log=one)
    two = open_runs(tmp_path / "two", tournament.describe())
    play_tournaments(tournament, 8, workers=2, log=two)
    records, rows = list(read_runs(tmp_path / "one")), rows_of(tmp_path / "one")
    assert list(read_runs(tmp_path / "two")) == records and rows_of(tmp_path / "two") == rows and len(records) == 8
    two.close()
    cut_runs(tmp_path / "two", 2)
    again = open_runs(tmp_path / "two", tournament.describe())
    result = play_tournaments(here, 8, log=again)
    assert list(read_runs(tmp_path / "two")) == records and rows_of(tmp_path / "two") == rows
    assert 0 < result.played < 8


def test_a_log_of_the_same_agents_in_another_order_is_refused(tmp_path):
    first, other = (Tournament.of(agents, load("nlhe")) for agents in (["fold", "call", "fold"], ["fold*2", "call"]))
    open_runs(tmp_path, first.describe()).close()
    with pytest.raises(FeltError, match=r"another competition.*lineup"):
        open_runs(tmp_path, other.describe())


# Results


def test_equal_agents_finish_everywhere_equally_often():
    equal = play_tournaments(Tournament.of(["random*3", "call*2"], load("nlhe"), stack=20), 2, workers=1)
    assert equal.uniformity().df == 4 and equal.uniformity().p is None and equal.as_dict()["uniform"]["p"] is None
    few = "there are too few tournaments to compare places: it takes 13"
    assert str(equal.uniformity()) == few and few in tournament_page(equal, "felt tournament …", plots=[])
    whole, alike = np.full((2, 5), 13.0) * [[3], [2]] / 5, np.array([3, 2])
    assert uniformity(whole, alike, 13).p == 1 and uniformity(whole, alike, 12).p is None, "one fewer is too few"
    alone = play_tournaments(Tournament.of(["random*5"], load("nlhe"), stack=20, table_size=3), 300, workers=1)
    assert alone.uniformity().df == 16 and alone.uniformity().p > 0.001
    assert alone.player_places.sum(axis=0) == pytest.approx([300] * 5)
    unequal = play_tournaments(Tournament.of(["allin*2", "fold*2"], load("nlhe"), stack=20), 30, workers=1)
    assert unequal.uniformity().p < 1e-6 and unequal.table[0] == 0


def test_the_test_of_equals_is_right_between_equals():
    """Permutations at random: p-values are as often under a tenth as they should be, for agents of unequal numbers."""
    chance, small, lineup = np.random.default_rng(1), 0, np.array([0, 0, 0, 1, 1, 2])
    for _ in range(400):
        counts = np.zeros((3, 6))
        for _ in range(60):
            np.add.at(counts, (lineup, chance.permutation(6)), 1)
        small += uniformity(counts, np.bincount(lineup), 60).p < 0.1
    assert 20 <= small <= 60


def test_an_agent_may_enter_several_times():
    entrants, lineup = entries([f"{HERE}:Wrong:what=exit*2", "call", f"{HERE}:Wrong:what=exit", "call*2"])
    assert [one.spec for one in entrants] == [f"{HERE}:Wrong:what=exit", "call"] and lineup == (0, 0, 1, 0, 1, 1)


def test_prizes_are_paid_out_and_shared():
    payouts = Payouts.of(9, [50, 30, 20])
    assert payouts.prizes == (4.5, 2.7, 1.8) and payouts.paid == 3
    assert payouts.shared(3, 2) == 0.9 and payouts.shared(4, 1) == 0 and payouts.shared(1, 9) == 1
    for players in (2, 5, 9, 10, 11, 100):
        assert sum(Payouts.of(players).prizes) == pytest.approx(players)
    result = play_tournaments(Tournament.of(["random*4", "call*2"], load("nlhe"), stack=20), 10, workers=1)
    total = sum(result.payout(agent).value * copies for agent, copies in enumerate(result.tournament.copies))
    assert total == pytest.approx(6)
    places = [result.places(agent) for agent in (0, 1)]
    assert sum(places[0].shares) == pytest.approx(1) and sum(places[1].shares) == pytest.approx(1)
    assert all(low <= share <= high for one in places for share, (low, high) in zip(one.shares, one.ci95, strict=True))


def test_stacks_are_valued_on_the_bubble():
    tournament = Tournament.of(["random*7"], load("nlhe"), stack=30, icm_at=4)
    result = play_tournaments(tournament, 12, workers=1)
    valued = [record["icm"] for record in result.records if "icm" in record]
    assert valued and result.icm(0).value == pytest.approx(1)
    for one in valued:
        assert 2 <= len(one) <= 4 and sum(chips for _, chips, _ in one) == 7 * 30
        left = sum(tournament.payouts.prizes[: len(one)])
        assert sum(value for *_, value in one) == pytest.approx(left)
    assert Tournament.of(["call*9"], load("nlhe")).icm_at == 4


def test_stacks_are_valued_before_the_first_hand_of_so_few():
    """The same stacks as those of the first hand with no more players than that, which may be the very first."""
    for number in range(8):
        for at in (7, 6, 4, 2):
            record, hands = spied(Tournament.of(["random*7"], load("nlhe"), stack=30, icm_at=at), number)
            stacks = next((start for start, _ in hands if len(start) <= at), {})
            assert {player: chips for player, chips, _ in record.get("icm", [])} == stacks
    heads_up = play_tournaments(Tournament.of(["call", "fold"], load("nlhe"), stack=10), 5, workers=1)
    assert heads_up.tournament.icm_at == 2
    assert [heads_up.icm(agent).value for agent in (0, 1)] == [1, 1] != [heads_up.payout(0).value, 1]
    few = play_tournaments(Tournament.of(["call*2", "fold"], load("nlhe"), payouts=[2, 1]), 3, workers=1)
    assert [few.icm(agent).value for agent in (0, 1)] == pytest.approx([1, 1])
    assert all([chips for _, chips, _ in record["icm"]] == [200] * 3 for record in few.records)
