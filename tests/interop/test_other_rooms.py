"""Rooms that Felt does not read are named."""

import pytest

from felt.interop.formats import read_bytes
from felt.interop.histories import HistoryError
from felt.interop.rooms.pokerstars import read_pokerstars
from tests.interop.samples import POKERSTARS

OTHERS = {
    "Ignition": "Ignition Hand #3548320887: HOLDEM Tournament #18509313 TBL#1, Normal- Level 1 (10/20)",
    "Bovada": "Bovada Hand #2871: Zone Poker ID#1 HOLDEMZonePoker No Limit - 2014-06-03 20:47:03",
    "Run It Once": "Run It Once Poker Hand #44496158:  Omaha Pot Limit (€0.05/€0.10) - 2020/05/06 22:23 UTC",
    "GGPoker": "Poker Hand #RC2814881111: Omaha Pot Limit ($0.05/$0.10) - 2024/03/15 12:00:00",
    "Winamax": "Winamax Poker - CashGame - HandId: #20183568-872-1728408886 - Holdem no limit (0.02€/0.05€)",
    "888poker": "#Game No : 123\n***** 888poker Hand History for Game 123 *****",
    "PartyPoker": "***** Hand History for Game 15414973533 *****",
    "Everleaf": "Everleaf Gaming Game #55198191\n***** Hand history for game #55198191 *****",
    "iPoker": '<?xml version="1.0" encoding="utf-8"?>\n<session sessioncode="1234">',
}


@pytest.mark.parametrize("room", OTHERS)
def test_an_unsupported_room_is_named(room):
    with pytest.raises(
        HistoryError, match=rf"looks like a hand history of {room}, which Felt does not read; it reads PHH"
    ):
        read_bytes(f"\n{OTHERS[room]}\nSeat 1: Ann\n".encode(), name="session.txt")


def test_a_hand_of_such_a_room_among_others_is_named_too():
    found = read_pokerstars(f"{POKERSTARS}\n\n{OTHERS['Run It Once']}\nTable ID '4' 6-Max Seat #6 is the button\n")
    assert len(found.hands) == 1 and found.lines == (1,)
    (problem,) = found.problems
    assert problem.line == 33 and "hand history of Run It Once, which Felt does not read" in problem.why


def test_hands_of_pokerstars_are_no_other_room():
    assert len(read_bytes(POKERSTARS.encode()).hands) == 1
