"""Compiled kernels: kept on disk, found again, and never worse than slow when the disk is in the way."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from felt import _jit

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is switched off")


def total(values: Any) -> Any:
    result = 0
    for value in values:
        result += value
    return result


def half(number: Any) -> Any:
    return number // 2


def fresh_kernel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`total` as a kernel of the package would be, not compiled yet, kept in `folder`."""
    monkeypatch.setattr(_jit, "_SOURCES", [Path(__file__).resolve()])
    monkeypatch.setattr(_jit, "_FOLDER", folder)
    return _jit.kernel(total)


@pytest.mark.no_jit
def test_a_kernel_gives_the_same_with_and_without_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fresh_kernel(tmp_path, monkeypatch)(np.arange(5)) == 10


@compiled_only
def test_a_second_process_would_load_what_the_first_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = fresh_kernel(tmp_path, monkeypatch), fresh_kernel(tmp_path, monkeypatch)
    assert first(np.arange(5)) == 10
    assert first(np.arange(5.0)) == 10.0
    assert second(np.arange(6)) == 15
    assert second(np.arange(6.0)) == 15.0
    assert (sum(first.stats.cache_misses.values()), sum(second.stats.cache_hits.values())) == (2, 2)
    assert len(list(tmp_path.iterdir())) == 2


@compiled_only
def test_whole_numbers_of_every_size_share_one_compiled_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    halved = _jit.kernel(half)

    def caller(values: Any) -> Any:
        return halved(10) + halved(values[0]) + halved(values[0] + 1)

    assert _jit.kernel(caller)(np.array([6, 7], dtype=np.uint8)) == 5 + 3 + 3
    assert (halved(np.int16(8)), halved(9)) == (4, 4)
    assert [str(signature) for signature in halved.signatures] == ["(int64,)"]
    assert halved(5.0) == 2.0 and len(halved.signatures) == 2


@compiled_only
def test_a_kernel_outside_the_hashed_sources_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "_FOLDER", tmp_path)
    assert _jit.kernel(total)(np.arange(5)) == 10
    assert not list(tmp_path.iterdir())


@compiled_only
@pytest.mark.parametrize("damage", [b"", b"x" * 100, None], ids=["empty", "rubbish", "cut short"])
def test_a_damaged_file_is_compiled_again(
    damage: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh_kernel(tmp_path, monkeypatch)(np.arange(5))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-10] if damage is None else damage)
    again = fresh_kernel(tmp_path, monkeypatch)
    assert again(np.arange(5)) == 10
    assert sum(again.stats.cache_misses.values()) == 1
    mended = fresh_kernel(tmp_path, monkeypatch)
    assert mended(np.arange(5)) == 10
    assert sum(mended.stats.cache_hits.values()) == 1


@compiled_only
def test_a_folder_that_vanishes_only_costs_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fresh_kernel(tmp_path / "gone", monkeypatch)(np.arange(5)) == 10


@compiled_only
@pytest.mark.parametrize("private", ["numba.core.serialize.dumps", "numba.core.compiler.CompileResult._rebuild"])
def test_a_numba_that_has_changed_inside_only_costs_time(
    private: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh_kernel(tmp_path, monkeypatch)(np.arange(5))
    monkeypatch.delattr(private)
    again = fresh_kernel(tmp_path, monkeypatch)
    assert again(np.arange(5)) == 10
    assert again(np.arange(5.0)) == 10.0


@compiled_only
def test_flush_forgets_this_kernel_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "another-kernel.bin").touch()
    function = fresh_kernel(tmp_path, monkeypatch)
    function(np.arange(5))
    function._cache.flush()
    assert [path.name for path in tmp_path.iterdir()] == ["another-kernel.bin"]


PROGRAM = """
import sys
from pathlib import Path
import numpy as np
from felt import _jit
sys.path.insert(0, sys.argv[1])
_jit._SOURCES = [Path(sys.argv[1]).resolve() / "sums.py"]
import sums
print(sums.total(np.arange(5, dtype=sys.argv[2])), sum(sums.total.stats.cache_hits.values()))
"""

SOURCE = """
from felt._jit import kernel

@kernel
def add(a, b):
    return a + b

@kernel
def total(values):
    result = values[0]
    for value in values[1:]:
        result = add(result, value)
    return result
"""


def start(module: Path, cache: Path | str, dtype: str = "int64") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(module), dtype],
        env=os.environ | {"FELT_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answer(process: subprocess.Popen[str]) -> str:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert not errors
    return output.strip()


@compiled_only
@pytest.mark.parametrize("place", ["under a file", "in /proc"])
def test_a_cache_that_cannot_be_made_only_costs_time(place: str, tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(SOURCE)
    (tmp_path / "file").touch()
    cache = {"under a file": tmp_path / "file" / "cache", "in /proc": Path("/proc/felt")}[place]
    assert answer(start(tmp_path, cache)) == "10 0"
    assert not cache.exists()


@pytest.mark.long
@compiled_only
def test_processes_that_compile_at_once_leave_a_sound_cache(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(SOURCE)
    dtypes = ["int64", "int64", "float32"]
    expected = {"int64": "10", "float32": "10.0"}
    at_once = [start(tmp_path, tmp_path / "cache", dtype) for dtype in dtypes]
    assert [answer(process).split()[0] for process in at_once] == [expected[dtype] for dtype in dtypes]
    afterwards = [start(tmp_path, tmp_path / "cache", dtype) for dtype in expected]
    assert [answer(process) for process in afterwards] == [f"{value} 1" for value in expected.values()]
    assert not list(tmp_path.rglob("*.tmp"))


def test_the_hash_follows_kernels_and_what_they_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return _jit.source_hash(_jit.kernel_sources())

    monkeypatch.setattr(_jit, "PACKAGE", tmp_path)
    write("_jit.py", "")
    write("plain.py", "")
    write("constants.py", "SIZE = 1")
    write("cards/__init__.py", "")
    write("cards/keys.py", "KEY = 1")
    before = write("cards/kernels.py", "import numpy\nfrom felt.constants import SIZE\nfrom felt.cards import keys\n")
    assert write("plain.py", "changed = True") == before
    assert write("cards/__init__.py", "changed = True") == before
    assert write("constants.py", "SIZE = 2") != before
    assert write("constants.py", "SIZE = 1") == before
    assert write("cards/keys.py", "KEY = 2") != before
    assert write("cards/keys.py", "KEY = 1") == before
    assert write("cards/more_kernels.py", "") != before


def test_only_our_own_stale_folders_are_removed(tmp_path: Path) -> None:
    month_ago = time.time() - 31 * 86400
    current, stale, recent = (f"kernels-{digit * 16}" for digit in "abc")
    for name in (current, stale, recent, "kernels-notes", "strategies"):
        (tmp_path / name / "inside").mkdir(parents=True)
        os.utime(tmp_path / name, (month_ago, month_ago))
    os.utime(tmp_path / recent)
    (tmp_path / f"kernels-{'d' * 16}").symlink_to(tmp_path / "strategies")
    assert _jit.remove_stale(tmp_path, keep=current) == [stale]
    assert not (tmp_path / stale).exists()
    assert (tmp_path / "strategies" / "inside").is_dir()


def test_the_cache_is_where_the_user_wants_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FELT_CACHE", str(tmp_path))
    assert _jit.cache_folder() == tmp_path
    monkeypatch.delenv("FELT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert _jit.cache_folder() == tmp_path / "felt"
