"""What the house takes, as settings that every game has: the share, its limit, and hands without a flop."""

from collections.abc import Mapping
from dataclasses import replace

from felt.games.amounts import from_unit, in_unit
from felt.games.rules import MAX_CHIPS, GameRules, Rake, RulesError

SETTINGS = {
    "rake": "the share of a pot that the house takes, like 0.05 or 5%",
    "rake_cap": "the most that it takes of a hand; 0 for no limit",
    "no_flop_no_drop": "yes or no: whether nothing is taken from a hand that ends in its first betting round",
}
"""What may be set, in words."""

_ANSWERS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def split_settings(parameters: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """The settings of the rake among the parameters of a game, and the others.

    >>> split_settings({"rake": "5%", "big_blind": 10})
    ({'rake': '5%'}, {'big_blind': 10})
    """
    rake = {name: value for name, value in parameters.items() if name in SETTINGS}
    return rake, {name: value for name, value in parameters.items() if name not in SETTINGS}


def with_rake(rules: GameRules, settings: Mapping[str, object]) -> GameRules:
    """The game with these settings of the rake, as they are typed or as values; others stay as they are.

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
