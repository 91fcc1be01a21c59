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
    """Check a deal: that the cards you were shown are those that were promised before the hand.

    The file has `commitment`, `leaves` and `cards`, as the service tells them after every hand; compare the commitment
    with the one that you saw before the cards.

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
        deal = loads(text)
    except JSONDecodeError as error:
        raise FairDealError(f"{str(file)!r} is no JSON: {error.msg} in line {error.lineno}") from None
    if not isinstance(deal, dict):
        raise FairDealError(f"{str(file)!r} is no opened deal: give an object with commitment, leaves and cards")
    known = verify(deal)
    if json:
        cards = {str(at): format_cards([card]) for at, card in sorted(known.items())}
        output.print_json({"fair": True, "commitment": deal["commitment"], "cards": cards})
    else:
        shown = " ".join(f"{at + 1}:{format_cards([card])}" for at, card in sorted(known.items()))
        output.say(f"[bold]The cards are those that were promised[/]: {len(known)} of {len(deal['leaves'])} opened")
        output.say(f"By place in the deck: {shown or 'none'}")
        output.say(f"Compare the commitment with the one shown before the hand: {deal['commitment'].strip().lower()}")
