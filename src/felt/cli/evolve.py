"""`felt evolve`: a population of agents whose weakest are replaced by offspring of the others."""

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.finding import Settings, load_game, parameters_of
from felt.cli.machines import Ray, run_crew
from felt.cli.match import (
    Game,
    PlotsTo,
    ReportTo,
    Seed,
    Stack,
    Timeout,
    Workers,
    chips,
    choices,
    command,
)
from felt.cli.match_text import print_faults
from felt.cli.options import Json, count_number, large_number, share, whole
from felt.cli.progress import progress_bar
from felt.cli.reporting import check_report, write_evolution_report
from felt.cli.ring import LogTo
from felt.cli.run_log import run_log
from felt.cli.tournament import OnError
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena.evolution import EvolutionResult
    from felt.stats.means import Mean

Population = Annotated[
    int, typer.Option("--population", "-p", metavar="N", parser=large_number, help="How many agents live at a time.")
]
Generations = Annotated[
    int, typer.Option("--generations", "-n", metavar="N", parser=large_number, help="How many there are.")
]
Eliminate = Annotated[
    float, typer.Option("--eliminate", metavar="SHARE", parser=share, help="What part is replaced, like 30%.")
]
Reproduction = Annotated[str, typer.Option("--reproduction", metavar="HOW", help="sexual, asexual, or both by chance.")]
Mutation = Annotated[
    float, typer.Option("--mutation", metavar="P", parser=share, help="How likely a gene of a child changes.")
]
Meetings = Annotated[
    int | None,
    typer.Option("--meetings", metavar="N", parser=large_number, help="Rounds of a generation [all others, up to 31]."),
]
Deals = Annotated[int, typer.Option("--deals", metavar="N", parser=large_number, help="Deals of a round.")]
Yardstick = Annotated[
    int,
    typer.Option(
        "--yardstick", metavar="N", parser=whole(0, 1_000_000), help="Rounds against the first generation, in each."
    ),
]
Seats = Annotated[int, typer.Option("--players-per-table", metavar="N", parser=count_number, help="Seats at a table.")]


def evolve(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="An agent with genes, like dials or ./bot.py:Bot.")],
    game: Game = "nlhe",
    population: Population = 32,
    generations: Generations = 20,
    eliminate: Eliminate = 0.3,
    reproduction: Reproduction = "both",
    mutation: Mutation = 0.2,
    meetings: Meetings = None,
    deals: Deals = 20,
    yardstick: Yardstick = 10,
    players_per_table: Seats = 2,
    stack: Stack = None,
    seed: Seed = 0,
    workers: Workers = None,
    on_error: OnError = "fold",
    timeout: Timeout = 10.0,
    settings: Settings = None,
    log: LogTo = None,
    report: ReportTo = None,
    plots: PlotsTo = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Breed an agent: the fittest of each generation stay, the others make room for their offspring.

    Example: `felt evolve dials --game limit-holdem --generations 10 --report evolution.html`
    """
    from felt.arena.evolution import Evolution, play_evolution

    rules = load_game(game, [*(settings or ()), *_seats(game, settings, players_per_table)])
    found = Evolution.of(
        agent, rules, population=population, generations=generations, seats=players_per_table,
        stack=chips(stack, rules), meetings=meetings, deals=deals, eliminate=eliminate, reproduction=reproduction,
        mutation=mutation, yardstick=yardstick, seed=seed, on_error=on_error, timeout=timeout,
    )  # fmt: skip
    words = command(
        "evolve", [agent], game=game, settings=settings, population=population, generations=generations,
        eliminate=eliminate, reproduction=reproduction, mutation=mutation, meetings=meetings, deals=deals,
        yardstick=yardstick, players_per_table=players_per_table, stack=stack, seed=seed, on_error=on_error,
        timeout=timeout,
    )  # fmt: skip
    check_report(report, plots)
    doing = f"rounds of {found.population:,} agents"
    with run_log(log, found, words) as kept, run_crew(ray, workers) as crew, progress_bar(doing) as bar:
        result = play_evolution(found, workers=workers, kept=kept, progress=bar, crew=crew)
    if report is not None or plots is not None:
        write_evolution_report(result, shlex.join(words), report, plots)
    if json:
        output.print_json(result.as_dict())
        return
    print_evolution(result)
    output.say_written(report, plots, log)


def _seats(game: str, settings: list[str] | None, players: int) -> list[str]:
    """What tells a game how many play it, where its rules depend on that."""
    if "players" not in choices(game):
        return []
    if "players" in parameters_of(settings):
        raise FeltError("--set players: give --players-per-table instead, which is 2 unless told")
    return [f"players={players}"]


def print_evolution(result: "EvolutionResult") -> None:
    """A line for each generation, with how it does against the first; then the fittest by name."""
    evolution, last = result.evolution, len(result.generations) - 1
    rows = output.table(
        "generation", "mbb/hand against the first", numbers=["generation", "mbb/hand against the first"]
    )
    for number, one in enumerate(result.generations):
        rows.add_row(str(number), _rate(one.progress))
    output.show(rows)
    output.say()
    rows = output.table("gene", "from", "to", "first median", "last", numbers=["from", "to", "first median", "last"])
    for place, gene in enumerate(evolution.genes):
        median = result.gene(place)[1]
        rows.add_row(gene.name, f"{gene.low:g}", f"{gene.high:g}", f"{median[0]:.3g}", f"{median[last]:.3g}")
    output.show(rows)
    output.say()
    best = result.last.fitness(result.last.ranking[0])
    output.say(output.plain(f"The fittest, {_rate(best)} mbb/hand against the others of its generation:"))
    output.say(output.plain(result.best))
    title = evolution.rules.title or evolution.rules.name
    output.say(
        f"[dim]{output.plain(title)}, {evolution.population:,} agents at tables of {evolution.seats}, "
        f"95 % intervals, {result.hands:,} hands, seed {evolution.seed}, "
        f"{result.speed}[/]"
    )

    print_faults(result.conduct, [evolution.base.spec], str(evolution.penalty), result.where)


def _rate(figure: "Mean | None") -> str:
    if figure is None:
        return "-"
    return f"{figure.value:+,.0f}" + ("" if figure.half is None else f" ± {figure.half:,.0f}")
