"""From a PGDL document to `GameRules`: the game as a whole, its rounds, blinds and scoring."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from felt.cards.ranking.kinds import KINDS
from felt.games.pgdl import words
from felt.games.pgdl.cards import read_bug, read_deck
from felt.games.pgdl.fields import Node, Parameter, Reading, chosen, declared, element_name
from felt.games.pgdl.tree import Element, PgdlError, read_tree, shown, walk
from felt.games.pgdl.words import key
from felt.games.rules import MAX_PLAYERS, Betting, First, GameRules, Rake, Round, RulesError, Score, Showdown
from felt.games.scoring.expressions import FormulaError, bounds, parse_formula

HAND_SIZE = 5
_UNLIMITED = "unlimited"
_SEATS = {"nextdealer": 0, "leftdealer": 0, "twoleftdealer": 1, "threeleftdealer": 2}
_WINNING = words.spellings(*((kinds, (name,)) for name, kinds in words.WINNING.items()))


@dataclass
class Parts:
    """A document taken apart: the game's own element, and what stands inside or beside it."""

    game: Node
    children: list[Node]

    def only(self, name: str) -> Node | None:
        """The one element of this name, if there is one."""
        nodes = self.many(name)
        if len(nodes) > 1:
            nodes[1].element.fail(f"<{name}> stands twice in the game: give it once")
        return nodes[0] if nodes else None

    def many(self, name: str) -> list[Node]:
        """All elements of this name."""
        return [child for child in self.children if child.name == name]


def read_pgdl(content: str | bytes, *, source: str = "", **parameters: object) -> GameRules:
    """The game that a PGDL document describes; `source` names the document in errors.

    >>> game = read_pgdl('''
    ... <PokerGame name="Kuhn" ante="1">
    ...   <Players minimum="2" maximum="2"/>
    ...   <Deck standard="no"> <Card id="Js"/> <Card id="Qs"/> <Card id="Ks"/> </Deck>
    ...   <Scoring standard="yes" handSize="1"/>
    ...   <Round faceDownCardsDealt="1">
    ...     <BettingStructure type="limit"><Bet value="1" maxNumRaises="1"/></BettingStructure>
    ...   </Round>
    ... </PokerGame>''')
    >>> game.name, len(game.deck), game.rounds[0].betting.bet
    ('Kuhn', 3, 1)
    """
    root = read_tree(content, source=source)
    reading = Reading()
    parts = _take_apart(root, reading)
    reading.parameters = chosen(declared(parts.many("Parameter")), parameters, source=source)
    _find_scale(root, parts.game)
    return _build(parts)


def read_parameters(content: str | bytes, *, source: str = "") -> dict[str, Parameter]:
    """The parameters that a document declares, by name."""
    return declared(_take_apart(read_tree(content, source=source), Reading()).many("Parameter"))


def _take_apart(root: Element, reading: Reading) -> Parts:
    name = element_name(root)
    if name not in ("PGDL", "PokerGame"):
        root.fail(f"the document starts with <{shown(root.name)}>: a game starts with <PGDL> or <PokerGame>")
    outer = Node(root, reading)
    game = outer if name == "PokerGame" else outer.child("PokerGame")
    if game is None:
        outer.fail("has no <PokerGame>: add one, with the name of the game")
    holders = [game] if game is outer else [outer, game]
    names = [child for child in words.CHILDREN["PokerGame"] if child != "Rounds"]
    for holder in tuple(holders):
        holders += holder.children("Rounds")
    children = [child for holder in holders for name in names for child in holder.children(name)]
    return Parts(game, children)


def _find_scale(root: Element, game: Node) -> None:
    """Find by how much to multiply the amounts of the document so that all are whole chips."""
    if "unit" in game:
        game.reading.whole_chips = True
        return
    scale = 1
    for element in walk(root):
        name = element_name(element)
        for owner, attribute in words.AMOUNTS:
            if name == owner and attribute in (node := Node(element, game.reading)):
                scale = lcm(scale, node.exact(attribute).denominator)
    game.reading.scale = scale


def _build(parts: Parts) -> GameRules:
    game, players = parts.game, parts.only("Players")
    if players is None:
        game.fail('has no <Players>: add <Players minimum="2" maximum="9"/>')
    numbered = _rounds(parts)
    blinds = _blinds([node for node, _ in numbered])
    deck, wild = read_deck(parts.only("Deck"), game)
    with _located(game, parts, numbered):
        return GameRules(
            name=game.text("name"),
            title=game.text("title", ""),
            description=_description(parts.only("Description")),
            rounds=tuple(part for _, part in numbered),
            deck=deck,
            min_players=players.whole("minimum", least=2, most=MAX_PLAYERS),
            max_players=players.whole("maximum", least=2, most=MAX_PLAYERS),
            ante=game.chips("ante", 0),
            big_blind_ante=game.chips("bigBlindAnte", 0),
            blinds=blinds,
            bring_in=_bring_in(game, numbered),
            cap=game.chips("cap", 0),
            heads_up_button_blind=players.word("headsUpBlinds", words.HEADS_UP, not blinds),
            showdown=_read_showdown(parts.only("Scoring"), game, wild, bug=read_bug(parts.only("Deck"), wild)),
            rake=_rake(parts.only("Rake")),
            stack=players.chips("stack", 0),
            unit=game.real("unit", 1.0) if game.reading.whole_chips else float(Fraction(1, game.reading.scale)),
        )


def _rounds(parts: Parts) -> list[tuple[Node, Round]]:
    """The rounds by their numbers; those without follow the one before."""
    nodes = parts.many("Round")
    if not nodes:
        parts.game.fail("has no <Round>: add one for every round of the game")
    by_number: dict[int, Node] = {}
    last = 0
    for node in nodes:
        last = node.whole("number", last + 1, least=1, most=len(nodes))
        if last in by_number:
            node.fail_at("number", f"number is {last}: another round has it")
        by_number[last] = node
    ordered = [by_number[number] for number in sorted(by_number)]
    return [(node, _read_round(node, i)) for i, node in enumerate(ordered, start=1)]


def _bring_in(game: Node, rounds: list[tuple[Node, Round]]) -> int:
    """The bring-in, which D writes as a bet that the first round must start with."""
    for node, _ in rounds[1:]:
        if node.yes("forceBet", default=False):
            node.fail_at("forceBet", "forceBet is 'yes': only the first round can be forced to start with a bet")
    node, opening = rounds[0]
    forced = node.yes("forceBet", default="bringIn" in game)
    if forced and opening.betting:
        return game.chips("bringIn", opening.betting.bet)
    if "bringIn" in game and game.chips("bringIn"):
        node.fail_at("forceBet", "forceBet is 'no', but the game has a bring-in: say 'yes' or drop bringIn")
    if forced:
        node.fail_at("forceBet", "forceBet is 'yes', but the round has no betting")
    return 0


def _description(node: Node | None) -> str:
    text = node.element.text if node else ""
    return text if node and node.yes("verbatim", default=False) else " ".join(text.split())


def _rake(node: Node | None) -> Rake:
    if node is None:
        return Rake()
    with _at(node):
        return Rake(node.real("share", 0.0), node.chips("cap", 0), node.yes("noFlopNoDrop", default=True))


@contextmanager
def _at(node: Node) -> Iterator[None]:
    """Errors of the rules inside are those of this element."""
    try:
        yield
    except PgdlError:
        raise
    except RulesError as error:
        node.fail(f"cannot be: {error}")


@contextmanager
def _located(game: Node, parts: Parts, rounds: list[tuple[Node, Round]]) -> Iterator[None]:
    """Errors of the game as a whole are placed at the part that they are about, as far as one can tell."""
    try:
        yield
    except PgdlError:
        raise
    except RulesError as error:
        message = str(error)
        for node, part in rounds:
            if f"round {part.name!r}" in message:
                node.fail(f"cannot be: {message}")
        places = {
            "need .* cards|deck:|wild:": "Deck",
            ": players|min_players|max_players|stack is": "Players",
            "hands of|showdown:": "Scoring",
        }
        nodes = (parts.only(name) for pattern, name in places.items() if re.search(pattern, message))
        (next(nodes, None) or game).fail(f"cannot be: {message}")


def _read_round(node: Node, number: int) -> Round:
    """One round; `number` names it if nothing else does."""
    draws, passes, discards = node.child("DrawCards"), node.child("PassCards"), node.child("DiscardCards")
    rolls, order = node.child("RollCards"), node.child("BettingOrder")
    betting = _betting(node)
    with _at(node):
        return Round(
            name=node.text("name", f"Round {number}"),
            down=node.whole("faceDownCardsDealt", 0),
            up=node.whole("faceUpCardsDealt", 0),
            board=node.whole("communityCardsNumber", 0),
            passes=passes.whole("value") if passes else 0,
            pass_left=passes.word("direction", words.CLOCKWISE, True) if passes else True,
            discards=discards.whole("value") if discards else 0,
            draw_most=draws.whole("max") if draws else 0,
            draw_least=draws.whole("min", 0) if draws else 0,
            betting=betting,
            first=order.word("firstPlayerBetting", words.FIRSTS, First.AFTER_BUTTON) if order else First.AFTER_BUTTON,
            rolls=rolls.whole("value") if rolls else 0,
            clockwise=order.word("order", words.CLOCKWISE, True) if order else True,
        )


def _betting(node: Node) -> Betting | None:
    structure = node.child("BettingStructure")
    if structure is None:
        node.fail('has no <BettingStructure>: add one; type="none" stands for a round without betting')
    kind = structure.word("type", words.STRUCTURES)
    bet = structure.child("Bet")
    if kind is None:
        if bet:
            bet.fail("stands in a round without betting: remove it, or choose another type")
        return None
    if bet is None:
        structure.fail('has no <Bet>: add <Bet value="…" maxNumRaises="…"/>')
    with _at(bet):
        least, most, raises = bet.chips("value"), bet.chips("most", 0), 0
        if key(bet.text("maxNumRaises", _UNLIMITED)) != _UNLIMITED:
            raises = bet.whole("maxNumRaises", least=1, most=255, otherwise=_UNLIMITED)
        return Betting(kind, least, most, raises)


def _blinds(rounds: list[Node]) -> tuple[int, ...]:
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
    structure = rounds[0].child("BlindStructure")
    if structure is None:
        return ()
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
        name = node.text("id", words.BLIND_IDS[i])
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


def _read_showdown(node: Node | None, game: Node, wild: tuple[int, ...], *, bug: bool = False) -> Showdown:
    """The showdown: D's winning type stands for kinds of hand, unless the scoring names them."""
    winning = game.word("winningType", _WINNING, words.WINNING["high"])
    if node is None:
        with _at(game):
            return Showdown(winning, wild=wild, bug=bug)
    standard = node.yes("standard", default=not node.children("Score"))
    if standard and node.children("Score"):
        node.fail_at("standard", "standard is 'yes', but scores are given: say 'no', or remove them")
    if not standard and not node.children("Score"):
        node.fail_at("standard", "standard is 'no', but no <Score> is given: add some, or say 'yes'")
    size = node.whole("handSize", HAND_SIZE, least=1, most=HAND_SIZE)
    kinds = _kinds(node, game) if "kinds" in node else winning
    scoring = tuple(_score(each, size) for each in node.children("Score"))
    with _at(node):
        return Showdown(kinds, size, node.whole("holeCards", 0, most=size), wild, scoring, bug)


def _kinds(node: Node, game: Node) -> tuple[str, ...]:
    kinds = tuple(node.text("kinds").lower().replace(",", " ").split())
    for kind in kinds:
        if kind not in KINDS:
            node.fail_at("kinds", f"kinds names {shown(kind)!r}: use {', '.join(KINDS)}")
    winning = game.text("winningType", words.winning_type(kinds))
    if winning.lower() != words.winning_type(kinds):
        game.fail_at(
            "winningType",
            f"winningType is {shown(winning)!r}, but {' and '.join(kinds)} is {words.winning_type(kinds)}",
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
