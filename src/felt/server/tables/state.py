"""A live table: who sits where, whose turn it is, and what each of them may be told.

It is a state machine without clocks, sockets or chance: decks are handed in, time is told, and every change either
happens whole or is refused with a `TableError`. What it needs to come back after a crash is in `saved`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from felt.agents.api import check_or_fold
from felt.games import Action, GameRules, Hand, Move
from felt.games.fair import FairDeal
from felt.games.views.view import NOBODY, View
from felt.server.tables.settings import TableError, TableSettings
from felt.store.accounts.names import alike


@dataclass(frozen=True)
class Seat:
    """Somebody at the table."""

    name: str
    agent: str | None = None
    """The agent that decides; None for a person."""
    stack: int = 0
    away: bool = False
    """Sits out: is dealt no cards; in a tournament, is dealt in, posts and folds."""
    leaving: bool = False
    """Gets up when the hand is over."""
    rebuys: bool = False
    """Has lost all in the hand that is just over, and bought new chips already."""


class TableState:
    """One table. Seats are counted from 0; -1 is somebody who watches.

    >>> table = TableState(TableSettings(stack=200))
    >>> table.sit(0, "Ada"); table.sit(1, "Bo", agent="call")
    >>> from felt.games.fair import fair_deal
    >>> table.begin(fair_deal(table.rules.deck))
    >>> table.turn in (0, 1), len(table.view(0).own), table.view(-1).own
    (True, 2, ())
    """

    def __init__(self, settings: TableSettings) -> None:
        self.settings = settings
        self.seats: list[Seat | None] = [None] * settings.seats
        self.button = -1
        """The seat of the button; -1 before the first hand."""
        self.hands = 0
        """How many have begun."""
        self.hand: Hand | None = None
        self.deal: FairDeal | None = None
        self.dealt: tuple[int, ...] = ()
        """The seats in the hand, by its own numbers."""
        self.left_with: dict[int, int] = {}
        """The chips that seats were left with; whoever knows whose they were takes them out."""
        self._moves: list[tuple[int, int, Action]] = []
        """The moves of the hand so far, each with its seat and street."""

    # Who sits where

    def sit(self, seat: int, name: str, *, agent: str | None = None, stack: int | None = None) -> None:
        """Take a free seat, with new chips unless a stack is given; in a tournament only before its first hand."""
        self._check_seat(seat)
        if self.seats[seat] is not None:
            raise TableError("seat_taken", f"seat {seat} is taken: choose another")
        if any(other is not None and alike(other.name, name) for other in self.seats):
            raise TableError("name_taken", f"somebody called {name!r} sits here already: choose another name")
        if self.settings.tournament and self.hands:
            raise TableError("begun", "this tournament has begun: nobody may sit down any more")
        self.seats[seat] = Seat(name, agent, self.settings.buy_in if stack is None else stack)

    def rename(self, seat: int, name: str) -> None:
        """Call somebody otherwise."""
        self._change(seat, name=name)

    def leave(self, seat: int) -> None:
        """Get up; from a hand in play when it is over, and until then the seat folds."""
        self.occupant(seat)
        if self._in_play(seat):
            self._change(seat, leaving=True)
        else:
            self._get_up(seat)

    def sit_out(self, seat: int, *, away: bool = True) -> None:
        """Be dealt no more cards, or some again; in a tournament, let every hand go, or play again."""
        self.occupant(seat)
        self._change(seat, away=away)

    def rebuy(self, seat: int) -> None:
        """Sit down with new chips after all were lost; not in a tournament."""
        occupant = self.occupant(seat)
        if self.settings.tournament:
            raise TableError("no_rebuy", "chips cannot be bought in this tournament")
        stack = occupant.stack
        if self.hand is not None and self.hand.over and self._in_play(seat):
            stack = self.hand.stacks[self.dealt.index(seat)]
        if stack or occupant.rebuys or (self.turn >= 0 and self._in_play(seat)):
            raise TableError("no_rebuy", f"seat {seat} has chips: they can be bought when all are lost")
        if self._in_play(seat):
            self._change(seat, rebuys=True)
        else:
            self._change(seat, stack=self.settings.buy_in)

    # Hands

    @property
    def level(self) -> int:
        """How often the stakes have doubled."""
        return self.settings.level_after(self._over)

    @property
    def hands_left(self) -> int | None:
        """Hands until the stakes rise, the one in play among them; None where they do not, or no more."""
        each = self.settings.hands_per_level
        left = each - self._over % each if each else 0
        return left if self.settings.level_after(self._over + left) > self.level else None

    @property
    def rises(self) -> bool:
        """Whether the next hand is the first at higher stakes."""
        return self.hand is None and self.level > self.settings.level_after(max(self.hands - 1, 0))

    @property
    def _over(self) -> int:
        """Hands that are over."""
        return self.hands - (self.hand is not None)

    @property
    def rules(self) -> GameRules:
        """The game at the stakes of this hand, or of the next."""
        return self.hand.rules if self.hand is not None else self.settings.rules(self.level)

    @property
    def ready(self) -> bool:
        """Whether a hand can begin; while everybody is away, none does."""
        willing = self._willing()
        there = any(not self.occupant(seat).away for seat in willing)
        return self.hand is None and there and len(willing) >= self.settings.rules(0).min_players

    @property
    def winner(self) -> int | None:
        """The seat that has won a tournament."""
        left = [seat for seat, who in enumerate(self.seats) if who is not None and who.stack]
        return left[0] if self.settings.tournament and self.hands and self.hand is None and len(left) == 1 else None

    def begin(self, deal: FairDeal) -> None:
        """Move the button, post and deal."""
        if not self.ready:
            raise TableError("not_ready", "no hand can begin: one is in play, or too few have chips")
        rules, willing = self.rules, self._willing()
        self.button = next((seat for seat in willing if seat > self.button), willing[0])
        self.dealt, self.deal = tuple(willing), deal
        self._play(rules, [self.occupant(seat).stack for seat in willing], ())
        self.hands += 1

    @property
    def turn(self) -> int:
        """The seat to act; -1 while nobody is."""
        return -1 if self.hand is None or self.hand.over else self.dealt[self.hand.turn]

    @property
    def step(self) -> int:
        """Moves in this hand; a move is refused that was meant for another step."""
        return len(self._moves)

    def act(self, seat: int, action: Action, *, hand: int, step: int) -> None:
        """Make a move, which is meant for one hand and step: a message that comes twice acts once."""
        if self.hand is None or self.hand.over or hand != self.hands or step != self.step:
            raise TableError("stale", f"this move was for step {step} of hand {hand}; look at the table again")
        if seat != self.turn:
            raise TableError("not_your_turn", f"it is the turn of seat {self.turn}, not of seat {seat}")
        self._move(self.hand, action)

    def expire(self) -> Action:
        """The time of who has to act is over: check, or fold, or keep all cards, or give away the first ones."""
        if self.hand is None or self.turn < 0:
            raise TableError("nobody", "nobody has to act")
        action = check_or_fold(self.view(self.turn))
        self.act(self.turn, action, hand=self.hands, step=self.step)
        return action

    def finish(self) -> tuple[int, ...]:
        """Clear the table after a hand; who has lost all of a tournament, or leaves, gets up. Chips won, by seat."""
        if self.hand is None or not self.hand.over:
            raise TableError("in_play", "no hand is over")
        won = [0] * self.settings.seats
        for seat, stack, change in zip(self.dealt, self.hand.stacks, self.hand.payoffs, strict=True):
            won[seat] = change
            bought = self.settings.buy_in if self.occupant(seat).rebuys else 0
            self._change(seat, stack=stack + bought, rebuys=False)
            if self.occupant(seat).leaving:
                self._get_up(seat)
        self.hand = self.deal = None
        self.dealt, self._moves = (), []
        return tuple(won)

    # What is told and kept

    def as_dealt(self) -> Hand:
        """The hand in play as it was before the first move."""
        if self.hand is None or self.deal is None:
            raise TableError("no_hand", "no hand is in play")
        button = self.dealt.index(self.button)
        return Hand.new(self.hand.rules, self.hand.starting_stacks, deck=self.deal.deck, button=button)

    @property
    def moves(self) -> list[tuple[int, int, Action]]:
        """The moves of the hand so far, each with its seat and street."""
        return list(self._moves)

    def view(self, seat: int) -> View:
        """The hand as a seat may see it; who is not in it sees what everybody sees."""
        if self.hand is None:
            raise TableError("no_hand", "no hand is in play")
        return self.hand.view(self.dealt.index(seat) if seat in self.dealt else NOBODY)

    def saved(self) -> dict[str, Any]:
        """All that the table is, as plain values."""
        stacks = list(self.hand.starting_stacks) if self.hand is not None else []
        return {
            "settings": {**vars(self.settings), "parameters": [list(pair) for pair in self.settings.parameters]},
            "seats": [None if seat is None else dict(vars(seat)) for seat in self.seats],
            "button": self.button,
            "hands": self.hands,
            "dealt": list(self.dealt),
            "deal": None if self.deal is None else {"deck": list(self.deal.deck), "salt": self.deal.salt},
            "stacks": stacks,
            "moves": [[int(action.move), action.amount, list(action.cards)] for *_, action in self._moves],
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> "TableState":
        """The table that `saved` told of, in the same state."""
        table = cls(TableSettings.restored(state["settings"]))
        table.seats = [None if seat is None else Seat(**seat) for seat in state["seats"]]
        table.button, table.hands = state["button"], state["hands"]
        if state["deal"] is not None:
            rules = table.settings.rules(table.settings.level_after(table.hands - 1))
            table.deal = FairDeal(tuple(state["deal"]["deck"]), state["deal"]["salt"])
            table.dealt = tuple(state["dealt"])
            moves = (Action(Move(move), amount, tuple(cards)) for move, amount, cards in state["moves"])
            table._play(rules, state["stacks"], moves)
        return table

    def _play(self, rules: GameRules, stacks: list[int], moves: Iterable[Action]) -> None:
        assert self.deal is not None
        hand = Hand.new(rules, stacks, deck=self.deal.deck, button=self.dealt.index(self.button))
        self._moves, self.hand = [], hand
        for action in moves:
            self._move(hand, action)

    def _move(self, hand: Hand, action: Action) -> None:
        place = self.dealt[hand.turn], hand.street
        hand.act(action)
        self._moves.append((*place, action))

    def _willing(self) -> list[int]:
        """Who is dealt in. In a tournament nobody can keep their chips by staying away."""
        in_any_case = self.settings.tournament
        return [
            s for s, who in enumerate(self.seats) if who is not None and who.stack and (in_any_case or not who.away)
        ]

    def _get_up(self, seat: int) -> None:
        self.left_with[seat] = self.occupant(seat).stack
        self.seats[seat] = None

    def _in_play(self, seat: int) -> bool:
        return self.hand is not None and seat in self.dealt

    def _change(self, seat: int, **values: Any) -> None:
        self.seats[seat] = replace(self.occupant(seat), **values)

    def occupant(self, seat: int) -> Seat:
        """Who sits in a seat."""
        self._check_seat(seat)
        occupant = self.seats[seat]
        if occupant is None:
            raise TableError("empty_seat", f"nobody sits in seat {seat}")
        return occupant

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.settings.seats:
            raise TableError("no_seat", f"there is no seat {seat}: they are 0 to {self.settings.seats - 1}")
