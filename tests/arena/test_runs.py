"""Runs: the same records whoever plays them, kept as they come, whatever agents do to their processes."""

import json
import os
import pickle
from dataclasses import dataclass, replace
from functools import partial

import pytest

from felt.agents import entrant
from felt.agents.naming import Entrant
from felt.agents.outside import connections as doors
from felt.agents.outside import talk
from felt.arena.conductor.conduct import Penalty
from felt.arena.schedule import runs, scheduler, workplace
from felt.arena.schedule.executors import Threads
from felt.arena.schedule.runs import conduct_of, hand_number, play_runs
from felt.arena.schedule.tasks import LostTasks, TaskResult, play_task
from felt.errors import FeltError
from felt.games import Hand, load
from felt.store.files import LogError
from felt.store.log.matches import open_runs, read_runs
from felt.store.log.upgrade import OLD_DESCRIPTION, OLD_RUNS
from tests.agents.outside.programs import bad
from tests.arena.players import Learner, Listener, Wrong
from tests.conftest import ROOT

HERE = __file__.replace("test_runs.py", "players.py")


@pytest.fixture(autouse=True)
def findable(monkeypatch):
    """Workers find the competition below by its name."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))


@dataclass(frozen=True)
class Hands:
    """A competition whose runs are a few hands each, with the button going round."""

    entrants: tuple[Entrant, ...]
    hands: int = 3
    seed: int = 1
    penalty: Penalty = Penalty.FOLD
    timeout: float = 0.5

    @property
    def lineup(self):
        return tuple(range(len(self.entrants)))

    def run(self, number, workplace):
        table, rules, won = workplace.table(number), load("nlhe"), [0] * len(self.entrants)
        for hand in range(self.hands):
            dealt = Hand.new(rules, [200] * len(won), self.seed, number=hand_number(number, hand))
            table.play(dealt, hand_number(number, hand), self.lineup, [])
            won = [chips + more for chips, more in zip(won, dealt.payoffs, strict=True)]
        return {"won": won}


def hands(*agents, **more):
    return Hands(tuple(map(entrant, agents)), **more)


def test_a_row_of_records_and_any_part_of_it():
    whole = play_runs(hands("random", "ehs"), 20, workers=1)
    assert [record["run"] for record in whole] == list(range(20)) and len({str(r["won"]) for r in whole}) > 10
    assert play_runs(hands("random", "ehs"), 5, first=7, workers=1) == whole[7:12]
    assert all(sum(record["won"]) == 0 and set(record) == {"run", "won"} for record in whole)


def test_processes_play_the_same(tmp_path):
    competition = hands("random", f"{HERE}:Learner")
    assert pickle.loads(pickle.dumps(competition)) == hands("random", f"{HERE}:Learner")
    one = play_runs(hands("random", Learner), 30, workers=1)
    two = play_runs(competition, 30, workers=1, log=open_runs(tmp_path / "two", {}))  # in a process: it is a file
    open_runs(tmp_path / "one", {}).add(one)
    assert one == two == list(read_runs(tmp_path / "one")) == list(read_runs(tmp_path / "two"))


def test_memories_last_for_one_run():
    heard = []

    class Noted(Listener):
        def match_over(self):
            heard.append([what for what, *_ in self.told])

    play_runs(hands(Noted, "call"), 3)
    assert len(heard) == 3 and all(told.count("started") == 3 for told in heard)


@pytest.mark.long
@pytest.mark.parametrize(
    ("what", "fault"), [("die", "errors"), pytest.param("loop", "timeouts", marks=pytest.mark.long)]
)
def test_agents_that_kill_or_stop_their_process_are_named_and_the_others_unharmed(what, fault):
    spec = f"{HERE}:Wrong:what={what},every={hand_number(3, 1)}"  # hand 1 of run 3
    found = play_runs(hands(spec, "call"), 4, first=1, workers=1)
    twin = play_runs(hands(partial(Wrong, "raise", hand_number(3, 1)), "call"), 4, first=1)
    assert [record["won"] for record in found] == [record["won"] for record in twin]
    assert [record["run"] for record in found if "conduct" in record] == [3]
    conduct = conduct_of(found, 2)
    assert conduct.counts[0][fault] >= 1 and not any(conduct.counts[1].values())
    assert conduct.incidents[0].hand == hand_number(3, 1)


@pytest.mark.parametrize(
    ("where", "what", "fault"),
    [
        ("made", "raise", "errors"),
        pytest.param("made", "die", "errors", marks=pytest.mark.long),
        pytest.param("made", "sleep", "timeouts", marks=pytest.mark.long),
        pytest.param("ends", "raise", "errors", marks=pytest.mark.long),
        pytest.param("ends", "die", "errors", marks=pytest.mark.long),
        pytest.param("ends", "sleep", "timeouts", marks=pytest.mark.long),
        pytest.param("starts", "die", "errors", marks=pytest.mark.long),
    ],
)
def test_what_agents_do_beside_decisions_is_contained_too(where, what, fault):
    agents = [f"{HERE}:Beside:where={where},what={what}"] * (2 if where == "starts" else 1)
    count = 2 if what == "die" else 5
    found = play_runs(hands(*agents, "random", timeout=0.1), count, workers=1)
    conduct = conduct_of(found, len(agents) + 1)
    assert [record["run"] for record in found] == list(range(count)) and all(sum(one["won"]) == 0 for one in found)
    for own in conduct.counts[:-1]:
        if where == "made":
            assert (own[fault] > 0) == (what != "die")  # who ends its process is made anew, and not for the third time
        else:
            assert own[fault] == count
        assert sum(own.values()) == own[fault]
    assert not any(conduct.counts[-1].values())
    assert all(one.hand >> 32 < count for one in conduct.incidents)


@pytest.mark.parametrize("count", [1, 8])
def test_programs_that_are_started_again_too_often_are_retired(count, monkeypatch):
    """Every run has new copies of a program that remembers: each of them would be started again that often."""
    for module, name in ((talk, "MOST_STARTS"), (workplace, "MOST_DEATHS"), (scheduler, "MOST_DEATHS")):
        monkeypatch.setattr(module, name, 4)
    monkeypatch.setattr(workplace, "TASK_SIZE", (count, 0.0))
    starts, begin = [], doors.Program.open
    monkeypatch.setattr(doors.Program, "open", lambda door: starts.append(door) or begin(door))
    competition = hands(replace(entrant(bad("exit", "1", '{"remembers":true}')), named=False), "call", hands=2)
    conduct = conduct_of(play_runs(competition, 8, workers=1), 2)
    assert 4 <= len(starts) - 1 <= 4 + 4, "one said hello"
    assert conduct.counts[0]["errors"] > 16 and conduct.incidents[0].message.startswith("it exited with code 3")


def test_a_competition_with_programs_is_the_same_when_it_is_sent():
    """So those who play it keep the programs from task to task."""
    competition = hands(bad("good"), "call")
    assert pickle.loads(pickle.dumps(competition)) == pickle.loads(pickle.dumps(competition))


def test_what_an_executor_tells_of_programs_that_were_started_again_counts():
    retired = []

    class Breaking(Threads):
        def results(self):
            for done in super().results():
                retired.append(done.task.retired)
                yield TaskResult(done.task, done.content, 9.0, {1: 7})

    play_runs(hands("random", "call"), 5, executor=Breaking())
    assert retired == [frozenset()] * 3 + [frozenset({1})] * 2


class CutError(Exception):
    """What ends a competition here."""


def cut_off(after):
    def progress(done, total):
        if done >= after:
            raise CutError

    return progress


def test_what_is_kept_is_not_played_again(tmp_path):
    competition, told = hands("random", "call"), {"seed": 1}
    whole = play_runs(competition, 12, workers=1, log=open_runs(tmp_path / "whole", told))
    with pytest.raises(CutError):
        play_runs(competition, 12, workers=1, log=open_runs(tmp_path / "cut", told), progress=cut_off(5))
    assert 5 <= len(list(read_runs(tmp_path / "cut"))) < 12
    (tmp_path / "cut" / "match=0001" / "runs" / "runs-000000009-000000011-000.parquet.tmp").write_bytes(b"PAR1")
    played = []
    again = play_runs(
        competition, 12, workers=1, log=open_runs(tmp_path / "cut", told), progress=lambda *d: played.append(d)
    )
    assert again == whole and played[0][0] >= 5
    assert list(read_runs(tmp_path / "cut")) == whole == list(read_runs(tmp_path / "whole"))
    longer = play_runs(competition, 15, workers=1, log=open_runs(tmp_path / "cut", told))
    assert longer[:12] == whole and len(longer) == 15
    assert play_runs(competition, 4, workers=1, log=open_runs(tmp_path / "cut", told)) == whole[:4]


def test_logs_that_are_of_something_else_are_refused(tmp_path):
    log = open_runs(tmp_path, {"seed": 1})
    with pytest.raises(LogError, match="somebody else is writing"):
        open_runs(tmp_path, {"seed": 1})
    log.close()
    with pytest.raises(LogError, match="seed: 1, not 2"):
        open_runs(tmp_path, {"seed": 2})


def test_a_line_of_an_old_log_that_lacks_what_its_competition_needs_is_told(tmp_path):
    whole = {"tournament": '"hands":3,"finish":[1,0]', "evolution": '"won":[2,-2]'}
    for kind, said in whole.items():
        (tmp_path / kind).mkdir()
        about = {"format": 1, "competition": {"kind": kind}}
        (tmp_path / kind / OLD_DESCRIPTION).write_text(json.dumps(about))
        file = tmp_path / kind / OLD_RUNS
        file.write_text(f'{{"run":0,{said}}}\n')
        assert len(list(read_runs(tmp_path / kind))) == 1
        for broken in ('"hands":3', '"won":null', '"finish":7,"hands":3'):
            file.write_text(f'{{"run":0,{said}}}\n{{"run":1,{broken}}}\n')
            with pytest.raises(LogError, match=r"line 2 of .* is damaged"):
                list(read_runs(tmp_path / kind))


def test_any_executor_will_do():
    class Careless:
        """Loses every third task the first time, and gives back the others in the wrong order."""

        def __init__(self):
            self.tasks, self.given, self.finished = [], 0, False

        @property
        def busy(self):
            return bool(self.tasks)

        def begin(self, plan):
            self.plan = plan

        def has_room(self, lane):
            return len(self.tasks) < 4

        def submit(self, task):
            self.tasks.append(task)

        def results(self):
            while self.tasks:
                task = self.tasks.pop()
                self.given += 1
                if self.given % 3 == 0:
                    yield LostTasks((task,))
                else:
                    yield TaskResult(task, json.loads(json.dumps(play_task(self.plan, task).content)), 0.0)

        def finish(self):
            self.finished = True
            return []

        def close(self):
            raise AssertionError("it is not ours to close")

    competition, careless = hands("random", "call"), Careless()
    assert play_runs(competition, 23, executor=careless) == play_runs(competition, 23, workers=1)
    assert careless.finished


def test_the_names_of_0_1_work_with_a_warning():
    with pytest.warns(DeprecationWarning, match="argument crew of play_runs is executor now"):
        play_runs(hands("call", "call"), 1, crew=Threads())
    with pytest.warns(DeprecationWarning, match=r"schedule\.runs\.Bench is RunWorkplace now"):
        assert runs.Bench is workplace.RunWorkplace
    with pytest.raises(AttributeError, match="'Bank'"):
        _ = runs.Bank


@pytest.mark.parametrize(("options", "told"), [({"count": 0}, "0 runs"), ({"count": 1, "workers": 0}, "workers=0")])
def test_nothing_to_play(options, told):
    with pytest.raises(FeltError, match=told):
        play_runs(hands("call", "call"), **options)
