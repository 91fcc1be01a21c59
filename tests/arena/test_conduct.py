"""Agents that do wrong: the rule is applied, counted and told, and nobody else is harmed."""

import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from felt.agents import Agent, check_or_call, raise_to
from felt.arena import Match, play
from felt.games import Action, Move, load
from tests.arena.players import Caller, Learner, Wrong

HERE = __file__.replace("test_conduct.py", "players.py")


def result_of(agent, hands=20, **options):
    options = {"timeout": 0.4, **options}
    workers = options.pop("workers", 1)
    return play(Match.of([agent, "call"], load("nlhe"), **options), hands=hands, workers=workers)


@pytest.mark.parametrize(
    ("what", "fault", "words"),
    [
        ("raise", "errors", "RuntimeError: <lost my mind>"),
        ("exit", "errors", "SystemExit: 3"),
        ("illegal", "illegal", "cannot raise to 1000000000"),
        ("nothing", "illegal", "answered None, which is no Action"),
    ],
)
def test_faults_are_counted_and_told(what, fault, words):
    result = result_of(partial(Wrong, what))
    counts = result.conduct.counts[0]
    assert counts[fault] >= 4 and sum(counts.values()) == counts[fault]
    assert not any(result.conduct.counts[1].values())
    assert words in result.conduct.incidents[0].message
    assert [one.hand for one in result.conduct.incidents] == sorted(one.hand for one in result.conduct.incidents)
    assert len(result.conduct.incidents) <= 5
    assert result.hands == 20 and (result.totals.sum(axis=1) == 0).all()
    if fault == "errors":
        assert "players.py" in result.conduct.incidents[0].details
    player = result.as_dict()["players"][0]
    assert player[fault] == counts[fault] and player["incidents"][0]["message"] == result.conduct.incidents[0].message


def test_the_rule_says_what_is_done_instead():
    always = partial(Wrong, "raise", 1)
    folds, calls = (result_of(always, 200, on_error=rule, duplicate=True) for rule in ("fold", "call"))
    fold, call = (
        play(Match.of([name, "call"], load("nlhe"), duplicate=True), hands=200).totals for name in ("fold", "call")
    )
    assert (folds.totals == fold).all() and (calls.totals == call).all()


def test_who_forfeits_ends_the_match_with_the_set():
    result = result_of(partial(Wrong, "raise", 7), 200, on_error="forfeit", duplicate=True)
    whole = result_of(partial(Wrong, "raise", 7), 200, duplicate=True)
    assert result.sets == 1 and result.hands == 2, "hand 0 is wrong already"
    assert (
        result.ended == "partial(<class 'tests.arena.players.Wrong'>, 'raise', 7) forfeited it in hand 1"
        or result.ended
    )
    assert (result.totals[0].sum() == 0) and whole.sets == 100


@pytest.mark.parametrize("what", [pytest.param("sleep", marks=pytest.mark.long), "loop"])
def test_who_does_not_answer_is_interrupted(what):
    result = result_of(f"{HERE}:Wrong:what={what},every=9", 18, workers=2)
    counts = result.conduct.counts[0]
    assert counts["timeouts"] >= 2 and not counts["illegal"] and not counts["errors"]
    assert "no answer within 0.4 s" in result.conduct.incidents[0].message
    assert result.hands == 18


@pytest.mark.long
def test_who_kills_its_process_is_named_and_the_match_goes_on():
    result = result_of(f"{HERE}:Wrong:what=die,every=9", 18, workers=2)
    counts = result.conduct.counts[0]
    assert counts["errors"] >= 2 and not counts["timeouts"] and not any(result.conduct.counts[1].values())
    assert "its process ended with exit code 7" in result.conduct.incidents[0].message
    assert result.hands == 18
    folded = result_of(partial(Wrong, "raise", 9), 18)
    assert (result.totals == folded.totals).all(), "the same rule, the same hands"


@pytest.mark.long
def test_one_worker_or_two_an_agent_that_dies_costs_the_same():
    spec = f"{HERE}:Wrong:what=die,every=25"
    one, two = (result_of(spec, 40, workers=workers) for workers in (1, 2))
    assert (one.totals == two.totals).all() and one.conduct.counts == two.conduct.counts


def test_events_that_raise_are_counted_and_change_nothing():
    class Deaf(Caller):
        def hand_over(self, view):
            raise OSError("I do not want to know")

    deaf, plain = result_of(Deaf, 10), result_of(Caller, 10)
    assert deaf.conduct.counts[0]["errors"] == 10
    assert (deaf.totals == plain.totals).all()


def test_in_step_wrong_moves_are_replaced_table_by_table():
    class Half:
        """Folds where it may, and asks for an impossible raise at every other table."""

        def act_batch(self, tables):
            moves = np.where(tables.legal[:, 0] == 1, 0, 1)
            moves[::2] = 2
            return moves, np.full(len(tables), 10**9)

    class Broken:
        def act_batch(self, tables):
            raise KeyError("table")

    result = play(Match.of([Half, "call"], load("nlhe")), hands=100)
    assert result.conduct.counts[0]["illegal"] >= 50 and result.conduct.counts[0]["errors"] == 0
    assert "is legal" in result.conduct.incidents[0].message
    broken = play(Match.of([Broken, "call"], load("nlhe")), hands=100)
    assert broken.conduct.counts[0]["errors"] >= 100
    fold = play(Match.of(["fold", "call"], load("nlhe")), hands=100)
    assert (broken.totals == fold.totals).all()


@pytest.mark.long
def test_a_memory_survives_the_death_of_a_process():
    """The lane is played again from its beginning; the dead decision is the rule's, all others are as they were."""

    spec = f"{HERE}:Wrong:what=die,every=33"
    result = play(Match.of([f"{HERE}:Learner", spec], load("nlhe"), duplicate=True, timeout=5), hands=60, workers=2)
    twin = play(Match.of([Learner, partial(Wrong, "raise", 33)], load("nlhe"), duplicate=True), hands=60)
    assert (result.totals == twin.totals).all()


@pytest.mark.parametrize(
    ("what", "fault"),
    [("die", "errors"), ("loop", "timeouts"), pytest.param("sleep", "timeouts", marks=pytest.mark.long)],
)
@pytest.mark.long
def test_batch_agents_are_contained_too(what, fault):
    spec = f"{HERE}:WrongInStep:what={what}"
    result = play(Match.of([spec, "call"], load("nlhe"), timeout=0.5), hands=60, workers=1)
    counts = result.conduct.counts[0]
    assert counts[fault] >= 30 and sum(counts.values()) == counts[fault] and result.hands == 60
    assert not any(result.conduct.counts[1].values())
    fold = play(Match.of(["fold", "call"], load("nlhe")), hands=60)
    assert (result.totals == fold.totals).all()


def test_a_plain_agent_at_batch_tables_sees_the_history_and_is_told_of_alone():
    seen = set()

    class Teller(Caller):
        def act(self, view):
            seen.add(tuple(event.kind for event in view.history if event.seat >= 0 and not event.cards))
            if view.street == 1:
                raise RuntimeError("not on the flop")
            return super().act(view)

    class Caller2:
        def act_batch(self, tables):
            return np.ones(len(tables), dtype=np.int64), np.zeros(len(tables), dtype=np.int64)

    result = play(Match.of([Teller, Caller2], load("nlhe")), hands=40)
    assert result.match.in_step and result.conduct.counts[0] == {"illegal": 0, "timeouts": 0, "errors": 40}
    assert "not on the flop" in result.conduct.incidents[0].details
    assert max(map(len, seen)) >= 6, "moves of both, from the deal to the river"


class Drawer(Agent):
    """Draws its two highest cards in one of several odd ways; keeps what the hands were worth to it."""

    remembers = False
    chips = 0

    def __init__(self, how):
        self.how = how

    def act(self, view):
        if not view.legal.exchange:
            return check_or_call(view)
        high = sorted(view.own)[-2:]
        if self.how == "sorted view":
            view.own = tuple(sorted(view.own, reverse=True))
        cards = filter(lambda card: card in high, view.own) if self.how == "iterator" else tuple(high)
        return Action(Move.EXCHANGE, cards=cards)

    def hand_over(self, view):
        Drawer.chips += view.payoffs[view.seat]


@pytest.mark.parametrize("how", ["plain", "sorted view", "iterator"])
def test_what_is_recorded_is_what_was_played(how):
    Drawer.chips = 0
    result = play(Match.of([partial(Drawer, how), "call"], load("five-card-draw"), seed=2), hands=100)
    assert result.conduct.clean and result.totals[:, 0].sum() == Drawer.chips


def test_a_card_that_is_thrown_away_twice_is_illegal_at_one_table_and_at_many():
    class Twice(Caller):
        def act(self, view):
            return Action(Move.EXCHANGE, cards=(view.own[0],) * 2) if view.legal.exchange else check_or_call(view)

    class Other:
        def act_batch(self, tables):
            exchange = tables.legal[:, 4] >= 0
            return np.where(exchange, 3, 1), np.zeros(len(tables), dtype=np.int64)

    for other in ("call", Other):
        result = play(Match.of([Twice, other], load("five-card-draw")), hands=20)
        assert sum(result.conduct.counts[0].values()) == 20, result.conduct.incidents


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.long), 2])
def test_at_many_tables_only_those_are_punished_where_something_went_wrong(workers):
    class Picky:
        """Cannot stand a pair of aces, and draws chance."""

        def act_batch(self, tables):
            raises = tables.random() < 0.3
            if ((tables.own[:, 0] >= 48) & (tables.own[:, 1] >= 48)).any():
                raise ValueError("aces")
            return np.where(raises & (tables.legal[:, 2] > 0), 2, 1), tables.legal[:, 2]

    class PickyPlain(Agent):
        remembers = False

        def act(self, view):
            raises = self.dice.random() < 0.3
            if min(view.own) >= 48:
                raise ValueError("aces")
            return raise_to(view, 0) if raises else check_or_call(view)

    batch, plain = (
        play(Match.of([agent, "random"], load("nlhe"), seed=3), hands=1200, workers=workers)
        for agent in (Picky, PickyPlain)
    )
    assert batch.match.in_step and not plain.match.in_step
    assert batch.conduct.counts == plain.conduct.counts and batch.conduct.counts[0]["errors"] > 2
    assert (batch.totals == plain.totals).all()


def test_who_listens_plays_one_by_one_even_against_a_batch_agent():
    class Listens(Caller):
        def hand_started(self, view):
            self.ready = True

        def act(self, view):
            assert self.ready
            return super().act(view)

    class Folds:
        def act_batch(self, tables):
            fold = (tables.legal[:, 0] == 1) & (tables.legal[:, 1] > 0)
            return np.where(fold, 0, 1), np.zeros(len(tables), dtype=np.int64)

    result = play(Match.of([Listens, Folds], load("nlhe")), hands=20)
    assert result.conduct.clean and not result.match.in_step


def test_dice_do_not_tell_the_seed_of_the_match():
    states = []

    class Curious(Caller):
        def act(self, view):
            states.append(self.dice.getstate())
            return super().act(view)

    play(Match.of([Curious, "call"], load("nlhe"), seed=123456789), hands=2)
    assert states and all(123456789 not in state for state in states)


@pytest.mark.parametrize("what", ["raise", "text", "load"])
def test_a_memory_that_fails_is_counted_and_the_match_goes_on(what, tmp_path):
    from felt.store.log.matches import open_match

    class Sick(Learner):
        def save(self):
            if what == "raise":
                raise OSError("no memory")
            return "text" if what == "text" else b"fine"

        def load(self, memory):
            raise OSError("cannot read it")

    match = Match.of([Sick, "call"], load("nlhe"), duplicate=True)
    first = play(match, hands=40, log=open_match(tmp_path, match))
    rest = play(match, hands=80, log=open_match(tmp_path, match))
    healthy = play(Match.of([Learner, "call"], load("nlhe"), duplicate=True), hands=80)
    assert (rest.totals == healthy.totals).all(), "it was shown again what it saw"
    assert rest.conduct.counts[0]["errors"] > 0 or (what == "load" and first.conduct.clean)


def test_errors_and_answers_that_cannot_be_shown_are_told_as_well_as_can_be():
    class Unspeakable(Exception):  # noqa: N818 - it says what it is
        def __str__(self):
            raise RuntimeError

    class Hidden:
        def __repr__(self):
            raise RuntimeError

    class Odd(Caller):
        def act(self, view):
            if view.street == 0:
                raise Unspeakable
            return Hidden()

    result = play(Match.of([Odd, "call"], load("nlhe"), on_error="call"), hands=4)
    said = [one.message for one in result.conduct.incidents]
    assert any("cannot be shown" in one for one in said) and result.conduct.counts[0]["illegal"] >= 4


NO_ROOM = """
import sys
from felt.agents import Agent, check_or_call

if any("schedule.worker" in word for word in sys.orig_argv):
    from felt.store.log import part_writer

    def refuse(*arguments):
        raise MemoryError("no room for a part")

    part_writer.PartWriter.write = refuse


class Bot(Agent):
    def act(self, view):
        return check_or_call(view)
"""


@pytest.mark.long
def test_a_worker_that_cannot_finish_its_task_ends_the_match_and_is_not_waited_for(tmp_path):
    (tmp_path / "bot.py").write_text(NO_ROOM, encoding="utf-8")
    command = "from felt.cli.app import main; main()"
    words = ["match", "bot.py:Bot", "call", "--hands", "40", "--workers", "2", "--log", "log"]
    ended = subprocess.run(
        [sys.executable, "-c", command, *words], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 2 and "MemoryError: no room for a part" in ended.stderr
    assert "a worker process ended while no agent was deciding" in ended.stderr.splitlines()[-1]
