"""Games for the terminal, in the words of `felt.games.describing`, and as plain values for JSON."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from felt.cli import output

if TYPE_CHECKING:
    from felt.games import GameRules


def short(rules: "GameRules") -> dict[str, Any]:
    """What a list says of a game."""
    from felt.games.describing import cards_dealt

    betting = [str(part.betting.structure) for part in rules.rounds if part.betting]
    return {
        "name": rules.name,
        "players": [rules.min_players, rules.max_players],
        "betting": ", ".join(dict.fromkeys(betting)) or "none",
        "cards": cards_dealt(rules),
    }


def players(rules: "GameRules") -> str:
    """For how many a game is."""
    from felt.games.describing import facts

    return facts(rules)["players"]


def as_dict(rules: "GameRules") -> dict[str, Any]:
    """A game as plain values, for JSON; cards as text."""
    from dataclasses import asdict

    from felt.cards.card import format_cards

    values = asdict(rules)
    values["deck"] = {"name": rules.deck.name, "cards": format_cards(rules.deck)}
    values["showdown"]["wild"] = format_cards(rules.showdown.wild)
    return values


def print_rules(rules: "GameRules", name: str) -> None:
    """A game on a page: what holds for all of it, what may be set, and its rounds."""
    from felt.games.describing import NOTHING, facts, round_facts

    output.say(f"[bold]{output.plain(rules.title or rules.name)}[/]")
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
