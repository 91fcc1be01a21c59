"""The rounds of a PGDL document: what is dealt and moved, who acts first, what may be bet, and the blinds."""

from felt.games.pgdl.fields import Node
from felt.games.pgdl.tree import PgdlError, shown
from felt.games.pgdl.words import BLIND_IDS, CLOCKWISE, FIRSTS, STRUCTURES, key
from felt.games.rules import MAX_PLAYERS, Betting, First, Round, RulesError

_UNLIMITED = "unlimited"
_SEATS = {"nextdealer": 0, "leftdealer": 0, "twoleftdealer": 1, "threeleftdealer": 2}


def read_round(node: Node, number: int) -> Round:
    """One round; `number` names it if nothing else does."""
    draws, passes, discards = node.child("DrawCards"), node.child("PassCards"), node.child("DiscardCards")
    rolls = node.child("RollCards")
    order = node.child("BettingOrder")
    betting = _betting(node)
    try:
        return Round(
            name=node.text("name", f"Round {number}"),
            down=node.whole("faceDownCardsDealt", 0),
            up=node.whole("faceUpCardsDealt", 0),
            board=node.whole("communityCardsNumber", 0),
            passes=passes.whole("value") if passes else 0,
            pass_left=passes.word("direction", CLOCKWISE, True) if passes else True,
            discards=discards.whole("value") if discards else 0,
            draw_most=draws.whole("max") if draws else 0,
            draw_least=draws.whole("min", 0) if draws else 0,
            betting=betting,
            first=order.word("firstPlayerBetting", FIRSTS, First.AFTER_BUTTON) if order else First.AFTER_BUTTON,
            rolls=rolls.whole("value") if rolls else 0,
            clockwise=order.word("order", CLOCKWISE, True) if order else True,
        )
    except PgdlError:
        raise
    except RulesError as error:
        node.fail(f"cannot be: {error}")


def _betting(node: Node) -> Betting | None:
    structure = node.child("BettingStructure")
    if structure is None:
        node.fail('has no <BettingStructure>: add one; type="none" stands for a round without betting')
    kind = structure.word("type", STRUCTURES)
    bet = structure.child("Bet")
    if kind is None:
        if bet:
            bet.fail("stands in a round without betting: remove it, or choose another type")
        return None
    if bet is None:
        structure.fail('has no <Bet>: add <Bet value="…" maxNumRaises="…"/>')
    try:
        return Betting(kind, bet.chips("value"), bet.chips("most", 0), _raises(bet))
    except PgdlError:
        raise
    except RulesError as error:
        bet.fail(f"cannot be: {error}")


def _raises(bet: Node) -> int:
    if key(bet.text("maxNumRaises", _UNLIMITED)) == _UNLIMITED:
        return 0
    return bet.whole("maxNumRaises", least=1, most=255, otherwise=_UNLIMITED)


def blinds_of(rounds: list[Node]) -> tuple[int, ...]:
    """The blinds, by seats from the left of the button; only the first round can have them."""
    for i, node in enumerate(rounds):
        structure = node.child("BlindStructure")
        if structure is None:
            if node.yes("blinds", default=False):
                node.fail_at("blinds", "blinds is 'yes', but there is no <BlindStructure>: add one, or say 'no'")
        elif not node.yes("blinds", default=True):
            node.fail_at("blinds", "blinds is 'no', but there is a <BlindStructure>: say 'yes', or remove it")
        elif i > 0:
            structure.fail("stands in a later round: blinds are posted in the first one")
    first = rounds[0].child("BlindStructure")
    return _blinds(first) if first else ()


def _blinds(structure: Node) -> tuple[int, ...]:
    nodes = structure.children("Blind")
    if not nodes:
        structure.fail('has no <Blind>: add one, such as <Blind value="1" position="nextDealer"/>')
    seats: dict[str, int] = {}
    amounts: dict[int, int] = {}
    for i, node in enumerate(nodes):
        seat = _seat(node, seats, after=max(amounts, default=-1))
        if seat in amounts:
            node.fail_at("position", f"position is {shown(node.text('position', ''))!r}: another blind is posted there")
        if seat >= MAX_PLAYERS:
            node.fail(f"is one too many: {MAX_PLAYERS} players can post one each")
        name = node.text("id", BLIND_IDS[i])
        if key(name) in map(key, seats):
            node.fail_at("id", f"id is {shown(name)!r}: another blind has it")
        seats[name] = seat
        amounts[seat] = node.chips("value")
    return tuple(amounts.get(seat, 0) for seat in range(max(amounts) + 1))


def _seat(node: Node, seats: dict[str, int], *, after: int) -> int:
    """Where a blind is posted: next to the button, or to a blind that stands before it."""
    if "position" not in node:
        return after + 1
    position = key(node.text("position"))
    if position in _SEATS:
        return _SEATS[position]
    for name, seat in seats.items():
        if position in (key(f"next{name}"), key(f"left{name}")):
            return seat + 1
    allowed = " or ".join(["nextDealer", *(f"next{shown(name)[:1].upper()}{shown(name)[1:]}" for name in seats)])
    return node.fail_at("position", f"position is {shown(node.text('position'))!r}: use {allowed}")
