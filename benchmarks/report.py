"""What a run leaves behind: the page of the docs, the raw numbers, and a table in the terminal."""

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, Section
from benchmarks.words import asked, verdict, with_spread

ELSEWHERE = "measured elsewhere, not in this run"

BUSY = 0.3
"""Cores kept busy by others from which on the page warns its readers."""

DISTURBED = """!!! warning "Others were at work"
    The machine was shared while this was measured: times are longer and rates lower than they are on a quiet one.
    Ratios, and the best runs, suffer least. Run `make bench` on a quiet machine for figures to go by."""


@dataclass(frozen=True)
class Report:
    """A whole run. `failures` name the benchmarks that broke, with the reason."""

    date: str
    machine: dict[str, Any]
    sections: tuple[Section, ...]
    failures: dict[str, str]
    quick: bool = False

    @property
    def judged(self) -> list[Row]:
        """The rows that have a target."""
        return [row for section in self.sections for row in section.rows if row.target is not None]


Column = tuple[str, Callable[[Row], str]]

COLUMNS: tuple[Column, ...] = (
    ("", lambda row: row.name),
    ("Felt", lambda row: with_spread(row.ours)),
    ("other", lambda row: f"{row.peer}: {with_spread(row.theirs)}" if row.theirs else ""),
    ("times as fast", lambda row: with_spread(row.ratio) if row.ratio else ""),
    ("asked", lambda row: asked(row.target, row.ours.unit) if row.target else ""),
    ("met", verdict),
    ("", lambda row: row.note),
)


def table(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Headings and cells, without columns that would be empty."""
    columns = [(title, [cell(row) for row in rows]) for title, cell in COLUMNS]
    kept = [(title, cells) for title, cells in columns if any(cells)]
    return [title for title, _ in kept], [list(line) for line in zip(*(cells for _, cells in kept), strict=True)]


def without_repeats(lines: Sequence[list[str]]) -> list[list[str]]:
    """The same lines, but a line that is about the same as the one above it does not say again what and how fast."""
    return [
        ["", "", *line[2:]] if index and line[:2] == lines[index - 1][:2] else line for index, line in enumerate(lines)
    ]


def markdown(report: Report, raw: str = "") -> str:
    """The page."""
    sources: list[str] = []
    parts = ["# Benchmarks", _introduction(report, raw)]
    judged = report.judged
    if judged:
        parts.append(f"## What was asked\n\n{_verdicts(judged)}")
        parts.append(_markdown_lines(*_summary(judged)))
    for section in report.sections:
        parts += [f"## {section.title}", *([section.note] if section.note else [])]
        parts += [_markdown_table(section.rows, sources), f"In brackets: {section.spread}."]
    for name, reason in report.failures.items():
        parts.append(f"## {name}\n\nThis benchmark failed: {reason}")
    parts += [f"[^{number}]: {ELSEWHERE[0].upper()}{ELSEWHERE[1:]}: {text}." for number, text in enumerate(sources, 1)]
    return "\n\n".join(parts) + "\n"


def _verdicts(judged: Sequence[Row]) -> str:
    missed = [row for row in judged if not row.met]
    near = [row.name for row in missed if row.met_at_best]
    far = [row.name for row in missed if not row.met_at_best]
    text = f"{len(judged) - len(missed)} of {len(judged)} targets are met by the median run."
    if near:
        text += f" Met only by the best run: {'; '.join(near)}."
    if far:
        text += f" Not met: {'; '.join(far)}."
    return text


def _markdown_table(rows: Sequence[Row], sources: list[str]) -> str:
    titles, lines = table(rows)
    for row, line in zip(rows, lines, strict=True):
        if row.theirs is not None and row.theirs.quoted:
            if row.theirs.quoted not in sources:
                sources.append(row.theirs.quoted)
            line[titles.index("other")] += f"[^{sources.index(row.theirs.quoted) + 1}]"
    return _markdown_lines(titles, without_repeats(lines))


def _summary(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """The rows that have a target, with only what the target is about."""
    lines = []
    for row in rows:
        assert row.target is not None
        judged = row.ratio if row.target.of == "ratio" and row.ratio else row.ours
        name = f"{row.name}, beside {row.peer}" if row.target.of == "ratio" else row.name
        lines.append([name, with_spread(judged), asked(row.target, row.ours.unit), verdict(row)])
    return ["", "measured", "asked", "met"], lines


def _markdown_lines(titles: list[str], lines: Sequence[list[str]]) -> str:
    rule = ["---" if index == 0 else "---:" if title else "---" for index, title in enumerate(titles)]
    every = [titles, rule, *lines]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in every)


def _introduction(report: Report, raw: str) -> str:
    machine = report.machine
    versions = machine["versions"]
    libraries = ", ".join(f"{name} {found}" for name, found in versions.items() if found)
    absent = [name for name, found in versions.items() if not found]
    others = machine["cores_used_by_others"]
    meanwhile = "" if others is None else f" Other programs kept {others:.2f} cores busy on average meanwhile."
    lines = [
        "`make bench` wrote this page. Everything on it was measured in one run, but for figures marked *quoted*.",
        f"- **When and where:** {report.date}; {machine['cpu']}, {machine['cores']} cores, {machine['system']};"
        f" {machine['seconds'] / 60:.0f} minutes in all.",
        f"- **With:** {libraries}." + (f" Not installed: {', '.join(absent)}." if absent else ""),
        f"- **Noise:** load averages (1, 5, 15 minutes) {_loads(machine['load_before'])} before and"
        f" {_loads(machine['load_after'])} after.{meanwhile}",
        "- **How:** everything is called once before it is timed. Felt and its peers then take turns, one run each a"
        " round; a run repeats its call for some hundredths of a second, with garbage collection off. Figures are"
        " medians; ratios are taken round by round. Peers get their own cards, converted beforehand, and the quickest"
        " of their public functions. Answers are checked before they are timed.",
        "- **Ratios** above 1× mean that Felt is faster. In brackets stands the spread, between which"
        " half of the runs lie, and the best run, which other programs disturbed least.",
        "- **To try it:** `make bench`, or `.venv/bin/python -m benchmarks --help` for parts of it.",
    ]
    if report.quick:
        lines.append("- **A quick run:** few and small measurements, to try the benchmarks out. Not for comparisons.")
    if raw:
        lines.append(f"- **Raw numbers**, every run of every row: `{raw}` in the repository.")
    text = lines[0] + "\n\n" + "\n".join(lines[1:])
    return text if others is None or others < BUSY else f"{text}\n\n{DISTURBED}"


def _loads(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def plain(report: Report) -> dict[str, Any]:
    """Everything as JSON has it, with what follows from it (ratios, targets met) worked out."""
    sections = []
    for section in report.sections:
        rows = [
            {
                **asdict(row),
                "ratio": asdict(row.ratio) if row.ratio else None,
                "met": row.met,
                "met_at_best": row.met_at_best,
                "aim_met": row.aim_met,
            }
            for row in section.rows
        ]
        sections.append({**asdict(section), "rows": rows})
    return {
        "date": report.date,
        "quick": report.quick,
        "machine": report.machine,
        "sections": sections,
        "failures": report.failures,
    }


def show(report: Report) -> None:
    """Tables in the terminal."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console.width = 160
    for section in report.sections:
        titles, lines = table(section.rows)
        shown = Table(title=section.title, title_justify="left", caption=f"in brackets: {section.spread}")
        for index, title in enumerate(titles):
            shown.add_column(title, justify="left" if index == 0 or not title else "right")
        for line in without_repeats(lines):
            shown.add_row(*(_coloured(cell) for cell in line))
        console.print(shown)
    quoted = {row.theirs.quoted for s in report.sections for row in s.rows if row.theirs and row.theirs.quoted}
    if quoted:
        console.print(f"Quoted figures were {ELSEWHERE}: {'; '.join(sorted(quoted))}.")
    judged = report.judged
    console.print(f"{sum(bool(row.met) for row in judged)} of {len(judged)} targets met.")


def _coloured(cell: str) -> str:
    colour = {"yes": "green", "no": "red"}.get(cell.split(",")[0])
    return f"[{colour}]{cell}[/{colour}]" if colour else cell.replace("[", "\\[")


def write(path: Path, text: str) -> None:
    """Put a file in place whole: written beside, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_raw(path: Path, report: Report) -> None:
    write(path, json.dumps(plain(report), indent=1, ensure_ascii=False) + "\n")
