"""How each game is shown down: how many cards, which of them count, and who gets what.

A game here is only its showdown: betting, drawing and the order of dealing do not change what the cards are
worth once they lie on the table.
"""

from dataclasses import dataclass
from functools import cache

from felt.cards.kinds import SHORT, find_kind
from felt.errors import OddsError

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


_SPLIT = ("high", "low-8")

GAMES: dict[str, Showdown] = {
    game.name: game
    for game in (
        Showdown("holdem", "hold'em", 2, 5, aliases=("texas", "texas-holdem", "nlhe")),
        Showdown("short-deck", "short deck", 2, 5, ("short",), lowest_rank=SHORT[0], aliases=("6plus", "six-plus")),
        Showdown("short-deck-trips", "short deck, trips above straights", 2, 5, ("short-trips",), lowest_rank=SHORT[0]),
        Showdown("omaha", "Omaha", 4, 5, exactly_two=True, aliases=("plo", "omaha4", "plo4")),
        Showdown("omaha5", "five-card Omaha", 5, 5, exactly_two=True, aliases=("plo5",)),
        Showdown("omaha6", "six-card Omaha", 6, 5, exactly_two=True, aliases=("plo6",)),
        Showdown("omaha-hilo", "Omaha hi-lo", 4, 5, _SPLIT, exactly_two=True, aliases=("omaha8", "o8", "plo8")),
        Showdown("omaha5-hilo", "five-card Omaha hi-lo", 5, 5, _SPLIT, exactly_two=True, aliases=("big-o", "bigo")),
        Showdown("stud", "seven-card stud", 7, 0, aliases=("7-card-stud", "seven-card-stud")),
        Showdown("stud-hilo", "seven-card stud hi-lo", 7, 0, _SPLIT, aliases=("stud8",)),
        Showdown("razz", "razz", 7, 0, ("low-a5",)),
        Showdown("draw", "five-card draw", 5, 0, aliases=("five-card-draw", "5-card-draw")),
        Showdown("badugi", "badugi", 4, 0, ("badugi",)),
        Showdown("2-7", "deuce-to-seven draw", 5, 0, ("low-27",), aliases=("27", "2-7-draw", "deuce-to-seven")),
    )
}
"""Every game by name."""


def find_game(name: str) -> Showdown:
    """The game of this name or alias, in any case: ``Hold'em``, ``short deck`` and ``PLO`` are fine.

    >>> find_game("Hold'em").name, find_game("6+").name
    ('holdem', 'short-deck')
    """
    plain = name.lower().replace("'", "").replace("’", "").replace("+", "plus").replace("_", " ").replace("-", " ")
    wanted = "-".join(plain.split()).replace("hi-lo", "hilo").replace("hi/lo", "hilo").replace("hold-em", "holdem")
    found = _by_any_name().get(wanted)
    if found is None:
        raise OddsError(f"{name!r} is not a game that equity knows: choose one of {', '.join(GAMES)}")
    return found


@cache
def _by_any_name() -> dict[str, Showdown]:
    return {name: game for game in GAMES.values() for name in (game.name, *game.aliases)}
