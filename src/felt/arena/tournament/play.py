"""One tournament, from the draw for seats to the last hand: who sits where, whose blind it is, and who has to move."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from felt.agents.conductor import conduct_in_step
from felt.agents.dice import Dice, SeatDice
from felt.agents.tables import Ints, Moves, Tables
from felt.arena.conductor.lockstep import find_wrong_moves
from felt.arena.conductor.table import Table
from felt.arena.schedule.workplace import HANDS, PlayedHand, Record, hand_number
from felt.games.engine.batch import VariedBatch
from felt.games.hand import Hand
from felt.games.rules import GameRules
from felt.solvers.pushfold.icm import icm

if TYPE_CHECKING:
    from felt.arena.tournament.spec import Tournament

Played = Callable[[int, int], GameRules]
"""The game by level and number of players; the same object every time."""

NOT_A_PLAYER = -1
"""The number of the dice that draw the seats."""
MOST_HANDS = 10_000_000
EMPTY = -1
FEW = 64
"""Fewer hands of one kind are played one by one: that is quicker, and the same."""


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
                min(self.tables, key=len).join(player)
                self.moves += 1

    def _balance(self) -> None:
        """Move whoever would have the next big blind of the largest table to the smallest."""
        while True:
            largest, smallest = max(self.tables, key=len), min(self.tables, key=len)
            if len(largest) - len(smallest) <= 1:
                return
            player = largest.next_to_pay()
            largest.leave(player)
            smallest.join(player)
            self.moves += 1


def play_once(tournament: "Tournament", number: int, table: Table) -> Record:
    """Play a tournament to the end; its record, as `felt.arena.tournament.result` reads it."""
    state = TournamentState(tournament, number)
    while not state.over:
        before = state.begin_round()
        state.end_round([hand.play(tournament.seed, table) for hand in before])
    return state.record()


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

    @classmethod
    def at(cls, seats: "Seats", rules: Played, level: int, stacks: Sequence[int], number: int) -> "Dealt":
        """The next hand at a table; the blind moves on. `stacks` are those of all players of the run."""
        players, blind = seats.move_blind()
        game = rules(level, len(players))
        ahead = 1 if len(players) == 2 and game.heads_up_button_blind else 2
        chips = [stacks[player] for player in players]
        return cls(game, players, chips, (blind - ahead) % len(players), number, level)

    def play(self, seed: int, table: Table) -> Sequence[int]:
        """Everybody's chips after the hand, by seat."""
        hand = Hand.new(self.rules, self.stacks, seed, number=self.number, button=self.button)
        moves: list[int] = []
        table.play(hand, self.number, self.players, moves)
        if table.played is not None:
            table.played[self.number] = self.to_log(moves)
        return hand.stacks

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
        level, rules = self._rounds // self._tournament.schedule.hands, self._tournament.rules
        tables = [seats for seats in self._room.tables if len(seats) > 1]
        self._dealt = [
            Dealt.at(seats, rules, level, self._stacks, self.numbered(hand))
            for hand, seats in enumerate(tables, self._hands)
        ]
        self._hands += len(tables)
        if self._hands > MOST_HANDS:
            raise AssertionError(f"run {self._number} has no end: {MOST_HANDS:,} hands were played")
        return self._dealt

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


# Many tournaments in step


class WrongMoveError(Exception):
    """An agent has made a move that is not legal."""


def play_together(tournament: "Tournament", numbers: Sequence[int], *, with_hands: bool = False) -> list[Record] | None:
    """The records of these runs, played in step: a round of each at a time, and all hands of one kind at once.

    For agents of ours that decide at many tables at once. The records are those of `play_once`, to the chip; None if
    something went wrong, and they have to be played one by one, where it is seen whose fault it is.
    """
    try:
        return _Floor(tournament, with_hands).play([TournamentState(tournament, number) for number in numbers])
    except AssertionError:
        raise
    except Exception:
        return None


class _Floor:
    """Plays the hands of all tournaments."""

    def __init__(self, tournament: "Tournament", with_hands: bool) -> None:
        self._agents: list[Any] = [entrant.make() for entrant in tournament.entrants]
        self._lineup = np.array(tournament.lineup)
        self._seed = tournament.seed
        plain = [tournament.entrants[entry].make() for entry in tournament.lineup]
        self._table = Table(
            plain, seed=tournament.seed, penalty=tournament.penalty, timeout=tournament.timeout,
            names=tournament.player_names,
        )  # fmt: skip
        self._table.played = {} if with_hands else None

    def play(self, states: list[TournamentState]) -> list[Record]:
        """Play them all to the end."""
        going = states
        while going:
            rounds = [state.begin_round() for state in going]
            after = self._round([hand for dealt in rounds for hand in dealt])
            begin = 0
            for state, dealt in zip(going, rounds, strict=True):
                state.end_round(after[begin : begin + len(dealt)])
                begin += len(dealt)
            going = [state for state in going if not state.over]
        if not self._table.conduct.clean:
            raise WrongMoveError(self._table.conduct.incidents[0].message)
        records, played = [state.record() for state in states], self._table.played
        if played is not None:
            for state, record in zip(states, records, strict=True):
                record[HANDS] = [played[state.numbered(hand)] for hand in range(record["hands"])]
        return records

    def _round(self, dealt: list[Dealt]) -> list[Sequence[int]]:
        """Everybody's chips after these hands: those of one kind are played in step."""
        kinds: dict[tuple[int, int], list[int]] = {}
        for place, hand in enumerate(dealt):
            kinds.setdefault((id(hand.rules), len(hand.players)), []).append(place)
        after: list[Sequence[int]] = [()] * len(dealt)
        for places in kinds.values():
            hands = [dealt[place] for place in places]
            in_step = len(hands) >= FEW
            played = self._hands(hands) if in_step else [hand.play(self._seed, self._table) for hand in hands]
            for place, chips in zip(places, played, strict=True):
                after[place] = chips
        return after

    def _hands(self, dealt: list[Dealt]) -> Sequence[Sequence[int]]:
        numbers, players = np.array([hand.number for hand in dealt]), np.array([hand.players for hand in dealt])
        stacks, buttons = [hand.stacks for hand in dealt], [hand.button for hand in dealt]
        batch = VariedBatch(dealt[0].rules, stacks, buttons, seed=self._seed, deals=numbers)
        dice = SeatDice(numbers, players, lambda: batch.turn, self._seed)

        def decide(entry: int, rows: NDArray[np.intp], steps: list[Ints], places: list[NDArray[np.int32]]) -> Moves:
            agent, names = self._agents[entry], self._table.names
            tables = Tables(batch, rows, dice, steps, places, seating=players, names=names)
            moves, amounts = (np.array(part, dtype=np.int64) for part in agent.act_batch(tables))
            if find_wrong_moves(tables, moves, amounts).any():
                raise WrongMoveError(f"{agent} makes a move that is not legal")
            return moves, amounts

        steps = conduct_in_step(batch, self._lineup[players], decide)
        if self._table.played is not None:
            for hand, codes in zip(dealt, np.array(steps).T, strict=True):
                self._table.played[hand.number] = hand.to_log(codes[codes >= 0].tolist())
        chips: list[list[int]] = batch.chips.tolist()
        return chips
