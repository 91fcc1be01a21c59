"""PokerStars hand histories in English: cash games, tournaments, play money, home games, mixed games."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from felt.games.history import HandRecord
from felt.games.rules import Structure
from felt.interop.amounts import AMOUNT, decimals, parse_amount
from felt.interop.histories import Histories, HistoryError
from felt.interop.room_reader import CURRENCIES, SUMMARY, RoomReader, read_lines, refuse_what_felt_cannot_keep
from felt.interop.room_seats import Header, Seated
from felt.interop.room_text import Line, LineError, find_player, read_all, read_cards, split_hands
from felt.interop.rooms import TableHand
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

    >>> found = read_pokerstars('''PokerStars Hand #1: Hold'em No Limit ($1/$2 USD) - 2024/05/01 20:00:00 ET
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
    >>> hand = found.hands[0]
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
    end = next((i for i, line in enumerate(lines) if line.text.startswith(SUMMARY)), len(lines))
    seated = [_SEAT.fullmatch(line.text) if i < end else None for i, line in enumerate(lines)]
    players = [
        Seated(int(found[1]), found[2], parse_amount(found[3]), sitting_out="is sitting out" in found[4])
        for found in seated
        if found
    ]
    names = [player.name for player in players]
    others = [line.text for line, seat in zip(lines[1:], seated[1:], strict=True) if seat is None]
    chips = [_without_name(text, names) for text in others if _CHIPS.search(text)]
    told = [parse_amount(found) for text in chips for found in _FRACTION.findall(text)]
    header = _header(lines[0], table, [*told, *(player.stack for player in players)])
    skip = [bool(found) for found in seated]
    return read_lines(lines, header, players, button=int(table["button"] or 0), skip=skip, reader=_Reader)


def _without_name(text: str, names: Sequence[str]) -> str:
    """A line about chips from the verb on: names may hold numbers too."""
    text = re.sub(r"^Seat \d+: ", "", text)
    i, rest = find_player(text, names, ": ")
    return rest if i >= 0 else " " + find_player(text, names, " ")[1]


def _header(line: Line, table: re.Match[str], told: Sequence[Decimal]) -> Header:
    head, game = _HEAD.match(line.text), _GAME.search(line.text)
    if not head or not game:
        raise LineError(line, f"no game that is read here: {', '.join(GAMES)}, each with its limit, in English")
    stakes = _STAKES.search(line.text, game.end()) or _BUTTON_BLIND.search(line.text)
    if not stakes:
        raise LineError(line, "no stakes like ($1/$2 USD) in it")
    low, high, cap = (parse_amount(found) for found in _three(stakes))
    tournament = re.search(r"Tournament #(\d+)", line.text, re.IGNORECASE)
    currency = re.search(r"\b([A-Z]{3})\)", stakes[0])
    cash = bool(stakes["money"].strip() or currency) and not tournament
    return Header(
        hand_id=head["hand"],
        game=_GAMES[game["game"].lower()],
        structure=LIMITS[game["limit"].title()],
        low=low,
        high=high,
        places=max(decimals([low, high, cap, *told]), 2 if cash else 0),
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
        meta |= {"year": year, "month": str(int(month)), "day": str(int(day))}
        meta["time"] = f"{int(hour):02}:{minute}:{second}"
        if zone:
            meta["time_zone"] = zone
    if tournament:
        meta["event"] = f"Tournament #{tournament[1]}"
        level = re.search(r"Level (\w+)", text)
        if level:
            meta["level"] = level[1]
    return meta


class _Reader(RoomReader):
    def action(self, text: str) -> None:
        i, rest = find_player(text, self.names, ": ")
        if i >= 0:
            self._act(i, rest)
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

    def _act(self, i: int, text: str) -> None:
        for pattern, act in _ACTIONS:
            found = pattern.match(text)
            if found:
                act(self.hand, i, found)
                return
        raise HistoryError("an action that is not known here")


Action = Callable[[TableHand, int, re.Match[str]], None]


def _folds(hand: TableHand, i: int, found: re.Match[str]) -> None:
    hand.fold(i)
    if found[1]:
        hand.learn(i, read_cards(found[1]))


def _posts(hand: TableHand, i: int, found: re.Match[str]) -> None:
    hand.post(i, parse_amount(found[2]), found[1], all_in="all-in" in found.string)


def _discards(hand: TableHand, i: int, found: re.Match[str]) -> None:
    hand.draw(i, int(found[1]), read_cards(found[2]) if found[2] else ())


_PATTERNS: tuple[tuple[str, Action], ...] = (
    (r"folds\b(?: \[(.*)\])?", _folds),
    (r"checks\b", lambda hand, i, found: hand.call(i)),
    (rf"calls {AMOUNT}", lambda hand, i, found: hand.call(i, parse_amount(found[1]))),
    (rf"bets {AMOUNT}", lambda hand, i, found: hand.bet(i, parse_amount(found[1]))),
    (rf"raises {AMOUNT} to {AMOUNT}", lambda hand, i, found: hand.raise_to(i, hand.chips(parse_amount(found[2])))),
    (rf"brings in for {AMOUNT}", lambda hand, i, found: hand.bring_it_in(i, parse_amount(found[1]))),
    (rf"posts the ante {AMOUNT}", lambda hand, i, found: hand.ante(i, parse_amount(found[1]))),
    (rf"posts small & big blinds {AMOUNT}", lambda hand, i, found: hand.post_both(i, parse_amount(found[1]))),
    (rf"posts (small|big|button) blind {AMOUNT}", _posts),
    (rf"posts (?:a )?(straddle) {AMOUNT}", _posts),
    (r"discards (\d) cards?(?: \[(.*)\])?", _discards),
    (r"stands pat", lambda hand, i, found: hand.draw(i, 0)),
    (r"shows \[(.*?)\]", lambda hand, i, found: hand.show(i, read_cards(found[1]))),
    (r"mucks hand", lambda hand, i, found: hand.muck(i)),
    (rf"cashed out the hand for {AMOUNT}", lambda hand, i, found: hand.cash_out(i, parse_amount(found[1]))),
    (r"is sitting out|sits out", lambda hand, i, found: hand.sit_out(i)),
    (r"doesn't show hand|has timed out|is (dis)?connected|said|Table deposit", lambda *_: None),
)
_ACTIONS = tuple((re.compile(pattern), act) for pattern, act in _PATTERNS)
