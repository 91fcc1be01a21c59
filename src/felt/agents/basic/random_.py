"""Random: any kind of move with the same chance, then any size.

It never folds where a check is free, like the random agent of Teófilo (2016, 4.2.3.8).
"""

import numpy as np

from felt.agents.api import CALL, FOLD, Agent, Explanation
from felt.agents.tables import Moves, Tables
from felt.games.actions import Action
from felt.games.engine.fields import LEAST_CARDS, LEAST_RAISE, MAY_FOLD, MOST_CARDS, MOST_RAISE, TO_CALL
from felt.games.moves import EXCHANGE, RAISE, Move
from felt.games.views.view import View

_CHOICE_BITS = 32
_LOW = 0xFFFFFFFF


class Random(Agent):
    """Any kind of move with the same chance, then any amount; checks where that is free."""

    remembers = False

    def act(self, view: View) -> Action:
        """One draw decides: its low half the kind of move, its high half the amount."""
        legal, bits = view.legal, self.dice.bits()
        assert legal is not None
        if legal.exchange:
            return Action(Move.EXCHANGE, cards=_some(view.choosable(), legal.exchange[1], legal.exchange[2], bits))
        kinds = [FOLD] if legal.fold and legal.call else []
        kinds.append(CALL)
        choice = (bits & _LOW) * (len(kinds) + (legal.raise_to is not None)) >> _CHOICE_BITS
        if choice < len(kinds):
            return kinds[choice]
        assert legal.raise_to is not None
        least, most = legal.raise_to
        return Action(Move.RAISE, least + ((bits >> _CHOICE_BITS) * (most - least + 1) >> _CHOICE_BITS))

    def probabilities(self, view: View) -> dict[Action, float] | None:
        """Every move and amount; of exchanges it does not say."""
        legal = view.legal
        if legal is None or legal.exchange:
            return None
        kinds = 1 + bool(legal.fold and legal.call) + (legal.raise_to is not None)
        chances = {CALL: 1 / kinds}
        if legal.fold and legal.call:
            chances[FOLD] = 1 / kinds
        if legal.raise_to:
            least, most = legal.raise_to
            chances |= {Action(Move.RAISE, total): 1 / kinds / (most - least + 1) for total in range(least, most + 1)}
        return chances

    def explain(self, view: View) -> Explanation | None:
        """How many kinds of moves there are."""
        legal = view.legal
        if legal is None:
            return None
        if legal.exchange:
            return Explanation("It exchanges any number of cards with the same chance, then any cards.")
        kinds = 1 + bool(legal.fold and legal.call) + (legal.raise_to is not None)
        words = f"It looks at nothing: {kinds} kinds of moves are legal, and each has the same chance"
        words += ", then every amount of a raise." if legal.raise_to else "."
        return Explanation(words, {"kinds": kinds})

    def act_batch(self, tables: Tables) -> Moves:
        """As `act`, at every table."""
        bits, legal = tables.bits(), tables.legal
        low, high = (bits & np.uint64(_LOW)).astype(np.int64), (bits >> np.uint64(_CHOICE_BITS)).astype(np.int64)
        may_fold = (legal[:, MAY_FOLD] == 1) & (legal[:, TO_CALL] > 0)
        may_raise = legal[:, LEAST_RAISE] > 0
        choice = (low * (1 + may_fold + may_raise) >> _CHOICE_BITS) + ~may_fold
        least, most = legal[:, LEAST_RAISE], legal[:, MOST_RAISE]
        amounts = np.where(choice == RAISE, least + (high * (most - least + 1) >> _CHOICE_BITS), 0)
        exchanges = np.flatnonzero(legal[:, LEAST_CARDS] >= 0)
        choosable = tables.choosable if len(exchanges) else tables.count
        for row in exchanges:
            places = tuple(range(int(choosable[row])))
            chosen = _some(places, int(legal[row, LEAST_CARDS]), int(legal[row, MOST_CARDS]), int(bits[row]))
            choice[row], amounts[row] = EXCHANGE, sum(1 << place for place in chosen)
        return choice, amounts


def _some(cards: tuple[int, ...], least: int, most: int, bits: int) -> tuple[int, ...]:
    """From `least` to `most` of the cards, by one draw: the number by its low half, which by the order of a shuffle."""
    count = least + ((bits & _LOW) * (most - least + 1) >> _CHOICE_BITS)
    left, rest = list(cards), bits >> _CHOICE_BITS
    chosen = []
    for _ in range(count):
        rest, place = divmod(rest, len(left))
        chosen.append(left.pop(place))
    return tuple(chosen)
