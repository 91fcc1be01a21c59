"""Write docs/play/variants.md from the catalogue: one section for each variant.

Run it after a change to src/felt/games/variants: ``.venv/bin/python scripts/build_variant_pages.py``. A test fails
when the page is not what this writes.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from felt.games.catalogue import load, names, parameters
from felt.games.describing import facts, round_facts
from felt.games.pgdl.fields import Parameter
from felt.games.rules import GameRules

PAGE = Path(__file__).resolve().parent.parent / "docs" / "play" / "variants.md"

INTRODUCTION = """# The variants

<!-- Written by scripts/build_variant_pages.py; changes belong into src/felt/games/variants. -->

Every game here is one PGDL file that comes with Felt; [Games](games.md) says how to load one, change its stakes,
and add your own. Amounts are those that you get without parameters.
"""


def page() -> str:
    """The whole page."""
    games = [(name, load(name)) for name in names()]
    overview = _table(_overview(name, rules) for name, rules in games)
    return "\n".join([INTRODUCTION, *overview, "", *(_section(name, rules) for name, rules in games)])


def _overview(name: str, rules: GameRules) -> Mapping[str, str]:
    return {
        "name": f"[`{name}`](#{name})",
        "game": rules.title,
        "players": facts(rules)["players"],
        "own cards": str(rules.hole_cards),
        "board": str(rules.board_cards),
        "rounds": str(len(rules.rounds)),
    }


def _section(name: str, rules: GameRules) -> str:
    lines = [f"## {rules.title} {{ #{name} }}", "", rules.description, "", f'`load("{name}")`', ""]
    lines += [*_table({"": f"**{key}**", "rule": text} for key, text in facts(rules).items()), ""]
    lines += [*_table(round_facts(part, rules.unit) for part in rules.rounds), ""]
    chosen = parameters(name)
    if chosen:
        lines += [*_table(_parameter(each) for each in chosen), ""]
    return "\n".join(lines)


def _parameter(parameter: Parameter) -> Mapping[str, str]:
    return {
        "parameter": f"`{parameter.name}`",
        "meaning": parameter.description,
        "default": parameter.usual,
        "allowed": parameter.allowed,
    }


def _table(rows: Iterable[Mapping[str, str]]) -> list[str]:
    every = list(rows)
    heads = list(every[0])
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return lines + ["| " + " | ".join(row[head].replace("|", "\\|") for head in heads) + " |" for row in every]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
