"""Reading what a report says, as a browser would: strict about tags, so that broken markup is seen."""

from html.parser import HTMLParser

VOID = {"meta", "link"}


class Page(HTMLParser):
    """The tables, texts and ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self.tables: dict[str, list[list[tuple[str, list[float]]]]] = {}
        """By label, rows of cells: what is read, and the figures behind it."""
        self._label = ""
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.tags.append((tag, named))
        if tag in VOID:
            return
        self.open.append(tag)
        if named.get("role") == "region":
            self._label = named["aria-label"]
            self.tables[self._label] = []
        elif tag == "tr":
            self.tables[self._label].append([])
        elif tag in ("td", "th"):
            self.tables[self._label][-1].append(("", []))
        elif tag == "data" and {"td", "th"} & set(self.open):
            self.tables[self._label][-1][-1][1].append(float(named["value"]))

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open}"
        self.open.pop()

    def handle_data(self, data):
        self.texts.append((tuple(self.open), data))
        if {"td", "th"} & set(self.open):
            text, figures = self.tables[self._label][-1][-1]
            self.tables[self._label][-1][-1] = (text + data, figures)

    def within(self, tag: str) -> str:
        """All text inside of elements of a kind."""
        return "".join(text for where, text in self.texts if tag in where)

    def figures(self, label: str) -> dict[str, list[list[float]]]:
        """By the name of the row, the figures of its cells."""
        return {row[0][0]: [figures for _, figures in row[1:]] for row in self.tables[label][1:]}

    @property
    def ids(self) -> list[str]:
        return [named["id"] for _, named in self.tags if "id" in named]
