"""`felt ring`: ring games with bankrolls, stakes and ruin."""

from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated

from felt.cli import output
from felt.cli.arena.options import PlayOptions, Repeat, play_command
from felt.cli.arena.playing import play_runs, print_faults
from felt.cli.arena.tournament import games_for
from felt.cli.options import argument, count_number, field_option
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.arena.ring import RingResult


@dataclass(kw_only=True)
class RingOptions(PlayOptions):
    """The options of `felt ring`."""

    agents: Annotated[
        list[str],
        argument("AGENT AGENT…", "Names or files, with a policy and a number if wanted: tag@kelly*4."),
    ]
    players_per_table: int | None = field_option(
        None, "--players-per-table", "N", "Seats at a table [6, or the game's].", count_number
    )
    bankroll: str = field_option(
        "1000", "--bankroll", "BB", "In big blinds of the smallest stakes, for all or for each AGENT, like 50,150."
    )
    policy: str = field_option(
        "buyins", "--policy", "NAME", "Of agents without one: buyins:count=20, kelly:fraction=0.05, never, whole."
    )
    levels: str = field_option("1,2,5,10", "--levels", "LEVELS", "Stakes as multiples of the game's, like 1,2,5,10.")
    buy_in: int = field_option(100, "--buy-in", "BB", "A full buy-in in big blinds of its table.", count_number)
    rounds: int = field_option(1000, "--rounds", "N", "Hands at each table of a history, at most.", count_number)
    repeat: Repeat = 200


@play_command
def ring(options: RingOptions) -> None:
    """Play ring games with bankrolls many times, and say who grows and who is ruined, beside the theory.

    Example: `felt ring tag@kelly ehs@never call*4 --bankroll 500 --repeat 100 --report ring.html`
    """
    from felt.arena.ring import Ring, play_rings
    from felt.arena.tournament.structure import factors

    ring = options.build(
        Ring.of, game=games_for(options.game, options.settings, options.players_per_table, options.agents),
        bankroll=_bankrolls(options.bankroll, len(options.agents)), levels=factors(options.levels),
        table_size=options.players_per_table,
    )  # fmt: skip
    doing = f"histories of {ring.players} players"
    play_runs("ring", options, ring, partial(play_rings, ring, options.repeat), doing, print_ring)


def _bankrolls(text: str, agents: int) -> float | list[float]:
    try:
        bankrolls = [float(amount) for amount in text.split(",")]
        if not all(0 < bankroll < inf for bankroll in bankrolls):
            raise ValueError
    except ValueError:
        raise FeltError(f"--bankroll {text!r}: write big blinds above 0, for all or for each, like 50,150") from None
    if len(bankrolls) not in (1, agents):
        raise FeltError(
            f"--bankroll {text!r}: {len(bankrolls)} bankrolls for {agents} agents; give one, or one for each"
        )
    return bankrolls[0] if len(bankrolls) == 1 else bankrolls


def _to(ends: tuple[float, float] | None, times: int, form: str) -> str:
    """An interval below its figure; a history alone has none."""
    return "\n-" if ends is None else f"\n{times * ends[0]:{form}} to {times * ends[1]:{form}}"


def print_ring(result: "RingResult") -> None:
    """A table of the agents: how they grew, how often they were ruined, and what theory says."""
    ring = result.ring
    heads = ["agent", "bankroll", "growth", "ruined", "theory", "mbb/hand"]
    rows = output.table(*heads, numbers=heads[1:])
    for agent in result.table:
        copies, (share, (low, high)) = ring.copies[agent], result.ruin(agent)
        grown, walk, ends = result.growth(agent), result.walk(agent), result.theory_ends(agent)
        rows.add_row(
            output.plain(f"{copies:,} × " * (copies > 1) + ring.names[agent]),
            f"{ring.bankrolls[agent] / ring.big_blind(0):,.10g}",
            f"×{grown.value:,.2f}" + ("" if grown.half is None else f"\n± {grown.half:,.2f}"),
            f"{100 * share:.1f}%\n{100 * low:.1f} to {100 * high:.1f}",
            f"{100 * result.theory(agent):.1f}%" + _to(ends, 100, ".1f"),
            f"{1000 * walk.drift:+,.0f}" + _to(walk.ends, 1000, "+,.0f"),
        )
    output.show(rows)
    output.say()
    output.say(
        f"[dim]{output.title(ring.games[0])}, {result.repeats:,} histories of up to {ring.rounds:,} rounds, "
        f"{result.hands:,} hands, seed {ring.seed}, {result.speed}[/]"
    )
    print_faults(result.conduct, ring.names, ring.penalty, result.where)
