"""`felt equity`: how much of the pot each hand or range owns."""

from typing import TYPE_CHECKING, Annotated

import typer

from felt.cli import output
from felt.cli.options import (
    Board,
    Dead,
    Json,
    Opponents,
    count_number,
    only_one_of,
    option,
    positive_number,
    seed_number,
    thread_number,
)
from felt.errors import counted

if TYPE_CHECKING:
    from felt.odds import Equity


def equity(
    hands: Annotated[
        list[str], typer.Argument(metavar="HAND_OR_RANGE", help="One per player: AsAd, QQ+,AKs, 20% or random.")
    ],
    board: Board = "",
    dead: Dead = "",
    opponents: Opponents = None,
    game: Annotated[str, option("--game -g", "NAME", "holdem, omaha, short-deck …")] = "holdem",
    exact: Annotated[bool, option("--exact", "", "Count every deal, however long it takes.")] = False,
    samples: Annotated[int | None, option("--samples", "N", "Deal N hands at random.", count_number)] = None,
    stderr: Annotated[
        float | None, option("--stderr", "X", "Deal until the standard error is X, like 0.001.", positive_number)
    ] = None,
    seed: Annotated[int, option("--seed", "N", "The same seed deals the same cards.", seed_number)] = 0,
    threads: Annotated[
        int | None, option("--threads", "N", "Threads to use; all cores by default.", thread_number)
    ] = None,
    json: Json = False,
) -> None:
    """Equity of hands and ranges against each other: exact where that is feasible, else sampled.

    One hand alone plays against a random hand.

    Example: `felt equity AsKs QQ+,AKs --board QhJs2c`
    """
    from felt.cli.progress import progress_bar
    from felt.odds import equity as calculate

    only_one_of(exact=exact or None, samples=samples, stderr=stderr)
    extra = opponents if opponents is not None else int(len(hands) == 1)
    with progress_bar("dealing") as progress:
        result = calculate(
            [*hands, *["random"] * extra],
            board=board,
            dead=dead,
            game=game,
            exact=exact or None,
            samples=samples,
            stderr=stderr,
            seed=seed,
            threads=threads,
            progress=progress,
        )
    if json:
        output.print_json(result.as_dict())
    else:
        _print_table(result)


def _print_table(result: "Equity") -> None:
    rows = output.table("hand", "equity", "win", "tie", numbers=["equity", "win", "tie"])
    for player in result.players:
        rows.add_row(
            output.plain(player.hand),
            f"[bold]{output.percent(player.equity)}[/]",
            output.percent(player.win),
            output.percent(player.tie),
        )
    output.show(rows)
    output.say(f"[dim]{_how(result)}[/]")


def _how(result: "Equity") -> str:
    seconds = f"{result.seconds:.3f} s"
    if result.exact:
        return f"exact: {counted(result.samples, 'deal')}, {seconds}"
    return f"sampled: {counted(result.samples, 'deal')}, standard error {output.percent(result.stderr, 3)}, {seconds}"
