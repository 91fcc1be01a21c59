"""`felt verify-deal`: whether a hand was dealt from the deck that was promised before it."""

from pathlib import Path
from typing import Annotated

import typer

from felt.cli import output
from felt.cli.options import Json


def verify_deal(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The opened deal as JSON; - for standard input.")],
    json: Json = False,
) -> None:
    """Check a deal: that its deck and salt make the commitment that was shown before the hand.

    The file has `commitment`, `salt` and `deck`, as the table tells them after every hand.

    Example: `felt verify-deal deal.json`
    """
    import sys
    from json import JSONDecodeError, loads

    from felt.cards.card import format_cards
    from felt.games.fair import FairDealError
    from felt.games.fair import verify_deal as verify

    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise FairDealError(f"cannot read {str(file)!r}: {reason}") from None
    try:
        told = loads(text)
    except JSONDecodeError as error:
        raise FairDealError(f"{str(file)!r} is no JSON: {error.msg} in line {error.lineno}") from None
    if not isinstance(told, dict):
        raise FairDealError(f"{str(file)!r} is no opened deal: give an object with commitment, salt and deck")
    deal = verify(told)
    if json:
        output.print_json({"fair": True, **deal.opened()})
    else:
        output.say(f"[bold]The deck is the one that was promised[/]: {len(deal.deck)} cards, {format_cards(deal.deck)}")
