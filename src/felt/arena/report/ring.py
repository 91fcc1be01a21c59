"""The page of a ring game, and its plots."""

from datetime import datetime

import numpy as np

from felt.arena.report import page
from felt.arena.report.markup import Content, Html, element, number, signed, table
from felt.arena.report.match import short_names
from felt.arena.report.panels import Band, Curves, Line, Plot, columns_for
from felt.arena.ring import RingResult
from felt.arena.ring.policies import shown


def ring_plots(result: RingResult) -> list[Plot]:
    """Bankrolls with their quantiles, and ruin beside its theory."""
    names = short_names(result.ring.names)
    key = tuple((agent, names[agent]) for agent in result.table)
    columns = columns_for(len(key))
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
        theory = [result.theory_ends(agent, by) for by in result.moments]
        known = np.array([interval for interval in theory if interval is not None])
        faint = (Line(agent, when, column, "faint") for column in known.T)
        ruins.append(Curves(name, (*faint, *lines), (band,), agent, share=True, percent=True, across="rounds"))
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


def ring_page(
    result: RingResult, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None
) -> str:
    """The report of a ring: one HTML page that needs nothing else. See `match_page`."""
    ring, best = result.ring, result.table[0]
    names = [page.player_name(agent, name) for agent, name in enumerate(ring.names)]
    drawn, who = page.draw(ring_plots(result) if plots is None else plots), ring.who
    share, (low, high) = result.ruin(best)
    verdict = (
        f"The wealth of {ring.names[best]} became {result.growth(best)} times what it was; it was ruined in "
        f"{share:.1%} of its histories ({low:.1%} to {high:.1%})."
    )
    return page.report(
        "Ring game",
        who,
        verdict,
        _agents(result, names),
        drawn.get("bankrolls", ""),
        drawn.get("ruin", ""),
        settled=True,
        facts=_facts(result),
        command=command,
        when=when,
        **page.of_runs(result, names),
        name=f"Ring game of {who}",
    )


def _facts(result: RingResult) -> page.Facts:
    ring = result.ring
    blinds = ", ".join(f"{ring.big_blind(level):,}" for level in range(len(ring.levels)))
    return [
        ("Game", ring.games[0].title or ring.games[0].name),
        ("Players", f"{ring.players:,} at tables of up to {ring.table_size}"),
        ("Big blinds", f"{blinds} chips"),
        ("Buy-ins", f"up to {ring.buy_in} big blinds"),
        ("Histories", [page.count(result.repeats), f" of up to {ring.rounds:,} rounds"]),
        ("Hands", page.count(result.hands)),
        *page.seed_and_speed(ring.seed, result.speed),
    ]


def _to(ends: tuple[float, float] | None, times: int) -> Content:
    return "" if ends is None else element("small", f"{times * ends[0]:,.1f} to {times * ends[1]:,.1f}")


def _agents(result: RingResult, names: list[Html]) -> Html:
    ring, rows = result.ring, []
    for agent in result.table:
        share, (low, high) = result.ruin(agent)
        walk, grown = result.walk(agent), result.growth(agent)
        rows.append([
            names[agent], shown(ring.policies[agent]), f"{ring.bankrolls[agent] / ring.big_blind(0):,g}",
            [number(grown.value, f"{grown.value:,.3f}"), page.half_text(grown, 3)],
            [number(share, f"{100 * share:.1f} %"), element("small", f"{100 * low:.1f} to {100 * high:.1f}")],
            [number(result.theory(agent), f"{100 * result.theory(agent):.1f} %"), _to(result.theory_ends(agent), 100)],
            [signed(1000 * walk.drift), _to(walk.ends, 1000)], f"{walk.variance**0.5:,.1f}",
        ])  # fmt: skip
    heads = ["agent", "policy", "bankroll", "growth", "ruined", "theory", "mbb/hand", "big blinds of spread"]
    text = (
        "Growth: wealth at the end as a multiple of the bankroll, which is in big blinds of the smallest stakes. All "
        "intervals are at 95 %, over the histories; that of theory is for both ends of the rate's. Spread: the "
        "standard deviation of a hand."
    )
    return page.section("Agents", table(heads, rows, label="Agents", class_="result"), page.note(text))
