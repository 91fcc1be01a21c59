"""A game at one table, hand after hand: what both kinds of environments are made of."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from felt.agents.dice import Dice
from felt.cards.card import format_cards
from felt.errors import FeltError
from felt.features.menu import CALL, Mask, Menu, Raises
from felt.features.observation import Floats, History, Layout
from felt.games.actions import Action, Legal
from felt.games.catalogue import load_for
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.games.views.view import View


class Playing:
    """One game with everybody's stack, the menu of moves, and the hand that is being played.

    Hand `number` of a seed has the cards of ``Hand.new(rules, stack, seed, players=…, number=number)``; who has the
    button is drawn from the same seed.
    """

    def __init__(
        self,
        game: str | GameRules,
        players: int | None = None,
        stack: int | None = None,
        sizes: Sequence[float] | None = None,
    ) -> None:
        self.rules = load_for(game, players) if isinstance(game, str) else game
        self.hand = Hand.new(self.rules, stack, players=players)
        self.players, self.stacks = self.hand.players, self.hand.starting_stacks
        if self.hand.over:
            raise FeltError(f"stack={stack}: with so few chips nobody at {self.rules.name} has anything to decide")
        self.menu = Menu(self.rules, sizes)
        self.layout = Layout(self.rules, self.players, sum(self.stacks))
        self.history = History(self.rules, self.players)
        self.seed, self.number = 0, -1
        self._dice = Dice(0, self.players)
        self._now: tuple[Legal, Raises] | None = None

    def action_space(self) -> spaces.Discrete:
        """The numbers of the menu."""
        return spaces.Discrete(self.menu.size)

    def observation_space(self) -> Any:
        """What a seat may see."""
        return spaces.Box(np.zeros_like(self.layout.most), self.layout.most.copy(), dtype=np.float32)

    def begin(self, seed: int) -> None:
        """Deal the hands of this seed from now on."""
        self.seed, self.number = seed, -1
        self._dice = Dice(seed, self.players)  # the players' own are numbers 0 to players - 1

    def deal(self, options: Mapping[str, Any] | None = None) -> None:
        """Deal the next hand. `options` may fix its ``button`` and its ``deck``; others are not looked at."""
        self.number += 1
        self._dice.begin(self.number)
        fixed = {name: value for name, value in (options or {}).items() if name in ("button", "deck")}
        if fixed.get("button") is None:
            fixed["button"] = self._dice.bits() * self.players >> 64
        self.hand = Hand.new(self.rules, self.stacks, self.seed, number=self.number, **fixed)
        self.history = History(self.rules, self.players)
        self._now = None

    def act(self, action: Action) -> None:
        """Make a move of the player to act."""
        hand, street = self.hand, self.hand.street
        hand.act(action)
        self._now = None
        self.history.note(street, hand.last_move)

    def chosen(self, number: object) -> Action:
        """The move that a number stands for now."""
        hand, (legal, raises) = self.hand, self._allowed()
        return self.menu.action(number, legal, raises, hand.choosable() if legal.exchange else ())

    def mask(self) -> Mask:
        """What the player to act may do. When the hand is over: only 1, which then does nothing."""
        hand = self.hand
        if hand.over:
            mask = self.menu.none()
            mask[CALL] = 1
            return mask
        legal, raises = self._allowed()
        return self.menu.mask(legal, raises, len(hand.choosable()) if legal.exchange else 0)

    def observe(self, seat: int) -> Floats:
        """What a seat sees."""
        hand = self.hand
        legal = self._allowed()[0] if hand.turn == seat else None
        return self.layout.observe_in(hand, seat, legal, self.history)

    def _allowed(self) -> tuple[Legal, Raises]:
        """What may be done, and the raises of the menu, worked out once for each state."""
        if self._now is None:
            legal = self.hand.legal()
            self._now = legal, self.menu.raises(legal, self.hand)
        return self._now

    def payoffs(self) -> tuple[float, ...]:
        """What everybody has won or lost, in big blinds."""
        unit = self.rules.big_blind
        return tuple(chips / unit for chips in self.hand.payoffs)


def table_text(view: View) -> str:
    """The table through the eyes of a seat.

    >>> from felt.games import Hand, load
    >>> print(table_text(Hand.new(load("nlhe"), [200, 200], seed=1).view(1)))
    No-limit Texas hold'em, preflop, pot 3
      player 0        stack 198   bet 2     2 cards down
    > player 1 (you)  stack 199   bet 1     4hKh
    fold, call 1, raise to 4–200
    """
    board = f", board {format_cards(view.board)}" if view.board else ""
    lines = [f"{view.rules.title or view.game}, {view.round}, pot {view.pot}{board}"]
    for seat in view.seats:
        known = format_cards(seat.cards)
        hidden = seat.down if seat.seat != view.seat and seat.seat not in view.shown else 0
        cards = " ".join(part for part in (known, f"{hidden} cards down" if hidden else "") if part)
        lines.append(
            f"{'>' if seat.seat == view.turn else ' '} player {seat.seat} {'(you)' if seat.seat == view.seat else '':5}"
            f"  stack {seat.stack:<5} bet {seat.bet:<5} {'folded' if seat.folded else cards}"
            f"{f'  won {seat.won}' if seat.won else ''}"
        )
    if view.legal:
        lines.append(str(view.legal))
    return "\n".join(lines)
