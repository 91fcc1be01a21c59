"""The pictures of the docs are small, and each is shown on a page."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURES = sorted(path for path in (ROOT / "docs" / "assets").iterdir() if path.suffix in (".webp", ".png", ".svg"))


def test_pictures_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in PICTURES}
    assert {name: size for name, size in sizes.items() if not name.endswith(".svg") and size >= 80_000} == {}
    assert len(sizes) >= 10 and sum(sizes.values()) < 800_000


def test_each_picture_is_shown() -> None:
    pages = [ROOT / "README.md", ROOT / "mkdocs.yml", *(ROOT / "docs").rglob("*.md")]
    text = "".join(path.read_text(encoding="utf-8") for path in pages)
    assert [path.name for path in PICTURES if f"assets/{path.name}" not in text] == []
