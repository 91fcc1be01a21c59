"""PokerStars hand histories in English: cash games, tournaments, play money, home games, mixed games."""

import re
from collections.abc import Sequence
from decimal import Decimal

from felt.games.history import HandRecord
from felt.games.rules import Structure
from felt.interop.histories import AMOUNT, Histories, HistoryError, decimals, parse_amount
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
from felt.interop.rooms.table_hand import TableHand
from felt.interop.rooms.text import Line, LineError, find_player, read_all, read_cards, split_hands
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

LIMITS = {"No Limit": Structure.NO_LIMIT, "Pot Limit": Structure.POT_LIMIT, "Limit": Structure.LIMIT}

_GAMES = {name.lower(): game for name, game in GAMES.items()}
_HEAD = re.compile(r"(?P<site>.*?)(?:Hand|Game) #(?P<hand>\d+):", re.IGNORECASE)
_GAME = re.compile(
    rf"(?P<game>{'|'.join(re.escape(name) for name in sorted(GAMES, key=len, reverse=True))}) "
    r"(?:Fixed )?(?P<limit>No Limit|Pot Limit|Limit)",
    re.IGNORECASE,
)
_STAKES = re.compile(rf"[(,] ?(?P<money>[^()\d]{{0,4}}){AMOUNT}/{AMOUNT}(?: - {AMOUNT} Cap -)?[^()]*\)")
_BUTTON_BLIND = re.compile(rf"\(Button Blind (?P<money>[^()\d]{{0,4}}){AMOUNT}[^()]*\)")
_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d) (?:- )?(\d{1,2}):(\d\d):(\d\d)(?: \(?([A-Z]{2,4})\b)?")
_CHIPS = re.compile(r" collected |: (?:posts|bets|calls|raises) | in chips")
_FRACTION = re.compile(r"[ (][^\d\s]?(\d[\d,]{0,12}\.\d{1,4})(?=[ ).]|$)")
_TABLE = re.compile(r"Table '(?P<table>.*)'(?: (?P<max>\d+)-max)?(?:.*?Seat #(?P<button>\d+) is the button)?")
_SEAT = re.compile(rf"Seat (\d+): (.*) \({AMOUNT} in chips.*?\)(.*)")


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
        _read_hand,
        no_hand="no hand of PokerStars: one begins with a line like PokerStars Hand #123: Hold'em No Limit ($1/$2 USD)",
    )


def _read_hand(lines: list[Line]) -> HandRecord:
    refuse_what_felt_cannot_keep(lines)
    table = next((m for line in lines[1:4] if (m := _TABLE.match(line.text))), None)
    if table is None:
        raise LineError(lines[0], "the line with the table is missing after it")
    players, rest = read_seats(lines, _SEAT)
    names = [player.name for player in players]
    chips = [_without_name(line.text, names) for line in rest if _CHIPS.search(line.text)]
    amounts = [parse_amount(amount) for text in chips for amount in _FRACTION.findall(text)]
    header = _header(lines[0], table, [*amounts, *(player.stack for player in players)])
    return read_lines(rest, header, players, button=int(table["button"] or 0), reader=_PokerStarsReader)


def _without_name(text: str, names: Sequence[str]) -> str:
    """A line about chips from the verb on: names may hold numbers too."""
    text = re.sub(r"^Seat \d+: ", "", text)
    i, rest = find_player(text, names, ": ")
    return rest if i >= 0 else " " + find_player(text, names, " ")[1]


def _header(line: Line, table: re.Match[str], amounts: Sequence[Decimal]) -> Header:
    head, game = _HEAD.match(line.text), _GAME.search(line.text)
    if not head or not game:
        raise LineError(line, f"no game that is read here: {', '.join(GAMES)}, each with its limit, in English")
    stakes = _STAKES.search(line.text, game.end()) or _BUTTON_BLIND.search(line.text)
    if not stakes:
        raise LineError(line, "no stakes like ($1/$2 USD) in it")
    low, high, cap = map(parse_amount, _three(stakes))
    tournament = re.search(r"Tournament #(\d+)", line.text, re.IGNORECASE)
    currency = re.search(r"\b([A-Z]{3})\)", stakes[0])
    cash = bool(stakes["money"].strip() or currency) and not tournament
    return Header(
        hand_id=head["hand"],
        game=_GAMES[game["game"].lower()],
        structure=LIMITS[game["limit"].title()],
        low=low,
        high=high,
        places=max(decimals([low, high, cap, *amounts]), 2 if cash else 0),
        cap=cap,
        currency=(currency[1] if currency else CURRENCIES.get(stakes["money"].strip(), "")) if cash else "",
        meta=_meta(line.text, head, table, tournament),
    )


def _three(stakes: re.Match[str]) -> tuple[str, str, str]:
    """Both blinds and the cap; a button blind is both."""
    amounts = stakes.groups()[1:]
    return (amounts[0], amounts[1], amounts[2] or "0") if len(amounts) == 3 else (amounts[0], amounts[0], "0")


def _meta(text: str, head: re.Match[str], table: re.Match[str], tournament: re.Match[str] | None) -> dict[str, str]:
    meta = {"venue": head["site"].strip() or "PokerStars", "table": table["table"]}
    if table["max"]:
        meta["seat_count"] = table["max"]
    date = _DATE.search(text)
    if date:
        year, month, day, hour, minute, second, zone = date.groups()
        meta |= date_fields(year, month, day, hour, minute, second)
        if zone:
            meta["time_zone"] = zone
    if tournament:
        meta["event"] = f"Tournament #{tournament[1]}"
        level = re.search(r"Level (\w+)", text)
        if level:
            meta["level"] = level[1]
    return meta


def _read_fold(hand: TableHand, i: int, match: re.Match[str]) -> None:
    hand.fold(i)
    if match[1]:
        hand.learn(i, read_cards(match[1]))


class _PokerStarsReader(
    RoomReader,
    patterns=(
        (r"folds\b(?: \[(.*)\])?", _read_fold),
        (r"checks\b", lambda hand, i, match: hand.call(i)),
        (
            rf"raises {AMOUNT} to {AMOUNT}",
            lambda hand, i, match: hand.raise_to(i, hand.chips(parse_amount(match[2]))),
        ),
        (rf"posts the ante {AMOUNT}", lambda hand, i, match: hand.ante(i, parse_amount(match[1]))),
        (rf"posts small & big blinds {AMOUNT}", lambda hand, i, match: hand.post_both(i, parse_amount(match[1]))),
        (rf"posts (small|big|button) blind {AMOUNT}", read_post),
        (rf"posts (?:a )?(straddle) {AMOUNT}", read_post),
        (r"discards (\d) cards?(?: \[(.*)\])?", read_discards),
        (r"mucks hand", lambda hand, i, match: hand.muck(i)),
        (rf"cashed out the hand for {AMOUNT}", lambda hand, i, match: hand.cash_out(i, parse_amount(match[1]))),
        (r"is sitting out|sits out", lambda hand, i, match: hand.sit_out(i)),
        (r"doesn't show hand|has timed out|is (dis)?connected|said|Table deposit", lambda *_: None),
    ),
):
    def action(self, text: str) -> None:
        i, rest = find_player(text, self.names, ": ")
        if i >= 0:
            if not self.act(i, rest):
                raise HistoryError("an action that is not known here")
            return
        i, rest = find_player(text, self.names, " ")
        won = re.match(rf"(?:collected|wins) {AMOUNT} from (?:the )?(?:main |side )?pot", rest) if i >= 0 else None
        sold = re.match(rf"cashed out the hand for {AMOUNT}", rest, re.IGNORECASE) if i >= 0 else None
        if won:
            self.hand.collect(i, parse_amount(won[1]))
        elif sold:
            self.hand.cash_out(i, parse_amount(sold[1]))
        elif i >= 0 and rest.startswith("has returned"):
            self.hand.come_back(i)
        elif i < 0 and re.search(r": (?:folds|checks|(?:calls|bets|raises|posts) .*\d)", text):
            raise HistoryError("nobody of that name sits at the table")
