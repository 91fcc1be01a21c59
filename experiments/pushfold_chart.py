"""The shoving chart of push/fold beside a published one.

The thesis of 2020 (figure 48) prints up to how many big blinds the small blind shoves each hand, a chart that is well
known on the web. Here every stack from 1 to 100 big blinds is solved, and the ends of the stretches over which a hand
is shoved at least half of the time are compared with it.

python experiments/pushfold_chart.py CHART.csv       some seconds; writes pushfold_chart.md beside itself

CHART.csv has lines ``hand,shove_up_to_bb``; ``100+`` stands for more than 100, ``*`` and ``a;b`` for several stretches.
"""

import csv
import sys
from pathlib import Path

from felt.cards.combos import CLASS_NAMES
from felt.solvers.pushfold_game import PushFold
from felt.solvers.pushfold_scan import Interval, scan

ROUNDING = 0.051
"""Printed to a tenth, and solved in steps of a tenth."""


def nearest_end(printed: str, found: list[Interval]) -> float:
    """The distance from a printed number to the nearest end of a stretch."""
    wanted = 100.0 if printed == "100+" else float(printed)
    return min((abs(last - wanted) for _, last in found), default=wanted)


def main(chart: Path) -> None:
    """Compare, and write the table of what differs."""
    with chart.open(encoding="utf-8") as file:
        published = {row["hand"]: row["shove_up_to_bb"] for row in csv.DictReader(file)}
    found = scan(PushFold(stacks=(10, 10)))
    ours = dict(zip(CLASS_NAMES, found.shove_intervals(), strict=True))
    rows, same, near, compared = [], 0, 0, 0
    for hand, text in published.items():
        stretches = ", ".join(f"{first:g}–{last:g}" for first, last in ours[hand])
        if text == "*":
            rows.append(f"| {hand} | several stretches | {stretches} |")
            continue
        off = max(nearest_end(part, ours[hand]) for part in text.split(";") if part)
        compared, same, near = compared + 1, same + (off <= ROUNDING), near + (off <= 2 * ROUNDING)
        if off > ROUNDING or ";" in text:
            rows.append(f"| {hand} | {text} | {stretches} |")
    text = "\n".join(
        [
            "# The shoving chart beside a published one",
            "",
            f"{len(found.stacks)} stacks solved, none exploitable by more than {found.exploitability:.0e} bb. "
            f"Of {compared} hands with numbers, {same} have them as ends of a stretch to the tenth, "
            f"{near} within a tenth.",
            "",
            "What differs or is printed as several stretches:",
            "",
            "| hand | printed | shoved at least half of the time (bb) |",
            "|---|---|---|",
            *rows,
        ]
    )
    Path(__file__).with_suffix(".md").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
