"""A game of poker as data: what is dealt, who acts when, what may be bet, how hands are made and pots split.

`GameRules` is checked once, when it is built; everything after that may trust it. It holds no behaviour: the
engine runs the numbers that `felt.games.engine.compiled` makes of it, PGDL files are another way to write it, and the
catalogue is a folder of such files.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from numbers import Integral, Real

from felt.cards.card import DECK_SIZE, format_cards
from felt.cards.deck import Deck, standard_deck
from felt.cards.ranking.kinds import KINDS, scale
from felt.errors import FeltError
from felt.games.scoring.expressions import FormulaError, bounds, parse_formula

MAX_PLAYERS = 10
MAX_CARDS = 7
"""Most cards that one player may hold."""

MAX_BOARD = 8
MAX_ROUNDS = 8
MAX_SCORES = 500
"""Categories of a custom scoring: values of hands are kept in 58 bits."""

MAX_CHIPS = 2_000_000_000
"""Chips on a table, all together: amounts are kept in 32 bits."""


class RulesError(FeltError):
    """A game description that makes no sense; the message names the part."""


def _check_whole(where: str, **numbers: object) -> None:
    """Refuse what is no whole number from 0 to what a table holds."""
    for name, value in numbers.items():
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise RulesError(f"{where}: {name} is {value!r}; it must be a whole number (scale fractions, see `unit`)")
        if int(value) < 0:
            raise RulesError(f"{where}: {name} is {value}; it cannot be negative")
        if int(value) > MAX_CHIPS:
            raise RulesError(f"{where}: {name} is {value}; at most {MAX_CHIPS} can be on a table")


class Structure(StrEnum):
    """How much may be bet."""

    NO_LIMIT = "no-limit"
    LIMIT = "limit"
    POT_LIMIT = "pot-limit"
    SPREAD = "spread-limit"
    """Any amount between two limits."""


class First(StrEnum):
    """Who acts first in a round."""

    AFTER_BUTTON = "after-button"
    """The first player left of the button; heads-up with blinds, the big blind."""
    AFTER_BLINDS = "after-blinds"
    """The player left of the last blind; heads-up, the button."""
    LOWEST_UP = "lowest-up"
    """The lowest card up, suits breaking ties (clubs lowest): brings it in."""
    HIGHEST_UP = "highest-up"
    """The highest card up, ace low, suits breaking ties (spades highest): brings it in, as in razz."""
    BEST_UP = "best-up"
    """The best high hand up."""
    BEST_LOW_UP = "best-low-up"
    """The best ace-to-five low hand up."""

    @property
    def by_cards(self) -> bool:
        """Whether cards face up decide it, not the position."""
        return self.name.endswith("_UP")


@dataclass(frozen=True)
class Betting:
    """The betting of one round, in chips."""

    structure: Structure
    bet: int
    """Limit: the bet and raise. Otherwise the least bet that may open."""
    most: int = 0
    """Spread limit: the largest bet or raise."""
    max_raises: int = 0
    """Bets and raises allowed in the round, a blind counting as the first; 0 for no end to them."""

    def __post_init__(self) -> None:
        if not isinstance(self.structure, Structure):
            raise RulesError(f"betting: structure is {self.structure!r}; use one of {', '.join(Structure)}")
        _check_whole("betting", bet=self.bet, most=self.most, max_raises=self.max_raises)
        if self.bet < 1:
            raise RulesError(f"betting: the bet is {self.bet}; it must be 1 chip or more")
        if self.structure == Structure.SPREAD and self.most < self.bet:
            raise RulesError(f"betting: a spread from {self.bet} to {self.most} is empty")
        if self.structure != Structure.SPREAD and self.most:
            raise RulesError(f"betting: 'most' ({self.most}) is for spread limit only, not {self.structure}")


@dataclass(frozen=True)
class Round:
    """One round: cards are dealt, then turned up, passed, discarded and drawn, then there is betting."""

    name: str
    down: int = 0
    """Cards dealt to each player face down."""
    up: int = 0
    """Cards dealt to each player face up, after those face down."""
    board: int = 0
    """Cards dealt to the board."""
    passes: int = 0
    """Cards that each player passes on."""
    pass_left: bool = True
    """Passed clockwise, to the left; else to the right."""
    discards: int = 0
    """Cards that each player must throw away."""
    draw_most: int = 0
    """Most cards that each player may exchange."""
    draw_least: int = 0
    betting: Betting | None = None
    first: First = First.AFTER_BUTTON
    clockwise: bool = True
    rolls: int = field(default=0, repr=False)
    """Cards that each player turns up, of those face down and of their own choice, all at once ("roll your own")."""

    def __post_init__(self) -> None:
        counted = ("down", "up", "board", "rolls", "passes", "discards", "draw_most", "draw_least")
        numbers = {name: getattr(self, name) for name in counted}
        _check_whole(f"round {self.name!r}", **numbers)
        if self.betting is None and not any(numbers.values()):
            raise RulesError(f"round {self.name!r}: nothing is dealt, moved or bet in it; leave it out")
        if self.draw_least > self.draw_most:
            raise RulesError(f"round {self.name!r}: draws from {self.draw_least} to {self.draw_most} cards are none")


@dataclass(frozen=True)
class Score:
    """One category of a custom scoring: hands that meet the condition, ordered by a formula."""

    name: str
    rank: int
    """Categories of higher rank beat all hands of lower ones."""
    subrank: str
    """Formula over ``$c1`` … ``$cN`` (``.rank``, ``.suit``)."""
    conditions: tuple[str, ...] = ()
    default: bool = False
    sort: bool = True
    """Whether the cards are sorted by rank, lowest first, before the formulas see them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "subrank", " ".join(self.subrank.split()))
        object.__setattr__(self, "conditions", tuple(" ".join(text.split()) for text in self.conditions))
        _check_whole(f"score {self.name!r}", rank=self.rank)

    def check(self, size: int) -> None:
        """Refuse formulas that a hand of `size` cards cannot have."""
        for part, text in (("subrank", self.subrank), *(("condition", text) for text in self.conditions)):
            try:
                bounds(parse_formula(text, cards=size))
            except FormulaError as error:
                raise RulesError(f"score {self.name!r}: {part} at {error.at + 1}: {error}") from None
        if self.default and self.conditions:
            raise RulesError(f"score {self.name!r}: is the default and has conditions; the default takes what is left")
        if not self.default and not self.conditions:
            raise RulesError(f"score {self.name!r}: has no condition, so every hand would be one; add one")


@dataclass(frozen=True)
class Showdown:
    """How hands are made and the pot is split."""

    kinds: tuple[str, ...] = ("high",)
    """Kinds of hand (`cards.ranking.kinds`) that share the pot equally; one that nobody makes gives its share away."""
    size: int = 5
    """Cards in a hand."""
    hole_exactly: int = 0
    """Hole cards that a hand must use; 0 for any number."""
    wild: tuple[int, ...] = ()
    """Cards that stand for any other; kept in order."""
    scoring: tuple[Score, ...] = ()
    """Custom scoring in place of `kinds`."""
    bug: bool = field(default=False, repr=False)
    """Jokers are bugs: they count as aces, or complete straights and flushes, and are nothing else."""

    def __post_init__(self) -> None:
        _check_whole("showdown", size=self.size, hole_exactly=self.hole_exactly)
        object.__setattr__(self, "wild", tuple(sorted(self.wild)))
        if not 1 <= self.size <= 5:
            raise RulesError(f"showdown: a hand of {self.size} cards; 1 to 5 can be ranked")
        if self.hole_exactly > self.size:
            raise RulesError(f"showdown: hands of {self.size} cards cannot use {self.hole_exactly} hole cards")
        self._check_kinds()
        self._check_wild()
        self._check_scoring()

    def _check_kinds(self) -> None:
        if not 1 <= len(self.kinds) <= 2:
            raise RulesError(f"showdown: {len(self.kinds)} kinds share the pot; 1 or 2 can")
        for kind in self.kinds:
            if kind not in KINDS:
                raise RulesError(f"showdown: {kind!r} is not a kind of hand: use one of {', '.join(KINDS)}")
            try:
                scale(kind, self.size)
            except FeltError as error:
                raise RulesError(f"showdown: {error}") from None
        if len(set(self.kinds)) < len(self.kinds):
            raise RulesError(f"showdown: the kind {self.kinds[0]!r} stands twice; name each once")

    def _check_wild(self) -> None:
        if len(set(self.wild)) < len(self.wild):
            raise RulesError(f"showdown: wild cards {format_cards(self.wild)!r} name a card twice")
        if self.bug and not any(card >= DECK_SIZE for card in self.wild):
            raise RulesError("showdown: jokers are bugs, but there is none among the wild cards; add one or drop it")
        if self.wild and (self.kinds != ("high",) or self.size != 5 or self.scoring):
            raise RulesError("showdown: wild cards are known for high hands of 5 cards only; change kinds or drop them")

    def _check_scoring(self) -> None:
        for score in self.scoring:
            score.check(self.size)
        if not self.scoring:
            return
        ranks = [score.rank for score in self.scoring]
        twice = next((score for i, score in enumerate(self.scoring) if score.rank in ranks[:i]), None)
        if twice:
            raise RulesError(f"score {twice.name!r}: another one has rank {twice.rank} too; which is better?")
        if len(self.scoring) > MAX_SCORES:
            raise RulesError(f"showdown: {len(self.scoring)} scores; up to {MAX_SCORES} can be told apart")
        defaults = [score.name for score in self.scoring if score.default]
        if len(defaults) != 1:
            shown = ", ".join(map(repr, defaults)) or "none"
            raise RulesError(f"showdown: one score must be the default, for hands that meet no condition; {shown} is")


@dataclass(frozen=True)
class Rake:
    """What the house keeps of a pot."""

    share: float = 0.0
    cap: int = 0
    """Most chips of a hand; 0 for no cap."""
    no_flop_no_drop: bool = True
    """Nothing is taken from a hand that ends in its first betting round: before the flop, the first draw, or in stud on
    third street, whatever was brought in there."""

    def __post_init__(self) -> None:
        _check_whole("rake", cap=self.cap)
        if not (isinstance(self.share, Real) and 0 <= self.share < 1):
            raise RulesError(f"rake: a share of {self.share!r}; use 0 to under 1")


@dataclass(frozen=True)
class GameRules:
    """A whole game. Chips are whole numbers; see `unit` for what one was in the source."""

    name: str
    rounds: tuple[Round, ...]
    title: str = ""
    description: str = ""
    deck: Deck = field(default_factory=standard_deck)
    min_players: int = 2
    max_players: int = 9
    ante: int = 0
    """Paid by every player."""
    big_blind_ante: int = 0
    """Paid by the big blind alone, for all."""
    blinds: tuple[int, ...] = ()
    """Posted by the players left of the button in turn; straddles are further blinds."""
    bring_in: int = 0
    """Least that the player who opens a stud game must bet."""
    cap: int = 0
    """Most chips that a player may put into one hand (cap games); 0 for no cap."""
    heads_up_button_blind: bool = True
    """Heads-up the button posts the first blind, as the rule book has it."""
    showdown: Showdown = field(default_factory=Showdown)
    rake: Rake = field(default_factory=Rake)
    stack: int = 0
    """The usual stack, for those who do not say."""
    unit: float = 1.0
    """What one chip is in the units of the source: 0.5 where blinds of 0.5 were scaled to 1."""

    def __post_init__(self) -> None:
        self._check_table()
        self._check_money()
        self._check_cards()
        self._check_hands()
        self._check_first()

    @property
    def big_blind(self) -> int:
        """The chips that rates are measured in: the largest blind, else the smallest bet of the first betting."""
        if self.blinds:
            return max(self.blinds[:2])
        return next((r.betting.bet for r in self.rounds if r.betting), max(self.ante, 1))

    @property
    def seats_text(self) -> str:
        """For how many players the game is, in words: ``3 players``, ``2 to 10 players``."""
        least, most = self.min_players, self.max_players
        return f"{least} players" if least == most else f"{least} to {most} players"

    @property
    def raked_from(self) -> int:
        """The first round in which a hand that ends there pays rake."""
        if not self.rake.no_flop_no_drop:
            return 0
        return next((number for number, part in enumerate(self.rounds) if part.betting), 0) + 1

    @property
    def hole_cards(self) -> int:
        """Cards dealt to each player, draws apart."""
        return sum(r.down + r.up for r in self.rounds)

    @property
    def board_cards(self) -> int:
        """Cards dealt to the board."""
        return sum(r.board for r in self.rounds)

    @property
    def has_draws(self) -> bool:
        """Whether players choose among their cards: to exchange, discard or pass them, or to turn them up."""
        return any(r.draw_most or r.discards or r.passes or r.rolls for r in self.rounds)

    @property
    def shows_cards(self) -> bool:
        """Whether players have cards that lie face up."""
        return any(r.up or r.rolls for r in self.rounds)

    def _check_table(self) -> None:
        if not self.name.strip() or self.name != self.name.strip():
            raise RulesError(f"name: {self.name!r}; give the game a name without blanks around it")
        _check_whole(self.name, min_players=self.min_players, max_players=self.max_players)
        if not 2 <= self.min_players <= self.max_players <= MAX_PLAYERS:
            raise RulesError(
                f"{self.name}: players {self.min_players} to {self.max_players}; use 2 to {MAX_PLAYERS}, least first"
            )
        if not isinstance(self.rounds, tuple) or not isinstance(self.blinds, tuple):
            raise RulesError(f"{self.name}: rounds and blinds are tuples; put them in round brackets")
        if not 1 <= len(self.rounds) <= MAX_ROUNDS:
            raise RulesError(f"{self.name}: {len(self.rounds)} rounds; use 1 to {MAX_ROUNDS}")
        if not (isinstance(self.unit, Real) and self.unit > 0 and math.isfinite(self.unit)):
            raise RulesError(f"{self.name}: unit is {self.unit}; a chip is worth a number above 0")

    def _check_money(self) -> None:
        amounts = ("ante", "big_blind_ante", "bring_in", "cap", "stack")
        blinds = {f"blind {i}": blind for i, blind in enumerate(self.blinds, start=1)}
        _check_whole(self.name, **{name: getattr(self, name) for name in amounts}, **blinds)
        if len(self.blinds) > MAX_PLAYERS:
            raise RulesError(f"{self.name}: {len(self.blinds)} blinds; at most {MAX_PLAYERS} players can post one")
        if self.blinds and not any(self.blinds):
            raise RulesError(f"{self.name}: blinds {self.blinds} are nothing; leave them out")
        if self.big_blind_ante and len(self.blinds) < 2:
            raise RulesError(f"{self.name}: a big-blind ante of {self.big_blind_ante} needs a big blind to pay it")
        if self.big_blind_ante and self.ante:
            raise RulesError(
                f"{self.name}: has an ante of {self.ante} for all and one of {self.big_blind_ante} for the big blind; "
                "choose one"
            )
        if self.cap and self.cap < max(self.blinds, default=0):
            raise RulesError(f"{self.name}: a cap of {self.cap} chips is under the blinds {self.blinds}")
        if self.blinds and self.bring_in:
            raise RulesError(f"{self.name}: has both blinds {self.blinds} and a bring-in {self.bring_in}; choose one")

    def _check_cards(self) -> None:
        if self.hole_cards > MAX_CARDS:
            raise RulesError(f"{self.name}: deals {self.hole_cards} cards to a player; at most {MAX_CARDS} can be held")
        if self.board_cards > MAX_BOARD:
            raise RulesError(f"{self.name}: deals {self.board_cards} board cards; at most {MAX_BOARD} fit")
        if self.hole_cards < 1:
            raise RulesError(f"{self.name}: no round deals a card to the players")
        held = 0
        for part in self.rounds:
            held += part.down + part.up
            if part.passes > held or part.discards > held or part.draw_most > held:
                raise RulesError(f"{self.name}: round {part.name!r} moves more cards than a player holds ({held})")
            held -= part.discards
        self._check_rolls()
        dealt = self.hole_cards * self.min_players + self.board_cards
        if dealt > len(self.deck):
            raise RulesError(
                f"{self.name}: {self.min_players} players need {dealt} cards and the deck has {len(self.deck)}"
            )

    def _check_rolls(self) -> None:
        """Whether there are cards to turn up, whatever became of the others."""
        if not any(part.rolls for part in self.rounds):
            return
        if any(part.draw_most for part in self.rounds):
            raise RulesError(f"{self.name}: cards are drawn and turned up; a game can have one of both")
        down = 0
        for part in self.rounds:
            down += part.down - part.rolls
            if down < 0:
                raise RulesError(
                    f"{self.name}: round {part.name!r} turns up {part.rolls} of {down + part.rolls} cards face down"
                )
            down = max(down - part.discards, 0)

    def _check_hands(self) -> None:
        held = self.hole_cards - sum(part.discards for part in self.rounds)
        shown = self.showdown
        if held + self.board_cards < shown.size:
            raise RulesError(f"{self.name}: hands of {shown.size} cards cannot be made of {held + self.board_cards}")
        if shown.hole_exactly and not shown.size - self.board_cards <= shown.hole_exactly <= held:
            raise RulesError(
                f"{self.name}: hands of {shown.size} cards with exactly {shown.hole_exactly} hole cards cannot be made "
                f"of {held} and a board of {self.board_cards}"
            )
        self._check_deck(
            "wild", (card for card in shown.wild if card not in self.deck), "are not in the deck; add or drop them"
        )
        jokers = (card for card in self.deck if card >= DECK_SIZE and card not in shown.wild)
        self._check_deck("deck", jokers, "have no rank and no suit; make them wild, or leave them out")
        lowest = max(KINDS[kind].lowest_card for kind in shown.kinds)
        low = (card for card in self.deck if card < lowest and not shown.scoring)
        self._check_deck("deck", low, f"are not known to {' and '.join(shown.kinds)} hands; leave them out")

    def _check_deck(self, part: str, wrong: Iterable[int], why: str) -> None:
        cards = tuple(wrong)
        if cards:
            raise RulesError(f"{self.name}: {part}: {format_cards(cards)} {why}")

    def _check_first(self) -> None:
        seen_up = 0
        for i, part in enumerate(self.rounds):
            seen_up += part.up + part.rolls
            if part.first in (First.BEST_UP, First.BEST_LOW_UP) and self.showdown.wild and seen_up > 4:
                raise RulesError(
                    f"{self.name}: round {part.name!r} compares {seen_up} cards up; with wild ones at most 4"
                )
            if part.first.by_cards and not seen_up:
                raise RulesError(f"{self.name}: round {part.name!r} starts by {part.first}, but no card is up")
            if part.first == First.AFTER_BLINDS and (i > 0 or not self.blinds):
                raise RulesError(f"{self.name}: round {part.name!r} starts after the blinds, but none are posted there")
        if self.blinds and self.rounds[0].betting is None:
            raise RulesError(f"{self.name}: blinds {self.blinds} need betting in the first round; use antes instead")
        if not self.bring_in:
            return
        opening = self.rounds[0]
        if opening.first not in (First.LOWEST_UP, First.HIGHEST_UP) or opening.betting is None:
            raise RulesError(
                f"{self.name}: a bring-in needs betting in the first round, started by {First.LOWEST_UP} or "
                f"{First.HIGHEST_UP}"
            )
        if self.bring_in > opening.betting.bet:
            raise RulesError(f"{self.name}: a bring-in of {self.bring_in} is more than a bet of {opening.betting.bet}")
