"""The IRC poker database: limit hold'em played on Internet Relay Chat from 1995 to 2001.

A month is a folder of three parts: ``hdb`` has a line for each hand (players and pot on every street, board),
``hroster`` who was dealt in, and ``pdb`` a file for each player with the letters of what they did, their bankroll,
what they put in and won, and the cards that they showed. There are no bet sizes: those of limit hold'em are worked out
here and must come to what every player put in, chip for chip. Nobody recorded who mucked: players without cards at
a showdown did.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

from felt.errors import FeltError
from felt.games.history import UNKNOWN, Event, HandRecord
from felt.games.moves import EventKind
from felt.games.rules import MAX_CHIPS, MAX_PLAYERS, GameRules, Structure
from felt.interop.histories import Histories, HistoryError, check_cards, quoted, read_each
from felt.interop.rooms.ledger import Ledger
from felt.interop.rooms.text import read_cards
from felt.interop.variants import Game, SourceStakes, blinds_as_rules, fitted, make_rules

SMALL_BETS = (10, 20, 50, 100)
"""The stakes of the channels; which one a hand had shows in what was put in."""

_STREETS = ((0, 0), (1, 3), (2, 4), (3, 5))
"""Each street and the cards on the board by then."""

_LETTERS = frozenset("-BfkbcrAQK")


class _IrcDeal(NamedTuple):
    """A line of hdb."""

    time: str
    players: int
    board: tuple[int, ...]
    meta: dict[str, str]


class _Row(NamedTuple):
    """A line of pdb."""

    name: str
    position: int
    letters: tuple[str, ...]
    bankroll: int
    put: int
    won: int
    cards: tuple[int, ...]


def read_irc(hdb: str, hroster: str, pdb: Iterable[str]) -> Histories:
    """The hands of a month: the texts of ``hdb``, ``hroster`` and the files of ``pdb``.

    >>> found = read_irc(
    ...     "1 1 7 2 0/0 0/0 0/0 1/15",
    ...     "1 2 ann bob",
    ...     ["ann 1 2 1 Bf - - - 1000 5 0", "bob 1 2 2 B - - - 1000 10 15"],
    ... )
    >>> found.hands[0].names, found.hands[0].posts, found.hands[0].finishing
    (('ann', 'bob'), (5, 10), (995, 1005))
    """
    entries = (line.split() for line in hroster.splitlines())
    roster = {entry[0]: entry[2:] for entry in entries if len(entry) > 2}
    rows = _rows(pdb)
    lines = ((number, line.split()) for number, line in enumerate(hdb.splitlines(), start=1))
    hands = ((number, words[0][:20], partial(_hand, words, roster, rows)) for number, words in lines if words)
    return read_each(hands, "no hand of the IRC database: hdb has a line for each")


def _parse_count(text: str, meaning: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise HistoryError(f"{quoted(text)} is not {meaning}: a whole number is wanted")
    return int(text)


def _deal(words: Sequence[str]) -> _IrcDeal:
    if len(words) < 8:
        raise HistoryError(f"{len(words)} words in the line: time, set, number, players, four pots, board are wanted")
    board = read_cards(" ".join(words[8:]))
    if len(board) not in (0, 3, 4, 5):
        raise HistoryError(f"{len(board)} cards on the board")
    meta = {"venue": "IRC", "table": words[1], "_number": words[2]}
    return _IrcDeal(words[0], _parse_count(words[3], "a number of players"), board, meta)


def _rows(files: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
    """The lines of all players, by hand and name; they are taken apart when their hand is read."""
    rows: dict[str, dict[str, str]] = {}
    for text in files:
        for line in text.splitlines():
            words = line.split(maxsplit=2)
            if len(words) == 3:
                rows.setdefault(words[1], {})[words[0]] = line
    return rows


def _row(line: str) -> _Row:
    words = line.split()
    if len(words) < 11:
        raise HistoryError(f"{quoted(line)} is no line of pdb: it has {len(words)} words, and 11 to 13 are wanted")
    if any(letter not in _LETTERS for letters in words[4:8] for letter in letters):
        raise HistoryError(f"{quoted(' '.join(words[4:8]))} are not actions: the letters are - B f k b c r A Q K")
    return _Row(
        name=words[0],
        position=_parse_count(words[3], "a position"),
        letters=tuple(letters.replace("-", "") for letters in words[4:8]),
        bankroll=_parse_count(words[8], "a bankroll"),
        put=_parse_count(words[9], "an amount"),
        won=_parse_count(words[10], "an amount"),
        cards=read_cards(" ".join(words[11:])),
    )


def _hand(
    words: Sequence[str], rosters: Mapping[str, Sequence[str]], rows_of: Mapping[str, Mapping[str, str]]
) -> HandRecord:
    deal = _deal(words)
    roster, lines = rosters.get(deal.time, ()), rows_of.get(deal.time, {})
    if deal.players > MAX_PLAYERS:
        raise HistoryError(f"{deal.players} players are dealt in: Felt keeps hands of 2 to {MAX_PLAYERS}")
    missing = sum(name not in lines for name in roster)
    if missing:
        raise HistoryError(f"{missing} of {len(roster)} players have no line in pdb, so what they did is not known")
    rows = sorted((_row(lines[name]) for name in roster), key=lambda row: row.position)
    if [row.position for row in rows] != list(range(1, deal.players + 1)) or deal.players < 2:
        raise HistoryError(f"the positions of {len(rows)} players are not 1 to {deal.players}")
    if sum(row.bankroll for row in rows) > MAX_CHIPS or any(len(row.cards) not in (0, 2) for row in rows):
        raise HistoryError("bankrolls or cards that no hand of hold'em can have")
    first: FeltError | None = None
    for small in SMALL_BETS:
        try:
            return _Street(deal, rows, small).record()
        except FeltError as error:
            first = first or error
    raise first or HistoryError("no stakes")


@cache
def _rules(stakes: SourceStakes, players: int) -> GameRules:
    """Hold'em in which the first player posts the small blind and acts first, heads-up too, as the bots dealt it."""
    return replace(make_rules(Game.HOLDEM, stakes), heads_up_button_blind=players > 2)


@dataclass
class _Player:
    """Where a player is in the letters of a street."""

    row: _Row
    letters: str = ""
    gone: bool = False
    acted: bool = False


class _Street:
    """Puts the players' letters into one order, and chips to them."""

    def __init__(self, deal: _IrcDeal, rows: Sequence[_Row], small: int) -> None:
        self.deal, self.rows, self.small = deal, rows, small
        self.players = [_Player(row) for row in rows]
        self.ledger = Ledger([row.bankroll for row in rows])
        self.posts = self._posts()
        self.events: list[Event] = []

    def _posts(self) -> list[int]:
        """A lone blind is a big one; the letter B says who posted."""
        posted = [i for i, row in enumerate(self.rows) if row.letters[0].startswith("B")]
        if not posted or posted[-1] > 1:
            raise HistoryError(f"blinds of positions {[i + 1 for i in posted]}: those of 1 and 2 are wanted")
        posts = [0] * len(self.rows)
        posts[posted[-1]] = self.small
        if len(posted) == 2:
            posts[0] = self.small // 2
        return posts

    def record(self) -> HandRecord:
        for seat, row in enumerate(self.rows):
            self.events.append(Event(EventKind.DOWN, seat, cards=row.cards or (UNKNOWN, UNKNOWN)))
            self.ledger.post(seat, self.posts[seat])
        for street, shown in _STREETS:
            if len(self.ledger.live) == 1:
                break
            if street:
                self._board(shown)
            self._play(street)
        for row, put in zip(self.rows, self.ledger.put, strict=True):
            if put != row.put:
                raise HistoryError(f"the letters of {row.name!r} come to {put} chips, and the line says {row.put}")
        won = sum(row.won for row in self.rows)
        if won != self.ledger.pot:
            raise HistoryError(f"{won} chips are won of a pot of {self.ledger.pot}")
        self.events += self._showdown()
        return self._record()

    def _board(self, shown: int) -> None:
        self.ledger.next_street()
        live, board = self.ledger.live, self.deal.board
        if len(board) < shown:
            raise HistoryError(f"{len(live)} players are left, and the board has {len(board)} cards")
        before = 0 if shown == 3 else shown - 1
        self.events.append(Event(EventKind.BOARD, cards=board[before:shown]))

    def _play(self, street: int) -> None:
        for seat, player in enumerate(self.players):
            skip = 1 if street == 0 and self.posts[seat] else 0
            player.letters = player.row.letters[street][skip:]
            player.acted = False
        seat = len(blinds_as_rules(self.posts) if street == 0 else self.players) - 1
        while (seat := self._next(seat)) >= 0:
            self._act(seat, street)
        for player in self.players:
            player.gone = player.gone or any(letter in "QK" for letter in player.letters)

    def _next(self, seat: int) -> int:
        """The next who has to act after a seat; -1 when nobody has."""
        ledger, count = self.ledger, len(self.players)
        if len(ledger.live) == 1:
            return -1
        for step in range(1, count + 1):
            other = (seat + step) % count
            open_ = other in ledger.live and ledger.playable(other) > 0
            if open_ and (not self.players[other].acted or ledger.bets[other] < ledger.high):
                alone = all(not ledger.playable(third) for third in ledger.live if third != other)
                if not alone or ledger.matched(other):
                    return other
        return -1

    def _act(self, seat: int, street: int) -> None:
        player, ledger = self.players[seat], self.ledger
        if not player.letters and not player.gone:
            name = player.row.name
            raise HistoryError(f"{name!r} has to act on street {street + 1} and does not: others left out of turn")
        letter, player.letters = player.letters[:1] or "Q", player.letters[1:]
        player.acted = True
        total = ledger.bets[seat] + ledger.playable(seat)
        if letter in "fQK":
            if player.row.won:
                raise HistoryError(f"{player.row.name!r} leaves and wins: others left out of turn before")
            ledger.fold(seat)
            player.letters = ""
            self.events.append(Event(EventKind.FOLD, seat))
            return
        if letter in "br":
            total = min(total, ledger.high + self.small * (2 if street > 1 else 1))
        if letter in "kc" or total <= ledger.high:
            if letter == "k" and ledger.to_call(seat):
                raise HistoryError(f"{player.row.name!r} checks on street {street + 1} with a bet to call")
            ledger.call(seat)
            self.events.append(Event(EventKind.CALL, seat))
            return
        ledger.raise_to(seat, total)
        self.events.append(Event(EventKind.RAISE, seat, total))

    def _showdown(self) -> Iterator[Event]:
        for seat in self.ledger.live if len(self.ledger.live) > 1 else ():
            row = self.rows[seat]
            if row.cards:
                yield Event(EventKind.SHOW, seat, cards=row.cards)
            elif not row.won:
                yield Event(EventKind.MUCK, seat)

    def _record(self) -> HandRecord:
        blinds = blinds_as_rules(self.posts)
        stakes = SourceStakes(Structure.LIMIT, small=self.small, big=2 * self.small, blinds=blinds)
        rules = _rules(stakes, len(self.rows))
        events = tuple(self.events)
        record = HandRecord(
            rules=fitted(rules, events, opened=True),
            stacks=tuple(row.bankroll for row in self.rows),
            antes=(0,) * len(self.rows),
            posts=tuple(self.posts),
            events=events,
            button=len(self.rows) - 1,
            names=tuple(row.name for row in self.rows),
            finishing=tuple(row.bankroll - row.put + row.won for row in self.rows),
            hand_id=self.deal.time,
            meta=self.deal.meta,
        )
        check_cards(record)
        return record
