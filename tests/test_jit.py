"""Compiled kernels: kept on disk, found again, and never worse than slow when the disk is in the way."""

import ast
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from felt import _jit, _parts

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is switched off")


def total(values: Any) -> Any:
    result = 0
    for value in values:
        result += value
    return result


def half(number: Any) -> Any:
    return number // 2


def fresh_kernel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`total` as a kernel of the package would be, not compiled yet, stored in `folder`."""
    monkeypatch.setattr(_jit, "kernel_folder", lambda source: folder)
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
def test_a_kernel_outside_the_package_is_not_stored() -> None:
    assert _jit.kernel_folder(Path(__file__).resolve()) is None
    outside: Any = _jit.kernel(total)
    assert outside(np.arange(5)) == 10
    assert not isinstance(outside._cache, _jit._KernelFiles)


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


def test_this_numba_is_known() -> None:
    assert _jit.knows_numba(), f"see whether Numba {numba.__version__} is as _jit uses it, then raise KNOWN_NUMBA"


@pytest.mark.parametrize(
    ("version", "known"),
    [("0.60.0", False), ("0.61.0", True), ("0.68.1", True), ("0.68.0rc1", True), ("0.69.0", False), ("1.0.0", False)],
)
def test_a_numba_outside_the_range_is_not_known(version: str, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba, "__version__", version)
    assert _jit.knows_numba() is known


@compiled_only
def test_a_numba_that_is_not_known_is_used_as_documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba, "__version__", "99.0.0")
    monkeypatch.setattr(_jit, "_KernelFiles", lambda *_: pytest.fail("its private parts are used"))
    first, second = fresh_kernel(tmp_path, monkeypatch), fresh_kernel(tmp_path, monkeypatch)
    assert set(first.targetoptions) <= {"nogil", "error_model", "nopython", "boundscheck"}
    assert (first(np.arange(5)), second(np.arange(6))) == (10, 15)
    assert sum(second.stats.cache_hits.values()) == 1
    assert list(tmp_path.rglob("*.nbc")) and not list(tmp_path.glob("*.bin"))


@compiled_only
def test_a_numba_that_is_not_known_needs_no_place_to_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba, "__version__", "99.0.0")
    (tmp_path / "file").touch()
    for folder in (None, tmp_path / "file" / "cache"):
        monkeypatch.setattr(_jit, "kernel_folder", lambda source, folder=folder: folder)
        assert _jit.kernel(total)(np.arange(5)) == 10
    assert numba.config.CACHE_DIR != str(tmp_path / "file" / "cache")


@pytest.mark.long
@compiled_only
def test_results_are_the_same_with_a_numba_that_is_not_known(tmp_path: Path) -> None:
    program = """
import sys, numba
numba.__version__ = sys.argv[1] or numba.__version__
from felt import _jit
from felt.games import Hand, load
from felt.odds import equity
hand = Hand.new(load("nlhe"), [200, 200], seed=1)
while not hand.over: hand.call()
results = equity(["AsAd", "KK:0.5"], board="2c7d9h"), equity(["AA", "random"], samples=500, seed=3)
print(hand.payoffs, [[player.equity for player in result.players] for result in results])
print(_jit.knows_numba(), file=sys.stderr)
"""
    answers = [
        subprocess.run(
            [sys.executable, "-c", program, version],
            env=os.environ | {"FELT_CACHE": str(tmp_path)} if version else None,
            capture_output=True,
            text=True,
            timeout=600,
        )
        for version in ("", "99.0.0")
    ]
    assert [answer.stderr for answer in answers] == ["True\n", "False\n"]
    assert answers[0].stdout == answers[1].stdout and answers[0].stdout


@compiled_only
def test_a_numba_without_known_parts_compiles_in_its_own_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_parts, "TESTED", ())
    first, second = fresh_kernel(tmp_path, monkeypatch), fresh_kernel(tmp_path, monkeypatch)
    assert first(np.arange(5, dtype=np.int32)) == second(np.arange(5, dtype=np.int32)) == 10
    assert sum(second.stats.cache_hits.values()) == 1
    monkeypatch.setitem(globals(), "halved", _jit.kernel(half))
    assert _jit.kernel(doubled_half)(np.int16(9)) == 8


def doubled_half(number: Any) -> Any:
    return 2 * halved(number)


def quartered(number: Any) -> Any:
    return halved(doubled_half(number)) // 2


halved = half


@compiled_only
def test_kernels_that_kernels_call_are_compiled_with_their_callers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    functions = half, doubled_half, quartered

    def process() -> tuple[Any, Any, Any]:
        """Kernels as a new process has them: the first is called by both others, the second by the third."""
        inner, outer, outermost = map(_jit.kernel, functions)
        monkeypatch.setitem(globals(), "halved", inner)
        monkeypatch.setitem(globals(), "doubled_half", outer)
        return inner, outer, outermost

    lowered: list[str] = []
    compile_part = _parts._compile_part
    monkeypatch.setattr(_jit, "kernel_folder", lambda source: tmp_path)
    monkeypatch.setattr(
        _parts,
        "_compile_part",
        lambda compiled, types: lowered.append(compiled.py_func.__name__) or compile_part(compiled, types),
    )
    inner, outer, _ = process()
    assert outer(9) == 8 and lowered == ["doubled_half", "half"]
    assert files(tmp_path) == ["doubled_half", "half"], "a program, and the part that it calls"
    (part,) = inner.overloads.values()
    assert not part.codegen._engine.is_symbol_defined(part.fndesc.llvm_func_name)
    assert inner(7) == 3 and lowered == ["doubled_half", "half"], "the part becomes a program when Python calls it"
    assert files(tmp_path) == ["doubled_half", "half", "half"]

    lowered.clear()
    inner, outer, outermost = process()
    assert outer(9) == 8 and not inner.overloads and not lowered, "a program is loaded with all that it calls"
    assert outermost(12) == 3 and lowered == ["quartered"], "what is loaded is linked"
    assert inner(7) == 3 and lowered == ["quartered"]


def files(folder: Path) -> list[str]:
    """The names of the functions that are stored in a folder."""
    return sorted(path.name.rpartition("-")[0].rpartition(".")[2] for path in folder.iterdir())


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
folder = _jit.cache_folder() / f"kernels-{'0' * 16}"
_jit.kernel_folder = lambda source: folder
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


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """An empty package, and how to write a file of it."""

    def forget() -> None:
        for function in (_jit._read, _jit.imports):
            function.cache_clear()

    def write(name: str, text: str) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        forget()

    monkeypatch.setattr(_jit, "PACKAGE", tmp_path)
    write("_jit.py", "import felt._parts")
    write("_parts.py", "")
    yield write
    forget()


def test_the_hash_follows_a_module_and_what_it_imports(package: Callable[[str, str], None], tmp_path: Path) -> None:
    def hash_after(name: str, text: str) -> str:
        package(name, text)
        return _jit.source_hash(tmp_path / "cards" / "kernels.py")

    package("plain.py", "")
    package("constants.py", "SIZE = 1")
    package("sizes.py", "from felt import constants")
    package("cards/__init__.py", "")
    package("cards/keys.py", "KEY = 1")
    package("games/kernels.py", "from felt.cards.ranking.kernels import rank")
    source = "import numpy\nfrom felt.cards import (\n    keys,  # one, two\n)\ndef rank():\n    import felt.sizes\n"
    before = hash_after("cards/kernels.py", source)
    assert hash_after("plain.py", "changed = True") == before
    assert hash_after("cards/__init__.py", "changed = True") == before
    assert hash_after("games/kernels.py", "changed = True") == before
    assert hash_after("constants.py", "SIZE = 2") != before
    assert hash_after("constants.py", "SIZE = 1") == before
    assert hash_after("cards/keys.py", "KEY = 2") != before
    assert hash_after("cards/keys.py", "KEY = 1") == before
    assert hash_after("_parts.py", "changed = True") != before
    package("_parts.py", "")
    package("cards/more_kernels.py", source)
    assert _jit.source_hash(tmp_path / "cards" / "more_kernels.py") != before


def test_copies_of_the_package_share_their_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = []
    for copy in ("one", "two"):
        for name in ("_jit.py", "kernels.py"):
            path = tmp_path / copy / name
            path.parent.mkdir(exist_ok=True)
            path.touch()
        monkeypatch.setattr(_jit, "PACKAGE", tmp_path / copy)
        folders.append(_jit.kernel_folder(tmp_path / copy / "kernels.py"))
    assert folders[0] == folders[1] is not None


def test_a_change_of_one_room_leaves_the_kernels_of_another_alone() -> None:
    games = _jit.imported_sources(_jit.PACKAGE / "games" / "engine" / "kernels.py")
    assert _jit.PACKAGE / "games" / "engine" / "fields.py" in games
    assert not [path for path in games if "solvers" in path.parts]


def test_the_hash_sees_every_import_that_python_sees() -> None:
    for path in sorted({path for source in _jit.kernel_modules() for path in _jit.imported_sources(source)}):
        modules = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {_jit._module(alias.name) for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: names are imported by their full names here"
                parent = node.module or ""
                modules |= {_jit._module(f"{parent}.{alias.name}") or _jit._module(parent) for alias in node.names}
        assert set(_jit.imports(path)) == modules - {None}
        doors = [module.parent.name for module in modules if module and module.name == "__init__.py"]
        assert not doors, f"{path}: import the module itself; what a package hands on is not seen by the hash"


def test_only_our_own_stale_folders_are_removed(tmp_path: Path) -> None:
    month_ago = time.time() - 31 * 86400
    stale, recent = (f"kernels-{digit * 16}" for digit in "ab")
    for name in (stale, recent, "kernels-notes", "strategies"):
        (tmp_path / name / "inside").mkdir(parents=True)
        os.utime(tmp_path / name, (month_ago, month_ago))
    os.utime(tmp_path / recent)
    (tmp_path / f"kernels-{'d' * 16}").symlink_to(tmp_path / "strategies")
    assert _jit.remove_stale(tmp_path) == [stale]
    assert not (tmp_path / stale).exists()
    assert (tmp_path / "strategies" / "inside").is_dir()


@compiled_only
def test_a_new_folder_removes_stale_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = tmp_path / f"kernels-{'a' * 16}"
    stale.mkdir()
    os.utime(stale, (0, 0))
    fresh_kernel(tmp_path / f"kernels-{'b' * 16}", monkeypatch)(np.arange(5))
    assert [path.name for path in tmp_path.iterdir()] == [f"kernels-{'b' * 16}"]


def test_a_folder_in_use_is_not_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FELT_CACHE", str(tmp_path))
    source = _jit.PACKAGE / "cards" / "ranking" / "kernels.py"
    folder = tmp_path / f"kernels-{_jit.source_hash(source)}"
    folder.mkdir()
    os.utime(folder, (0, 0))
    assert _jit.kernel_folder.__wrapped__(source) == folder
    assert _jit.remove_stale(tmp_path) == []


def test_the_cache_is_where_the_user_wants_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FELT_CACHE", str(tmp_path))
    assert _jit.cache_folder() == tmp_path
    monkeypatch.delenv("FELT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert _jit.cache_folder() == tmp_path / "felt"
