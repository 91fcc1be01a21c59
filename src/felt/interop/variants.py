"""The games that hand histories are of: each source's names for them, and their rules at given stakes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from felt.cards.deck import short_deck, standard_deck
from felt.games.history import Event, EventKind
from felt.games.rules import Betting, First, GameRules, Round, Showdown, Structure
from felt.interop.histories import HistoryError
from felt.interop.ledger import DEALS

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
_DRAWS = {Game.DRAW: 1, Game.SINGLE_DRAW: 1, Game.TRIPLE_DRAW: 3, Game.A5_TRIPLE_DRAW: 3, Game.BADUGI: 3}
DRAW_GAMES = tuple(_DRAWS)
_HOLE_CARDS = {Game.OMAHA: 4, Game.OMAHA8: 4, Game.OMAHA5: 5, Game.OMAHA5_8: 5, Game.OMAHA6: 6, Game.BADUGI: 4}
_MOST_PLAYERS = {Game.STUD: 8, Game.STUD8: 8, Game.RAZZ: 8, Game.DRAW: 6, Game.SINGLE_DRAW: 6, Game.TRIPLE_DRAW: 6,
                 Game.A5_TRIPLE_DRAW: 6,
                 Game.BADUGI: 8, Game.OMAHA5: 9, Game.OMAHA5_8: 9, Game.OMAHA6: 7}  # fmt: skip
_SHOWDOWNS = {
    Game.SHORT_DECK: Showdown(kinds=("short",)),
    Game.OMAHA: Showdown(hole_exactly=2),
    Game.OMAHA8: Showdown(kinds=("high", "low-8"), hole_exactly=2),
    Game.OMAHA5: Showdown(hole_exactly=2),
    Game.OMAHA5_8: Showdown(kinds=("high", "low-8"), hole_exactly=2),
    Game.OMAHA6: Showdown(hole_exactly=2),
    Game.STUD8: Showdown(kinds=("high", "low-8")),
    Game.RAZZ: Showdown(kinds=("low-a5",)),
    Game.SINGLE_DRAW: Showdown(kinds=("low-27",)),
    Game.TRIPLE_DRAW: Showdown(kinds=("low-27",)),
    Game.A5_TRIPLE_DRAW: Showdown(kinds=("low-a5",)),
    Game.BADUGI: Showdown(kinds=("badugi",), size=4),
}


@dataclass(frozen=True)
class Stakes:
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
    """Cards that each player is dealt to begin with, those of stud that come later not counted."""
    if game in STUD_GAMES:
        return 3
    return _HOLE_CARDS.get(game, 5 if game in DRAW_GAMES else 2)


def make_rules(game: Game, stakes: Stakes) -> GameRules:
    """The rules of a game at these stakes.

    >>> rules = make_rules(Game.HOLDEM, Stakes(Structure.NO_LIMIT, small=100, blinds=(50, 100)))
    >>> rules.name, rules.big_blind, [part.name for part in rules.rounds]
    ('no-limit-holdem', 100, ['preflop', 'flop', 'turn', 'river'])
    """
    return GameRules(
        name=f"{stakes.structure}-{game}",
        title=f"{str(stakes.structure).replace('-', ' ')} {TITLES[game]}",
        rounds=_rounds(game, stakes),
        deck=short_deck() if game == Game.SHORT_DECK else standard_deck(),
        max_players=_MOST_PLAYERS.get(game, 10),
        ante=stakes.ante,
        big_blind_ante=stakes.big_blind_ante,
        blinds=stakes.blinds,
        bring_in=stakes.bring_in if game in STUD_GAMES else 0,
        cap=stakes.cap,
        showdown=_SHOWDOWNS.get(game, Showdown()),
        unit=stakes.unit,
    )


def _rounds(game: Game, stakes: Stakes) -> tuple[Round, ...]:
    small, big = _betting(stakes, stakes.small), _betting(stakes, stakes.big or stakes.small)
    opening = First.AFTER_BLINDS if any(stakes.blinds) else First.AFTER_BUTTON
    if game in STUD_GAMES:
        return _stud_rounds(small, big, razz=game == Game.RAZZ)
    if game in _DRAWS:
        cards = hole_cards(game)
        draws = [small, big, big] if _DRAWS[game] == 3 else [big]
        words = ("first draw", "second draw", "third draw") if len(draws) > 1 else ("draw",)
        after = (Round(word, draw_most=cards, betting=bet) for word, bet in zip(words, draws, strict=True))
        return (Round("deal", down=cards, betting=small, first=opening), *after)
    return (
        Round("preflop", down=hole_cards(game), betting=small, first=opening),
        Round("flop", board=3, betting=small),
        Round("turn", board=1, betting=big),
        Round("river", board=1, betting=big),
    )


def _stud_rounds(small: Betting, big: Betting, *, razz: bool) -> tuple[Round, ...]:
    opens, leads = (First.HIGHEST_UP, First.BEST_LOW_UP) if razz else (First.LOWEST_UP, First.BEST_UP)
    return (
        Round("third street", down=2, up=1, betting=small, first=opens),
        Round("fourth street", up=1, betting=small, first=leads),
        Round("fifth street", up=1, betting=big, first=leads),
        Round("sixth street", up=1, betting=big, first=leads),
        Round("seventh street", down=1, betting=big, first=leads),
    )


def _betting(stakes: Stakes, bet: int) -> Betting:
    limited = stakes.structure == Structure.LIMIT
    return Betting(stakes.structure, bet, max_raises=USUAL_RAISES if limited else 0)


def game_of(rules: GameRules) -> tuple[Game, Structure]:
    """Which of the games of hand histories these rules are, whatever they are called.

    >>> game_of(make_rules(Game.RAZZ, Stakes(Structure.LIMIT, small=2, big=4, bring_in=1)))
    (<Game.RAZZ: 'razz'>, <Structure.LIMIT: 'limit'>)
    """
    structures = {part.betting.structure for part in rules.rounds if part.betting}
    if len(structures) == 1:
        structure = structures.pop()
        dealt = [_dealing(part) for part in rules.rounds]
        for game in Game:
            model = make_rules(game, Stakes(Structure.NO_LIMIT, small=1, blinds=(1, 2)))
            same_deal = [_dealing(part) for part in model.rounds] == dealt
            if same_deal and rules.showdown == model.showdown and rules.deck.cards == model.deck.cards:
                return game, structure
    raise HistoryError(f"the game {rules.name!r} has no name in hand histories: it can only be kept as a record")


def _dealing(part: Round) -> tuple[int, ...]:
    return (part.down, part.up, part.board, part.passes, part.discards, part.draw_most, part.draw_least)


def blinds_of(posts: Sequence[int], last: int) -> tuple[int, ...]:
    """The blinds as rules: what the seats up to `last`, the one that acts last, posted."""
    return tuple(posts[: last + 1])


def antes_as_rules(antes: Sequence[int]) -> tuple[int, int]:
    """What everybody pays and what one pays for all, from what each seat paid.

    >>> antes_as_rules((5, 5, 5)), antes_as_rules((0, 20, 0)), antes_as_rules((5, 5, 0))
    ((5, 0), (0, 20), (0, 0))
    """
    paid = [ante for ante in antes if ante]
    if len(paid) == len(antes) and len(set(paid)) == 1:
        return paid[0], 0
    return (0, paid[0]) if len(paid) == 1 else (0, 0)


def without_cap(rules: GameRules, events: Iterable[Event], *, opened: bool) -> GameRules:
    """The rules, with no cap on raises where the hand was played without one (heads-up, mostly).

    `opened` says whether blinds were posted: they count as the first bet.
    """
    raises = [int(opened)]
    acted = False
    for event in events:
        if event.kind in DEALS:
            if acted:
                raises.append(0)
            acted = False
        else:
            acted = True
            raises[-1] += event.kind == EventKind.RAISE
    if all(count <= USUAL_RAISES for count in raises):
        return rules
    free = tuple(
        replace(part, betting=replace(part.betting, max_raises=0)) if part.betting else part for part in rules.rounds
    )
    return replace(rules, rounds=free)
