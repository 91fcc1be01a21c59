"""Hands written as a dealer log of the Annual Computer Poker Competition."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from felt.games.history import UNKNOWN, HandRecord
from felt.games.moves import EventKind
from felt.games.rules import GameRules, Structure
from felt.interop.acpc.game import write_acpc_game
from felt.interop.acpc.log import is_limit, scaled, usual_game
from felt.interop.histories import HistoryError, button_last, places_of
from felt.interop.phh.actions import write_cards
from felt.interop.results import FINEST_PART, payoffs_of, scores_of
from felt.interop.rooms.ledger import Ledger
from felt.interop.rooms.text import escape_name


def write_acpc(records: Sequence[HandRecord], *, name: str = "felt") -> str:
    """A log of these hands, with its game in comments and the score at the end.

    >>> from felt.interop.acpc.log import read_acpc
    >>> log = "STATE:0:cc/cc/cc/r200c:5d5c|9hQd/8dAs8s/4h/6d:200|-200:ann|bob"
    >>> print(write_acpc(read_acpc(log).hands).splitlines()[-2])
    STATE:0:cc/cc/cc/r200c:5d5c|9hQd/8dAs8s/4h/6d:200|-200:ann|bob
    """
    if not records:
        raise HistoryError("no hand to write")
    is_named = [len(record.names) == record.players for record in records]
    records = [_with_names(button_last(record)) for record in records]
    first = records[0]
    for record in records:
        _check_stacks(record)
        if (record.rules, record.players) != (first.rules, first.players):
            raise HistoryError(f"hand {record.hand_id} is of another game than the first: a log is of one")
    results = [(record, payoffs_of(record)) for record in records]
    definition = list(_game(first))
    title = first.rules.name if definition else usual_name(first.players, limit=is_limit(first.rules))
    lines = [f"# name/game/hands/seed {name} {title} {len(records)} 0", *definition]
    lines += [_state(record, payoffs, number) for number, (record, payoffs) in enumerate(results)]
    scores = scores_of(result for result, named in zip(results, is_named, strict=True) if named)
    if scores:
        lines.append(f"SCORE:{'|'.join(map(result_text, scores.values()))}:{'|'.join(scores)}")
    return "\n".join(lines) + "\n"


def _check_stacks(record: HandRecord) -> None:
    """A game has one stack for all, and a limit game none that could run out."""
    if len(set(record.stacks)) > 1:
        raise HistoryError(f"hand {record.hand_id}: players have stacks of their own, an ACPC log has one for all")
    if record.rake:
        raise HistoryError(f"hand {record.hand_id}: the house took a rake, which has no place in an ACPC log")
    ledger = Ledger.of(record, played=True)
    if is_limit(record.rules) and any(not ledger.playable(seat) for seat in ledger.live):
        raise HistoryError(f"hand {record.hand_id}: somebody is all in, and an ACPC log of a limit game has no stacks")


def usual_name(players: int, *, limit: bool) -> str:
    """What the competition calls the file of its hold'em; readers see by it whether raises have amounts."""
    order = ".reverse_blinds" if players == 2 else ""
    return f"holdem.{'limit' if limit else 'nolimit'}.{players}p{order}.game"


def _game(record: HandRecord) -> Iterator[str]:
    """The definition of the game as comments, unless every reader takes it for granted."""
    rules = scaled(record.rules, _part(record))
    if not is_limit(rules):
        rules = replace(rules, stack=int(record.stacks[0] * _part(record)))
    if rules not in (usual_game(record.players, limit=True), usual_game(record.players, limit=False)):
        yield from definition(rules, record.players)


def definition(rules: GameRules, players: int) -> Iterator[str]:
    """A game as the comments of a log, from which readers know it."""
    for line in write_acpc_game(rules, players=players).splitlines():
        yield f"# {line}"


def _with_names(record: HandRecord) -> HandRecord:
    names = record.names if len(record.names) == record.players else ("",) * record.players
    return replace(record, names=tuple(escape_name(name) or f"p{seat + 1}" for seat, name in enumerate(names)))


def _state(record: HandRecord, payoffs: Sequence[int], number: int) -> str:
    hand = record.hand_id if record.hand_id.isascii() and record.hand_id.isdigit() else str(number)
    part = _part(record)
    results = "|".join(result_text(chips * part) for chips in payoffs)
    return f"STATE:{hand}:{_betting(record)}:{_cards(record)}:{results}:{'|'.join(record.names)}"


def _part(record: HandRecord) -> Fraction:
    """What a chip is of a whole one: cents are written as they are, parts of a chip as parts."""
    return Fraction(1) if places_of(record.unit) is not None else Fraction(record.unit).limit_denominator(FINEST_PART)


def result_text(value: Fraction | int) -> str:
    """Chips as the dealer writes them, six digits of a fraction at most."""
    return str(value) if value.denominator == 1 else f"{float(value):.6f}".rstrip("0")


def _betting(record: HandRecord) -> str:
    structures = {part.betting.structure for part in record.rules.rounds if part.betting}
    if not structures <= {Structure.LIMIT, Structure.NO_LIMIT}:
        raise HistoryError(f"an ACPC log cannot tell {record.rules.title or record.rules.name}: limit or no limit only")
    limit, part = Structure.LIMIT in structures, _part(record)
    ledger = Ledger.of(record)
    letters = ""
    for event in record.events:
        ledger.apply(event)
        match event.kind:
            case EventKind.FOLD:
                letters += "f"
            case EventKind.CALL:
                letters += "c"
            case EventKind.RAISE:
                total = (ledger.put[event.seat] + ledger.dead[event.seat]) * part
                letters += "r" if limit else f"r{result_text(total)}"
            case EventKind.BOARD:
                letters += "/"
            case EventKind.DOWN | EventKind.SHOW | EventKind.MUCK:
                pass
            case _:
                raise HistoryError(f"an ACPC log cannot tell a {event.kind}")
    return letters


def _cards(record: HandRecord) -> str:
    hands = [""] * record.players
    for event in record.events:
        if event.kind in (EventKind.DOWN, EventKind.SHOW) and event.seat >= 0 and UNKNOWN not in event.cards:
            hands[event.seat] = write_cards(event.cards)
    boards = [write_cards(event.cards) for event in record.events if event.kind == EventKind.BOARD]
    return "/".join(["|".join(hands), *boards])
