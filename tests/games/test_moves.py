"""One table of codes: moves, phases and events, and nobody else's table beside it."""

import ast
from pathlib import Path

import numpy as np
import pytest

import felt
from felt.games.moves import (
    DEALS,
    EVENT_OF_MOVE,
    EXCHANGES,
    LETTERS,
    MOVES_BY_NAME,
    SHOWS,
    EventKind,
    Move,
    Phase,
    decode_move,
    encode_move,
)

SOURCES = Path(felt.__file__).parent
CODES = {"Move", "EventKind", "Phase"}


def test_logs_and_snapshots_of_older_versions_rely_on_these_numbers() -> None:
    assert [(move.name, int(move)) for move in Move] == [("FOLD", 0), ("CALL", 1), ("RAISE", 2), ("EXCHANGE", 3)]
    assert [phase.name for phase in Phase] == ["ROLL", "PASS", "DISCARD", "DRAW", "BET", "SHOWDOWN", "OVER"]
    assert [int(phase) for phase in Phase] == list(range(7))
    assert list(MOVES_BY_NAME) == ["fold", "call", "raise", "exchange"]


def test_every_event_is_a_deal_a_move_a_card_turned_up_or_a_show() -> None:
    groups = [*DEALS, *EVENT_OF_MOVE.values(), *EXCHANGES, EventKind.ROLLED, *SHOWS]
    assert sorted(groups) == sorted(EventKind)


def test_letters_are_different() -> None:
    assert set(LETTERS) == {*EVENT_OF_MOVE.values(), *EXCHANGES}
    assert len(set(LETTERS.values())) == len(LETTERS)


@pytest.mark.parametrize("move", Move)
def test_a_move_and_its_amount_are_one_number_and_back(move: Move) -> None:
    for amount in (0, 1, 2**31 - 1):
        assert decode_move(encode_move(move, amount)) == (move, amount)
    amounts = np.arange(5)
    moves, back = decode_move(encode_move(np.full(5, int(move)), amounts))
    assert moves.tolist() == [move] * 5 and back.tolist() == amounts.tolist()


def test_no_other_module_has_a_table_of_its_own() -> None:
    tables = []
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict) and len(node.keys) > 1:
                keys, values = [_is_code(key) for key in node.keys], [_is_name(value) for value in node.values]
                if all(keys) and all(values) and path != SOURCES / "games" / "moves.py":
                    tables.append(f"{path.relative_to(SOURCES)}:{node.lineno}")
    assert not tables


def _is_code(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in CODES


def _is_name(node: ast.expr) -> bool:
    return _is_code(node) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
