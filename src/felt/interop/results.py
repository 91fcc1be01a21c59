"""What a hand came to: as its source says, or as the engine finds it, and whether the two agree."""

from felt.errors import FeltError
from felt.games.history import HandRecord
from felt.interop.amounts import in_money
from felt.interop.histories import HistoryError


def payoffs_of(record: HandRecord) -> tuple[int, ...]:
    """Chips that every seat won or lost, by the record if it says so, else by the engine."""
    finishing = record.finishing
    if finishing is None:
        from felt.games.replay import replay

        hand = replay(record)
        if not hand.over:
            raise HistoryError(f"hand {record.hand_id or '(without number)'} breaks off: seat {hand.turn} has to act")
        finishing = hand.stacks
    return tuple(after - before for after, before in zip(finishing, record.stacks, strict=True))


def check(record: HandRecord) -> str:
    """Play a hand through the engine: empty if that reproduces its finishing stacks, else what is wrong.

    The engine pays out whole pots. Where the source says what the house took, that must be missing from the winners'
    stacks, and nothing else may be. A hand without finishing stacks is right if it can be played to its end.
    """
    from felt.games.replay import replay

    try:
        hand = replay(record)
    except FeltError as error:
        return str(error)
    if not hand.over:
        return f"the hand breaks off: seat {hand.turn} has to act"
    if record.finishing is None:
        return ""
    over = [made - told for made, told in zip(hand.stacks, record.finishing, strict=True)]
    winners_pay = all(chips >= 0 and (not chips or hand.won[seat]) for seat, chips in enumerate(over))
    if winners_pay and sum(over) == record.rake:
        return ""
    made, told = (
        ", ".join(in_money(chips, record.unit) for chips in stacks) for stacks in (hand.stacks, record.finishing)
    )
    rake = f" after a rake of {in_money(record.rake, record.unit)}" if record.rake else ""
    return f"the engine ends with stacks of {made}, the record with {told}{rake}"
