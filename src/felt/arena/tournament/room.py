"""The tables of a tournament: who sits where, whose blind it is, and who has to move."""

from collections.abc import Iterable, Iterator
from random import Random

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
