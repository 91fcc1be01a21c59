"""The views of a log: its files joined, with names in place of numbers.

Matches, tournaments, rings and evolutions are read together, whatever their columns are: there is NULL in a column that
a file does not have.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from felt.cards.card import CARD_NAMES
from felt.games.rules import Round
from felt.store.files import quoted
from felt.store.log.logged import LoggedMatch
from felt.store.log.part_reader import part_files, rows, select
from felt.store.log.part_writer import SUFFIX
from felt.store.log.schema import ACTIONS, DECISIONS, HANDS, PLAYERS, RUNS, TABLES

VIEWS: Mapping[str, str] = {
    "matches": "one row for each match, tournament, ring or evolution: the game, the seed, the stacks",
    "players": "one row for each player of a match: the name and the agent",
    "tables": "one row for each place in a set of hands: which copies of the agents play there",
    "runs": "one row for each run of a tournament, ring or evolution: hands, who finished where, and so on",
    "hands": "one row for each hand: stakes, cards and board, what was won; lists are by seat",
    "results": "one row for each player of a hand: what they held and what they won",
    "actions": "one row for each action, with the table as it was before it; lists are by seat",
}
"""What can be asked, and what it is."""

PACKED = 8
"""Cards in one number: a byte for each, the first in the lowest."""

MATCHES = "_matches"
"""The table of what the views need to know of each match."""

_INNER = ("positions", "exchanges", "all_in_at", "seats", "shows", "counts")
"""Columns of it that no view has."""
_PLACE = "coalesce(place, hand) AS hand"
_SEATS, _BIG_BLIND = "coalesce({0}.seats, m.seats)", "coalesce({0}.big_blind, m.big_blind)"
_POSITION = "m.positions[{0} + 1][(seat - coalesce(button, {0} - 1) - 1 + {0}) % {0} + 1] AS position"


def statements(matches: Sequence[LoggedMatch]) -> Iterator[str]:
    """The SQL that makes the macro and the views, over the table `MATCHES`."""
    seats = range(max(match.seats for match in matches))
    yield f"CREATE MACRO card_names(packed) AS {card_names('packed')}"
    yield f"CREATE VIEW matches AS SELECT * EXCLUDE ({', '.join(_INNER)}) FROM {MATCHES}"
    files = [file for match in matches for file in [match.folder / f"{PLAYERS}{SUFFIX}"] if file.is_file()]
    files += _files(matches, PLAYERS)
    yield (
        "CREATE VIEW players AS SELECT DISTINCT match, player AS player_id, name AS player, spec, "
        f"coalesce(agent, name) AS agent FROM {rows(files, PLAYERS, 0)} ORDER BY ALL"
    )
    files = [match.folder / f"{TABLES}{SUFFIX}" for match in matches if not match.has_runs]
    yield (
        "CREATE VIEW tables AS SELECT t.match, seating, lane, players AS seats, stack, big_blind "
        f"FROM {rows(files, TABLES, 0)} t JOIN {MATCHES} m USING (match)"
    )
    yield f"CREATE VIEW runs AS {_runs(matches)}"
    yield f"CREATE VIEW hands AS {_hands(matches, seats)}"
    yield f"CREATE VIEW results AS {_results(matches, seats)}"
    yield f"CREATE VIEW actions AS {_actions(matches, seats)}"


def exchanges(part: Round) -> list[str]:
    """What is done with cards in a round, in that order."""
    done = (("roll", part.rolls), ("pass", part.passes), ("discard", part.discards), ("draw", part.draw_most))
    return [name for name, cards in done if cards]


def _runs(matches: Sequence[LoggedMatch]) -> str:
    """The records of runs, with a column for each value that they have."""
    table = rows(_files(matches, RUNS), RUNS, 0)
    (structure,) = select(f"json_group_structure(record::JSON)::VARCHAR AS structure FROM {table}")["structure"]
    if not isinstance(structure, str):  # there are no runs
        return f"SELECT run, match FROM {table}"
    types = quoted(structure.replace("UBIGINT", "BIGINT"))
    return f"SELECT unnest(from_json(record::JSON, {types})), match FROM {table}"


def _hands(matches: Sequence[LoggedMatch], seats: range) -> str:
    count = _SEATS.format("h")
    by_seat = partial(_by_seat, seats, count)
    columns = [
        "h.match", _PLACE, "set", "seating", "deal",
        f"{by_seat('m.names[player_{} + 1]')} AS players",
        f"{by_seat('card_names(cards_{})')} AS cards",
        "card_names(board) AS board",
        f"{by_seat('payoff_{}')} AS payoffs",
        f"{by_seat('adjusted_{}')} AS adjusted",
        "pot", "rake", f"[s FOR s IN range({count}) IF (shown >> s) & 1 = 1] AS showdown", "actions",
        "board AS board_packed",
        *(f"{name}_{seat}" for name in ("player", "cards", "payoff", "adjusted") for seat in seats),
        "run", "level", f"{_BIG_BLIND.format('h')} AS big_blind", f"coalesce(button, {count} - 1) AS button",
        f"{by_seat('coalesce(stack_{}, m.stack)')} AS stacks", "coalesce(date, m.started) AS date",
    ]  # fmt: skip
    return f"SELECT {', '.join(columns)} FROM {_rows(matches, HANDS)} h JOIN {MATCHES} m USING (match)"


def _results(matches: Sequence[LoggedMatch], seats: range) -> str:
    count = _SEATS.format("h")
    by_seat = {"seat": "{}", **{name: f"{name}_{{}}" for name in ("player", "cards", "payoff", "adjusted")}}
    by_seat["stack"] = "coalesce(stack_{}, m.stack)"
    each = ", ".join(f"unnest({_by_seat(seats, count, column)}) AS {name}" for name, column in by_seat.items())
    players = (
        f"SELECT h.match, {_PLACE}, set, seating, deal, shown, run, level, button, date, {count} AS seats, "
        f"{_BIG_BLIND.format('h')} AS big_blind, {each} "
        f"FROM {_rows(matches, HANDS)} h JOIN {MATCHES} m USING (match)"
    )
    columns = [
        "r.match", "hand", "set", "seating", "deal", "seat", _POSITION.format("r.seats"),
        "m.names[player + 1] AS player", "card_names(cards) AS cards", "payoff", "adjusted",
        "payoff * 1000 / r.big_blind AS mbb", "adjusted * 1000 / r.big_blind AS adjusted_mbb",
        "(shown >> seat) & 1 = 1 AS showdown", "player AS player_id", "cards AS cards_packed",
        "run", "level", "r.big_blind AS big_blind", "r.stack AS stack", "coalesce(date, m.started) AS date",
    ]  # fmt: skip
    return f"SELECT {', '.join(columns)} FROM ({players}) r JOIN {MATCHES} m USING (match)"


def _actions(matches: Sequence[LoggedMatch], seats: range) -> str:
    count = _SEATS.format("a")
    by_seat = partial(_by_seat, seats, count)
    stacks, nothing_bet = by_seat("stack_{}"), f"greatest({', '.join(f'bet_{seat}' for seat in seats)}) = 0"
    shows = any(match.rules.shows_cards for match in matches)
    counts = shows or any(match.rules.has_draws for match in matches)
    several = any(len(exchanges(part)) > 1 for match in matches for part in match.rules.rounds)
    place = "row_number() OVER (PARTITION BY a.match, hand, street, seat, move ORDER BY number)" if several else "1"
    move = (
        f"CASE move WHEN 0 THEN 'fold' "
        f"WHEN 1 THEN CASE WHEN to_call = 0 THEN 'check' WHEN {nothing_bet} THEN 'bring-in' ELSE 'call' END "
        f"WHEN 2 THEN CASE WHEN {nothing_bet} THEN 'bet' ELSE 'raise' END "
        f"ELSE m.exchanges[street + 1][{place}] END"
    )
    all_in = f"added > 0 AND m.stack - {stacks}[seat + 1] + added >= m.all_in_at"
    columns = [
        "a.match", _PLACE, "number", "m.streets[street + 1] AS street", "seat", _POSITION.format(count),
        "m.names[player + 1] AS player", f"{move} AS move", "amount", "added",
        f"coalesce(all_in, {all_in}) AS all_in",
        "to_call", "least", "most", "pot",
        f"[s FOR s IN range({count}) IF (live >> s) & 1 = 1] AS live",
        f"{stacks} AS stacks", f"{by_seat('bet_{}')} AS bets", "card_names(board) AS board",
        *([f"CASE WHEN m.shows THEN {by_seat('card_names(up_{})')} END AS up"] if shows else []),
        *([f"CASE WHEN m.counts THEN {by_seat('cards_{}')} END AS card_counts"] if counts else []),
        "street AS street_number", "player AS player_id", "move AS move_code", "live AS live_bits",
        "board AS board_packed",
        *(f"{name}_{seat}" for name in ("stack", "bet") for seat in seats),
        *(f"up_{seat}" for seat in seats if shows),
        "run", "card_names(hole_cards) AS cards", "hole_cards AS cards_packed",
    ]  # fmt: skip
    table = _rows(matches, ACTIONS)
    return f"SELECT {', '.join(columns)} FROM {table} a JOIN {MATCHES} m USING (match) WHERE {DECISIONS}"


def _by_seat(seats: range, count: str, column: str) -> str:
    """A list of a column for each seat, of which `count` are there."""
    return f"{_list(column.format(seat) for seat in seats)}[:{count}]"


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def card_names(packed: str) -> str:
    """SQL for the names of cards that are packed in a number."""
    names = _list(map(quoted, CARD_NAMES))  # an index of 0 finds NULL there, which adds nothing to a text
    cards = (f"({names})[({packed} >> {8 * place}) & 255]" for place in range(PACKED))
    return f"CASE WHEN {packed} IS NOT NULL THEN concat({', '.join(cards)}) END"


def _files(matches: Sequence[LoggedMatch], table: str) -> list[Path]:
    return [file for match in matches for file in part_files(match.folder, table, match.parts)]


def _rows(matches: Sequence[LoggedMatch], table: str) -> str:
    return rows(_files(matches, table), table, max(match.seats for match in matches))
