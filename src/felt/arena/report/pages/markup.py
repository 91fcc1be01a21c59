"""Writing HTML: what is not markup is escaped, by construction."""

import re
from collections.abc import Iterable, Sequence
from html import escape

_ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no page may hold: control characters, and halves of characters."""


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
