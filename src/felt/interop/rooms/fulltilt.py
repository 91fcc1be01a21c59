"""Full Tilt Poker hand histories: cash games, tournaments, play money, mixed games.

What the room wrote after 2012, in the style of PokerStars, is read by `felt.interop.rooms.pokerstars`.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import ClassVar

from felt.games.rules import Structure
from felt.interop.histories import ALL_IN, AMOUNT, CHIPS, Histories, decimals, parse_amount
from felt.interop.rooms.reader import COMMON, CURRENCIES, DAY, LIMITS, TIME, Actions, RoomReader, date_of, one_of
from felt.interop.rooms.table_hand import Header, Seated, TableHand
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

_LIMITS = {**LIMITS, "NL": Structure.NO_LIMIT, "PL": Structure.POT_LIMIT, "FL": Structure.LIMIT}
CAP_IN_BIG_BLINDS = 30
"""The cap of a game that is called CAP and does not say how much that is."""

_GAME = re.compile(rf" - (?P<cap>.*?)(?P<limit>{one_of(_LIMITS)}) (?P<game>{one_of(GAMES)}) - ")
_STAKES = re.compile(rf" - (?P<money>[^()\d\s-]{{0,4}}){AMOUNT}/{AMOUNT}(?: Ante {AMOUNT})? - ")
_HEAD = re.compile(r"Full ?Tilt ?Poker Game #(?P<hand>\d+): (?P<table>.*?) - ")
_DATE = re.compile(rf" - {TIME} (?P<zone>[A-Z]{{2,4}}) - {DAY}")
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
        _FullTiltReader.read_hand,
        no_hand="no hand of Full Tilt: one begins with a line like Full Tilt Poker Game #123: Table Rigel - NL Hold'em",
    )


class _FullTiltReader(RoomReader):
    seat = re.compile(rf"Seat (\d+): (.*) \({AMOUNT}\)(, is sitting out)?")
    actions: ClassVar[Actions] = {
        r"folds$": TableHand.fold,
        r"checks$": TableHand.call,
        rf"(?:raises|completes it) to {CHIPS}": TableHand.raise_to,
        rf"antes {CHIPS}": TableHand.ante,
        rf"posts a dead small blind of {CHIPS}": TableHand.ante,
        rf"posts the (?P<blind>small|big) blind of {CHIPS}{ALL_IN}": TableHand.post,
        rf"(?:posts a )?(?P<blind>straddle)s? (?:of |for )?{CHIPS}{ALL_IN}": TableHand.post,
        rf"posts {CHIPS}": TableHand.post,
        r"discards (?P<count>\d) cards?(?: \[(?P<cards>.*)\])?$": TableHand.draw,
        r"is sitting out$": TableHand.sit_out,
        r"has returned$": TableHand.come_back,
        r"mucks$": TableHand.muck,
        rf"(?:wins|ties for) .*?pot.*?\({CHIPS}\)": TableHand.collect,
        **COMMON,
    }

    @staticmethod
    def header(lines: Sequence[Line], players: Sequence[Seated], rest: Sequence[Line]) -> Header:
        line = lines[0]
        head, game, stakes = _HEAD.match(line.text), _GAME.search(line.text), _STAKES.search(line.text)
        if not head or not game:
            raise LineError(line, f"no game that is read here: {', '.join(GAMES)}, each with its limit")
        if not stakes:
            raise LineError(line, "no stakes like $1/$2 in it")
        low, high = parse_amount(stakes[2]), parse_amount(stakes[3])
        capped = game["cap"].rpartition(" - ")[2].strip()
        cap = high * CAP_IN_BIG_BLINDS if capped == "CAP" else Decimal(0)
        if amount := re.match(AMOUNT, capped):
            cap = parse_amount(amount[1])
        amounts = [low, high, cap, *(player.stack for player in players)]
        meta = {"venue": "Full Tilt Poker", "table": head["table"].removeprefix("Table ")}
        return Header(
            hand_id=head["hand"],
            game=GAMES[game["game"]],
            structure=_LIMITS[game["limit"]],
            low=low,
            high=high,
            places=max(decimals(amounts), 2 if stakes["money"] else 0),
            cap=cap,
            currency=CURRENCIES.get(stakes["money"], ""),
            button=next((int(match[1]) for line in lines if (match := _BUTTON.match(line.text))), 0),
            meta=meta | date_of(_DATE.search(line.text)),
        )

    def action(self, text: str) -> None:
        """Nothing marks where a name ends, so the longest one after which an action follows is meant."""
        for i in sorted(range(len(self.names)), key=lambda i: -len(self.names[i])):
            name = self.names[i] + " "
            if text.startswith(name) and self.act(i, text.removeprefix(name), self.actions):
                return
