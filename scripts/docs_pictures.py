"""Take the pictures of the docs again: the service's pages in a Chromium, and the plots of a match.

``.venv/bin/python -m scripts.docs_pictures`` takes all of them; with names (``lobby report``) only those. It needs a
Chromium (see CONTRIBUTING), serves on loopback, and writes small WebP files into docs/assets. Decks are shuffled from a
seed; what agents do differs from run to run.
"""

import asyncio
import itertools
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import uvicorn
from PIL import Image
from playwright.sync_api import Browser, Page
from tests.browser.chromium import MISSING, chromium, launched
from tests.browser.page_words import LOOK, NAME_FIELD, Seen, read

from felt.cards.deck import Deck
from felt.games.fair import FairDeal
from felt.server.tables.settings import Pace
from felt.server.web.app import create_app

ASSETS = Path(__file__).parents[1] / "docs" / "assets"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
RIVALS = ("potodds", "call", "chen", "potodds", "call")
LARGEST = 80_000
"""Bytes of a picture."""


@contextmanager
def service(folder: Path) -> Iterator[str]:
    """The address of a running service whose decks come from a seed."""
    seeds = itertools.count(5)

    def shuffle(deck: Deck) -> FairDeal:
        cards = list(deck.cards)
        random.Random(next(seeds)).shuffle(cards)
        return FairDeal(tuple(cards), "00")

    listener = socket.create_server(("127.0.0.1", 0))
    app = create_app(folder, pace=Pace(after_hand=0.2, agent=0.0), shuffle=shuffle)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(20)


def save(name: str, picture: bytes, *, width: int | None = None) -> None:
    """Write a screenshot as WebP, scaled to a width."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    if width:
        image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    path = ASSETS / f"{name}.webp"
    image.save(path, quality=80, method=6)
    size = path.stat().st_size
    assert size < LARGEST, f"{path.name} has {size:,} bytes; a picture of the docs has less than {LARGEST:,}"
    print(f"{path.name}: {image.width} × {image.height}, {size:,} bytes")


def new_page(browser: Browser, size: dict[str, int]) -> Page:
    context = browser.new_context(viewport=size, reduced_motion="reduce", service_workers="block")  # type: ignore[arg-type]
    context.set_default_timeout(30_000)
    return context.new_page()


def wait_until(page: Page, holds: Callable[[Seen], object]) -> Seen:
    """Look at the table until something holds, for a minute at most."""
    for _ in range(600):
        answer = page.evaluate(LOOK)
        if answer and holds(seen := read(answer)):
            page.wait_for_timeout(400)  # until cards and chips lie still
            return seen
        page.wait_for_timeout(100)
    raise TimeoutError(f"the table never came to it: {page.url}")


def open_table(page: Page, address: str, name: str) -> None:
    """Sit down with five agents."""
    page.goto(address)
    page.get_by_role("textbox", name=NAME_FIELD).fill(name)
    for _ in RIVALS[1:]:
        page.get_by_role("button", name="one more").click()
    page.get_by_role("button", name="Set up a table").click()
    dialog = page.get_by_role("dialog", name="Set up a table")
    for number, agent in enumerate(RIVALS, start=2):
        dialog.get_by_label(f"Seat {number}", exact=True).select_option(agent)
    dialog.get_by_role("button", name="Open the table").click()
    wait_until(page, lambda seen: seen.you.cards)


def reach_flop(page: Page) -> Seen:
    """Check and call until a flop or a turn waits for one's own decision."""
    while True:
        seen = wait_until(page, lambda seen: seen.yours)
        if len(seen.board) in (3, 4) and seen.pot > 6 and "high card" not in seen.hold:
            return seen
        page.keyboard.press("c")
        wait_until(page, lambda now, before=seen: now.log != before.log)


def take_lobby(browser: Browser, address: str) -> None:
    page = new_page(browser, DESKTOP)
    page.goto(address)
    page.locator("button[data-agent='tag']").wait_for()
    page.get_by_role("textbox", name=NAME_FIELD).fill("Ada")
    save("lobby", page.screenshot())


def take_table(browser: Browser, address: str) -> None:
    page = new_page(browser, DESKTOP)
    open_table(page, address, "Ada")
    reach_flop(page)
    save("table", page.screenshot())


def take_phone(browser: Browser, address: str) -> None:
    page = new_page(browser, PHONE)
    open_table(page, address, "Bea")
    reach_flop(page)
    save("phone", page.screenshot())


def take_replayer(browser: Browser, address: str) -> None:
    """Some hands are played, then one is looked at again; the statistics are taken with them."""
    page = new_page(browser, DESKTOP)
    open_table(page, address, "Cleo")
    while (seen := wait_until(page, lambda seen: seen.yours)).hand < 12:
        page.keyboard.press("c")
        wait_until(page, lambda now, before=seen: now.log != before.log)
    page.goto(f"{address}#/statistics")
    page.get_by_role("heading").first.wait_for()
    page.wait_for_timeout(1_000)
    save("statistics", page.screenshot())
    page.goto(f"{address}#/hands")
    page.get_by_test_id("hand-row").first.wait_for()
    page.wait_for_timeout(500)
    save("hands", page.screenshot())
    page.get_by_test_id("hand-row").nth(1).click()
    page.get_by_role("button", name="Last step").wait_for()
    for _ in range(40):
        page.get_by_role("button", name="Step forward").click()
        page.wait_for_timeout(150)
        if page.get_by_test_id("decision").count() and len(page.get_by_test_id("board").locator("svg").all()) >= 3:
            break
    page.wait_for_timeout(1_000)
    save("replayer", page.screenshot())


def take_report(browser: Browser, address: str) -> None:
    """A match of two agents: the first part of its report, and one of its plots."""
    felt = str(Path(sys.executable).parent / "felt")
    with tempfile.TemporaryDirectory() as folder:
        words = "match tag chen --hands 100000 --duplicate --seed 1 --report match.html --plots plots"
        subprocess.run([felt, *words.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        page = new_page(browser, {"width": 1100, "height": 1180})
        page.goto((Path(folder) / "match.html").as_uri())
        save("report", page.screenshot())
        save("moving-average", (Path(folder) / "plots" / "moving-average.png").read_bytes(), width=1000)


TAKERS = {
    "lobby": take_lobby,
    "table": take_table,
    "phone": take_phone,
    "replayer": take_replayer,
    "report": take_report,
}


def main(names: list[str]) -> None:
    program = chromium()
    if program is None:
        sys.exit(MISSING)
    unknown = [name for name in names if name not in TAKERS]
    if unknown:
        sys.exit(f"no picture {unknown[0]!r}: choose from {', '.join(TAKERS)}")
    folder = Path(tempfile.mkdtemp())
    try:
        with launched(program) as browser, service(folder) as address:
            for name in names or TAKERS:
                TAKERS[name](browser, address)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
