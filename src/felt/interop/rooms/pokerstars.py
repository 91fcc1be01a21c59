"""PokerStars hand histories in English: cash games, tournaments, play money, home games, mixed games."""

import re
from collections.abc import Sequence
from typing import ClassVar

from felt.interop.histories import ALL_IN, AMOUNT, CHIPS, Histories, HistoryError, decimals, parse_amount
from felt.interop.rooms.reader import COMMON, CURRENCIES, DAY, LIMITS, TIME, Actions, RoomReader, date_of, one_of
from felt.interop.rooms.table_hand import Header, Seated, TableHand
from felt.interop.rooms.text import Line, LineError, find_player, read_all, split_hands
from felt.interop.variants import Game

BEGINS = re.compile(r"(?!Full Tilt Poker )(?:[^\s:]+ ){0,4}(?:Hand|Game) #\d+:", re.IGNORECASE)
GAMES = {
    "Hold'em": Game.HOLDEM,
    "6+ Hold'em": Game.SHORT_DECK,
    "Omaha": Game.OMAHA,
    "Omaha Hi/Lo": Game.OMAHA8,
    "5 Card Omaha": Game.OMAHA5,
    "5 Card Omaha Hi/Lo": Game.OMAHA5_8,
    "6 Card Omaha": Game.OMAHA6,
    "7 Card Stud": Game.STUD,
    "7 Card Stud Hi/Lo": Game.STUD8,
    "Razz": Game.RAZZ,
    "5 Card Draw": Game.DRAW,
    "Single Draw 2-7 Lowball": Game.SINGLE_DRAW,
    "Triple Draw 2-7 Lowball": Game.TRIPLE_DRAW,
    "Badugi": Game.BADUGI,
}
"""What PokerStars calls the games."""

_GAMES = {name.lower(): game for name, game in GAMES.items()}
_HEAD = re.compile(r"(?P<site>.*?)(?:Hand|Game) #(?P<hand>\d+):", re.IGNORECASE)
_GAME = re.compile(rf"(?P<game>{one_of(GAMES)}) (?:Fixed )?(?P<limit>{one_of(LIMITS)})", re.IGNORECASE)
_STAKES = re.compile(rf"[(,] ?(?P<money>[^()\d]{{0,4}}){AMOUNT}/{AMOUNT}(?: - {AMOUNT} Cap -)?[^()]*\)")
_BUTTON_BLIND = re.compile(rf"\(Button Blind (?P<money>[^()\d]{{0,4}}){AMOUNT}[^()]*\)")
_DATE = re.compile(rf"{DAY} (?:- )?{TIME}(?: \(?(?P<zone>[A-Z]{{2,4}})\b)?")
_CHIPS = re.compile(r" collected |: (?:posts|bets|calls|raises) | in chips")
_FRACTION = re.compile(r"[ (][^\d\s]?(\d[\d,]{0,12}\.\d{1,4})(?=[ ).]|$)")
_TABLE = re.compile(r"Table '(?P<table>.*)'(?: (?P<max>\d+)-max)?(?:.*?Seat #(?P<button>\d+) is the button)?")


def read_pokerstars(text: str) -> Histories:
    """The hands of a PokerStars text.

    >>> histories = read_pokerstars('''PokerStars Hand #1: Hold'em No Limit ($1/$2 USD) - 2024/05/01 20:00:00 ET
    ... Table 'Aldebaran' 2-max Seat #1 is the button
    ... Seat 1: Ann ($200 in chips)
    ... Seat 2: Bob ($200 in chips)
    ... Ann: posts small blind $1
    ... Bob: posts big blind $2
    ... *** HOLE CARDS ***
    ... Ann: folds
    ... Uncalled bet ($1) returned to Bob
    ... Bob collected $2 from pot
    ... *** SUMMARY ***
    ... Total pot $2 | Rake $0
    ... ''')
    >>> hand = histories.hands[0]
    >>> hand.names, hand.stacks, hand.finishing, hand.unit
    (('Bob', 'Ann'), (20000, 20000), (20100, 19900), 0.01)
    """
    return read_all(
        split_hands(text, BEGINS),
        _PokerStarsReader.read_hand,
        no_hand="no hand of PokerStars: one begins with a line like PokerStars Hand #123: Hold'em No Limit ($1/$2 USD)",
    )


def _without_name(text: str, names: Sequence[str]) -> str:
    """A line about chips from the verb on: names may hold numbers too."""
    text = re.sub(r"^Seat \d+: ", "", text)
    i, rest = find_player(text, names, ": ")
    return rest if i >= 0 else " " + find_player(text, names, " ")[1]


def _meta(text: str, head: re.Match[str], table: re.Match[str], tournament: re.Match[str] | None) -> dict[str, str]:
    meta = {"venue": head["site"].strip() or "PokerStars", "table": table["table"]}
    if table["max"]:
        meta["seat_count"] = table["max"]
    meta |= date_of(_DATE.search(text))
    if tournament:
        meta["event"] = f"Tournament #{tournament[1]}"
        if level := re.search(r"Level (\w+)", text):
            meta["level"] = level[1]
    return meta


_WITHOUT_COLON: Actions = {
    rf"(?:collected|wins) {CHIPS} from (?:the )?(?:main |side )?pot": TableHand.collect,
    rf"(?i:cashed out the hand for) {CHIPS}": TableHand.cash_out,
    r"has returned": TableHand.come_back,
}


class _PokerStarsReader(RoomReader):
    seat = re.compile(rf"Seat (\d+): (.*) \({AMOUNT} in chips.*?\)(.*)")
    actions: ClassVar[Actions] = {
        r"folds\b(?: \[(?P<cards>.*)\])?": TableHand.fold,
        r"checks\b": TableHand.call,
        rf"raises {AMOUNT} to {CHIPS}": TableHand.raise_to,
        rf"posts the ante {CHIPS}": TableHand.ante,
        rf"posts small & big blinds {CHIPS}": TableHand.post_both,
        rf"posts (?P<blind>small|big|button) blind {CHIPS}{ALL_IN}": TableHand.post,
        rf"posts (?:a )?(?P<blind>straddle) {CHIPS}{ALL_IN}": TableHand.post,
        r"discards (?P<count>\d) cards?(?: \[(?P<cards>.*)\])?": TableHand.draw,
        r"mucks hand": TableHand.muck,
        rf"cashed out the hand for {CHIPS}": TableHand.cash_out,
        r"is sitting out|sits out": TableHand.sit_out,
        r"doesn't show hand|has timed out|is (dis)?connected|said|Table deposit": lambda *_: None,
        **COMMON,
    }

    @staticmethod
    def header(lines: Sequence[Line], players: Sequence[Seated], rest: Sequence[Line]) -> Header:
        line = lines[0]
        table = next((match for other in lines[1:4] if (match := _TABLE.match(other.text))), None)
        if table is None:
            raise LineError(line, "the line with the table is missing after it")
        head, game = _HEAD.match(line.text), _GAME.search(line.text)
        if not head or not game:
            raise LineError(line, f"no game that is read here: {', '.join(GAMES)}, each with its limit, in English")
        stakes = _STAKES.search(line.text, game.end()) or _BUTTON_BLIND.search(line.text)
        if not stakes:
            raise LineError(line, "no stakes like ($1/$2 USD) in it")
        money, *amounts = stakes.groups()
        low, high, cap = (
            parse_amount(amount or "0") for amount in (amounts if len(amounts) == 3 else [*amounts * 2, ""])
        )
        tournament = re.search(r"Tournament #(\d+)", line.text, re.IGNORECASE)
        currency = re.search(r"\b([A-Z]{3})\)", stakes[0])
        cash = bool(money.strip() or currency) and not tournament
        names = [player.name for player in players]
        chips = [_without_name(other.text, names) for other in rest if _CHIPS.search(other.text)]
        fractions = [parse_amount(amount) for text in chips for amount in _FRACTION.findall(text)]
        return Header(
            hand_id=head["hand"],
            game=_GAMES[game["game"].lower()],
            structure=LIMITS[game["limit"].title()],
            low=low,
            high=high,
            places=max(decimals([low, high, cap, *fractions, *(player.stack for player in players)]), 2 if cash else 0),
            cap=cap,
            currency=(currency[1] if currency else CURRENCIES.get(money.strip(), "")) if cash else "",
            button=int(table["button"] or 0),
            meta=_meta(line.text, head, table, tournament),
        )

    def action(self, text: str) -> None:
        i, rest = find_player(text, self.names, ": ")
        if i >= 0:
            if not self.act(i, rest, self.actions):
                raise HistoryError("an action that is not known here")
            return
        i, rest = find_player(text, self.names, " ")
        if i >= 0:
            self.act(i, rest, _WITHOUT_COLON)
        elif re.search(r": (?:folds|checks|(?:calls|bets|raises|posts) .*\d)", text):
            raise HistoryError("nobody of that name sits at the table")
