"""Finding the game that a command is about: by name or file, with its parameters."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from felt.cli.options import shared_option
from felt.errors import FeltError

if TYPE_CHECKING:
    from felt.games import GameRules

Settings = Annotated[
    list[str] | None,
    shared_option(
        "--set",
        "NAME=VALUE",
        "A parameter of the game, like big_blind=10 or rake=5%; may be repeated. felt game show GAME lists them.",
    ),
]


def load_game(name: str, settings: list[str] | None, players: int | None = None, *, counted: str = "") -> "GameRules":
    """A game by its name or from a file, and for so many players, where they are given.

    `counted` says where their number comes from (``3 agents``), for a message; else it is the option ``--players``.
    """
    from felt.games.catalogue import load_for

    chosen = parameters_of(settings)
    if Path(name).suffix.lower() in (".xml", ".game") or "/" in name:
        rules = read_game(Path(name), chosen)
    else:
        rules = load_for(name, players, **chosen)
    if players is not None and not rules.min_players <= players <= rules.max_players:
        text, setting = counted or f"--players {players}", f"--set players={chosen.get('players')}"
        if "players" in chosen:  # that is what has to change
            raise FeltError(f"{text}, and {setting} makes {rules.name} a game for {rules.seats_text}: leave it out")
        raise FeltError(f"{text}: {rules.name} is for {rules.seats_text}")
    return rules


def read_game(file: Path, parameters: dict[str, str]) -> "GameRules":
    """A game from a PGDL or ACPC file."""
    if file.suffix.lower() == ".game":
        from felt.interop.acpc.game import load_acpc_game

        if parameters:
            raise FeltError(f"--set {next(iter(parameters))}: ACPC games have no parameters; change the file")
        return load_acpc_game(file)
    from felt.games.catalogue import load_file

    return load_file(file, **parameters)


def parameters_of(settings: list[str] | None) -> dict[str, str]:
    """Parameters as they are typed, ``name=value``."""
    chosen = {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise FeltError(f"--set {setting!r} is not a name and a value: write it like big_blind=10")
        chosen[key.strip()] = value.strip()
    return chosen
