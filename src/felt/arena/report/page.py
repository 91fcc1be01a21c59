"""What all pages have in common: their frame, and parts of their sections."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any, Protocol

import felt
from felt.agents.naming import Entrant
from felt.arena.conductor.conduct import Conduct, Fault, Penalty
from felt.arena.match.league import Matches
from felt.arena.report.drawing import panel_svg
from felt.arena.report.markup import Content, Html, element, inlined, number, signed, table, to_html
from felt.arena.report.panels import DARK, LIGHT, PLAYERS, Curves, Intervals, Plot, dashed
from felt.arena.schedule.workplace import RunResult
from felt.stats.means import Mean
from felt.stats.rates import Rate

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""The page asks nobody for anything, and runs nothing, whatever an agent wrote into it."""

_FAULTS = {Fault.ILLEGAL: "illegal move", Fault.TIMEOUT: "timeout", Fault.ERROR: "error"}

Facts = Sequence[tuple[str, Content]]


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


def report(
    kind: str,
    title: str,
    verdict: str,
    *sections: Content,
    settled: bool,
    facts: Facts,
    faults: Sequence[tuple[Html, dict[str, int]]],
    incidents: Iterable[Html],
    match: Ruled,
    seed: int,
    command: str,
    when: datetime | None,
    name: str = "",
) -> str:
    """The page of a result: verdict and facts, the sections of its `kind`, what agents did wrong, how to play it again.

    `name` is that of the document, where it is not the `title`.
    """
    own = [entrant.spec for entrant in match.entrants if not entrant.trusted]
    return document(
        name or title,
        header(f"{kind} report", title, verdict, settled=settled),
        fact_list(facts),
        *sections,
        conduct_section(faults, incidents, match),
        again_section(command, seed, own, when),
    )


def of_runs(result: RunResult[Any], names: Sequence[Html]) -> dict[str, Any]:
    """What `report` has to know of a tournament or a ring."""
    faults = [(names[agent], result.conduct.counts[agent]) for agent in result.table]
    incidents = incidents_of(result.conduct, names, result.where)
    return {"faults": faults, "incidents": incidents, "match": result.competition, "seed": result.competition.seed}


def of_matches(matches: Matches, order: Sequence[int], names: Sequence[Html]) -> dict[str, Any]:
    """What `report` has to know of a league or a competition, without the incidents."""
    faults = [(names[player], matches.faults(player)) for player in order]
    return {"faults": faults, "match": matches.first_match, "seed": matches.seed}


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
    light, dark = ("".join(f"--{name}:{value};" for name, value in page.items()) for page in (LIGHT, DARK))
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


def note(text: str) -> Html:
    """What a reader has to know about a table or a drawing."""
    return element("p", text, class_="note")


def beside(drawn: Content, text: str) -> Html:
    """A drawing, with a note on it and on the table above."""
    return element("div", drawn, note(text), class_="pair")


def fact_list(pairs: Facts) -> Html:
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


def half_text(figure: Mean, digits: int, unit: float = 1) -> Content:
    """Half the width of an interval, under its mean."""
    return "" if figure.half is None else element("small", f"± {unit * figure.half:,.{digits}f}")


def cross_cell(mbb: float | None, under: Content = "", *, sure: bool = False) -> Html:
    """A cell of a cross table: what one player won against another; None where they did not meet."""
    if mbb is None:
        return element("td", class_="self")
    kind = "even" if mbb == 0 else "won" if mbb > 0 else "lost"
    return element("td", signed(mbb), under, class_=f"{kind} sure" if sure else kind)


def count(value: int) -> Html:
    """A whole number."""
    return number(value, f"{value:,}")


def seed_and_speed(seed: int, speed: str) -> Facts:
    """The last facts of every page."""
    return [("Seed", element("code", str(seed))), ("Speed", element("span", speed, id="speed"))]


def conduct_section(rows: Sequence[tuple[Html, dict[str, int]]], incidents: Iterable[Html], match: Ruled) -> Html:
    """What agents did wrong: how often, and the first of each with all that is known."""
    rule = f"Rule for an agent that does wrong: {match.penalty}; time for a decision: {match.timeout:g} s."
    if not any(any(counts.values()) for _, counts in rows):
        return section("Errors of agents", element("p", "Nobody did anything wrong. ", rule))
    faults = [fault.value for fault in Fault]
    counted = ([name, *(count(counts[fault]) for fault in faults)] for name, counts in rows)
    shown = table(["player", *faults], counted, label="Errors of agents", class_="faults")
    heading = element("p", "The first few of each player, with what the agent itself said:")
    return section("Errors of agents", element("p", rule), shown, heading, *incidents)


def incidents_of(
    conduct: Conduct, names: Sequence[Html], where: Callable[[int], str] = lambda hand: f"hand {hand + 1:,}"
) -> list[Html]:
    """Each fault that was kept, to be opened; `where` names the hand in which it happened."""
    elements = []
    for incident in conduct.incidents:
        place = f" · {_FAULTS[incident.fault]} · {where(incident.hand)} · "
        title = [names[incident.player], place, element("code", incident.message)]
        if incident.details:
            elements.append(element("details", element("summary", *title), element("pre", incident.details.rstrip())))
        else:
            elements.append(element("p", *title, class_="incident"))
    return elements


def again_section(command: str, seed: int, own: Sequence[str], when: datetime | None) -> Html:
    """The command that gives the same result; `own` are the players that do not come with Felt."""
    when = when or datetime.now(UTC)
    needs = f" It needs the same {' and '.join(dict.fromkeys(own))}." if own else ""
    made = element("time", f"{when:%Y-%m-%d %H:%M} UTC", datetime=when.isoformat(timespec="seconds"))
    words = [(" " * (place > 0), element("span", word)) for place, word in enumerate(command.split(" "))]
    return section(
        "How to play it again",
        element("pre", element("code", *words), class_="command"),
        element("p", f"The same command and seed give the same hands and figures on any machine.{needs}"),
        fact_list([("Seed", element("code", str(seed))), ("Felt", felt.__version__), ("Made", made)]),
    )


# Plots


def draw(plots: Sequence[Plot]) -> dict[str, Html]:
    """The plots of a page, by name."""
    return {plot.name: plot_section(plot) for plot in plots}


def plot_section(plot: Plot) -> Html:
    """A plot under its title, with its panels side by side where there is room; a row of intervals belongs to a table,
    which has a title."""
    key = element("ul", *(element("li", player_name(*player)) for player in plot.key), class_="key") if plot.key else ""
    panels = [_panel(plot, place) for place in range(len(plot.panels))]
    shown = element("div", *panels, class_=f"panels of{min(plot.columns, len(panels))}")
    signs = [f" {panel.title}." for panel in plot.panels if isinstance(panel, Intervals) and panel.title]
    figure = element("figure", element("figcaption", plot.caption, *signs), key, shown)
    return section(plot.title, figure) if isinstance(plot.panels[0], Curves) else figure


def _panel(plot: Plot, place: int) -> Html:
    panel = plot.panels[place]
    label = ": ".join(part for part in (plot.title, panel.title) if part)
    drawn = inlined(panel_svg(plot, place), f"{plot.name}-{place}", label)
    if isinstance(panel, Intervals):
        return element("div", "", drawn, class_="panel")
    whose: Content = "" if panel.player is None else swatch(panel.player)
    heading = element("h3", whose, panel.title, " ", element("small", "" if panel.percent else plot.unit))
    return element("div", heading, drawn, class_="panel")
