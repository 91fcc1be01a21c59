"""Full Tilt Poker hand histories: cash games, tournaments, play money, mixed games.

What the room wrote after 2012, in the style of PokerStars, is read by `felt.interop.rooms.pokerstars`.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from felt.games.history import HandRecord
from felt.games.rules import Structure
from felt.interop.histories import AMOUNT, Histories, decimals, parse_amount
from felt.interop.rooms.reader import (
    CURRENCIES,
    RoomReader,
    date_fields,
    read_discards,
    read_lines,
    read_post,
    read_seats,
    refuse_what_felt_cannot_keep,
)
from felt.interop.rooms.seats import Header
from felt.interop.rooms.text import Line, LineError, read_all, split_hands
from felt.interop.variants import Game

BEGINS = re.compile(r"Full ?Tilt ?Poker Game #\d+:")
GAMES = {
    "Hold'em": Game.HOLDEM,
    "Omaha H/L": Game.OMAHA8,
    "Omaha Hi/Lo": Game.OMAHA8,
    "Omaha Hi": Game.OMAHA,
    "Omaha": Game.OMAHA,
    "5 Card Omaha Hi": Game.OMAHA5,
    "6 Card Omaha Hi": Game.OMAHA6,
    "Stud H/L": Game.STUD8,
    "Stud Hi": Game.STUD,
    "7 Card Stud": Game.STUD,
    "Razz": Game.RAZZ,
    "5 Card Draw": Game.DRAW,
    "2-7 Single Draw": Game.SINGLE_DRAW,
    "2-7 Triple Draw": Game.TRIPLE_DRAW,
    "A-5 Triple Draw": Game.A5_TRIPLE_DRAW,
    "Badugi": Game.BADUGI,
}
"""What Full Tilt calls the games."""

LIMITS = {
    "No Limit": Structure.NO_LIMIT,
    "NL": Structure.NO_LIMIT,
    "Pot Limit": Structure.POT_LIMIT,
    "PL": Structure.POT_LIMIT,
    "Limit": Structure.LIMIT,
    "FL": Structure.LIMIT,
}
CAP_IN_BIG_BLINDS = 30
"""The cap of a game that is called CAP and does not say how much that is."""

_NAMES = "|".join(re.escape(name) for name in sorted(GAMES, key=len, reverse=True))
_GAME = re.compile(rf" - (?P<cap>.*?)(?P<limit>No Limit|Pot Limit|Limit|NL|PL|FL) (?P<game>{_NAMES}) - ")
_STAKES = re.compile(rf" - (?P<money>[^()\d\s-]{{0,4}}){AMOUNT}/{AMOUNT}(?: Ante {AMOUNT})? - ")
_HEAD = re.compile(r"Full ?Tilt ?Poker Game #(?P<hand>\d+): (?P<table>.*?) - ")
_DATE = re.compile(r" - (\d{1,2}):(\d\d):(\d\d) ([A-Z]{2,4}) - (\d{4})/(\d\d)/(\d\d)")
_SEAT = re.compile(rf"Seat (\d+): (.*) \({AMOUNT}\)(, is sitting out)?")
_BUTTON = re.compile(r"The button is in seat #(\d+)")


def read_fulltilt(text: str) -> Histories:
    """The hands of a Full Tilt text.

    >>> read = read_fulltilt('''Full Tilt Poker Game #7: Table Rigel - NL Hold'em - $1/$2 - 20:00:00 ET - 2012/05/01
    ... Seat 1: Ann ($200)
    ... Seat 2: Bob ($200)
    ... Ann posts the small blind of $1
    ... Bob posts the big blind of $2
    ... The button is in seat #1
    ... *** HOLE CARDS ***
    ... Ann folds
    ... Uncalled bet of $1 returned to Bob
    ... Bob mucks
    ... Bob wins the pot ($2)
    ... *** SUMMARY ***
    ... Total pot $2 | Rake $0
    ... ''')
    >>> read.hands[0].names, read.hands[0].finishing
    (('Bob', 'Ann'), (20100, 19900))
    """
    return read_all(
        split_hands(text, BEGINS),
        _read_hand,
        no_hand="no hand of Full Tilt: one begins with a line like Full Tilt Poker Game #123: Table Rigel - NL Hold'em",
    )


def _read_hand(lines: list[Line]) -> HandRecord:
    refuse_what_felt_cannot_keep(lines)
    players, rest = read_seats(lines, _SEAT)
    button = next((int(match[1]) for line in lines if (match := _BUTTON.match(line.text))), 0)
    header = _header(lines[0], [player.stack for player in players])
    return read_lines(rest, header, players, button=button, reader=_FullTiltReader)


def _header(line: Line, stacks: Sequence[Decimal]) -> Header:
    head, game, stakes = _HEAD.match(line.text), _GAME.search(line.text), _STAKES.search(line.text)
    if not head or not game:
        raise LineError(line, f"no game that is read here: {', '.join(GAMES)}, each with its limit")
    if not stakes:
        raise LineError(line, "no stakes like $1/$2 in it")
    low, high = parse_amount(stakes[2]), parse_amount(stakes[3])
    cash = bool(stakes["money"])
    capped = game["cap"].rpartition(" - ")[2].strip()
    amount = re.match(AMOUNT, capped)
    cap = parse_amount(amount[1]) if amount else high * CAP_IN_BIG_BLINDS if capped == "CAP" else Decimal(0)
    return Header(
        hand_id=head["hand"],
        game=GAMES[game["game"]],
        structure=LIMITS[game["limit"]],
        low=low,
        high=high,
        places=max(decimals([low, high, cap, *stacks]), 2 if cash else 0),
        cap=cap,
        currency=CURRENCIES.get(stakes["money"], "") if cash else "",
        meta=_meta(line.text, head["table"]),
    )


def _meta(text: str, table: str) -> dict[str, str]:
    meta = {"venue": "Full Tilt Poker", "table": table.removeprefix("Table ")}
    date = _DATE.search(text)
    if date:
        hour, minute, second, zone, year, month, day = date.groups()
        meta |= {**date_fields(year, month, day, hour, minute, second), "time_zone": zone}
    return meta


class _FullTiltReader(
    RoomReader,
    patterns=(
        (r"folds$", lambda hand, i, match: hand.fold(i)),
        (r"checks$", lambda hand, i, match: hand.call(i)),
        (
            rf"(?:raises|completes it) to {AMOUNT}",
            lambda hand, i, match: hand.raise_to(i, hand.chips(parse_amount(match[1]))),
        ),
        (rf"antes {AMOUNT}", lambda hand, i, match: hand.ante(i, parse_amount(match[1]))),
        (rf"posts a dead small blind of {AMOUNT}", lambda hand, i, match: hand.ante(i, parse_amount(match[1]))),
        (rf"posts the (small|big) blind of {AMOUNT}", read_post),
        (rf"(?:posts a )?(straddle)s? (?:of |for )?{AMOUNT}", read_post),
        (rf"posts {AMOUNT}", lambda hand, i, match: hand.post(i, parse_amount(match[1]), "extra")),
        (r"discards (\d) cards?(?: \[(.*)\])?$", read_discards),
        (r"is sitting out$", lambda hand, i, match: hand.sit_out(i)),
        (r"has returned$", lambda hand, i, match: hand.come_back(i)),
        (r"mucks$", lambda hand, i, match: hand.muck(i)),
        (rf"(?:wins|ties for) .*?pot.*?\({AMOUNT}\)", lambda hand, i, match: hand.collect(i, parse_amount(match[1]))),
    ),
):
    def action(self, text: str) -> None:
        """Nothing marks where a name ends, so the longest one after which an action follows is meant."""
        for i in sorted(range(len(self.names)), key=lambda i: -len(self.names[i])):
            name = self.names[i] + " "
            if text.startswith(name) and self.act(i, text.removeprefix(name)):
                return
