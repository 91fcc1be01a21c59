"""The tables of a log: one star for matches, leagues, competitions, tournaments, rings and evolutions.

A log is a folder. Each match of it, or a whole tournament, ring or evolution, has a folder ``match=0001`` in it:

- ``match.json`` describes it: the kind, all that decides it, the command, the version of Felt and when it was started;
- ``players.parquet`` and ``players/``: the players by number, with names that stay the same in every hand;
- ``tables.parquet``: the places in a set of hands, of matches;
- ``actions/``, ``hands/`` and, of tournaments, rings and evolutions, ``runs/``: the hands in parts.

A part has a file in each folder, written in this order under another name and then renamed. The last of them makes the
part count (`felt.store.log.part_writer`). So whatever ends a match, its log is whole.

`COLUMNS` and `SEAT_COLUMNS` are all columns that a file may have. A column of which all values are NULL is left out of
a file, and the reader puts it back (`felt.store.log.part_reader.rows`): so logs of Felt 0.1, which have fewer columns,
are read in the same way, and a later column needs no second format. These are empty today: `date` (a hand that was
played elsewhere has one; of others, `match.json` says when they were started) and the rows of `actions` that no player
decides (`EVENTS`).
"""

from collections.abc import Mapping

FORMAT = 2
"""Raised when what a log means changes. 1: Felt 0.1, where runs were lines of JSON."""

DESCRIPTION = "match.json"
PLAYERS, TABLES, ACTIONS, HANDS, RUNS = "players", "tables", "actions", "hands", "runs"

_PLACE = {"run": "BIGINT", "place": "BIGINT", "level": "INTEGER", "seats": "INTEGER", "button": "INTEGER"}
"""Of hands of tournaments, rings and evolutions: the run, the number of the hand in it, the level of the stakes, how
many sit at the table, and the button. In a match all sit at the table, and the button is the last seat."""

COLUMNS: Mapping[str, Mapping[str, str]] = {
    PLAYERS: {
        "player": "INTEGER",
        "name": "VARCHAR",
        "spec": "VARCHAR",  # the agent
        "agent": "VARCHAR",  # the name under which its players are counted together
    },
    TABLES: {"seating": "INTEGER", "lane": "INTEGER"},
    RUNS: {"run": "BIGINT", "record": "VARCHAR"},  # what came of a run, as JSON
    HANDS: {
        "hand": "BIGINT",  # the number in the match, or in all runs
        "set": "BIGINT",
        "seating": "BIGINT",
        "deal": "BIGINT",
        **_PLACE,
        "big_blind": "INTEGER",
        "date": "TIMESTAMP",
        "board": "BIGINT",
        "pot": "INTEGER",
        "rake": "INTEGER",
        "shown": "INTEGER",
        "actions": "INTEGER",
    },
    ACTIONS: {
        "hand": "BIGINT",
        **_PLACE,
        "player": "INTEGER",
        "number": "INTEGER",
        "street": "INTEGER",
        "seat": "INTEGER",
        "move": "INTEGER",  # a `Move`, or of `EVENTS`
        "amount": "INTEGER",
        "added": "INTEGER",
        "all_in": "BOOLEAN",
        "to_call": "INTEGER",
        "least": "INTEGER",
        "most": "INTEGER",
        "pot": "INTEGER",
        "live": "INTEGER",
        "board": "BIGINT",
        "hole_cards": "BIGINT",  # of the player who acts, where they are known
    },
}
"""Columns of each table, with the types that SQL has for them."""

SEAT_COLUMNS: Mapping[str, Mapping[str, str]] = {
    HANDS: {
        "player": "INTEGER",
        "stack": "INTEGER",
        "cards": "BIGINT",
        "payoff": "INTEGER",
        "adjusted": "DOUBLE",
    },
    ACTIONS: {"stack": "INTEGER", "bet": "INTEGER", "up": "BIGINT", "cards": "TINYINT"},
}
"""Columns that a table has for each seat: ``player_0``, ``player_1`` and so on."""

EVENTS = ("ante", "blind", "down", "up", "board", "rolled", "show", "muck", "return", "win")
"""What happens in a hand and is no decision: the first has the code 4 in the column `move`, after the four of `Move`.
`amount` has the chips, `hole_cards` or `board` the cards."""
DECISIONS = "move < 4"
"""The rows of actions that players decided, as SQL has them."""


def empty_table(table: str, seats: int) -> str:
    """A table without rows and with all columns, for so many seats, as SQL has it."""
    by_seat = {f"{name}_{seat}": kind for name, kind in SEAT_COLUMNS.get(table, {}).items() for seat in range(seats)}
    columns = {**COLUMNS[table], **by_seat, "filename": "VARCHAR"}
    return f"SELECT {', '.join(f'NULL::{kind} AS {name}' for name, kind in columns.items())} WHERE false"
