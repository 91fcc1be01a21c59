"""Test the tests: change the kernels at 200 places, one at a time, and list the changes that no test notices.

    make mutate                                           all 200, from where the last run stopped
    python scripts/mutate.py --count 20 --file allin      20 changes of the files whose name has "allin" in it
    python scripts/mutate.py --seed 7 --fresh --json      other places, from the start, with the results on stdout

Each change is made in a copy of the sources and tried in three steps, of which the first that fails catches it: the
tests of its room without the compiler, those of other rooms that use it, and the room's tests compiled. Only the
kernels that the change can reach are compiled again. A change that runs for too long is caught as well.

A change that no test can notice is explained in `mutation_equal.toml` beside this file; it only has to pass the
steps without the compiler. An explanation is reported when its line is no longer there, or when a test catches it.
Ends with 1 when a change survives that is not explained, and with 2 when the tests fail without any change.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mutation_places import Change, changes_of, choose
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

ROOT = Path(__file__).resolve().parent.parent
EQUAL = Path(__file__).resolve().parent / "mutation_equal.toml"
RESULTS = ROOT / "build" / "mutate.json"

LEAST_OF_FILE = 2
MEMORY = 8 << 30
QUICK_SECONDS, COMPILED_SECONDS = 300, 900
"""How long tests may take on a busy machine; a change can loop for ever."""

ROOMS = {"_chance_kernels.py": ("games/test_deals.py", "odds/test_equity.py", "solvers/test_sampling.py")}
"""Test files of kernels that lie outside of a room."""

CAUGHT, HUNG, SURVIVED, EXPLAINED = "caught", "hung", "survived", "explained"


@dataclass(frozen=True)
class Result:
    """What became of a change: `step` names the tests that caught it, `test` the first that failed."""

    key: tuple[str, str, str, str, int]
    kind: str
    outcome: str
    step: str
    test: str
    source: str


class Copy:
    """A copy of the sources and tests to make changes in, with a folder of its own for compiled kernels."""

    def __init__(self, folder: Path) -> None:
        self.root, self.cache = folder / "felt", folder / "cache"
        self.root.mkdir()
        for entry in ROOT.iterdir():
            if entry.name in ("src", "tests"):
                shutil.copytree(entry, self.root / entry.name, ignore=shutil.ignore_patterns("__pycache__"))
            elif entry.name not in (".git", "build", ".pytest_cache"):
                (self.root / entry.name).symlink_to(entry)
        self.package = self.root / "src" / "felt"
        paths = sorted(self.package.rglob("*kernels.py"))
        self.sources = {path.relative_to(self.package).as_posix(): path.read_text(encoding="utf-8") for path in paths}

    def write(self, file: str, source: str) -> None:
        """Change a source; what Python compiled of it goes by the second of the clock, so it is removed."""
        path = self.package / file
        path.write_text(source, encoding="utf-8")
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()

    def kernels(self, cache: Path) -> Path:
        """The folder of compiled kernels for the sources as they are now."""
        code = "import felt._jit as jit; print(jit._open_cache())"
        done = subprocess.run(
            [sys.executable, "-c", code], env=self._environment(cache), capture_output=True, text=True, check=True
        )
        return Path(done.stdout.strip())

    def test(self, tests: Sequence[str], *, compiled: bool, cache: Path, seconds: int) -> tuple[str, str]:
        """Run tests until the first that fails: the outcome, and that test (or the last line of the output)."""
        environment = self._environment(cache)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:schemathesis", "-p", "no:cacheprovider"]
        if not compiled:
            environment["NUMBA_DISABLE_JIT"] = "1"
            command += ["-m", "no_jit"]
        with tempfile.TemporaryFile("w+") as output:
            child = subprocess.Popen(
                command + list(tests),
                cwd=self.root,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=_bound_memory,
                start_new_session=True,
            )
            try:
                code = child.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, 9)
                child.wait()
                return HUNG, f"over {seconds} s"
            except BaseException:
                os.killpg(child.pid, 9)
                raise
            output.seek(0)
            lines = output.read().strip().splitlines() or [""]
        if code in (0, 5):  # 5: no test of these is marked no_jit
            return SURVIVED, lines[-1]
        failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        return CAUGHT, failed[0].split(" - ")[0] if failed else f"exit {code}: {lines[-1]}"

    def _environment(self, cache: Path) -> dict[str, str]:
        environment = dict(os.environ, PYTHONPATH=str(self.root / "src"), FELT_CACHE=str(cache))
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment.setdefault("FELT_SHARED_DATA", str(ROOT.parent / "shared" / "data"))
        return environment


def _bound_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.nice(5)


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    console = Console(stderr=True, highlight=False)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the copy is removed and no test runs on
    with tempfile.TemporaryDirectory(prefix="felt-mutate-") as folder:
        return _run(Copy(Path(folder)), options, console)


def _run(copy: Copy, options: argparse.Namespace, console: Console) -> int:
    every = [change for file, source in copy.sources.items() for change in changes_of(source, file)]
    equal = read_equal(EQUAL)
    stale = [key for key in equal if key not in {change.key for change in every}]
    chosen = choose(every, count=options.count, seed=options.seed, least=LEAST_OF_FILE)
    if options.file:
        listed = [change for change in every if options.file in change.file]
        chosen = choose(listed, count=options.count, seed=options.seed, least=LEAST_OF_FILE)
    results = {} if options.fresh else _read_results(options.results)
    waiting = [change for change in chosen if not _is_done(results.get(change.key), copy.sources[change.file], equal)]
    if options.list:
        for change in waiting:
            print(f"{change.file}:{change.number} {change.function}\n    {change.line}\n    {change.becomes}")
        return 0
    if waiting:
        if not _tests_pass(copy, {change.file for change in waiting}, options.quick, console):
            return 2
        _try_all(copy, waiting, equal, results, options, console)
    return _report([results[change.key] for change in chosen if change.key in results], equal, stale, options.json)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=200, help="how many places to change")
    parser.add_argument("--seed", type=int, default=1, help="another seed chooses other places")
    parser.add_argument("--file", default="", help="only files with this in their name, such as odds/allin")
    parser.add_argument("--fresh", action="store_true", help="try everything again, also what was caught before")
    parser.add_argument("--quick", action="store_true", help="only the steps without the compiler")
    parser.add_argument("--list", action="store_true", help="print the changes that are to be tried, and stop")
    parser.add_argument("--json", action="store_true", help="print all results as JSON")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where results are kept between runs")
    return parser


def _digest(source: str) -> str:
    """A short hash of a file of kernels: results are kept for it."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def _is_done(result: Result | None, source: str, equal: dict[Any, str]) -> bool:
    """Whether a change was caught in this very file before; survivors are tried again, as tests may be new."""
    if result is None or result.source != _digest(source):
        return False
    return result.outcome in (CAUGHT, HUNG) or (result.outcome == EXPLAINED and result.key in equal)


def read_equal(path: Path) -> dict[tuple[str, str, str, str, int], str]:
    """The changes that are explained as equal, with the reason."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("equal", [])
    return {
        (entry["file"], entry["function"], entry["line"], entry["becomes"], entry.get("nth", 1)): entry["reason"]
        for entry in entries
    }


def _read_results(path: Path) -> dict[Any, Result]:
    if not path.exists():
        return {}
    rows = json.loads(path.read_text(encoding="utf-8"))
    return {tuple(row["key"]): Result(**{**row, "key": tuple(row["key"])}) for row in rows}


def _write_results(path: Path, results: Iterable[Result]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps([asdict(result) for result in results], indent=1), encoding="utf-8")
    part.replace(path)


def room_tests(root: Path, file: str) -> list[str]:
    """The tests of a kernel file's room, those that share a word with its name first."""
    if file in ROOMS:
        return [f"tests/{name}" for name in ROOMS[file]]
    words = set(Path(file).stem.split("_")) - {"kernels"}
    folder = root / "tests" / Path(file).parent
    paths = sorted(folder.rglob("test_*.py"), key=lambda path: (not words & set(path.stem.split("_")), path))
    return [path.relative_to(root).as_posix() for path in paths]


def tests_without_compiler(root: Path) -> list[str]:
    """All test files that run without the compiler too."""
    paths = sorted((root / "tests").rglob("test_*.py"))
    return [path.relative_to(root).as_posix() for path in paths if "no_jit" in path.read_text(encoding="utf-8")]


def reached_rooms(sources: Path, file: str) -> set[str]:
    """The rooms with a file that imports these kernels, or kernels that import them."""
    importers = defaultdict(set)
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


def _tests_pass(copy: Copy, files: set[str], quick: bool, console: Console) -> bool:
    """Whether all tests pass in the unchanged copy; kernels that they compile are kept for later."""
    tests = sorted({test for file in files for test in room_tests(copy.root, file)})
    steps = [(tests_without_compiler(copy.root), False)] + ([] if quick else [(tests, True)])
    for paths, compiled in steps:
        console.print(f"Unchanged, {'compiled' if compiled else 'without the compiler'}: {len(paths)} test files …")
        outcome, detail = copy.test(paths, compiled=compiled, cache=copy.cache, seconds=4 * COMPILED_SECONDS)
        if outcome != SURVIVED:
            console.print(f"The tests fail without any change: {detail}")
            return False
    return True


def _try_all(
    copy: Copy,
    waiting: Sequence[Change],
    equal: dict[Any, str],
    results: dict[Any, Result],
    options: argparse.Namespace,
    console: Console,
) -> None:
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    callers = _callers(copy.sources)
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=len(waiting))
        for change in waiting:
            progress.update(task, description=f"{change.file}:{change.number}")
            result = _try(copy, change, change.key in equal, options.quick, callers)
            results[change.key] = result
            _write_results(options.results, results.values())
            if result.outcome == SURVIVED:
                where = f"{change.file}:{change.number} in {change.function}"
                text = f"survives: {where}\n    {change.line}\n    {change.becomes}"
                progress.console.print(text, markup=False, soft_wrap=True)
            progress.advance(task)


def _try(copy: Copy, change: Change, explained: bool, quick: bool, callers: dict[str, set[str]]) -> Result:
    """Make a change in the copy, run the steps, and undo it."""
    source = copy.sources[change.file]
    tests, quick_tests = room_tests(copy.root, change.file), tests_without_compiler(copy.root)
    rooms = reached_rooms(copy.package, change.file)
    own = [test for test in tests if test in quick_tests]
    other = [test for test in quick_tests if test not in tests and Path(test).parts[1] in rooms]
    cache = copy.cache.parent / "changed"
    copy.write(change.file, change.apply(source))
    step, outcome, test = "", SURVIVED, ""
    try:
        for name, paths in (("room, no compiler", own), ("others, no compiler", other)):
            if outcome == SURVIVED and paths:
                step = name
                outcome, test = copy.test(paths, compiled=False, cache=cache, seconds=QUICK_SECONDS)
        if outcome == SURVIVED and explained:
            outcome = EXPLAINED
        elif outcome == SURVIVED and not quick:
            step = "compiled"
            _keep_untouched(copy, change, cache, callers)
            outcome, test = copy.test(tests, compiled=True, cache=cache, seconds=COMPILED_SECONDS)
    finally:
        copy.write(change.file, source)
        shutil.rmtree(cache, ignore_errors=True)
    caught = outcome in (CAUGHT, HUNG)
    return Result(change.key, change.kind, outcome, step if caught else "", test if caught else "", _digest(source))


def _keep_untouched(copy: Copy, change: Change, cache: Path, callers: dict[str, set[str]]) -> None:
    """Take over compiled kernels that do not use the changed one; they are kept by line numbers, which stay."""
    reached = {f"{_module(change.file)}.{change.function}"}
    waiting = list(reached)
    while waiting:
        new = callers[waiting.pop()] - reached
        reached |= new
        waiting += new
    folder = copy.kernels(cache)
    for path in next(copy.cache.glob("kernels-*")).glob("*.bin"):
        if path.name.rsplit("-", 1)[0] not in reached:
            os.link(path, folder / path.name)


def _callers(sources: dict[str, str]) -> dict[str, set[str]]:
    """For each function of the kernel files, those whose text has its name in it."""
    callers = defaultdict(set)
    for file, source in sources.items():
        module = _module(file)
        tree = ast.parse(source)
        owner = {node.name: module for node in tree.body if isinstance(node, ast.FunctionDef)}
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                owner |= {alias.asname or alias.name: node.module for alias in node.names}
        for function in tree.body:
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    if isinstance(node, ast.Name) and node.id in owner:
                        callers[f"{owner[node.id]}.{node.id}"].add(f"{module}.{function.name}")
    return callers


def _report(results: Sequence[Result], equal: dict[Any, str], stale: Sequence[Any], as_json: bool) -> int:
    """Print a table by step, then survivors and explanations that no longer hold; returns the exit code."""
    survivors = [result for result in results if result.outcome == SURVIVED]
    wrong = [result for result in results if result.outcome in (CAUGHT, HUNG) and result.key in equal]
    if as_json:
        rows = [asdict(result) for result in results]
        print(json.dumps({"results": rows, "stale": stale, "wrong": [asdict(result) for result in wrong]}, indent=1))
        return 1 if survivors or stale or wrong else 0
    print(f"{len(results)} changes")
    for outcome, count in Counter(f"{result.outcome} {result.step}".strip() for result in results).most_common():
        print(f"  {count:4} {outcome}")
    for title, keys in (
        ("survives", [result.key for result in survivors]),
        ("explained as equal, but caught", [result.key for result in wrong]),
        ("explained as equal, but no longer there", stale),
    ):
        for file, function, line, becomes, nth in keys:
            print(f"{title}: {file}, {function}{f', number {nth}' if nth > 1 else ''}\n    {line}\n    {becomes}")
    return 1 if survivors or stale or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
