"""Matches that are cut off: they go on without losing or repeating a hand."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from felt.arena import Match, play
from felt.games import load
from felt.store.log.matches import open_match
from felt.store.log.reading import query
from tests.arena.players import Learner, Saver

HERE = __file__.replace("test_resume.py", "players.py")
FELT = [sys.executable, "-c", "from felt.cli.app import main; main()"]


def contents(folder: Path) -> list[tuple]:
    """What is in a log, as counts and sums of hashes over all rows of its views."""
    views = ("hands", "results", "actions")
    rows = {view: f"SELECT * EXCLUDE (date) FROM {view}" if view != "actions" else f"FROM {view}" for view in views}
    return [
        query(folder, f"SELECT count(*), sum(hash(one)::HUGEINT) FROM ({sql}) AS one")[1][0] for sql in rows.values()
    ]


def run(*words: str) -> dict:
    done = subprocess.run([*FELT, *words, "--json"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def kill_when_under_way(folder: Path, words: list[str]) -> None:
    """Begin a match and end it by force when some of it is on disk."""
    process = subprocess.Popen([*FELT, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(1200):
            if len(list(folder.glob("match=*/hands/*.parquet"))) >= 2 or process.poll() is not None:
                break
            time.sleep(0.05)
        assert process.poll() is None, "it was over before it could be killed"
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.wait()


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            ["match", "call", "random", "raise", "--hands", "72000", "--duplicate"],
            id="in-step",
            marks=pytest.mark.long,
        ),
        pytest.param(["match", f"{HERE}:Chancer", "random", "--hands", "6000"], id="processes", marks=pytest.mark.long),
        pytest.param(["match", f"{HERE}:Saver", "random", "--hands", "1600", "--duplicate"], id="with-a-memory"),
    ],
)
def test_a_match_that_is_killed_goes_on_as_if_nothing_had_been(words, tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    told = run(*words, "--log", str(whole))
    kill_when_under_way(cut, [*words, "--log", str(cut)])
    kept = {path.name: path.read_bytes() for path in cut.glob("match=*/hands/*.parquet")}
    again = run("match", "--resume", str(cut))
    assert again["players"] == told["players"] and again["hands"] == told["hands"]
    assert contents(cut) == contents(whole)
    for path in cut.glob("match=*/hands/*.parquet"):
        assert kept.get(path.name, path.read_bytes()) == path.read_bytes(), "what was on disk was left alone"


@pytest.mark.parametrize("agent", [Learner, pytest.param(Saver, marks=pytest.mark.long)])
def test_agents_with_a_memory_go_on_with_what_they_knew(agent, tmp_path):
    match = Match.of([agent, "random"], load("nlhe"), duplicate=True, seed=4)
    whole = play(match, hands=600, log=open_match(tmp_path / "whole", match))
    half = play(match, hands=240, log=open_match(tmp_path / "half", match))
    assert (half.totals == whole.totals[:120]).all()
    rest = play(match, hands=600, log=open_match(tmp_path / "half", match))
    assert (rest.totals == whole.totals).all() and rest.played == 360
    assert contents(tmp_path / "half") == contents(tmp_path / "whole")


def test_what_agents_did_wrong_is_remembered_too(tmp_path):
    spec = f"{HERE}:Wrong:what=nothing,every=10"
    match = Match.of([spec, "call"], load("nlhe"))
    first = play(match, hands=100, workers=1, log=open_match(tmp_path, match))
    again = play(match, hands=100, workers=1, log=open_match(tmp_path, match))
    assert again.played == 0 and again.conduct.counts == first.conduct.counts
    assert again.conduct.incidents == first.conduct.incidents


def test_a_match_that_ends_early_leaves_nothing_behind_its_end_in_the_log(tmp_path):
    match = Match.of(["random", "call"], load("nlhe"), duplicate=True)
    result = play(match, until=900, workers=2, log=open_match(tmp_path, match))
    _, rows = query(tmp_path, "SELECT count(*), max(hand) FROM hands")
    assert rows == [(result.hands, result.hands - 1)]
    spec = f"{HERE}:Wrong:what=raise,every=50"
    forfeited = Match.of(["call", spec], load("nlhe"), on_error="forfeit", seed=3)
    result = play(forfeited, hands=4000, workers=1, log=open_match(tmp_path / "forfeit", forfeited))
    _, rows = query(tmp_path / "forfeit", "SELECT count(*), max(hand) FROM hands")
    assert result.sets == 1 and rows == [(2, 1)]


@pytest.mark.long
def test_a_longer_match_goes_on_with_a_shorter_one_and_another_match_is_refused(tmp_path):
    match = Match.of(["random", "call"], load("nlhe"))
    play(match, hands=100, log=open_match(tmp_path, match))
    longer = play(match, hands=200, log=open_match(tmp_path, match))
    assert longer.hands == 200 and longer.played == 100
    done = subprocess.run(
        [*FELT, "match", "random", "raise", "--log", str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and "holds another match" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.long
def test_a_match_whose_disk_is_full_says_so_and_goes_on_later(tmp_path):
    """The limit on the size of a file stands for a full disk: the same error on the same path."""
    import resource

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    words = ["match", "call", "call", "call", "call", "--hands", "40000", "--log", str(tmp_path)]
    full = subprocess.run([*FELT, *words], capture_output=True, text=True, timeout=120, preexec_fn=limited)
    assert full.returncode == 2 and full.stderr.count("\n") == 1, full.stderr
    assert str(tmp_path) in full.stderr
    assert not list(tmp_path.glob("**/*.tmp*"))
    assert run("match", "--resume", str(tmp_path))["hands"] == 40_000
    assert query(tmp_path, "SELECT count(*) FROM hands")[1] == [(40_000,)]


def test_folders_named_like_columns_do_no_harm(tmp_path):
    folder = tmp_path / "hand=5" / "match=7"
    match = Match.of(["random", "call"], load("nlhe"))
    half = play(match, hands=200, log=open_match(folder, match))
    again = play(match, hands=200, log=open_match(folder, match))
    assert again.played == 0 and (again.totals == half.totals).all()
    assert query(folder, "SELECT count(DISTINCT hand), min(match), max(match) FROM actions")[1] == [(200, 1, 1)]


@pytest.mark.long
def test_a_log_is_not_gone_on_with_by_other_code(tmp_path):
    (tmp_path / "bot.py").write_text("from felt.agents.basic.call import Call as Old\n\nclass Bot(Old):\n    pass\n")
    words = ["match", f"{tmp_path}/bot.py:Bot", "call", "--hands", "20", "--log", str(tmp_path / "log")]
    run(*words)
    (tmp_path / "bot.py").write_text("from felt.agents.basic.fold import Fold as Old\n\nclass Bot(Old):\n    pass\n")
    done = subprocess.run([*FELT, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "the file has changed since" in done.stderr


@pytest.mark.long
def test_resuming_goes_on_as_begun_but_for_more_hands(tmp_path, capsys):
    from felt.cli.app import run as command

    words = ["match", "call", "random", "--hands", "40", "--log", str(tmp_path)]
    assert run(*words)["hands"] == 40
    assert run("match", "--resume", str(tmp_path), "--hands", "90")["hands"] == 90
    assert run("match", "--resume", str(tmp_path))["hands"] == 90
    for option in (["--seed", "4"], ["--duplicate"], ["--game", "stud"]):
        assert command(["match", "--resume", str(tmp_path), *option]) == 2
        assert f"leave {option[0]} out" in capsys.readouterr().err
