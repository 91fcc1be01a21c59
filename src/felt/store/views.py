"""The views of a log: its files joined, with names in place of numbers.

Matches with the same columns (as many players, the same kinds of cards) are read together; a log of several kinds is
the union of them, with NULL in columns that a match does not have.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from felt.cards.card import CARD_NAMES
from felt.games.rules import Round
from felt.store.files import quoted
from felt.store.log import ACTIONS, HANDS
from felt.store.matches import PLAYERS, TABLES, LoggedMatch
from felt.store.parts import parquet, part_files

VIEWS: Mapping[str, str] = {
    "matches": "one row for each match: the game, the seed, the stacks",
    "players": "one row for each player of a match: the name and the agent",
    "tables": "one row for each place in a set of hands: which copies of the agents play there",
    "hands": "one row for each hand: cards, board, what was won; lists are by seat",
    "results": "one row for each player of a hand: what they held and what they won",
    "actions": "one row for each action, with the table as it was before it; lists are by seat",
}
"""What can be asked, and what it is."""

PACKED = 8
"""Cards in one number: a byte for each, the first in the lowest."""

MATCHES = "_matches"
"""The table of what the views want to know of each match."""


class Kind(NamedTuple):
    """What decides which columns the files of a match have."""

    players: int
    shows: bool
    """Whether cards lie face up before the players."""
    counts: bool
    """Whether it is told how many cards each of them holds."""


def kind_of(match: LoggedMatch) -> Kind:
    """The kind of a match."""
    shows = match.rules.shows_cards
    return Kind(len(match.names), shows, shows or match.rules.has_draws)


def statements(matches: Sequence[LoggedMatch]) -> Iterator[str]:
    """The SQL that makes the macro and the views, over the table `MATCHES`."""
    played = sorted((match for match in matches if match.parts), key=kind_of, reverse=True)  # most columns first
    kinds = {kind: list(of_kind) for kind, of_kind in groupby(played, kind_of)}
    yield f"CREATE MACRO card_names(packed) AS {card_names('packed')}"
    yield f"CREATE VIEW matches AS SELECT * EXCLUDE (positions, exchanges, all_in_at) FROM {MATCHES}"
    files = [match.folder / PLAYERS for match in matches]
    yield f"CREATE VIEW players AS SELECT match, player AS player_id, name AS player, spec FROM {parquet(files)}"
    files = [match.folder / TABLES for match in matches]
    yield (
        "CREATE VIEW tables AS SELECT t.match, seating, lane, players AS seats, stack, big_blind "
        f"FROM {parquet(files)} t JOIN {MATCHES} m USING (match)"
    )
    for name, of_kind in (("hands", _hands), ("results", _results), ("actions", _actions)):
        parts = [of_kind(kind, group) for kind, group in kinds.items()]
        yield f"CREATE VIEW {name} AS {' UNION ALL BY NAME '.join(parts)}"


def exchanges(part: Round) -> list[str]:
    """What is done with cards in a round, in that order."""
    done = (("roll", part.rolls), ("pass", part.passes), ("discard", part.discards), ("draw", part.draw_most))
    return [name for name, cards in done if cards]


def _hands(kind: Kind, matches: Sequence[LoggedMatch]) -> str:
    seats = range(kind.players)
    columns = [
        "h.match", "hand", "set", "seating", "deal",
        f"{_list(f'm.names[player_{i} + 1]' for i in seats)} AS players",
        f"{_list(f'card_names(cards_{i})' for i in seats)} AS cards",
        "card_names(board) AS board",
        f"{_list(f'payoff_{i}' for i in seats)} AS payoffs",
        f"{_list(f'adjusted_{i}' for i in seats)} AS adjusted",
        "pot", "rake", f"[s FOR s IN range({kind.players}) IF (shown >> s) & 1 = 1] AS showdown", "actions",
        "board AS board_packed",
        *(f"{name}_{i}" for name in ("player", "cards", "payoff", "adjusted") for i in seats),
    ]  # fmt: skip
    return f"SELECT {', '.join(columns)} FROM {_parts(matches, HANDS)} h JOIN {MATCHES} m USING (match)"


def _results(kind: Kind, matches: Sequence[LoggedMatch]) -> str:
    seats = range(kind.players)

    def each(name: str) -> str:
        return f"unnest({_list(f'{name}_{i}' for i in seats)}) AS {name}"

    rows = (
        f"SELECT match, hand, set, seating, deal, shown, unnest({_list(map(str, seats))}) AS seat, "
        f"{', '.join(map(each, ('player', 'cards', 'payoff', 'adjusted')))} FROM {_parts(matches, HANDS)}"
    )
    columns = [
        "r.match", "hand", "set", "seating", "deal", "seat", "m.positions[seat + 1] AS position",
        "m.names[player + 1] AS player", "card_names(cards) AS cards", "payoff", "adjusted",
        "payoff * 1000 / m.big_blind AS mbb", "adjusted * 1000 / m.big_blind AS adjusted_mbb",
        "(shown >> seat) & 1 = 1 AS showdown", "player AS player_id", "cards AS cards_packed",
    ]  # fmt: skip
    return f"SELECT {', '.join(columns)} FROM ({rows}) r JOIN {MATCHES} m USING (match)"


def _actions(kind: Kind, matches: Sequence[LoggedMatch]) -> str:
    seats = range(kind.players)
    stacks, bets = _list(f"stack_{i}" for i in seats), _list(f"bet_{i}" for i in seats)
    nothing_bet = f"greatest({', '.join(f'bet_{i}' for i in seats)}) = 0"
    several = any(len(exchanges(part)) > 1 for match in matches for part in match.rules.rounds)
    place = "row_number() OVER (PARTITION BY a.match, hand, street, seat, move ORDER BY number)" if several else "1"
    move = (
        f"CASE move WHEN 0 THEN 'fold' "
        f"WHEN 1 THEN CASE WHEN to_call = 0 THEN 'check' WHEN {nothing_bet} THEN 'bring-in' ELSE 'call' END "
        f"WHEN 2 THEN CASE WHEN {nothing_bet} THEN 'bet' ELSE 'raise' END "
        f"ELSE m.exchanges[street + 1][{place}] END"
    )
    columns = [
        "a.match", "hand", "number", "m.streets[street + 1] AS street", "seat", "m.positions[seat + 1] AS position",
        "m.names[player + 1] AS player", f"{move} AS move", "amount", "added",
        f"added > 0 AND m.stack - {stacks}[seat + 1] + added >= m.all_in_at AS all_in",
        "to_call", "least", "most", "pot",
        f"[s FOR s IN range({kind.players}) IF (live >> s) & 1 = 1] AS live",
        f"{stacks} AS stacks", f"{bets} AS bets", "card_names(board) AS board",
        *([f"{_list(f'card_names(up_{i})' for i in seats)} AS up"] if kind.shows else []),
        *([f"{_list(f'cards_{i}' for i in seats)} AS card_counts"] if kind.counts else []),
        "street AS street_number", "player AS player_id", "move AS move_code", "live AS live_bits",
        "board AS board_packed",
        *(f"{name}_{i}" for name in ("stack", "bet") for i in seats),
        *(f"up_{i}" for i in seats if kind.shows),
    ]  # fmt: skip
    return f"SELECT {', '.join(columns)} FROM {_parts(matches, ACTIONS)} a JOIN {MATCHES} m USING (match)"


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def card_names(packed: str) -> str:
    """SQL for the names of cards that are packed in a number."""
    names = _list(map(quoted, CARD_NAMES))  # an index of 0 finds NULL there, which adds nothing to a text
    cards = (f"({names})[({packed} >> {8 * place}) & 255]" for place in range(PACKED))
    return f"CASE WHEN {packed} IS NOT NULL THEN concat({', '.join(cards)}) END"


def _parts(matches: Sequence[LoggedMatch], kind: str) -> str:
    return parquet(file for match in matches for file in part_files(match.folder, kind, match.parts))
