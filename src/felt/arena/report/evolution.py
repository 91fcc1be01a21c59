"""The page of an evolution, and its plots."""

from datetime import datetime

import numpy as np

from felt.arena.evolution import EvolutionResult
from felt.arena.report import page
from felt.arena.report.markup import Content, Html, element, signed, table
from felt.arena.report.panels import Band, Curves, Line, Plot
from felt.stats.means import Mean

SHOWN = 20
"""Agents of the last generation that are named; and the most that have a crossing table."""


def evolution_plots(result: EvolutionResult) -> list[Plot]:
    """Progress against the first generation, and what became of the genes."""
    when = np.arange(float(len(result.generations)))
    plots = []
    progress = [generation.progress for generation in result.generations]
    measured = [rate for rate in progress if rate is not None]
    if measured and len(when) > 1:
        value = np.array([rate.value for rate in measured])
        half = np.array([rate.half or 0.0 for rate in measured])
        line, band = Line(0, when, value), Band(0, when, value - half, value + half)
        caption = (
            "What an agent of each generation wins per hand from those of the first, which does not change, with the "
            "95 % interval over rounds of deals."
        )
        panel = Curves("the whole generation", (line,), (band,), 0, across="generation")
        plots.append(Plot("progress", "Against the first generation", "mbb/hand", caption, (panel,), 1))
    if len(when) > 1:
        panels = []
        for place, gene in enumerate(result.evolution.genes):
            low, middle, high = result.gene(place)
            bands, lines = (Band(place, when, low, high),), (Line(place, when, middle),)
            panels.append(Curves(gene.name, lines, bands, place, across="generation"))
        caption = "The median of each gene in each generation, with the middle half of the population."
        plots.append(Plot("genes", "Genes", "", caption, tuple(panels), 3, shared=False))
    return plots


def evolution_page(
    result: EvolutionResult, command: str, *, when: datetime | None = None, plots: list[Plot] | None = None
) -> str:
    """The report of an evolution: one HTML page that needs nothing else. See `match_page`."""
    evolution, last = result.evolution, result.last.progress
    drawn = page.draw(evolution_plots(result) if plots is None else plots)
    verdict = f"After {len(result.generations)} generations the fittest is {result.best}."
    if last is not None:
        half = "" if last.half is None else f" ± {last.half:,.1f}"
        verdict = f"The last generation wins {last.value:+,.1f}{half} mbb/hand from the first. {verdict}"
    name = page.player_name(0, evolution.base.spec)
    return page.report(
        "Evolution",
        f"{evolution.population:,} × {evolution.base.spec}",
        verdict,
        drawn.get("progress", ""),
        drawn.get("genes", ""),
        _generations(result),
        _fittest(result),
        _crossing(result),
        settled=last is not None and last.half is not None and abs(last.value) > last.half,
        facts=_facts(result),
        faults=[(name, result.conduct.counts[0])],
        incidents=page.incidents_of(result.conduct, [name], result.where),
        match=result.last.generation,
        seed=evolution.seed,
        command=command,
        when=when,
        name=f"Evolution of {evolution.base.spec}",
    )


def _facts(result: EvolutionResult) -> page.Facts:
    evolution = result.evolution
    return [
        ("Game", evolution.rules.title or evolution.rules.name),
        ("Stacks", f"{evolution.stack / evolution.rules.big_blind:,.10g} big blinds"),
        ("Population", f"{evolution.population:,} at tables of {evolution.seats}"),
        ("Generations", f"{len(result.generations):,} of {evolution.meetings:,} rounds of {evolution.deals:,} deals"),
        ("Eliminated", f"{evolution.eliminate:.0%} of each"),
        ("Reproduction", f"{evolution.reproduction}, mutations {evolution.mutation:.0%}"),
        ("Hands", page.count(result.hands)),
        *page.seed_and_speed(evolution.seed, result.speed),
    ]


def _generations(result: EvolutionResult) -> Html:
    rows = [
        [str(place), _rate(generation.progress), element("code", generation.generation.spec(generation.ranking[0]))]
        for place, generation in enumerate(result.generations)
    ]
    shown = table(["generation", "mbb/hand against the first", "fittest"], rows, label="Generations", class_="matches")
    return page.section("Generations", shown)


def _fittest(result: EvolutionResult) -> Html:
    last = result.last
    rows = [
        [str(place), _rate(last.fitness(agent)), element("code", last.generation.spec(agent))]
        for place, agent in enumerate(last.ranking[:SHOWN], 1)
    ]
    text = "Of the last generation, by what they won from the others, with 95 % intervals over the rounds."
    shown = table(["place", "mbb/hand", "agent"], rows, label="The fittest", class_="matches")
    return page.section("The fittest", page.note(text), shown)


def _crossing(result: EvolutionResult) -> Content:
    last = result.last
    if not result.evolution.complete:
        return ""
    best = last.ranking[:SHOWN]
    cells = last.crossing_to_list()
    rows = [
        [f"{place}.", *(page.cross_cell(cells[agent][other]) for other in best)] for place, agent in enumerate(best, 1)
    ]
    heads = ["won from", *(str(place) for place in range(1, len(best) + 1))]
    text = "What each of the fittest won from each, in mbb/hand; by place. So few hands say little of any one pair."
    shown = table(heads, rows, label="Crossing table", class_="cross")
    return page.section("Crossing table", page.note(text), shown)


def _rate(figure: Mean | None) -> Content:
    if figure is None:
        return "–"
    return [signed(figure.value), page.half_text(figure, 1)]
