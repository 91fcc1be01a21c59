"""The catalogue: every variant that comes with Felt, one PGDL file each.

Adding a variant is adding a file to the folder ``variants``; nothing else lists them.
"""

from difflib import get_close_matches
from functools import cache
from pathlib import Path

from felt.games.pgdl import Parameter, load_pgdl, read_parameters
from felt.games.rake_settings import split_settings, with_rake
from felt.games.rules import GameRules, RulesError

FOLDER = Path(__file__).parent / "variants"


@cache
def names() -> tuple[str, ...]:
    """The names of all variants, in alphabetical order.

    >>> "nlhe" in names() and "kuhn" in names()
    True
    """
    return tuple(sorted(path.stem for path in FOLDER.glob("*.xml")))


def load(name: str, **parameters: object) -> GameRules:
    """A variant by its name, with the parameters that its file declares, and the rake (`felt.games.rake_settings`).

    >>> load("nlhe").blinds, load("nlhe", small_blind=5, big_blind=10).blinds
    ((1, 2), (5, 10))
    >>> len(load("kuhn", cards=13, players=10).deck)
    13
    >>> load("nhle")
    Traceback (most recent call last):
        ...
    felt.games.rules.RulesError: there is no game 'nhle' in the catalogue: did you mean 'nlhe'?
    """
    rake, others = split_settings(parameters)
    return with_rake(load_pgdl(_file(name), **others), rake)


def load_for(name: str, players: int | None, /, **parameters: object) -> GameRules:
    """A variant for so many players: where their number is a parameter of the game, it is set, unless it is chosen.

    >>> load_for("kuhn", 3).max_players, load_for("nlhe", 3).max_players, load_for("kuhn", None).max_players
    (3, 10, 2)
    """
    if players is not None and has_players(name):
        parameters = {"players": players, **parameters}
    return load(name, **parameters)


def has_players(name: str) -> bool:
    """Whether the number of players is a parameter of a game of the catalogue, as in Kuhn's game.

    >>> has_players("kuhn"), has_players("nlhe"), has_players("my own game")
    (True, False, False)
    """
    return name in names() and any(parameter.name == "players" for parameter in parameters(name))


def parameters(name: str) -> tuple[Parameter, ...]:
    """What may be chosen in a variant.

    >>> [parameter.name for parameter in parameters("kuhn")]
    ['cards', 'players']
    """
    path = _file(name)
    return tuple(read_parameters(path.read_bytes(), source=path.name).values())


def _file(name: str) -> Path:
    if name not in names():
        close = get_close_matches(name, names(), n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"it has {', '.join(names())}"
        raise RulesError(f"there is no game {name[:40]!r} in the catalogue: {hint}")
    return FOLDER / f"{name}.xml"
