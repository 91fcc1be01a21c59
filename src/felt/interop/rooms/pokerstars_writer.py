"""Hands written as PokerStars text, as other programs import it.

The text has one hero, whose cards it tells; those of others only where they are shown. What PokerStars has no words
for, such as the name of an event, is left out.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from felt.cards.ranking.evaluator import rank, rank_omaha
from felt.cards.ranking.kinds import hand_class
from felt.cards.ranking.names import room_words
from felt.errors import FeltError
from felt.games.history import UNKNOWN, Event, HandRecord
from felt.games.rules import GameRules, Structure
from felt.interop.histories import HistoryError, button_last, in_money
from felt.interop.results import payoffs_of, with_showdown
from felt.interop.rooms.ledger import Ledger, pots_of
from felt.interop.rooms.pokerstars import GAMES
from felt.interop.rooms.pokerstars_play import Play, card_names
from felt.interop.rooms.reader import LIMITS
from felt.interop.rooms.text import LONGEST, escape_name, plain_names, quoted_letter
from felt.interop.variants import STUD_GAMES, Game, game_of

_GAME_NAMES = {game: name for name, game in GAMES.items()}
_LIMIT_NAMES = {structure: name for name, structure in LIMITS.items()}
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_TABLES = (2, 6, 9, 10)


def write_pokerstars(records: Sequence[HandRecord], *, hero: str = "") -> str:
    """These hands as PokerStars text; `hero` names the player whose cards are told, unless the record does.

    >>> from felt.interop.acpc.log import read_acpc
    >>> log = "STATE:7:cc/cc/cc/r200c:5d5c|9hQd/8dAs8s/4h/6d:200|-200:ann|bob"
    >>> print(write_pokerstars(read_acpc(log).hands))
    PokerStars Hand #7:  Hold'em No Limit (50/100) - 1970/01/01 0:00:00 ET
    Table 'Felt' 2-max Seat #2 is the button
    Seat 1: ann (20000 in chips)
    Seat 2: bob (20000 in chips)
    ...
    """
    return "\n\n\n".join("\n".join(_Writer(record, hero).lines()) + "\n" for record in records)


class _Writer:
    """One hand, told line by line."""

    def __init__(self, record: HandRecord, hero: str) -> None:
        record = with_showdown(button_last(record))
        self.record, self.rules = record, record.rules
        self.game, self.structure = game_of(record.rules)
        if self.game not in _GAME_NAMES or self.structure not in _LIMIT_NAMES:
            raise HistoryError(f"PokerStars text has no name for {record.rules.title or record.rules.name}")
        if record.players == 2 and not record.rules.heads_up_button_blind:
            raise HistoryError("heads-up, PokerStars has the small blind on the button, and this game has not")
        self.names = plain_names(record.names, record.players)
        shown = dict(zip(record.names, self.names, strict=False))
        self.hero = shown.get(record.meta.get("hero") or hero, "")
        self.sign = _SIGNS.get(record.currency, "") if record.currency else ""
        self.seats = self._seats()
        self.play = Play(record, self.game, self.names, self.hero)

    def _seats(self) -> list[int]:
        """Chairs by seat: those of the source, if they go round the table in order."""
        try:
            chairs = json.loads(self.record.meta.get("seats", ""))
        except ValueError:
            chairs = None
        count = self.record.players
        if isinstance(chairs, list) and len(chairs) == count and all(isinstance(chair, int) for chair in chairs):
            turn = chairs.index(min(chairs))
            rotated = chairs[turn:] + chairs[:turn]
            if rotated == sorted(set(chairs)) and rotated[0] > 0 and (turn == 0 or self.game not in STUD_GAMES):
                return chairs
        return list(range(1, count + 1))

    def money(self, chips: int) -> str:
        return self.sign + in_money(chips, self.record.unit)

    def lines(self) -> Iterator[str]:
        payoffs = payoffs_of(self.record)
        yield self._head()
        yield self._table()
        for seat in sorted(range(self.record.players), key=lambda seat: self.seats[seat]):
            away = " is sitting out" if seat in self.record.sitting_out else ""
            chips = self.money(self.record.stacks[seat])
            yield f"Seat {self.seats[seat]}: {self.names[seat]} ({chips} in chips){away}"
        yield from self._posts()
        yield f"*** {self.play.opening()} ***"
        yield from self.play.lines(self.money, self._all_in)
        collected = self._collected(payoffs)
        pots = pots_of(self.play.ledger, collected)
        yield from self._showdown(pots)
        yield "*** SUMMARY ***"
        yield from self._summary(pots, collected)

    # The beginning

    def _head(self) -> str:
        meta = self.record.meta
        venue = meta.get("venue", "")
        site = venue if re.fullmatch(r"PokerStars(?: Zoom| Home Game)?", venue) else "PokerStars"
        name = f"{_GAME_NAMES[self.game]} {_LIMIT_NAMES[self.structure]}"
        number = self.record.hand_id if self.record.hand_id.isascii() and self.record.hand_id.isdigit() else "0"
        event = re.fullmatch(r"Tournament #\d+", meta.get("event", ""))
        if event:
            level = re.fullmatch(r"\w{1,12}", meta.get("level", ""))
            name = f"{name} - Level {level[0] if level else 'I'}"
        tournament = f" {event[0]}, Freeroll" if event else ""
        return f"{site} Hand #{number}:{tournament}  {name} {self._stakes()} - {self._date()}"

    def _stakes(self) -> str:
        bets = [part.betting.bet for part in self.rules.rounds if part.betting]
        currency = f" {self.record.currency}" if re.fullmatch("[A-Z]{3}", self.record.currency) else ""
        if self.game == Game.SHORT_DECK:
            ante = self.money(self.rules.ante)
            return f"(Button Blind {self.money(bets[0])} - Ante {ante}{currency})"
        if self.structure == Structure.LIMIT:
            low, high = bets[0], bets[-1]
        else:
            small = self.rules.blinds[0] if len(self.rules.blinds) > 1 else 0
            low, high = small or bets[0] // 2, bets[0]
        cap = f" - {self.money(self.rules.cap)} Cap - " if self.rules.cap else ""
        return f"({self.money(low)}/{self.money(high)}{cap}{currency})"

    def _date(self) -> str:
        meta = self.record.meta
        year, month, day = (meta.get(key, default) for key, default in (("year", "1970"), ("month", "1"), ("day", "1")))
        hour, minute, second = (meta.get("time", "").split(":") + ["00"] * 3)[:3]
        if not all(re.fullmatch("[0-9]{1,4}", part) for part in (year, month, day, hour or "0", minute, second[:2])):
            return "1970/01/01 0:00:00 ET"
        zone = meta.get("time_zone", "ET")
        zone = zone if re.fullmatch(r"[A-Z]{2,4}", zone) else "ET"
        return f"{int(year):04}/{int(month):02}/{int(day):02} {int(hour or 0)}:{minute}:{second[:2]} {zone}"

    def _table(self) -> str:
        most = self.record.meta.get("seat_count", "")
        fitting = [size for size in _TABLES if size >= max(self.seats)]
        size = most if most.isdigit() and int(most) >= max(self.seats) else str(fitting[0] if fitting else 10)
        table = " ".join(self.record.meta.get("table", "Felt").split()) or "Felt"
        table = "".join(letter if letter.isprintable() else quoted_letter(letter) for letter in table[:LONGEST])
        if re.search(r"-max|button|' |:", table):  # it would tell of seats
            table = escape_name(table).replace("'", quoted_letter("'"))
        button = "" if self.game in STUD_GAMES else f" Seat #{self.seats[-1]} is the button"
        return f"Table '{table}' {size}-max{button}"

    # Posting: a ledger of its own, since the other one is past it

    def _posts(self) -> Iterator[str]:
        record = self.record
        ledger = Ledger(record.stacks, cap=self.rules.cap)
        each = min(record.antes)
        late = {seat for seat, role in self._roles() if role == "late"}
        for seat in sorted(range(record.players), key=lambda seat: self.seats[seat]):
            missed = record.antes[seat] - each if seat in late else 0
            ante = ledger.ante(seat, record.antes[seat] - missed)
            if ante:
                yield f"{self.names[seat]}: posts the ante {self.money(ante)}{self._all_in(ledger, seat)}"
        for seat, role in self._roles():
            missed = record.antes[seat] - each if role == "late" else 0
            dead, live = ledger.ante(seat, missed), ledger.post(seat, record.posts[seat])
            if dead + live:
                post = "small & big blinds" if dead else "big blind" if role == "late" else role
                yield f"{self.names[seat]}: posts {post} {self.money(dead + live)}{self._all_in(ledger, seat)}"

    def _roles(self) -> list[tuple[int, str]]:
        """Who posts what, in the order of posting."""
        posts, count = self.record.posts, self.record.players
        forced = [seat for seat in range(count) if posts[seat] and self._forced(seat)]
        if count == 2:
            forced.reverse()
        if self.game == Game.SHORT_DECK:
            words = ["button blind"] * len(forced)
        elif len(forced) == 1:
            words = ["big blind"]
        else:
            words = ["small blind", "big blind", *(["straddle"] * count)]
        late = [(seat, "late") for seat in range(count) if posts[seat] and seat not in forced]
        return [*zip(forced, words, strict=False), *late]

    def _forced(self, seat: int) -> bool:
        blinds = self.rules.blinds[::-1] if self.record.players == 2 else self.rules.blinds
        return self.record.players == 2 or (seat < len(blinds) and blinds[seat] > 0)

    def _all_in(self, ledger: Ledger, seat: int) -> str:
        if ledger.playable(seat):
            return ""
        if self.rules.cap and ledger.stacks[seat]:
            return f" and has reached the {self.money(self.rules.cap)} cap"
        return " and is all-in"

    # The end

    def _collected(self, payoffs: Sequence[int]) -> list[int]:
        """Chips from the pot by seat, uncalled bets left out."""
        ledger = self.play.ledger
        seat, over = ledger.uncalled()
        return [
            stack + won - ledger.stacks[i] - (over if i == seat else 0)
            for i, (stack, won) in enumerate(zip(self.record.stacks, payoffs, strict=True))
        ]

    def _showdown(self, pots: Sequence[Mapping[int, int]]) -> Iterator[str]:
        if len(self.play.ledger.live) > 1:
            yield "*** SHOW DOWN ***"
            for event in self.play.at_showdown:
                yield self._shows(event)
        for i, pot in enumerate(reversed(pots)):
            name = _pot_name(len(pots) - 1 - i, len(pots))
            for seat, chips in pot.items():
                if not self._sold(seat):
                    yield f"{self.names[seat]} collected {self.money(chips)} from {name}"
        for seat, chips in enumerate(self.record.cash_outs):
            if chips:
                yield f"{self.names[seat]} cashed out the hand for {self.money(chips)}"
        if len(self.play.ledger.live) == 1:
            (winner,) = self.play.ledger.live
            shown = [event for event in self.play.at_showdown if event.seat == winner and event.cards]
            yield self._shows(shown[0]) if shown else self._keeps_quiet(winner)

    def _sold(self, seat: int) -> int:
        """What the room paid for the hand of a seat: it gets what the hand wins."""
        return self.record.cash_outs[seat] if self.record.cash_outs else 0

    def _keeps_quiet(self, winner: int) -> str:
        """A winner without a showdown; some of the cards are known only if they were shown."""
        known = [card for card in self.play.held[winner] if card != UNKNOWN]
        if known and len(known) < len(self.play.held[winner]) and self.game not in STUD_GAMES:
            return f"{self.names[winner]}: shows [{card_names(known)}]"
        return f"{self.names[winner]}: doesn't show hand"

    def _shows(self, event: Event) -> str:
        cards = self.play.shown.get(event.seat, event.cards)
        if not cards:
            return f"{self.names[event.seat]}: mucks hand"
        words = self._words(event.seat)
        return f"{self.names[event.seat]}: shows [{card_names(cards)}]{f' ({words})' if words else ''}"

    def _words(self, seat: int) -> str:
        cards = self.play.shown.get(seat, ())
        return shown_hand(self.rules, cards, tuple(self.play.board)) if cards and UNKNOWN not in cards else ""

    def _summary(self, pots: Sequence[Mapping[int, int]], collected: Sequence[int]) -> Iterator[str]:
        ledger, rake = self.play.ledger, self.record.rake
        parts = ""
        if len(pots) > 1:
            totals = enumerate(sum(pot.values()) for pot in pots)
            parts = "".join(f" {_pot_name(i, len(pots)).capitalize()} {self.money(total)}." for i, total in totals)
        total = ledger.pot - ledger.uncalled()[1]
        yield f"Total pot {self.money(total)}{parts} | Rake {self.money(rake)}"
        if self.play.board:
            yield f"Board [{card_names(self.play.board)}]"
        for seat in sorted(range(self.record.players), key=lambda seat: self.seats[seat]):
            yield f"Seat {self.seats[seat]}: {self.names[seat]}{self._place(seat)} {self._fate(seat, collected[seat])}"

    def _place(self, seat: int) -> str:
        button = seat == self.record.players - 1 and self.game not in STUD_GAMES
        role = next((role for other, role in self._roles() if other == seat and role != "late"), "")
        blind = role if role in ("small blind", "big blind") else ""
        return (" (button)" if button else "") + (f" ({blind})" if blind else "")

    def _fate(self, seat: int, won: int) -> str:
        if seat in self.play.folds:
            return self.play.folds[seat]
        if seat in self.play.shown and len(self.play.ledger.live) > 1:
            words = self._words(seat)
            end = f" with {words}" if words else ""
            shown = f"showed [{card_names(self.play.shown[seat])}]"
            sold = " (pot not awarded as player cashed out)" if self._sold(seat) else ""
            return f"{shown} and won ({self.money(won)}){end}{sold}" if won else f"{shown} and lost{end}"
        if won:
            return f"collected ({self.money(won)})"
        known = [card for card in self.play.held[seat] if card != UNKNOWN]
        return f"mucked [{card_names(known)}]" if known else "mucked"


def _pot_name(number: int, pots: int) -> str:
    if pots == 1:
        return "pot"
    if number == 0:
        return "main pot"
    return "side pot" if pots == 2 else f"side pot-{number}"


def shown_hand(rules: GameRules, hole: tuple[int, ...], board: tuple[int, ...]) -> str:
    """What a shown hand is, such as ``two pair, Kings and Fours`` or ``HI: …; LO: 8,5,4,2,A``.

    >>> from felt.cards import parse_cards
    >>> from felt.games import load
    >>> shown_hand(load("nlhe"), parse_cards("AhKs"), parse_cards("5c4c4hQsKc"))
    'two pair, Kings and Fours'
    """
    parts = []
    for kind in rules.showdown.kinds:
        try:
            value = rank_omaha(hole, board, kind) if rules.showdown.hole_exactly == 2 else rank(hole + board, kind)
        except FeltError:  # a hand that is not all there has no name
            continue
        made_hand = hand_class(value, kind)
        if made_hand is not None:
            parts.append((kind.startswith("low"), room_words(made_hand)))
    if len(rules.showdown.kinds) == 2:
        return "; ".join(f"{'LO' if low else 'HI'}: {words}" for low, words in parts)
    return ", ".join(f"Lo: {words}" if low else words for low, words in parts)
