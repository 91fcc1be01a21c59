"""`felt rank`: what hands are worth, and which of them wins."""

from pathlib import Path
from typing import NamedTuple

from felt.cli import output
from felt.cli.options import Board, Json, argument, option
from felt.errors import FeltError


class RankedHand(NamedTuple):
    """One hand of the command line: its cards, the board apart, and the value of the whole."""

    cards: tuple[int, ...]
    value: int
    name: str


def rank(
    cards: list[str] = argument("CARDS", "Hands, one per argument; or single cards."),
    board: Board = "",
    kind: str = option("high", "--kind -k", "KIND", "high, low-a5, low-27, low-8, badugi, short or short-trips."),
    json: Json = False,
) -> None:
    """Rank hands: their value (higher is better), their name in words, and the winner.

    Each argument is a hand. If every argument is a single card, they make up one hand. With `--board`,
    hands of four cards or more are Omaha hands: exactly two of them count.

    Example: `felt rank AsAd KhKs --board QsJh2h7c3d`
    """
    hands = _ranked(_split(cards), board, kind)
    best = max(hand.value for hand in hands)
    if json:
        from felt.cards.card import format_cards, parse_cards

        ranked = [
            {"hand": format_cards(h.cards), "rank": h.value, "name": h.name, "wins": h.value == best} for h in hands
        ]
        output.print_json({"kind": kind, "board": format_cards(parse_cards(board)), "hands": ranked})
        return
    verdict = "wins" if sum(hand.value == best for hand in hands) == 1 else "splits"
    rows = output.table("hand", "rank", "name", "", numbers=["rank"])
    for hand in hands:
        mark = f"[bold green]{verdict}[/]" if len(hands) > 1 and hand.value == best else ""
        rows.add_row(output.cards(hand.cards), f"{hand.value}", hand.name, mark)
    output.show(rows)


def _split(arguments: list[str]) -> list[tuple[int, ...]]:
    from felt.cards.card import parse_cards

    hands = [parse_cards(argument) for argument in arguments]
    if len(hands) > 1 and all(len(hand) == 1 for hand in hands):
        return [parse_cards(" ".join(arguments))]
    for text, hand in zip(arguments, hands, strict=True):
        if not hand:
            raise FeltError(f"{text!r} has no cards in it: write a hand like AsKd")
    return hands


def _ranked(hands: list[tuple[int, ...]], board_text: str, kind: str) -> list[RankedHand]:
    from felt.cards.card import format_cards, parse_cards
    from felt.cards.ranking.evaluator import rank as value_of
    from felt.cards.ranking.evaluator import rank_omaha
    from felt.cards.ranking.kinds import scale
    from felt.cards.ranking.names import describe

    board = parse_cards(board_text)
    if board:  # one deal: no card may lie in two places
        parse_cards([card for hand in hands for card in hand] + list(board))
    omaha = bool(board) and all(len(hand) >= 4 for hand in hands)
    ranked = []
    scales = set()
    for hand in hands:
        value = rank_omaha(hand, board, kind) if omaha else value_of((*hand, *board), kind)
        on = kind if omaha else scale(kind, len(hand) + len(board)).name
        scales.add(on)
        ranked.append(RankedHand(hand, int(value), describe(value, on)))
    if len(scales) > 1:
        sizes = " and ".join(map(str, sorted({len(hand) + len(board) for hand in hands})))
        shown = " ".join(format_cards(hand) for hand in hands)
        raise FeltError(f"hands of {sizes} cards do not compare in {shown!r}: give them the same number of cards")
    return ranked


def verify_deal(
    file: Path = argument("FILE", "The opened deal as JSON; - for standard input."),
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
