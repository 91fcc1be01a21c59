"""One Chromium and one service for these tests, and pages of two sizes."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import MISSING, chromium, launched
from tests.browser.game import Player
from tests.browser.service import Served

SIZES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
HURRY = "Object.defineProperty(document, 'hidden', { get: () => true })"
"""The page shows what agents do one after the other, so that people can follow; not to a tab that nobody sees."""


QUICK = ("test_first_hand", "test_login", "test_showdown", "test_scenarios_page")
"""What `make test` plays, the first hand on a phone too; `make test-long` plays the rest, at both sizes."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All scenarios in a browser take minutes: most of them wait for those who have them."""
    for item in items:
        if not isinstance(item, pytest.Function) or "tests.browser" not in item.module.__name__:
            continue
        module = item.module.__name__.rpartition(".")[2]
        phone = hasattr(item, "callspec") and item.callspec.params.get("size") == "phone"
        if module not in QUICK or (phone and module != "test_first_hand"):
            item.add_marker(pytest.mark.long)


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
    running.clear()


@pytest.fixture(params=SIZES)
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def new_page(browser: Browser, size: str, *, hurry: bool = True, **options: object) -> Page:
    """A page in a profile of its own. Service workers only cost time here: nothing is loaded twice."""
    usual = {**SIZES[size], "reduced_motion": "reduce", "service_workers": "block"}
    context = browser.new_context(**{**usual, **options})  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    if hurry:
        context.add_init_script(HURRY)
    return context.new_page()


@pytest.fixture(scope="package")
def first_pages(browser: Browser) -> Iterator[Callable[[str], Page]]:
    """A page of each size that tests take one after the other: a profile for each would take half of the time."""
    pages: dict[str, Page] = {}

    def page_of(size: str) -> Page:
        if size not in pages:
            pages[size] = new_page(browser, size)
        page = pages[size]
        page.context.clear_cookies()
        if page.url != "about:blank":
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            page.goto("about:blank")
        return page

    yield page_of
    for page in pages.values():
        page.context.close()


@pytest.fixture
def player(first_pages: Callable[[str], Page], served: Served, size: str) -> Player:
    """Somebody in the lobby."""
    page = first_pages(size)
    page.goto(served.address)
    return Player(page, served, touch=size == "phone")


@pytest.fixture
def newcomer(browser: Browser, served: Served, size: str) -> Iterator[Callable[..., Player]]:
    """More of them, each with a browser of their own."""
    pages: list[Page] = []

    def come(path: str = "", **options: object) -> Player:
        pages.append(new_page(browser, size, **options))
        pages[-1].goto(served.address + path)
        return Player(pages[-1], served, touch=size == "phone")

    yield come
    for page in pages:
        page.context.close()


@pytest.fixture
def screenshots(request: pytest.FixtureRequest, size: str) -> Callable[[Page, str], None]:
    """Keep what is on the screen, where somebody asked for it with FELT_SCREENSHOTS=FOLDER."""
    folder = os.environ.get("FELT_SCREENSHOTS")

    def keep(page: Page, name: str) -> None:
        if folder:
            page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
            page.screenshot(path=Path(folder) / f"{name}-{size}.png")

    return keep
