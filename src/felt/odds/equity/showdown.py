"""How each game is shown down: how many cards, which of them count, and who gets what.

A game here is only its showdown: betting, drawing and the order of dealing do not change what the cards are
worth once they lie on the table. Showdowns are read from the rules of the variants (`felt.games.catalogue`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from felt.cards.ranking.kinds import find_kind
from felt.errors import OddsError

if TYPE_CHECKING:
    from felt.games.rules import GameRules

TWO_CARDS = 2


@dataclass(frozen=True)
class Showdown:
    """What decides the pot of one game.

    >>> find_game("plo").hole, find_game("stud-hilo").kinds
    (4, ('high', 'low-8'))
    """

    name: str
    title: str
    """The game as people say it."""
    hole: int
    """Cards that each player holds in the end, face down or face up."""
    board: int
    """Cards in the middle that all share."""
    kinds: tuple[str, ...] = ("high",)
    """The kind of hand that wins; where there are two, each wins half of the pot, and all of it when no hand
    qualifies for the other half."""
    exactly_two: bool = False
    """Whether a hand is two hole cards with three of the board, and not any five."""
    lowest_rank: int = 0
    """The deck starts here: 2 (0) in the full deck, 6 (4) in the short one."""
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        played = TWO_CARDS + 3 if self.exactly_two else self.hole + self.board
        for kind in map(find_kind, self.kinds):
            if played not in kind.sizes:
                raise ValueError(f"{self.name} cannot rank {played} cards as {kind.name!r}")
        if "low-27" in self.kinds and played > 5:  # a flush may hide a better hand: its tables do not know
            raise ValueError(f"{self.name} has more than five cards to choose a deuce-to-seven low from")

    @property
    def takes_ranges(self) -> bool:
        """Whether players may be given as ranges: they hold two cards each, and the best five count."""
        return self.hole == TWO_CARDS and not self.exactly_two

    @property
    def deck_size(self) -> int:
        """Cards in the whole deck."""
        return 52 - 4 * self.lowest_rank


HOLDEM = Showdown("holdem", "hold'em", 2, 5, aliases=("texas", "texas-holdem", "nlhe"))
"""The one game that is not read from its variant: that would take longer than most questions about it."""


class Source(NamedTuple):
    """Where the showdown of a game is described: a variant of the catalogue, and how this game differs from it."""

    title: str
    variant: str
    aliases: tuple[str, ...] = ()
    changes: Mapping[str, Any] = MappingProxyType({})


_SOURCES = {
    "short-deck": Source("short deck", "short-deck", ("6plus", "six-plus")),
    "short-deck-trips": Source("short deck, trips above straights", "short-deck", changes={"kinds": ("short-trips",)}),
    "omaha": Source("Omaha", "plo", ("plo", "omaha4", "plo4")),
    "omaha5": Source("five-card Omaha", "plo5", ("plo5",)),
    "omaha6": Source("six-card Omaha", "plo5", ("plo6",), {"hole": 6}),
    "omaha-hilo": Source("Omaha hi-lo", "plo8", ("omaha8", "o8", "plo8")),
    "omaha5-hilo": Source("five-card Omaha hi-lo", "plo8", ("big-o", "bigo"), {"hole": 5}),
    "stud": Source("seven-card stud", "stud", ("7-card-stud", "seven-card-stud")),
    "stud-hilo": Source("seven-card stud hi-lo", "stud8", ("stud8",)),
    "razz": Source("razz", "razz"),
    "draw": Source("five-card draw", "five-card-draw", ("five-card-draw", "5-card-draw")),
    "badugi": Source("badugi", "badugi"),
    "2-7": Source("deuce-to-seven draw", "27-single-draw", ("27", "2-7-draw", "deuce-to-seven")),
}


class _Games(Mapping[str, Showdown]):
    """Showdowns by name, each read when it is first asked for."""

    def __getitem__(self, name: str) -> Showdown:
        return HOLDEM if name == HOLDEM.name else _read_showdown(name)

    def __iter__(self) -> Iterator[str]:
        yield from (HOLDEM.name, *_SOURCES)

    def __len__(self) -> int:
        return 1 + len(_SOURCES)


GAMES: Mapping[str, Showdown] = _Games()
"""Every game by name."""


@cache
def _read_showdown(name: str) -> Showdown:
    from felt.games.catalogue import load

    source = _SOURCES[name]
    return replace(showdown_of(load(source.variant), name, source.title, source.aliases), **source.changes)


def showdown_of(rules: "GameRules", name: str, title: str, aliases: tuple[str, ...] = ()) -> Showdown:
    """The showdown that the rules of a variant describe."""
    return Showdown(
        name=name,
        title=title,
        hole=rules.hole_cards,
        board=rules.board_cards,
        kinds=rules.showdown.kinds,
        exactly_two=rules.showdown.hole_exactly == TWO_CARDS,
        lowest_rank=min(rules.deck) // 4,
        aliases=aliases,
    )


def find_game(name: str) -> Showdown:
    """The game of this name or alias, in any case: ``Hold'em``, ``short deck`` and ``PLO`` are fine.

    >>> find_game("Hold'em").name, find_game("6+").name
    ('holdem', 'short-deck')
    """
    plain = name.lower().replace("'", "").replace("’", "").replace("+", "plus").replace("_", " ").replace("-", " ")
    spelling = "-".join(plain.split()).replace("hi-lo", "hilo").replace("hi/lo", "hilo").replace("hold-em", "holdem")
    if spelling not in _names():
        raise OddsError(f"{name!r} is not a game that equity knows: choose one of {', '.join(GAMES)}")
    return GAMES[_names()[spelling]]


@cache
def _names() -> dict[str, str]:
    """The game that each name and alias stands for."""
    aliases = {HOLDEM.name: HOLDEM.aliases, **{name: source.aliases for name, source in _SOURCES.items()}}
    return {spelling: name for name, others in aliases.items() for spelling in (name, *others)}
