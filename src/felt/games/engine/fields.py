"""Where each number of a hand stands: offsets into the two arrays that the kernels see.

A record's chips and counters are 32-bit numbers, its cards bytes behind them; kernels are handed the same memory as
``h`` (int32) and ``k`` (bytes), which compiles faster and runs faster than fields by name. `HAND` and `GAME` in
`felt.games.record` are made from this list. ``g`` is a game: a row for each field of a round, a column a round;
and a last row with what belongs to the whole game.
"""

SEATS = 10
"""Players that a record has room for."""

# h: chips by seat
STACKS, BETS, PUT, WON, ASIDE = range(0, 50, 10)
CHIP_FIELDS = ("stacks", "bets", "put", "won", "aside")

# h: one number each
SCALAR_FIELDS = (
    "dead",  # chips in the pot that belong to nobody's bet
    "missing",  # chips that short and dead blinds lack, which a pot-limit bet counts before the flop
    "high",  # the bet to match
    "raise_size",  # the least whole raise; in limit games what is missing from one
    "rake",
    "live",  # bits of the players who have not folded
    "acted",  # bits of those who have acted since the last full bet or raise
    "exchanged",  # bits of those who have exchanged cards in this phase
    "shown",  # bits of those who were in the showdown
    "players",
    "button",
    "street",
    "phase",
    "turn",
    "aggressor",
    "opener",
    "raises",  # bets and raises of the street, as a cap counts them
    "bring_in",  # 1 while it has to be posted
    "board_count",
    "deck_at",
    "deck_count",
    "muck_count",
    "version",
)
(
    DEAD, MISSING, HIGH, RAISE_SIZE, RAKE, LIVE, ACTED, EXCHANGED, SHOWN, PLAYERS, BUTTON, STREET, PHASE, TURN,
    AGGRESSOR, OPENER, RAISES, BRING_IN, BOARD_COUNT, DECK_AT, DECK_COUNT, MUCK_COUNT, VERSION,
) = range(50, 50 + len(SCALAR_FIELDS))  # fmt: skip
NUMBERS = 50 + len(SCALAR_FIELDS)

# k: bytes
BYTE_FIELDS = (("count", 10), ("up", 10), ("chosen", 10), ("cards", 70), ("board", 8), ("deck", 54), ("muck", 54))
CARDS_EACH = 7
"""Cards that a player can hold."""
COUNT, UP, CHOSEN, CARDS, BOARD, DECK, MUCK = 0, 10, 20, 30, 100, 108, 162
BYTES = 216

# g: a row for each field of a round
ROUND_FIELDS = (
    "down", "up", "board", "passes", "pass_left", "discards", "draw_least", "draw_most", "structure", "bet", "most",
    "max_raises", "first", "clockwise", "rolls",
)  # fmt: skip
(
    DOWN_IN, UP_IN, BOARD_IN, PASSES_IN, PASS_LEFT_IN, DISCARDS_IN, DRAW_LEAST_IN, DRAW_MOST_IN, STRUCTURE_IN, BET_IN,
    MOST_IN, MAX_RAISES_IN, FIRST_IN, CLOCKWISE_IN, ROLLS_IN,
) = range(15)  # fmt: skip
METHOD, ACE_LOW, SCALARS, GAME_ROWS = 15, 16, 17, 18
GAME_FIELDS = (
    "rounds", "bring_in", "blinds", "size", "hole_exactly", "kinds", "odd_by_suit", "rake_millionths", "rake_cap",
    "rake_from", "wild",
)  # fmt: skip
(
    GAME_ROUNDS, GAME_BRING_IN, GAME_BLINDS, GAME_SIZE, GAME_HOLE_EXACTLY, GAME_KINDS, GAME_ODD_BY_SUIT,
    GAME_RAKE_MILLIONTHS, GAME_RAKE_CAP, GAME_RAKE_FROM, GAME_WILD,
) = range(11)  # fmt: skip
GAME_COLUMNS = 11
