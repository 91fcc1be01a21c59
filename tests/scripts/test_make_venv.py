"""Set-up on a machine whose Python has no pip: taken from the index, the newest, and only if it is whole."""

import hashlib
import importlib.util
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
WHEEL = b"a wheel"
DIGEST = hashlib.sha256(WHEEL).hexdigest()


@pytest.fixture
def make_venv(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.delenv("PIP_CERT", raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "https://index.test/simple/")
    spec = importlib.util.spec_from_file_location("make_venv", ROOT / "scripts" / "make_venv.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def serve(module: ModuleType, monkeypatch: pytest.MonkeyPatch, page: str) -> tuple[list[str], list[bytes]]:
    """Answer from `page` instead of the network; returns what is asked for and what is installed."""
    asked: list[str] = []
    installed: list[bytes] = []

    def answer(address: str, **_: Any) -> BytesIO:
        asked.append(address)
        return BytesIO(page.encode() if address.endswith("/") else WHEEL)

    def install(wheels: list[Path]) -> bool:
        installed.extend(wheel.read_bytes() for wheel in wheels)
        return True

    monkeypatch.setattr(module.urllib.request, "urlopen", answer)
    monkeypatch.setattr(module, "pip_of_wheels", install)
    return asked, installed


def link(version: str, digest: str = DIGEST) -> str:
    return f'<a href="../../files/pip-{version}-py3-none-any.whl#sha256={digest}" data-requires-python="">pip</a>\n'


def test_the_newest_release_is_taken(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    page = link("9.0.3") + link("24.10") + link("24.9.1") + link("25.0b1")
    asked, installed = serve(make_venv, monkeypatch, page)
    assert make_venv.pip_of_index()
    assert asked == ["https://index.test/simple/pip/", "https://index.test/files/pip-24.10-py3-none-any.whl"]
    assert installed == [WHEEL]


@pytest.mark.parametrize("page", ["", "<html>nothing here</html>", link("24.0", "0" * 64)])
def test_a_page_without_a_sound_wheel_is_no_way(
    page: str, make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, installed = serve(make_venv, monkeypatch, page)
    assert not make_venv.pip_of_index()
    assert not installed


def test_a_network_that_fails_is_no_way(make_venv: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError("no route")

    monkeypatch.setattr(make_venv.urllib.request, "urlopen", fail)
    assert not make_venv.pip_of_index()
