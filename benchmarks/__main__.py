"""Run the benchmarks: ``python -m benchmarks [--quick] [--only NAME] [--json]``.

Every ``bench_*.py`` beside this file has a function ``bench(quick=False)`` that measures and returns a
`benchmarks.rows.Section`, or a dict with a name and rows of plain figures. A full run writes docs/project/benchmarks.md
and keeps its raw numbers in benchmarks/raw; a quick or partial one only shows them (and leaves them in
benchmarks/raw/latest.json).
"""

import argparse
import importlib
import json
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.machine import Watch
from benchmarks.report import Report, markdown, plain, show, write, write_raw
from benchmarks.rows import Section, read_section

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "project" / "benchmarks.md"
RAW = HERE / "raw"


def found() -> list[str]:
    """Names of the benchmarks there are."""
    return sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def run(names: Sequence[str], *, quick: bool) -> Report:
    """Run these benchmarks. One that breaks is reported and does not keep the others from running."""
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    watch = Watch()
    sections: list[Section] = []
    failures: dict[str, str] = {}
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        began = time.perf_counter()
        try:
            section = read_section(importlib.import_module(f"benchmarks.bench_{name}").bench(quick=quick))
        except Exception as broken:  # the others' figures are still worth having
            failures[name] = f"{type(broken).__name__}: {broken}"
            traceback.print_exc()
            continue
        sections.append(replace(section, seconds=round(time.perf_counter() - began, 1)))
    sections.sort(key=lambda section: section.order)
    return Report(date, watch.summary(), tuple(sections), failures, quick)


def main(args: Sequence[str] | None = None) -> int:
    """Run, show and write; 1 when a benchmark broke."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Felt beside other libraries.")
    parser.add_argument("--quick", action="store_true", help="few and small measurements; the page is not written")
    parser.add_argument("--only", metavar="NAME", action="append", choices=found(), help=f"one of {', '.join(found())}")
    parser.add_argument("--json", action="store_true", help="print the raw numbers instead of tables")
    parser.add_argument("--page", type=Path, help=f"write the page here, whatever the run (else {PAGE.name} if full)")
    parser.add_argument("--raw", type=Path, help="keep the raw numbers in this file")
    chosen = parser.parse_args(args)

    report = run(chosen.only or found(), quick=chosen.quick)
    whole = not chosen.quick and not chosen.only
    raw = chosen.raw or RAW / (f"{report.date}.json" if whole else "latest.json")
    write_raw(raw, report)
    if chosen.json:
        print(json.dumps(plain(report), indent=1, ensure_ascii=False))
    else:
        show(report)
    page = chosen.page or (PAGE if whole and not report.failures else None)
    if page is not None:
        write(page, markdown(report, f"benchmarks/raw/{raw.name}"))
        print(f"Written: {page}", file=sys.stderr)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
