"""What a machine of a cluster is sent and checks; no cluster is needed for that."""

import pickle
from pathlib import Path

import pytest

import felt
from felt.arena.ring import Never, Ring
from felt.arena.schedule.executors import Processes
from felt.arena.schedule.tasks import Task, pack
from felt.arena.schedule.workplace import run_plan
from felt.arena.tournament import Tournament
from felt.errors import FeltError
from felt.games import load
from felt.scale.worker import MachineWorker, check_machine, files_of

MINE = """
from felt.arena.ring import Never
class Mine(Never):
    pass
"""


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ring:
    """With a policy that was typed as a file of this folder."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE)
    return Ring.of(["call@./mine.py:Mine:level=1", "call@never"], load("nlhe"), rounds=4)


def test_a_policy_is_sent_with_its_whole_path_and_a_hash(ring, tmp_path, monkeypatch):
    files = files_of(run_plan(ring))
    *agents, (what, place, digest) = files
    assert [one[:2] for one in agents] == [("agent", "call"), ("agent", "call")]
    assert (what, place) == ("policy", f"{tmp_path / 'mine.py'}:Mine:level=1") and len(digest) == 64
    told = pickle.dumps(ring)
    monkeypatch.chdir("/")
    there = pickle.loads(told)
    assert there.policies == (place, "never")
    assert there.names == ring.names == ("call@mine.py:Mine:level=1", "call@never"), "policies may read names"
    Path(tmp_path / "mine.py").write_text(MINE + "# other")
    with pytest.raises(FeltError, match=r"has another file for policy '/.*mine.py:Mine:level=1', or none: copy"):
        check_machine(felt.__version__, files)
    Path(tmp_path / "mine.py").unlink()
    with pytest.raises(FeltError, match="has another file for policy"):
        check_machine(felt.__version__, files)


@pytest.mark.long
def test_a_policy_is_found_from_another_folder(ring, monkeypatch):
    packed, files, worker = pack(run_plan(ring)), files_of(run_plan(ring)), MachineWorker()
    monkeypatch.chdir("/")
    worker.begin(felt.__version__, files, packed)
    assert isinstance(worker._executor, Processes), "it can be ended there, too"
    result, part = worker.play(Task(0, 1))
    assert result.content[0]["hands"] == 4 and part is None
    worker.finish()


def test_a_policy_of_this_program_is_refused():
    class Own(Never):
        pass

    with pytest.raises(FeltError, match="policy 'Own' is known to this program only: give a name or a file"):
        files_of(run_plan(Ring.of([("call", Own), "call"], load("nlhe"))))


def test_an_agent_of_this_program_is_refused():
    class Own:
        def act(self, view):
            raise AssertionError

    with pytest.raises(FeltError, match="agent 'Own' is known to this program only"):
        files_of(run_plan(Tournament.of([Own, "call"], load("nlhe"))))
