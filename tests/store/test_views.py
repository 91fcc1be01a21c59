"""The views of a log: every row says what the hand itself says."""

import re
from pathlib import Path
from typing import Any

import pytest

from felt.cards.card import CARD_NAMES, format_cards
from felt.games import Hand, Move, Phase, load, names
from felt.stats.indicators import positions
from felt.store.log.reading import connect
from felt.store.log.views import PACKED, VIEWS
from tests.store.logs import NAMES, Logged, Played, Row, log_match

MATCHES = [*((name, min(load(name).max_players, 3)) for name in names()), ("nlhe", 2), ("nlhe", 6), ("stud", 6)]
EXCHANGES = {Phase.ROLL: "roll", Phase.PASS: "pass", Phase.DISCARD: "discard", Phase.DRAW: "draw"}


@pytest.fixture(scope="module")
def logged(tmp_path_factory):
    """A log with a match of every game, as a database; and its matches."""
    folder = tmp_path_factory.mktemp("log") / "a'b [c]* d?"  # whatever people call their folders
    matches = {
        number: log_match(folder, number, game, players, hands=10, parts=1 + number % 3, seed=number)
        for number, (game, players) in enumerate(MATCHES, start=1)
    }
    return connect(folder), matches


def rows_of(connection, view: str, order: str) -> dict[int, list[dict[str, Any]]]:
    """The rows of a view by match."""
    answer = connection.execute(
        f"SELECT * FROM {view} ORDER BY ALL" if order == "" else f"FROM {view} ORDER BY {order}"
    )
    columns = [column[0] for column in answer.description]
    found: dict[int, list[dict[str, Any]]] = {}
    for row in answer.fetchall():
        told = dict(zip(columns, row, strict=True))
        found.setdefault(told["match"], []).append(told)
    return found


def has(row: dict[str, Any], expected: dict[str, Any]) -> None:
    assert {name: row[name] for name in expected} == expected


def name_of_move(hand: Hand, action) -> str:
    legal = hand.legal()
    if action.move == Move.EXCHANGE:
        return EXCHANGES[hand.phase]
    if action.move == Move.CALL and not legal.call:
        return "check"
    if not any(hand.bets):
        return {Move.FOLD: "fold", Move.CALL: "bring-in", Move.RAISE: "bet"}[action.move]
    return action.move.name.lower()


def packed(cards) -> int:
    return sum((card + 1) << 8 * place for place, card in enumerate(cards))


def action_row(match: Logged, played: Played, row: Row) -> dict[str, Any]:
    hand, seat, legal = row.hand, row.hand.turn, row.hand.legal()
    least, most = legal.raise_to or (0, 0)
    added = row.after.put[seat] - hand.put[seat]
    n = match.players
    told = {
        "hand": played.number, "number": row.number, "street": match.rules.rounds[hand.street].name, "seat": seat,
        "position": positions(match.rules, n)[seat], "player_id": played.seating[seat],
        "player": NAMES[played.seating[seat]],
        "move": name_of_move(hand, row.action), "move_code": int(row.action.move), "street_number": hand.street,
        "added": added, "to_call": legal.call or 0, "least": least, "most": most, "pot": hand.pot,
        "live": [seat for seat, folded in enumerate(hand.folded) if not folded],
        "live_bits": sum(1 << seat for seat, folded in enumerate(hand.folded) if not folded),
        "stacks": list(hand.stacks), "bets": list(hand.bets), "board": format_cards(hand.board),
        "board_packed": packed(hand.board),
        "cards": format_cards(hand.cards(seat)), "cards_packed": packed(hand.cards(seat)),
        "all_in": added > 0 and (hand.put[seat] + added == match.rules.cap or hand.stacks[seat] == added),
        **{f"stack_{i}": chips for i, chips in enumerate(hand.stacks)},
        **{f"bet_{i}": chips for i, chips in enumerate(hand.bets)},
        **dict.fromkeys(f"stack_{i}" for i in range(n, 6)),
        "up": None, "card_counts": None,
    }  # fmt: skip
    if row.action.move == Move.RAISE:
        told["amount"] = row.action.amount
    if match.rules.shows_cards:
        told["up"] = [format_cards(hand.up_cards(i)) for i in range(n)]
    if match.rules.has_draws or told["up"]:
        told["card_counts"] = [len(hand.cards(i)) for i in range(n)]
    return told


def test_every_action_is_what_the_hand_was_before_it(logged):
    connection, matches = logged
    found = rows_of(connection, "actions", "match, hand, number")
    assert found.keys() == matches.keys()
    seen = set()
    for number, match in matches.items():
        expected = [action_row(match, played, row) for played in match.hands for row in played.rows]
        assert len(found[number]) == len(expected)
        for row, told in zip(found[number], expected, strict=True):
            has(row, told)
            seen.add((told["move"], told["all_in"]))
    moves = {"fold", "check", "call", "bet", "raise", "bring-in", "draw", "discard", "pass", "roll"}
    assert seen >= {(move, False) for move in moves} | {("call", True), ("bet", True), ("raise", True)}


def test_every_hand_is_what_it_was_at_the_end(logged):
    connection, matches = logged
    found = rows_of(connection, "hands", "match, hand")
    for number, match in matches.items():
        assert len(found[number]) == len(match.hands)
        for row, played in zip(found[number], match.hands, strict=True):
            hand = played.hand
            has(row, {
                "hand": played.number, "set": played.number // 2, "seating": played.number % 2, "deal": played.deal,
                "players": [NAMES[player] for player in played.seating],
                "cards": [format_cards(hand.cards(seat)) for seat in range(match.players)],
                "board": format_cards(hand.board), "board_packed": packed(hand.board),
                "payoffs": list(hand.payoffs), "adjusted": played.adjusted, "pot": sum(hand.won) + hand.rake,
                "rake": hand.rake, "showdown": list(hand.showdown), "actions": len(played.rows),
                "cards_0": packed(hand.cards(0)), "player_1": played.seating[1],
            })  # fmt: skip


def test_every_player_of_a_hand_has_a_result(logged):
    connection, matches = logged
    found = rows_of(connection, "results", "match, hand, seat")
    for number, match in matches.items():
        rows = iter(found[number])
        for played in match.hands:
            for seat, player in enumerate(played.seating):
                payoff = played.hand.payoffs[seat]
                has(next(rows), {
                    "hand": played.number, "set": played.number // 2, "deal": played.deal, "seat": seat,
                    "position": positions(match.rules, match.players)[seat], "player": NAMES[player],
                    "player_id": player,
                    "cards": format_cards(played.hand.cards(seat)), "payoff": payoff,
                    "adjusted": played.adjusted[seat], "mbb": 1000 * payoff / match.rules.big_blind,
                    "adjusted_mbb": 1000 * played.adjusted[seat] / match.rules.big_blind,
                    "showdown": seat in played.hand.showdown,
                })  # fmt: skip
        assert next(rows, None) is None


def test_matches_players_and_tables(logged):
    connection, matches = logged
    for number, (row,) in rows_of(connection, "matches", "match").items():
        match = matches[number]
        has(row, {
            "game": match.rules.name, "title": match.rules.title, "players": match.players, "seed": number,
            "names": list(NAMES[: match.players]), "stack": match.stack, "big_blind": match.rules.big_blind,
            "streets": [part.name for part in match.rules.rounds],
        })  # fmt: skip
    assert connection.execute("SELECT description->>'seed' FROM matches WHERE match = 7").fetchall() == [("7",)]
    for number, rows in rows_of(connection, "players", "match, player_id").items():
        expected = [(i, NAMES[i], NAMES[i]) for i in range(matches[number].players)]
        assert [(row["player_id"], row["player"], row["spec"]) for row in rows] == expected
    for number, rows in rows_of(connection, "tables", "match, seating").items():
        assert [(row["seating"], row["lane"], row["seats"]) for row in rows] == [
            (place, 0, matches[number].players) for place in range(matches[number].players)
        ]


def test_there_are_the_documented_views_and_no_others(logged):
    connection, _ = logged
    views = connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
    assert {name for (name,) in views} == set(VIEWS)


def test_packed_cards_in_words(logged):
    connection, _ = logged
    for cards in ((), (51,), (0, 53, 52), tuple(range(PACKED))):
        told = connection.execute("SELECT card_names(?::BIGINT)", [packed(cards)]).fetchone()
        assert told == ("".join(CARD_NAMES[card] for card in cards),)
    assert connection.execute("SELECT card_names(NULL)").fetchone() == (None,)


def documented() -> dict[str, set[str]]:
    """The columns that the docs have for each view; one by seat stands for all."""
    page = (Path(__file__).parents[2] / "docs" / "data" / "log.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### (\w+)\n(.*?)(?=^###? |\Z)", page, re.MULTILINE | re.DOTALL)
    return {
        view: set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]*)\|", text, re.MULTILINE))))
        for view, text in sections
    }


def test_every_column_is_documented(logged):
    connection, _ = logged
    told = documented()
    assert set(told) == set(VIEWS)
    for view in VIEWS:
        columns = {row[0] for row in connection.execute(f"DESCRIBE FROM {view}").fetchall()}
        assert {re.sub(r"_\d+$", "_0", column) for column in columns} == told[view]
