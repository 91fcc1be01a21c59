"""Hands written in the Poker Hand History format."""

import re
from collections.abc import Iterable, Iterator, Sequence

from felt.games.history import Event, HandRecord
from felt.games.moves import EventKind
from felt.games.rules import Structure
from felt.interop.histories import HistoryError, button_last, in_units, places_of
from felt.interop.phh.actions import write_actions
from felt.interop.phh.reader import CODES, STUD_CODES
from felt.interop.results import with_showdown
from felt.interop.rooms.ledger import Ledger
from felt.interop.variants import game_of

_NAMES = {game: code for code, game in CODES.items()}
_STANDARD = ("author", "event", "url", "venue", "address", "city", "region", "postal_code", "country", "time",
             "time_zone", "day", "month", "year", "level", "seats", "seat_count", "table", "currency_symbol",
             "time_limit", "time_banks")  # fmt: skip
_WHOLE = ("day", "month", "year", "level", "seat_count", "time_limit")
_LISTS = ("seats", "time_banks")


def write_phh(record: HandRecord) -> str:
    """One hand as the text of a ``.phh`` file.

    >>> from felt.interop.phh.reader import read_phh
    >>> text = '''variant = "NT"
    ... antes = [0, 0]
    ... blinds_or_straddles = [1, 2]
    ... min_bet = 2
    ... starting_stacks = [200, 200]
    ... actions = ["d dh p1 AsKd", "d dh p2 ????", "p2 f"]
    ... '''
    >>> hand = read_phh(text).hands[0]
    >>> read_phh(write_phh(hand)).hands[0] == hand
    True
    """
    return "\n".join(f"{key} = {value}" for key, value in _fields(button_last(record))) + "\n"


def write_phhs(records: Iterable[HandRecord]) -> str:
    """Many hands as the text of a ``.phhs`` file, numbered from 1."""
    return "".join(phhs_pieces(records))


def phhs_pieces(records: Iterable[HandRecord]) -> Iterator[str]:
    """The text of a ``.phhs`` file hand by hand, where there are too many to hold it."""
    for number, record in enumerate(records, start=1):
        begin = "\n" if number > 1 else ""
        yield f"{begin}[{number}]\n{write_phh(record)}"


def _fields(record: HandRecord) -> Iterable[tuple[str, str]]:
    code = _code(record)
    unit = record.unit

    def amounts(values: Sequence[int]) -> str:
        return f"[{', '.join(in_units(value, unit) for value in values)}]"

    yield "variant", _text(code)
    yield "ante_trimming_status", "false" if record.dead_antes else "true"
    yield "antes", amounts(_by_phh_order(record.antes))
    rounds = [part.betting for part in record.rules.rounds if part.betting]
    if code in STUD_CODES:
        yield "bring_in", in_units(record.rules.bring_in, unit)
    else:
        yield "blinds_or_straddles", amounts(_by_phh_order(_signed_posts(record)))
    if CODES[code][1] == Structure.LIMIT:
        yield "small_bet", in_units(rounds[0].bet, unit)
        yield "big_bet", in_units(rounds[-1].bet, unit)
    else:
        yield "min_bet", in_units(rounds[0].bet, unit)
    yield "starting_stacks", amounts(record.stacks)
    shown = with_showdown(record)
    actions, source = write_actions(
        _by_the_rules(shown), lambda chips: in_units(chips, unit), bring_in=record.rules.bring_in > 0
    )
    yield "actions", f"[{', '.join(map(_text, actions))}]"
    if record.hand_id:
        yield "hand", record.hand_id if _is_whole(record.hand_id) else _text(record.hand_id)
    if record.names:
        yield "players", f"[{', '.join(map(_text, record.names))}]"
    if record.finishing is not None:
        yield "finishing_stacks", amounts(record.finishing)
    if record.currency:
        yield "currency", _text(record.currency)
    yield from _meta(record)
    if record.rake:
        yield "_rake", in_units(record.rake, unit)
    if record.rules.cap:
        yield "_cap", in_units(record.rules.cap, unit)
    if shown is not record and len(shown.events) > len(record.events):
        yield "_shown", "false"
    if source:
        yield "_source_actions", f"[{', '.join(map(_text, source))}]"
    if record.sitting_out:
        yield "_sitting_out", f"[{', '.join(str(seat + 1) for seat in record.sitting_out)}]"
    if record.cash_outs:
        yield "_cash_outs", amounts(record.cash_outs)
    if places_of(unit) is None:
        yield "_unit", repr(unit)


def _by_the_rules(record: HandRecord) -> Iterator[tuple[Event, Event]]:
    """Each event as a reader that goes by the rules takes it, and as it was.

    A raise that nobody can call is a call to such a reader, and the fold of a player who is all in no more than that
    the cards are not shown.
    """
    ledger = Ledger.of(record)
    for event in record.events:
        plain_event = event
        if event.kind == EventKind.FOLD and not ledger.playable(event.seat):
            plain_event = Event(EventKind.MUCK, event.seat)
        elif event.kind == EventKind.RAISE and not ledger.can_be_called(event.seat):
            plain_event = Event(EventKind.CALL, event.seat)
        ledger.apply(event)
        yield plain_event, event


def _code(record: HandRecord) -> str:
    game = game_of(record.rules)
    if game not in _NAMES:
        raise HistoryError(f"PHH has no code for {record.rules.title or record.rules.name}: it has {', '.join(CODES)}")
    return _NAMES[game]


def _by_phh_order(values: Sequence[int]) -> Sequence[int]:
    """By seat, except that heads-up PHH begins with the button."""
    return values[::-1] if len(values) == 2 else values


def _signed_posts(record: HandRecord) -> list[int]:
    """Posts by seat; those that are no blinds, and so do not change who acts first, are negative."""
    if record.players == 2:
        return list(record.posts)
    blinds = record.rules.blinds
    return [post if seat < len(blinds) and blinds[seat] else -post for seat, post in enumerate(record.posts)]


def _meta(record: HandRecord) -> Iterable[tuple[str, str]]:
    for key in _STANDARD:
        if key in record.meta:
            yield key, _standard(key, record.meta[key])
    for key, value in record.meta.items():
        if key not in _STANDARD:
            bare = re.sub(r"[^A-Za-z0-9_-]", "_", key)
            yield bare if bare.startswith("_") else f"_{bare}", _text(value)


def _standard(key: str, value: str) -> str:
    if key in _WHOLE and _is_whole(value):
        return value
    if key == "time" and re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?", value):
        return value
    if key in _LISTS and re.fullmatch(r"\[[\d, ]*\]", value):
        return value
    return _text(value)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19 and text == str(int(text))


def _text(value: str) -> str:
    """A TOML string: in single quotes as it stands where that is possible."""
    value = value.encode("utf-8", "replace").decode()  # half of a pair of surrogates has no place in TOML
    if "'" not in value and value.isprintable():
        return f"'{value}'"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'
