"""How hands are made and scored in a PGDL document."""

from felt.cards.ranking.kinds import KINDS
from felt.games.pgdl.fields import Node
from felt.games.pgdl.tree import shown
from felt.games.pgdl.words import WINNING, words
from felt.games.rules import RulesError, Score, Showdown
from felt.games.scoring.expressions import FormulaError, bounds, parse_formula

HAND_SIZE = 5
_WINNING = words(*((kinds, (name,)) for name, kinds in WINNING.items()))


def read_showdown(node: Node | None, game: Node, wild: tuple[int, ...], *, bug: bool = False) -> Showdown:
    """The showdown: D's winning type stands for kinds of hand, unless the scoring names them."""
    winning = game.word("winningType", _WINNING, WINNING["high"])
    if node is None:
        return _checked(game, winning, HAND_SIZE, 0, wild, (), bug=bug)
    standard = node.yes("standard", default=not node.children("Score"))
    if standard and node.children("Score"):
        node.fail_at("standard", "standard is 'yes', but scores are given: say 'no', or remove them")
    if not standard and not node.children("Score"):
        node.fail_at("standard", "standard is 'no', but no <Score> is given: add some, or say 'yes'")
    size = node.whole("handSize", HAND_SIZE, least=1, most=HAND_SIZE)
    kinds = _kinds(node, game) if "kinds" in node else winning
    scoring = tuple(_score(each, size) for each in node.children("Score"))
    return _checked(node, kinds, size, node.whole("holeCards", 0, most=size), wild, scoring, bug=bug)


def _checked(
    node: Node,
    kinds: tuple[str, ...],
    size: int,
    exactly: int,
    wild: tuple[int, ...],
    scoring: tuple[Score, ...],
    *,
    bug: bool,
) -> Showdown:
    try:
        return Showdown(kinds, size, exactly, wild, scoring, bug)
    except RulesError as error:
        node.fail(f"cannot be: {error}")


def winning_type(kinds: tuple[str, ...]) -> str:
    """D's word for what wins: high, low, or both."""
    low = [kind.startswith(("low", "badugi")) for kind in kinds]
    return "low" if all(low) else "mixed" if any(low) else "high"


def _kinds(node: Node, game: Node) -> tuple[str, ...]:
    kinds = tuple(node.text("kinds").lower().replace(",", " ").split())
    for kind in kinds:
        if kind not in KINDS:
            node.fail_at("kinds", f"kinds names {shown(kind)!r}: use {', '.join(KINDS)}")
    winning = game.text("winningType", winning_type(kinds))
    if winning.lower() != winning_type(kinds):
        game.fail_at(
            "winningType", f"winningType is {shown(winning)!r}, but {' and '.join(kinds)} is {winning_type(kinds)}"
        )
    return kinds


def _score(node: Node, size: int) -> Score:
    subrank = node.child("Subrank")
    if subrank is None:
        node.fail("has no <Subrank>: add one with the formula that orders its hands")
    conditions = node.child("Conditions")
    texts = [_formula(each, size) for each in conditions.children("Condition")] if conditions else []
    if conditions and conditions.element.text.strip():
        texts.append(_formula(conditions, size))
    return Score(
        name=node.text("name"),
        rank=node.whole("rank"),
        subrank=_formula(subrank, size),
        conditions=tuple(texts),
        default=node.yes("default", default=False),
        sort=node.yes("sort", default=True),
    )


def _formula(node: Node, size: int) -> str:
    """The formula in an element's text, checked here because here its place is known."""
    text = node.element.text
    try:
        bounds(parse_formula(text, cards=size))
    except FormulaError as error:
        at = min(error.at, len(text.rstrip()) - 1)
        if at < 0:
            node.fail(f"is empty: {error}")
        node.element.fail_in_text(f"<{node.name}> {error}", at)
    return text
