"""In which round each move of a hand was made, told from what a seat sees."""

from collections.abc import Iterator

from felt.games.history import Event
from felt.games.moves import EventKind
from felt.games.rules import Round
from felt.games.views.view import View

_STAGES = {
    EventKind.DOWN: 0,
    EventKind.UP: 0,
    EventKind.BOARD: 0,
    EventKind.ROLL: 1,
    EventKind.PASS: 2,
    EventKind.DISCARD: 3,
    EventKind.DRAW: 4,
    EventKind.FOLD: 5,
    EventKind.CALL: 5,
    EventKind.RAISE: 5,
}
"""A round is dealt, turned up, passed, discarded, drawn and bet, in this order."""
_BET = 5


def with_streets(view: View) -> Iterator[tuple[int, Event]]:
    """The moves so far, each with its round.

    >>> from felt.games import Hand, load
    >>> hand = Hand.new(load("27-triple-draw"), seed=1, players=2)
    >>> for move in hand.call, hand.call, hand.exchange:
    ...     move()
    >>> [(street, event.kind.value) for street, event in with_streets(hand.view(0))]
    [(0, 'call'), (0, 'call'), (1, 'draw')]
    """
    moves, deals = view.moves()
    if not deals:  # then they are among the moves
        return _walk(view.rules.rounds, moves)
    return _between(moves, deals)


def _between(moves: list[Event], deals: list[tuple[int, int, int]]) -> Iterator[tuple[int, Event]]:
    """By the deals: before which move, and of which rounds."""
    places, street = {place: last for place, _, last in deals}, 0
    for place, event in enumerate(moves):
        street = places.get(place, street)
        yield street, event


def _walk(rounds: tuple[Round, ...], events: list[Event]) -> Iterator[tuple[int, Event]]:
    """By the order of what is done in a round: nobody is dealt to or exchanges cards twice in one."""
    street, stage, before = 0, 0, Event(EventKind.BOARD)
    done: set[tuple[EventKind, int]] = set()
    for event in events:
        event_stage, event_key = _STAGES.get(event.kind), (event.kind, event.seat)
        drawn = before.kind == EventKind.DRAW and before.cards and before.seat == event.seat
        before = event
        if event_stage is None or (drawn and event.kind == EventKind.DOWN):  # what was drawn
            continue
        if event_stage < stage or (event_stage != _BET and event_key in done):
            street, done = street + 1, set()
        while street < len(rounds) - 1 and not _has(rounds[street], event_stage):
            street, done = street + 1, set()
        stage = event_stage
        done.add(event_key)
        if event_stage:
            yield street, event


def _has(part: Round, stage: int) -> bool:
    dealt, betting = part.down or part.up or part.board, part.betting is not None
    has = (dealt, part.rolls, part.passes, part.discards, part.draw_most, betting)
    return bool(has[stage])
