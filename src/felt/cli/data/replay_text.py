"""A recorded hand in words for the terminal, and as plain values for JSON."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from felt.cli import output

if TYPE_CHECKING:
    from felt.games.history import Event, HandRecord
    from felt.interop.rooms.ledger import Ledger


def hand_lines(record: "HandRecord") -> Iterator[str]:
    """One hand, street by street (Rich markup)."""
    number = f"hand {record.hand_id} · " if record.hand_id else ""
    yield f"[bold]{output.plain(number)}{output.plain(record.rules.title or record.rules.name)}[/]{_stakes(record)}"
    yield "  " + ", ".join(f"{_name(record, seat)} {_money(record, c)}" for seat, c in enumerate(record.stacks))
    for street, events in _streets(record):
        if events:
            yield f"  [dim]{street:<13}[/]{', '.join(events)}"
    yield f"  [dim]{'result':<13}[/]{_result(record)}"


def _stakes(record: "HandRecord") -> str:
    blinds = "/".join(_money(record, blind) for blind in record.rules.blinds if blind)
    ante = max(record.antes, default=0)
    parts = [f"blinds {blinds}" if blinds else "", f"ante {_money(record, ante)}" if ante else "", record.currency]
    return "".join(f" · {output.plain(part)}" for part in parts if part)


def _name(record: "HandRecord", seat: int) -> str:
    if not 0 <= seat < len(record.names):
        return f"seat {seat}"
    return output.plain(record.names[seat].replace("\n", "\\n"))


def _money(record: "HandRecord", chips: int) -> str:
    from felt.interop.histories import in_money

    return in_money(chips, record.unit)


def _streets(record: "HandRecord") -> Iterator[tuple[str, list[str]]]:
    """The name of each street with what happened in it."""
    from felt.games.moves import EventKind
    from felt.interop.rooms.ledger import Ledger

    ledger = Ledger.of(record)
    events: list[str] = []
    street = 0
    for event in record.events:
        before = ledger.street
        high = ledger.high
        ledger.apply(event)
        if ledger.street > before or (event.kind == EventKind.BOARD and events):
            yield _street_name(record, street), events
            street, events = street + 1, []
        words = _words(record, event, ledger, high)
        if words:
            events.append(words)
    yield _street_name(record, street), events


def _street_name(record: "HandRecord", number: int) -> str:
    rounds = record.rules.rounds
    return rounds[min(number, len(rounds) - 1)].name.replace(" street", "")


def _words(record: "HandRecord", event: "Event", ledger: "Ledger", high: int) -> str:
    from felt.games.moves import EventKind

    who, cards = _name(record, event.seat), _cards(event.cards)
    match event.kind:
        case EventKind.BOARD:
            return cards
        case EventKind.DOWN | EventKind.UP:
            return f"{who} {cards}" if any(card >= 0 for card in event.cards) else ""
        case EventKind.ROLLED:
            return f"{who} turns up {cards}"
        case EventKind.FOLD:
            return f"{who} folds"
        case EventKind.CALL:
            return f"{who} calls {_money(record, ledger.bets[event.seat])}" if high else f"{who} checks"
        case EventKind.RAISE:
            return f"{who} {'raises to' if high else 'bets'} {_money(record, event.amount)}"
        case EventKind.SHOW:
            return f"{who} shows {cards}".rstrip()
        case EventKind.MUCK:
            return f"{who} mucks"
        case _:
            return f"{who} {event.kind}s {len(event.cards)}" if event.cards else f"{who} stands pat"


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join("??" if card < 0 else output.card(card) for card in cards)


def _result(record: "HandRecord") -> str:
    from felt.interop.results import check, payoffs_of

    outcome = check(record)
    if not outcome.payoffs:
        return f"[red]cannot be played: {output.plain(outcome.why)}[/]"
    payoffs = outcome.payoffs if outcome.why else payoffs_of(record)  # the record's are after the rake
    won = [f"{_name(record, seat)} {_signed(record, chips)}" for seat, chips in enumerate(payoffs) if chips]
    wrong = f"  [red]{output.plain(outcome.why)}[/]" if outcome.why else ""
    rake = [f"rake {_money(record, record.rake)}"] if record.rake else []
    sold = [
        f"{_name(record, seat)} cashed out for {_money(record, chips)}"
        for seat, chips in enumerate(record.cash_outs)
        if chips
    ]
    return (", ".join([*won, *rake, *sold]) or "nobody wins or loses") + wrong


def _signed(record: "HandRecord", chips: int) -> str:
    return f"{'+' if chips > 0 else '−'}{_money(record, abs(chips))}"


def hand_as_json(record: "HandRecord") -> dict[str, Any]:
    """One hand as plain values; amounts in chips, each of which is `unit` in the source."""
    from felt.interop.phh.actions import write_cards
    from felt.interop.results import check

    outcome = check(record)
    return {
        "hand": record.hand_id,
        "game": record.rules.name,
        "unit": record.unit,
        "currency": record.currency,
        "players": list(record.names),
        "stacks": list(record.stacks),
        "antes": list(record.antes),
        "posts": list(record.posts),
        "events": [
            {"kind": str(event.kind), "seat": event.seat, "amount": event.amount, "cards": write_cards(event.cards)}
            for event in record.events
        ],
        "finishing": list(record.finishing) if record.finishing is not None else None,
        "rake": record.rake,
        "sitting_out": list(record.sitting_out),
        "cash_outs": list(record.cash_outs),
        "payoffs": list(outcome.payoffs),
        "why": outcome.why,
    }
