"""Where each number of a hand stands: offsets into the two arrays that the kernels see.

A record's chips and counters are 32-bit numbers, its cards bytes behind them; kernels are handed the same memory as
``h`` (int32) and ``k`` (bytes), which compiles faster and runs faster than fields by name. `HAND` and `GAME` in
`felt.games.engine.record` are made from this list. ``g`` is a game: a row for each field of a round, a column a round;
and a last row with what belongs to the whole game.
"""

from itertools import accumulate

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
    "runs",  # reserved: how many times the rest of the board is dealt, where players run it twice; 0 as 1
)
(
    DEAD, MISSING, HIGH, RAISE_SIZE, RAKE, LIVE, ACTED, EXCHANGED, SHOWN, PLAYERS, BUTTON, STREET, PHASE, TURN,
    AGGRESSOR, OPENER, RAISES, BRING_IN, BOARD_COUNT, DECK_AT, DECK_COUNT, MUCK_COUNT, VERSION, RUNS,
) = range(50, 50 + len(SCALAR_FIELDS))  # fmt: skip
NUMBERS = 50 + len(SCALAR_FIELDS)

# k: bytes
CARDS_EACH, BOARD_SIZE, MOST_BOARDS, DECK_SIZE = 7, 8, 4, 108
"""Room for the cards of a player, of a board, for boards, and for a deck: two packs with two jokers each."""
BYTE_FIELDS = (
    ("count", SEATS),  # cards that each player holds
    ("up", SEATS),  # bits of those that lie face up
    ("chosen", SEATS),  # bits of those that are to be passed or turned up
    ("cards", SEATS * CARDS_EACH),
    ("board", BOARD_SIZE),
    ("other_boards", (MOST_BOARDS - 1) * BOARD_SIZE),  # reserved: the second board, and both when they are run again
    ("other_counts", MOST_BOARDS),  # reserved: cards on each of these; the last is unused
    ("deck", DECK_SIZE),
    ("muck", DECK_SIZE),
)
COUNT, UP, CHOSEN, CARDS, BOARD, OTHER_BOARDS, OTHER_COUNTS, DECK, MUCK, BYTES = accumulate(
    (size for _, size in BYTE_FIELDS), initial=0
)

# What the player to act may do, as `felt.games.engine.kernels.legal` writes it and batches have it by table
MAY_FOLD, TO_CALL, LEAST_RAISE, MOST_RAISE, LEAST_CARDS, MOST_CARDS = LEGAL_FIELDS = tuple(range(6))
"""1 or 0; chips, -1 where there is nothing to call or check; least and most total for the street of a bet or raise, 0
where none is allowed; fewest and most cards to exchange, -1 where there is betting."""

# Room that a showdown works in: numbers by seat and cards
VALUE_ROOM, CARD_ROOM = (3, SEATS), (2, 16)
CONTESTED = 2
"""The row of values, behind those of two kinds of hand, for the chips that are still to be divided."""
ALL_CARDS, PICKED = 0, 1
"""The rows of cards: those of a player and the board, and those of them that make a hand."""

# What kinds of hand need beside tables of ranks: `felt.games.engine.compiled`
BADUGI_VALUES, WILD_SET, SCORING = range(3)

# g: a row for each field of a round
ROUND_FIELDS = (
    "down", "up", "board", "passes", "pass_left", "discards", "draw_least", "draw_most", "structure", "bet", "most",
    "max_raises", "first", "clockwise", "rolls",
)  # fmt: skip
(
    DOWN_IN, UP_IN, BOARD_IN, PASSES_IN, PASS_LEFT_IN, DISCARDS_IN, DRAW_LEAST_IN, DRAW_MOST_IN, STRUCTURE_IN, BET_IN,
    MOST_IN, MAX_RAISES_IN, FIRST_IN, CLOCKWISE_IN, ROLLS_IN,
) = range(15)  # fmt: skip
# g: rows for the kinds of hand that share the pot, a column each; then one for the whole game
METHOD, ACE_LOW, HOLE_EXACTLY, SCALARS, GAME_ROWS = 15, 16, 17, 18, 19
"""`HOLE_EXACTLY`: how many hole cards a hand of the kind must use; 0 for any number."""
NO_BETTING, NO_LIMIT, LIMIT, POT_LIMIT, SPREAD = range(5)
"""`STRUCTURE_IN`: by the names of `felt.games.rules.Structure`."""
AFTER_BUTTON, AFTER_BLINDS, LOWEST_UP, HIGHEST_UP, BEST_UP, BEST_LOW_UP = range(6)
"""`FIRST_IN`: by the names of `felt.games.rules.First`."""
PLAIN, LOW_27, BADUGI, FORMULAS, WILD = range(5)
"""`METHOD`, how a kind is ranked; plain is by the hash of ranks, where a flush is the best of all or counts nothing."""
BUG = 62
"""The bit of the game's wild cards that says that jokers are bugs."""
GAME_FIELDS = (
    "rounds", "bring_in", "blinds", "size", "kinds", "odd_by_suit", "rake_millionths", "rake_cap", "rake_from", "wild",
)  # fmt: skip
(
    GAME_ROUNDS, GAME_BRING_IN, GAME_BLINDS, GAME_SIZE, GAME_KINDS, GAME_ODD_BY_SUIT, GAME_RAKE_MILLIONTHS,
    GAME_RAKE_CAP, GAME_RAKE_FROM, GAME_WILD,
) = range(10)  # fmt: skip
GAME_COLUMNS = 11
