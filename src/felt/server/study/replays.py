"""A hand that is over: told again step by step to one viewer, with the odds at each decision, or as a file."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from felt.errors import FeltError, OddsError, counted
from felt.games import Action, Hand, Move
from felt.games.fair import fair_deal
from felt.games.history import HandRecord
from felt.games.moves import SHOWS
from felt.interop.histories import HistoryError, button_last
from felt.interop.phh.writer import phhs_pieces, write_phh
from felt.interop.rooms.pokerstars_writer import write_pokerstars
from felt.odds.state.at_state import Price, at_state, open_equity, price_at
from felt.odds.state.dealing import exchanges_ahead
from felt.odds.state.from_view import expected_strength, is_holdem
from felt.server.tables.dealer import Dealer, Event
from felt.server.tables.settings import TableError
from felt.server.tables.state import TableState
from felt.server.tables.viewer_state import Scene, cards_told, viewer_state
from felt.server.web.schemas.hands import DecisionTold, HandReplay, HandTold, PlayerTold, Step, StepState
from felt.store.database.engine import DamagedError
from felt.store.database.hands import FinishedHand

SAMPLES = 4000
"""Deals that an equity is estimated from where it cannot be looked up or counted: within 0.016 nearly always."""
ESTIMATED = 400  # the same while cards are still to be exchanged, which players take time to think about


class Knows(NamedTuple):
    """What the reader of a hand may know of its cards."""

    seats: frozenset[int]  # whose cards, by the seats of the hand
    everything: bool = False


def knows_of(hand: Hand, seat: int, *, everything: bool) -> Knows:
    """What one seat (-1: nobody's) knows once a hand is over.

    Of somebody who showed at the end the equities are told too, unless cards were exchanged: they held others before.
    """
    if everything:
        return Knows(frozenset(range(hand.players)), True)
    shown = () if hand.rules.has_draws else hand.view(seat).shown
    return Knows(frozenset({*shown, seat} - {-1}))


class OddsBook:
    """The odds at the decisions of one hand; what was worked out is kept, since many decisions share their cards."""

    def __init__(self, knows: Knows) -> None:
        self._knows = knows
        self._measured: dict[Any, Any] = {}

    def to_dict(self, hand: Hand) -> dict[str, Any]:
        seat, price = hand.turn, price_at(hand, hand.turn)
        equity, note = self._once(equity_told, hand)[:2] if seat in self._knows.seats else (None, None)
        return {
            "to_call": price.call,
            **shares(price),
            "equity": equity,
            "equity_note": note,
            "equity_actual": self._once(_actual, hand) if self._knows.everything else None,
        }

    def _once(self, measure: Callable[[Hand, int], Any], hand: Hand) -> Any:
        cards = tuple(map(hand.cards, range(hand.players)))
        key = measure, hand.turn, hand.street, hand.phase, hand.folded, cards, hand.board
        if key not in self._measured:
            self._measured[key] = measure(hand, hand.turn)
        return self._measured[key]


def shares(price: Price) -> dict[str, float | None]:
    """What a call costs, as shares of the pot; null when it is free."""
    if not price.price:
        return {"pot_odds": None, "needed": None}
    return {"pot_odds": _rounded(price.price / (price.pot + price.price)), "needed": _rounded(price.required)}


class EquityTold(NamedTuple):
    """An equity, against what, and how sure it is."""

    equity: float | None
    note: str | None
    interval: float | None  # half of the width of its 95 % interval; None where that is not known


def equity_told(hand: Hand, seat: int) -> EquityTold:
    """The equity of a seat by what it sees; null in games that have none."""
    others = counted(hand.players - sum(hand.folded) - 1, "random hand")
    try:
        if exchanges_ahead(hand):  # played out many times it would take seconds
            strength = expected_strength(hand.view(seat), samples=ESTIMATED)
            return EquityTold(_rounded(strength), f"estimated, against {others}", None)
        odds = at_state(hand, seat, samples=None if _by_table(hand) else SAMPLES, threads=1)
    except OddsError:
        return EquityTold(None, None, None)
    half = round(1.96 * odds.stderr, 6)
    sure = "" if odds.exact else f" (sampled, ±{half:.3f})"
    return EquityTold(_rounded(odds.equity), f"against {others}{sure}", half)


def _actual(hand: Hand, seat: int) -> float | None:
    if exchanges_ahead(hand):
        return None
    try:
        exact = _by_table(hand) or len(hand.board) >= 3
        return _rounded(open_equity(hand, seat, samples=None if exact else SAMPLES, threads=1))
    except OddsError:
        return None


def _by_table(hand: Hand) -> bool:
    """Whether the answer is there, or counted in no time: hold'em between two, but for the flop."""
    return hand.players - sum(hand.folded) == 2 and is_holdem(hand.rules) and len(hand.board) != 3


def _rounded(share: float) -> float:
    return round(min(max(share, 0.0), 1.0), 6)


class Replay:
    """One hand in the eyes of one player; None for somebody who was not there.

    `everything` opens all cards: whoever asks for it must have the right to.
    """

    def __init__(self, past: FinishedHand, player: str | None, *, everything: bool = False) -> None:
        self._past = past
        self._seat = past.seat_of(player)
        self._may_see_all = past.may_see_all(player)
        self.table = _restored(past)  # at the end of the hand
        assert self.table.hand is not None
        self.hand, dealt = self.table.hand, self.table.dealt
        self.own = dealt.index(self._seat) if self._seat in dealt else -1
        """The viewer's seat in the hand itself; -1 for a spectator."""
        named = {player.seat: player.name for player in past.hand.seats}
        self.names = tuple(named[seat] for seat in dealt)  # who was dealt in, by the seats of the hand itself
        self._knows = knows_of(self.hand, self.own, everything=everything)

    def summary(self) -> HandTold:
        """The hand in a list."""
        past, seen = self._past, self.hand.view(self.own)
        rules = self.hand.rules
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
        stacks = dict(zip(self.table.dealt, self.hand.starting_stacks, strict=True))
        return HandReplay(
            hand=self.summary(),
            seats=[
                PlayerTold(seat=seat.seat, name=seat.name, agent=seat.agent, stack=stacks[seat.seat])
                for seat in self._past.hand.seats
            ],
            button=self.table.button,
            blinds=list(self.hand.rules.blinds),
            steps=list(self._steps()),
            all_cards=self._may_see_all,
        )

    def _steps(self) -> Iterator[Step]:
        saved = self._past.hand.saved
        state = TableState.restored({**saved, "moves": []})
        state.seats = [  # without those who only sat there, and without who was about to leave
            replace(who, away=False, leaving=False) if who is not None and seat in state.dealt else None
            for seat, who in enumerate(state.seats)
        ]
        dealer = Dealer(state, Scene(), fair_deal)
        book = OddsBook(self._knows)
        events = dealer.begun()
        for move, amount, cards in saved["moves"]:
            action = Action(Move(move), amount, tuple(cards))
            assert state.hand is not None
            seat, shown, odds = state.turn, self._state(dealer), book.to_dict(state.hand)
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


def _step(shown: StepState, events: list[Event], decision: DecisionTold | None) -> Step:
    return Step.model_validate({"state": shown, "event": events[0], "also": events[1:], "decision": decision})


def in_utc(when: datetime) -> str:
    """A time of the database for everybody.

    >>> in_utc(datetime(2026, 11, 15, 19, 48, 48, 5))
    '2026-11-15T19:48:48Z'
    """
    return when.replace(microsecond=0).isoformat() + "Z"


def record_of(past: FinishedHand, replay: Replay, *, everything: bool) -> HandRecord:
    """The hand as a record; cards that the viewer did not see are unknown in it."""
    hand, table = replay.hand, replay.table
    seen = hand.view(replay.own)
    events = (*hand.events, *(event for event in seen.history if event.kind in SHOWS))
    record = replace(
        hand.record(),
        events=events if everything else seen.history,
        names=replay.names,
        hand_id=past.id,
        rake=hand.rake,
    )
    turn, when = record.button + 1, past.finished
    chairs = [seat + 1 for seat in (*table.dealt[turn:], *table.dealt[:turn])]
    meta = {
        "table": past.table,
        "seats": str(chairs),
        "seat_count": str(table.settings.seats),
        "time": f"{when:%H:%M:%S}",
        "time_zone": "UTC",
        "day": str(when.day),
        "month": str(when.month),
        "year": str(when.year),
    }
    return replace(button_last(record), meta=meta)


def as_phh(past: FinishedHand, replay: Replay, *, everything: bool) -> str:
    try:
        return write_phh(record_of(past, replay, everything=everything))
    except HistoryError as error:
        raise TableError("no_format", str(error)) from None


def as_pokerstars(past: FinishedHand, replay: Replay, *, everything: bool) -> str:
    """The hand as PokerStars text, which has numbers for hands, unique in a room, and one hero: the viewer."""
    record = replace(record_of(past, replay, everything=everything), hand_id=str(past.serial))
    hero = replay.names[replay.own] if replay.own >= 0 else ""
    try:
        return write_pokerstars([record], hero=hero)
    except HistoryError as error:
        raise TableError("no_format", str(error)) from None


def as_phhs(hands: Iterator[tuple[FinishedHand, Replay, bool]]) -> str:
    """Many hands in one file of PHH; those of games that it cannot say are left out."""
    records = []
    for past, replay, everything in hands:
        record = record_of(past, replay, everything=everything)
        try:
            write_phh(record)
        except HistoryError:
            continue
        records.append(record)
    return "".join(phhs_pieces(records))
