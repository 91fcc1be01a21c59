"""Drawings as a part of a page: small, with the page's own colours and letters."""

import re

from felt.arena.report.pages.markup import Html, attribute
from felt.arena.report.plots.colours import LIGHT

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
    inner = _TAG.sub(lambda match: _tag(match[0], name, used), inner)
    inner = _BETWEEN.sub("><", inner.strip())
    while _EMPTY.search(inner):
        inner = _EMPTY.sub("", inner)
    return Html(f'<svg viewBox="{begin[1]}" role="img" aria-label="{attribute(label)}">{inner}')


def _tag(tag: str, name: str, used: set[str]) -> str:
    """One tag: text between tags is left alone."""
    tag = _ID.sub(lambda match: f' id="{name}-{match[1]}"' if match[1] in used else "", tag)
    tag = _USED.sub(lambda match: match[0].replace("#", f"#{name}-", 1), tag)
    tag = _NO_TURN.sub("", _FONT.sub("", tag))
    tag = re.sub("#[0-9a-f]{6}", lambda match: _COLOURS.get(match[0], match[0]), tag)
    tag = _PLACES.sub(lambda match: _rounded(match[0]), tag)
    return tag.replace("xlink:href", "href")


def _rounded(places: str) -> str:
    """Coordinates, rounded to a tenth of a point, without needless spaces."""
    places = _NUMBER.sub(lambda match: f"{float(match[0]):.1f}".removesuffix(".0"), places)
    return re.sub(r"\s*([A-Za-z])\s+(?=[-\d])", r"\1", places).replace("\n", "") if places[0] == "d" else places
