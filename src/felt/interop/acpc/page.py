"""The page of an ACPC match, or of the matches of a duplicate, and its plots."""

from collections.abc import Sequence
from datetime import datetime

from felt.arena.report.markup import Content, Html, element, number, signed, table
from felt.arena.report.match import bankroll_plot, moving_plot, order, rates_plot, short_names
from felt.arena.report.page import (
    again_section,
    beside,
    document,
    draw,
    fact_list,
    header,
    player_name,
    rate_cells,
    section,
)
from felt.arena.report.panels import Plot
from felt.errors import counted
from felt.interop.acpc.contest import ContestOutcome, rates_of, totals_of, unit_of
from felt.interop.acpc.hand import Wrong
from felt.stats.rates import sentence


def acpc_plots(outcomes: Sequence[ContestOutcome]) -> list[Plot]:
    """What everybody won per hand, and over the hands."""
    contest, rates, totals = outcomes[0].contest, rates_of(outcomes), totals_of(outcomes)
    names, size, unit = short_names(contest.names), len(outcomes), unit_of(contest.rules)
    key = tuple((player, names[player]) for player in order(rates))
    drawn = [
        rates_plot(key, rates, rates),
        bankroll_plot(totals, None, size, unit, key),
        moving_plot(totals, size, unit, key, rates),
    ]
    return [plot for plot in drawn if plot is not None] if len(totals) else []


def acpc_page(
    outcomes: Sequence[ContestOutcome], command: str, *, when: datetime | None = None, plots: list[Plot] | None = None
) -> str:
    """The report of the matches of a contest: one HTML page that needs nothing else. See `match_page`."""
    contest, rates = outcomes[0].contest, rates_of(outcomes)
    best, title = order(rates), " against ".join(contest.names)
    drawn = draw(acpc_plots(outcomes) if plots is None else plots)
    verdict = outcomes[-1].ended or sentence(
        rates[best[0]], contest.names[best[0]], contest.names[best[1]] if len(best) == 2 else None
    )
    body: list[Content] = [
        header("ACPC match report", title, verdict, settled=rates[best[0]].settled and not outcomes[-1].ended),
        fact_list(_facts(outcomes)),
        _results(outcomes, best, drawn.get("rates", "")),
        *(drawn.get(name, "") for name in ("bankroll", "moving-average")),
        _faults(outcomes),
        again_section(command, contest.seed, contest.names, when),
    ]
    return document(title, *body)


def _facts(outcomes: Sequence[ContestOutcome]) -> list[tuple[str, Content]]:
    contest, hands = outcomes[0].contest, sum(len(outcome.values) for outcome in outcomes)
    seconds, limits = sum(outcome.seconds for outcome in outcomes), contest.limits
    speed = f"{hands / seconds:,.0f} hands a second" if seconds else "–"
    return [
        ("Game", contest.game or contest.rules.name),
        ("Matches", f"{len(outcomes)}, the same deals in every order" if len(outcomes) > 1 else "1"),
        ("Hands", number(hands, f"{hands:,}")),
        ("Seed", element("code", str(contest.seed))),
        ("Speed", element("span", speed, id="speed")),
        ("Time", f"{limits.response:g} s an answer, {limits.hand:g} s a hand, {limits.per_hand:g} s on average"),
        ("End", outcomes[-1].ended or "all hands were played"),
    ]


def _results(outcomes: Sequence[ContestOutcome], best: Sequence[int], drawn: Content) -> Html:
    contest, rates, totals = outcomes[0].contest, rates_of(outcomes), totals_of(outcomes)
    if not len(totals):
        return section("Result", element("p", "No hand was played to its end, so nobody has won or lost."))
    rows = [
        [player_name(player, contest.names[player]), *rate_cells(rates[player]), signed(float(totals[:, player].sum()))]
        for player in best
    ]
    note = (
        "mbb/hand: thousandths of a big blind per hand; bold where the interval leaves out zero. Intervals are "
        f"Student's t over {counted(len(totals), 'deal')}; a match that a player ended has no score."
    )
    shown = table(["player", "mbb/hand", "95 % interval", "chips won"], rows, label="Result", class_="result")
    return section("Result", shown, beside(drawn, note))


def _faults(outcomes: Sequence[ContestOutcome]) -> Html:
    """What players did wrong, by the rules of the competition's dealer."""
    names, faults = outcomes[0].contest.names, [wrong.value for wrong in Wrong]
    rows, clean = [], True
    for place, name in enumerate(names):
        counts = [outcome.counts[outcome.contest.names.index(name)] for outcome in outcomes]
        totals = [sum(count[fault] for count in counts) for fault in faults]
        clean = clean and not any(totals)
        rows.append([player_name(place, name), *(number(total, f"{total:,}") for total in totals)])
    if clean:
        return section("Errors of players", element("p", "Nobody did anything wrong."))
    all_incidents = [incident for outcome in outcomes for incident in outcome.incidents]
    paragraphs = [
        element("p", f"{incident['player']} · {incident['fault']} · hand {incident['hand']:,} · ",
                element("code", incident["line"]), class_="incident")
        for incident in all_incidents
    ]  # fmt: skip
    shown = table(["player", *faults], rows, label="Errors of players", class_="faults")
    return section("Errors of players", shown, element("p", "The first few of each player:"), *paragraphs)
