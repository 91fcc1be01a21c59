"""`felt evolve`: a population of agents whose weakest are replaced by offspring of the others."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from felt.cli import output
from felt.cli.arena.options import PlayOptions, Stack, chips, parameter_names, play_command
from felt.cli.arena.playing import play_runs, print_faults
from felt.cli.games.finding import load_game, parameters_of
from felt.cli.options import argument, count_number, field_option, integer, large_number, share
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena.evolution import EvolutionResult
    from felt.stats.means import Mean


@dataclass(kw_only=True)
class EvolveOptions(PlayOptions):
    """The options of `felt evolve`."""

    agent: Annotated[str, argument("AGENT", "An agent with genes, like dials or ./bot.py:Bot.")]
    population: int = field_option(32, "--population -p", "N", "How many agents live at a time.", large_number)
    generations: int = field_option(20, "--generations -n", "N", "How many there are.", large_number)
    eliminate: float = field_option(0.3, "--eliminate", "SHARE", "The share that is replaced, like 30%.", share)
    reproduction: str = field_option("both", "--reproduction", "HOW", "sexual, asexual, or both by chance.")
    mutation: float = field_option(0.2, "--mutation", "P", "How likely a gene of a child changes.", share)
    meetings: int | None = field_option(
        None, "--meetings", "N", "Rounds of a generation [all others, up to 31].", large_number
    )
    deals: int = field_option(20, "--deals", "N", "Deals of a round.", large_number)
    yardstick: int = field_option(10, "--yardstick", "N", "Rounds against the first generation.", integer(0, 1_000_000))
    players_per_table: int = field_option(2, "--players-per-table", "N", "Seats at a table.", count_number)
    stack: Stack = None


@play_command
def evolve(options: EvolveOptions) -> None:
    """Breed an agent: the fittest of each generation stay, the others make room for their offspring.

    Example: `felt evolve dials --game limit-holdem --generations 10 --report evolution.html`
    """
    from felt.arena.evolution import Evolution, play_evolution

    settings = options.settings or []
    if "players" in parameter_names(options.game):  # the rules depend on how many play
        if "players" in parameters_of(settings):
            raise FeltError("--set players: give --players-per-table instead, which is 2 unless told")
        settings = [*settings, f"players={options.players_per_table}"]
    rules = load_game(options.game, settings)
    evolution = options.build(
        Evolution.of, rules=rules, seats=options.players_per_table, stack=chips(options.stack, rules)
    )  # fmt: skip
    doing = f"rounds of {evolution.population:,} agents"
    play_runs("evolution", options, evolution, partial(play_evolution, evolution), doing, print_evolution)


def print_evolution(result: "EvolutionResult") -> None:
    """A line for each generation, with how it does against the first; then the fittest by name."""
    evolution, last = result.evolution, len(result.generations) - 1
    rates = ((str(number), _rate(generation.progress)) for number, generation in enumerate(result.generations))
    heads = ["generation", "mbb/hand against the first"]
    output.show_table(heads, rates, numbers=heads)
    output.say()
    heads = ["gene", "from", "to", "first median", "last"]
    rows = output.table(*heads, numbers=heads[1:])
    for place, gene in enumerate(evolution.genes):
        median = result.gene(place)[1]
        rows.add_row(gene.name, f"{gene.low:g}", f"{gene.high:g}", f"{median[0]:.3g}", f"{median[last]:.3g}")
    output.show(rows)
    output.say()
    best = result.last.fitness(result.last.ranking[0])
    output.say(output.plain(f"The fittest, {_rate(best)} mbb/hand against the others of its generation:"))
    output.say(output.plain(result.best))
    output.say(
        f"[dim]{output.title(evolution.rules)}, {evolution.population:,} agents at tables of {evolution.seats}, "
        f"95 % intervals, {result.hands:,} hands, seed {evolution.seed}, {result.speed}[/]"
    )
    print_faults(result.conduct, [evolution.base.spec], evolution.penalty, result.where)


def _rate(figure: "Mean | None") -> str:
    if figure is None:
        return "-"
    return f"{figure.value:+,.0f}" + ("" if figure.half is None else f" ± {figure.half:,.0f}")
