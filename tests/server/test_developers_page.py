"""The commands of the pages for developers, run in a shell against a real service, one after the other."""

import doctest
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest
import uvicorn

from felt.server.web.app import create_app
from felt.server.web.serving import listen
from tests.server.live_helpers import QUICK

DOCS = Path(__file__).parents[2] / "docs"
ADDRESS = "http://127.0.0.1:5252"
MARK = "----- the next command -----"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page):
    """The shell commands of a page."""
    text = (DOCS / "service" / page).read_text(encoding="utf-8")
    return re.findall(r"^```sh\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def examples(page):
    """Commands and what they print. A command ends with the last of its lines: those that go on, or are quoted."""
    for block in blocks(page):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines()
            count = next(number for number in range(1, len(lines) + 1) if is_whole("\n".join(lines[:number])))
            yield "\n".join(lines[:count]), "\n".join(lines[count:])


def is_whole(command: str) -> bool:
    """Whether a shell would run it: nothing is quoted, piped or continued beyond the end."""
    if command.rstrip().endswith(("|", "\\")) or ("<<'END'" in command and not command.endswith("\nEND")):
        return False
    return subprocess.run(["bash", "-n", "-c", command], capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    app = create_app(tmp_path_factory.mktemp("data"), pace=QUICK)
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("bash"), reason="the page is about curl: install it")
@pytest.mark.parametrize(("page", "questions"), [("developers.md", 6), ("tutorial.md", 1)])
def test_curl_examples_are_executed(page, questions, address, tmp_path):
    commands, shown = zip(*examples(page), strict=True)
    assert sum("/api/v1/decide" in command for command in commands) >= questions
    script = f"\necho '{MARK}'\n".join(commands).replace(ADDRESS, address)
    ran = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    printed = re.split(rf"{MARK}\n", ran.stdout)
    assert len(printed) == len(commands) and not ran.stderr, ran
    for command, expected, output in zip(commands, shown, printed, strict=True):
        right = doctest.OutputChecker().check_output(expected, output, FLAGS) if expected else not output
        assert right, f"{command}\nshould print\n{expected}\nand prints\n{output}"


def test_the_page_for_developers_is_named_first():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    assert "[For developers](service/developers.md)" in index
    assert "/api/v1/decide" in blocks("developers.md")[0]
