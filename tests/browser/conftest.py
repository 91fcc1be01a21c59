"""One Chromium and one service for these tests; a fresh browser profile for each of them, at two sizes."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.chromium import MISSING, chromium, launched
from tests.browser.game import Player
from tests.browser.service import Served

SIZES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
HURRY = "Object.defineProperty(document, 'hidden', { get: () => true })"
"""The page shows what agents do one after the other, so that people can follow; not to a tab that nobody sees."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Not for the whole session: while it is there, no other test can run an event loop in this thread."""
    found = chromium()
    if found is None:
        pytest.skip(MISSING)
    with launched(found) as browser:
        yield browser


@pytest.fixture(scope="package")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("data"))
    yield served
    served.stop()


@pytest.fixture
def served(running: Served) -> Iterator[Served]:
    """The service, as it is before anything is told to it."""
    yield running
    running.forget_decks()


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, served: Served, size: str) -> Iterator[Visit]:
    """Open the page in a browser of its own, as often as it is called."""
    contexts: list[BrowserContext] = []

    def open_page(path: str = "", *, hurry: bool = True, **options: object) -> Page:
        context = browser.new_context(**{**SIZES[size], "reduced_motion": "reduce", **options})  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(10_000)
        if hurry:
            context.add_init_script(HURRY)
        page = context.new_page()
        page.goto(served.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def player(visit: Visit, served: Served, size: str) -> Player:
    """Somebody in the lobby."""
    return Player(visit(), served, touch=size == "phone")


@pytest.fixture
def newcomer(visit: Visit, served: Served, size: str) -> Callable[..., Player]:
    """More of them, each with a browser."""
    return lambda path="", **options: Player(visit(path, **options), served, touch=size == "phone")


@pytest.fixture
def screenshots(request: pytest.FixtureRequest, size: str) -> Callable[[Page, str], None]:
    """Keep what is on the screen, where somebody asked for it with FELT_SCREENSHOTS=FOLDER."""
    folder = os.environ.get("FELT_SCREENSHOTS")

    def keep(page: Page, name: str) -> None:
        if folder:
            page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
            page.screenshot(path=Path(folder) / f"{name}-{size}.png")

    return keep
