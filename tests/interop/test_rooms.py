"""PokerStars and Full Tilt text: what rooms write, and what they leave out."""

import pytest

from felt.games.history import UNKNOWN
from felt.games.moves import EventKind
from felt.interop.formats import find_files, read_hands
from felt.interop.histories import HistoryError
from felt.interop.results import check
from felt.interop.rooms.fulltilt import read_fulltilt
from felt.interop.rooms.pokerstars import read_pokerstars
from felt.interop.rooms.pokerstars_writer import write_pokerstars
from tests.interop.samples import FULL_TILT, POKERSTARS


def stars(text: str = POKERSTARS):
    found = read_pokerstars(text)
    assert not found.problems, found.problems
    return found.hands[0]


def problem(text: str) -> str:
    (found,) = read_pokerstars(text).problems
    return found.why


def test_a_hand_of_pokerstars():
    hand = stars()
    assert hand.names == ("Bob: the 2nd", "Cleo", "Ann") and hand.currency == "USD"
    assert hand.stacks == (4025, 10000, 10000) and hand.unit == 0.01
    assert hand.rake == 200 and sum(hand.finishing) == sum(hand.stacks) - 200
    assert hand.meta["hero"] == "Ann" and hand.meta["seats"] == "[3, 4, 1]"
    assert check(hand).why == ""


def test_a_hand_of_full_tilt_with_a_split_pot():
    (hand,) = read_fulltilt(FULL_TILT).hands
    assert hand.rules.name == "plo8" and hand.names == ("Cleo", "Ann")
    assert hand.finishing == (100030, 9980) and hand.rake == 40
    assert check(hand).why == ""


def test_written_text_is_read_as_the_same_hand():
    assert stars(write_pokerstars([stars()])) == stars()


def test_the_same_text_in_dollars_chips_and_old_spelling():
    chips = POKERSTARS.replace("$", "").replace(" USD", "")
    assert stars(chips).currency == "" and check(stars(chips)).why == ""
    old = POKERSTARS.replace("PokerStars Hand", "POKERSTARS GAME").replace("Hold'em No Limit", "HOLD'EM NO LIMIT")
    assert stars("\ufeff" + old.replace("\n", "\r\n")).finishing == stars().finishing


def test_posts_out_of_turn_and_dead_blinds():
    text = POKERSTARS.replace(
        "Cleo: posts big blind $1\n", "Cleo: posts big blind $1\nAnn: posts small & big blinds $1.50\n"
    )
    text = text.replace("Ann: raises $2 to $3", "Ann: raises $2 to $3").replace("$118.75", "$119.25")
    text = text.replace("$97 and is", "$96.50 and is").replace("raises $59.75", "raises $59.25")
    hand = stars(text.replace("bet ($59.75)", "bet ($59.25)").replace("pot $120.75", "pot $121.25"))
    assert hand.antes == (0, 0, 50) and hand.dead_antes
    assert hand.posts == (50, 100, 100) and hand.rules.blinds == (50, 100)
    assert check(hand).why == ""
    assert stars(write_pokerstars([hand])) == hand


def test_a_short_blind_is_a_whole_one_to_call():
    text = """\
PokerStars Hand #5: Tournament #9, Freeroll  Hold'em No Limit - Level II (50/100) - 2024/05/01 20:00:00 ET
Table '9 1' 9-max Seat #1 is the button
Seat 1: Ann (1000 in chips)
Seat 2: Bob (1000 in chips)
Seat 3: Cleo (40 in chips)
Bob: posts small blind 50
Cleo: posts big blind 40 and is all-in
*** HOLE CARDS ***
Ann: calls 100
Bob: folds
*** FLOP *** [Qs 7h 2c]
*** TURN *** [Qs 7h 2c] [3d]
*** RIVER *** [Qs 7h 2c 3d] [9s]
*** SHOW DOWN ***
Ann: shows [Ah Qd] (a pair of Queens)
Ann collected 20 from side pot
Cleo: shows [Kd Kh] (a pair of Kings)
Cleo collected 120 from main pot
*** SUMMARY ***
Total pot 140 Main pot 120. Side pot 20. | Rake 0
"""
    hand = stars(text)
    assert hand.posts == (50, 100, 0) and hand.unit == 1.0 and hand.meta["event"] == "Tournament #9"
    assert check(hand).why == "" and stars(write_pokerstars([hand])) == hand


def test_a_draw_and_what_the_hero_saw_of_it():
    text = """\
PokerStars Hand #6:  Triple Draw 2-7 Lowball Limit ($1/$2 USD) - 2024/05/01 20:00:00 ET
Table 'Vega' 6-max Seat #2 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Bob: posts small blind $0.50
Ann: posts big blind $1
*** DEALING HANDS ***
Dealt to Ann [2s 3d 4h Kc Kd]
Bob: calls $0.50
Ann: checks
*** FIRST DRAW ***
Ann: discards 2 cards [Kc Kd]
Dealt to Ann [2s 3d 4h] [7c 8c]
Bob: discards 3 cards
Ann: bets $1
Bob: folds
Uncalled bet ($1) returned to Ann
Ann collected $2 from pot
Ann: doesn't show hand
*** SUMMARY ***
Total pot $2 | Rake $0
"""
    hand = stars(text)
    draws = [event for event in hand.events if event.kind == EventKind.DRAW]
    assert [len(draw.cards) for draw in draws] == [2, 3] and draws[1].cards == (UNKNOWN,) * 3
    assert check(hand).why == "" and stars(write_pokerstars([hand])) == hand


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Cleo: calls $2\n", "Cleo: calls $3\n", "line 12, 'Cleo: calls $3': 'Cleo' puts in 3 where 2 is to call"),
        ("Cleo: calls $2\n", "Dan: calls $2\n", "nobody of that name"),
        ("Cleo: calls $2\n", "Cleo: dances\n", "not known here"),
        ("Cleo: folds\n", "Cleo: folds\nCleo: checks\n", "acts after folding"),
        ("$37.25 and is", "$97.25 and is", "cannot bet"),
        ("[Qs 7h 2c]\nBob", "[Qs 7h]\nBob", "2 cards on the flop"),
        ("[Kd Qh] (", "[Kd Qs] (", "card Qs is dealt twice"),
        ("[Kd Qh] (", "[Kd Zz] (", "'Zz' is not a card"),
        ("collected $118.75", "collected $118.70", "the chips do not add up"),
        ("*** TURN ***", "*** FIRST TURN ***", "run it twice: a hand of Felt has one board"),
        ("*** FLOP ***", "Hand cancelled\n*** FLOP ***", "the room took the hand back"),
        ("Hold'em No Limit", "Courchevel Pot Limit", "no game that is read here"),
        ("($0.50/$1 USD)", "", "no stakes"),
        ("Table 'Aldebaran'", "Tisch 'Aldebaran'", "the line with the table is missing"),
        ("*** SUMMARY ***\nTotal pot $120.75 | Rake $2\n", "", "breaks off"),
    ],
)
def test_broken_hands_name_the_line_and_the_reason(old, new, words):
    assert old in POKERSTARS
    assert words in problem(POKERSTARS.replace(old, new))


def test_good_hands_between_broken_ones_are_read():
    found = read_pokerstars("\n\n".join([POKERSTARS, POKERSTARS[:400], POKERSTARS.replace("#101", "#103")]))
    assert [hand.hand_id for hand in found.hands] == ["101", "103"] and len(found.problems) == 1
    with pytest.raises(HistoryError, match="no hand of PokerStars"):
        read_pokerstars("Seat 1: nobody\n")
    with pytest.raises(HistoryError, match="no hand of Full Tilt"):
        read_fulltilt("")


@pytest.mark.filterwarnings("ignore:The field")  # PokerKit's own field
@pytest.mark.filterwarnings("ignore:There is no reason for this player to fold")  # random players need none
def test_pokerkit_accepts_what_is_written(hand_files):
    pokerkit = pytest.importorskip("pokerkit", reason="PokerKit is not installed: pip install felt-poker[bench]")
    published = hand_files / "phh" / "pluribus" / "30"
    files = list(find_files(published))[:20] if published.exists() else sorted((hand_files / "phh").glob("NT-*.phh"))
    assert files
    for file in files:
        (hand,) = read_hands(file).hands
        (history,) = pokerkit.HandHistory.from_pokerstars(write_pokerstars([hand]) + "\n\n", error_status=True)
        stacks = dict(zip(history.players, tuple(history)[-1].stacks, strict=True))
        assert stacks == dict(zip(hand.names, hand.finishing, strict=True)), file.name


def test_rooms_are_read_and_replayed(hand_files):
    hands = 0
    for file in find_files(hand_files / "rooms"):
        try:
            found = read_hands(file)
        except HistoryError:  # pieces of hands, for the tests of another parser
            continue
        for hand in found.hands:
            hands += 1
            assert check(hand).why == "", file.name
            if "PokerStars" in hand.meta["venue"]:
                assert stars(write_pokerstars([hand])) == hand
    assert hands == {"hands": 13, "data": 175}[hand_files.name]


def test_programs_that_count_an_uncalled_bet_as_collected():
    walk = (
        POKERSTARS.split("Ann: raises")[0]
        + "Ann: folds\nBob: the 2nd: folds\n{}*** SUMMARY ***\nTotal pot $1 | Rake $0\n"
    )
    for told in (
        "Uncalled bet ($0.50) returned to Cleo\nCleo collected $1 from pot\n",
        "Cleo collected $1.50 from pot\n",
        "Uncalled bet ($1) returned to Cleo\nCleo collected $0.50 from pot\n",
        "Cleo collected $1 from pot\n",
    ):
        hand = stars(walk.format(told))
        assert hand.finishing == (3975, 10050, 10000) and check(hand).why == ""
    assert "the chips do not add up" in problem(walk.format("Cleo collected $2 from pot\n"))
