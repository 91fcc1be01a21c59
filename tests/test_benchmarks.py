"""The benchmarks' own machinery: that a run gives a table with honest verdicts. How fast anything is, is not tested."""

import doctest
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from benchmarks import __main__ as command
from benchmarks import compare, measure, peers, report, rows, words
from benchmarks.rows import Figure, Row, Section, Target, figure, quote, rate, read_section, rows_beside

from tests.conftest import ROOT

MACHINE: dict[str, Any] = {
    "cpu": "Abacus",
    "cores": 2,
    "system": "Linux x86_64",
    "versions": {"python": "3.11.1", "eval7": None},
    "load_before": [0.1, 0.2, 0.3],
    "load_after": [1.0, 0.5, 0.3],
    "cores_used_by_others": 0.25,
    "seconds": 60.0,
}


def written(*rows: Row) -> str:
    section = Section("Ranking", rows, note="Mind the gap.")
    return report.markdown(report.Report("2026-11-15", MACHINE, (section,), {}), "benchmarks/raw/2026-11-15.json")


def test_a_quick_run_gives_a_table_a_page_and_raw_numbers(tmp_path: Path) -> None:
    page, raw = tmp_path / "page.md", tmp_path / "raw.json"
    program = [sys.executable, "-m", "benchmarks", "--quick", "--only", "strength"]
    ran = subprocess.run(
        [*program, "--page", str(page), "--raw", str(raw)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    assert "Hand strength" in ran.stdout and "targets met" in ran.stdout
    text, numbers = page.read_text(encoding="utf-8"), json.loads(raw.read_text(encoding="utf-8"))
    assert "## Hand strength" in text and "A quick run" in text
    assert "388 s, quoted[^1]" in text and "[^1]: Measured elsewhere, not in this run: Teófilo 2016" in text
    kept = numbers["sections"][0]["rows"]
    assert all(len(row["ours"]["runs"]) == 3 and min(row["ours"]["runs"]) > 0 for row in kept)
    assert {row["target"]["limit"] for row in kept if row["target"]} == {5e-3, 5e6}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.md", "raw.json"]


def test_every_benchmark_can_be_chosen_and_has_the_one_function() -> None:
    assert {"ranking", "equity", "strength", "startup", "growth", "rank_server", "games"} <= set(command.found())
    for name in command.found():
        assert f"bench_{name}" in {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
        assert "def bench(quick: bool = False)" in (ROOT / "benchmarks" / f"bench_{name}.py").read_text(
            encoding="utf-8"
        )


def test_a_broken_benchmark_is_reported_and_the_others_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import bench_growth, bench_strength

    def broken(quick: bool) -> Section:
        raise RuntimeError("no cards")

    monkeypatch.setattr(bench_growth, "bench", broken)
    monkeypatch.setattr(bench_strength, "bench", lambda quick: Section("Fine", (Row("a", figure([1.0], "s")),)))
    found = command.run(["growth", "strength"], quick=True)
    assert found.failures == {"growth": "RuntimeError: no cards"}
    assert [section.title for section in found.sections] == ["Fine"]
    assert "This benchmark failed: RuntimeError: no cards" in report.markdown(found)


def test_contestants_take_turns_and_seconds_are_for_one_item() -> None:
    order: list[str] = []
    contestants = [measure.Contestant(name, lambda name=name: order.append(name), 10) for name in "ab"]  # type: ignore[misc]
    found = measure.race(contestants, rounds=4, least=0.0)
    assert "".join(order[-8:]) == "abababab"
    assert all(len(runs) == 4 and max(runs) < 1 for runs in found.values())


def test_figures_are_medians_with_quartiles() -> None:
    found = figure([5.0, 1.0, 2.0, 3.0, 4.0], "s")
    assert (found.value, found.low, found.high) == (3.0, 2.0, 4.0)
    assert rate([0.5, 0.25], "hands/s").value == 3.0


def test_ratios_are_taken_round_by_round() -> None:
    faster = Row("x", figure([1.0, 2.0, 4.0], "s"), "peer", figure([3.0, 6.0, 12.0], "s"))
    assert faster.ratio == Figure(3.0, "×", 3.0, 3.0, (3.0, 3.0, 3.0))
    more = Row("x", figure([10.0, 20.0], "hands/s"), "peer", figure([5.0, 4.0], "hands/s"))
    assert more.ratio is not None and more.ratio.runs == (2.0, 5.0)


def test_a_ratio_to_a_quoted_figure_has_our_spread() -> None:
    row = Row("x", figure([1.0, 2.0, 3.0], "s"), "thesis", quote(6.0, "s", "a thesis"))
    assert row.ratio is not None
    assert (row.ratio.low, row.ratio.value, row.ratio.high) == (2.4, 3.0, 4.0)


@pytest.mark.parametrize(
    ("ours", "theirs", "target", "met", "word"),
    [
        (0.004, None, Target(0.005, "under"), True, "yes"),
        (0.006, None, Target(0.005, "under"), False, "no"),
        (140.0, 1.0, Target(70, "at least", "ratio", aim=115), True, "yes, and the aim"),
        (71.0, 1.0, Target(70, "at least", "ratio", aim=115), True, "yes, not the aim"),
        (69.0, 1.0, Target(70, "at least", "ratio", aim=115), False, "no"),
        (140.0, None, Target(70, "at least", "ratio"), False, "no"),
    ],
)
def test_a_target_is_judged_by_the_median(
    ours: float, theirs: float | None, target: Target, met: bool, word: str
) -> None:
    unit = "s" if target.kind == "under" else "hands/s"
    row = Row("x", figure([ours], unit), "peer", None if theirs is None else figure([theirs], unit), target)
    assert row.met is met
    assert words.verdict(row) == word


def test_a_best_run_does_not_make_a_target_met_but_is_told() -> None:
    row = Row("x", figure([0.006, 0.004, 0.007], "s"), target=Target(0.005, "under"))
    assert row.met is False and words.verdict(row) == "no, but the best run"
    assert "0 of 1 targets are met by the median run. Met only by the best run: x." in written(row)


def test_the_page_says_what_is_missed_and_what_is_quoted() -> None:
    slow = Row("slow thing", figure([2.0], "s"), target=Target(1.0, "under"))
    fast = Row("fast thing", figure([2.0], "s"), "C++", quote(1.0, "s", "a fast | machine"), Target(3.0, "under"))
    page = written(slow, fast)
    assert "1 of 2 targets are met by the median run. Not met: slow thing." in page
    assert "C++: 1.00 s, quoted[^1]" in page
    assert "[^1]: Measured elsewhere, not in this run: a fast | machine." in page
    assert "Not installed: eval7." in page and "0.25 cores busy" in page
    assert "```" not in page  # nothing on it is an example to run


def test_the_page_warns_when_the_machine_was_busy() -> None:
    row = Row("x", figure([1.0], "s"))
    assert "Others were at work" not in written(row)
    busy = report.Report("2026-11-15", {**MACHINE, "cores_used_by_others": 1.5}, (Section("Ranking", (row,)),), {})
    assert "Others were at work" in report.markdown(busy)


def test_a_table_drops_empty_columns_and_does_not_repeat_itself() -> None:
    both = rows_beside("thing", figure([2.0], "s"), {"a": figure([4.0], "s"), "b": figure([1.0], "s")})
    titles, lines = report.table(both)
    assert titles == ["", "Felt", "other", "times as fast"]
    assert report.without_repeats(lines)[1] == ["", "", "b: 1.00 s", "0.500×"]


def test_plain_rows_of_a_benchmark_are_read() -> None:
    plain = {
        "name": "Server",
        "rows": [
            {"name": "RANK", "value": 30e3, "unit": "requests/s", "spread": [28e3, 31e3], "target": 20e3},
            {"name": "trip", "value": 50.0, "unit": "µs", "spread": [90.0, 40.0]},
        ],
    }
    section = read_section(plain)
    assert [row.met for row in section.rows] == [True, None]
    assert words.with_spread(section.rows[0].ours) == "30.0 k/s (28.0–31.0)"
    assert words.with_spread(section.rows[1].ours) == "50.0 µs (40.0–90.0)"


def test_orders_are_compared_with_their_ties() -> None:
    ours = np.array([5, 5, 7, 2])
    assert peers.same_order(ours, [50, 50, 90, 1], 1)
    assert peers.same_order(ours, [3, 3, 1, 9], -1)
    assert not peers.same_order(ours, [50, 51, 90, 1], 1)
    assert not peers.same_order(ours, [50, 50, 40, 1], 1)


def test_a_file_that_cannot_be_written_whole_leaves_the_old_one(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        report.write(page, "new \ud800")
    assert page.read_text() == "old"
    assert list(tmp_path.iterdir()) == [page]


def test_the_page_in_the_docs_belongs_to_raw_numbers_that_are_kept() -> None:
    page = (ROOT / "docs" / "project" / "benchmarks.md").read_text(encoding="utf-8")
    (named,) = (word.strip("`") for word in page.split() if word.startswith("`benchmarks/raw/"))
    kept = json.loads((ROOT / named).read_text(encoding="utf-8"))
    assert kept["date"] in page and not kept["quick"] and not kept["failures"]


@pytest.mark.parametrize("module", [words, rows])
def test_examples_in_docstrings(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


def test_a_run_is_slower_only_if_the_spreads_do_not_overlap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def raw(name: str, *rows: Row) -> Path:
        file = tmp_path / name
        report.write_raw(file, report.Report("2026-11-15", MACHINE, (Section("Speed", rows),), {}))
        return file

    def beside(name: str, ours: float) -> Row:
        return Row(name, figure([ours, ours * 1.1, ours * 1.2], "s"), "peer", figure([2.4, 2.2, 2.0], "s"))

    before = raw("before.json", beside("a", 1.0), beside("b", 1.0), Row("c", figure([9.0, 10.0, 11.0], "hands/s")))
    now = raw("now.json", beside("a", 1.02), beside("b", 2.0), Row("c", figure([20.0, 21.0], "hands/s")))
    verdicts = {change.row: change.verdict for change in compare.compare([before], now)}
    assert verdicts == {"a, beside peer": "the same", "b, beside peer": "slower", "c": "faster"}
    assert compare.main([str(now), "--with", str(before)]) == 1 and compare.main([str(now), "--with", str(now)]) == 0
    assert capsys.readouterr().out.endswith("3 rows compared, 0 slower\n")


def test_recorded_ratios_can_be_compared() -> None:
    recorded = sorted(compare.RAW.glob("2*.json"))
    rows = compare.read_rows(recorded)
    assert sum(row["ratio"] is not None and not row["theirs"]["quoted"] for row in rows.values()) > 30
    changes = [change for file in recorded for change in compare.compare(recorded, file)]
    assert len(changes) > 100 and {change.verdict for change in changes} == {"the same"}
