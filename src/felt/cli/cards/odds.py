"""`felt odds`: how strong one hand is, now and on average after the cards to come."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from felt.cli import output
from felt.cli.options import (
    MOST_OPPONENTS,
    Board,
    Dead,
    Json,
    Opponents,
    argument,
    count_number,
    integer,
    only_one_of,
    option,
    positive_number,
    seed_number,
    thread_number,
)
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from felt.odds import Equity
    from felt.odds.outs import Out
    from felt.odds.strength.calculate import Strength

Rows = list[tuple[str, str]]

_MEASURES = (
    ("hs", "HS", "ahead of a random hand now"),
    ("ppot", "PPot", "gets ahead when behind"),
    ("npot", "NPot", "falls behind when ahead"),
    ("ehs", "EHS", "ahead now, or about to be"),
    ("expected_hs", "E[HS]", "on average over the cards to come"),
    ("expected_hs2", "E[HS²]", "the same squared: draws count more"),
)
_POWERS = (
    ("hs_power", "HS^n", "as if the hands were independent"),
    ("ehs_power", "EHS with HS^n", ""),
    ("expected_hs_power", "E[HS^n]", ""),
)
_WAYS = (
    ("hs_nway", "n-way HS", "best of all hands now, truly"),
    ("equity_nway", "n-way equity", "share of the pot at the end, truly"),
)


def odds(
    hand: str = argument("HAND", "Two hole cards, like AsKd."),
    board: Board = "",
    opponents: int = option(1, "--opponents -o", "N", "Opponents with random hands.", integer(1, MOST_OPPONENTS)),
    json: Json = False,
) -> None:
    """What is known about a hand: its strength, its potential, its outs, and how good a start it was.

    Measures are against random hands. With several opponents, HS^n is the power that the literature uses, and the n-way
    values are the true ones.

    Example: `felt odds 5h4h --board Kh6s3h --opponents 3`
    """
    from felt.cards.card import parse_cards
    from felt.odds.outs import outs
    from felt.odds.strength.calculate import strength

    measures = strength(hand, board, opponents=opponents)
    hole, table = parse_cards(hand), parse_cards(board)
    helping = outs(hole, table) if 3 <= len(table) < 5 else []
    if json:
        output.print_json(_as_json(measures, hole, table, helping))
    else:
        on_board = f"  on  {output.cards(table)}:  [bold]{_made(hole + table)}[/]" if table else ""
        output.say(f"{output.cards(hole)}{on_board}")
        rows = [_start_row(hole), *_measure_rows(measures)]
        output.facts(rows + _outs_rows(helping, to_come=5 - len(table)) if helping else rows)


def _start(hole: tuple[int, ...]) -> dict[str, Any]:
    """How the two cards are judged before the flop."""
    from felt.cards.combos import CLASS_NAMES
    from felt.cards.starting import chen, percentile, sklansky_group, starting_class

    return {
        "class": CLASS_NAMES[starting_class(hole)],
        "chen": chen(hole),
        "group": sklansky_group(hole),
        "percentile": percentile(hole),
    }


def _made(cards: tuple[int, ...]) -> str:
    from felt.cards.ranking.evaluator import rank
    from felt.cards.ranking.names import describe

    return describe(rank(cards))


def _as_json(
    measures: "Strength", hole: tuple[int, ...], board: tuple[int, ...], helping: "list[Out]"
) -> dict[str, Any]:
    from felt.cards.card import format_card

    return {
        **asdict(measures),
        "made": _made(hole + board) if board else None,
        "outs": [{"card": format_card(out.card), "makes": out.makes} for out in helping],
        "start": _start(hole),
    }


def _start_row(hole: tuple[int, ...]) -> tuple[str, str]:
    start = _start(hole)
    group = f"group {start['group']}" if start["group"] < 9 else "no group"
    return "start", f"{start['class']}: Chen {start['chen']}, {group}, in the top {start['percentile']:.1f}%"


def _measure_rows(measures: "Strength") -> Rows:
    several = measures.opponents > 1
    rows = [
        (label, _measure(value, words))
        for name, label, words in _MEASURES
        if (value := getattr(measures, name)) is not None
    ]
    for group in (_POWERS, _WAYS) if several else ():
        for name, label, words in group:
            value = getattr(measures, name)
            if value is not None:
                label = label.replace("n-way", f"{measures.opponents + 1}-way").replace("^n", f"^{measures.opponents}")
                rows.append((label, _measure(value, words)))
    if several and measures.nway_stderr:
        rows.append(("", f"[dim]sampled, standard error {output.percent(measures.nway_stderr, 3)}[/]"))
    return rows


def _measure(value: float, words: str) -> str:
    return f"{output.percent(value):>7}  [dim]{words}[/]"


def _outs_rows(helping: "list[Out]", *, to_come: int) -> Rows:
    from felt.odds.outs import draw_chances

    chances = draw_chances(outs=len(helping), to_come=to_come)
    by_river = f", by the river {output.percent(chances.by_river)}" if to_come == 2 else ""
    families: dict[str, list[int]] = {}
    for out in helping:
        families.setdefault(out.makes.split(",")[0], []).append(out.card)
    rows = [("outs", f"{len(helping)}: next card {output.percent(chances.next_card)}{by_river}")]
    return rows + [("", f"{family}: {output.cards(cards)}") for family, cards in families.items()]


def equity(
    hands: list[str] = argument("HAND_OR_RANGE", "One per player: AsAd, QQ+,AKs, 20% or random."),
    board: Board = "",
    dead: Dead = "",
    opponents: Opponents = None,
    game: str = option("holdem", "--game -g", "NAME", "holdem, omaha, short-deck …"),
    exact: bool = option(False, "--exact", "", "Count every deal, however long it takes."),
    samples: int | None = option(None, "--samples", "N", "Deal N hands at random.", count_number),
    stderr: float | None = option(
        None, "--stderr", "X", "Deal until the standard error is X, like 0.001.", positive_number
    ),
    seed: int = option(0, "--seed", "N", "The same seed deals the same cards.", seed_number),
    threads: int | None = option(None, "--threads", "N", "Threads to use; all cores by default.", thread_number),
    json: Json = False,
) -> None:
    """Equity of hands and ranges against each other: exact where that is feasible, else sampled.

    One hand alone plays against a random hand.

    Example: `felt equity AsKs QQ+,AKs --board QhJs2c`
    """
    from felt.cli.output import progress_bar
    from felt.odds import equity as calculate

    only_one_of(exact=exact or None, samples=samples, stderr=stderr)
    extra = opponents if opponents is not None else int(len(hands) == 1)
    with progress_bar("dealing") as progress:
        result = calculate(
            [*hands, *["random"] * extra], board=board, dead=dead, game=game, exact=exact or None, samples=samples,
            stderr=stderr, seed=seed, threads=threads, progress=progress,
        )  # fmt: skip
    if json:
        output.print_json(result.as_dict())
    else:
        _print_equity(result)


def _print_equity(result: "Equity") -> None:
    rows = output.table("hand", "equity", "win", "tie", numbers=["equity", "win", "tie"])
    for player in result.players:
        rows.add_row(
            output.plain(player.hand),
            f"[bold]{output.percent(player.equity)}[/]",
            output.percent(player.win),
            output.percent(player.tie),
        )
    output.show(rows)
    how = "exact" if result.exact else "sampled"
    error = "" if result.exact else f" standard error {output.percent(result.stderr, 3)},"
    output.say(f"[dim]{how}: {counted(result.samples, 'deal')},{error} {result.seconds:.3f} s[/]")


def tables(
    table: str = argument("WHICH", "What to build: turn."),
    json: Json = False,
) -> None:
    """Build tables that are too large to ship, into the cache folder: some seconds, once.

    `turn` is the expected strength of every hand on every turn board (112 MB), for lookups instead of counting.

    Example: `felt tables turn`
    """
    if table != "turn":
        raise FeltError(f"there are no tables {table!r} to build: choose 'turn'")
    from felt.odds.strength.lookup import build_turn_tables

    try:
        paths = build_turn_tables()
    except OSError as error:
        place = repr(error.filename) if error.filename else "the cache folder"
        raise FeltError(f"cannot write {place} ({error.strerror}): set FELT_CACHE to a folder of yours") from None
    if json:
        output.print_json({"files": [{"path": str(path), "bytes": path.stat().st_size} for path in paths]})
    else:
        for path in paths:
            output.say(f"{output.plain(str(path))}  [dim]{path.stat().st_size / 1e6:,.0f} MB[/]")
