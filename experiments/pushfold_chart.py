"""The shoving chart of push/fold beside a published one.

The thesis of 2020 (figure 48) prints up to how many big blinds the small blind shoves each hand. A number x is right
where the hand is shoved at x, at least sometimes, and not always a tenth later. For each number the two stacks are
solved, and the table tells those that are not right, and what it costs to play by the printed number there.

python experiments/pushfold_chart.py CHART.csv       some seconds; writes pushfold_chart.md beside itself

CHART.csv has lines ``hand,shove_up_to_bb``; ``100+`` stands for more than 100, ``*`` and ``a;b`` for several stretches.
"""

import csv
import sys
from pathlib import Path

from felt.cards.combos import parse_class
from felt.solvers.pushfold.game import PushFold
from felt.solvers.pushfold.headsup import Solution, solve

PURE = 0.001
"""A hand that is shoved less often is out, one that is folded less often is in."""


def printed_numbers(chart: Path) -> list[tuple[str, float]]:
    """Hands and the stacks up to which they are shoved."""
    with chart.open(encoding="utf-8") as file:
        rows = [(row["hand"], row["shove_up_to_bb"].split(";")) for row in csv.DictReader(file)]
    return [(hand, float(text)) for hand, texts in rows for text in texts if text and text not in ("*", "100+")]


def main(chart: Path) -> None:
    """Compare, and write the table of what differs."""
    numbers = printed_numbers(chart)
    solved: dict[float, Solution] = {}
    near = None
    for stack in sorted({round(at, 1) for _, number in numbers for at in (number, number + 0.1)}):
        near = solved[stack] = solve(PushFold(stacks=(stack, stack)), target=1e-8, start=near)
    rows, most = [], 0.0
    for hand, number in numbers:
        place = parse_class(hand)
        here, later = (solved[round(at, 1)] for at in (number, number + 0.1))
        often = float(here.shove[place]), float(later.shove[place])
        gains = [float(at.evs.shove[place]) - at.evs.sb_fold for at in (here, later)]
        cost = max(-gains[0], gains[1], 0.0)
        most = max(most, cost)
        if max(often) < PURE or min(often) > 1 - PURE:
            rows.append(f"| {hand} | {number:g} | {often[0]:.0%} | {often[1]:.0%} | {cost:.5f} |")
    text = "\n".join(
        [
            "# The shoving chart beside a published one",
            "",
            f"{len(solved)} stacks solved, none exploitable by more than "
            f"{max(found.exploitability for found in solved.values()):.0e} bb. Of {len(numbers)} printed numbers, "
            f"{len(numbers) - len(rows)} are where the hand leaves, to the tenth. To play by a printed number costs at "
            f"most {most:.5f} bb.",
            "",
            "What differs:",
            "",
            "| hand | printed | shoved there | shoved a tenth later | cost of the printed choice, bb |",
            "|---|---|---|---|---|",
            *rows,
        ]
    )
    Path(__file__).with_suffix(".md").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
