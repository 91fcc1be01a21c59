"""Who deals: plays the hands of a table and tells what happens, as events with words."""

from collections.abc import Callable, Sequence
from typing import Any

from felt.cards.card import format_cards
from felt.cards.deck import Deck
from felt.games import Action, Move
from felt.games.fair import FairDeal
from felt.server.study.totals import counts_of
from felt.server.tables.settings import TableError
from felt.server.tables.state import TableState
from felt.server.tables.viewer_state import Scene, move_words, result_text, showdown_lines
from felt.store.accounts.erase import replace_name
from felt.store.database.db import StoredAction, StoredHand, StoredSeat

Event = dict[str, Any]
Shuffle = Callable[[Deck], FairDeal]
MOST_LOG = 80


class Dealer:
    """A table, and what everybody may know of what happens there."""

    def __init__(self, state: TableState, scene: Scene, shuffle: Shuffle) -> None:
        self.state, self.scene = state, scene
        self._shuffle = shuffle

    def begin(self) -> list[Event]:
        """Deal the next hand."""
        state = self.state
        rises = state.rises
        state.begin(self._shuffle(state.rules.deck))
        self.scene = Scene()
        events = self.begun()
        if rises:
            blinds = "/".join(map(str, state.rules.blinds)) or str(state.rules.ante)
            events.insert(0, self.event("level", f"The stakes rise to {blinds}"))
        return events

    def begun(self) -> list[Event]:
        """What a hand that has just been dealt begins with."""
        who = self.state.seats[self.state.button]
        deal = self.event("deal", f"Hand {self.state.hands}: {who.name if who else 'nobody'} has the button")
        return [deal, *self._dealt_since(0), *self._end_of_hand()]

    def move(self, make: Callable[[], Action]) -> list[Event]:
        """Have somebody act, and tell of it and of what follows."""
        hand, seat = self.state.hand, self.state.turn
        if hand is None or seat < 0:
            make()  # refuses
            raise TableError("stale", "no hand is in play; look at the table again")
        legal, opened, board, own = hand.legal(), max(hand.bets) > 0, len(hand.board), hand.turn
        action = make()
        paid = action.move == Move.RAISE or (action.move == Move.CALL and bool(legal.call))
        words = move_words(action, legal, opened=opened, all_in=paid and hand.all_in(own))
        self.scene.last[seat] = words
        event = self.seat_event(seat, words, kind="move")
        event["action"] = {"move": action.move.name.lower(), "amount": action.amount}
        return [event, *self._dealt_since(board), *self._end_of_hand()]

    def finish(self, away: Sequence[int]) -> list[Event]:
        """Clear the table after a hand; agents buy new chips, and these seats sit out."""
        state = self.state
        state.finish()
        events = []
        for seat, who in enumerate(state.seats):
            if who is None:
                continue
            if who.agent is not None and not who.stack and not state.settings.tournament:
                state.rebuy(seat)
                events.append(self.seat_event(seat, f"buys {state.settings.buy_in} chips"))
            elif seat in away and not who.away:
                state.sit_out(seat)
                events.append(self.seat_event(seat, "sits out"))
        if state.winner is not None:
            events.append(self.seat_event(state.winner, "wins the tournament", kind="winner"))
        return events or [self.event("seat", "")]

    def rename(self, seat: int, name: str) -> list[Event]:
        """Call somebody otherwise, also in what was told of this hand."""
        names = [who.name for who in self.state.seats if who]
        old = self.state.occupant(seat).name
        self.state.rename(seat, name)
        self.scene.log = [replace_name(line, names, old, name) for line in self.scene.log]
        if self.scene.result is not None:
            text = replace_name(self.scene.result["text"], names, old, name)
            self.scene.result = {**self.scene.result, "text": text}
        return [self.event("seat", "")]

    def ended(self, saved: dict[str, Any], people: Sequence[str | None]) -> StoredHand | None:
        """The hand for the store, if it is over; `saved` is the table, `people` whose the seats are."""
        state = self.state
        if state.hand is None or not state.hand.over or state.deal is None or self.scene.result is None:
            return None
        names, payoffs = self.dealt_names(), state.hand.payoffs
        did = counts_of(state.hand)
        seats = [
            StoredSeat(
                seat, people[seat], names[i], who.agent if (who := state.seats[seat]) else None, payoffs[i], did[i]
            )
            for i, seat in enumerate(state.dealt)
        ]
        game, deal = state.settings.game, {"commitment": state.deal.commitment}
        actions = [
            StoredAction(seat, street, made.move.name.lower(), made.amount, format_cards(made.cards))
            for seat, street, made in state.moves
        ]
        only_dealt = [who if seat in state.dealt else None for seat, who in enumerate(saved["seats"])]
        return StoredHand(state.hands, game, {**saved, "seats": only_dealt}, self.scene.result, deal, seats, actions)

    def event(self, kind: str, text: str) -> Event:
        """Something that happens, which the log tells too unless it is about who sits where."""
        if text and kind != "seat":
            self.scene.log = [*self.scene.log, text][-MOST_LOG:]
        return {"kind": kind, "seat": -1, "text": text}

    def seat_event(self, seat: int, words: str, *, kind: str = "seat") -> Event:
        """Something that somebody does."""
        who = self.state.seats[seat]
        return {**self.event(kind, f"{who.name if who else 'somebody'} {words}"), "seat": seat}

    def _dealt_since(self, before: int) -> list[Event]:
        """What has come to the board, street by street."""
        hand = self.state.hand
        assert hand is not None
        events, at = [], 0
        for part in hand.rules.rounds:
            new = hand.board[at : at + part.board]
            if new and at >= before:
                cards = format_cards(new)
                events.append({**self.event("board", f"{part.name}: {cards}"), "cards": cards})
            at += part.board
        return events

    def _end_of_hand(self) -> list[Event]:
        state = self.state
        if state.hand is None or not state.hand.over:
            return []
        seen, names = state.view(-1), self.dealt_names()
        shown = [
            (state.dealt[seat], format_cards(cards)) for seat, cards in zip(seen.shown, seen.shown_cards, strict=True)
        ]
        shown += [(state.dealt[seat], "") for seat in seen.mucked]
        events = []
        for (seat, cards), line in zip(shown, showdown_lines(seen, names), strict=True):
            event = {**self.event("showdown", line), "seat": seat}
            events.append({**event, "cards": cards} if cards else event)
        payoffs = [0] * state.settings.seats
        for seat, change in zip(state.dealt, seen.payoffs or (), strict=True):
            payoffs[seat] = change
        text = result_text(seen, names)
        self.scene.result = {"text": text, "payoffs": payoffs}
        return [*events, self.event("result", text)]

    def dealt_names(self) -> list[str]:
        """The names of those in the hand, by its own seats."""
        return [who.name if (who := self.state.seats[seat]) else "" for seat in self.state.dealt]
