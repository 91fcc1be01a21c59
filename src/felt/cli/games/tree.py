"""The betting tree of a game in the terminal: its branches, and how many there are."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from felt.cli import output
from felt.errors import FeltError, counted

if TYPE_CHECKING:
    from felt.games import Action, GameRules, Hand
    from felt.games.trees.counts import BettingCounts

LINES = 40
"""Lines of a tree that are shown when nobody says how deep it shall be."""

MOST_LINES = 20_000


def branches(hand: "Hand", sizes: list[float] | None, depth: int | None) -> dict[str, Any]:
    """The tree as nested plain values, down to a depth, or to the depth at which it fills a screen or two."""
    if depth is not None:
        return _branch(hand, sizes, depth, [MOST_LINES])
    best = _branch(hand, sizes, 1, [MOST_LINES])
    with suppress(FeltError):  # there is no room
        for deeper in range(2, 1000):
            root = _branch(hand, sizes, deeper, [LINES])
            if root == best:
                break
            best = root
    return best


def _branch(hand: "Hand", sizes: list[float] | None, depth: int, room: list[int]) -> dict[str, Any]:
    from felt.games.trees.tree import children

    room[0] -= 1
    if room[0] < 0:
        raise FeltError(f"the tree is too large to show: more than {MOST_LINES:,} lines; give a smaller --depth")
    node: dict[str, Any] = {"round": hand.rules.rounds[hand.street].name}
    if hand.over:
        node |= {"end": "showdown" if hand.showdown else "fold", "pot": sum(hand.won) + hand.rake}
        return node if hand.showdown else {**node, "winner": next(seat for seat, won in enumerate(hand.won) if won)}
    node |= {"turn": hand.turn, "pot": hand.pot, "children": []}
    if depth > 0:
        for action, child in children(hand, sizes=sizes, cards=False):
            below = _branch(child, sizes, depth - 1, room)
            node["children"].append({"action": action_words(hand, action), "seat": hand.turn, **below})
    return node


def action_words(hand: "Hand", action: "Action") -> str:
    """A move before it is made, as a dealer would call it."""
    from felt.games import Move
    from felt.games.amounts import in_unit

    legal, unit = hand.legal(), hand.rules.unit
    if action.move == Move.FOLD:
        return "fold"
    if action.move == Move.CALL:
        return f"call {in_unit(legal.call, unit, grouped=False)}" if legal.call else "check"
    if action.move == Move.RAISE:
        opened = max(hand.bets) > 0
        return f"{'raise' if opened else 'bet'} {'to ' if opened else ''}{in_unit(action.amount, unit, grouped=False)}"
    kind = legal.exchange[0] if legal.exchange else "exchange"
    return f"{kind} {len(action.cards)}"


def print_tree(hand: "Hand", branches: dict[str, Any]) -> None:
    from felt.games.amounts import in_unit

    def money(chips: int) -> str:
        return in_unit(chips, hand.rules.unit)

    stacks = hand.starting_stacks if len(set(hand.starting_stacks)) > 1 else hand.starting_stacks[:1]
    shown = ", ".join(map(money, stacks))
    first = "nobody has to act" if hand.over else f"seat {hand.turn} acts first"
    output.say(
        f"[bold]{output.plain(hand.rules.name)}[/]  [dim]{hand.players} players, stack {shown}; "
        f"{first}, pot {money(branches['pot'])}[/]"
    )
    for line in _lines(branches, "", branches["round"], money):
        output.say(line)


def _lines(node: dict[str, Any], before: str, street: str, money: Callable[[int], str]) -> Iterator[str]:
    below = node.get("children", [])
    for i, child in enumerate(below):
        last = i + 1 == len(below)
        yield f"{before}{'└─' if last else '├─'} {_line(child, street, money(child['pot']))}"
        yield from _lines(child, before + ("   " if last else "│  "), child["round"], money)


def _line(node: dict[str, Any], street: str, pot: str) -> str:
    text = f"{node['seat']}: [bold]{node['action']}[/]"
    if node.get("end") == "showdown":
        return f"{text}  [dim]showdown for {pot}[/]"
    if node.get("end") == "fold":
        return f"{text}  [dim]seat {node['winner']} takes {pot}[/]"
    more = "" if node["children"] else " …"
    new = f"  [cyan]{output.plain(node['round'])}[/]" if node["round"] != street else ""
    return f"{text}{new}  [dim]pot {pot}{more}[/]"


def counts_dict(counts: "BettingCounts", rules: "GameRules") -> dict[str, Any]:
    return {
        "rounds": [
            {
                "round": part.name,
                "decisions": counts.decisions[i],
                "choices": counts.choices[i],
                "infosets": counts.decisions[i] * counts.deals[i] if counts.deals else None,
            }
            for i, part in enumerate(rules.rounds)
        ],
        "decisions": sum(counts.decisions),
        "folds": sum(counts.folds),
        "showdowns": counts.showdowns,
        "terminals": counts.terminals,
        "infosets": counts.infosets,
        "sequences": counts.sequences,
    }


def print_counts(counts: "BettingCounts | None", rules: "GameRules", why: str) -> None:
    output.say()
    if counts is None:
        output.say(f"[dim]Not counted: {output.plain(why)}[/]")
        return
    values = counts_dict(counts, rules)
    columns = ["decisions", "choices", *(["information sets"] if counts.deals else [])]
    rows = output.table("round", *columns, numbers=columns)
    for part in values["rounds"]:
        numbers = [part["decisions"], part["choices"], *([part["infosets"]] if counts.deals else [])]
        rows.add_row(output.plain(part["round"]), *(f"{number:,}" for number in numbers))
    output.show(rows)
    ends = f"{values['folds']:,} by folding, {values['showdowns']:,} with a showdown"
    if counts.deals:
        ends += f"; {counted(values['infosets'], 'information set')}, {counted(values['sequences'], 'sequence')}"
    output.say(f"[dim]{counted(values['terminals'], 'way')} to end: {ends}[/]")
