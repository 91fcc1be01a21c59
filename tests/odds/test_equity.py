"""Equity in hold'em and short deck: published figures, slow twins, weights, card removal, chance and bad input."""

import csv
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from felt._chance import block_seeds
from felt.cards import Range, format_card, parse_cards, rank_batch
from felt.cards.combos import COMBO_CARDS, combo_index
from felt.errors import FeltError, OddsError
from felt.odds import Equity, equity
from felt.odds.equity.sampled import BLOCK, STREAM, alias_table
from tests.cards.test_ranking import hands_below
from tests.reference import equity as twin

SLOW = bool(os.environ.get("FELT_SLOW_TESTS"))


def wins(result: Equity) -> list[int]:
    """Deals that each player wins alone, where ranges are not weighted."""
    return [round(player.win * result.samples) for player in result.players]


def tied_shares(result: Equity) -> list[float]:
    """Each player's part of the pots that are shared, in pots."""
    return [(player.equity - player.win) * result.samples for player in result.players]


def equities(result: Equity) -> list[float]:
    return [player.equity for player in result.players]


# Published figures


def test_every_starting_hand_against_a_random_one(shared_data: Path) -> None:
    with (shared_data / "reference" / "preflop_169_vs_random_exact.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 169
    for row in rows:
        result = equity([row["hand"], "random"])
        counts = [int(row["win"]), int(row["lose"]), int(row["tie"])]
        deals = comb(50, 2) * comb(48, 5)
        assert sum(counts) == deals
        combos = {2: 6, 3: 4 if row["hand"][-1] == "s" else 12}[len(row["hand"])]
        assert (result.exact, result.method, result.samples) == (True, "table", combos * deals)
        found = [result.players[0].win, result.players[1].win, result.players[0].tie]
        assert [round(share * deals) for share in found] == counts, row["hand"]


@pytest.mark.parametrize(("first", "second"), [("AsAh", "7d2c"), ("AsKs", "QhQd"), ("8c7c", "8d7d")])
def test_two_hands_before_the_flop_are_counted_by_dealing_every_board(first: str, second: str) -> None:
    hands = [parse_cards(hand) for hand in (first, second)]
    rest = np.array([card for card in range(52) if card not in hands[0] + hands[1]], dtype=np.uint8)
    boards = rest[hands_below(48, 5)]
    mine, theirs = (rank_batch(np.hstack([np.tile(np.uint8(hand), (len(boards), 1)), boards])) for hand in hands)
    result = equity([first, second], exact=True)
    assert result.samples == len(boards) == comb(48, 5)
    assert wins(result) == [np.count_nonzero(mine > theirs), np.count_nonzero(mine < theirs)]


@pytest.mark.parametrize(("name", "cards"), [("AA", "AsAh"), ("72o", "7s2h"), ("T9s", "Td9d")])
def test_a_starting_hand_against_a_random_one_is_the_mean_over_all_hands(name: str, cards: str) -> None:
    gone = parse_cards(cards)
    others = ["".join(map(format_card, pair)) for pair in COMBO_CARDS.tolist() if not set(pair) & set(gone)]
    mean = sum(equity([cards, other], exact=True).players[0].equity for other in others) / comb(50, 2)
    assert equity([name, "random"]).players[0].equity == pytest.approx(mean, abs=1e-12)


@dataclass
class Case:
    """One answer of PokerStove."""

    hands: list[str]
    board: str
    dead: str
    games: int
    won: list[int]
    tied: list[float]

    @property
    def adds_up(self) -> bool:
        return abs(sum(self.won) + sum(self.tied) - self.games) < 0.5


def pokerstove(folder: Path) -> Iterator[Case]:
    text = (folder / "reference" / "pokerstove_exact_equities.txt").read_text()
    for block in text.split("---"):
        if not block.strip():
            continue
        board, dead = (re.findall(rf"{name}:(.*)", block)[0].strip() for name in ("Board", "Dead"))
        rows = re.findall(r"Hand \d+:.*\t\s*(\d+)\s+([\d.]+)\s+\{ (.*) \}", block)
        yield Case(
            hands=[hand for _, _, hand in rows],
            board=board,
            dead=dead,
            games=int(re.findall(r"([\d,]+) games", block)[0].replace(",", "")),
            won=[int(won) for won, _, _ in rows],
            tied=[float(tied) for _, tied, _ in rows],
        )


INTERRUPTED = 1_058_868_110
"""Games of a case that was stopped before its end: the same hands as another case, which has a hundred times more."""

SECONDS = (9_018_210_432, 33_556_057_920)
"""Games of cases that take some seconds: left out, unless FELT_SLOW_TESTS is set."""

MINUTES = 111_937_700_784
"""Games of a case that takes two cores most of a minute: sampled, unless FELT_SLOW_TESTS is set."""


@pytest.mark.grows
def test_pokerstove(shared_data: Path) -> None:
    cases = list(pokerstove(shared_data))
    assert len(cases) == 94
    assert all(len(case.hands) >= 2 for case in cases)
    checked = [case for case in cases if case.games not in (0, INTERRUPTED, *(() if SLOW else (MINUTES, *SECONDS)))]
    assert len(checked) == len(cases) - (2 if SLOW else 5)
    for case in checked:
        result = equity(case.hands, board=case.board, dead=case.dead, exact=True)
        assert (result.exact, result.samples) == (True, case.games), case
        assert wins(result) == case.won, case
        if case.adds_up:
            assert tied_shares(result) == pytest.approx(case.tied, abs=0.01), case
        else:  # in these its tie columns are too large: more pots than games
            assert sum(case.won) + sum(case.tied) > case.games
            assert all(ours < theirs for ours, theirs in zip(tied_shares(result), case.tied, strict=True)), case
        assert sum(wins(result)) + sum(tied_shares(result)) == pytest.approx(case.games, rel=1e-12)


def test_pokerstove_four_ranges_sampled(shared_data: Path) -> None:
    (case,) = (case for case in pokerstove(shared_data) if case.games == MINUTES)
    result = equity(case.hands, dead=case.dead, stderr=0.0005, seed=1)
    assert not result.exact
    for player, won in zip(result.players, case.won, strict=True):
        assert player.win == pytest.approx(won / case.games, abs=4 * result.stderr)


def test_pokerstove_found_no_deal_where_hands_share_a_card(shared_data: Path) -> None:
    (case,) = (case for case in pokerstove(shared_data) if case.games == 0)
    with pytest.raises(OddsError, match="need the same cards"):
        equity(case.hands, board=case.board)


def test_counts_by_winners(shared_data: Path) -> None:
    """Other people's counts of deals for each set of players who share the pot."""
    cases = json.loads((shared_data / "reference" / "constants.json").read_text())["exact_equity_counts"]["cases"]
    assert len(cases) == 4
    for case in cases:
        result = equity(case["ranges"], board=case["board"], dead=case["dead"], exact=True)
        counts = case["counts"]
        assert result.samples == sum(counts)
        assert wins(result) == [counts[1 << p] for p in range(len(case["ranges"]))]
        for p, tied in enumerate(tied_shares(result)):
            shared = [n / mask.bit_count() for mask, n in enumerate(counts) if mask >> p & 1 and mask.bit_count() > 1]
            assert tied == pytest.approx(sum(shared), rel=1e-9, abs=1e-3)


# Tables 4 to 6 of a thesis of 2015, each cell from 50,000 random deals: the chance in per cent to win alone

ONE_OPPONENT = {
    "AcAd": (85.2, 84.9),
    "8c8d": (67.9, 68.7),
    "QcKc": (62.8, 62.4),
    "Ah8s": (58.8, 58.4),  # its "true" value is printed as 60.5, which no hand of this kind has
    "JsQd": (57.2, 56.9),
    "ThJh": (56.7, 56.2),
    "3d3s": (53.0, 52.8),
    "2d2h": (49.5, 49.4),
    "9d3s": (37.8, 37.4),
    "2s7s": (35.5, 35.4),
    "2d7h": (31.9, 31.7),
}
"""Hand: sampled there, and the figure that it is compared with there (another source's, exact)."""

STREETS = [
    ("AcKd", "3s7cTc8d2s", (64.5, 54.4, 41.7, 35.6)),
    ("2d5s", "3s6dKd4h7s", (29.7, 28.2, 92.8, 94.2)),
    ("8s9s", "2dKs3sAcTs", (49.1, 53.5, 38.5, 99.7)),
    ("5s5c", "AdKhQsJdTh", (58.5, 48.0, 34.4, 0.0)),
]
OFF_BY_MORE_THAN_ONE = {
    ("2d5s", 0): 31.19,
    ("2d5s", 5): 86.97,
    ("8s9s", 4): 36.60,
    ("8s9s", 5): 98.18,
    ("5s5c", 0): 59.64,
}
"""Cells that are further off than the one per cent that the thesis claims, with the exact figure."""

ACES = (85.2, 73.4, 64.0, 56.1, 49.5, 43.9, 39.1, 35.0, 31.6)
"""Against one to nine opponents."""


@pytest.mark.parametrize("hand", ONE_OPPONENT)
def test_thesis_table_4(hand: str) -> None:
    sampled, true = ONE_OPPONENT[hand]
    found = 100 * equity([hand, "random"]).players[0].win
    assert found == pytest.approx(true, abs=0.05)
    assert found == pytest.approx(sampled, abs=1.0)


@pytest.mark.parametrize(("hand", "board", "row"), STREETS, ids=[hand for hand, _, _ in STREETS])
def test_thesis_table_5(hand: str, board: str, row: tuple[float, ...]) -> None:
    for cards, theirs in zip((0, 3, 4, 5), row, strict=True):
        found = 100 * equity([hand, "random"], board=board[: 2 * cards], exact=True).players[0].win
        if (hand, cards) in OFF_BY_MORE_THAN_ONE:
            assert found == pytest.approx(OFF_BY_MORE_THAN_ONE[hand, cards], abs=0.005)
            assert abs(found - theirs) > 1.0
        else:
            assert found == pytest.approx(theirs, abs=1.0)


@pytest.mark.parametrize(("hand", "board"), [("2d5s", "3s6dKd4h7s"), ("8s9s", "2dKs3sAcTs")])
def test_thesis_table_5_is_off_on_the_river(hand: str, board: str) -> None:
    """The exact figures of the cells that are furthest off, by a count that shares nothing with the first."""
    own, shared = parse_cards(hand), parse_cards(board)
    others = {(a, b): 1.0 for a in range(52) for b in range(a) if not {a, b} & {*own, *shared}}
    (share, _), deals = twin.by_ranges([{own: 1.0}, others], board=shared)
    assert deals == comb(45, 2)
    assert float(100 * share.win) == pytest.approx(OFF_BY_MORE_THAN_ONE[hand, 5], abs=0.005)


def test_thesis_table_6() -> None:
    for opponents, theirs in enumerate(ACES, start=1):
        result = equity(["AsAc", *["random"] * opponents], stderr=0.001)
        assert 100 * result.players[0].win == pytest.approx(theirs, abs=1.0)


# Weights and card removal, against slow twins


def weights_of(text: str) -> dict[tuple[int, int], float]:
    """A range as the twin takes it."""
    weights = Range.parse(text).weights
    return {tuple(map(int, COMBO_CARDS[i])): float(weights[i]) for i in np.flatnonzero(weights)}


def agrees(texts: list[str], board: str, *, dead: str = "", game: str = "holdem") -> None:
    """Exact answers are those of the twin, to the last digits."""
    result = equity(texts, board=board, dead=dead, game=game, exact=True)
    options = {"holdem": {}, "short-deck": {"kind": "short", "deck": twin.SHORT_DECK}}
    options["short-deck-trips"] = {"kind": "short-trips", "deck": twin.SHORT_DECK}
    shares, deals = twin.by_ranges(
        [weights_of(text) for text in texts], board=parse_cards(board), dead=parse_cards(dead), **options[game]
    )
    assert (result.exact, result.samples) == (True, deals)
    for player, share in zip(result.players, shares, strict=True):
        assert player.equity == pytest.approx(float(share.equity), abs=1e-12)
        assert player.win == pytest.approx(float(share.win), abs=1e-12)
        assert player.tie == pytest.approx(float(share.tie), abs=1e-12)


@pytest.mark.no_jit
@pytest.mark.parametrize(
    ("texts", "board", "dead"),
    [
        (["AsKs", "QdQh"], "Qs7s2c9d", ""),
        (["AsKs", "AK,QQ"], "2c7d9hTcTd", ""),
        (["AA", "AA,KK:0.5"], "2c7d9hTc", "Ks"),
        (["AsKs:0.25,QQ:0.5", "AsQs,KK:0.75,76s"], "2c7d9hTc", "9c"),
        (["AA", "AK:0.5", "KK,QQ:0.25"], "2c7dKhTcAs", ""),
        (["AhKh", "AsKs", "AdKd", "QcJc"], "2c7d9hTc", ""),
        (["AKs:0.5,77", "QQ:0.25,KK", "JJ,99:0.1"], "2c7d9hTcKs", ""),
    ],
    ids=lambda value: " v ".join(value) if isinstance(value, list) else value or "-",
)
def test_against_the_twin(texts: list[str], board: str, dead: str) -> None:
    agrees(texts, board, dead=dead)


@pytest.mark.parametrize("game", ["short-deck", "short-deck-trips"])
@pytest.mark.parametrize("board", ["6c7d9hTc", "TsJsQdTd6c"])
def test_short_deck_against_the_twin(game: str, board: str) -> None:
    agrees(["AsKs,99", "QQ:0.5,AhTh", "8h7h"], board, game=game)
    agrees(["AsKs,99", "QQ:0.5,AhTh"], board, game=game)


@st.composite
def situations(draw: st.DrawFn) -> tuple[list[Range], str]:
    """Two or three small weighted ranges, close together so that they share cards, and a board from the turn on."""
    cards = draw(st.lists(st.integers(28, 51), min_size=12, max_size=12, unique=True))
    board = cards[: draw(st.sampled_from([4, 5]))]
    held = st.sampled_from(cards[5:])
    combos = st.tuples(held, held).filter(lambda pair: pair[0] != pair[1])
    weights = st.sampled_from([0.25, 0.5, 0.75, 1.0])
    ranges = []
    for _ in range(draw(st.integers(2, 3))):
        chosen = np.zeros(1326)
        for pair, weight in draw(st.dictionaries(combos, weights, min_size=1, max_size=4)).items():
            chosen[combo_index(*pair)] = weight
        ranges.append(Range(chosen))
    return ranges, "".join("23456789TJQKA"[card >> 2] + "cdhs"[card & 3] for card in board)


def asked(ranges: list[Range], board: str, **options: object) -> Equity | None:
    """The answer; None where the ranges cannot be dealt together."""
    try:
        return equity(ranges, board=board, **options)
    except OddsError as error:
        assert "same cards" in str(error)
        return None


@settings(max_examples=40)
@given(situations())
def test_any_ranges_against_the_twin(situation: tuple[list[Range], str]) -> None:
    ranges, board = situation
    result = asked(ranges, board, exact=True)
    tables = [{tuple(map(int, COMBO_CARDS[i])): r.weights[i] for i in np.flatnonzero(r.weights)} for r in ranges]
    if result is None:
        with pytest.raises(ZeroDivisionError):
            twin.by_ranges(tables, board=parse_cards(board))
        return
    shares, deals = twin.by_ranges(tables, board=parse_cards(board))
    assert result.samples == deals
    assert equities(result) == pytest.approx([float(share.equity) for share in shares], abs=1e-12)
    assert sum(equities(result)) == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=20)
@given(situations(), st.integers(0, 1000))
def test_sampled_ranges_are_near_the_exact_answer(situation: tuple[list[Range], str], seed: int) -> None:
    ranges, board = situation
    result, deals = asked(ranges, board, exact=True), 20_000
    if result is None:
        assert asked(ranges, board, samples=10) is None
        return
    sampled = equity(ranges, board=board, samples=deals, seed=seed)
    for true, found in zip(equities(result), equities(sampled), strict=True):
        spread = max(sampled.stderr, sqrt(true * (1 - true) / deals))
        assert found == pytest.approx(true, abs=5 * spread + 5 / deals)
    assert sum(equities(sampled)) == pytest.approx(1.0, abs=1e-12)


def test_the_players_may_sit_in_any_order() -> None:
    hands = ["AsKs", "QQ:0.5,76s", "22+"]
    answers = dict(zip(hands, equity(hands, board="2c7d9hTc").players, strict=True))
    for order in permutations(hands):
        for player in equity(order, board="2c7d9hTc").players:
            assert player.equity == pytest.approx(answers[player.hand].equity, abs=1e-12)
            assert player.win == pytest.approx(answers[player.hand].win, abs=1e-12)


def test_card_removal_between_ranges_before_the_flop() -> None:
    """Against aces, a range of aces and kings holds kings six times in seven, not one time in two."""
    aces_beat_kings = (50_371_344 + 285_228 / 2) / 61_642_944
    (aces, _) = equities(equity(["AA", "AA,KK"]))
    assert aces == pytest.approx((1 * 0.5 + 6 * aces_beat_kings) / 7, abs=1e-12)
    assert equity(["AA", "AA,KK"]).samples == 6 * (1 + 6) * comb(48, 5)


def test_card_removal_with_a_blocker() -> None:
    """AsKs takes cards from AK and AA: the weights of what is left decide."""
    whole = equity(["AsKs", "AA,AK,QQ"], board="2c7d9h")
    parts = [equity(["AsKs", text], board="2c7d9h") for text in ("AA", "AK", "QQ")]
    assert [part.samples // comb(45, 2) for part in parts] == [3, 9, 6]
    mean = sum(part.samples * part.players[0].equity for part in parts) / whole.samples
    assert whole.players[0].equity == pytest.approx(mean, abs=1e-12)


def test_sampling_removes_cards_too() -> None:
    """Three ranges that block each other: drawing hands one after the other would be off by several per cent."""
    hands = ["AsAh,KsKh:0.5", "AsKs,QsQh", "AhKh,JsJh"]
    exact, sampled = (equity(hands, board="2c7d9h", **how) for how in ({"exact": True}, {"stderr": 0.001}))
    assert equities(sampled) == pytest.approx(equities(exact), abs=0.005)


def test_dead_cards_are_dealt_to_nobody() -> None:
    """On the turn aces have two outs to beat a set, and none once both are dead."""
    assert equity(["AsAd", "KsKd"], board="Kc2h7d9c").players[0].win == pytest.approx(2 / 44)
    assert equity(["AsAd", "KsKd"], board="Kc2h7d9c", dead="AhAc").players[0].win == 0.0


def test_a_range_object_is_as_good_as_its_text() -> None:
    by_text, by_range = equity(["AsKs", "QQ+"]), equity([Range.parse("AsKs"), Range.parse("QQ+")])
    assert equities(by_text) == equities(by_range)
    assert by_range.players[1].hand == "QQ+"


def test_weights_are_relative() -> None:
    half = equity(["AsKs", "QQ:0.5,JJ:0.25"], board="2c7d9h")
    full = equity(["AsKs", "QQ,JJ:0.5"], board="2c7d9h")
    assert equities(half) == pytest.approx(equities(full), abs=1e-12)


# How an answer is found


@pytest.mark.parametrize(
    ("hands", "options", "method"),
    [
        (["AA", "KK"], {}, "table"),
        (["AA", "KK"], {"board": "2c7d9h"}, "enumeration"),
        (["AsAd", "KsKd", "QsQd"], {}, "enumeration"),
        (["AsAd", *["random"] * 3], {}, "simulation"),
        (["AA", "KK"], {"samples": 100}, "simulation"),
        (["AA", "KK"], {"stderr": 0.01}, "simulation"),
        (["AA", "KK"], {"exact": False}, "simulation"),
    ],
)
def test_the_answer_says_how_it_was_found(hands: list[str], options: dict[str, object], method: str) -> None:
    result = equity(hands, **options)
    assert result.method == method
    assert result.exact is (method != "simulation")
    assert (result.stderr == 0.0) is result.exact
    assert result.seconds > 0


def test_exact_answers_that_take_days_are_refused_with_an_estimate() -> None:
    with pytest.raises(OddsError, match=r"'random' v 'random'.* days of one core: leave out exact"):
        equity(["random"] * 5, exact=True)


@pytest.mark.parametrize("how", [{"samples": 3 * BLOCK + 5}, {"stderr": 0.004}, {"exact": True}])
def test_threads_do_not_change_the_answer(how: dict[str, object]) -> None:
    hands = ["AsKs,QQ:0.5", "TT+", "98s"]
    one, *others = (equity(hands, board="2c7d9h", threads=threads, seed=9, **how) for threads in (1, 2, 3))
    for other in others:
        assert other.players == one.players
        assert (other.samples, other.stderr) == (one.samples, one.stderr)


@pytest.mark.no_jit
def test_a_seed_reproduces_and_another_differs() -> None:
    first, again, other = (equity(["AsKs", "QQ", "random"], samples=200, seed=seed) for seed in (5, 5, 6))
    assert first.players == again.players
    assert first.players != other.players
    assert first.samples == 200


def test_dealing_goes_on_until_the_error_is_small_enough() -> None:
    for wanted in (0.01, 0.002):
        result = equity(["AsKs", "QQ", "random"], stderr=wanted)
        assert wanted * 0.5 < result.stderr <= wanted or result.samples == 4 * BLOCK


def test_the_error_is_honest() -> None:
    """Two hundred answers with different seeds differ as much as their standard error says."""
    results = [equity(["AsKs", "QQ", "random"], samples=1000, seed=seed) for seed in range(200)]
    true = equities(equity(["AsKs", "QQ", "random"], stderr=0.0005, seed=777))
    spread = np.std([equities(result) for result in results], axis=0, ddof=1).max()
    assert spread / np.mean([result.stderr for result in results]) == pytest.approx(1.0, abs=0.15)
    mean = np.mean([equities(result) for result in results], axis=0)
    assert mean == pytest.approx(true, abs=5 * spread / sqrt(200))


def test_nothing_but_wins_is_not_certainty() -> None:
    result = equity(["AsAd", "2c7d"], board="AhAc9h", samples=100)
    assert result.players[0].equity == 1.0
    assert not result.exact
    assert result.stderr == pytest.approx(1 / 102)


def test_progress_is_told() -> None:
    calls: list[tuple[int, int]] = []
    equity(["AsKs", "QQ"], samples=3 * BLOCK, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(BLOCK * i, 3 * BLOCK) for i in (1, 2, 3)]
    calls.clear()
    equity(["AsKs", "QQ"], board="2c7d", exact=True, progress=lambda done, total: calls.append((done, total)))
    assert [done for done, _ in calls] == list(range(1, calls[-1][1] + 1))


def test_many_blocks_do_not_wait_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[int] = []
    from felt.odds.equity import sampled

    def spy(function, items, threads):
        asked_for.append(len(items))
        return map(function, items)

    monkeypatch.setattr(sampled, "map_ordered", spy)
    monkeypatch.setattr(sampled, "BLOCKS_AT_ONCE", 2)
    result = equity(["AsKs", "QQ"], samples=5 * BLOCK - 7)
    assert asked_for == [2, 2, 1]
    assert result.samples == 5 * BLOCK - 7


def test_blocks_have_streams_of_their_own() -> None:
    seeds = np.concatenate([block_seeds(seed, 0, 1000, STREAM) for seed in range(20)])
    assert len(np.unique(seeds)) == len(seeds)
    assert block_seeds(3, 500, 1, STREAM)[0] == block_seeds(3, 0, 1000, STREAM)[500]


@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=30))
def test_the_alias_table_draws_by_weight(weights: list[float]) -> None:
    keep, other = alias_table(np.array(weights))
    chances = keep / len(weights)
    np.add.at(chances, other, (1 - keep) / len(weights))
    assert chances == pytest.approx(np.array(weights) / sum(weights), abs=1e-9)


# Bad input


@pytest.mark.parametrize(
    ("hands", "options", "words"),
    [
        (["AhAh", "KK"], {}, "'AhAh'"),
        (["ZZ", "AA"], {}, "'ZZ'"),
        (["", "AA"], {}, "''"),
        (["AA"], {}, "2 to 10 players, not 1"),
        ([], {}, "no hand was given"),
        (["AA"] * 11, {}, "not 11"),
        (["AA", "KK"], {"board": "2c3c4c5c6c7c8c9cTc"}, "'2c3c4c5c6c7c8c9cTc'.*9 cards"),
        (["AA", "KK"], {"board": "2c2c4c"}, "'2c2c4c'"),
        (["AA", "KK"], {"board": "2c3c4x"}, "'2c3c4x'"),
        (["AA", "KK"], {"board": "JkQc2c"}, "Jk"),
        (["AA", "KK"], {"dead": "AsAhAd"}, "nothing is left of 'AA'.*AsAhAd"),
        (["AA", "KK"], {"board": "AsAhAd"}, "nothing is left of 'AA'"),
        (["AsKs", "QQ"], {"board": "As7d2c"}, "nothing is left of 'AsKs'"),
        (["AA", "KK"], {"board": "2c3c4c", "dead": "2c"}, "2c is on the board"),
        (["AsKs", "AsQs"], {}, "'AsKs', 'AsQs' cannot be dealt"),
        (["AsKs", "AsQs"], {"board": "2c7d9h"}, "'AsKs', 'AsQs' cannot be dealt"),
        (["AA", "AA", "AA"], {"exact": True}, "'AA', 'AA', 'AA' cannot be dealt"),
        (["AA", "AA", "AA"], {"samples": 10}, "'AA', 'AA', 'AA' go together in too few deals"),
        (["AA", "KK"], {"samples": -5}, "samples=-5"),
        (["AA", "KK"], {"samples": 0}, "samples=0"),
        (["AA", "KK"], {"samples": 1e5}, "samples=100000.0: give a whole number"),
        (["AA", "KK"], {"samples": 10, "seed": None}, "seed=None: give a whole number"),
        ("AAKK", {}, "'AAKK' is one text: give a list"),
        (["AA", "KK"], {"samples": 10**15}, "samples=1000000000000000 would take days"),
        (["AA", "KK"], {"stderr": 0.0}, "stderr=0.0"),
        (["AA", "KK"], {"stderr": 2.0}, "stderr=2.0"),
        (["AA", "KK"], {"stderr": 1e-9}, "1e-09"),
        (["AA", "KK"], {"threads": 0}, "threads=0"),
        (["AA", "KK"], {"seed": -1, "samples": 10}, "seed=-1"),
        (["AA", "KK"], {"exact": True, "samples": 10}, "choose one of"),
        (["AA", "KK"], {"samples": 10, "stderr": 0.1}, "choose one of"),
        (["AA", "55"], {"game": "short-deck"}, "nothing is left of '55'"),
        (["AA", "KK"], {"game": "short-deck", "board": "2c7d9h"}, "2c is not in this game's deck"),
        (["AA", "KK"], {"game": "chess"}, "'chess'.*choose one of holdem, short-deck"),
        (["random"] * 10, {"game": "short-deck", "dead": "6c6d6h6s7c7d7h7s8c8d8h8s"}, "25 cards are needed"),
    ],
)
def test_mistakes_are_one_line_that_quotes_the_input(hands: list[str], options: dict[str, object], words: str) -> None:
    with pytest.raises(FeltError, match=words) as caught:
        equity(hands, **options)
    assert "\n" not in str(caught.value)
