"""Logs of the Annual Computer Poker Competition: dealer logs (``STATE:…``) and traces of messages (``MATCHSTATE:…``).

A log does not hold its game, only the name of a file with it. The games of the competition are known here; others
are given as rules, which `felt.interop.acpc.game` reads from ``.game`` files, or stand in comments, as Felt writes
them. The dealer divides pots to fractions of a
chip; where a log has them, all its chips are counted in that fraction, and `HandRecord.unit` says which.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache, partial

from felt.games.amounts import in_unit
from felt.games.history import UNKNOWN, Event, HandRecord
from felt.games.moves import EventKind
from felt.games.rules import MAX_CHIPS, MAX_PLAYERS, First, GameRules, Structure
from felt.interop.acpc.game import GAME_BEGINS, GAME_ENDS, definition_text, read_acpc_game
from felt.interop.histories import Histories, HistoryError, Problem, check_cards, quoted, read_each
from felt.interop.phh.actions import read_cards
from felt.interop.results import FINEST_PART
from felt.interop.rooms.ledger import Ledger
from felt.interop.variants import Game, SourceStakes, make_rules

STACK = 20_000
"""What everybody has in the competition's no-limit games; limit games have no stacks, so nobody runs out there."""

LIMIT_STACK_IN_BETS = 100
_STATE = re.compile(r"STATE:(\d{1,12}):([^:]*):([^:]*):([^:]*):([^:]*)")
_MATCHSTATE = re.compile(
    r"(?:(TO|FROM) (\d{1,2}) at [\d.]+ )?MATCHSTATE:(\d{1,2}):(\d{1,12}):([^:]*):([^:\r]*)(?::[^:]*)?"
)
_SCORE = re.compile(r"SCORE:([^:]*):(.*)")
_MOVE = re.compile(r"f|c|r(\d{0,9})|/")
_NUMBER = re.compile(r"-?\d{1,12}(\.\d{1,6})?")


@dataclass
class _LoggedDeal:
    """What the lines of one hand say."""

    line: int
    number: str
    betting: str
    cards: str
    names: tuple[str, ...]
    results: tuple[Fraction, ...] = ()


def read_acpc(text: str, *, game: GameRules | None = None) -> Histories:
    """The hands of a log; `game` where it is none of the competition's usual games of hold'em.

    >>> found = read_acpc("STATE:0:cc/cc/cc/r200c:5d5c|9hQd/8dAs8s/4h/6d:200|-200:ann|bob")
    >>> hand = found.hands[0]
    >>> hand.names, hand.stacks, hand.finishing
    (('ann', 'bob'), (20000, 20000), (20200, 19800))
    """
    deals, problems, scores = _lines(text)
    game = game or _own_game(text)
    limit = _is_limit(text, deals)
    parts = min(math.lcm(*(_parts(deal) for deal in deals)), FINEST_PART)
    hands = (
        (deal.line, deal.number, partial(_record, deal, game or usual_game(len(deal.names), limit=limit), parts))
        for deal in deals
    )
    read = read_each(hands, "no hand of an ACPC log: a line of one begins with STATE: or MATCHSTATE:", problems)
    return replace(read, problems=tuple(sorted(read.problems)), scores=scores)


def _parts(deal: _LoggedDeal) -> int:
    """Into how many parts a chip has to be cut for the results of a hand, or for any that it might have."""
    if deal.results:
        return math.lcm(*(value.denominator for value in deal.results))
    return math.lcm(*range(1, min(len(deal.names), 7)))  # a pot with a folded player's chips in it, shared by the rest


def _lines(text: str) -> tuple[list[_LoggedDeal], list[Problem], dict[str, Fraction]]:
    deals: list[_LoggedDeal] = []
    problems: list[Problem] = []
    scores: dict[str, Fraction] = {}
    traced: dict[str, list[tuple[int, re.Match[str]]]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        try:
            if line.startswith("STATE:"):
                deals.append(_parse_state(number, line))
            elif line.startswith("SCORE:"):
                scores = _parse_scores(line)
            elif "MATCHSTATE:" in line:
                match = _MATCHSTATE.fullmatch(line)
                if not match:
                    raise HistoryError(f"{quoted(line)} is not a message: write MATCHSTATE:position:hand:betting:cards")
                traced.setdefault(match[4], []).append((number, match))
        except HistoryError as error:
            hand = line.split(":")[1] if line.startswith("STATE:") else ""
            problems.append(Problem(number, hand[:12], str(error)))
    for hand, messages in traced.items():
        try:
            deals.append(_merged(hand, messages, list(scores)))
        except HistoryError as error:
            problems.append(Problem(messages[0][0], hand, str(error)))
    return deals, problems, scores


def _parse_state(number: int, line: str) -> _LoggedDeal:
    match = _STATE.fullmatch(line)
    if not match:
        raise HistoryError(f"{quoted(line)} is not a state: write STATE:hand:betting:cards:results:players")
    names = tuple(match[5].split("|"))
    results = tuple(map(_number, match[4].split("|")))
    if len(names) != len(results):
        raise HistoryError(f"{len(results)} results for {len(names)} players")
    return _LoggedDeal(number, match[1], match[2], match[3], names, results)


def _parse_scores(line: str) -> dict[str, Fraction]:
    match = _SCORE.fullmatch(line)
    values, names = (match[1].split("|"), match[2].split("|")) if match else ([], [])
    if not match or len(values) != len(names):
        raise HistoryError(f"{quoted(line)} is not a score: write SCORE:results:players")
    return dict(zip(names, map(_number, values), strict=True))


def _number(text: str) -> Fraction:
    """A result. The dealer writes six digits at most, so thirds come back as thirds."""
    if not _NUMBER.fullmatch(text):
        raise HistoryError(f"{quoted(text)} is not a result: write chips won or lost, like -20 or 12.5")
    return Fraction(text).limit_denominator(FINEST_PART)


def _merged(hand: str, messages: Sequence[tuple[int, re.Match[str]]], names: Sequence[str]) -> _LoggedDeal:
    """One hand from the messages about it: each player is shown other cards, and the last shows the most."""
    line, last = max(messages, key=lambda message: (len(message[1][5]), len(message[1][6])))
    players = last[6].split("/")[0].count("|") + 1
    if not 2 <= players <= MAX_PLAYERS:
        raise HistoryError(f"{players} players: a hand has 2 to {MAX_PLAYERS}")
    hands, board = [""] * players, ""
    seats = [f"player {seat + 1}" for seat in range(players)]
    for _, match in messages:
        shown, _, public = match[6].partition("/")
        private = shown.split("|")
        if len(private) != players or int(match[3]) >= players:
            raise HistoryError(f"the messages of hand {hand} are of different games")
        hands = [old or new for old, new in zip(hands, private, strict=True)]
        board = max(board, public, key=len)
        if match[1] == "TO" and 0 < int(match[2]) <= len(names):
            seats[int(match[3])] = names[int(match[2]) - 1]
    cards = "|".join(hands) + ("/" + board if board else "")
    return _LoggedDeal(line, hand, last[5], cards, tuple(seats))


def _is_limit(text: str, deals: Sequence[_LoggedDeal]) -> bool:
    """Whether a log is of a limit game: its first comment says so, or raises without amounts do."""
    named = next((line for line in text.splitlines() if line.startswith("# name/game/hands/seed")), "")
    if ".nolimit." in named or ".limit." in named:
        return ".limit." in named
    return not any(re.search(r"r\d", deal.betting) for deal in deals)


def _own_game(text: str) -> GameRules | None:
    """The game that the comments of a log define or name, if they do."""
    comments = [line.lstrip("# ").rstrip() for line in text.splitlines() if line.startswith("#")]
    if GAME_BEGINS in comments and GAME_ENDS in comments:
        return read_acpc_game("\n".join(comments[comments.index(GAME_BEGINS) : comments.index(GAME_ENDS) + 1]))
    named = next((line for line in comments if line.startswith("name/game/hands/seed")), "")
    match = re.search(r"\b(kuhn|leduc)\.limit\.(\d)p", named)
    return read_acpc_game(_toy_game(match[1], int(match[2]))) if match else None


def _toy_game(name: str, players: int) -> str:
    """The competition's small games: Kuhn has a rank more than players, Leduc two suits of one more."""
    kuhn = name == "kuhn"
    fields = {
        "numPlayers": [players],
        "numRounds": [1 if kuhn else 2],
        "blind": [1] * players,
        "raiseSize": [1] if kuhn else [2, 4],
        "firstPlayer": [1] if kuhn else [1, 1],
        "maxRaises": [1] if kuhn else [2, 2],
        "numSuits": [1 if kuhn else 2],
        "numRanks": [players + 1],
        "numHoleCards": [1],
        "numBoardCards": [0] if kuhn else [0, 1],
    }
    return definition_text(fields, limit=True)


@cache
def usual_game(players: int, *, limit: bool) -> GameRules:
    """The hold'em of the competition."""
    if limit:
        return make_rules(Game.HOLDEM, SourceStakes(Structure.LIMIT, small=10, big=20, blinds=(5, 10)))
    return replace(make_rules(Game.HOLDEM, SourceStakes(Structure.NO_LIMIT, small=100, blinds=(50, 100))), stack=STACK)


def _record(deal: _LoggedDeal, rules: GameRules, parts: int) -> HandRecord:
    players = len(deal.names)
    if not 2 <= players <= MAX_PLAYERS:
        raise HistoryError(f"{players} players: a hand has 2 to {MAX_PLAYERS}")
    if parts > 1:
        rules = scaled(rules, Fraction(parts))
    posts = _posts(rules, players)
    stack = stack_of(rules)
    if stack * players > MAX_CHIPS:
        each, most = (in_unit(chips, rules.unit) for chips in (stack, MAX_CHIPS))
        raise HistoryError(f"{players} stacks of {each} are more than {most}")
    record = HandRecord(
        rules=rules,
        stacks=(stack,) * players,
        antes=(rules.ante,) * players,
        posts=posts,
        events=(),
        button=players - 1,
        names=deal.names,
        hand_id=deal.number,
        unit=rules.unit,
    )
    record = replace(record, events=tuple(_events(deal, record, parts)))
    check_cards(record)
    if deal.results:
        if any((value * parts).denominator > 1 for value in deal.results):
            raise HistoryError(f"the results {'|'.join(map(str, deal.results))} are no shares of a pot")
        record = replace(record, finishing=tuple(stack + int(value * parts) for value in deal.results))
    return record


def is_limit(rules: GameRules) -> bool:
    """Whether raises have no amounts."""
    return any(part.betting and part.betting.structure == Structure.LIMIT for part in rules.rounds)


def stack_of(rules: GameRules) -> int:
    """What everybody has before a hand; in limit games, which have no stacks, more than can be bet."""
    bets = [part.betting.bet for part in rules.rounds if part.betting]
    return rules.stack or LIMIT_STACK_IN_BETS * max([*bets, *rules.blinds, rules.ante, 1])


def _posts(rules: GameRules, players: int) -> tuple[int, ...]:
    blinds = (*rules.blinds, *([0] * players))[: max(players, len(rules.blinds))]
    if len(blinds) > players:
        raise HistoryError(f"{len(rules.blinds)} blinds for {players} players")
    if players == 2 and rules.heads_up_button_blind:
        return blinds[::-1]
    return blinds


@lru_cache(maxsize=256)
def scaled(rules: GameRules, parts: Fraction) -> GameRules:
    """The same game with every chip cut into so many parts; a fraction puts them together again."""

    def cut(chips: int) -> int:
        return int(chips * parts)

    rounds = tuple(
        replace(part, betting=replace(part.betting, bet=cut(part.betting.bet), most=cut(part.betting.most)))
        if part.betting
        else part
        for part in rules.rounds
    )
    return replace(
        rules,
        rounds=rounds,
        ante=cut(rules.ante),
        blinds=tuple(map(cut, rules.blinds)),
        cap=cut(rules.cap),
        stack=cut(rules.stack),
        unit=rules.unit / float(parts),
    )


def _events(deal: _LoggedDeal, record: HandRecord, parts: int) -> Iterator[Event]:
    private, *boards = deal.cards.split("/")
    hands = private.split("|")
    if len(hands) != record.players:
        raise HistoryError(f"{len(hands)} hands of cards for {record.players} players")
    down = record.rules.rounds[0].down
    for seat, text in enumerate(hands):
        cards = read_cards(text) if text else (UNKNOWN,) * down
        if len(cards) != down:
            raise HistoryError(f"{quoted(text)} are {len(cards)} cards: {down} are dealt to each player")
        yield Event(EventKind.DOWN, seat, cards=cards)
    table = _Table(record)
    for move, amount in _moves(deal.betting):
        if move == "/":
            street = table.next_street()
            board = read_cards(boards[street - 1]) if street <= len(boards) else ()
            if len(board) != record.rules.rounds[street].board:
                raise HistoryError(f"{len(board)} cards on the {record.rules.rounds[street].name}")
            if board:
                yield Event(EventKind.BOARD, cards=board)
        else:
            yield table.move(move, amount * parts)
    table.check_over()


def _moves(betting: str) -> Iterator[tuple[str, int]]:
    at = 0
    while at < len(betting):
        match = _MOVE.match(betting, at)
        if not match:
            raise HistoryError(
                f"the betting {quoted(betting)} breaks at {quoted(betting[at : at + 10])}: use f, c, r and /"
            )
        yield match[0][0], int(match[1] or 0)
        at = match.end()


class _Table:
    """Whose turn it is. Amounts of raises are told as totals for the hand, or not at all in limit games."""

    def __init__(self, record: HandRecord) -> None:
        self.rules, self.players = record.rules, record.players
        self.ledger = Ledger.of(record)
        self.street = 0
        self.waiting = self._order(self._first())

    def _first(self) -> int:
        """The seat before the first to act."""
        if self.rules.rounds[self.street].first != First.AFTER_BLINDS:
            return self.players - 1
        return 0 if self.players == 2 and self.rules.heads_up_button_blind else len(self.rules.blinds) - 1

    def _order(self, after: int) -> list[int]:
        """Who still has to act, from the left of a seat."""
        seats = [(after + 1 + step) % self.players for step in range(self.players)]
        return [seat for seat in seats if seat in self.ledger.live and self.ledger.playable(seat)]

    def next_street(self) -> int:
        if self.waiting and len(self.ledger.live) > 1 and not self._settled():
            raise HistoryError(f"the betting goes on to another round while seat {self.waiting[0]} has to act")
        self.street += 1
        if self.street >= len(self.rules.rounds):
            raise HistoryError(f"the betting has more rounds than the {len(self.rules.rounds)} of the game")
        self.ledger.next_street()
        self.waiting = self._order(self._first())
        return self.street

    def _settled(self) -> bool:
        """Whether the ones who could still act have nobody to act against."""
        return len(self.waiting) == 1 and len(self._order(0)) == 1 and self.ledger.matched(self.waiting[0]) == 0

    def move(self, move: str, total: int) -> Event:
        if not self.waiting or len(self.ledger.live) == 1:
            raise HistoryError(f"there is a {move!r} more in the betting than players to act")
        seat = self.waiting.pop(0)
        if move == "f":
            self.ledger.fold(seat)
            return Event(EventKind.FOLD, seat)
        if move == "c":
            self.ledger.call(seat)
            return Event(EventKind.CALL, seat)
        amount = self._raise(seat, total)
        self.ledger.raise_to(seat, amount)
        self.waiting = [other for other in self._order(seat) if other != seat]
        return Event(EventKind.RAISE, seat, amount)

    def _raise(self, seat: int, total: int) -> int:
        """The total for the street."""
        betting = self.rules.rounds[self.street].betting
        if betting is None:
            raise HistoryError(f"a raise on the {self.rules.rounds[self.street].name}, where there is no betting")
        before = self.ledger.put[seat] + self.ledger.dead[seat] - self.ledger.bets[seat]
        amount = total - before if total else self.ledger.high + betting.bet
        if not self.ledger.high < amount <= self.ledger.bets[seat] + self.ledger.playable(seat):
            raise HistoryError(f"seat {seat} cannot raise to {total or amount}")
        return amount

    def check_over(self) -> None:
        if len(self.ledger.live) == 1:
            return
        if self.street + 1 < len(self.rules.rounds) or (self.waiting and not self._settled()):
            raise HistoryError("the hand breaks off before its end")
