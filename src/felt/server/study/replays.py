"""A hand that is over, told again step by step to one viewer, with the odds at each decision."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from felt.errors import FeltError
from felt.games import Action, Hand, Move
from felt.games.fair import fair_deal
from felt.server.study.decision_odds import OddsBook, knows_of
from felt.server.tables.dealer import Dealer, Event
from felt.server.tables.state import TableState
from felt.server.tables.viewer_state import Scene, cards_told, viewer_state
from felt.server.web.schemas.hands import DecisionTold, HandReplay, HandTold, PlayerTold, Step, StepState
from felt.store.database.engine import DamagedError
from felt.store.database.hands import FinishedHand


class Replay:
    """One hand in the eyes of one player; None for somebody who was not there.

    `everything` opens all cards: whoever asks for it must have the right to.
    """

    def __init__(self, past: FinishedHand, player: str | None, *, everything: bool = False) -> None:
        self._past = past
        self._seat = past.seat_of(player)
        self._may_see_all = past.may_see_all(player)
        self._ended = _restored(past)
        assert self._ended.hand is not None
        self._hand = self._ended.hand
        self._knows = knows_of(self._hand, self.own, everything=everything)

    @property
    def table(self) -> TableState:
        """The table at the end of the hand."""
        return self._ended

    @property
    def hand(self) -> Hand:
        """The hand, over."""
        return self._hand

    @property
    def own(self) -> int:
        """The viewer's seat in the hand itself; -1 for a spectator."""
        return self._ended.dealt.index(self._seat) if self._seat in self._ended.dealt else -1

    @property
    def names(self) -> tuple[str, ...]:
        """Who was dealt in, by the seats of the hand itself."""
        named = {player.seat: player.name for player in self._past.hand.seats}
        return tuple(named[seat] for seat in self._ended.dealt)

    def summary(self) -> HandTold:
        """The hand in a list."""
        past, seen = self._past, self._hand.view(self.own)
        rules = self._hand.rules
        return HandTold(
            id=past.id,
            table=past.table,
            number=past.hand.number,
            game=past.hand.game,
            title=rules.title or rules.name,
            when=in_utc(past.finished),
            seat=self._seat,
            cards=cards_told(seen.own),
            board=cards_told(seen.board),
            won=next((seat.payoff for seat in past.hand.seats if seat.seat == self._seat), 0),
            pot=sum(seen.won),
            big_blind=rules.big_blind,
            players=list(past.names),
            text=str(past.hand.result["text"]),
        )

    def replay(self) -> HandReplay:
        """The hand with all its steps."""
        stacks = dict(zip(self._ended.dealt, self._hand.starting_stacks, strict=True))
        return HandReplay(
            hand=self.summary(),
            seats=[
                PlayerTold(seat=seat.seat, name=seat.name, agent=seat.agent, stack=stacks[seat.seat])
                for seat in self._past.hand.seats
            ],
            button=self._ended.button,
            blinds=list(self._hand.rules.blinds),
            steps=list(self._steps()),
            all_cards=self._may_see_all,
        )

    def _steps(self) -> Iterator[Step]:
        saved = self._past.hand.saved
        state = _only_dealt(TableState.restored({**saved, "moves": []}))
        dealer = Dealer(state, Scene(), fair_deal)
        book = OddsBook(self._knows)
        events = dealer.begun()
        for move, amount, cards in saved["moves"]:
            action = Action(Move(move), amount, tuple(cards))
            seat, shown, odds = state.turn, self._state(dealer), _odds(state, book)
            after = dealer.move(partial(_act, state, action))
            words, move_text = dealer.scene.last[seat], after[0]["action"]
            decision = DecisionTold.model_validate({"seat": seat, "action": move_text, "words": words, **odds})
            yield _step(shown, events, decision)
            events = after
        yield _step(self._state(dealer), events, None)

    def _state(self, dealer: Dealer) -> StepState:
        values = viewer_state(dealer.state, self._seat, dealer.scene, connected={}, face_up=self._knows.seats)
        return StepState.model_validate({name: values[name] for name in StepState.model_fields})


def _restored(past: FinishedHand) -> TableState:
    """The table at the end of a hand; what is kept of it may be damaged, and still be JSON."""
    try:
        state = TableState.restored(past.hand.saved)
        if state.hand is not None and state.hand.over and "text" in past.hand.result:
            return state
    except (FeltError, LookupError, TypeError, ValueError, AttributeError, AssertionError):
        pass
    raise DamagedError(f"hand {past.id} is damaged in the database and cannot be shown: put back a backup")


def _act(state: TableState, action: Action) -> Action:
    state.act(state.turn, action, hand=state.hands, step=state.step)
    return action


def _odds(state: TableState, book: OddsBook) -> dict[str, Any]:
    assert state.hand is not None
    return book.to_dict(state.hand)


def _step(shown: StepState, events: list[Event], decision: DecisionTold | None) -> Step:
    return Step.model_validate({"state": shown, "event": events[0], "also": events[1:], "decision": decision})


def _only_dealt(state: TableState) -> TableState:
    """The table without those who only sat there, and without who was about to leave."""
    state.seats = [
        replace(who, away=False, leaving=False) if who is not None and seat in state.dealt else None
        for seat, who in enumerate(state.seats)
    ]
    return state


def in_utc(when: datetime) -> str:
    """A time of the database for everybody.

    >>> in_utc(datetime(2026, 11, 15, 19, 48, 48, 5))
    '2026-11-15T19:48:48Z'
    """
    return when.replace(microsecond=0).isoformat() + "Z"
