"""Compare a run with the recorded ones: ``python -m benchmarks.compare [FILE] [--with FILE …]``.

FILE is the raw numbers of a run (benchmarks/raw/latest.json unless another is named); it is compared with the newest
recorded run of each of its rows. Where a peer ran beside, the ratios are compared, since the speed of the machine
cancels out; else the figures. A row is *slower* or *faster* only if the spreads (the middle half of the runs) do not
overlap. Exits with 1 if a row is slower.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

RAW = Path(__file__).parent / "raw"
LATEST = RAW / "latest.json"


class Change(NamedTuple):
    """A row of two runs: the medians, as ratios where `is_ratio`, and what is to be said of them."""

    row: str
    before: float
    now: float
    is_ratio: bool
    verdict: str


def read_rows(files: Iterable[Path]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The rows of raw files by section, name and peer; those of later files replace those of earlier ones."""
    sections = (section for file in files for section in json.loads(file.read_text(encoding="utf-8"))["sections"])
    return {(section["title"], row["name"], row["peer"]): row for section in sections for row in section["rows"]}


def compare(before: Iterable[Path], now: Path) -> Iterator[Change]:
    """Every row that both have, a measured peer or no peer beside it."""
    recorded = read_rows(before)
    for key, row in read_rows([now]).items():
        if key not in recorded or (row["theirs"] or {}).get("quoted"):
            continue
        is_ratio = row["ratio"] is not None
        old, new = (run["ratio"] if is_ratio else run["ours"] for run in (recorded[key], row))
        higher, lower = new["low"] > old["high"], new["high"] < old["low"]
        more_is_better = is_ratio or new["unit"].endswith("/s")
        verdict = "the same" if not higher and not lower else "faster" if higher == more_is_better else "slower"
        name = ", beside ".join(filter(None, (row["name"], row["peer"])))
        yield Change(name, old["value"], new["value"], is_ratio, verdict)


def main(args: Sequence[str] | None = None) -> int:
    """Print a line for each row; 1 if one is slower."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description="A run beside recorded ones.")
    parser.add_argument("file", type=Path, nargs="?", default=LATEST, help="the run (benchmarks/raw/latest.json)")
    parser.add_argument("--with", type=Path, action="append", dest="before", help="recorded runs (benchmarks/raw)")
    chosen = parser.parse_args(args)
    before = chosen.before or [file for file in sorted(RAW.glob("2*.json")) if file != chosen.file]
    changes = list(compare(before, chosen.file))
    for change in changes:
        unit = "×" if change.is_ratio else ""
        print(f"{change.verdict:<9} {change.before:>12.5g}{unit} → {change.now:.5g}{unit}  {change.row}")
    slower = sum(change.verdict == "slower" for change in changes)
    print(f"{len(changes)} rows compared, {slower} slower")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
