"""The SVG chart: sound XML, the right numbers in it, and colours that can be read."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from felt.cards.combos import CLASS_NAMES
from felt.cards.ranges.chart import _STYLE, range_svg
from felt.cards.ranges.range import Range

SVG = "{http://www.w3.org/2000/svg}"
HANDS = "TT+, AKs:0.5, AKo:0.25, A2s:0.004, KQs:0.999, 7s2s"


def cells(svg: str) -> dict[str, ElementTree.Element]:
    """The group of each class, by the name that is written in it."""
    groups = ElementTree.fromstring(svg).findall(f"{SVG}g")
    return {group.findtext(f"{SVG}text"): group for group in groups}


def opacity(cell: ElementTree.Element) -> float:
    filled = [rect for rect in cell.findall(f"{SVG}rect") if rect.get("fill-opacity")]
    return float(filled[0].get("fill-opacity")) if filled else 0.0


def test_all_169_hands_stand_in_their_place() -> None:
    found = cells(range_svg(Range.parse(HANDS)))
    assert list(found) == list(CLASS_NAMES)
    places = {name: (float(cell[1].get("x")), float(cell[1].get("y"))) for name, cell in found.items()}
    assert places["AA"] < places["22"]
    assert places["AKs"][0] > places["AA"][0] and places["AKs"][1] == places["AA"][1]
    assert places["AKo"][1] > places["AA"][1] and places["AKo"][0] == places["AA"][0]
    assert len(set(places.values())) == 169


def test_opacity_is_the_weight() -> None:
    hands = Range.parse(HANDS)
    found = cells(range_svg(hands))
    for name, weight in zip(CLASS_NAMES, hands.class_weights(), strict=True):
        assert opacity(found[name]) == pytest.approx(weight, abs=1e-4), name
        assert found[name].get("class") == ("in" if weight else "out")


def test_colours_tell_pairs_suited_and_offsuit_apart() -> None:
    found = cells(range_svg(Range.full()))
    kinds = {name: cell.findall(f"{SVG}rect")[1].get("class") for name, cell in found.items()}
    assert (kinds["TT"], kinds["T9s"], kinds["T9o"]) == ("pair", "suited", "offsuit")
    assert sorted(kinds.values()).count("pair") == 13
    assert sorted(kinds.values()).count("suited") == sorted(kinds.values()).count("offsuit") == 78


def test_partial_weights_are_written_out() -> None:
    found = cells(range_svg(Range.parse(HANDS)))
    written = {name: [text.text for text in cell.findall(f"{SVG}text")][1:] for name, cell in found.items()}
    assert written["AKs"] == ["50 %"] and written["72s"] == ["25 %"]
    assert written["A2s"] == ["<1 %"] and written["KQs"] == [">99 %"]
    assert written["AA"] == written["QJs"] == []


def test_tooltips_say_weight_and_combos() -> None:
    found = cells(range_svg(Range.parse(HANDS)))
    assert found["AKo"].findtext(f"{SVG}title") == "AKo: weight 0.25, 3 of 12 combos"
    assert found["72s"].findtext(f"{SVG}title") == "72s: weight 0.25, 1 of 4 combos"


def test_the_caption_counts_the_range() -> None:
    svg = range_svg(Range.parse("random"))
    assert "1,326 of 1,326 combos · 100.00 % of hands" in svg
    figure_5 = Range.parse("TT+, AKs, AKo, AQs") | Range.parse("99").scaled(0.50666667)
    assert "53.04 of 1,326 combos · 4.00 % of hands" in range_svg(figure_5)


def test_titles() -> None:
    root = ElementTree.fromstring(range_svg(Range.parse("AA"), title='Call & "see" <it>'))
    assert root.findtext(f"{SVG}title") == 'Call & "see" <it>'
    assert root.get("role") == "img" and root.get("aria-label").startswith('Call & "see" <it>: 6 of 1,326')
    long = ElementTree.fromstring(range_svg(Range.parse("AhX")))
    assert len(long.findtext(f"{SVG}text")) == 50
    assert long.findtext(f"{SVG}title") == str(Range.parse("AhX"))
    assert "empty range" in range_svg(Range.empty())


def test_the_picture_needs_nothing_from_elsewhere() -> None:
    svg = range_svg(Range.parse(HANDS))
    assert svg == Range.parse(HANDS).to_svg()
    assert not re.findall(r"(?:href|src|url|@import)\b", svg)
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_on_every_colour(scheme: str) -> None:
    """WCAG AA asks for a contrast of 4.5; an opacity in between mixes two colours that both pass."""
    light, dark = _STYLE.split("@media (prefers-color-scheme:dark)")
    style = light if scheme == "light" else dark
    fill = dict(re.findall(r"([\w. ]+)\{[^}]*?fill:(#\w{6})", style))
    for surface in (".page", ".cell", ".pair", ".suited", ".offsuit"):
        assert contrast(fill["text"], fill[surface]) >= 4.5, surface
    assert contrast(fill[".out .name"], fill[".cell"]) >= 4.5
    assert contrast(fill[".note"], fill[".page"]) >= 4.5


def test_the_picture_in_the_docs_is_the_one_we_draw() -> None:
    docs = Path(__file__).parents[2] / "docs"
    written = re.search(r'\$ felt range "(.*)" --svg', (docs / "study" / "ranges.md").read_text(encoding="utf-8"))
    drawn = Range.parse(written[1]).to_svg(title="An opening range")
    assert (docs / "assets" / "range-chart.svg").read_text(encoding="utf-8") == drawn
