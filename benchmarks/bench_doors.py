"""Doors: matches between programs outside, over JSON lines."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.rows import Figure, Row, Section, Target, figure
from felt.arena import Match, play
from felt.games import load

NLHE = load("nlhe")
SAMPLES = Path(__file__).parents[1] / "examples" / "agents"
CALLER = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (strstr(line, "\\"type\\":\\"hello\\""))
            puts("{\\"type\\":\\"hello\\",\\"protocol\\":1,\\"name\\":\\"caller\\",\\"remembers\\":false}");
        else if (strstr(line, "\\"type\\":\\"act\\""))
            printf("{\\"id\\":%ld,\\"move\\":\\"call\\"}\\n", atol(strstr(line, "\\"id\\":") + 5));
        fflush(stdout);
    }
    return 0;
}
"""


def bench(quick: bool = False) -> Section:
    hands, rounds = (10_000, 1) if quick else (60_000, 5)
    with tempfile.TemporaryDirectory() as folder:
        rows = tuple(_lines(Path(folder), hands, rounds))
    return Section(
        "Doors",
        rows,
        note="Programs outside, each a process of its own, heads-up at no-limit hold'em with 100 big blinds, on all "
        "cores. Times are of whole matches: workers and programs are started, every decision is a line of JSON to the "
        "program and one back, moves are checked, results adjusted for all-ins. The samples are those of "
        "examples/agents; they take 2.1 decisions a hand between them, programs that always call take 8.",
        order=45,
    )


def _lines(folder: Path, hands: int, rounds: int) -> list[Row]:
    python = f"cmd:{sys.executable} {SAMPLES / 'careful.py'}"
    rows = []
    if shutil.which("cc"):
        (folder / "caller.c").write_text(CALLER)
        (folder / "learner.c").write_text(CALLER.replace(',\\"remembers\\":false', ""))
        built = [_built(source, folder) for source in (SAMPLES / "careful.c", folder / "caller.c")]
        target = Target(5_000, "at least")
        rows.append(Row("two sample programs in C over JSON lines", _rate(built[0], hands, rounds), target=target))
        calls = _rate(built[1], hands, rounds)
        rows.append(Row("two programs in C that always call, over JSON lines", calls, target=target))
        learns = _rate(_built(folder / "learner.c", folder), hands // 10, rounds)
        rows.append(Row("the same, if they say that they remember: one question at a time", learns))
    rows.append(Row("two sample programs in Python over JSON lines", _rate(python, hands // 4, rounds)))
    return rows


def _built(source: Path, folder: Path) -> str:
    program = folder / source.stem
    subprocess.run(["cc", "-O2", "-o", str(program), str(source)], check=True)
    return f"cmd:{program}"


def _rate(program: str, hands: int, rounds: int) -> Figure:
    match = Match.of([program, program], NLHE)
    found = []
    for _ in range(rounds):
        began = perf_counter()
        result = play(match, hands)
        found.append(result.hands / (perf_counter() - began))
        assert result.conduct.clean
    return figure(found, "hands/s")
