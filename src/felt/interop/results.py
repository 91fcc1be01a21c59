"""What a hand came to: as its source says, or as the engine finds it, and whether the two agree."""

from collections.abc import Sequence
from typing import NamedTuple

from felt.errors import FeltError
from felt.games.hand import Hand
from felt.games.history import HandRecord
from felt.games.replay import replay
from felt.interop.acpc_log import scores_of
from felt.interop.amounts import in_money
from felt.interop.histories import Histories, HistoryError


class Outcome(NamedTuple):
    """How the engine got on with a hand."""

    why: str
    """What is wrong; empty if nothing is."""
    payoffs: tuple[int, ...] = ()
    """Chips won or lost by seat, where the hand could be played to its end."""


def payoffs_of(record: HandRecord) -> tuple[int, ...]:
    """Chips that every seat won or lost, by the record if it says so, else by the engine."""
    finishing = record.finishing
    if finishing is None:
        hand = replay(record)
        if not hand.over:
            raise HistoryError(f"hand {record.hand_id or '(without number)'} breaks off: seat {hand.turn} has to act")
        finishing = hand.stacks
    return tuple(after - before for after, before in zip(finishing, record.stacks, strict=True))


def check(record: HandRecord) -> Outcome:
    """Play a hand through the engine and compare where it ends with its finishing stacks.

    The engine pays out whole pots. Where the source says what the house took, that must be missing from the winners'
    stacks, and nothing else may be. A hand without finishing stacks is right if it can be played to its end.
    """
    try:
        hand = replay(record)
    except FeltError as error:
        return Outcome(str(error))
    if not hand.over:
        return Outcome(f"the hand breaks off: seat {hand.turn} has to act")
    return Outcome(_difference(record, hand), hand.payoffs)


def _difference(record: HandRecord, hand: Hand) -> str:
    if record.finishing is None:
        return ""
    over = [made - told for made, told in zip(hand.stacks, record.finishing, strict=True)]
    winners_pay = all(chips >= 0 and (not chips or won) for chips, won in zip(over, hand.won, strict=True))
    if winners_pay and sum(over) == record.rake:
        return ""
    made, told = (", ".join(in_money(c, record.unit) for c in stacks) for stacks in (hand.stacks, record.finishing))
    rake = f" after a rake of {in_money(record.rake, record.unit)}" if record.rake else ""
    return f"the engine ends with stacks of {made}, the record with {told}{rake}"


def check_scores(found: Histories, payoffs: Sequence[Sequence[int]]) -> str:
    """Whether these payoffs of all hands of a source come to the scores that it ends with; empty if they do."""
    made = scores_of(zip(found.hands, payoffs, strict=True))
    if made == dict(found.scores):
        return ""
    told, come = (", ".join(f"{name} {float(won):g}" for name, won in side.items()) for side in (found.scores, made))
    return f"the hands come to {come}, the score is {told}"
