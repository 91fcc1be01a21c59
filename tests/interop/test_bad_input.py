"""Random bytes and damaged files at every reader: a clear `FeltError` or a list of problems, never anything else."""

import random

import pytest

from felt.errors import FeltError
from felt.interop.acpc.log import read_acpc
from felt.interop.formats import decoded, read_bytes
from felt.interop.irc import read_irc
from felt.interop.phh.reader import read_phh
from felt.interop.phh.writer import write_phh
from felt.interop.results import check
from felt.interop.rooms.fulltilt import read_fulltilt
from felt.interop.rooms.pokerstars import read_pokerstars
from felt.interop.rooms.pokerstars_writer import write_pokerstars
from tests.interop.samples import ACPC, FULL_TILT, IRC, PHH, POKERSTARS

BREAK = "\x00"


def month(text: str):
    hdb, roster, *rows = text.split(BREAK) + [""] * 2
    return read_irc(hdb, roster, rows)


READERS = {
    "phh": (read_phh, PHH),
    "pokerstars": (read_pokerstars, POKERSTARS),
    "full tilt": (read_fulltilt, FULL_TILT),
    "acpc": (read_acpc, ACPC),
    "irc": (month, BREAK.join([IRC[0], IRC[1], *IRC[2]])),
}


def survives(read, text) -> int:
    """Read, and if hands come out, play and write them; how many there were."""
    try:
        found = read(text)
    except FeltError as error:
        assert "\n" not in str(error)
        return 0
    for problem in found.problems:
        assert problem.why and "\n" not in problem.why
    for hand in found.hands:
        check(hand)
        for write in (write_phh, lambda hand: write_pokerstars([hand])):
            try:
                write(hand)
            except FeltError:
                continue
    return len(found.hands)


@pytest.mark.parametrize("name", READERS)
def test_ten_thousand_random_byte_strings(name):
    read, _ = READERS[name]
    rng = random.Random(f"bytes {name}")
    assert sum(survives(read, decoded(rng.randbytes(rng.randrange(80)))) for _ in range(10_000)) == 0


def test_ten_thousand_random_files():
    rng = random.Random("files")
    heads = (b"", b"\x1f\x8b\x08", b"STATE:", b"variant = ", b"PokerStars Hand #1: ", b"\xff\xfe")
    for _ in range(10_000):
        survives(read_bytes, rng.choice(heads) + rng.randbytes(rng.randrange(60)))


def mutated(text: str, rng: random.Random) -> str:
    """The text cut off, or with a few characters or lines changed, lost or doubled."""
    if rng.random() < 0.25:
        return text[: rng.randrange(len(text))]
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(4):
            case 0:
                text = text[:at] + rng.choice("\n :[]()/|#*='\"$.,0123456789-acdfhkprsST") + text[at + 1 :]
            case 1:
                text = text[:at] + text[at + rng.randrange(1, 25) :]
            case 2:
                start = rng.randrange(len(text) + 1)
                text = text[:at] + text[start : start + rng.randrange(1, 50)] + text[at:]
            case _:
                lines = text.split("\n")
                lines.insert(rng.randrange(len(lines) + 1), lines.pop(rng.randrange(len(lines))))
                text = "\n".join(lines)
        text = text or " "
    return text


@pytest.mark.parametrize("name", READERS)
def test_damaged_hands(name):
    read, text = READERS[name]
    rng = random.Random(f"damage {name}")
    assert sum(survives(read, mutated(text, rng)) for _ in range(400)) > 0


@pytest.mark.parametrize("name", READERS)
def test_hands_cut_off_at_every_character(name):
    """The hand before the cut is read as ever; the one that is cut is left out with a reason, or there is none."""
    read, text = READERS[name]
    for end in range(0, len(text), 3):
        assert survives(read, text[:end]) <= survives_whole(name)


@pytest.mark.parametrize("name", ["phh", "pokerstars", "full tilt"])
def test_a_broken_hand_is_listed_between_good_ones(name):
    read, text = READERS[name]
    lines = text.splitlines()
    head = "[{}]\n" if name == "phh" else "\n\n"
    for lost in range(len(lines)):
        rest = "\n".join(lines[:lost])
        found = read("\n".join([head.format(1), text, head.format(2), rest, head.format(3), text]))
        broken = [problem for problem in found.problems if problem.why]
        assert len(found.hands) + len(broken) in (2, 3) and len(found.hands) >= 2, (lost, found.problems)
        assert all(len(lines) < problem.line <= 2 * len(lines) + 6 for problem in broken)


def survives_whole(name: str) -> int:
    read, text = READERS[name]
    return len(read(text).hands)


@pytest.mark.parametrize(
    "text", ["[" * 5000, "a" * 200_000, "a.a." * 3000 + "= 1", "x = 1" + "0" * 5000, "x = 1e999999999"]
)
def test_texts_made_to_take_for_ever(text):
    for read, _ in READERS.values():
        survives(read, text)
