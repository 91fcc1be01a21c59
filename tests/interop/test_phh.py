"""PHH, read and written: every variant, both orders of seats, money in decimals, broken hands."""

import tomllib

import pytest

from felt.games.history import UNKNOWN
from felt.games.moves import EventKind
from felt.interop.formats import find_files, read_hands
from felt.interop.histories import HistoryError
from felt.interop.phh.reader import CODES, read_phh
from felt.interop.phh.writer import write_phh, write_phhs
from felt.interop.results import check
from tests.interop.samples import PHH


def only(text: str):
    found = read_phh(text)
    assert not found.problems
    (hand,) = found.hands
    return hand


def changed(**fields: str) -> str:
    lines = [line for line in PHH.splitlines() if line.split(" =")[0] not in fields]
    return "\n".join([*lines, *(f"{name} = {value}" for name, value in fields.items() if value)])


def test_a_hand_with_everything_in_its_place():
    hand = only(PHH)
    assert hand.rules.name == "nlhe" and hand.rules.blinds == (1, 2)
    assert hand.posts == (1, 2, 0) and hand.names == ("Ann", "Bob", "Cleo")
    assert hand.events[2].cards == (UNKNOWN, UNKNOWN)
    assert check(hand).why == ""


def test_heads_up_the_lists_begin_with_the_button():
    hand = only(
        changed(
            antes="[3, 1]",
            blinds_or_straddles="[1, 2]",
            starting_stacks="[200, 200]",
            actions='["d dh p1 ????", "d dh p2 ????", "p2 f"]',
            players="",
            finishing_stacks="",
        )
    )
    assert hand.posts == (2, 1) and hand.antes == (1, 3) and hand.rules.blinds == (1, 2)


def test_decimals_become_whole_chips_exactly():
    hand = only(changed(starting_stacks="[200.1, 150, 300]", finishing_stacks=""))
    assert hand.stacks == (2001, 1500, 3000) and hand.unit == 0.1 and hand.posts == (10, 20, 0)
    assert "starting_stacks = [200.1, 150.0, 300.0]" in write_phh(hand)


def test_a_big_blind_ante_is_dead_and_a_negative_blind_is_a_late_post():
    hand = only(changed(antes="[0, 2, 0]", ante_trimming_status="false", finishing_stacks=""))
    assert hand.dead_antes and hand.rules.big_blind_ante == 2
    late = only(changed(blinds_or_straddles="[1, 2, -2]", finishing_stacks=""))
    assert late.posts == (1, 2, 2) and late.rules.blinds == (1, 2)
    assert "blinds_or_straddles = [1, 2, -2]" in write_phh(late)


def test_winnings_stand_for_stacks_and_what_is_missing_is_rake():
    hand = only(changed(finishing_stacks="", winnings="[0, 290, 0]"))
    assert hand.finishing == (50, 290, 300) and hand.rake == 10
    assert check(hand).why == ""


def test_unknown_stacks_and_winnings_are_no_result():
    hand = only(changed(starting_stacks="[inf, inf, inf]", finishing_stacks="", winnings="[0, 0, 0]"))
    assert hand.finishing is None and min(hand.stacks) > 1000


def test_up_and_down_cards_of_stud_are_told_apart():
    stud = """variant = "F7S"
antes = [1, 1]
bring_in = 2
small_bet = 4
big_bet = 8
starting_stacks = [100, 100]
actions = ["d dh p1 AsKd2c", "d dh p2 7c7dTh", "p1 pb", "p2 cbr 4", "p1 cc", "d dh p1 3c", "d dh p2 4d",
           "p2 cbr 4", "p1 f"]
finishing_stacks = [95, 105]
"""
    hand = only(stud)
    assert [event.kind for event in hand.events[:4]] == [EventKind.DOWN, EventKind.UP, EventKind.DOWN, EventKind.UP]
    assert check(hand).why == "" and only(write_phh(hand)) == hand


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"variant": '"XX"'}, "'XX' is unknown: PHH has NT"),
        ({"min_bet": ""}, "'min_bet' is missing"),
        ({"min_bet": "nan"}, "where an amount is wanted"),
        ({"starting_stacks": "[200, 150, 1e30]"}, "out of reach"),
        ({"starting_stacks": "[2000000000, 150, 1]"}, "at most 2,000,000,000"),
        ({"actions": '["p9 f"]'}, "action 1, 'p9 f': 'p9' is not at the table"),
        ({"actions": '["p1 dances"]'}, "no such action"),
        ({"actions": '["d dh p1 AsAs"]'}, "a card stands twice"),
        ({"actions": '["d dh p1 AsKd", "d dh p2 As2d"]'}, "card As is dealt twice"),
        ({"finishing_stacks": "[1, 2]"}, "finishing_stacks has 2 players"),
        ({"antes": "[0, -1, 0]"}, "negative"),
    ],
)
def test_what_is_wrong_is_said(fields, words):
    (problem,) = read_phh(changed(**fields)).problems
    assert words in problem.why and "\n" not in problem.why


def test_a_broken_hand_costs_nobody_the_others():
    text = write_phhs([only(PHH)] * 3).replace("[2]\nvariant = 'NT'", "[2]\nvariant = 'NT")
    found = read_phh(text)
    assert len(found.hands) == 2
    (problem,) = found.problems
    assert problem.hand == "2" and problem.line > 10 and "not TOML" in problem.why
    with pytest.raises(HistoryError, match="no hand in PHH"):
        read_phh("# nothing\n")


def test_games_without_a_code_are_refused(plo8):
    with pytest.raises(HistoryError, match="PHH has no code for Pot-limit Omaha hi/lo"):
        write_phh(plo8)


@pytest.fixture
def plo8():
    from felt.interop.rooms.fulltilt import read_fulltilt
    from tests.interop.samples import FULL_TILT

    return read_fulltilt(FULL_TILT).hands[0]


def test_all_hands_in_files_are_read_written_and_replayed(hand_files):
    seen = set()
    for file in find_files(hand_files / "phh"):
        text = file.read_text(encoding="utf-8")
        hand = only(text)
        written = write_phh(hand)
        assert only(written) == hand
        code = tomllib.loads(text)["variant"]
        assert tomllib.loads(written)["variant"] == code
        seen.add(code)
        assert check(hand).why == "", file.name
    assert seen == set(CODES)


@pytest.mark.filterwarnings("ignore:There is no reason for this player to fold")  # random players need none
def test_pokerkit_reads_what_is_written(hand_files):
    pokerkit = pytest.importorskip("pokerkit", reason="PokerKit is not installed: pip install felt-poker[bench]")
    published = hand_files / "phh" / "wsop2023-43"
    files = list(find_files(published if published.exists() else hand_files / "phh"))[:25]
    assert files
    for file in files:
        (hand,) = read_hands(file).hands
        history = pokerkit.HandHistory.loads(write_phh(hand))
        assert tuple(tuple(history)[-1].stacks) == hand.finishing, file.name


def test_tables_of_own_fields_are_no_hands():
    assert only(PHH + "\n[_mine]\nx = 1\n").meta == {"_mine": '{"x": 1}'}
    found = read_phh(f'["hand one"]\n{PHH}\n[2]\n{PHH}\n[2._mine]\nx = 1\n')
    assert len(found.hands) == 2 and not found.problems


def test_a_post_of_both_blinds_has_a_dead_part():
    hand = only(changed(blinds_or_straddles="[1, 2, -3]", actions='["p3 cc", "p1 f", "p2 f"]', finishing_stacks=""))
    assert hand.posts == (1, 2, 2) and hand.antes == (0, 0, 1) and hand.dead_antes


def test_stacks_and_winnings_that_agree_on_the_rake():
    both = {"finishing_stacks": "[50, 290, 300]", "winnings": "[0, 290, 0]"}
    assert only(changed(**both)).rake == 10 and check(only(changed(**both))).why == ""
    assert only(changed(finishing_stacks="[50, 290, 300]")).rake == 0
    assert "the record with 50, 290, 300" in check(only(changed(finishing_stacks="[50, 290, 300]"))).why
    assert "the record with 50, 280, 300" in check(only(changed(**both | {"finishing_stacks": "[50, 280, 300]"}))).why


def test_heads_up_with_the_small_blind_off_the_button():
    fields = {"blinds_or_straddles": "[2, 1]", "antes": "[0, 0]", "starting_stacks": "[200, 200]", "players": ""}
    hand = only(changed(**fields, actions='["p1 cbr 6", "p2 f"]', finishing_stacks="[202, 198]"))
    assert hand.posts == (1, 2) and not hand.rules.heads_up_button_blind
    assert check(hand).why == "" and only(write_phh(hand)) == hand
