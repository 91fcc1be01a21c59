"""The actions of PHH: text such as ``d dh p1 AsKd`` or ``p2 cbr 300`` to events, and back."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal

from felt.cards.card import CARD_NAMES, format_cards
from felt.games.history import UNKNOWN, Event
from felt.games.moves import EventKind
from felt.games.rules import GameRules
from felt.interop.amounts import parse_amount
from felt.interop.histories import HistoryError, exchanges, quoted

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
