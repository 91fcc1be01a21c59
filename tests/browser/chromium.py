"""The Chromium of this machine, for tests and for the benchmark of the page."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium on this machine: install the package chromium, or set FELT_CHROMIUM to the program"


def chromium() -> str | None:
    """Where it is, if there is one."""
    return os.environ.get("FELT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched(program: str) -> Iterator[Browser]:
    """The browser, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()
