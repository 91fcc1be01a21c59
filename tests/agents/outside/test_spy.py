"""Programs outside do not meet a deal twice in duplicate matches, whatever they say of their memory."""

import shlex
import sys
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import pytest

from felt.arena import Match, play
from felt.arena.competition import play_competition
from felt.arena.schedule.executors import Processes
from felt.errors import FeltError
from felt.games import load
from felt.store.log.matches import open_match
from tests.agents.outside.programs import bad, here


def spy(folder: Path) -> str:
    return f"cmd:{shlex.join([sys.executable, '-S', str(Path(__file__).with_name('spy.py')), str(folder)])}"


def known(folder: Path) -> tuple[int, int]:
    """Of what the spies wrote down: how many boards in all their processes, and how many with more than one hand."""
    boards = found = 0
    for notes in folder.iterdir():
        hands = defaultdict(set)
        for board, own in map(str.split, notes.read_text().splitlines()):
            hands[board].add(own)
        boards += len(hands)
        found += sum(len(one) > 1 for one in hands.values())
    return boards, found


def test_in_duplicate_matches_each_seating_has_processes_of_its_own(tmp_path):
    play(Match.of([here(spy(tmp_path)), "call"], load("nlhe"), duplicate=True), hands=40, workers=2)
    assert known(tmp_path) == (40, 0)


def test_so_it_is_in_competitions(tmp_path):
    agents = Match.of([here(spy(tmp_path)), "call", "raise"], load("nlhe"), seats=3)
    play_competition(agents, 3, hands=24, workers=1)
    boards, found = known(tmp_path)
    assert boards >= 24 and found == 0


@pytest.mark.long
def test_so_it_is_with_several_workers(tmp_path):
    match = Match.of([spy(tmp_path), "call"], load("nlhe"), duplicate=True)
    play(match, hands=2000, workers=3)
    boards, found = known(tmp_path)
    assert boards == 2000 and found == 0
    assert len(list(tmp_path.iterdir())) <= 4, "one for each worker, and one that said hello"


def test_every_lane_has_a_worker_and_there_are_no_more_copies_than_needed():
    for lanes in (1, 2, 3, 6, 24):
        for count in (1, 2, 4, 6, 7, 16, 30):
            workers = [SimpleNamespace(tasks=[]) for _ in range(count)]
            executor = SimpleNamespace(_lanes=lanes, _workers=workers)
            copies = set()
            for _ in range(3 * count):  # all have the same to do
                for lane in range(lanes):
                    worker = Processes._worker(executor, lane)
                    worker.tasks.append(lane)
                    copies.add((lane, id(worker)))
            assert all(worker.tasks for worker in workers)
            assert len(copies) == max(lanes, count)


def test_a_log_whose_seatings_were_shared_out_otherwise_is_refused(tmp_path):
    """As programs that say that they remember nothing played before."""

    class Other(Match):
        lanes = (range(2),)

    programs = Match.of([here(bad("good")), "call"], load("kuhn"), duplicate=True)
    play(Other(**vars(programs)), hands=20, workers=1, log=open_match(tmp_path, programs))
    with pytest.raises(FeltError, match=r"'sets-000000000-000000009-000' of the log was played by other copies"):
        play(programs, hands=40, workers=1, log=open_match(tmp_path, programs))
