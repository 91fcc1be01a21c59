"""The page on installing names all extras that there are, with what they bring; and so do messages."""

import json
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from felt.errors import install_command

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
ROWS = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", (ROOT / "docs" / "install.md").read_text(), re.MULTILINE))
SPOKEN = {"psycopg[binary]": "psycopg", "torch": "PyTorch", "open_spiel": "OpenSpiel"}


def test_every_extra_has_a_row_and_every_row_is_an_extra():
    assert {name for name in ROWS if name.islower()} == set(EXTRAS)


@pytest.mark.parametrize("extra", sorted(set(EXTRAS) - {"dev"}))
def test_a_row_names_all_that_the_extra_brings(extra):
    packages = [re.split("[>=<;]", package)[0].strip() for package in EXTRAS[extra]]
    missing = [name for name in packages if SPOKEN.get(name, name).lower() not in ROWS[extra].lower()]
    assert not missing


def test_every_extra_that_a_message_or_a_page_names_is_there():
    texts = [path.read_text() for path in (ROOT / "src" / "felt").rglob("*.py")]
    assert not [text for text in texts if "pip install 'felt-poker" in text]
    named = {name for text in texts for name in re.findall(r"install_command\('(\w+)'\)", text)}
    assert {"server", "arena", "envs", "scale", "postgres"} <= named <= set(EXTRAS)
    for page in (ROOT / "docs").rglob("*.md"):
        for extras in re.findall(r"pip install ['\"]?\.\[([\w,]+)\]", page.read_text()):
            assert set(extras.split(",")) <= set(EXTRAS), page.name
        assert "felt-poker[" not in page.read_text(), f"{page.name}: nothing is on the index before the first release"


class Installed:
    """A distribution that was installed from somewhere (PEP 610)."""

    def __init__(self, origin: object) -> None:
        self.origin = origin

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.origin is None else json.dumps(self.origin)


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, "pip install 'felt-poker[envs]'"),
        ({"url": "file:///home/ann/my%20felt", "dir_info": {}}, "pip install '/home/ann/my felt[envs]'"),
        (
            {"url": "https://example.org/felt", "vcs_info": {"vcs": "git", "commit_id": "f00"}},
            "pip install 'felt-poker[envs] @ git+https://example.org/felt'",
        ),
        (
            {"url": "file:///home/ann/felt.whl", "archive_info": {}},
            "pip install 'felt-poker[envs] @ file:///home/ann/felt.whl'",
        ),
    ],
)
def test_an_extra_is_installed_from_where_felt_came(origin, command, monkeypatch):
    monkeypatch.setattr(metadata, "distribution", lambda _: Installed(origin))
    assert install_command("envs") == command


def test_without_an_installation_the_folder_is_named(monkeypatch):
    def absent(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", absent)
    assert install_command("server") == f"pip install '{ROOT}[server]'"
