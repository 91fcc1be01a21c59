"""Who deals: plays the hands of a table and tells what happens, as events with words."""

from collections.abc import Callable, Sequence
from typing import Any

from felt.cards.card import format_cards
from felt.cards.deck import Deck
from felt.games import Action, Move
from felt.games.fair import FairDeal
from felt.server.live_state import Scene
from felt.server.live_table import LiveTable
from felt.server.table_settings import TableError
from felt.server.table_words import move_words, result_text, showdown_lines
from felt.server.totals import counts_of
from felt.store.db import KeptAction, KeptHand, KeptSeat
from felt.store.erase import replace_name

Event = dict[str, Any]
Shuffle = Callable[[Deck], FairDeal]
MOST_LOG = 80


class Dealer:
    """A table, and what everybody may know of what happens there."""

    def __init__(self, table: LiveTable, scene: Scene, shuffle: Shuffle) -> None:
        self.table, self.scene = table, scene
        self._shuffle = shuffle

    def begin(self) -> list[Event]:
        """Deal the next hand."""
        table = self.table
        rises = table.rises
        table.begin(self._shuffle(table.rules.deck))
        self.scene = Scene()
        told = self.begun()
        if rises:
            blinds = "/".join(map(str, table.rules.blinds)) or str(table.rules.ante)
            told.insert(0, self.event("level", f"The stakes rise to {blinds}"))
        return told

    def begun(self) -> list[Event]:
        """What a hand that has just been dealt begins with."""
        who = self.table.seats[self.table.button]
        deal = self.event("deal", f"Hand {self.table.hands}: {who.name if who else 'nobody'} has the button")
        return [deal, *self._dealt_since(0), *self._end_of_hand()]

    def move(self, make: Callable[[], Action]) -> list[Event]:
        """Have somebody act, and tell of it and of what follows."""
        hand, seat = self.table.hand, self.table.turn
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
        table = self.table
        table.finish()
        events = []
        for seat, who in enumerate(table.seats):
            if who is None:
                continue
            if who.agent is not None and not who.stack and not table.settings.tournament:
                table.rebuy(seat)
                events.append(self.seat_event(seat, f"buys {table.settings.buy_in} chips"))
            elif seat in away and not who.away:
                table.sit_out(seat)
                events.append(self.seat_event(seat, "sits out"))
        if table.winner is not None:
            events.append(self.seat_event(table.winner, "wins the tournament", kind="winner"))
        return events or [self.event("seat", "")]

    def rename(self, seat: int, name: str) -> list[Event]:
        """Call somebody otherwise, also in what was told of this hand."""
        names = [who.name for who in self.table.seats if who]
        old = self.table.occupant(seat).name
        self.table.rename(seat, name)
        self.scene.log = [replace_name(line, names, old, name) for line in self.scene.log]
        if self.scene.result is not None:
            text = replace_name(self.scene.result["text"], names, old, name)
            self.scene.result = {**self.scene.result, "text": text}
        return [self.event("seat", "")]

    def ended(self, saved: dict[str, Any], people: Sequence[str | None]) -> KeptHand | None:
        """The hand for the store, if it is over; `saved` is the table, `people` whose the seats are."""
        table = self.table
        if table.hand is None or not table.hand.over or table.deal is None or self.scene.result is None:
            return None
        names, payoffs = self.dealt_names(), table.hand.payoffs
        did = counts_of(table.hand)
        seats = [
            KeptSeat(
                seat, people[seat], names[i], who.agent if (who := table.seats[seat]) else None, payoffs[i], did[i]
            )
            for i, seat in enumerate(table.dealt)
        ]
        game, deal = table.settings.game, {"commitment": table.deal.commitment}
        actions = [
            KeptAction(seat, street, made.move.name.lower(), made.amount, format_cards(made.cards))
            for seat, street, made in table.moves
        ]
        only_dealt = [who if seat in table.dealt else None for seat, who in enumerate(saved["seats"])]
        return KeptHand(table.hands, game, {**saved, "seats": only_dealt}, self.scene.result, deal, seats, actions)

    def event(self, kind: str, text: str) -> Event:
        """Something that happens, which the log tells too unless it is about who sits where."""
        if text and kind != "seat":
            self.scene.log = [*self.scene.log, text][-MOST_LOG:]
        return {"kind": kind, "seat": -1, "text": text}

    def seat_event(self, seat: int, words: str, *, kind: str = "seat") -> Event:
        """Something that somebody does."""
        who = self.table.seats[seat]
        return {**self.event(kind, f"{who.name if who else 'somebody'} {words}"), "seat": seat}

    def _dealt_since(self, before: int) -> list[Event]:
        """What has come to the board, street by street."""
        hand = self.table.hand
        assert hand is not None
        events, at = [], 0
        for part in hand.rules.rounds:
            new = hand.board[at : at + part.board]
            if new and at >= before:
                told = format_cards(new)
                events.append({**self.event("board", f"{part.name}: {told}"), "cards": told})
            at += part.board
        return events

    def _end_of_hand(self) -> list[Event]:
        table = self.table
        if table.hand is None or not table.hand.over:
            return []
        seen, names = table.view(-1), self.dealt_names()
        shown = [
            (table.dealt[seat], format_cards(cards)) for seat, cards in zip(seen.shown, seen.shown_cards, strict=True)
        ]
        shown += [(table.dealt[seat], "") for seat in seen.mucked]
        events = []
        for (seat, cards), line in zip(shown, showdown_lines(seen, names), strict=True):
            event = {**self.event("showdown", line), "seat": seat}
            events.append({**event, "cards": cards} if cards else event)
        payoffs = [0] * table.settings.seats
        for seat, change in zip(table.dealt, seen.payoffs or (), strict=True):
            payoffs[seat] = change
        text = result_text(seen, names)
        self.scene.result = {"text": text, "payoffs": payoffs}
        return [*events, self.event("result", text)]

    def dealt_names(self) -> list[str]:
        """The names of those in the hand, by its own seats."""
        return [who.name if (who := self.table.seats[seat]) else "" for seat in self.table.dealt]
