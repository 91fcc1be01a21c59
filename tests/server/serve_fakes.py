"""The whole server in a process of its own, with measures that all give the value on the command line.

Usage: python -m tests.server.serve_fakes VALUE SECONDS [ANSWERS]: slow measures take SECONDS.
"""

import sys
import time
from pathlib import Path

from felt.server.rank.connection import Limits
from felt.server.rank.measures import Measures
from felt.server.rank.server import run_rank_server


def main(value: float, seconds: float, answers: Path | None) -> None:
    def slow(cards: object, opponents: int) -> float:
        if opponents > 2:  # the warm-up and a test's quick questions do not wait
            time.sleep(seconds)
        return value

    measures = Measures(
        rank=lambda cards: 1,
        chen=lambda cards: value,
        ars=lambda cards, opponents: value,
        hs=slow,
        hp=lambda cards, opponents: (value, value),
        ehs=lambda cards, opponents: value,
    )
    answered = run_rank_server(
        lambda addresses: print(addresses[0][1], flush=True),
        measures=measures,
        answers=answers,
        limits=Limits(grace_seconds=5, workers=2),
    )
    print(answered)


if __name__ == "__main__":
    main(float(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
