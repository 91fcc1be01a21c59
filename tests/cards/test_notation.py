"""Every notation that players paste, and every mistake in it."""

import json
import math
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from felt.cards.card import RANKS, parse_cards
from felt.cards.combos import COMBO_CARDS, COMBO_CLASS, COMBO_MASKS, combo_index
from felt.cards.ranges.notation import parse_weights
from felt.cards.starting import RANKINGS, top_classes
from felt.errors import FeltError, RangeError


def weights_of(**classes: float) -> np.ndarray:
    """Weights from class names, by looking at each of the 1,326 pairs of cards."""
    return np.array([classes.get(class_of(*map(int, cards)), 0.0) for cards in COMBO_CARDS])


def class_of(first: int, second: int) -> str:
    low, high = sorted((first // 4, second // 4))
    if low == high:
        return RANKS[high] * 2
    return RANKS[high] + RANKS[low] + ("s" if first % 4 == second % 4 else "o")


def same(text: str, *names: str, weight: float = 1.0) -> bool:
    return np.array_equal(parse_weights(text), weights_of(**dict.fromkeys(names, weight)))


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("TT+", "TT JJ QQ KK AA"),
        ("99-22", "22 33 44 55 66 77 88 99"),
        ("22-44", "22 33 44"),
        ("AK", "AKs AKo"),
        ("KQo", "KQo"),
        ("A2s+", "A2s A3s A4s A5s A6s A7s A8s A9s ATs AJs AQs AKs"),
        ("QT+", "QTs QTo QJs QJo"),
        ("75s+", "75s 76s"),
        ("T9s+", "T9s JTs QJs KQs AKs"),  # connectors climb, as in postflop-solver
        ("AKo+", "AKo"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("QJs-QTs", "QJs QTs"),
        ("JTs-76s", "JTs T9s 98s 87s 76s"),
        ("86o-AQo", "86o 97o T8o J9o QTo KJo AQo"),
        ("A9s-Q9s", "A9s K9s Q9s"),
        ("A2-A4s", "A2s A3s A4s"),
        ("ak,kqO", "AKs AKo KQo"),
        ("A10s+ 1010", "ATs AJs AQs AKs TT"),
        ("KA, 89s", "AKs AKo 98s"),
        ("AxKx", "AKs"),
        ("AxKy", "AKo"),
        ("AAo", "AA"),
        ("Kxs", "K2s K3s K4s K5s K6s K7s K8s K9s KTs KJs KQs AKs"),
        ("AQs–ATs; KQo\nTT", "AQs AJs ATs KQo TT"),
        (", ,AA;;KK | 'QQ',", "AA KK QQ"),
        ("{ JJ+, AKs }", "JJ QQ KK AA AKs"),
        ("Hand 0: \t63.597%  \t63.36% \t  468719856  { JJ+, AKs }", "JJ QQ KK AA AKs"),
        ("set_range OOP AA,KK", "AA KK"),
        ("set_range_ip AA,KK", "AA KK"),
        ("#Range0#AA,KK", "AA KK"),
        ("АК, КК", "AKs AKo KK"),  # typed in Cyrillic
    ],
)
def test_hands(text: str, hands: str) -> None:
    assert same(text, *hands.split())


@pytest.mark.parametrize(
    ("text", "combos"),
    [
        ("AsKd", "AsKd"),
        ("as kd", "AsKd"),
        ("A♠K♦", "AsKd"),
        ("A♠️ K♦️, 10h9h", "AsKd Th9h"),
        ("2d2c", "2d2c"),
        ("KdAs", "AsKd"),
        ("8h8s+", "8s8h 9s9h TsTh JsJh QsQh KsKh AsAh"),
        ("AhTh+", "AhTh AhJh AhQh AhKh"),
        ("9d8d-6d5d", "9d8d 8d7d 7d6d 6d5d"),
        ("AhK", "AhKc AhKd AhKh AhKs"),
        ("AhK*", "AhKc AhKd AhKh AhKs"),
        ("AxKh", "AcKh AdKh AhKh AsKh"),
        ("KhAo", "AcKh AdKh AsKh"),
    ],
)
def test_combos(text: str, combos: str) -> None:
    expected = np.zeros(1326)
    for combo in combos.split():
        expected[combo_index(*parse_cards(combo))] = 1
    assert np.array_equal(parse_weights(text), expected)


@pytest.mark.parametrize("text", ["random", "ANY", "all", "*", "**", "XX", "100%", "top 100%", "0%-100%"])
def test_everything(text: str) -> None:
    assert (parse_weights(text) == 1).all()


@pytest.mark.parametrize(("text", "count"), [("Ax", 198), ("Ah", 51), ("AhX", 51), ("Ah*", 51), ("AXs", 48)])
def test_any_other_card(text: str, count: int) -> None:
    assert parse_weights(text).sum() == count


def test_wild_cards_take_the_cards_they_say() -> None:
    hearts = np.array([first % 4 == second % 4 == 2 for first, second in COMBO_CARDS])
    assert np.array_equal(parse_weights("XhXh"), hearts)
    assert np.array_equal(parse_weights("XXo") + parse_weights("XXs"), np.ones(1326))


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("AA:0.5", 0.5),
        ("AA: .5", 0.5),
        ("AA@50", 0.5),
        ("AA @ 50%", 0.5),
        ("AA:50%", 0.5),
        ("AA:1.0", 1.0),
        ("AA@1", 0.01),
        ("AA:1e-05", 1e-05),
        ("[25.0]AA[/25.0]", 0.25),
        ("[25]AA", 0.25),
        ("[0.50]AA[/0.50]", 0.005),
        ("[50]AA:0.5[/50]", 0.25),
        ("40%(AA)", 0.4),
        ("0.6(AA)", 0.6),
        ("(AA):0.5", 0.5),
        ("50%([50]AA[/50])", 0.25),
    ],
)
def test_weights(text: str, weight: float) -> None:
    assert same(text, "AA", weight=weight)


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("AA:0.5,KK", {"AA": 0.5, "KK": 1}),
        ("[25.0]AA,KK[/25.0],QQ", {"AA": 0.25, "KK": 0.25, "QQ": 1}),
        ("QQ,[25.0]AA,KK[/25.0],[50.0]JJ[/50.0]", {"AA": 0.25, "KK": 0.25, "QQ": 1, "JJ": 0.5}),
        ("AA, [50]KK, QQ, [25]JJ", {"AA": 1, "KK": 0.5, "QQ": 0.5, "JJ": 0.25}),
        ("0.5(AA, KK), QQ", {"AA": 0.5, "KK": 0.5, "QQ": 1}),
        ("AA:0.75,AKs:1.0", {"AA": 0.75, "AKs": 1}),
        ("QQ+, KK:0.5", {"AA": 1, "KK": 0.5, "QQ": 1}),  # the last word counts
        ("KK:0.5, QQ+", {"AA": 1, "KK": 1, "QQ": 1}),
        ("QQ+, KK:0", {"AA": 1, "QQ": 1}),
    ],
)
def test_weights_of_several(text: str, classes: dict[str, float]) -> None:
    assert np.array_equal(parse_weights(text), weights_of(**classes))


@pytest.mark.parametrize("ranking", RANKINGS)
def test_shares(ranking: str) -> None:
    top = top_classes(20, ranking)[COMBO_CLASS]
    for text in ("20%", "top 20%", "TOP20 %", "best 20%", "0-20%"):
        assert np.array_equal(parse_weights(text, ranking=ranking), top)
    assert np.array_equal(parse_weights(f"top 20% by {ranking.upper()}"), top)
    assert np.array_equal(parse_weights(f"20% by {ranking}:0.5"), top * 0.5)


def test_slices_fit_together() -> None:
    slices = [parse_weights(text) for text in ("5%", "5%-20%", "20% - 60%", "bottom 40%")]
    assert [weights.sum() / 13.26 for weights in slices] == pytest.approx([5, 15, 40, 40])
    assert sum(slices) == pytest.approx(np.ones(1326))
    assert np.array_equal(parse_weights("20%-5%"), parse_weights("5-20%"))


def test_a_line_of_1326_weights_is_in_our_order() -> None:
    weights = np.round(np.arange(1326) / 1325, 4)
    line = " ".join(f"{weight:g}" for weight in weights)
    for text in (line, f"set_range IP {line}\n", f"#PreflopRangeOOP#{line}", line.replace(" ", ", ")):
        assert np.array_equal(parse_weights(text), weights)
    with pytest.raises(RangeError, match="weight '2', number 1326 of 1,326"):
        parse_weights(line.rsplit(" ", 1)[0] + " 2")
    with pytest.raises(RangeError, match=r"cannot read '1' .*1,326 weights"):
        parse_weights("1 " * 1325)


def test_1326_hands_with_weights() -> None:
    names = [f"{RANKS[b // 4]}{'cdhs'[b % 4]}{RANKS[a // 4]}{'cdhs'[a % 4]}" for a, b in COMBO_CARDS.tolist()]
    weights = np.round(np.linspace(0, 1, 1326), 3)
    text = " ".join(f"{name}:{weight:g}" for name, weight in zip(names, weights, strict=True))
    assert text.startswith("2d2c:0 2h2c:0.001 ")
    assert np.array_equal(parse_weights(text), weights)


CLASS = st.builds(
    lambda high, low, suffix: RANKS[high] + RANKS[low] + (suffix if high != low else ""),
    st.integers(0, 12),
    st.integers(0, 12),
    st.sampled_from(["", "s", "o"]),
)


@given(CLASS)
def test_plus_against_its_rule(hand: str) -> None:
    """All pairs of cards are asked if they belong: same top card and kicker at least as high, or a ladder."""
    high, low = sorted((RANKS.index(hand[0]), RANKS.index(hand[1])), reverse=True)
    expected = np.zeros(1326)
    for combo, cards in enumerate(COMBO_CARDS.tolist()):
        top, kicker = max(cards) // 4, min(cards) // 4
        climbs = high - low <= 1 and top - kicker == high - low and top >= high
        improves = high - low > 1 and top == high and low <= kicker < high
        suited = cards[0] % 4 == cards[1] % 4
        if (climbs or improves) and (len(hand) == 2 or suited == (hand[2] == "s")):
            expected[combo] = 1
    assert np.array_equal(parse_weights(hand + "+"), expected)


@given(st.lists(st.tuples(CLASS, st.integers(0, 100)), min_size=1, max_size=8))
def test_separators_do_not_matter_and_order_does(items: list[tuple[str, int]]) -> None:
    words = [f"{hand}@{weight}" for hand, weight in items]
    expected = np.zeros(1326)
    for hand, weight in items:
        expected[parse_weights(hand) > 0] = weight / 100
    for separator in (",", " ", "; ", "\n", " ,, "):
        try:
            assert np.array_equal(parse_weights(separator.join(words)), expected)
        except RangeError as error:
            assert "is empty" in str(error) and not expected.any()


@pytest.mark.parametrize(
    ("text", "item", "position", "remedy"),
    [
        ("ZZ", "ZZ", 1, "'AKs'"),
        ("AA, KK, Q1, JJ", "Q1", 9, "'TT+'"),
        ("AKQ", "AKQ", 1, "'AsKd'"),
        ("KK,AhAh", "AhAh", 4, "two different cards"),
        ("AAs", "AAs", 1, "leave out the 's'"),
        ("A", "A", 1, "'Ax'"),
        ("AKh", "AKh", 1, "'KhA'"),
        ("AsKss", "AsKss", 1, "leave out the last letter"),
        ("AsKdQh", "AsKdQh", 1, "two cards"),
        ("As Kd Qh", "Qh", 7, "two cards"),
        ("As, Kd", "Kd", 5, "'AsKd'"),
        ("99-", "99-", 1, "both sides"),
        ("AhX-22", "AhX-22", 1, "both sides"),
        ("A5s-A2o", "A5s-A2o", 1, "same suits"),
        ("AA-AKs", "AA-AKs", 1, "comma"),
        ("A5s-K3s", "A5s-K3s", 1, "share a card or a gap"),
        ("TT+-99", "TT+-99", 1, "at the end"),
        ("AhX+", "AhX+", 1, "two ranks"),
        ("AA:50", "AA:50", 1, "':0.5' or '@50'"),
        ("AA:half", "AA:half", 1, "':0.5' or '@50'"),
        ("AA:nan", "AA:nan", 1, "from 0 to 1"),
        ("AA:-0.5", "AA:-0.5", 1, "from 0 to 1"),
        ("AA@0.5", "AA@0.5", 1, "'@50' or ':0.5'"),
        ("AA@150", "AA@150", 1, "0 to 100"),
        ("AA 50%", "50%", 4, "':50%' or ', top 50%'"),
        ("top 20", "top", 1, "'top 20%'"),
        ("120%", "120%", 1, "100%"),
        ("20% by luck", "20% by luck", 1, "equity, multiway, chen, sklansky"),
        ("[50]AA[/40]", "[/40]", 7, "[/50]"),
        ("[half]AA", "[half]", 1, "[50]"),
        ("AA[/50]", "[/50]", 3, "nothing is open"),
        ("AA)", ")", 3, "nothing is open"),
        ("KK, (AA", "(", 5, "add ')'"),
        ("1 AA", "1", 1, "a number is no hand"),
        ("AK\nZZ", "ZZ", 4, "'AKs'"),
        ("?!", "?!", 1, "'AKs'"),
    ],
)
def test_a_mistake_gives_one_line_with_the_item_the_place_and_the_remedy(
    text: str, item: str, position: int, remedy: str
) -> None:
    with pytest.raises(RangeError) as error:
        parse_weights(text)
    message = str(error.value)
    assert message.startswith(f"cannot read {item!r} (position {position} of {text!r}): ")
    assert remedy in message
    assert "\n" not in message


@pytest.mark.parametrize("text", ["", " , ", "AA:0", "0%", "{}", "#tag#"])
def test_an_empty_range_is_an_error(text: str) -> None:
    with pytest.raises(RangeError, match="is empty: write hands like"):
        parse_weights(text)


def test_long_text_is_not_repeated() -> None:
    with pytest.raises(RangeError) as error:
        parse_weights("AA," * 100 + "ZZ" * 100)
    assert "(position 301)" in str(error.value)
    assert len(str(error.value)) < 250


def test_unknown_ranking() -> None:
    with pytest.raises(RangeError, match=r"'best'.*equity, multiway"):
        parse_weights("AA", ranking="best")


@given(st.text(alphabet="AKQT92cdhsox*?+-:@.%5[]()/# ,;\n‐♠\ufe0f{}\0", max_size=14))
@example("[/]")
@example("[]AA[/]")
@example("[50]AA[/x]")
@example("AA@1e999")
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        weights = parse_weights(text)
    except FeltError as error:
        assert isinstance(error, RangeError)
        assert "\n" not in str(error)
    else:
        assert ((weights >= 0) & (weights <= 1)).all() and weights.any()


def test_the_solver_references_have_the_right_number_of_combos(shared_data: Path) -> None:
    constants = json.loads((shared_data / "reference" / "constants.json").read_text(encoding="utf-8"))
    preset, locking = constants["postflop_solver_references"]
    assert parse_weights(preset["oop_range"]).sum() == pytest.approx(_counted(preset["oop_range"])) == 247.4
    assert parse_weights(preset["ip_range"]).sum() == pytest.approx(_counted(preset["ip_range"])) == 455.5
    assert parse_weights(locking["oop_range"]).sum() == 2
    assert parse_weights(locking["ip_range"]).sum() == 1


@pytest.mark.parametrize(
    ("text", "combos"),
    [("AA", 6), ("TT+,AQs+", 30 + 8), ("KQo,A5s-A2s:0.5", 12 + 8), ("99:0.25,K9s+,76o", 1.5 + 16 + 12)],
)
def test_ranges_in_the_spelling_of_solvers_have_the_combos_that_a_count_by_hand_gives(text: str, combos: float) -> None:
    assert parse_weights(text).sum() == pytest.approx(_counted(text)) == combos


def test_ranges_are_dealt_in_as_many_ways_as_a_count_by_hand_gives() -> None:
    assert _ways(["AA", "KK"], ()) == 6 * 6
    assert _ways(["AA", "AA"], ()) == 6
    assert _ways(["AA", "AKs"], parse_cards("As")) == 3 * 1 + 0 * 3  # of three pairs, each leaves one ace
    assert _ways(["AA", "KK", "QQ"], parse_cards("QsQh")) == 6 * 6 * 1


def _counted(text: str) -> float:
    """Combos of a range in PioSOLVER's spelling, counted by hand: the number of hands times their size."""
    total = 0.0
    for item in text.split(","):
        hand, _, weight = item.partition(":")
        first, _, last = hand.rstrip("+").partition("-")
        high, low = RANKS.index(first[0]), RANKS.index(first[1])
        if hand.endswith("+"):
            hands = 13 - high if high == low else high - low
        else:
            hands = low - RANKS.index(last[1]) + 1 if last else 1
        total += hands * (6 if high == low else 4 if first[2] == "s" else 12) * float(weight or 1)
    return total


def test_the_pokerstove_cases_have_the_right_number_of_games(shared_data: Path) -> None:
    """The number of games is the number of ways to deal the hands, times that of dealing the board."""
    text = (shared_data / "reference" / "pokerstove_exact_equities.txt").read_text(encoding="utf-8")
    checked = 0
    for case in text.split("---"):
        games = int(re.search(r"([\d,]+) games", case)[1].replace(",", ""))
        board = parse_cards(re.search(r"Board: (.*)", case)[1])
        dead = parse_cards(re.search(r"Dead: (.*)", case)[1])
        ranges = re.findall(r"\{(.*?)\}", case)
        unseen = 52 - len(board) - len(dead) - 2 * len(ranges)
        boards = math.comb(unseen, 5 - len(board))
        if games % boards:
            assert len(ranges) == 4  # PokerStove sampled this one
            continue
        assert _ways(ranges, board + dead) * boards == games, case
        checked += 1
    assert checked >= 90


def _ways(ranges: list[str], gone: tuple[int, ...]) -> int:
    masks = [COMBO_MASKS[(parse_weights(text) > 0) & ~_holds(gone)] for text in ranges]
    if len(masks) == 2:
        return int((masks[0][:, None] & masks[1][None, :] == 0).sum())
    return sum(int(np.bitwise_or.reduce(hands)).bit_count() == 2 * len(hands) for hands in product(*masks))


def _holds(cards: tuple[int, ...]) -> np.ndarray:
    return np.isin(COMBO_CARDS, cards).any(axis=1)


def documented() -> list[tuple[str, int]]:
    """What the first table of docs/study/ranges.md says: a notation and its number of combos."""
    page = (Path(__file__).parents[2] / "docs" / "study" / "ranges.md").read_text(encoding="utf-8")
    table = page[page.index("| you write | it means | combos |") : page.index("### Weights")]
    rows = []
    for first, last in re.findall(r"^\| (`.*?) \|.*\| ([\d, ]+) \|$", table, re.MULTILINE):
        notations = re.findall(r"`(.+?)`", first)
        counts = [int(count.replace(",", "")) for count in last.split(", ")]
        rows += zip(notations, counts if len(counts) == len(notations) else counts * len(notations), strict=True)
    return rows


@pytest.mark.parametrize(("text", "combos"), documented())
def test_the_table_in_the_docs_is_true(text: str, combos: int) -> None:
    assert parse_weights(text).sum() == combos


def test_the_table_in_the_docs_was_found() -> None:
    assert len(documented()) == 35
