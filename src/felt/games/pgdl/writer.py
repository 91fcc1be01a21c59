"""From `GameRules` to a PGDL document, always in the same form: reading it gives the same rules."""

import re
from collections.abc import Mapping
from html import escape

from felt.cards.card import CARD_NAMES, DECK_SIZE, RANKS
from felt.cards.deck import Deck, group_by_rank, make_deck, parse_deck
from felt.cards.ranking.names import RANK_WORDS
from felt.errors import FeltError
from felt.games.pgdl import words
from felt.games.rules import Betting, GameRules, Rake, Round, RulesError, Score, Showdown

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
Attributes = Mapping[str, object]


def write_pgdl(rules: GameRules) -> str:
    """The rules as a PGDL document.

    >>> from felt.games import load
    >>> print(write_pgdl(load("kuhn")).splitlines()[1])
    <PokerGame name="kuhn" title="Kuhn poker" winningType="high" wildCards="no" ante="1">
    >>> read_pgdl = __import__("felt.games.pgdl", fromlist=["read_pgdl"]).read_pgdl
    >>> read_pgdl(write_pgdl(load("kuhn"))) == load("kuhn")
    True
    """
    game: dict[str, object] = {"name": rules.name}
    game |= {"title": rules.title} if rules.title else {}
    game |= {"winningType": words.winning_type(rules.showdown.kinds), "wildCards": _yes(bool(rules.showdown.wild))}
    optional = {"bigBlindAnte": rules.big_blind_ante, "bringIn": rules.bring_in, "cap": rules.cap}
    game |= {"ante": rules.ante, **{name: value for name, value in optional.items() if value}}
    game |= {"unit": repr(float(rules.unit))} if rules.unit != 1 else {}
    lines = [
        *_description(rules.description),
        _element("Players", _players(rules)),
        *_deck(rules.deck, rules.showdown),
        *_scoring(rules.showdown),
        *_rake(rules.rake),
    ]
    for number, part in enumerate(rules.rounds, start=1):
        lines += _round(part, number, rules)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(_block("PokerGame", game, lines)) + "\n"


def _players(rules: GameRules) -> Attributes:
    players: dict[str, object] = {"minimum": rules.min_players, "maximum": rules.max_players}
    players |= {"stack": rules.stack} if rules.stack else {}
    if rules.blinds or not rules.heads_up_button_blind:
        players["headsUpBlinds"] = words.first_spelling(words.HEADS_UP, rules.heads_up_button_blind)
    return players


def _description(text: str) -> list[str]:
    verbatim = "" if text == " ".join(text.split()) else ' verbatim="yes"'
    return [f"<Description{verbatim}>{_escaped(text)}</Description>"] if text else []


def _deck(deck: Deck, showdown: Showdown) -> list[str]:
    bug: Attributes = {"jokersAre": words.first_spelling(words.JOKERS_ARE, True)} if showdown.bug else {}
    wild = {"wild": " ".join(group_by_rank(deck, showdown.wild)), **bug} if showdown.wild else {}
    jokers, lowest = sum(card >= DECK_SIZE for card in deck), min(deck) >> 2
    described: dict[str, object] = {"standard": "no", "name": deck.name}
    if deck == _known(deck.name):
        described = {"standard": "yes", "jokers": jokers} if deck.name.startswith("standard") else described
    elif deck == make_deck(deck.name, ranks=range(lowest, len(RANKS)), jokers=jokers):
        described |= {"lowest": RANKS[lowest], "jokers": jokers}
    else:
        cards = [_element("Card", _card(card, card in showdown.wild)) for card in deck]
        return _block("Deck", {**described, **bug}, cards)
    return [_element("Deck", {**described, **wild})]


def _known(name: str) -> Deck | None:
    """The deck that this name stands for by itself."""
    try:
        return parse_deck(name)
    except FeltError:
        return None


def _card(card: int, wild: bool) -> Attributes:
    if card >= DECK_SIZE:
        return {"id": CARD_NAMES[card], "name": "joker", "value": "joker", "wild": _yes(wild)}
    suit = words.SUIT_WORDS[card & 3]
    name = f"{RANK_WORDS[card >> 2]} of {suit}"
    return {"id": CARD_NAMES[card], "name": name, "value": RANKS[card >> 2], "suit": suit, "wild": _yes(wild)}


def _scoring(showdown: Showdown) -> list[str]:
    attributes: dict[str, object] = {"standard": _yes(not showdown.scoring), "handSize": showdown.size}
    attributes["kinds"] = " ".join(showdown.kinds)
    attributes |= {"holeCards": showdown.hole_exactly} if showdown.hole_exactly else {}
    scores = [line for score in showdown.scoring for line in _score(score)]
    return _block("Scoring", attributes, scores)


def _score(score: Score) -> list[str]:
    flags = {"default": _yes(score.default), "sort": _yes(score.sort)}
    conditions = [f"<Condition>{_escaped(text)}</Condition>" for text in score.conditions]
    inside = _block("Conditions", {}, conditions) if conditions else []
    inside.append(f"<Subrank>{_escaped(score.subrank)}</Subrank>")
    return _block("Score", {"name": score.name, "rank": score.rank} | flags, inside)


def _rake(rake: Rake) -> list[str]:
    share = {"share": repr(float(rake.share)), "cap": rake.cap, "noFlopNoDrop": _yes(rake.no_flop_no_drop)}
    return [] if rake == Rake() else [_element("Rake", share)]


def _round(part: Round, number: int, rules: GameRules) -> list[str]:
    first = number == 1
    attributes = {
        "number": number,
        "name": part.name,
        "faceDownCardsDealt": part.down,
        "faceUpCardsDealt": part.up,
        "communityCardsNumber": part.board,
        "blinds": _yes(first and bool(rules.blinds)),
        "forceBet": _yes(first and bool(rules.bring_in)),
    }
    inside = _blinds(rules.blinds) if first and rules.blinds else []
    if part.rolls:
        inside.append(_element("RollCards", {"value": part.rolls}))
    if part.passes or not part.pass_left:
        direction = words.first_spelling(words.CLOCKWISE, part.pass_left)
        inside.append(_element("PassCards", {"value": part.passes, "direction": direction}))
    if part.discards:
        inside.append(_element("DiscardCards", {"value": part.discards}))
    if part.draw_most:
        inside.append(_element("DrawCards", {"min": part.draw_least, "max": part.draw_most}))
    inside += _betting(part.betting)
    order = {
        "order": words.first_spelling(words.CLOCKWISE, part.clockwise),
        "firstPlayerBetting": words.first_spelling(words.FIRSTS, part.first),
    }
    inside.append(_element("BettingOrder", order))
    return _block("Round", attributes, inside)


def _blinds(blinds: tuple[int, ...]) -> list[str]:
    lines = []
    for seat, value in enumerate(blinds):
        named = {"id": words.BLIND_IDS[seat], "name": words.BLIND_NAMES[seat]}
        lines.append(_element("Blind", {**named, "value": value, "position": words.blind_position(seat)}))
    return _block("BlindStructure", {}, lines)


def _betting(betting: Betting | None) -> list[str]:
    if betting is None:
        return [_element("BettingStructure", {"type": words.NO_BETTING})]
    most: Attributes = {"most": betting.most} if betting.most else {}
    bet = {"value": betting.bet, **most, "maxNumRaises": betting.max_raises or "unlimited"}
    return _block("BettingStructure", {"type": str(betting.structure)}, [_element("Bet", bet)])


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _escaped(text: object) -> str:
    """Text that XML reads back as it was: line breaks in attributes and lone returns are written as numbers."""
    plain = str(text)
    if wrong := _FORBIDDEN.search(plain):
        raise RulesError(f"{plain[:40]!r}: the character {wrong[0]!r} cannot stand in XML; remove it")
    return escape(plain).replace("&#x27;", "'").replace("\r", "&#13;")


def _attributes(attributes: Attributes) -> str:
    pairs = ((name, _escaped(value).replace("\n", "&#10;").replace("\t", "&#9;")) for name, value in attributes.items())
    return "".join(f' {name}="{value}"' for name, value in pairs)


def _element(name: str, attributes: Attributes) -> str:
    return f"<{name}{_attributes(attributes)}/>"


def _block(name: str, attributes: Attributes, inside: list[str]) -> list[str]:
    if not inside:
        return [_element(name, attributes)]
    return [f"<{name}{_attributes(attributes)}>", *(f"  {line}" for line in inside), f"</{name}>"]
