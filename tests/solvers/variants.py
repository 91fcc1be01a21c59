"""Every variant of the catalogue, cut down so far that its whole tree is small: fewer cards, streets and raises."""

from dataclasses import dataclass, replace

from felt.cards.card import parse_cards
from felt.cards.deck import Deck
from felt.games import GameRules, load
from felt.games.rules import Betting


@dataclass(frozen=True)
class Cut:
    """What is left of a variant. None leaves a thing as it is."""

    cards: str = ""
    hole: int | None = None
    """Cards that each player is dealt in the first round, those face up included."""
    board: int | None = None
    """Most cards that fall on the board at once."""
    rounds: tuple[int, ...] | None = None
    """Which rounds are played."""
    size: int | None = None
    """Cards in a hand."""
    raises: int | None = 1
    """Bets and raises in a round."""
    moved: int | None = 1
    """Most cards that are drawn, passed or thrown away at once."""
    stack: int | None = None

    def of(self, name: str) -> GameRules:
        """The variant, cut down."""
        rules = load(name)
        kept = range(len(rules.rounds)) if self.rounds is None else self.rounds
        rounds = [rules.rounds[i] for i in kept]
        if self.hole is not None:
            rounds[0] = replace(rounds[0], down=self.hole - rounds[0].up)
        rounds = [
            replace(
                part,
                board=_least(part.board, self.board),
                draw_most=_least(part.draw_most, self.moved),
                draw_least=_least(part.draw_least, self.moved),
                passes=_least(part.passes, self.moved),
                discards=_least(part.discards, self.moved),
                betting=self._betting(part.betting),
            )
            for part in rounds
        ]
        deck = Deck("cut", tuple(sorted(parse_cards(self.cards)))) if self.cards else rules.deck
        shown = replace(
            rules.showdown,
            size=self.size or rules.showdown.size,
            wild=tuple(card for card in rules.showdown.wild if card in deck),
        )
        return replace(rules, deck=deck, rounds=tuple(rounds), showdown=shown, stack=self.stack or rules.stack)

    def _betting(self, betting: Betting | None) -> Betting | None:
        if betting is None or self.raises is None:
            return betting
        return replace(betting, max_raises=min(betting.max_raises or self.raises, self.raises))


def _least(count: int, most: int | None) -> int:
    return count if most is None else min(count, most)


SEVEN = "As Ah Ks Kh Qs Qh Js"
LOW = "As 2s 3s 4s 5h 6h 7h"
SIX = "As Ah Ks Kh Qs Qh"
LOW_SIX = "As 2s 3s 4h 5h 6h"

HOLDEM = Cut(SEVEN, board=1, raises=None, stack=4)
OMAHA = Cut(SEVEN, hole=2, board=1, raises=None, stack=4)
OMAHA_LOW = Cut(LOW, hole=2, board=1, raises=None, stack=4)
DRAW = Cut(LOW_SIX, hole=2, rounds=(0, 1), size=2)
PAT = Cut("2s 3s 4s 5s 7s 2h 3h 4h 5h 8h", moved=0)
"""With five cards each, ten are all that there are: nobody can draw. Twelve would be millions of histories."""
STUD = Cut("As Ah Ks Kh Qs", hole=2, rounds=(0,), size=2)

CUTS = {
    "27-single-draw": replace(PAT, stack=4, raises=None),
    "27-triple-draw": replace(PAT, rounds=(0, 1, 3), raises=2),
    "a5-triple-draw": DRAW,
    "anaconda": Cut("As Ah Ks Kh Qs", hole=2, rounds=(0, 3), size=1),
    "badacey": DRAW,
    "badugi": DRAW,
    "baseball": Cut("As Ah Ks Kh Qs Qh 3s 3h 9s 4h", hole=5, rounds=(0,)),
    "brag": Cut("As Ah Ks Kh Qs Qh Js", raises=2, stack=12),
    "cap-holdem": HOLDEM,
    "cincinnati": Cut(SEVEN, hole=2, rounds=(0, 1, 4), size=3),
    "five-card-draw": replace(DRAW, cards=SIX),
    "five-card-draw-jokers": replace(PAT, cards="As Ah Ks Kh Qs Qh Js Jh Jk JK", raises=2),
    "kuhn": Cut(raises=None),
    "leduc": Cut(raises=None),
    "leduc-one-raise": Cut(raises=None),
    "limit-holdem": HOLDEM,
    "manila": Cut(SEVEN, rounds=(0, 1, 4)),
    "nlhe": HOLDEM,
    "omaha8": OMAHA_LOW,
    "plo": OMAHA,
    "plo5": OMAHA,
    "plo8": OMAHA_LOW,
    "pot-limit-holdem": HOLDEM,
    "preflop-limit": Cut(SEVEN, board=3, raises=None),
    "preflop-nolimit": Cut(SEVEN, board=3, raises=None, stack=40),
    "razz": replace(STUD, cards=LOW_SIX),
    "short-deck": HOLDEM,
    "six-card-stud": STUD,
    "spread-holdem": HOLDEM,
    "stud": replace(STUD, cards="As Ah Kh Qs", hole=1, rounds=(0, -1)),
    "stud8": Cut("As 2s 3s 4s 5h 6h 7h 8h Kh Kd", hole=5, rounds=(0,)),
}

SLOW = ("baseball", "stud8")
"""Wild cards and lows of five cards need ten cards dealt, some face up: for the benchmark."""

LARGER = {
    "27-triple-draw": replace(PAT, rounds=(0, 1, 2, 3), raises=2),
    "a5-triple-draw": replace(DRAW, raises=2),
    "anaconda": Cut(SIX, hole=3, rounds=(0, 3), size=2),
    "baseball": CUTS["baseball"],
    "five-card-draw": replace(DRAW, cards=SIX, raises=2),
    "nlhe": replace(HOLDEM, stack=6),
    "plo": replace(OMAHA, cards=SEVEN + "Jh", stack=6),
    "stud": replace(STUD, cards=SIX, rounds=(0, -1), size=3),
    "stud8": CUTS["stud8"],
}
"""Cuts that leave more of a game: for the benchmark."""
