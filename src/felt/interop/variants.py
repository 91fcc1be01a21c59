"""The games that hand histories are of: each source's names for them, and their rules at given stakes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache

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


TITLES = {
    Game.HOLDEM: "Texas hold'em",
    Game.SHORT_DECK: "short-deck hold'em",
    Game.OMAHA: "Omaha",
    Game.OMAHA8: "Omaha hi/lo",
    Game.OMAHA5: "five-card Omaha",
    Game.OMAHA5_8: "five-card Omaha hi/lo",
    Game.OMAHA6: "six-card Omaha",
    Game.STUD: "seven-card stud",
    Game.STUD8: "seven-card stud hi/lo",
    Game.RAZZ: "razz",
    Game.DRAW: "five-card draw",
    Game.SINGLE_DRAW: "2-7 single draw",
    Game.TRIPLE_DRAW: "2-7 triple draw",
    Game.A5_TRIPLE_DRAW: "A-5 triple draw",
    Game.BADUGI: "badugi",
}

STUD_GAMES = (Game.STUD, Game.STUD8, Game.RAZZ)
DRAW_GAMES = (Game.DRAW, Game.SINGLE_DRAW, Game.TRIPLE_DRAW, Game.A5_TRIPLE_DRAW, Game.BADUGI)

_NAMES = {
    (Game.HOLDEM, Structure.NO_LIMIT): "nlhe",
    (Game.HOLDEM, Structure.LIMIT): "limit-holdem",
    (Game.HOLDEM, Structure.POT_LIMIT): "pot-limit-holdem",
    (Game.SHORT_DECK, Structure.NO_LIMIT): "short-deck",
    (Game.OMAHA, Structure.POT_LIMIT): "plo",
    (Game.OMAHA8, Structure.LIMIT): "omaha8",
    (Game.OMAHA8, Structure.POT_LIMIT): "plo8",
    (Game.OMAHA5, Structure.POT_LIMIT): "plo5",
    (Game.STUD, Structure.LIMIT): "stud",
    (Game.STUD8, Structure.LIMIT): "stud8",
    (Game.RAZZ, Structure.LIMIT): "razz",
    (Game.DRAW, Structure.LIMIT): "five-card-draw",
    (Game.SINGLE_DRAW, Structure.NO_LIMIT): "27-single-draw",
    (Game.TRIPLE_DRAW, Structure.LIMIT): "27-triple-draw",
    (Game.A5_TRIPLE_DRAW, Structure.LIMIT): "a5-triple-draw",
    (Game.BADUGI, Structure.LIMIT): "badugi",
}
"""What the catalogue calls these games."""

_OMAHA, _OMAHA8 = Showdown(hole_exactly=2), Showdown(kinds=("high", "low-8"), hole_exactly=2)
_MODELS: dict[Game, tuple[str, Showdown | None, int]] = {
    Game.HOLDEM: ("limit-holdem", None, 2),
    Game.SHORT_DECK: ("short-deck", None, 2),
    Game.OMAHA: ("omaha8", _OMAHA, 4),
    Game.OMAHA8: ("omaha8", None, 4),
    Game.OMAHA5: ("omaha8", _OMAHA, 5),
    Game.OMAHA5_8: ("omaha8", _OMAHA8, 5),
    Game.OMAHA6: ("omaha8", _OMAHA, 6),
    Game.STUD: ("stud", None, 2),
    Game.STUD8: ("stud8", None, 2),
    Game.RAZZ: ("razz", None, 2),
    Game.DRAW: ("five-card-draw", None, 5),
    Game.SINGLE_DRAW: ("five-card-draw", Showdown(kinds=("low-27",)), 5),
    Game.TRIPLE_DRAW: ("27-triple-draw", None, 5),
    Game.A5_TRIPLE_DRAW: ("a5-triple-draw", None, 5),
    Game.BADUGI: ("badugi", None, 4),
}
"""The limit game of the catalogue that shows where big bets are; the showdown if another; cards down at first."""

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
    return _MODELS[game][2]


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
    name = _NAMES.get((game, stakes.structure))
    if name == "nlhe" and stakes.cap:
        name = "cap-holdem"
    if name is None:
        return f"{stakes.structure}-{game}", f"{str(stakes.structure).capitalize()} {TITLES[game]}"
    return name, _catalogue(name).title


@cache
def _catalogue(name: str) -> GameRules:
    return load(name)


@cache
def _model(game: Game) -> GameRules:
    """The game at the stakes of the catalogue; bets of 1 and 2 say which rounds are small and which are big."""
    name, showdown, down = _MODELS[game]
    rules = _catalogue(name)
    bets = [part.betting.bet for part in rules.rounds if part.betting]
    opening = replace(rules.rounds[0], down=down)
    rounds = (opening, *(replace(part, draw_most=min(part.draw_most, down)) for part in rules.rounds[1:]))
    sized = (
        replace(part, betting=Betting(Structure.LIMIT, bet // bets[0])) for part, bet in zip(rounds, bets, strict=True)
    )
    most = _MOST_PLAYERS if game in (*STUD_GAMES, *DRAW_GAMES) else MAX_PLAYERS
    return replace(
        rules,
        rounds=tuple(sized),
        ante=0,
        bring_in=min(rules.bring_in, 1),
        showdown=showdown or rules.showdown,
        max_players=most,
    )


def _round(part: Round, stakes: SourceStakes, *, first: bool) -> Round:
    big = part.betting is not None and part.betting.bet > 1
    limited = stakes.structure == Structure.LIMIT
    betting = Betting(
        stakes.structure, stakes.big if big and stakes.big else stakes.small, max_raises=USUAL_RAISES if limited else 0
    )
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


def fitted(rules: GameRules, events: Iterable[Event], *, opened: bool) -> GameRules:
    """The rules, as loose as the hand was played by.

    A limit game has no cap on raises where there were more of them (heads-up, mostly); in stud the bets of fourth
    street are big where the first was, which an open pair allows. `opened` says whether blinds were posted: they
    count as the first bet.
    """
    if not any(part.betting and part.betting.structure == Structure.LIMIT for part in rules.rounds):
        return rules
    streets = [*_raises(events), *([()] * len(rules.rounds))]
    rounds = list(rules.rounds)
    for i, (part, bets) in enumerate(zip(rules.rounds, streets, strict=False)):
        betting = part.betting
        high = max(rules.blinds, default=rules.bring_in) if i == 0 else 0
        if betting and _whole_raises(bets, betting.bet, high) + (opened and i == 0) > USUAL_RAISES:
            rounds[i] = replace(part, betting=replace(betting, max_raises=0))
        if betting and i == 1 and part.up and bets and bets[0] == 2 * betting.bet:
            rounds[i] = replace(rounds[i], betting=replace(betting, bet=bets[0]))
    return replace(rules, rounds=tuple(rounds)) if tuple(rounds) != rules.rounds else rules


def _whole_raises(bets: Sequence[int], bet: int, high: int) -> int:
    """How many of these bets and raises count: an all-in of less than half a bet does not."""
    before = (high, *bets)
    return sum(2 * (amount - last) >= bet for last, amount in zip(before, bets, strict=False))


def _raises(events: Iterable[Event]) -> list[Sequence[int]]:
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
    return list(streets)
