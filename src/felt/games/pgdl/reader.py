"""From a PGDL document to `GameRules`: the game as a whole."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from felt.games.pgdl.cards import read_bug, read_deck
from felt.games.pgdl.fields import Node, Reading, element_name
from felt.games.pgdl.parameters import Parameter, chosen, declared
from felt.games.pgdl.rounds import blinds_of, read_round
from felt.games.pgdl.scoring import read_showdown
from felt.games.pgdl.tree import Element, PgdlError, read_tree, shown, walk
from felt.games.pgdl.words import AMOUNTS, CHILDREN, HEADS_UP
from felt.games.rules import MAX_PLAYERS, GameRules, Rake, Round, RulesError


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
    names = [child for child in CHILDREN["PokerGame"] if child != "Rounds"]
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
        for owner, attribute in AMOUNTS:
            if name == owner and attribute in (node := Node(element, game.reading)):
                scale = lcm(scale, node.exact(attribute).denominator)
    game.reading.scale = scale


def _build(parts: Parts) -> GameRules:
    game, players = parts.game, parts.only("Players")
    if players is None:
        game.fail('has no <Players>: add <Players minimum="2" maximum="9"/>')
    numbered = _rounds(parts)
    rounds = tuple(part for _, part in numbered)
    blinds = blinds_of([node for node, _ in numbered])
    deck, wild = read_deck(parts.only("Deck"), game)
    with _located(game, parts, numbered):
        return GameRules(
            name=game.text("name"),
            title=game.text("title", ""),
            description=_description(parts.only("Description")),
            rounds=rounds,
            deck=deck,
            min_players=players.whole("minimum", least=2, most=MAX_PLAYERS),
            max_players=players.whole("maximum", least=2, most=MAX_PLAYERS),
            ante=game.chips("ante", 0),
            big_blind_ante=game.chips("bigBlindAnte", 0),
            blinds=blinds,
            bring_in=_bring_in(game, numbered),
            cap=game.chips("cap", 0),
            heads_up_button_blind=players.word("headsUpBlinds", HEADS_UP, not blinds),
            showdown=read_showdown(parts.only("Scoring"), game, wild, bug=read_bug(parts.only("Deck"), wild)),
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
    return [(node, read_round(node, i)) for i, node in enumerate(ordered, start=1)]


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
    if node is None:
        return ""
    if node.yes("verbatim", default=False):
        return node.element.text
    return " ".join(node.element.text.split())


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
        where: tuple[tuple[str, Callable[[], Node | None]], ...] = (
            ("need .* cards|deck:|wild:", lambda: parts.only("Deck")),
            (": players|min_players|max_players|stack is", lambda: parts.only("Players")),
            ("hands of|showdown:", lambda: parts.only("Scoring")),
        )
        nodes = (find() for pattern, find in where if re.search(pattern, message))
        (next(nodes, None) or game).fail(f"cannot be: {message}")
