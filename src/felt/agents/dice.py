"""An agent's chance: the same numbers one by one in Python and for many tables at once in NumPy.

Numbers come from splitmix64 (Steele, Lea & Flood 2014), whose state is a counter: a hand's stream costs nothing to
begin, and nothing at all if the agent does not use it.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from felt._chance import ALL_BITS, block_seed, seeds_of

STREAM = 0x64696365  # "dice": keeps the chance of agents apart from that of the cards
GOLDEN = 0x9E3779B97F4A7C15
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_TO_UNIT = 2.0**-53


@lru_cache(maxsize=256)
def _own_seed(seed: int, player: int) -> int:
    """A player's own seed: from it nobody can tell that of the match, which deals the cards."""
    return int.from_bytes(sha256(f"{STREAM} {seed} {player}".encode()).digest()[:8])


class Dice(random.Random):
    """A `random.Random`, with all its methods, that is begun anew for every hand.

    >>> dice = Dice(seed=1)
    >>> dice.begin(hand=5)
    >>> first = dice.random()
    >>> dice.begin(hand=5)
    >>> dice.random() == first
    True
    """

    def __new__(cls, seed: int = 0, player: int = 0) -> "Dice":
        """As `random.Random`, which would look at the arguments."""
        return super().__new__(cls)

    def __init__(self, seed: int = 0, player: int = 0) -> None:
        self._seed = _own_seed(seed, player)
        self.begin(0)

    def begin(self, hand: int) -> None:
        """Start the stream of a hand."""
        self.hand, self._state = hand, -1
        self.gauss_next = None  # the second of a pair that `gauss` makes: not to be carried over

    def bits(self) -> int:
        """The next 64 random bits."""
        state = self._state
        if state < 0:
            state = int(block_seed(self._seed, self.hand, STREAM))
        self._state = z = (state + GOLDEN) & ALL_BITS
        z = (z ^ z >> 30) * _FIRST & ALL_BITS
        z = (z ^ z >> 27) * _SECOND & ALL_BITS
        return z ^ z >> 31

    def random(self) -> float:
        """A number from 0 up to 1."""
        return (self.bits() >> 11) * _TO_UNIT

    def getrandbits(self, k: int, /) -> int:
        """`k` random bits."""
        number, have = 0, 0
        while have < k:
            number, have = number << 64 | self.bits(), have + 64
        return number >> (have - k)

    def seed(self, *args: object, **kwargs: object) -> None:
        """Streams are begun by `begin`, not by a seed."""

    def getstate(self) -> tuple[Any, ...]:
        """Where the stream is."""
        return self._seed, self.hand, self._state, self.gauss_next

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go to where a stream was."""
        self._seed, self.hand, self._state, self.gauss_next = state


class ManyDice:
    """The streams of one player for many hands: draws are the same as those of `Dice` for each of them."""

    def __init__(self, hands: NDArray[np.int64], seed: int = 0, player: int = 0) -> None:
        self._hands, self._seed = hands, _own_seed(seed, player)
        self._one = Dice(seed, player)
        self._gauss: dict[int, float | None] = {}

    @cached_property
    def _state(self) -> NDArray[np.uint64]:
        return seeds_of(self._hands, self._seed, STREAM)

    @contextmanager
    def dice(self, row: int) -> Iterator[Dice]:
        """The dice of one hand, as a plain agent throws them; valid until the block ends."""
        dice, streams = self._one, self._state
        dice.setstate((self._seed, int(self._hands[row]), int(streams[row]), self._gauss.get(row)))
        try:
            yield dice
        finally:
            *_, state, gauss = dice.getstate()
            streams[row] = state
            if gauss is not None or row in self._gauss:
                self._gauss[row] = gauss

    def state(self) -> NDArray[np.uint64]:
        """Where all streams are, for `back_to`."""
        return self._state.copy()

    def back_to(self, state: NDArray[np.uint64], rows: NDArray[np.intp]) -> None:
        """Put the streams of these rows back to where they were."""
        self._state[rows] = state[rows]

    def bits(self, rows: NDArray[np.intp]) -> NDArray[np.uint64]:
        """The next 64 random bits of the hands in these rows."""
        z = self._state[rows] + np.uint64(GOLDEN)
        self._state[rows] = z
        z = (z ^ (z >> np.uint64(30))) * np.uint64(_FIRST)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(_SECOND)
        return z ^ (z >> np.uint64(31))

    def random(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The next number from 0 up to 1 of the hands in these rows."""
        return (self.bits(rows) >> np.uint64(11)).astype(np.float64) * _TO_UNIT


class SeatDice(ManyDice):
    """The streams of many players at many tables: those of whoever's turn it is at each."""

    def __init__(
        self, hands: NDArray[np.int64], players: NDArray[np.int64], turn: Callable[[], NDArray[Any]], seed: int = 0
    ) -> None:
        """``players[table, seat]`` are those who play hand ``hands[table]``; `turn` says the seat to act at each."""
        seats = players.shape[1]
        super().__init__(np.repeat(hands, seats), seed)
        self._players, self._seats, self._turn, self._match = players.reshape(-1), seats, turn, seed

    @cached_property
    def _state(self) -> NDArray[np.uint64]:
        streams = np.zeros(len(self._players), dtype=np.uint64)
        for player in np.unique(self._players):
            own = self._players == player
            streams[own] = seeds_of(self._hands[own], _own_seed(self._match, int(player)), STREAM)
        return streams

    def _at(self, rows: Any) -> Any:
        return rows * self._seats + self._turn()[rows]

    @contextmanager
    def dice(self, row: int) -> Iterator[Dice]:
        """The dice of whoever's turn it is at one table."""
        with super().dice(int(self._at(row))) as dice:
            yield dice

    def back_to(self, state: NDArray[np.uint64], rows: NDArray[np.intp]) -> None:
        """Put the streams of those whose turn it is back to where they were."""
        super().back_to(state, self._at(rows))

    def bits(self, rows: NDArray[np.intp]) -> NDArray[np.uint64]:
        """The next 64 random bits of whoever's turn it is at these tables."""
        return super().bits(self._at(rows))
