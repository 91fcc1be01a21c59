"""The catalogue: every variant that comes with Felt, one PGDL file each; with the rake and the stakes that one likes.

Adding a variant is adding a file to the folder ``variants``; nothing else lists them.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from felt.games.amounts import from_unit, in_unit
from felt.games.pgdl import Parameter, load_pgdl, read_parameters
from felt.games.rules import MAX_CHIPS, GameRules, Rake, RulesError

FOLDER = Path(__file__).parent / "variants"

SETTINGS = {
    "rake": "the share of a pot that the house takes, like 0.05 or 5%",
    "rake_cap": "the most that it takes of a hand; 0 for no limit",
    "no_flop_no_drop": "yes or no: whether nothing is taken from a hand that ends in its first betting round",
}
"""What may be set of the rake in every game, in words."""

_ANSWERS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@cache
def names() -> tuple[str, ...]:
    """The names of all variants, in alphabetical order.

    >>> "nlhe" in names() and "kuhn" in names()
    True
    """
    return tuple(sorted(path.stem for path in FOLDER.glob("*.xml")))


def load(name: str, **parameters: object) -> GameRules:
    """A variant by its name, with the parameters that its file declares, and the rake (`SETTINGS`).

    >>> load("nlhe").blinds, load("nlhe", small_blind=5, big_blind=10).blinds
    ((1, 2), (5, 10))
    >>> len(load("kuhn", cards=13, players=10).deck)
    13
    >>> load("nhle")
    Traceback (most recent call last):
        ...
    felt.games.rules.RulesError: there is no game 'nhle' in the catalogue: did you mean 'nlhe'?
    """
    return load_file(_file(name), **parameters)


def load_file(path: Path, **parameters: object) -> GameRules:
    """The game in a PGDL file, with the parameters that it declares, and the rake."""
    others = {name: value for name, value in parameters.items() if name not in SETTINGS}
    return with_rake(load_pgdl(path, **others), parameters)


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
    return tuple(read_parameters(_file(name).read_bytes(), source=f"{name}.xml").values())


def _file(name: str) -> Path:
    if name not in names():
        close = get_close_matches(name, names(), n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"it has {', '.join(names())}"
        raise RulesError(f"there is no game {name[:40]!r} in the catalogue: {hint}")
    return FOLDER / f"{name}.xml"


def with_rake(rules: GameRules, settings: Mapping[str, object]) -> GameRules:
    """The game with these settings of the rake (`SETTINGS`), as they are typed or as values; others stay as they are.

    >>> from felt.games import load
    >>> with_rake(load("razz"), {"rake": "5%", "rake_cap": 3}).rake
    Rake(share=0.05, cap=3, no_flop_no_drop=True)
    """
    before = rules.rake
    rake = Rake(
        _share(settings["rake"]) if "rake" in settings else before.share,
        _cap(settings["rake_cap"], rules.unit) if "rake_cap" in settings else before.cap,
        _answer(settings["no_flop_no_drop"]) if "no_flop_no_drop" in settings else before.no_flop_no_drop,
    )
    return rules if rake == before else replace(rules, rake=rake)


def _share(value: object) -> float:
    text = str(value).strip()
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        raise RulesError(f"rake={text[:40]!r} is no share of a pot: write it like 0.05 or 5%")
    return share


def _cap(value: object, unit: float) -> int:
    chips = from_unit(str(value), unit)
    if chips is None or chips > MAX_CHIPS:
        least = in_unit(1, unit)
        raise RulesError(
            f"rake_cap={str(value)[:40]!r} is no amount of this game: write a multiple of {least}, 0 for none"
        )
    return chips


def _answer(value: object) -> bool:
    answer = _ANSWERS.get(str(value).strip().lower())
    if answer is None:
        raise RulesError(f"no_flop_no_drop={str(value)[:40]!r} is no answer: write yes or no")
    return answer


def scaled(rules: GameRules, factor: int, *, most: int | None = None) -> GameRules:
    """A game with all its amounts multiplied, up to `most` each; stacks are the players' own affair.

    >>> from felt.games import load
    >>> scaled(load("nlhe"), 4).blinds, scaled(load("nlhe"), 4, most=7).blinds
    ((4, 8), (4, 7))
    """
    if not isinstance(factor, int) or factor < 1:
        raise RulesError(f"stakes times {factor!r}: give a whole number, 1 or more")

    def grown(amount: int) -> int:
        return amount * factor if most is None else min(amount * factor, most)

    rake = replace(rules.rake, cap=grown(rules.rake.cap))
    blinds = tuple(grown(blind) for blind in rules.blinds)
    return _grown(rules, grown, blinds, grown(rules.ante), big_blind_ante=grown(rules.big_blind_ante), rake=rake)


def _grown(
    rules: GameRules, grown: Callable[[int], int], blinds: tuple[int, ...], ante: int, **others: Any
) -> GameRules:
    """A game with these blinds and this ante, whose bets and limits have grown."""
    rounds = []
    for part in rules.rounds:
        bets = part.betting
        bets = bets and replace(bets, bet=grown(bets.bet), most=grown(bets.most))
        rounds.append(replace(part, betting=bets))
    bring_in, cap = grown(rules.bring_in), grown(rules.cap)
    return replace(rules, rounds=tuple(rounds), blinds=blinds, ante=ante, bring_in=bring_in, cap=cap, **others)


def with_blinds(rules: GameRules, small: int, big: int, ante: int = 0) -> GameRules:
    """A game with these two blinds and this ante for everybody; bets and limits grow as the big blind does.

    >>> from felt.games import load
    >>> level = with_blinds(load("limit-holdem"), 25, 50, 5)
    >>> level.blinds, level.ante, level.rounds[0].betting.bet, level.rounds[3].betting.bet
    ((25, 50), 5, 50, 100)
    """
    shown = f"blinds {small}/{big}" + (f"/{ante}" if ante else "")
    if len(rules.blinds) != 2:
        raise RulesError(f"{shown}: {rules.name} is not played with two blinds; give multiples of its stakes instead")
    if not 0 <= small <= big or big < 1 or ante < 0:
        raise RulesError(f"{shown}: the second blind is the larger one, and none is less than nothing")
    before = rules.big_blind

    def grown(amount: int) -> int:
        if amount * big % before:
            raise RulesError(f"{shown}: an amount of {amount} with a big blind of {before} would be no whole number")
        return amount * big // before

    return _grown(rules, grown, (small, big), ante, big_blind_ante=0)
