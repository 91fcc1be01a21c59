"""Record the output of command lines: `python -m tests.baselines.record [CASE…]` (all of them unless named).

The recorded files say what Felt 0.1 printed. A case may be recorded anew for one reason only: its output was changed on
purpose, and `CHANGELOG.md` names the change. Look at the difference (`git diff tests/baselines/recorded`) before it is
committed. A result that changed while code was moved, renamed or made faster is a bug.
"""

import sys
import tempfile
import time
from pathlib import Path

from tests.baselines.cases import CASES
from tests.baselines.running import RECORDED, run_case, to_text


def main(names: list[str]) -> None:
    """Record these cases, or all."""
    if unknown := [name for name in names if name not in CASES]:
        sys.exit(f"There is no case {unknown[0]!r}: choose from {', '.join(CASES)}")
    RECORDED.mkdir(exist_ok=True)
    for name in names or CASES:
        started = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            results = run_case(name, Path(folder))
        (RECORDED / f"{name}.json").write_text(to_text(results), encoding="utf-8")
        failed = [result["line"] for result in results if result["exit"]]
        print(f"{name}: {time.process_time() - started:.1f} s of CPU{''.join(f', FAILED: {line}' for line in failed)}")


if __name__ == "__main__":
    main(sys.argv[1:])
