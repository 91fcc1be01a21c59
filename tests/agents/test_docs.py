"""The agent that the documentation shows plays when it is copied into an empty folder."""

import json
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "agents" / "agents.md"


def test_the_first_agent_of_the_page_plays(tmp_path):
    (code,) = re.findall(r"Save this as `bot.py`.*?```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "bot.py").write_text(code, encoding="utf-8")
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
    command = [
        "match",
        "./bot.py:Bot:brave=0.8",
        "call",
        "--game",
        "five-card-draw",
        "--hands",
        "20",
        "--workers",
        "1",
        "--json",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "from felt.cli.app import main; main()", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    player = json.loads(done.stdout)["players"][0]
    assert (player["illegal"], player["errors"], player["timeouts"]) == (0, 0, 0)
