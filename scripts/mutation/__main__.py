"""Test the tests: change the kernels at 200 places, one at a time, and list the changes that no test notices.

    make mutate                                             all 200, from where the last run stopped
    python -m scripts.mutation --count 20 --file allin      20 changes of the files whose name has "allin" in it
    python -m scripts.mutation --seed 7 --fresh --json      other places, from the start, with the results on stdout

Each change is made in a copy of the sources and tried in three steps, of which the first that fails catches it: the
tests of its room without the compiler, those of other rooms that use it, and the room's tests compiled. Only the
kernels that the change can reach are compiled again. A change that runs for too long is caught as well.

A change that no test can notice is explained in `equal.toml` beside this file; it only has to pass the
steps without the compiler. An explanation is reported when its line is no longer there, or when a test catches it.
Ends with 1 when a change survives that is not explained, and with 2 when the tests fail without any change.
"""

import argparse
import hashlib
import json
import signal
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from scripts.mutation.copies import CAUGHT, HUNG, ROOT, SURVIVED, Copy
from scripts.mutation.places import Change, changes_of, choose

EQUAL = Path(__file__).resolve().parent / "equal.toml"
RESULTS = ROOT / "build" / "mutate.json"

LEAST_OF_FILE = 2
EXPLAINED = "explained"
ROOM, OTHERS = "without the compiler, tests of its room", "without the compiler, tests of other rooms"
COMPILED = "compiled, tests of its room"


@dataclass(frozen=True)
class Result:
    """What became of a change: `step` names the tests that caught it, `test` the first that failed."""

    key: tuple[str, str, str, str, int]
    kind: str
    outcome: str
    step: str
    test: str
    source: str


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    console = Console(stderr=True, highlight=False)
    with tempfile.TemporaryDirectory(prefix="felt-mutate-") as folder, Copy(Path(folder)) as copy:
        return _run(copy, options, console)


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
    if waiting and not _try_quickly(copy, waiting, equal, results, options, console):
        return 2
    left = [change for change in waiting if results[change.key].outcome == SURVIVED]
    if left and not options.quick and not _try_compiled(copy, left, results, options, console):
        return 2
    return report([results[change.key] for change in chosen if change.key in results], equal, stale, options.json)


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


def _try_quickly(
    copy: Copy,
    changes: Sequence[Change],
    equal: dict[Any, str],
    results: dict[Any, Result],
    options: argparse.Namespace,
    console: Console,
) -> bool:
    """Try changes without the compiler, and keep what became of them; False if tests fail without a change."""
    files = {change.file for change in changes}
    tests = sorted({test for file in files for test in copy.quick_room_tests(file) + copy.quick_other_tests(file)})
    if not _passes(copy.test_quickly(tests), "without the compiler", console):
        return False
    with _progress(console) as progress:
        for change in progress.track(changes, description="without the compiler"):
            outcome, step, test = EXPLAINED if change.key in equal else SURVIVED, "", ""
            own = sorted(copy.quick_room_tests(change.file), key=_catches(change.file, results), reverse=True)
            for name, tests in ((ROOM, own), (OTHERS, copy.quick_other_tests(change.file))):
                answer, failed = copy.test_quickly(tests, change)
                if answer != SURVIVED:
                    outcome, step, test = answer, name, failed
                    break
            _keep(copy, change, outcome, step, test, results, options)
    return True


def _catches(file: str, results: dict[Any, Result]) -> Callable[[str], int]:
    """How many changes of a file of kernels a file of tests has caught: those that catch most come first."""
    tests = (result.test.removeprefix("FAILED ").split("::")[0] for key, result in results.items() if key[0] == file)
    catches = Counter(tests)
    return lambda test: catches[test]


def _try_compiled(
    copy: Copy, changes: Sequence[Change], results: dict[Any, Result], options: argparse.Namespace, console: Console
) -> bool:
    """Try changes that survived without the compiler with it; False if tests fail without a change."""
    tests = sorted({test for change in changes for test in copy.room_tests(change.file)})
    if not _passes(copy.test_compiled(tests), "compiled", console):
        return False
    with _progress(console) as progress:
        for change in progress.track(changes, description="compiled"):
            outcome, test = copy.test_compiled(copy.room_tests(change.file), change)
            _keep(copy, change, outcome, "" if outcome == SURVIVED else COMPILED, test, results, options)
            if outcome == SURVIVED:
                progress.console.print(f"survives: {_describe(change.key)}", markup=False, soft_wrap=True)
    return True


def _passes(answer: tuple[str, str], how: str, console: Console) -> bool:
    if answer[0] != SURVIVED:
        console.print(
            f"Tests fail ({how}) without any change, so changes tell nothing. First: {answer[1]}", markup=False
        )
    return answer[0] == SURVIVED


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console)


def _keep(
    copy: Copy,
    change: Change,
    outcome: str,
    step: str,
    test: str,
    results: dict[Any, Result],
    options: argparse.Namespace,
) -> None:
    source = _digest(copy.sources[change.file])
    results[change.key] = Result(change.key, change.kind, outcome, step, test, source)
    _write_results(options.results, results.values())


def _describe(key: tuple[str, str, str, str, int]) -> str:
    file, function, line, becomes, nth = key
    return f"{file}, {function}{f', number {nth}' if nth > 1 else ''}\n    {line}\n    {becomes}"


def report(results: Sequence[Result], equal: dict[Any, str], stale: Sequence[Any], as_json: bool) -> int:
    """Print a table by step, then survivors and explanations that no longer hold; returns the exit code."""
    survivors = [result for result in results if result.outcome == SURVIVED]
    wrong = [result for result in results if result.outcome in (CAUGHT, HUNG) and result.key in equal]
    if as_json:
        rows = [asdict(result) for result in results]
        print(json.dumps({"results": rows, "stale": stale, "wrong": [asdict(result) for result in wrong]}, indent=1))
        return 1 if survivors or stale or wrong else 0
    print(f"{len(results)} changes")
    for (outcome, step), count in Counter((result.outcome, result.step) for result in results).most_common():
        print(f"  {count:4} {outcome}{f' ({step})' if step else ''}")
    for title, keys in (
        ("survives", [result.key for result in survivors]),
        ("explained as equal, but caught", [result.key for result in wrong]),
        ("explained as equal, but no longer there", stale),
    ):
        for key in keys:
            print(f"{title}: {_describe(key)}")
    return 1 if survivors or stale or wrong else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the copy is removed and no test runs on
    sys.exit(main())
