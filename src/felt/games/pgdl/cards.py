"""The deck of a PGDL document, and which of its cards are wild."""

from felt.cards.card import CARD_NAMES, DECK_SIZE, JOKERS, RANKS, format_cards, make_card
from felt.cards.deck import Deck, make_deck, parse_deck, standard_deck
from felt.cards.ranking.names import RANK_WORDS
from felt.errors import FeltError
from felt.games.pgdl.fields import Node
from felt.games.pgdl.tree import shown
from felt.games.pgdl.words import JOKERS_ARE, SUITS, key

_FACES = {face: i for names in (RANKS.lower(), RANK_WORDS) for i, face in enumerate(names)} | {"10": 8}
_RANKS = {face: i for i, face in enumerate(RANKS)} | _FACES
_JOKER = "joker"
_JOKER_CARDS = range(DECK_SIZE, DECK_SIZE + JOKERS)


def read_deck(node: Node | None, game: Node) -> tuple[Deck, tuple[int, ...]]:
    """The deck and its wild cards."""
    if node is None:
        return standard_deck(), ()
    jokers = node.whole("jokers", 0, most=JOKERS)
    cards = node.children("Card")
    if cards:
        deck, wild = _listed(node, cards, jokers)
    else:
        deck, wild = _named(node, jokers), set()
    wild |= _wild_words(node, deck)
    return deck, _agreed(node, game, deck, wild)


def read_bug(node: Node | None, wild: tuple[int, ...]) -> bool:
    """Whether the jokers of a deck are bugs."""
    if node is None or not node.word("jokersAre", JOKERS_ARE, False):
        return False
    if not any(card in _JOKER_CARDS for card in wild):
        node.fail_at("jokersAre", "jokersAre is 'bug', but no joker is wild in the deck: add jokers, or leave it out")
    return True


def _named(node: Node, jokers: int) -> Deck:
    """A deck by its name, or all cards from a rank up."""
    standard = node.yes("standard", default="name" not in node and "lowest" not in node)
    if standard:
        if "name" in node or "lowest" in node:
            node.fail_at("standard", "standard is 'yes', but the deck is described otherwise too: say 'no'")
        return standard_deck(jokers=jokers)
    if "lowest" in node:
        lowest = node.word("lowest", _RANKS)
        return make_deck(node.text("name", f"{RANKS[lowest]}-A"), ranks=range(lowest, len(RANKS)), jokers=jokers)
    if "name" not in node:
        node.fail_at("standard", "standard is 'no', but no cards are listed: add <Card> elements, a name or lowest")
    name = node.text("name")
    try:
        return parse_deck(f"{name}+{jokers}" if jokers else name)
    except FeltError as error:
        node.fail_at("name", f"is no deck: {error}")


def _listed(node: Node, nodes: list[Node], jokers: int) -> tuple[Deck, set[int]]:
    if "lowest" in node:
        node.fail_at("lowest", "lowest stands for all cards from there up, but cards are listed too: drop one")
    if node.yes("standard", default=False):
        node.fail_at("standard", "standard is 'yes', but cards are listed too: say 'no', or remove them")
    cards = _cards(nodes)
    for i, card in enumerate(cards):
        if card in cards[:i]:
            nodes[i].fail(f"is {CARD_NAMES[card]}, which is in the deck already: every card may be there once")
    wild = {card for card, each in zip(cards, nodes, strict=True) if each.yes("wild", default=False)}
    more = [card for card in _JOKER_CARDS if card not in cards][:jokers]
    if len(more) < jokers:
        node.fail_at("jokers", f"jokers is {jokers}, but jokers are listed as cards too: count them once")
    cards = [*cards, *more]
    return Deck(node.text("name", format_cards(cards)), tuple(cards)), wild


def _cards(nodes: list[Node]) -> list[int]:
    """The cards that are listed.

    D gives faces (``value="K"``) in one place and places in the order of its ranks (``rank="2"``) in another. Where
    the ids name the cards and stand in that order, they are meant; else place 0 is the two.
    """
    numbered = [node for node in nodes if "rank" in node and "value" not in node and node.text("rank").isdecimal()]
    by_id = {id(node): _by_id(node) for node in numbered}
    trust = None not in by_id.values() and _in_order(numbered, by_id)
    cards: list[int] = []
    for node in nodes:
        named = by_id.get(id(node))
        if named is not None and trust:
            cards.append(make_card(named >> 2, _suit(node, named)))
        else:
            cards.append(_card(node, cards))
    return cards


def _in_order(nodes: list[Node], by_id: dict[int, int | None]) -> bool:
    """Whether the ids order the cards as their ranks do: equal ones equal, higher ones higher."""
    pairs = sorted({(node.whole("rank", most=12), (by_id[id(node)] or 0) >> 2) for node in nodes})
    places, faces = [place for place, _ in pairs], [face for _, face in pairs]
    return len(set(places)) == len(places) and faces == sorted(set(faces))


def _by_id(node: Node) -> int | None:
    """The card that the element's id names."""
    name = node.text("id", "")
    return next((card for card, known in enumerate(CARD_NAMES[:DECK_SIZE]) if known.lower() == name.lower()), None)


def _card(node: Node, used: list[int]) -> int:
    named = _by_id(node)
    attribute = "value" if "value" in node else "rank"
    face = node.text(attribute, "")
    if key(face) == _JOKER or node.text("id", "") in CARD_NAMES[DECK_SIZE:]:
        return _joker(node, used)
    if not face and named is not None:
        return make_card(named >> 2, _suit(node, named))
    if attribute == "rank" and face.isdecimal():
        return make_card(node.whole("rank", most=12), _suit(node, named))
    if key(face) not in _FACES:
        node.fail_at(attribute, f"{attribute} is {shown(face)!r}: use 2 to 10, J, Q, K, A or joker")
    return make_card(_FACES[key(face)], _suit(node, named))


def _joker(node: Node, used: list[int]) -> int:
    name = node.text("id", "")
    if name in CARD_NAMES[DECK_SIZE:]:
        return CARD_NAMES.index(name)
    free = [card for card in _JOKER_CARDS if card not in used]
    if not free:
        node.fail(f"is one joker too many: a deck has up to {JOKERS}")
    return free[0]


def _suit(node: Node, named: int | None) -> int:
    if "suit" not in node and named is not None:
        return named & 3
    return node.word("suit", SUITS)


def _wild_words(node: Node, deck: Deck) -> set[int]:
    """The cards of the deck that its ``wild`` names: ranks (``3 9``), ``jokers``, or cards (``Ks``)."""
    wild: set[int] = set()
    for word in node.text("wild", "").replace(",", " ").split():
        named = [
            card for card, name in enumerate(CARD_NAMES) if name == word or (card < DECK_SIZE and name.lower() == word)
        ]
        if key(word) in ("jokers", _JOKER):
            named = list(_JOKER_CARDS)
        elif key(word) in _FACES:
            named = [make_card(_FACES[key(word)], suit) for suit in range(4)]
        elif not named:
            node.fail_at("wild", f"wild names {shown(word)!r}: use ranks (3 9), jokers, or cards (Ks)")
        here = wild | {card for card in named if card in deck}
        if here == wild:
            node.fail_at("wild", f"wild names {shown(word)!r}, which the deck does not have, or twice")
        wild = here
    return wild


def _agreed(node: Node, game: Node, deck: Deck, wild: set[int]) -> tuple[int, ...]:
    """The wild cards, once the game itself agrees that there are some or none."""
    jokers = {card for card in deck if card >= DECK_SIZE}
    if "wildCards" not in game:
        return tuple(sorted(wild or jokers))
    if game.yes("wildCards", default=False):
        if not wild and not jokers:
            game.fail_at("wildCards", "wildCards is 'yes', but the deck names none: mark cards wild, or add jokers")
        return tuple(sorted(wild or jokers))
    if wild:
        game.fail_at("wildCards", f"wildCards is 'no', but {format_cards(sorted(wild))} are wild: say 'yes'")
    return ()
