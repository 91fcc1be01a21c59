"""What a seat can work out from its view: which cards it has not seen, and which cards others are known to hold.

Nothing here looks into the hand itself: a view is all there is.
"""

from dataclasses import dataclass, field

from felt.games.history import UNKNOWN, Event
from felt.games.moves import DEALS, EventKind
from felt.games.rules import GameRules
from felt.games.views.view import View


@dataclass(frozen=True)
class Knowledge:
    """The cards of a game through the eyes of one seat."""

    unseen: tuple[int, ...]
    """Cards that may be anywhere: in the deck, in other hands, in the muck."""
    dead: tuple[int, ...]
    """Cards known to be out of play."""
    held: dict[int, tuple[int, ...]]
    """Cards that others are known to hold, by seat: those face up, and those that were passed to them."""


def knowledge(view: View, rules: GameRules) -> Knowledge:
    """What the seat of a view knows of the cards.

    Discards and folded cards are dead until the muck is shuffled to be drawn from. Without a history (a hand that was
    read from a snapshot) what the player threw away is forgotten.
    """
    memory = _Memory(view, rules)
    for event in view.history:
        memory.see(event)
    others = [seat for seat in view.seats if seat.seat != view.seat]
    held = {seat.seat: (*seat.up, *memory.passed.get(seat.seat, ())) for seat in others if not seat.folded}
    dead = memory.dead
    if not memory.shuffled:
        dead = dead.union(*(seat.up for seat in others if seat.folded))
    in_play = {*view.own, *view.board, *(card for cards in held.values() for card in cards)}
    return Knowledge(
        unseen=tuple(card for card in rules.deck if card not in in_play and card not in dead),
        dead=tuple(sorted(dead - in_play)),
        held=held,
    )


@dataclass
class _Memory:
    """Follows a history: what was thrown away and passed on, and when the muck was shuffled."""

    view: View
    rules: GameRules
    dead: set[int] = field(default_factory=set)
    """Cards that the viewer saw go to the muck since it was last shuffled."""
    passed: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Cards that the viewer passed and that their new owner has not had a chance to part with."""
    shuffled: bool = False

    def __post_init__(self) -> None:
        self._players = len(self.view.seats)
        self._left, self._muck = len(self.rules.deck), 0
        self._count = [0] * self._players
        self._up: list[set[int]] = [set() for _ in range(self._players)]
        self._live = set(range(self._players))
        self._moving: dict[int, tuple[int, ...]] = {}
        self._passes = iter([part.pass_left for part in self.rules.rounds if part.passes])
        self._just_thrown: tuple[int, ...] = ()

    def see(self, event: Event) -> None:
        """Take in the next event."""
        if event.kind in DEALS:
            self._deal(event)
        elif event.kind == EventKind.FOLD:
            self._live.discard(event.seat)
            self._muck += self._count[event.seat]
            self.dead |= self._up[event.seat]
        elif event.kind in (EventKind.DRAW, EventKind.DISCARD):
            self._throw(event)
        elif event.kind == EventKind.PASS:
            self._pass(event)
        elif event.kind == EventKind.ROLLED:
            self._up[event.seat].update(event.cards)
            left = tuple(card for card in self.passed.pop(event.seat, ()) if card not in event.cards)
            self.passed |= {event.seat: left} if left else {}

    def _deal(self, event: Event) -> None:
        for _ in event.cards:
            if self._left == 0:
                self._shuffle()
            self._left -= 1
        self._just_thrown = ()
        if event.seat >= 0:
            self._count[event.seat] += len(event.cards)
        if event.kind == EventKind.UP:
            self._up[event.seat].update(event.cards)

    def _shuffle(self) -> None:
        """The muck becomes the deck, but for what the player who draws has just thrown away."""
        keep = self._just_thrown if self._muck > len(self._just_thrown) else ()
        self._left, self._muck = self._muck - len(keep), len(keep)
        self.dead = {card for card in keep if card != UNKNOWN}
        self.shuffled = True

    def _throw(self, event: Event) -> None:
        self.dead |= {card for card in event.cards if card != UNKNOWN}
        self._just_thrown = event.cards if event.kind == EventKind.DRAW else ()
        self._muck += len(event.cards)
        self._count[event.seat] -= len(event.cards)
        if event.cards:
            self.passed.pop(event.seat, None)

    def _pass(self, event: Event) -> None:
        """Cards move when all have chosen."""
        self._moving[event.seat] = event.cards
        if len(self._moving) < len(self._live):
            return
        step = 1 if next(self._passes, True) else -1
        cards, to = self._moving.get(self.view.seat, ()), self.view.seat
        self.passed, self._moving = {}, {}
        while cards:
            to = (to + step) % self._players
            if to in self._live:
                self.passed[to] = cards
                return
