"""What a hand came to: as its source says, or as the engine finds it, and whether the two agree."""

from collections.abc import Sequence
from typing import NamedTuple

from felt.errors import FeltError
from felt.games.history import HandRecord
from felt.interop.acpc.log import scores_of
from felt.interop.amounts import in_money
from felt.interop.histories import Histories, HistoryError
from felt.interop.playing import Played, play


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
        played = play(record)
        if played.turn >= 0:
            raise HistoryError(f"hand {record.hand_id or '(without number)'} breaks off: seat {played.turn} has to act")
        finishing = played.stacks
    return tuple(after - before for after, before in zip(finishing, record.stacks, strict=True))


def check(record: HandRecord) -> Outcome:
    """Play a hand through the engine and compare where it ends with its finishing stacks.

    The engine pays out whole pots. Where the source says what the house took, that must be missing from the winners'
    stacks, and nothing else may be. A hand without finishing stacks is right if it can be played to its end.
    """
    try:
        played = play(record)
    except FeltError as error:
        return Outcome(str(error))
    if played.turn >= 0:
        return Outcome(f"the hand breaks off: seat {played.turn} has to act")
    payoffs = tuple(after - before for after, before in zip(played.stacks, record.stacks, strict=True))
    return Outcome(_difference(record, played), payoffs)


def _difference(record: HandRecord, played: Played) -> str:
    if record.finishing is None:
        return ""
    over = [made - recorded for made, recorded in zip(played.stacks, record.finishing, strict=True)]
    winners_pay = all(chips >= 0 and (not chips or won) for chips, won in zip(over, played.won, strict=True))
    if winners_pay and sum(over) == record.rake:
        return ""
    made, recorded = (
        ", ".join(in_money(c, record.unit) for c in stacks) for stacks in (played.stacks, record.finishing)
    )
    rake = f" after a rake of {in_money(record.rake, record.unit)}" if record.rake else ""
    return f"the engine ends with stacks of {made}, the record with {recorded}{rake}"


def check_scores(histories: Histories, payoffs: Sequence[Sequence[int]]) -> str:
    """Whether these payoffs of all hands of a source come to the scores that it ends with; empty if they do."""
    made = scores_of(zip(histories.hands, payoffs, strict=True))
    if made == dict(histories.scores):
        return ""
    score, come = (
        ", ".join(f"{name} {float(won):g}" for name, won in side.items()) for side in (histories.scores, made)
    )
    return f"the hands come to {come}, the score is {score}"
