"""The text of one hand of PHH: TOML, read within bounds, and actions such as ``d dh p1 AsKd``, to events and back.

Python's own reader of TOML takes time and memory that grow with the square of a key's parts: one line of 40 kB like
``a.a.a…=1`` keeps it busy for seconds and fills gigabytes. A hand has no use for such keys, so they are refused before
it sees them, by a scan that looks at every character once.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from felt.cards.card import CARD_NAMES, format_cards
from felt.games.history import UNKNOWN, Event
from felt.games.moves import EventKind
from felt.games.rules import GameRules
from felt.interop.histories import BrokenLineError, HistoryError, exchanges, parse_amount, quoted

MOST_CHARACTERS = 100_000
"""In one hand; the longest that people have written down are of some 10,000."""

MOST_DEPTH = 16
"""Parts of a key, and brackets within brackets."""

_TOKENS = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*"
    r"|[.=,\n\[\]{}]",
    re.DOTALL,
)
"""Strings and comments, whose insides do not count, and the signs that do."""

_PLACE = re.compile(r" \(at (line (\d+), column \d+|end of document)\)")


def parse_phh(text: str, *, first_line: int = 1) -> dict[str, Any]:
    """The fields of one hand; decimals stay exact. `first_line` is where the text begins in its file.

    >>> parse_phh("variant = 'NT'\\nantes = [0.5, 0.5]")
    {'variant': 'NT', 'antes': [Decimal('0.5'), Decimal('0.5')]}
    >>> parse_phh("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1")
    Traceback (most recent call last):
      ...
    felt.interop.histories.BrokenLineError: line 1: a key of more than 16 parts: no hand of PHH has such
    """
    _check_bounds(text, first_line)
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        raise HistoryError("not TOML: brackets are nested without end") from None
    except (ValueError, ArithmeticError) as error:  # what its parsers of numbers raise is not always a TOML error
        message = str(error)
        place = _PLACE.search(message)
        if place is None:
            raise HistoryError(f"not TOML: {message.lower()}") from None
        message = f"not TOML: {message[: place.start()].lower()}"
        if not place[2]:
            raise HistoryError(f"at the end: {message}") from None
        number = first_line - 1 + int(place[2])
        raise BrokenLineError(number, f"line {number}: {message}") from None


def _check_bounds(text: str, first_line: int) -> None:
    if len(text) > MOST_CHARACTERS:
        raise HistoryError(
            f"the hand is {len(text):,} characters long: one of PHH has at most {MOST_CHARACTERS:,}; "
            "many hands in a file begin each with a line like [1]"
        )
    parts, depth, line = 1, 0, first_line
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token == ".":
            parts += 1
        elif token in ("[", "{"):
            parts, depth = 1, depth + 1
        elif token in ("]", "}"):
            parts, depth = 1, depth - 1
        elif token in ("=", ",", "\n"):
            parts = 1
        if parts > MOST_DEPTH or depth > MOST_DEPTH:
            nested = "a key" if parts > MOST_DEPTH else "brackets in brackets"
            of = "parts" if parts > MOST_DEPTH else "levels"
            raise BrokenLineError(
                line, f"line {line}: {nested} of more than {MOST_DEPTH} {of}: no hand of PHH has such"
            )
        line += token.count("\n")


_CARDS = {name: card for card, name in enumerate(CARD_NAMES[:52])} | {"??": UNKNOWN}
_MOST_CARDS = 52


def action_amount(action: str) -> Decimal | None:
    """The amount in an action, None if it has none that can be read."""
    words = _words(action)
    if len(words) != 3 or words[1] != "cbr":
        return None
    try:
        return parse_amount(words[2])
    except HistoryError:  # told when the action itself is read
        return None


def read_actions(
    actions: Sequence[str], rules: GameRules, players: int, chips: Callable[[Decimal], int]
) -> tuple[Event, ...]:
    """Events from the actions of a hand; `chips` turns its amounts into chips."""
    reader = _ActionReader(rules, players, chips)
    events: list[Event] = []
    for number, action in enumerate(actions, start=1):
        words = _words(action)
        if not words:
            continue
        try:
            events += reader.read(words)
        except HistoryError as error:
            raise HistoryError(f"action {number}, {quoted(action)}: {error}") from None
    return tuple(events)


def with_source_actions(actions: Sequence[str], source_actions: Iterable[str]) -> list[str]:
    """The actions with those replaced that PHH has no place for: ``7 p2 cbr 300`` is what the seventh was.

    Readers that go by the rules know no raise that nobody can call, and no fold of a player who is all in.
    """
    actions = list(actions)
    for text in source_actions:
        number, _, action = text.partition(" ")
        if not (number.isascii() and number.isdigit() and len(number) < 6 and 0 < int(number) <= len(actions)):
            raise HistoryError(f"_source_actions has {quoted(text)}: write the number of an action and what it was")
        actions[int(number) - 1] = action
    return actions


def _words(action: str) -> list[str]:
    return action.partition("#")[0].split()


class _ActionReader:
    def __init__(self, rules: GameRules, players: int, chips: Callable[[Decimal], int]) -> None:
        self._chips = chips
        self._dealt = [0] * players
        self._slots = [
            kind
            for part in rules.rounds
            for kind in [EventKind.DOWN] * part.down + [EventKind.UP] * part.up
        ]  # fmt: skip

    def read(self, words: list[str]) -> Iterator[Event]:
        match words:
            case ["d", "dh", player, cards]:
                yield from self._deal(self._seat(player), read_cards(cards))
            case ["d", "db", cards]:
                yield Event(EventKind.BOARD, cards=read_cards(cards))
            case [player, "f"]:
                yield Event(EventKind.FOLD, self._seat(player))
            case [player, "cc" | "pb"]:
                yield Event(EventKind.CALL, self._seat(player))
            case [player, "cbr", amount]:
                yield Event(EventKind.RAISE, self._seat(player), self._chips(parse_amount(amount)))
            case [player, "sd"]:
                yield Event(EventKind.DRAW, self._seat(player))
            case [player, "sd", cards]:
                yield Event(EventKind.DRAW, self._seat(player), cards=read_cards(cards))
            case [player, "sm"]:
                yield Event(EventKind.MUCK, self._seat(player))
            case [player, "sm", "-"]:
                yield Event(EventKind.SHOW, self._seat(player))
            case [player, "sm", cards]:
                shown = read_cards(cards)
                known = any(card != UNKNOWN for card in shown)
                yield Event(
                    EventKind.SHOW if known else EventKind.MUCK, self._seat(player), cards=shown if known else ()
                )
            case _:
                raise HistoryError("no such action: PHH has d dh, d db, f, cc, pb, cbr, sd and sm")

    def _seat(self, player: str) -> int:
        if not (player.startswith("p") and player[1:].isascii() and player[1:].isdigit() and len(player) < 5):
            raise HistoryError(f"{quoted(player)} is no player: write p1 to p{len(self._dealt)}")
        seat = int(player[1:]) - 1
        if not 0 <= seat < len(self._dealt):
            raise HistoryError(f"{quoted(player)} is not at the table: it has p1 to p{len(self._dealt)}")
        return seat

    def _deal(self, seat: int, cards: tuple[int, ...]) -> Iterator[Event]:
        """Cards to a player, told apart as face down and face up by the round that they belong to."""
        first = self._dealt[seat]
        self._dealt[seat] += len(cards)
        slots = self._slots[first : first + len(cards)]
        slots += [EventKind.DOWN] * (len(cards) - len(slots))  # replacements after a draw
        begin = 0
        for i in range(1, len(cards) + 1):
            if i == len(cards) or slots[i] != slots[begin]:
                yield Event(slots[begin], seat, cards=cards[begin:i])
                begin = i


def read_cards(text: str) -> tuple[int, ...]:
    """Cards written without blanks, ``??`` for one that nobody saw."""
    names = [text[i : i + 2] for i in range(0, len(text), 2)]
    if len(names) > _MOST_CARDS:
        raise HistoryError(f"{quoted(text)} is more than a deck of cards")
    unknown = next((name for name in names if name not in _CARDS), None)
    if unknown is not None:
        raise HistoryError(f"{quoted(unknown)} is not a card: write it like 'As', or '??' if nobody saw it")
    cards = tuple(_CARDS[name] for name in names)
    seen = [card for card in cards if card != UNKNOWN]
    if len(set(seen)) < len(seen):
        raise HistoryError(f"a card stands twice in {quoted(text)}")
    return cards


def write_cards(cards: Iterable[int]) -> str:
    """Cards without blanks, ``??`` for unknown ones."""
    return "".join("??" if card == UNKNOWN else format_cards([card]) for card in cards)


def write_actions(
    events: Iterable[tuple[Event, Event]], amount: Callable[[int], str], *, bring_in: bool
) -> tuple[list[str], list[str]]:
    """The actions of PHH for the events of a hand, and those that were other ones, for `with_source_actions`.

    Events come in pairs: as they are to be written, and as they were. `amount` writes chips.
    """
    pairs = list(events)
    before = {id(event): other for event, other in pairs if event is not other}
    actions: list[str] = []
    source: list[str] = []
    begun = not bring_in
    last: Event | None = None
    for event in (event for piece in exchanges(event for event, _ in pairs) for part in piece for event in part):
        player = f"p{event.seat + 1}"
        cards = write_cards(event.cards)
        match event.kind:
            case EventKind.UP if last is not None and last.kind == EventKind.DOWN and last.seat == event.seat:
                actions[-1] += cards  # a hand of stud is dealt as one
            case EventKind.DOWN | EventKind.UP:
                actions.append(f"d dh {player} {cards}")
            case EventKind.BOARD:
                actions.append(f"d db {cards}")
            case EventKind.FOLD:
                actions.append(f"{player} f")
            case EventKind.CALL:
                actions.append(f"{player} {'cc' if begun else 'pb'}")
                begun = True
            case EventKind.RAISE:
                actions.append(f"{player} cbr {amount(event.amount)}")
                begun = True
            case EventKind.DRAW:
                actions.append(f"{player} sd {cards}".rstrip())
            case EventKind.SHOW:
                actions.append(f"{player} sm {cards or '-'}")
            case EventKind.MUCK:
                actions.append(f"{player} sm")
            case _:
                raise HistoryError(f"PHH cannot tell a {event.kind}: it knows deals, bets, draws and showdowns")
        if id(event) in before:
            other = before[id(event)]
            move = "f" if other.kind == EventKind.FOLD else f"cbr {amount(other.amount)}"
            source.append(f"{len(actions)} {player} {move}")
        last = event
    return actions, source
