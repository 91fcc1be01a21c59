"""The page in the package is compared with what web/ builds: here, what stands in for npm builds it."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NPM = """#!/bin/sh
while [ "$1" != --outDir ]; do shift; done
mkdir -p "$2" && echo built > "$2/index.html"
"""


@pytest.mark.parametrize(("shipped", "code"), [("built", 0), ("older", 1)])
def test_a_page_that_web_does_not_build_is_refused(shipped: str, code: int, tmp_path: Path) -> None:
    for name, text in (("node", "#!/bin/sh\n"), ("npm", NPM)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text(f"{shipped}\n")
    places = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PAGE": str(page), "BUILT": str(tmp_path / "built")}
    ran = subprocess.run(
        ["sh", "scripts/check_page.sh"], cwd=ROOT, env=os.environ | places, capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == code, ran.stderr
    assert ("make web" in ran.stderr) == (code == 1)
