"""What a machine of a cluster is sent and checks; no cluster is needed for that."""

import pickle
from pathlib import Path

import pytest

import felt
from felt.arena.ring import Never, Ring
from felt.arena.runs.crews import Processes
from felt.arena.tournament import Tournament
from felt.errors import FeltError
from felt.games import load
from felt.scale.seats import RunSeat, check_machine, files_of_runs

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
    files = files_of_runs(ring)
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
    told, files, seat = pickle.dumps(ring), files_of_runs(ring), RunSeat(felt.__version__)
    monkeypatch.chdir("/")
    done = seat.do(told, files, 0, 1, {}, frozenset(), with_hands=False)
    seat._crew.close()
    assert done.records[0]["hands"] == 4 and isinstance(seat._crew, Processes), "it can be ended there, too"


def test_a_policy_of_this_program_is_refused():
    class Own(Never):
        pass

    with pytest.raises(FeltError, match="policy 'Own' is known to this program only: give a name or a file"):
        files_of_runs(Ring.of([("call", Own), "call"], load("nlhe")))


def test_an_agent_of_this_program_is_refused():
    class Own:
        def act(self, view):
            raise AssertionError

    with pytest.raises(FeltError, match="agent 'Own' is known to this program only"):
        files_of_runs(Tournament.of([Own, "call"], load("nlhe")))
