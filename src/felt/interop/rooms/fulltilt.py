"""Full Tilt Poker hand histories: cash games, tournaments, play money, mixed games.

What the room wrote after 2012, in the style of PokerStars, is read by `felt.interop.pokerstars`.
"""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from felt.games.history import HandRecord
from felt.games.rules import Structure
from felt.interop.amounts import AMOUNT, decimals, parse_amount
from felt.interop.histories import Histories
from felt.interop.room_reader import CURRENCIES, SUMMARY, RoomReader, read_lines, refuse_what_felt_cannot_keep
from felt.interop.room_seats import Header, Seated
from felt.interop.room_text import Line, LineError, read_all, read_cards, split_hands
from felt.interop.rooms import TableHand
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

    >>> found = read_fulltilt('''Full Tilt Poker Game #7: Table Rigel - NL Hold'em - $1/$2 - 20:00:00 ET - 2012/05/01
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
    >>> found.hands[0].names, found.hands[0].finishing
    (('Bob', 'Ann'), (20100, 19900))
    """
    return read_all(
        split_hands(text, BEGINS),
        _read_hand,
        no_hand="no hand of Full Tilt: one begins with a line like Full Tilt Poker Game #123: Table Rigel - NL Hold'em",
    )


def _read_hand(lines: list[Line]) -> HandRecord:
    refuse_what_felt_cannot_keep(lines)
    end = next((i for i, line in enumerate(lines) if line.text.startswith(SUMMARY)), len(lines))
    seated = [_SEAT.fullmatch(line.text) if i < end else None for i, line in enumerate(lines)]
    players = [
        Seated(int(found[1]), found[2], parse_amount(found[3]), sitting_out=bool(found[4])) for found in seated if found
    ]
    button = next((int(found[1]) for line in lines if (found := _BUTTON.match(line.text))), 0)
    header = _header(lines[0], [player.stack for player in players])
    return read_lines(lines, header, players, button=button, skip=[bool(found) for found in seated], reader=_Reader)


def _header(line: Line, stacks: Sequence[Decimal]) -> Header:
    head, game, stakes = _HEAD.match(line.text), _GAME.search(line.text), _STAKES.search(line.text)
    if not head or not game:
        raise LineError(line, f"no game that is read here: {', '.join(GAMES)}, each with its limit")
    if not stakes:
        raise LineError(line, "no stakes like $1/$2 in it")
    low, high = parse_amount(stakes[2]), parse_amount(stakes[3])
    cash = bool(stakes["money"])
    capped = game["cap"].rpartition(" - ")[2].strip()
    said = re.match(AMOUNT, capped)
    cap = parse_amount(said[1]) if said else high * CAP_IN_BIG_BLINDS if capped == "CAP" else Decimal(0)
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
        meta |= {"year": year, "month": str(int(month)), "day": str(int(day))}
        meta |= {"time": f"{int(hour):02}:{minute}:{second}", "time_zone": zone}
    return meta


class _Reader(RoomReader):
    def action(self, text: str) -> None:
        """Nothing marks where a name ends, so the longest one after which an action follows is meant."""
        for i in sorted(range(len(self.names)), key=lambda i: -len(self.names[i])):
            if text.startswith(self.names[i] + " "):
                rest = text[len(self.names[i]) + 1 :]
                for pattern, act in _ACTIONS:
                    found = pattern.match(rest)
                    if found:
                        act(self.hand, i, found)
                        return


Action = Callable[[TableHand, int, re.Match[str]], None]


def _posts(hand: TableHand, i: int, found: re.Match[str]) -> None:
    hand.post(i, parse_amount(found[2]), found[1], all_in="all in" in found.string)


def _discards(hand: TableHand, i: int, found: re.Match[str]) -> None:
    hand.draw(i, int(found[1]), read_cards(found[2]) if found[2] else ())


_PATTERNS: tuple[tuple[str, Action], ...] = (
    (r"folds$", lambda hand, i, found: hand.fold(i)),
    (r"checks$", lambda hand, i, found: hand.call(i)),
    (rf"calls {AMOUNT}", lambda hand, i, found: hand.call(i, parse_amount(found[1]))),
    (rf"bets {AMOUNT}", lambda hand, i, found: hand.bet(i, parse_amount(found[1]))),
    (
        rf"(?:raises|completes it) to {AMOUNT}",
        lambda hand, i, found: hand.raise_to(i, hand.chips(parse_amount(found[1]))),
    ),
    (rf"brings in for {AMOUNT}", lambda hand, i, found: hand.bring_it_in(i, parse_amount(found[1]))),
    (rf"antes {AMOUNT}", lambda hand, i, found: hand.ante(i, parse_amount(found[1]))),
    (rf"posts a dead small blind of {AMOUNT}", lambda hand, i, found: hand.ante(i, parse_amount(found[1]))),
    (rf"posts the (small|big) blind of {AMOUNT}", _posts),
    (rf"(?:posts a )?(straddle)s? (?:of |for )?{AMOUNT}", _posts),
    (rf"posts {AMOUNT}", lambda hand, i, found: hand.post(i, parse_amount(found[1]), "extra")),
    (r"discards (\d) cards?(?: \[(.*)\])?$", _discards),
    (r"stands pat", lambda hand, i, found: hand.draw(i, 0)),
    (r"shows \[(.*?)\]", lambda hand, i, found: hand.show(i, read_cards(found[1]))),
    (r"is sitting out$", lambda hand, i, found: hand.sit_out(i)),
    (r"has returned$", lambda hand, i, found: hand.come_back(i)),
    (r"mucks$", lambda hand, i, found: hand.muck(i)),
    (rf"(?:wins|ties for) .*?pot.*?\({AMOUNT}\)", lambda hand, i, found: hand.collect(i, parse_amount(found[1]))),
)
_ACTIONS = tuple((re.compile(pattern), act) for pattern, act in _PATTERNS)
