"""What was solved is looked up, and what was kept is not believed unseen."""

import numpy as np
import pytest

from felt.solvers.pushfold import lookup as pushfold_lookup
from felt.solvers.pushfold.game import PushFold
from felt.solvers.pushfold.lookup import FolderCache, key_of, look_up, solve_or_look_up

GAME = PushFold(stacks=(10, 10))


def test_the_second_time_it_is_looked_up(tmp_path, monkeypatch):
    cache = FolderCache(tmp_path)
    assert look_up(GAME, cache) is None
    first = solve_or_look_up(GAME, cache)
    monkeypatch.setattr(pushfold_lookup, "solve", None)
    again = solve_or_look_up(PushFold(stacks=(2000, 1000), small_blind=50, big_blind=100), cache)
    assert again.algorithm == "looked up"
    assert (again.shove == first.shove).all() and again.values == pytest.approx(first.values)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_key_has_what_matters_and_nothing_else():
    assert key_of(GAME) == key_of(PushFold(stacks=(10, 99), rake_cap=3))
    for other in (PushFold(stacks=(10, 9)), PushFold(stacks=(10, 10), ante=0.1), PushFold(stacks=(10, 10), rake=0.01)):
        assert key_of(other) != key_of(GAME)


def test_what_is_not_good_enough_or_not_a_strategy_is_solved_again(tmp_path):
    cache = FolderCache(tmp_path)
    for kept in (np.full((2, 169), 0.5), np.full((2, 169), np.nan), np.ones(3), np.full((2, 169), 2.0)):
        cache.put(key_of(GAME), kept)
        assert look_up(GAME, cache) is None
    (file,) = tmp_path.iterdir()
    for content in (b"", b"nonsense", file.read_bytes()[:200]):
        file.write_bytes(content)
        assert cache.get(key_of(GAME)) is None
    assert solve_or_look_up(GAME, cache).exploitability < 1e-5
    assert look_up(GAME, cache) is not None


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path):
    file = tmp_path / "file"
    file.touch()
    assert solve_or_look_up(GAME, FolderCache(file / "below")).exploitability < 1e-5
