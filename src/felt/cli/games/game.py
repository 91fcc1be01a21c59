"""`felt game …`: the catalogue of games, files that describe games, their trees, and a table to play at."""

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from felt.cli import output
from felt.cli.games import tree as game_tree
from felt.cli.games.finding import Settings, load_game, parameters_of, read_game
from felt.cli.loading import group
from felt.cli.options import Json, argument, count_number, only_one_of, option, seed_number, shared_option, whole_number
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.games.rules import GameRules

app = group(
    "Games: list, show, validate, count their trees, play. All of them take `--json`.\n\nExample: `felt game play nlhe`"
)

COUNTED = 20_000
"""Betting states that `felt game tree` counts before it gives up: some seconds' worth."""

Name = Annotated[str, argument("NAME", "A game of the catalogue, or a PGDL (.xml) or ACPC (.game) file.")]
Players = Annotated[int | None, shared_option("--players -n", "N", "How many are dealt in.", count_number)]
Stack = Annotated[
    int | None, shared_option("--stack", "CHIPS", "What everybody has; the game's own by default.", count_number)
]


@app.command("list")
def list_(json: Json = False) -> None:
    """All games of the catalogue.

    Example: `felt game list`
    """
    from felt.games import load, names

    games = [load(name) for name in names()]
    if json:
        output.print_json({"games": [{**_short(rules), "title": rules.title} for rules in games]})
        return
    rows = output.table("name", "game", "players", "cards")
    rows.columns[0].no_wrap = True
    for rules in games:
        cells = _players(rules), _short(rules)["cards"]
        rows.add_row(f"[bold]{rules.name}[/]", output.plain(rules.title), *cells)
    output.show(rows)


@app.command()
def show(
    name: Name,
    settings: Settings = None,
    xml: bool = option(False, "--xml", "", "Print the game as a PGDL document."),
    json: Json = False,
) -> None:
    """The rules of a game: what is dealt, bet and compared.

    Example: `felt game show leduc --set players=3`
    """
    only_one_of(json=json or None, xml=xml or None)
    rules = load_game(name, settings)
    if json:
        output.print_json(_game_dict(rules))
    elif xml:
        from felt.games import write_pgdl

        sys.stdout.write(write_pgdl(rules))
    else:
        _print_rules(rules, name)


@app.command()
def validate(
    file: Path = argument("FILE", "A PGDL document (.xml) or an ACPC game (.game)."),
    settings: Settings = None,
    json: Json = False,
) -> None:
    """Check a file that describes a game: says what it is, or where it is wrong, and exits with 2 then.

    With `--json`, `valid` says which, and a wrong file has an `error`.

    Example: `felt game validate mygame.xml`
    """
    parameters = parameters_of(settings)
    try:
        rules = read_game(file, parameters)
    except FeltError as error:
        if json:
            output.print_json({"file": str(file), "valid": False, "error": " ".join(str(error).split())})
        raise
    if json:
        output.print_json({"file": str(file), "valid": True, "game": _game_dict(rules)})
    else:
        output.say(f"[green]{output.plain(str(file))} is a valid game:[/] {output.title(rules)}")
        output.say(f"[dim]{_players(rules)} players, {_short(rules)['cards']}[/]")


@app.command()
def tree(
    name: Name,
    depth: int | None = option(None, "--depth -d", "N", "Moves to show; as many as fit by default.", whole_number),
    players: Players = None,
    stack: Stack = None,
    sizes: str = option("1,all", "--sizes", "LIST", "Raises to try, in pots: 0 is the least, all is all in; or every."),
    settings: Settings = None,
    json: Json = False,
) -> None:
    """The betting tree of a game: who may do what, and how many ways there are.

    Few amounts of a raise are all tried; many are cut to a menu of sizes. Folding where checking is free is left out.

    Example: `felt game tree kuhn`
    """
    from felt.games import Hand
    from felt.games.trees.counts import count_betting

    rules = load_game(name, settings, players)
    menu = _sizes(sizes)
    hand = Hand.new(rules, _in_chips(stack, rules), players=players)
    try:
        counts, why = count_betting(hand, sizes=menu, limit=COUNTED), ""
    except FeltError:
        counts = None
        why = f"there are more than {COUNTED:,} betting states; try fewer --sizes or a smaller --stack"
    branches = game_tree.branches(hand, menu, depth)
    if json:
        table = {"game": rules.name, "players": hand.players, "stacks": list(hand.starting_stacks)}
        tree_counts = game_tree.counts_dict(counts, rules) if counts else None
        output.print_json({**table, "counts": tree_counts, "tree": branches})
    else:
        game_tree.print_tree(hand, branches)
        game_tree.print_counts(counts, rules, why)


@app.command()
def play(
    name: Name,
    players: Players = None,
    stack: Stack = None,
    seed: int | None = option(None, "--seed", "N", "The same seed deals the same cards.", seed_number),
    settings: Settings = None,
    json: Json = False,
) -> None:
    """A table in the terminal, any game, against players who act at random.

    Without a keyboard (in a pipe) one hand is played for show; with `--json` it is printed as a spectator sees it.

    Example: `felt game play stud --players 4`
    """
    from felt.cli.games.table import Table, demonstration, seats_for

    rules = load_game(name, settings, players)
    seats, stack = players or seats_for(rules), _in_chips(stack, rules)
    if json:
        output.print_json(demonstration(rules, seats, stack, seed or 0).view(-1).as_dict())
        return
    console = output.console()
    Table(
        rules, seats, stack, console=console, seed=seed, someone_there=sys.stdin.isatty() and console.is_terminal
    ).run()


# Reading options


def _in_chips(stack: int | None, rules: "GameRules") -> int | None:
    """A stack that was given in the amounts of the game."""
    from felt.games.amounts import from_unit

    if stack is None or rules.unit == 1:
        return stack
    chips = from_unit(str(stack), rules.unit)
    if chips is None:
        raise FeltError(f"--stack {stack}: {rules.name} has no chips for that; the smallest is {rules.unit:g}")
    return chips


def _sizes(text: str) -> list[float] | None:
    if text.strip().lower() == "every":
        return None
    sizes = []
    for word in text.replace(",", " ").split():
        try:
            sizes.append(math.inf if word.lower() in ("all", "allin", "all-in") else float(word.removesuffix("%")))
        except ValueError:
            raise FeltError(f"--sizes: {word!r} is not a share of the pot: write it like 0.5,1,all, or every") from None
        if word.endswith("%"):
            sizes[-1] /= 100
    if not sizes:
        raise FeltError(f"--sizes {text!r} names no size: write it like 0.5,1,all, or every")
    return sizes


# Words


def _short(rules: "GameRules") -> dict[str, Any]:
    """What a list says of a game."""
    from felt.games.describing import cards_dealt

    betting = [str(part.betting.structure) for part in rules.rounds if part.betting]
    return {
        "name": rules.name,
        "players": [rules.min_players, rules.max_players],
        "betting": ", ".join(dict.fromkeys(betting)) or "none",
        "cards": cards_dealt(rules),
    }


def _players(rules: "GameRules") -> str:
    from felt.games.describing import facts

    return facts(rules)["players"]


def _game_dict(rules: "GameRules") -> dict[str, Any]:
    """A game as plain values, for JSON; cards as text."""
    from dataclasses import asdict

    from felt.cards.card import format_cards

    values = asdict(rules)
    values["deck"] = {"name": rules.deck.name, "cards": format_cards(rules.deck)}
    values["showdown"]["wild"] = format_cards(rules.showdown.wild)
    return values


def _print_rules(rules: "GameRules", name: str) -> None:
    """A game on a page: what holds for all of it, what may be set, and its rounds."""
    from felt.games.describing import NOTHING, facts, round_facts

    output.say(f"[bold]{output.title(rules)}[/]")
    if rules.description:
        output.show(output.plain(" ".join(rules.description.split())))
    output.say()
    words = {"name": rules.name, **facts(rules)}
    output.facts([*((fact, output.plain(text)) for fact, text in words.items()), *_settings(name)])
    output.say()
    rounds = [round_facts(part, rules.unit) for part in rules.rounds]
    columns = [column for column in rounds[0] if any(part[column] != NOTHING for part in rounds)]
    rows = output.table(*columns)
    for part in rounds:
        rows.add_row(*(output.plain(part[column]) for column in columns))
    output.show(rows)


def _settings(name: str) -> Iterator[tuple[str, str]]:
    """The parameters of a game of the catalogue, with what they are by default."""
    from felt.games import names, parameters
    from felt.games.catalogue import SETTINGS

    own = parameters(name) if name in names() else ()
    texts = [f"{parameter.name} = {parameter.usual}: {parameter.description}; {parameter.allowed}" for parameter in own]
    if name in names():
        texts += [f"{setting}: {words}" for setting, words in SETTINGS.items()]
    for i, text in enumerate(texts):
        yield "" if i else "may be set", output.plain(text)
