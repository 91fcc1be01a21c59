"""Parts that all pages have in common."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from importlib.resources import files
from typing import Protocol

import felt
from felt.agents.naming import Entrant
from felt.arena.conductor.conduct import Conduct, Fault, Penalty
from felt.arena.report.pages.markup import Content, Html, element, number, signed, table, to_html
from felt.arena.report.plots.colours import DARK, LIGHT, PLAYERS, dashed, variables
from felt.stats.rates import Rate

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""The page asks nobody for anything, and runs nothing, whatever an agent wrote into it."""

_FAULTS = {Fault.ILLEGAL: "illegal move", Fault.TIMEOUT: "timeout", Fault.ERROR: "error"}

Facts = Sequence[tuple[str, Content]]


def document(title: str, *body: Content) -> str:
    """A whole page."""
    head = (
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="color-scheme" content="light dark">'),
        Html(f'<meta name="generator" content="Felt {felt.__version__}">'),
        Html('<link rel="icon" href="data:,">'),
        element("title", f"{title} · Felt"),
        element("style", Html(style())),
    )
    page = element("html", element("head", *head), Html("\n"), element("body", element("main", *body)), lang="en")
    return f"<!doctype html>\n{page}\n"


def style() -> str:
    """The style sheet, with the colours of the drawings for light pages, dark ones and paper."""
    sheet = files("felt.arena.report").joinpath("style.css").read_text(encoding="utf-8")
    light, dark = variables(LIGHT), variables(DARK)
    return (
        f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        + "".join(f".c{number}{{--c:var(--p{number})}}" for number in range(PLAYERS))
        + f"\n{sheet}"
    )


def section(title: str, *content: Content) -> Html:
    """A part of a page under its title."""
    return element("section", element("h2", title), *content)


def header(kind: str, title: str, verdict: str, *, settled: bool) -> Html:
    """The title of the page, and the result in a sentence."""
    return element(
        "header",
        element("p", Html("<span aria-hidden=true>♠</span> "), kind, class_="kind"),
        element("h1", title),
        element("p", verdict, class_="verdict settled" if settled else "verdict"),
    )


def beside(drawn: Content, note: str) -> Html:
    """A drawing, with a note on it and on the table above."""
    return element("div", drawn, element("p", note, class_="note"), class_="pair")


def facts(pairs: Facts) -> Html:
    """A list of names with their values."""
    return element("dl", *(element("div", element("dt", name), element("dd", value)) for name, value in pairs))


def swatch(player: int) -> Html:
    """The colour of a player."""
    kind = "dash" if dashed(player) else "line"
    return element("i", class_=f"swatch {kind} c{player % PLAYERS}", aria_hidden="true")


def player_name(player: int, name: str) -> Html:
    """A player's name with the colour of its curves."""
    return element("span", swatch(player), name, class_="player")


def rate_cells(rate: Rate) -> tuple[Html, Html]:
    """A rate and its interval, in mbb/hand."""
    shown = signed(rate.mbb)
    strong = element("strong", shown) if rate.settled else shown
    if rate.ci95 is None:
        return strong, to_html("–")
    low, high = rate.ci95
    return to_html([strong, half_width(rate)]), to_html([signed(low), " to ", signed(high)])


def half_width(rate: Rate) -> Content:
    """Half the width of an interval, under its rate."""
    return "" if rate.half is None else element("small", "± ", number(rate.half, f"{rate.half:,.1f}"))


class Ruled(Protocol):
    """A match, or another competition with rules for agents that do wrong."""

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The agents."""

    @property
    def penalty(self) -> Penalty:
        """What is done in their place."""

    @property
    def timeout(self) -> float:
        """Seconds for a decision."""


def conduct_section(rows: Sequence[tuple[Html, dict[str, int]]], incidents: Iterable[Html], match: Ruled) -> Html:
    """What agents did wrong: how often, and the first of each with all that is known."""
    rule = f"Rule for an agent that does wrong: {match.penalty}; time for a decision: {match.timeout:g} s."
    if not any(any(counts.values()) for _, counts in rows):
        return section("Errors of agents", element("p", "Nobody did anything wrong. ", rule))
    faults = [fault.value for fault in Fault]
    counted = ([name, *(number(counts[fault], f"{counts[fault]:,}") for fault in faults)] for name, counts in rows)
    shown = table(["player", *faults], counted, label="Errors of agents", class_="faults")
    heading = element("p", "The first few of each player, with what the agent itself said:")
    return section("Errors of agents", element("p", rule), shown, heading, *incidents)


def in_match(hand: int) -> str:
    """Names the hand in which something happened."""
    return f"hand {hand + 1:,}"


def incidents_of(conduct: Conduct, names: Sequence[Html], where: Callable[[int], str] = in_match) -> list[Html]:
    """Each fault that was kept, to be opened."""
    elements = []
    for incident in conduct.incidents:
        place = f" · {_FAULTS[incident.fault]} · {where(incident.hand)} · "
        title = [names[incident.player], place, element("code", incident.message)]
        if incident.details:
            elements.append(element("details", element("summary", *title), element("pre", incident.details.rstrip())))
        else:
            elements.append(element("p", *title, class_="incident"))
    return elements


def reproduce_section(command: str, seed: int, match: Ruled, when: datetime) -> Html:
    """The command that gives the same result."""
    return again_section(command, seed, [entrant.spec for entrant in match.entrants if not entrant.trusted], when)


def again_section(command: str, seed: int, own: Sequence[str], when: datetime) -> Html:
    """The section for players by name: `own` are those that do not come with Felt."""
    needs = f" It needs the same {' and '.join(dict.fromkeys(own))}." if own else ""
    return section(
        "How to play it again",
        element("pre", element("code", *_words(command)), class_="command"),
        element("p", f"The same command and seed give the same hands and figures on any machine.{needs}"),
        facts(
            [
                ("Seed", element("code", str(seed))),
                ("Felt", felt.__version__),
                ("Made", element("time", f"{when:%Y-%m-%d %H:%M} UTC", datetime=when.isoformat(timespec="seconds"))),
            ]
        ),
    )


def _words(command: str) -> Iterable[Content]:
    """A command that is broken between words only."""
    for place, word in enumerate(command.split(" ")):
        yield " " if place else ""
        yield element("span", word)
