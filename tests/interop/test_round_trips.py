"""What is written is read again, by Felt and by PokerKit, and what PokerKit writes by Felt: random hands, all games."""

import os
import random
from collections import Counter

import pytest

from felt.games import Hand, load
from felt.games.history import HandRecord
from felt.games.moves import EventKind
from felt.games.rules import Structure
from felt.interop.acpc.log import read_acpc
from felt.interop.acpc.writer import write_acpc
from felt.interop.phh.reader import CODES, STUD_CODES, read_phh
from felt.interop.phh.writer import write_phh, write_phhs
from felt.interop.results import check, with_showdown
from felt.interop.rooms.ledger import Ledger
from felt.interop.rooms.pokerstars import GAMES, read_pokerstars
from felt.interop.rooms.pokerstars_writer import write_pokerstars
from felt.interop.variants import DRAW_GAMES, Game
from tests.interop.random_hands import move_at_random, random_records

pytestmark = pytest.mark.grows
HANDS = 50 if os.environ.get("FELT_SLOW_TESTS") else 20
CHIP = 240
MISSING = "PokerKit is not installed: pip install felt-poker[bench]"


@pytest.mark.parametrize("code", CODES)
def test_phh_there_and_back_is_the_same_record(code):
    records = list(random_records(*CODES[code], HANDS))
    found = read_phh(write_phhs(records))
    assert not found.problems and list(found.hands) == records
    assert not any(check(hand).why for hand in found.hands)


@pytest.mark.filterwarnings("ignore:There is no reason for this player to fold")  # random players need none
@pytest.mark.parametrize("code", CODES)
def test_pokerkit_reads_our_phh_and_comes_to_the_same_stacks(code):
    pokerkit = pytest.importorskip("pokerkit", reason=MISSING)
    refused = 0
    for record in random_records(*CODES[code], HANDS):
        try:
            *_, last = pokerkit.HandHistory.loads(write_phh(record))
        except (ValueError, KeyError):  # half a bet reopens the betting here (Robert's Rules), and not there
            assert has_short_raise(record), write_phh(record)
            refused += 1
            continue
        assert tuple(last.stacks) == record.finishing, write_phh(record)
    assert refused <= HANDS // 10


def has_short_raise(record: HandRecord) -> bool:
    """Whether somebody raises all in by less than a limit game has it."""
    ledger = Ledger.of(record)
    for event in record.events:
        high, street = ledger.high, min(ledger.street, len(record.rules.rounds) - 1)
        betting = record.rules.rounds[street].betting
        ledger.apply(event)
        if event.kind == EventKind.RAISE and betting.structure == Structure.LIMIT and event.amount - high < betting.bet:
            return True
    return False


@pytest.mark.parametrize("code", CODES)
def test_we_read_the_phh_of_pokerkit(code):
    pokerkit = pytest.importorskip("pokerkit", reason=MISSING)
    rng = random.Random(f"pokerkit {code}")
    out_of_turn = 0
    for _ in range(HANDS):
        text, stacks = played_by_pokerkit(pokerkit, code, rng)
        found = read_phh(text)
        assert not found.problems, (found.problems, text)
        (hand,) = found.hands
        assert hand.finishing == stacks
        why = check(hand).why
        if "it is the turn of seat" in why and code in STUD_CODES:  # equal cards up: by suits here, by seats there
            out_of_turn += 1
            continue
        assert why == "", (why, text)
    assert out_of_turn <= 1


def played_by_pokerkit(pokerkit, code: str, rng: random.Random) -> tuple[str, tuple[int, ...]]:
    """A hand that PokerKit plays at random, in the text that it writes, and where it ends.

    All chips are multiples of a number that any winners can share: of odd chips it gives all to one.
    """
    players = rng.choice((2, 3) if CODES[code][0] in DRAW_GAMES else (2, 3, 5))
    ante = 2 if code in STUD_CODES else rng.choice((0, 2))
    stakes = {"antes": [ante] * players, "starting_stacks": [rng.choice((60, 200, 500))] * players}
    stakes |= {"bring_in": 4} if code in STUD_CODES else {"blinds_or_straddles": [5, 10] + [0] * (players - 2)}
    stakes |= {"small_bet": 10, "big_bet": 20} if CODES[code][1] == Structure.LIMIT else {"min_bet": 10}
    whole = {
        name: [CHIP * value for value in values] if isinstance(values, list) else CHIP * values
        for name, values in stakes.items()
    }
    game = pokerkit.HandHistory(variant=code, actions=[], ante_trimming_status=True, **whole).create_game()
    state = game(whole["starting_stacks"], players)
    while state.status:
        step_of_pokerkit(state, rng, limit="small_bet" in stakes)
    stacks = tuple(map(int, state.stacks))
    history = pokerkit.HandHistory.from_game_state(game, state, finishing_stacks=list(stacks))
    history.ante_trimming_status = True
    return history.dumps(), stacks


def step_of_pokerkit(state, rng: random.Random, *, limit: bool) -> None:
    """One thing that can be done, by a player or by the house."""
    if state.can_burn_card():
        state.burn_card()
    elif state.can_deal_hole():
        state.deal_hole()
    elif state.can_deal_board():
        state.deal_board()
    elif state.can_stand_pat_or_discard():
        cards = list(state.get_down_cards(state.stand_patter_or_discarder_index))
        state.stand_pat_or_discard(rng.sample(cards, rng.randint(0, 3)))
    elif state.can_post_bring_in() and rng.random() < 0.5:
        state.post_bring_in()
    elif state.can_fold() and rng.random() < 0.1:
        state.fold()
    elif state.can_complete_bet_or_raise_to() and rng.random() < 0.3:
        least = int(state.min_completion_betting_or_raising_to_amount)
        most = least if limit else int(state.max_completion_betting_or_raising_to_amount)  # its FO/8 is not limited
        state.complete_bet_or_raise_to(rng.choice((least, most, rng.randint(least, most) // CHIP * CHIP)))
    elif state.can_check_or_call():
        state.check_or_call()
    elif state.can_post_bring_in():
        state.post_bring_in()
    else:
        state.show_or_muck_hole_cards(True)


@pytest.mark.parametrize("game", sorted(set(GAMES.values())))
def test_pokerstars_text_there_and_back_is_the_same_hand(game):
    structure = Structure.LIMIT if game not in (Game.SHORT_DECK, Game.SINGLE_DRAW) else Structure.NO_LIMIT
    for played in random_records(game, structure, HANDS, ante=game != Game.SHORT_DECK):
        record = with_showdown(played)
        found = read_pokerstars(write_pokerstars([played]))
        assert not found.problems, (found.problems, write_pokerstars([played]))
        (again,) = found.hands
        assert (again.stacks, again.antes, again.posts) == (record.stacks, record.antes, record.posts)
        assert again.finishing == record.finishing and check(again).why == "", write_pokerstars([played])
        assert decisions(again) == decisions(record)


def decisions(record: HandRecord) -> list[tuple[EventKind, int, int, int]]:
    """What players did, and the board: a text without a hero does not tell the cards that nobody showed."""
    kinds = (EventKind.FOLD, EventKind.CALL, EventKind.RAISE, EventKind.DRAW, EventKind.BOARD)
    return [(e.kind, e.seat, e.amount, len(e.cards)) for e in record.events if e.kind in kinds]


@pytest.mark.parametrize("structure", [Structure.NO_LIMIT, Structure.LIMIT])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_acpc_logs_there_and_back_are_the_same_hands(structure, players):
    records = [
        record
        for record in random_records(Game.HOLDEM, structure, 12 * HANDS, even=True, ante=False)
        if record.players == players
    ]
    assert records
    found = read_acpc(write_acpc(records))
    assert not found.problems and len(found.hands) == len(records)
    for record, again in zip(records, found.hands, strict=True):
        assert check(again).why == "" and again.events == record.events
        payoffs = [after - before for after, before in zip(record.finishing, record.stacks, strict=True)]
        assert check(again).payoffs == tuple(int(chips / again.unit) for chips in payoffs)


def test_a_hand_with_the_button_anywhere_is_written_from_the_left_of_it():
    rng = random.Random("button")
    for number in range(HANDS):
        players = rng.randint(2, 6)
        hand = Hand.new(load("nlhe"), 50, players=players, seed=number, button=rng.randrange(players))
        while not hand.over:
            move_at_random(hand, rng)
        for again in (
            read_phh(write_phh(hand.record())).hands[0],
            read_pokerstars(write_pokerstars([hand.record()])).hands[0],
        ):
            first = (hand.button + 1) % players
            assert again.finishing == hand.stacks[first:] + hand.stacks[:first] and check(again).why == ""


@pytest.mark.filterwarnings("ignore:There is no reason for this player to fold")  # random players need none
@pytest.mark.filterwarnings("ignore:The field")  # PokerKit's own field
def test_pokerkit_reads_our_pokerstars_text():
    pokerkit = pytest.importorskip("pokerkit", reason=MISSING)
    seen = Counter()
    for record in random_records(Game.HOLDEM, Structure.NO_LIMIT, HANDS, ante=False):
        text = write_pokerstars([record]) + "\n\n"
        (history,) = pokerkit.HandHistory.from_pokerstars(text, error_status=True)
        *_, last = history
        (again,) = read_pokerstars(text).hands
        stacks = dict(zip(history.players, map(int, last.stacks), strict=True))
        assert stacks == dict(zip(again.names, record.finishing, strict=True)), text
        seen[len(stacks)] += 1
    assert len(seen) > 3
