"""The betting of a game without its cards: who may do what after which moves."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from felt.errors import FeltError
from felt.games import fields as f
from felt.games.actions import Action
from felt.games.hand import Hand
from felt.games.record import Move
from felt.games.tree import SIZES, Sizes, actions
from felt.solvers.memory import MEMORY, PLACE, check_memory
from felt.solvers.tree import CHANCE, TERMINAL

LIMIT = 5_000_000
"""States of the betting that are looked at before a game is called too large."""


@dataclass(slots=True)
class Spot:
    """A place in the betting."""

    player: int
    """Who acts, `CHANCE` where cards fall, `TERMINAL` where the hand is over."""
    street: int
    """The round whose cards have been dealt."""
    text: str
    """The moves so far, as `felt.games.keys.information` writes them; ``[1]`` where the board of round 1 falls."""
    hand: Hand | None
    """Where the hand is over, with some cards or other."""
    actions: tuple[Action, ...] = ()
    children: list[int] = field(default_factory=list)


def betting_tree(
    hand: Hand, *, sizes: Sizes = SIZES, limit: int = LIMIT, dealt: int | None = None, memory: float = MEMORY
) -> list[Spot]:
    """All that may be bet from a state on, level by level.

    Games whose cards are dealt face down first and to the board later: the betting is the same for all cards. `dealt`
    is the round whose cards lie before anything else happens, if not that of the hand: where antes leave nobody a
    choice, the hand has all its cards at once, and those of later rounds fall at places of their own. Betting that
    would take more than `memory` bytes is refused.
    """
    spots, at = list[Spot](), 0
    _add(spots, hand.street if dealt is None else dealt, "", hand.copy())
    while at < len(spots):
        spot = spots[at]
        at += 1
        if spot.hand is None or spot.player == TERMINAL:  # where cards fall, what comes then is in the list already
            continue
        spot.actions = tuple(actions(spot.hand, sizes=sizes))
        for action in spot.actions:
            child = spot.hand.copy()
            child.act(action)
            text = " ".join(filter(None, [spot.text, move_text(action)]))
            spot.children.append(_add(spots, spot.street, text, child))
            if len(spots) > limit:
                raise FeltError(
                    f"{hand.rules.name} has more than {limit:,} places in its betting: give smaller stacks or fewer "
                    "sizes of raises"
                )
        if len(spots) * PLACE > memory:
            check_memory(
                f"the betting of {hand.rules.name}, {len(spots):,} places so far,", len(spots) * PLACE, memory,
                "give smaller stacks, fewer sizes of raises", least=True,
            )  # fmt: skip
        spot.hand = None
    return spots


def _add(spots: list[Spot], dealt: int, text: str, hand: Hand) -> int:
    """Add a state, and before it the deals after the round that was dealt; the number of the first of them."""
    first = len(spots)
    last = hand.street if not hand.over else dealt_street(hand)
    for street in range(dealt, last):
        spots.append(Spot(CHANCE, street, text, None, children=[len(spots) + 1]))
        if hand.rules.rounds[street + 1].board:
            text = f"{text} [{street + 1}]".lstrip()
    spots.append(Spot(TERMINAL if hand.over else hand.turn, last, text, hand))
    return first


def dealt_street(hand: Hand) -> int:
    """The last round whose cards lie."""
    lying, total = int(hand.arrays[0][f.BOARD_COUNT]), 0
    found = 0
    for street, part in enumerate(hand.rules.rounds):
        total += part.board
        if total <= lying and street <= hand.street:
            found = street
    return found


def move_text(action: Action) -> str:
    """A move as information sets have it."""
    return {Move.FOLD: "f", Move.CALL: "c"}.get(action.move, f"r{action.amount}")


def counts_by_street(spots: Iterable[Spot], streets: int) -> list[int]:
    """How many places there are after the deal of each round."""
    found = [0] * streets
    for spot in spots:
        found[spot.street] += 1
    return found
