"""Writing HTML: what is not markup is escaped, by construction. Drawings become a part of a page, with its own
colours and letters."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from felt.arena.report.panels import LIGHT

_ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no page may hold: control characters, and halves of characters."""


_COLOURS = {value: f"var(--{name})" for name, value in LIGHT.items()}
_USED = re.compile(r"(?:url\(#|href=\"#)([^\")]*)")


class Html(str):
    """Text that is markup already."""


Content = str | Iterable["Content"]


def clean(text: str) -> str:
    """Text with marks in place of what no page may hold."""
    return _ODD.sub("\N{REPLACEMENT CHARACTER}", text)


def to_html(content: Content) -> Html:
    """Content as markup: text is escaped, parts are joined."""
    if isinstance(content, Html):
        return content
    if isinstance(content, str):
        return Html(escape(clean(content), quote=False))
    return Html("".join(to_html(part) for part in content))


def attribute(text: str) -> Html:
    """The value of an attribute."""
    return Html(escape(clean(text)))


def element(tag: str, *content: Content, **attributes: str) -> Html:
    """An element; ``class_`` stands for ``class``, ``aria_label`` for ``aria-label``.

    >>> print(element("p", "1 < 2", element("b", "!"), class_="note"))
    <p class="note">1 &lt; 2<b>!</b></p>
    """
    named = [(name.rstrip("_").replace("_", "-"), attribute(value)) for name, value in attributes.items() if value]
    opening = " ".join([tag, *(f'{name}="{value}"' for name, value in named)])
    return Html(f"<{opening}>{to_html(content)}</{tag}>")


def table(head: Sequence[Content], rows: Iterable[Sequence[Content]], *, label: str, class_: str = "") -> Html:
    """A table whose first column names its rows; where there is no room for it, it can be moved sideways."""
    top = element("tr", *(element("th", title, scope="col") for title in head))
    body = (Html(element("tr", element("th", cells[0], scope="row"), *map(cell, cells[1:])) + "\n") for cells in rows)
    content = element("table", element("thead", top), Html("\n"), element("tbody", *body), class_=class_)
    return element("div", content, class_="scroll", role="region", tabindex="0", aria_label=label)


def cell(content: Content) -> Html:
    """A cell of a table; what is one already stays as it is."""
    return content if isinstance(content, Html) and content.startswith("<td") else element("td", content)


def number(value: float, shown: str) -> Html:
    """A figure as it is read, with the figure itself behind it.

    >>> print(number(-0.5, "-0.5"))
    <data value="-0.5">−0.5</data>
    """
    return element("data", shown.replace("-", "−"), value=repr(float(value)))


def signed(value: float) -> Html:
    """A figure that is more or less than nothing, to a tenth."""
    shown = f"{value:+,.1f}"
    return number(value, "0.0" if shown in ("+0.0", "-0.0") else shown)


def inlined(svg: str, name: str, label: str) -> Html:
    """An SVG for a page: `name` keeps its ids apart from those of others, `label` is for those who cannot see it."""
    begin = re.match(r"^.*?<svg[^>]*?viewBox=\"([^\"]*)\"[^>]*>", svg, re.DOTALL)
    assert begin is not None, "matplotlib writes a viewBox"
    left_out = r"<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>"
    inner = re.sub(left_out, "", svg[begin.end() :], flags=re.DOTALL)
    used = set(_USED.findall(inner))
    inner = re.sub("<[^>]*>", lambda match: _tag(match[0], name, used), inner)
    inner, count = re.sub(r">\s+<", "><", inner.strip()), 1
    while count:
        inner, count = re.subn("<g></g>|<defs></defs>", "", inner)
    return Html(f'<svg viewBox="{begin[1]}" role="img" aria-label="{attribute(label)}">{inner}')


def _tag(tag: str, name: str, used: set[str]) -> str:
    """One tag: text between tags is left alone."""
    tag = re.sub(r" id=\"([^\"]*)\"", lambda match: f' id="{name}-{match[1]}"' if match[1] in used else "", tag)
    tag = _USED.sub(lambda match: match[0].replace("#", f"#{name}-", 1), tag)
    tag = re.sub(r"font-(?:size|family|weight): [^;\"]*;? ?", "", tag)
    tag = re.sub(r" transform=\"rotate\(-?0 [^\"]*\)\"", "", tag)
    tag = re.sub("#[0-9a-f]{6}", lambda match: _COLOURS.get(match[0], match[0]), tag)
    tag = re.sub(r"(?<= )(?:d|x|y|width|height|transform)=\"[^\"]*\"", lambda match: _rounded(match[0]), tag)
    return tag.replace("xlink:href", "href")


def _rounded(places: str) -> str:
    """Coordinates, rounded to a tenth of a point, without needless spaces."""
    places = re.sub(r"-?\d+\.\d+", lambda match: f"{float(match[0]):.1f}".removesuffix(".0"), places)
    return re.sub(r"\s*([A-Za-z])\s+(?=[-\d])", r"\1", places).replace("\n", "") if places[0] == "d" else places
