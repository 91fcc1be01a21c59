"""The page of a ring game, and its plots."""

from datetime import UTC, datetime

import numpy as np

from felt.arena.report.pages.markup import Content, Html, element, number, signed, table
from felt.arena.report.pages.parts import (
    conduct_section,
    document,
    facts,
    header,
    incidents_of,
    player_name,
    reproduce_section,
    section,
)
from felt.arena.report.plots.figures import plot_section
from felt.arena.report.plots.match import short_names
from felt.arena.report.plots.panels import Band, Curves, Line, Numbers, Plot
from felt.arena.ring import RingResult
from felt.arena.ring.policies import shown


def ring_plots(result: RingResult) -> list[Plot]:
    """Bankrolls with their quantiles, and ruin beside its theory."""
    names = short_names(result.ring.names)
    key = tuple((agent, names[agent]) for agent in result.table)
    columns = 2 if len(key) in (1, 2, 4) else 3
    when = np.array(result.moments, dtype=np.float64)
    bankrolls, ruins = [], []
    for agent, name in key:
        low, lower, middle, upper, high = result.quantiles(agent)
        bands = (Band(agent, when, low, high), Band(agent, when, lower, upper))
        bankrolls.append(Curves(name, (Line(agent, when, middle),), bands, agent, across="rounds"))
        ruin = [result.ruin(agent, by) for by in result.moments]
        ends = np.array([interval for _, interval in ruin])
        lines = (
            Line(agent, when, np.array([share for share, _ in ruin])),
            Line(agent, when, np.array([result.theory(agent, by) for by in result.moments]), "mark"),
        )
        band = Band(agent, when, ends[:, 0], ends[:, 1])
        drawn = (*_theory_lines(result, agent, when), *lines)
        ruins.append(Curves(name, drawn, (band,), agent, share=True, percent=True, across="rounds"))
    caption = (
        "What a player has, at the tables and at home, over the rounds: the median of all histories, with half of them "
        "in the dark band and nine in ten in the light one."
    )
    beside = (
        "The part of the players that have been ruined, with its 95 % interval. Dotted: theory, the ruin of a walk "
        "with the drift and spread per hand that were measured, at the stakes at which the agent began; faint beside "
        "it, theory for both ends of the 95 % interval of that drift. Where an agent moves between stakes, the "
        "difference is what that does for it."
    )
    return [
        Plot("bankrolls", "Bankrolls", "big blinds", caption, tuple(bankrolls), columns, shared=False),
        Plot("ruin", "Gambler's ruin beside its theory", "%", beside, tuple(ruins), columns),
    ]


def _theory_lines(result: RingResult, agent: int, when: Numbers) -> list[Line]:
    """Theory for both ends of the drift's interval, if there is one."""
    intervals = [ends for by in result.moments if (ends := result.theory_ends(agent, by)) is not None]
    return [Line(agent, when, column, "faint") for column in np.array(intervals).T]


def ring_page(
    result: RingResult, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None
) -> str:
    """The report of a ring: one HTML page that needs nothing else. See `match_page`."""
    ring = result.ring
    names = [player_name(agent, name) for agent, name in enumerate(ring.names)]
    drawn = {plot.name: plot_section(plot) for plot in (ring_plots(result) if plots is None else plots)}
    counts = [(names[agent], result.conduct.counts[agent]) for agent in result.table]
    who = ", ".join(name if n == 1 else f"{n} × {name}" for name, n in zip(ring.names, ring.copies, strict=True))
    best = result.table[0]
    share, (low, high) = result.ruin(best)
    verdict = (
        f"The wealth of {ring.names[best]} became {result.growth(best)} times what it was; it was ruined in "
        f"{share:.1%} of its histories ({low:.1%} to {high:.1%})."
    )
    body: list[Content] = [
        header("Ring game report", who, verdict, settled=True),
        facts(_facts(result)),
        _agents(result, names),
        drawn.get("bankrolls", ""),
        drawn.get("ruin", ""),
        conduct_section(counts, incidents_of(result.conduct, names, result.where), ring),
        reproduce_section(command, ring.seed, ring, when or datetime.now(UTC)),
    ]
    return document(f"Ring game of {who}", *body)


def _facts(result: RingResult) -> list[tuple[str, Content]]:
    ring = result.ring
    blinds = ", ".join(f"{ring.big_blind(level):,}" for level in range(len(ring.levels)))
    return [
        ("Game", ring.games[0].title or ring.games[0].name),
        ("Players", f"{ring.players:,} at tables of up to {ring.table_size}"),
        ("Big blinds", f"{blinds} chips"),
        ("Buy-ins", f"up to {ring.buy_in} big blinds"),
        ("Histories", [number(result.repeats, f"{result.repeats:,}"), f" of up to {ring.rounds:,} rounds"]),
        ("Hands", number(result.hands, f"{result.hands:,}")),
        ("Seed", element("code", str(ring.seed))),
        ("Speed", element("span", result.speed, id="speed")),
    ]


def _to(ends: tuple[float, float] | None, times: int) -> Content:
    return "" if ends is None else element("small", f"{times * ends[0]:,.1f} to {times * ends[1]:,.1f}")


def _agents(result: RingResult, names: list[Html]) -> Html:
    ring, rows = result.ring, []
    for agent in result.table:
        share, (low, high) = result.ruin(agent)
        walk, grown = result.walk(agent), result.growth(agent)
        half = "" if grown.half is None else element("small", f"± {grown.half:,.3f}")
        rows.append([
            names[agent], shown(ring.policies[agent]), f"{ring.bankrolls[agent] / ring.big_blind(0):,g}",
            [number(grown.value, f"{grown.value:,.3f}"), half],
            [number(share, f"{100 * share:.1f} %"), element("small", f"{100 * low:.1f} to {100 * high:.1f}")],
            [number(result.theory(agent), f"{100 * result.theory(agent):.1f} %"), _to(result.theory_ends(agent), 100)],
            [signed(1000 * walk.drift), _to(walk.ends, 1000)], f"{walk.variance**0.5:,.1f}",
        ])  # fmt: skip
    heads = ["agent", "policy", "bankroll", "growth", "ruined", "theory", "mbb/hand", "big blinds of spread"]
    note = (
        "Growth: wealth at the end as a multiple of the bankroll, which is in big blinds of the smallest stakes. All "
        "intervals are at 95 %, over the histories; that of theory is for both ends of the rate's. Spread: the "
        "standard deviation of a hand."
    )
    shown_ = table(heads, rows, label="Agents", class_="result")
    return section("Agents", shown_, element("p", note, class_="note"))
