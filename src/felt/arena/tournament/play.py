"""One tournament, from the draw for seats to the last hand: who sits where, whose blind it is, and who has to move."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from felt.agents.dice import Dice
from felt.arena.conductor.table import Table
from felt.arena.schedule.records import PlayedHand, Record, hand_number
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.solvers.pushfold.icm import icm

if TYPE_CHECKING:
    from felt.arena.tournament.spec import Tournament

NOT_A_PLAYER = -1
"""The number of the dice that draw the seats."""
MOST_HANDS = 10_000_000
EMPTY = -1


class Seats:
    """One table: a player, or nobody, in each seat.

    The big blind goes to the next player on the left in every hand: nobody who stays pays it twice running, and nobody
    is passed over. The small blind and the button are the two players before; heads-up, the button has the small blind.
    """

    def __init__(self, size: int, players: Iterable[int], blind: int) -> None:
        self.seats = [*players]
        self.seats += [EMPTY] * (size - len(self.seats))
        self.blind = blind
        """The seat that had the big blind last, whoever sits there now."""

    def __len__(self) -> int:
        return len(self.seats) - self.seats.count(EMPTY)

    @property
    def players(self) -> list[int]:
        """Those who sit here, in order."""
        return [player for player in self.seats if player != EMPTY]

    def move_blind(self) -> tuple[list[int], int]:
        """Go on to the next hand: who plays it, in order, and the place of the big blind among them."""
        self.blind = self._next(free=False)
        players = self.players
        return players, players.index(self.seats[self.blind])

    def next_to_pay(self) -> int:
        """The player who would have the next big blind."""
        return self.seats[self._next(free=False)]

    def leave(self, player: int) -> None:
        """Make a seat free."""
        self.seats[self.seats.index(player)] = EMPTY

    def join(self, player: int) -> None:
        """Take the free seat that pays the big blind soonest."""
        self.seats[self._next(free=True)] = player

    def _next(self, *, free: bool) -> int:
        """The next seat on the left of the last big blind, where somebody sits or where nobody does."""
        size, seats = len(self.seats), self.seats
        around = (seat % size for seat in range(self.blind + 1, self.blind + 1 + size))
        return next(seat for seat in around if (seats[seat] == EMPTY) == free)


class Room:
    """All tables. They have as many players as each other, or one fewer, and are no more than are needed."""

    def __init__(self, players: int, size: int, chance: Random) -> None:
        self._size, self._chance = size, chance
        drawn = list(range(players))
        chance.shuffle(drawn)
        count = -(-players // size)
        self.tables = [self._table(drawn[number::count]) for number in range(count)]
        self.moves = 0
        """How often somebody had to change tables."""

    def _table(self, players: list[int]) -> Seats:
        return Seats(self._size, players, self._chance.randrange(len(players)))

    def __iter__(self) -> Iterator[Seats]:
        return iter(self.tables)

    @property
    def players(self) -> list[int]:
        """All who are still in."""
        return [player for table in self.tables for player in table.players]

    def leave(self, gone: Iterable[int]) -> None:
        """Players are out; others move if tables are too many or too uneven."""
        for player in gone:
            next(table for table in self.tables if player in table.seats).leave(player)
        if len(self.tables) > 1:
            self._break_tables()
            self._balance()

    def _break_tables(self) -> None:
        """Break the smallest table, the last of them, as long as all have room at the others."""
        left = sum(map(len, self.tables))
        while len(self.tables) > max(1, -(-left // self._size)):
            fewest = min(map(len, self.tables))
            broken = next(table for table in reversed(self.tables) if len(table) == fewest)
            self.tables.remove(broken)
            if len(self.tables) == 1:  # seats of the final table are drawn anew
                drawn = self.tables[0].players + broken.players
                self._chance.shuffle(drawn)
                self.tables = [self._table(drawn)]
                self.moves += len(broken)
                return
            for player in broken.players:
                self._smallest().join(player)
                self.moves += 1

    def _balance(self) -> None:
        """Move whoever would have the next big blind of the largest table to the smallest."""
        while True:
            largest = max(self.tables, key=len)
            smallest = self._smallest()
            if len(largest) - len(smallest) <= 1:
                return
            player = largest.next_to_pay()
            largest.leave(player)
            smallest.join(player)
            self.moves += 1

    def _smallest(self) -> Seats:
        return min(self.tables, key=len)


def play_once(tournament: "Tournament", number: int, table: Table) -> Record:
    """Play a tournament to the end; its record, as `felt.arena.tournament.result` reads it."""
    state = TournamentState(tournament, number)
    while not state.over:
        before = state.begin_round()
        state.end_round([play_hand(tournament, hand, table) for hand in before])
    return state.record()


def play_hand(tournament: "Tournament", dealt: "Dealt", table: Table) -> Sequence[int]:
    """Everybody's chips after a hand, by seat."""
    hand = Hand.new(dealt.rules, dealt.stacks, tournament.seed, number=dealt.number, button=dealt.button)
    moves: list[int] = []
    table.play(hand, dealt.number, dealt.players, moves)
    if table.played is not None:
        table.played[dealt.number] = dealt.to_log(moves)
    return hand.stacks


class Dealt(NamedTuple):
    """A hand that is to be played."""

    rules: GameRules
    players: list[int]
    """The players, in the order of their seats."""
    stacks: list[int]
    button: int
    number: int
    """Among all hands of all runs."""
    level: int

    def to_log(self, moves: list[int]) -> PlayedHand:
        """The hand as a log keeps it."""
        return self.level, self.button, list(self.players), self.stacks, moves


class TournamentState:
    """The state of one tournament; the hands themselves are played elsewhere.

    All tables play in step, a hand each in every round. So it is played hand for hand from the beginning, and on the
    bubble nobody gains by waiting.
    """

    def __init__(self, tournament: "Tournament", number: int) -> None:
        self._tournament, self._number = tournament, number
        chance = Dice(tournament.seed, NOT_A_PLAYER)
        chance.begin(number)
        self._room = Room(tournament.players, tournament.table_size, chance)
        self._stacks = [tournament.stack] * tournament.players
        self._left = tournament.players
        self._hands = self._rounds = 0
        self._dealt: list[Dealt] = []
        self._out: list[list[int]] = []
        """Who went out, the first of them first; those who share a place together."""
        self._valued: list[list[Any]] | None = None
        self._value()  # few players are on the bubble from the beginning

    @property
    def over(self) -> bool:
        """Whether one has all chips."""
        return self._left == 1

    def record(self) -> Record:
        """The record of the tournament, which is over."""
        (winner,) = self._room.players
        if self._stacks[winner] != self._tournament.chips:
            raise AssertionError(f"the winner has {self._stacks[winner]} of {self._tournament.chips} chips")
        finish = [[winner], *reversed(self._out)]
        record: Record = {
            "hands": self._hands,
            "rounds": self._rounds,
            "moves": self._room.moves,
            "finish": [group[0] if len(group) == 1 else group for group in finish],
        }
        if self._valued is not None:
            record["icm"] = self._valued
        return record

    def numbered(self, hand: int) -> int:
        """The number of a hand of this tournament among those of all."""
        return hand_number(self._number, hand)

    def begin_round(self) -> list[Dealt]:
        """A hand at every table; who sits alone waits."""
        level = self._tournament.schedule.level(self._rounds)
        self._dealt = [self._deal(seats, level) for seats in self._room if len(seats) > 1]
        if self._hands > MOST_HANDS:
            raise AssertionError(f"run {self._number} has no end: {MOST_HANDS:,} hands were played")
        return self._dealt

    def _deal(self, seats: Seats, level: int) -> Dealt:
        players, blind = seats.move_blind()
        count, stacks = len(players), self._stacks
        rules = self._tournament.rules(level, count)
        ahead = 1 if count == 2 and rules.heads_up_button_blind else 2
        number = self.numbered(self._hands)
        self._hands += 1
        return Dealt(rules, players, [stacks[player] for player in players], (blind - ahead) % count, number, level)

    def end_round(self, after: Sequence[Sequence[int]]) -> None:
        """Everybody's chips after the hands of the round, by table and seat; those without any go."""
        stacks, before = self._stacks, list(self._stacks)
        for dealt, chips in zip(self._dealt, after, strict=True):
            if sum(chips) != sum(dealt.stacks):
                raise AssertionError(f"{sum(dealt.stacks)} chips became {sum(chips)} in hand {dealt.number}")
            for player, stack in zip(dealt.players, chips, strict=True):
                stacks[player] = stack
        self._rounds += 1
        gone = [player for dealt in self._dealt for player in dealt.players if stacks[player] == 0]
        if gone:
            self._out += ranked(gone, before)
            self._left -= len(gone)
            self._room.leave(gone)
            self._value()

    def _value(self) -> None:
        """What everybody's chips are worth, once few enough are left."""
        if self._valued is not None or not 2 <= self._left <= self._tournament.icm_at:
            return
        players = sorted(self._room.players)
        chips = [self._stacks[player] for player in players]
        values = icm(chips, self._tournament.payouts.prizes[: self._left])
        self._valued = [list(row) for row in zip(players, chips, values, strict=True)]


def ranked(gone: list[int], before: list[int]) -> list[list[int]]:
    """Those who went out in one round, the worst first: by their chips before it; equals share their places.

    That is PokerStars' rule for simultaneous eliminations hand for hand, at whatever tables; the World Series of Poker
    has those of different tables share.

    >>> ranked([4, 1, 2], before=[0, 30, 10, 0, 30])
    [[2], [1, 4]]
    """
    groups: dict[int, list[int]] = {}
    for player in sorted(gone):
        groups.setdefault(before[player], []).append(player)
    return [groups[chips] for chips in sorted(groups)]
