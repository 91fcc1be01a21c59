"""Tests without the compiler on changed kernels: one process loads everything, each change is tried in a fork of it.

Started in a copy of the project with ``NUMBA_DISABLE_JIT=1``. Each line on stdin asks for one change: the file of
kernels, its function and the changed source, the tests, the most seconds of a test and bytes of memory; each line on
stdout answers with the outcome and the first test that failed. Without the compiler a kernel is a plain function, so
its code is just replaced, wherever the function was imported to.
"""

import importlib
import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Sequence
from types import CodeType
from typing import Any, TextIO

import pytest

PYTEST = ("-x", "-q", "-rfE", "--tb=no", "-p", "no:schemathesis", "-p", "no:cacheprovider", "-m", "no_jit")
LOADED_BEFORE = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""Plugins of pytest are loaded before it by the process that forks, which is no fault of a test."""

HUNG = 99
"""The exit status of a process with a test without end."""


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    tests = sys.argv[1:]
    with tempfile.TemporaryFile("w+") as output:
        os.dup2(output.fileno(), 1)
        pytest.main([*PYTEST, *LOADED_BEFORE, "--collect-only", *tests])
    signal.signal(signal.SIGTERM, _stop)
    for line in sys.stdin:
        print(json.dumps(_try(**json.loads(line))), file=answers, flush=True)


_running: set[int] = set()


def _stop(*_: object) -> None:
    """End with the tests that run."""
    for child in _running:
        os.killpg(child, signal.SIGKILL)
    os._exit(0)


def _try(module: str, function: str, source: str, tests: Sequence[str], seconds: int, memory: int) -> dict[str, str]:
    kernel: Any = getattr(importlib.import_module(module), function) if function else None
    with tempfile.TemporaryFile("w+") as output:
        child = os.fork()
        if child == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            if function:
                kernel.__code__ = _code(source, kernel.__code__)
            watch = _Watch(seconds, output)
            os._exit(int(pytest.main([*PYTEST, *LOADED_BEFORE, *tests], plugins=[watch])))
        _running.add(child)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        _running.remove(child)
        return _outcome(status, output)


class _Watch:
    """Ends the process when a test takes too many seconds of the processor; how busy the machine is does not matter."""

    def __init__(self, seconds: int, output: TextIO) -> None:
        self.seconds, self.output, self.test = seconds, output, ""
        signal.signal(signal.SIGPROF, self.stop)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.test = nodeid
        signal.setitimer(signal.ITIMER_PROF, self.seconds)

    def stop(self, *_: object) -> None:
        print(f"\nFAILED {self.test}", file=self.output, flush=True)
        os._exit(HUNG)


def _code(source: str, former: CodeType) -> CodeType:
    """The compiled form of the function that has the name of `former` in a changed source."""
    codes = compile(source, former.co_filename, "exec").co_consts
    return next(code for code in codes if isinstance(code, CodeType) and code.co_name == former.co_name)


def _outcome(status: int, output: TextIO) -> dict[str, str]:
    if status in (0, 5):  # 5: no test of these is marked no_jit
        return {"outcome": "survived", "test": ""}
    output.seek(0)
    lines = output.read().strip().splitlines() or [""]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    outcome = "hung" if status == HUNG else "caught"
    return {"outcome": outcome, "test": failed[0].split(" - ")[0] if failed else f"exit {status}: {lines[-1]}"}


if __name__ == "__main__":
    main()
