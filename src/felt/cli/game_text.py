"""Games in words, and as plain values for JSON."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from felt.cli import output

if TYPE_CHECKING:
    from felt.games import GameRules, Round


def span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


def short(rules: "GameRules") -> dict[str, Any]:
    betting = [str(part.betting.structure) for part in rules.rounds if part.betting]
    return {
        "name": rules.name,
        "players": [rules.min_players, rules.max_players],
        "betting": ", ".join(dict.fromkeys(betting)) or "none",
        "cards": _cards_dealt(rules),
    }


def _cards_dealt(rules: "GameRules") -> str:
    up, board = sum(part.up for part in rules.rounds), rules.board_cards
    text = f"{rules.hole_cards} each" + (f", {up} up" if up else "") + (f", board {board}" if board else "")
    for word, count in (
        ("draw", sum(part.draw_most > 0 for part in rules.rounds)),
        ("pass", sum(part.passes > 0 for part in rules.rounds)),
        ("discard", sum(part.discards > 0 for part in rules.rounds)),
    ):
        if count:
            text += f", {word}" if count == 1 else f", {word} ×{count}"
    return text


def as_dict(rules: "GameRules") -> dict[str, Any]:
    """A game as plain values, for JSON; cards as text."""
    from dataclasses import asdict

    from felt.cards.card import format_cards

    told = asdict(rules)
    told["deck"] = {"name": rules.deck.name, "cards": format_cards(rules.deck)}
    told["showdown"]["wild"] = format_cards(rules.showdown.wild)
    return told


def print_rules(rules: "GameRules", name: str) -> None:
    output.say(f"[bold]{output.plain(rules.title or rules.name)}[/]")
    if rules.description:
        output.show(output.plain(" ".join(rules.description.split())))
    output.say()
    output.facts(_facts(rules, name))
    output.say()
    rows = output.table("round", "dealt", "exchange", "first", "betting")
    for part in rules.rounds:
        rows.add_row(output.plain(part.name), _dealt(part), _exchanged(part), str(part.first), _betting(part))
    output.show(rows)


def _facts(rules: "GameRules", name: str) -> Iterator[tuple[str, str]]:
    from felt.games import names, parameters

    yield "name", output.plain(rules.name)
    yield "players", span(rules.min_players, rules.max_players)
    yield "deck", f"{len(rules.deck)} cards ({output.plain(rules.deck.name)})"
    yield "stakes", _stakes(rules)
    if rules.stack:
        yield "stack", f"{rules.stack:,}"
    yield "hands", _hands(rules)
    for i, parameter in enumerate(parameters(name) if name in names() else ()):
        yield (
            "" if i else "may be set",
            f"{parameter.name} = {float(parameter.default):g}: {output.plain(parameter.description)}",
        )


def _stakes(rules: "GameRules") -> str:
    amounts = {
        "ante": rules.ante,
        "big-blind ante": rules.big_blind_ante,
        "bring-in": rules.bring_in,
        "cap": rules.cap,
    }
    parts = ["blinds " + "/".join(map(str, rules.blinds))] if rules.blinds else []
    parts += [f"{word} {amount}" for word, amount in amounts.items() if amount]
    if rules.rake.share:
        parts.append(f"rake {output.percent(rules.rake.share, 1)}")
    return ", ".join(parts) or "none"


def _hands(rules: "GameRules") -> str:
    from felt.cards.card import pretty_cards

    shown = rules.showdown
    text = f"{shown.size} cards, " + (
        "by formulas: " + ", ".join(output.plain(score.name) for score in shown.scoring)
        if shown.scoring
        else " and ".join(shown.kinds)
    )
    if shown.hole_exactly:
        text += f", exactly {shown.hole_exactly} from the hand"
    if shown.wild:
        text += f", wild: {pretty_cards(shown.wild)}"
    return text


def _dealt(part: "Round") -> str:
    words = (("down", part.down), ("up", part.up), ("board", part.board))
    return ", ".join(f"{count} {word}" for word, count in words if count) or "-"


def _exchanged(part: "Round") -> str:
    words = []
    if part.passes:
        words.append(f"pass {part.passes} {'left' if part.pass_left else 'right'}")
    if part.discards:
        words.append(f"discard {part.discards}")
    if part.draw_most:
        words.append(f"draw {span(part.draw_least, part.draw_most)}")
    return ", ".join(words) or "-"


def _betting(part: "Round") -> str:
    betting = part.betting
    if betting is None:
        return "-"
    text = f"{betting.structure} {betting.bet}" + (f"–{betting.most}" if betting.most else "")
    return text + (f", {betting.max_raises} raises" if betting.max_raises else "")
