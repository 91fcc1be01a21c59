"""The games that hand histories are of: each source's names for them, and their rules at given stakes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from felt.games.catalogue import load
from felt.games.history import Event
from felt.games.moves import MOVE_OF_EVENT, EventKind
from felt.games.rules import MAX_PLAYERS, Betting, First, GameRules, Round, Showdown, Structure
from felt.interop.histories import HistoryError
from felt.interop.rooms.ledger import CARD_EVENTS

USUAL_RAISES = 4
"""A bet and three raises, where a limit game caps them."""


class Game(StrEnum):
    """What is dealt and how hands are made, whatever the betting."""

    HOLDEM = "holdem"
    SHORT_DECK = "short-deck"
    OMAHA = "omaha"
    OMAHA8 = "omaha8"
    OMAHA5 = "omaha5"
    OMAHA5_8 = "omaha5-8"
    OMAHA6 = "omaha6"
    STUD = "stud"
    STUD8 = "stud8"
    RAZZ = "razz"
    DRAW = "five-card-draw"
    SINGLE_DRAW = "27-single-draw"
    TRIPLE_DRAW = "27-triple-draw"
    A5_TRIPLE_DRAW = "a5-triple-draw"
    BADUGI = "badugi"


STUD_GAMES = (Game.STUD, Game.STUD8, Game.RAZZ)
DRAW_GAMES = (Game.DRAW, Game.SINGLE_DRAW, Game.TRIPLE_DRAW, Game.A5_TRIPLE_DRAW, Game.BADUGI)

_NO_LIMIT, _POT_LIMIT, _LIMIT = Structure.NO_LIMIT, Structure.POT_LIMIT, Structure.LIMIT
_OMAHA, _OMAHA8 = Showdown(hole_exactly=2), Showdown(kinds=("high", "low-8"), hole_exactly=2)


class _Model(NamedTuple):
    """A game after the limit game of the catalogue that shows where its big bets are."""

    title: str
    variant: str
    down: int
    """Cards down at first."""
    names: Mapping[Structure, str] = MappingProxyType({})
    """What the catalogue calls the game, where it has it."""
    showdown: Showdown | None = None
    """Where it is another."""


_MODELS = {
    Game.HOLDEM: _Model(
        "Texas hold'em", "limit-holdem", 2, {_NO_LIMIT: "nlhe", _LIMIT: "limit-holdem", _POT_LIMIT: "pot-limit-holdem"}
    ),
    Game.SHORT_DECK: _Model("short-deck hold'em", "short-deck", 2, {_NO_LIMIT: "short-deck"}),
    Game.OMAHA: _Model("Omaha", "omaha8", 4, {_POT_LIMIT: "plo"}, _OMAHA),
    Game.OMAHA8: _Model("Omaha hi/lo", "omaha8", 4, {_LIMIT: "omaha8", _POT_LIMIT: "plo8"}),
    Game.OMAHA5: _Model("five-card Omaha", "omaha8", 5, {_POT_LIMIT: "plo5"}, _OMAHA),
    Game.OMAHA5_8: _Model("five-card Omaha hi/lo", "omaha8", 5, showdown=_OMAHA8),
    Game.OMAHA6: _Model("six-card Omaha", "omaha8", 6, showdown=_OMAHA),
    Game.STUD: _Model("seven-card stud", "stud", 2, {_LIMIT: "stud"}),
    Game.STUD8: _Model("seven-card stud hi/lo", "stud8", 2, {_LIMIT: "stud8"}),
    Game.RAZZ: _Model("razz", "razz", 2, {_LIMIT: "razz"}),
    Game.DRAW: _Model("five-card draw", "five-card-draw", 5, {_LIMIT: "five-card-draw"}),
    Game.SINGLE_DRAW: _Model(
        "2-7 single draw", "five-card-draw", 5, {_NO_LIMIT: "27-single-draw"}, Showdown(kinds=("low-27",))
    ),
    Game.TRIPLE_DRAW: _Model("2-7 triple draw", "27-triple-draw", 5, {_LIMIT: "27-triple-draw"}),
    Game.A5_TRIPLE_DRAW: _Model("A-5 triple draw", "a5-triple-draw", 5, {_LIMIT: "a5-triple-draw"}),
    Game.BADUGI: _Model("badugi", "badugi", 4, {_LIMIT: "badugi"}),
}
_MOST_PLAYERS = 8
"""In stud and draw; elsewhere as many as Felt seats."""


@dataclass(frozen=True)
class SourceStakes:
    """What is bet in a game, in chips."""

    structure: Structure
    small: int
    """The small bet of a limit game, the least bet of others."""
    big: int = 0
    """The big bet of a limit game."""
    blinds: tuple[int, ...] = ()
    ante: int = 0
    big_blind_ante: int = 0
    bring_in: int = 0
    cap: int = 0
    unit: float = 1.0


def hole_cards(game: Game) -> int:
    """Cards that each player is dealt face down to begin with."""
    return _MODELS[game].down


@lru_cache(maxsize=1024)  # a file of hands is mostly of one game
def make_rules(game: Game, stakes: SourceStakes) -> GameRules:
    """The rules of a game at these stakes: those of the catalogue, where it has the game.

    >>> rules = make_rules(Game.HOLDEM, SourceStakes(Structure.NO_LIMIT, small=100, blinds=(50, 100)))
    >>> rules.name, rules.big_blind, [part.name for part in rules.rounds]
    ('nlhe', 100, ['preflop', 'flop', 'turn', 'river'])
    """
    name, title = _name(game, stakes)
    return replace(
        _model(game),
        name=name,
        title=title,
        description="",
        rounds=tuple(_round(part, stakes, first=i == 0) for i, part in enumerate(_model(game).rounds)),
        ante=stakes.ante,
        big_blind_ante=stakes.big_blind_ante,
        blinds=stakes.blinds,
        bring_in=stakes.bring_in if game in STUD_GAMES else 0,
        cap=stakes.cap,
        stack=0,
        unit=stakes.unit,
    )


def _name(game: Game, stakes: SourceStakes) -> tuple[str, str]:
    name = _MODELS[game].names.get(stakes.structure)
    if name == "nlhe" and stakes.cap:
        name = "cap-holdem"
    if name is None:
        return f"{stakes.structure}-{game}", f"{str(stakes.structure).capitalize()} {_MODELS[game].title}"
    return name, _catalogue(name).title


@cache
def _catalogue(name: str) -> GameRules:
    return load(name)


@cache
def _model(game: Game) -> GameRules:
    """The game at the stakes of the catalogue; bets of 1 and 2 say which rounds are small and which are big."""
    model = _MODELS[game]
    rules = _catalogue(model.variant)
    bets = [part.betting.bet for part in rules.rounds if part.betting]
    opening = replace(rules.rounds[0], down=model.down)
    rounds = (opening, *(replace(part, draw_most=min(part.draw_most, model.down)) for part in rules.rounds[1:]))
    sized = (replace(part, betting=Betting(_LIMIT, bet // bets[0])) for part, bet in zip(rounds, bets, strict=True))
    most = _MOST_PLAYERS if game in (*STUD_GAMES, *DRAW_GAMES) else MAX_PLAYERS
    shown, bring_in = model.showdown or rules.showdown, min(rules.bring_in, 1)
    return replace(rules, rounds=tuple(sized), ante=0, bring_in=bring_in, showdown=shown, max_players=most)


def _round(part: Round, stakes: SourceStakes, *, first: bool) -> Round:
    big = part.betting is not None and part.betting.bet > 1
    most = USUAL_RAISES if stakes.structure == _LIMIT else 0
    betting = Betting(stakes.structure, stakes.big if big and stakes.big else stakes.small, max_raises=most)
    order = part.first
    if first and order in (First.AFTER_BLINDS, First.AFTER_BUTTON):
        order = First.AFTER_BLINDS if any(stakes.blinds) else First.AFTER_BUTTON
    return replace(part, betting=betting, first=order)


def game_of(rules: GameRules) -> tuple[Game, Structure]:
    """Which of the games of hand histories these rules are, whatever they are called.

    >>> game_of(make_rules(Game.RAZZ, SourceStakes(Structure.LIMIT, small=2, big=4, bring_in=1)))
    (<Game.RAZZ: 'razz'>, <Structure.LIMIT: 'limit'>)
    """
    structures = {part.betting.structure for part in rules.rounds if part.betting}
    if len(structures) == 1:
        structure = structures.pop()
        dealt = [_dealing(part) for part in rules.rounds]
        for game in Game:
            model = _model(game)
            same_deal = [_dealing(part) for part in model.rounds] == dealt
            if same_deal and rules.showdown == model.showdown and rules.deck.cards == model.deck.cards:
                return game, structure
    raise HistoryError(f"the game {rules.name!r} has no name in hand histories: it can only be kept as a record")


def _dealing(part: Round) -> tuple[int, ...]:
    return (part.down, part.up, part.board, part.rolls, part.passes, part.discards, part.draw_most, part.draw_least)


def antes_as_rules(antes: Sequence[int]) -> tuple[int, int]:
    """What everybody pays and what one pays for all, from what each seat paid.

    >>> antes_as_rules((5, 5, 5)), antes_as_rules((0, 20, 0)), antes_as_rules((5, 5, 0))
    ((5, 0), (0, 20), (0, 0))
    """
    paid = [ante for ante in antes if ante]
    if len(paid) == len(antes) and len(set(paid)) == 1:
        return paid[0], 0
    return (0, paid[0]) if len(paid) == 1 else (0, 0)


def blinds_as_rules(posts: Sequence[int]) -> tuple[int, ...]:
    """What is posted up to the last blind, from what each seat posts in turn.

    >>> blinds_as_rules((5, 10, 0, 0))
    (5, 10)
    """
    last = max((seat for seat, post in enumerate(posts) if post), default=-1)
    return tuple(posts[: last + 1])


def fitted(rules: GameRules, events: Iterable[Event], *, opened: bool) -> GameRules:
    """The rules, as loose as the hand was played by.

    A limit game has no cap on raises where there were more of them (heads-up, mostly); in stud the bets of fourth
    street are big where the first was, which an open pair allows. `opened` says whether blinds were posted: they
    count as the first bet.
    """
    if not any(part.betting and part.betting.structure == _LIMIT for part in rules.rounds):
        return rules
    streets = [*_raises(events), *([[]] * len(rules.rounds))]
    rounds = list(rules.rounds)
    for i, (part, bets) in enumerate(zip(rules.rounds, streets, strict=False)):
        betting = part.betting
        high = max(rules.blinds, default=rules.bring_in) if i == 0 else 0
        if betting is None:
            continue
        raises = zip((high, *bets), bets, strict=False)  # an all-in of less than half a bet does not count as one
        if sum(2 * (amount - last) >= betting.bet for last, amount in raises) + (opened and i == 0) > USUAL_RAISES:
            rounds[i] = replace(part, betting=replace(betting, max_raises=0))
        if i == 1 and part.up and bets and bets[0] == 2 * betting.bet:
            rounds[i] = replace(rounds[i], betting=replace(betting, bet=bets[0]))
    return replace(rules, rounds=tuple(rounds)) if tuple(rounds) != rules.rounds else rules


def _raises(events: Iterable[Event]) -> list[list[int]]:
    """The amounts of bets and raises, street by street."""
    streets: list[list[int]] = [[]]
    acted = False
    for event in events:
        if event.kind in CARD_EVENTS:
            if acted:
                streets.append([])
            acted = False
        elif event.kind in MOVE_OF_EVENT:
            acted = True
            if event.kind == EventKind.RAISE:
                streets[-1].append(event.amount)
    return streets
