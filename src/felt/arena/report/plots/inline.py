"""Drawings as a part of a page: small, with the page's own colours and letters."""

import re

from felt.arena.report.colours import LIGHT
from felt.arena.report.markup import Html, attribute

_COLOURS = {value: f"var(--{name})" for name, value in LIGHT.items()}
_BEFORE = re.compile(r"^.*?<svg[^>]*?viewBox=\"([^\"]*)\"[^>]*>", re.DOTALL)
_LEFT_OUT = re.compile(r"<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_BETWEEN = re.compile(r">\s+<")
_EMPTY = re.compile(r"<g></g>|<defs></defs>")

_FONT = re.compile(r"font-(?:size|family|weight): [^;\"]*;? ?")
_NO_TURN = re.compile(r" transform=\"rotate\(-?0 [^\"]*\)\"")
_ID = re.compile(r" id=\"([^\"]*)\"")
_USED = re.compile(r"(?:url\(#|href=\"#)([^\")]*)")
_PLACES = re.compile(r"(?<= )(?:d|x|y|width|height|transform)=\"[^\"]*\"")
_NUMBER = re.compile(r"-?\d+\.\d+")


def inlined(svg: str, name: str, label: str) -> Html:
    """An SVG for a page: `name` keeps its ids apart from those of others, `label` is for those who cannot see it."""
    begin = _BEFORE.match(svg)
    assert begin is not None, "matplotlib writes a viewBox"
    inner = _LEFT_OUT.sub("", svg[begin.end() :])
    used = set(_USED.findall(inner))
    inner = _TAG.sub(lambda found: _tag(found[0], name, used), inner)
    inner = _BETWEEN.sub("><", inner.strip())
    while _EMPTY.search(inner):
        inner = _EMPTY.sub("", inner)
    return Html(f'<svg viewBox="{begin[1]}" role="img" aria-label="{attribute(label)}">{inner}')


def _tag(tag: str, name: str, used: set[str]) -> str:
    """One tag: text between tags is left alone."""
    tag = _ID.sub(lambda found: f' id="{name}-{found[1]}"' if found[1] in used else "", tag)
    tag = _USED.sub(lambda found: found[0].replace("#", f"#{name}-", 1), tag)
    tag = _NO_TURN.sub("", _FONT.sub("", tag))
    tag = re.sub("#[0-9a-f]{6}", lambda found: _COLOURS.get(found[0], found[0]), tag)
    tag = _PLACES.sub(lambda found: _rounded(found[0]), tag)
    return tag.replace("xlink:href", "href")


def _rounded(places: str) -> str:
    """Where things are, to a tenth of a point, and without spaces that say nothing."""
    places = _NUMBER.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), places)
    return re.sub(r"\s*([A-Za-z])\s+(?=[-\d])", r"\1", places).replace("\n", "") if places[0] == "d" else places
