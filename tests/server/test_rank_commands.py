"""What each line means, with no socket in sight."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt import __version__
from felt.cards.card import DECK_SIZE, format_cards, parse_cards
from felt.errors import OddsError
from felt.server.rank.commands import MAX_TAG, USAGE, Desk, Goodbye, Outcome, Slow, canonical
from felt.server.rank.measures import Measures
from tests.server.helpers import HAND, Fakes


class Kept(dict[str, str]):
    """Answers in a dictionary."""

    put = dict.__setitem__


def fakes() -> Fakes:
    made = Fakes()
    made.gate.set()
    return made


def answer(line: str | bytes, desk: Desk | None = None) -> str:
    outcome = (desk or Desk(fakes().measures())).take(line if isinstance(line, bytes) else line.encode())
    return finished(outcome).decode()


def finished(outcome: Outcome) -> bytes:
    if isinstance(outcome, Slow | Goodbye):
        return outcome.answer() if isinstance(outcome, Slow) else outcome.answer
    return outcome


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("RANK AsAd7s4d2c", str(sum(parse_cards("AsAd7s4d2c")))),
        ("RANK As Ad 7s 4d 2c 3c 9h", str(sum(parse_cards("As Ad 7s 4d 2c 3c 9h")))),
        ("rank asad7s4d2c", str(sum(parse_cards("AsAd7s4d2c")))),
        ("rAnK ASaD7S4D2C", str(sum(parse_cards("AsAd7s4d2c")))),
        ("  RANK\tA♠A♦ 10s4d2c \r", str(sum(parse_cards("AsAdTs4d2c")))),
        ("CHEN As Kh", "2.5"),
        ("CHEN AsKh", "2.5"),
        ("CHEN 10s 10d", "1"),
        ("ARS AsAd7s4d2c 3", "0.300000"),
        ("ARS AsAd7s4d2c", "0.100000"),
        ("HS AsAd7s4d2c 3", "0.030000"),
        ("HS AsAd 7s4d2c 3c", "0.010000"),
        ("HP AsAd7s4d2c 1", "0.250000 0.125000"),
        ("EHS AsAd7s4d2c 2", "0.125000"),
        ("PING", "PONG"),
        ("VERSION", f"felt {__version__}"),
        ("QUIT", "BYE"),
        ("#17 RANK AsAd7s4d2c", f"#17 {sum(parse_cards('AsAd7s4d2c'))}"),
        ("#x/9 EHS AsAd7s4d2c", "#x/9 0.062500"),
        ("#q QUIT", "#q BYE"),
    ],
)
def test_commands(line: str, expected: str) -> None:
    assert answer(line) == expected + "\n"


def test_hole_cards_come_first_and_the_board_after_them() -> None:
    seen: list[tuple[int, ...]] = []
    measures = fakes().measures()
    spy = Measures(**{**vars(measures), "ehs": lambda cards, n: seen.append(tuple(cards)) or 0.5})
    answer("EHS Kd2c As7h5h", Desk(spy))
    assert seen == [parse_cards("Kd2cAs7h5h")]


def test_help_is_one_line_that_names_every_command() -> None:
    text = answer("HELP")
    assert text.count("\n") == 1
    assert all(usage in text for usage in USAGE.values())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "empty line"),
        (" \t \r", "empty line"),
        ("FOLD AsAd7s4d2c", "unknown command 'FOLD': use one of RANK, HS"),
        ("RANK", "RANK takes a hand of 5 to 7 cards, not 0"),
        ("RANK AsAd", "RANK takes a hand of 5 to 7 cards, not 2"),
        ("RANK AsAd7s4d2c3c5c6c", "not 8"),
        ("RANK AsAd7s4d2c 2", "RANK does not take a number of opponents, like '2'"),
        ("RANK AsAs7s4d2c", "card As stands twice in 'AsAs7s4d2c'"),
        ("RANK AsAd7s4d2", "'2' at position 9 of 'AsAd7s4d2' has no suit"),
        ("RANK AsAd7s4dZz", "cannot read a card at 'Zz'"),
        ("RANK AsAd7s4dJk", "joker in 'AsAd7s4dJk'"),
        ("RANK AsAd7s4d\0c", r"'AsAd7s4d\x00c'"),
        ("HS AsAd7s4d2c 0", "'0' opponents cannot be dealt in: give a number from 1 to 9"),
        ("HS AsAd7s4d2c 10", "'10' opponents"),
        ("HS AsAd7s4d2c " + "9" * 100, "999…' opponents"),
        ("HS AsAd7s4d2c -1", "cannot read a card at '-1'"),
        ("HS 3", "HS takes a hand of 5 to 7 cards, not 0"),
        ("CHEN As", "CHEN takes two cards, not 1"),
        ("CHEN AsKdQd", "CHEN takes two cards, not 3"),
        ("CHEN AsAs", "card As stands twice"),
        ("PING pong", "PING takes nothing after it, not 'pong'"),
        ("QUIT now", "QUIT takes nothing"),
        ("\0", r"unknown command '\x00'"),
        ("# PING", "tag '#' is not 1 to 31 bytes"),
        ("#" + "x" * MAX_TAG + " PING", "tag '#xxx"),
    ],
)
def test_mistakes_are_named(line: str, words: str) -> None:
    text = answer(line)
    assert text.startswith("ERR ")
    assert words in text


def test_a_tagged_mistake_carries_its_tag() -> None:
    assert answer("#5 RANK").startswith("#5 ERR RANK takes")
    assert answer("#5").startswith("#5 ERR nothing after the tag '#5'")
    assert answer("#5 #6 PING").startswith("#5 ERR unknown command '#6'")


def test_bytes_that_are_no_text() -> None:
    assert r"ERR b'\xff\xfe' is not UTF-8 text (byte 1 is 0xff)" in answer(b"\xff\xfe")
    assert "is not UTF-8" in answer(b"RANK AsAd7s4d\xe2\x99")
    assert "is not UTF-8" in answer(b"#\xff PING")


def test_too_long_keeps_the_tag_where_there_is_one() -> None:
    desk = Desk(fakes().measures())
    assert desk.too_long(b"#8 RANK " + b"x" * 100, 64).startswith(b"#8 ERR line longer than 64 bytes")
    for start in (b"RANK " + b"x" * 100, b"#" + b"x" * 100, b"#\xff " + b"x" * 100, b" " * 100):
        assert desk.too_long(start, 64).startswith(b"ERR line longer than 64 bytes")


def test_a_mistake_found_by_a_measure_is_the_answer() -> None:
    def refuse(*_: object) -> float:
        raise OddsError("no odds today:\ncome again")

    measures = Measures(**{**vars(fakes().measures()), "ars": refuse, "ehs": refuse})
    assert answer(f"ARS {HAND}", Desk(measures)) == "ERR no odds today: come again\n"
    assert answer(f"EHS {HAND}", Desk(measures)) == "ERR no odds today: come again\n"


def test_a_fault_of_ours_is_an_answer_too(caplog: pytest.LogCaptureFixture) -> None:
    def break_down(*_: object) -> int:
        raise ZeroDivisionError

    measures = Measures(**{**vars(fakes().measures()), "rank": break_down, "hp": break_down})
    for command in ("RANK", "HP"):
        assert "ERR internal fault (ZeroDivisionError)" in answer(f"{command} {HAND}", Desk(measures))
    assert len(caplog.records) == 2


def test_kept_answers_are_shared_by_hands_that_differ_in_suits_only() -> None:
    fake, kept = fakes(), Kept()
    desk = Desk(fake.measures(), kept)
    assert isinstance(desk.take(b"HS AcAh7s4d2c 2"), Slow)
    first = answer("HS AcAh7s4d2c 2", desk)
    assert desk.take(b"HS AdAs2d7h4c 2") == first.encode()
    assert isinstance(desk.take(b"HS AdAs2d7h4c 1"), Slow), "another number of opponents"
    assert isinstance(desk.take(b"EHS AdAs2d7h4c 2"), Slow), "another question"
    assert isinstance(desk.take(b"HS AdAs2h7h4c 2"), Slow), "another hand"
    assert len(fake.slow_calls) == 1
    assert list(kept) == ["HS AcAd/2c7h4s 2"]


def test_a_mistake_is_not_kept() -> None:
    def refuse(*_: object) -> float:
        raise OddsError("no")

    kept = Kept()
    answer(f"HS {HAND}", Desk(Measures(**{**vars(fakes().measures()), "hs": refuse}), kept))
    assert not kept


deals = st.lists(st.integers(0, DECK_SIZE - 1), min_size=5, max_size=7, unique=True)


@given(deals, st.permutations(range(4)), st.randoms(use_true_random=False))
def test_canonical_does_not_see_suits_or_order(cards: list[int], suits: list[int], rng: random.Random) -> None:
    renamed = [card & ~3 | suits[card & 3] for card in cards]
    hole, board = renamed[:2], renamed[2:]
    rng.shuffle(hole)
    rng.shuffle(board)
    assert canonical(hole + board) == canonical(cards)


@given(deals, deals)
def test_canonical_tells_different_hands_apart(one: list[int], other: list[int]) -> None:
    same = any(
        {card & ~3 | suits[card & 3] for card in one[:2]} == set(other[:2])
        and {card & ~3 | suits[card & 3] for card in one[2:]} == set(other[2:])
        for suits in all_suit_orders()
    )
    assert (canonical(one) == canonical(other)) == same


def all_suit_orders() -> list[tuple[int, ...]]:
    from itertools import permutations

    return list(permutations(range(4)))


def test_canonical_counts_the_flop_hands() -> None:
    """With the hole cards AcKc there are as many flops as there are suit patterns; counted two ways."""
    from itertools import combinations

    deck = [card for card in range(DECK_SIZE) if card not in parse_cards("AcKc")]
    boards = list(combinations(deck, 3))
    hole = parse_cards("AcKc")
    rest = [order for order in all_suit_orders() if order[0] == 0]
    slow = {min(tuple(sorted(c & ~3 | o[c & 3] for c in board)) for o in rest) for board in boards}
    assert len({canonical((*hole, *board)) for board in boards}) == len(slow)


@given(st.binary(max_size=80))
def test_any_bytes_get_one_line(line: bytes) -> None:
    text = finished(Desk(fakes().measures()).take(line.replace(b"\n", b"")))
    assert text.endswith(b"\n")
    assert text.count(b"\n") == 1
    assert b"\r" not in text
    assert b"internal fault" not in text
    text.decode()


@given(deals, st.integers(1, 9), st.sampled_from(["RANK", "HS", "HP", "EHS", "ARS"]))
def test_every_spelling_of_a_hand_means_the_same(cards: list[int], opponents: int, command: str) -> None:
    number = "" if command == "RANK" else f" {opponents}"
    plain = answer(f"{command} {format_cards(cards)}{number}")
    assert not plain.startswith("ERR")
    spaced = format_cards(cards, separator="  ").replace("T", "10").replace("s", "♠")
    for line in (f"{command} {spaced}{number}", f"{command} {format_cards(cards)}{number}".lower()):
        assert answer(line) == plain
