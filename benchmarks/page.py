"""How soon the page can be used: from the start of loading it until an opponent can be chosen, in a real Chromium."""

import gzip
import statistics
from pathlib import Path
from typing import Any

from tests.browser.chromium import MISSING, chromium, launched

import felt.server

STATIC = Path(felt.server.__file__).parent / "web" / "static"
MARK = """
new MutationObserver(() => {
  if (!window.usable && document.querySelector("main .rivals button:not(:disabled)")) window.usable = performance.now();
}).observe(document, { childList: true, subtree: true, attributes: true });
"""
"""`performance.now` counts from when the loading began."""


def page_rows(port: int, *, quick: bool = False) -> list[dict[str, Any]]:
    """Loads of the lobby, cold (a browser that has never seen the page) and warm, and the size of the page."""
    program = chromium()
    if program is None:
        print(f"the page is not measured: {MISSING}")
        return [size_row()]
    loads = 5 if quick else 20
    address = f"http://127.0.0.1:{port}/"
    cold, warm = [], []
    with launched(program) as browser:
        for number in range(loads + 1):
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            context.add_init_script(MARK)
            page = context.new_page()
            for found in (cold, warm):
                page.goto(address)
                seconds = page.wait_for_function("window.usable").json_value() / 1e3
                if number:  # the first one also starts the browser
                    found.append(seconds)
            context.close()
    rows = [_row(f"page usable, {which}, {loads} loads", runs) for which, runs in (("cold", cold), ("again", warm))]
    return [*rows, size_row()]


def size_row() -> dict[str, Any]:
    """All that a browser loads for the page, compressed."""
    files = [path for path in STATIC.rglob("*") if path.suffix in (".html", ".js", ".css", ".webmanifest", ".svg")]
    size = sum(len(gzip.compress(path.read_bytes())) for path in files)
    return {"name": "size of the page, gzip", "value": size, "unit": "B", "spread": [size, size]} | {
        "target": 250_000,
        "target_kind": "under",
    }


def _row(name: str, seconds: list[float]) -> dict[str, Any]:
    return {
        "name": f"{name}, median",
        "value": statistics.median(seconds),
        "unit": "s",
        "spread": [min(seconds), max(seconds)],
        "runs": seconds,
        "target": 1.0,
        "target_kind": "under",
    }
