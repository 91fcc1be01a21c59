"""What all tests share: where the reference data lie, and how hypothesis looks for examples."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from tests.databases import place, postgres_server

__all__ = ["place", "postgres_server"]

ROOT = Path(__file__).parent.parent

EXAMPLES = 200 if os.environ.get("FELT_SLOW_TESTS") else 40
settings.register_profile("ci", max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
settings.register_profile("explore", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background: programs would be deaf
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only takes longer, unless it is asked for; mark what does more when it is."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.grows)
    if not os.environ.get("FELT_SLOW_TESTS"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published reference figures, which are not ours to ship."""
    folder = Path(os.environ.get("FELT_SHARED_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no reference data at {folder}: set FELT_SHARED_DATA to their folder")
    return folder


@pytest.fixture(scope="session", params=["own", "published"])
def hand_files(request: pytest.FixtureRequest) -> Path:
    """A folder of hand histories of all formats: a few of our own, then those that are published, if they are there."""
    if request.param == "own":
        return ROOT / "tests" / "fixtures" / "hands"
    folder: Path = request.getfixturevalue("shared_data")
    return folder
