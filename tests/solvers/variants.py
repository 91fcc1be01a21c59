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
    common: int = 0
    """Cards of the first round that all share, where hands are of five cards, whatever is cut."""
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
                rolls=_least(part.rolls, self.moved),
                betting=self._betting(part.betting),
            )
            for part in rounds
        ]
        if self.common:
            rounds[0] = replace(rounds[0], board=self.common)
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
FIVE_DRAW = Cut("2s 3s 4s 5h 7h 8h 9h 8s", hole=1, rounds=(0, 1), common=4)
"""Hands that are known of five cards only: four are common, and one's own can be exchanged. With five cards for each
and one to draw, there would be millions of histories."""
STUD = Cut("As Ah Ks Kh Qs", hole=1, rounds=(0, -1), size=2)
FIVE_STUD = Cut("As Kh 3s 9h 4h 5h 6s", hole=1, rounds=(0, -1), common=3)
"""The same for open cards: three are common, one is dealt open and one covered."""

CUTS = {
    "27-single-draw": replace(FIVE_DRAW, stack=3),
    "27-triple-draw": FIVE_DRAW,
    "a5-triple-draw": DRAW,
    "anaconda": Cut("As Ah Ks Kh Qs", hole=2, rounds=(0, 3), size=1),
    "badacey": DRAW,
    "badugi": DRAW,
    "baseball": FIVE_STUD,
    "brag": Cut("As Ah Ks Kh Qs Qh Js", raises=2, stack=12),
    "cap-holdem": HOLDEM,
    "cincinnati": Cut(SEVEN, hole=2, rounds=(0, 1, 4), size=3),
    "five-card-draw": replace(DRAW, cards=SIX),
    "five-card-draw-bug": replace(FIVE_DRAW, cards="As Ah Ks Kh Qs Qh Jh Jk"),
    "five-card-draw-jokers": replace(FIVE_DRAW, cards="As Ah Ks Kh Qs Qh Jh Jk"),
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
    "razz": replace(STUD, cards="As 2s 3s 4h 5h"),
    "roll-your-own": Cut(SIX, hole=2, rounds=(0, -1), size=2),
    "short-deck": HOLDEM,
    "six-card-stud": STUD,
    "spread-holdem": HOLDEM,
    "stud": STUD,
    "stud8": replace(FIVE_STUD, cards="As 2s 3h 8h 7s 6h 4h"),
}

LARGER = {
    "27-triple-draw": replace(FIVE_DRAW, raises=2),
    "a5-triple-draw": replace(DRAW, raises=2),
    "anaconda": Cut(SIX, hole=3, rounds=(0, 3), size=2),
    "baseball": Cut("As Ah Ks Kh Qs Qh 3s 3h 9s 4h", hole=5, rounds=(0,)),
    "five-card-draw": replace(DRAW, cards=SIX, raises=2),
    "nlhe": replace(HOLDEM, stack=6),
    "plo": replace(OMAHA, cards=SEVEN + "Jh", stack=6),
    "stud": replace(STUD, cards=SIX, hole=2, size=3),
    "stud8": Cut("As 2s 3s 4s 5h 6h 7h 8h Kh Kd", hole=5, rounds=(0,)),
}
"""Cuts that leave more of a game: for the benchmark."""
