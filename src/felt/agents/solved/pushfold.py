"""Push/fold: heads-up no-limit hold'em, all in or out before the flop, by the equilibrium for the stacks at hand."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from felt.agents.api import CALL, FOLD, Agent, Explanation
from felt.agents.tables import Moves, OneTable, Tables
from felt.cards.combos import CLASS_COUNT, CLASS_NAMES, class_index
from felt.games.actions import Action
from felt.games.engine.fields import MAY_FOLD, MOST_RAISE, TO_CALL
from felt.games.moves import EventKind, Move
from felt.games.rules import GameRules, Structure
from felt.games.views.view import View
from felt.odds.state.from_view import is_holdem
from felt.solvers.pushfold.game import PushFold
from felt.solvers.pushfold.headsup import Solution, solve

Floats = NDArray[np.float64]
_MOVES = (EventKind.CALL, EventKind.RAISE)


class PushFoldAgent(Agent):
    """Heads-up, all in or fold before the flop, as the push/fold equilibrium for the stacks says.

    On the small blind it shoves by the equilibrium's frequencies, else folds. On the big blind it goes all in (calls,
    or raises whoever put in less) as often as the equilibrium calls a shove, whatever the small blind did; else it
    checks, or folds to a raise. From a flop that it sees after such a check on, it checks and folds.
    """

    remembers = False

    def plays(self, rules: GameRules, players: int) -> str | None:
        """Heads-up no-limit hold'em with two blinds."""
        first = rules.rounds[0].betting
        if players != 2:
            return "push/fold is for two players"
        if not is_holdem(rules) or first is None or first.structure != Structure.NO_LIMIT or rules.cap:
            return "push/fold is for no-limit hold'em"
        if len(rules.blinds) < 2 or rules.blinds[0] > rules.blinds[1] or not rules.heads_up_button_blind:
            return "push/fold needs a small blind on the button and a big blind"
        return None

    def act(self, view: View) -> Action:
        """All in or out."""
        moves, amounts = self.act_batch(OneTable(view, self.dice))
        return Action(Move(int(moves[0])), int(amounts[0]))

    def probabilities(self, view: View) -> Mapping[Action, float]:
        """How often it goes all in here."""
        legal, often = view.legal, float(all_in_chances(OneTable(view, self.dice))[0])
        assert legal is not None
        most = legal.raise_to[1] if legal.raise_to else 0
        out = CALL if legal.call == 0 or not legal.fold else FOLD
        chances = {out: 1 - often}
        chances[Action(Move.RAISE, most) if most else CALL] = often + (1 - often) * (out == CALL and not most)
        return chances

    def explain(self, view: View) -> Explanation | None:
        """The equilibrium's frequency for the hand, at these stacks."""
        if view.legal is None:
            return None
        if view.board:
            return Explanation("It plays before the flop only: from the flop on it checks and folds.")
        table = OneTable(view, self.dice)
        often = float(all_in_chances(table)[0])
        small = table.behind[0] == 0
        hand = CLASS_NAMES[class_index(*view.own)]
        depth = min(stack + put for stack, put in zip(view.stacks, view.put, strict=True)) / view.rules.big_blind
        if small and any(event.kind in _MOVES for event in view.history):
            return Explanation(
                f"The push/fold equilibrium has no such spot: it goes all in as often as it shoves {hand}."
            )
        place, move = ("small blind", "shoves") if small else ("big blind", "calls a shove with")
        words = f"In the equilibrium for {depth:.3g} big blinds the {place} {move} {hand} {often:.0%} of the time."
        return Explanation(words, {"stack_bb": depth, "all_in": often})

    def values(self, view: View) -> Mapping[Action, float] | None:
        """What a shove or the call of one wins over folding, if both play the equilibrium; None in other spots."""
        legal, table = view.legal, OneTable(view, self.dice)
        if legal is None or not legal.fold or view.board:
            return None
        button = view.seat if table.behind[0] == 0 else 1 - view.seat
        began = [stack + put for stack, put in zip(view.stacks, view.put, strict=True)]
        rules = view.rules
        solution = _solved(rules.blinds[:2], rules.ante, rules.big_blind_ante, began[button], began[1 - button])
        if solution is None:
            return None
        own, evs = class_index(*view.own), solution.evs
        if button == view.seat and legal.raise_to and not any(event.kind in _MOVES for event in view.history):
            return {Action(Move.RAISE, legal.raise_to[1]): (evs.shove[own] - evs.sb_fold) * rules.big_blind, FOLD: 0.0}
        if button != view.seat and not legal.raise_to:
            return {CALL: (evs.call[own] - evs.bb_fold) * rules.big_blind, FOLD: 0.0}
        return None

    def act_batch(self, tables: Tables) -> Moves:
        """As `act`, at every table."""
        legal = tables.legal
        all_in = tables.random() < all_in_chances(tables)
        most = legal[:, MOST_RAISE]
        out = np.where((legal[:, TO_CALL] == 0) | (legal[:, MAY_FOLD] == 0), int(Move.CALL), int(Move.FOLD))
        moves = np.where(all_in, np.where(most > 0, int(Move.RAISE), int(Move.CALL)), out)
        return moves, np.where(moves == int(Move.RAISE), most, 0)


def all_in_chances(tables: Tables) -> Floats:
    """How often the player goes all in at each table: not at all once there is a flop."""
    often = np.zeros(len(tables))
    rows = np.flatnonzero(tables.board_count == 0)
    if not len(rows):
        return often
    rules, seat = tables.rules, tables.seat[rows]
    began = tables.stacks[rows] + tables.put[rows]
    small = tables.behind[rows] == 0
    button = np.where(small, seat, 1 - seat)
    stacks = np.take_along_axis(began, np.stack([button, 1 - button], axis=1), axis=1)
    classes = _classes()[tables.own[rows, 0], tables.own[rows, 1]]
    kinds, kind_of_row = np.unique(stacks, axis=0, return_inverse=True)
    for kind, (first, second) in enumerate(kinds.tolist()):
        here = kind_of_row.reshape(-1) == kind
        solution = _solved(rules.blinds[:2], rules.ante, rules.big_blind_ante, first, second)
        shove, call = (solution.shove, solution.call) if solution else (np.ones(CLASS_COUNT),) * 2
        often[rows[here]] = np.where(small[here], shove[classes[here]], call[classes[here]])
    return often


@lru_cache(maxsize=4096)
def _solved(blinds: tuple[int, int], ante: int, big_blind_ante: int, small: int, big: int) -> Solution | None:
    """The equilibrium for stacks as they were before the deal, less dead antes; None where there is nothing to decide.

    Chips are whole, so a match meets few sorts of stacks, and each is solved once.
    """
    if big_blind_ante:  # dead, and not among what the players have put in
        small, big = small + ante, big + ante + big_blind_ante
    if small <= ante or big <= ante + big_blind_ante:
        return None
    return solve(
        PushFold(
            stacks=(small, big), small_blind=blinds[0], big_blind=blinds[1], ante=ante, big_blind_ante=big_blind_ante
        )
    )


@lru_cache(maxsize=1)
def _classes() -> NDArray[np.int64]:
    """The class of every two cards."""
    return np.array([[class_index(a, b) if a != b else 0 for b in range(52)] for a in range(52)])
