"""Players on the dealer's core, and off it again."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from felt.interop.acpc.dealer import SharedCore

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="other systems do not let a program choose its cores"),
    pytest.mark.skipif(
        sys.platform == "linux" and len(os.sched_getaffinity(0)) < 2, reason="with one core everybody is on it"
    ),
]

SAY = "import sys; print('ready', flush=True); sys.stdin.readline()"
THREAD = "import threading, sys; threading.Thread(target=sys.stdin.readline).start(); print('ready', flush=True)"
LATER = f"import subprocess, sys; sys.stdin.readline(); subprocess.run([sys.executable, '-S', '-c', {SAY!r}])"


@contextmanager
def player(code: str, ready: bool = True) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        if ready:
            assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.stdin.close()
        process.wait(10)
        process.stdout.close()


def test_all_are_on_one_core_and_then_where_they_were() -> None:
    own = os.sched_getaffinity(0)
    with player(SAY) as one, player(SAY) as other:
        least = {min(own)}
        os.sched_setaffinity(other.pid, least)
        core = SharedCore([one.pid, other.pid])
        assert not core.shared
        core.share()
        assert core.shared
        assert len(os.sched_getaffinity(0)) == 1
        assert os.sched_getaffinity(one.pid) == os.sched_getaffinity(other.pid) == os.sched_getaffinity(0)
        core.release()
        assert not core.shared
        assert (os.sched_getaffinity(0), os.sched_getaffinity(one.pid)) == (own, own)
        assert os.sched_getaffinity(other.pid) == least


def test_players_with_threads_keep_their_cores() -> None:
    own = os.sched_getaffinity(0)
    with player(SAY) as one, player(THREAD) as other:
        core = SharedCore([one.pid, other.pid])
        core.share()
        assert not core.shared
        assert os.sched_getaffinity(0) == os.sched_getaffinity(one.pid) == os.sched_getaffinity(other.pid) == own


def test_what_a_player_starts_meanwhile_is_released_too() -> None:
    own = os.sched_getaffinity(0)
    with player(LATER, ready=False) as one:
        core = SharedCore([one.pid])
        core.share()
        assert one.stdin is not None and one.stdout is not None
        one.stdin.write("go\n")
        one.stdin.flush()
        assert one.stdout.readline() == "ready\n"  # the child's
        (child,) = map(int, Path(f"/proc/{one.pid}/task/{one.pid}/children").read_text().split())
        assert len(os.sched_getaffinity(child)) == 1
        core.release()
        assert os.sched_getaffinity(child) == own


def test_players_that_are_gone_are_no_trouble() -> None:
    own = os.sched_getaffinity(0)
    with ExitStack() as stack:
        core = SharedCore([stack.enter_context(player(SAY)).pid, stack.enter_context(player(SAY)).pid])
        core.share()
        assert core.shared
    core.release()
    core.share()
    assert not core.shared
    assert os.sched_getaffinity(0) == own
