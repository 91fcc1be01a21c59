"""A copy of the project to make changes in, the tests that concern a change, and running them."""

import ast
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from scripts.mutation.places import Change

ROOT = Path(__file__).resolve().parents[2]

MEMORY = 8 << 30
QUICK_SECONDS, COMPILED_SECONDS = 15, 600
"""Seconds of the processor for one test without the compiler, and for all compiled ones: a change can loop for ever."""

BUSY = 5
"""How many times as long compiled tests may take by the clock, on a busy machine."""

ROOMS = {"_chance_kernels.py": ("games/test_batch_kernels.py", "games/test_deals.py", "odds/test_equity.py")}
"""Test files of kernels that lie outside of a room."""

CAUGHT, HUNG, SURVIVED = "caught", "hung", "survived"


class Copy:
    """A copy of the sources and tests, with a folder of its own for compiled kernels, and a process for quick tests."""

    def __init__(self, folder: Path) -> None:
        self.root, self.cache, self._changed_cache = folder / "felt", folder / "cache", folder / "changed"
        self.root.mkdir()
        for entry in ROOT.iterdir():
            if entry.name in ("src", "tests"):
                shutil.copytree(entry, self.root / entry.name, ignore=shutil.ignore_patterns("__pycache__"))
            elif entry.name not in (".git", "build", ".pytest_cache"):
                (self.root / entry.name).symlink_to(entry)
        self.package = self.root / "src" / "felt"
        paths = sorted(self.package.rglob("*kernels.py"))
        self.sources = {path.relative_to(self.package).as_posix(): path.read_text(encoding="utf-8") for path in paths}
        self._callers = callers_of(self.sources)
        paths = sorted((self.root / "tests").rglob("test_*.py"))
        self.quick_tests = [
            path for path in map(self._name, paths) if "no_jit" in (self.root / path).read_text("utf-8")
        ]
        self._quick: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Copy":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._quick is not None:
            with self._quick:
                self._quick.terminate()

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    # Which tests

    def room_tests(self, file: str) -> list[str]:
        """The tests of a kernel file's room, those that share a word with its name first."""
        if file in ROOMS:
            return [f"tests/{name}" for name in ROOMS[file]]
        words = set(Path(file).stem.split("_")) - {"kernels"}
        paths = (self.root / "tests" / Path(file).parent).rglob("test_*.py")

        def order(path: Path) -> tuple[int, bool, Path]:
            return -len(words & set(path.stem.split("_"))), "kernels" not in path.stem, path

        return [self._name(path) for path in sorted(paths, key=order)]

    def quick_room_tests(self, file: str) -> list[str]:
        """Those of them that run without the compiler too."""
        return [test for test in self.room_tests(file) if test in self.quick_tests]

    def quick_other_tests(self, file: str) -> list[str]:
        """Tests without the compiler of the other rooms that use a file of kernels."""
        rooms = reached_rooms(self.package, file)
        own = self.room_tests(file)
        return [test for test in self.quick_tests if test not in own and Path(test).parts[1] in rooms]

    # Running them

    def test_quickly(self, tests: Sequence[str], change: Change | None = None) -> tuple[str, str]:
        """Run tests without the compiler, with a change: the outcome, and the first test that failed."""
        if not tests:
            return SURVIVED, ""
        if self._quick is None:
            self._quick = subprocess.Popen(
                [sys.executable, str(Path(__file__).parent / "quick.py"), *self.quick_tests],
                cwd=self.root,
                env=self._environment(self.cache) | {"NUMBA_DISABLE_JIT": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
        question = {
            "module": _module(change.file) if change else "",
            "function": change.function if change else "",
            "source": change.apply(self.sources[change.file]) if change else "",
            "tests": list(tests),
            "seconds": QUICK_SECONDS,
            "memory": MEMORY,
        }
        assert self._quick.stdin and self._quick.stdout
        print(json.dumps(question), file=self._quick.stdin, flush=True)
        answer = self._quick.stdout.readline()
        if not answer:
            raise RuntimeError("the process of the quick tests has ended: try `make nojit`")
        return json.loads(answer)["outcome"], json.loads(answer)["test"]

    def test_compiled(self, tests: Sequence[str], change: Change | None = None) -> tuple[str, str]:
        """Run compiled tests, with a change, for which only what it can reach is compiled again."""
        if change is None:
            at_home = dict(os.environ, PYTHONPATH=str(self.root / "src"))
            _copy_kernels(_kernel_folders(at_home), _kernel_folders(self._environment(self.cache)), leave=set())
            return self._run(tests, self.cache, 4 * COMPILED_SECONDS)
        try:
            self._write(change.file, change.apply(self.sources[change.file]))
            self._take_over_kernels(change)
            return self._run(tests, self._changed_cache, COMPILED_SECONDS)
        finally:
            self._write(change.file, self.sources[change.file])
            shutil.rmtree(self._changed_cache, ignore_errors=True)

    def _run(self, tests: Sequence[str], cache: Path, seconds: int) -> tuple[str, str]:
        def bound() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))

        options = ("-x", "-q", "-rfE", "--tb=no", "-p", "no:schemathesis", "-p", "no:cacheprovider")
        with tempfile.TemporaryFile("w+") as output:
            child = subprocess.Popen(
                [sys.executable, "-m", "pytest", *options, *tests],
                cwd=self.root,
                env=self._environment(cache),
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=bound,
                start_new_session=True,
            )
            try:
                status = child.wait(timeout=BUSY * seconds)
            except subprocess.TimeoutExpired:
                return HUNG, f"over {seconds} s"
            finally:
                if child.poll() is None:
                    os.killpg(child.pid, 9)
                    child.wait()
            output.seek(0)
            lines = output.read().strip().splitlines() or [""]
        if status == 0:
            return SURVIVED, ""
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            return HUNG, f"over {seconds} s"
        failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        return CAUGHT, failed[0].split(" - ")[0] if failed else f"exit {status}: {lines[-1]}"

    def _environment(self, cache: Path) -> dict[str, str]:
        environment = dict(os.environ, PYTHONPATH=str(self.root / "src"), FELT_CACHE=str(cache))
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment.setdefault("FELT_SHARED_DATA", str(ROOT.parent / "shared" / "data"))
        return environment

    def _write(self, file: str, source: str) -> None:
        """Change a source; what Python compiled of it goes by the second of the clock, so it is removed."""
        path = self.package / file
        path.write_text(source, encoding="utf-8")
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()

    def _take_over_kernels(self, change: Change) -> None:
        """Take over compiled kernels that do not use the changed one; they are kept by line numbers, which stay."""
        reached = {f"{_module(change.file)}.{change.function}"}
        waiting = list(reached)
        while waiting:
            new = self._callers[waiting.pop()] - reached
            reached |= new
            waiting += new
        unchanged = {path.name.rpartition("-")[0].rpartition(".")[0]: path.parent for path in self.cache.rglob("*.bin")}
        _copy_kernels(unchanged, _kernel_folders(self._environment(self._changed_cache)), leave=reached)


def _kernel_folders(environment: dict[str, str]) -> dict[str, Path]:
    """The folders of compiled kernels for the sources as they are now, by their modules."""
    code = (
        "import json; from felt import _jit; print(json.dumps("
        "{path.relative_to(_jit.PACKAGE).as_posix(): str(_jit.kernel_folder(path)) for path in _jit.kernel_modules()}))"
    )
    output = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    return {_module(file): Path(folder) for file, folder in json.loads(output).items()}


def _copy_kernels(folders: dict[str, Path], to: dict[str, Path], *, leave: set[str]) -> None:
    """Copy compiled kernels, but for those of some functions."""
    for module, folder in folders.items():
        for path in folder.glob("*.bin"):
            if path.name.rsplit("-", 1)[0] not in leave:
                to[module].mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, to[module] / path.name)


def reached_rooms(sources: Path, file: str) -> set[str]:
    """The rooms with a file that imports these kernels, or kernels that import them."""
    importers: dict[str, set[str]] = defaultdict(set)
    for path in sources.rglob("*.py"):
        for module in re.findall(r"felt\.[\w.]*kernels\b", path.read_text(encoding="utf-8")):
            importers[module].add(path.relative_to(sources).as_posix())
    reached, waiting = {file}, [file]
    while waiting:
        new = importers[_module(waiting.pop())] - reached
        reached |= new
        waiting += [name for name in new if name.endswith("kernels.py")]
    return {Path(name).parts[0] for name in reached}


def _module(file: str) -> str:
    return "felt." + file.removesuffix(".py").replace("/", ".")


def callers_of(sources: dict[str, str]) -> dict[str, set[str]]:
    """For each function of the kernel files, those whose text has its name in it."""
    callers: dict[str, set[str]] = defaultdict(set)
    for file, source in sources.items():
        module = _module(file)
        tree = ast.parse(source)
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        names = {function.name: f"{module}.{function.name}" for function in functions}
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom):
                names |= {alias.asname or alias.name: f"{statement.module}.{alias.name}" for alias in statement.names}
        for function in functions:
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and node.id in names:
                    callers[names[node.id]].add(f"{module}.{function.name}")
    return callers
