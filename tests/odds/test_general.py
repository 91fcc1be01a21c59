"""Equity in games of known and unknown cards: against a slow twin, facts that can be counted, chance, bad input."""

from itertools import combinations, permutations
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from felt.cards import Range, parse_cards
from felt.cards.card import format_cards
from felt.errors import FeltError, OddsError
from felt.games import load
from felt.odds import Equity, equity
from felt.odds.equity.any_game import BLOCK, Deal, ask_cards, choice_at, read_hand, subset_at
from felt.odds.equity.showdown import GAMES, HOLDEM, Showdown, find_game, showdown_of
from tests.reference import equity as twin

CARD_GAMES = [name for name, game in GAMES.items() if not game.takes_ranges]


def equities(result: Equity) -> list[float]:
    return [player.equity for player in result.players]


def agrees(game: str, hands: list[str], board: str = "", dead: str = "") -> None:
    """Exact answers are those of the twin, to the last digits."""
    rules = GAMES[game]
    result = equity(hands, board=board, dead=dead, game=game, exact=True)
    shares, deals = twin.by_cards(
        [parse_cards(hand.replace("?", "")) for hand in hands],
        hole=rules.hole,
        board_size=rules.board,
        kinds=rules.kinds,
        exactly_two=rules.exactly_two,
        board=parse_cards(board),
        dead=parse_cards(dead),
    )
    assert (result.exact, result.method, result.samples) == (True, "enumeration", deals)
    for player, share in zip(result.players, shares, strict=True):
        assert player.equity == pytest.approx(float(share.equity), abs=1e-12)
        assert player.win == pytest.approx(float(share.win), abs=1e-12)
        assert player.tie == pytest.approx(float(share.tie), abs=1e-12)


# Against the twin


@pytest.mark.parametrize(
    ("game", "hands", "board", "dead"),
    [
        ("omaha", ["AsAdKsKd", "QhJhTc9c"], "2h7d9h", "AcAhKcKhQsQc"),
        ("omaha", ["AsAdKs?", "QhJhTc9c"], "2h7d9hTh3c", ""),
        ("omaha", ["AsAdKs", "QhJhTc", "8h8s7h6h"], "2h7d9hTh3c", ""),
        ("omaha5", ["AsAdKsKd2c", "QhJhTc9c8h", "7h7s6s5s4d"], "2h7d9hTh", ""),
        ("omaha6", ["AsAdKsKd2c3c", "QhJhTc9c8h8s"], "2h7d9hTh", ""),
        ("omaha-hilo", ["As2dKsKd", "Ah2hTc9c", "3s4sJcJd"], "5h7d9h", "8c8d8h8s7c7h"),
        ("omaha-hilo", ["As2dKs", "Ah2hTc9c"], "5h7d8h3d", "KcKhQcQhJcJhJdJs"),
        ("omaha5-hilo", ["As2dKsKd4d", "Ah2hTc9c9d"], "5h7d9h3s", ""),
        ("stud", ["AsAdKh9h4c5c", "KsKdQhJc2h2d"], "", ""),
        ("stud", ["AsAdKh9h4c5c", "KsKdQhJc2h2d7s", "TsTh9s9d8c8h"], "", "2c2s"),
        ("stud-hilo", ["As2d3h9h4c5c", "Ac4s6s7d8c8d"], "", "KsKd"),
        ("razz", ["AsKd3h9h4cTc", "Ac4s6sJd8cKh"], "", "QsQd"),
        ("draw", ["AsAdKh9h", "KsKdQhJc"], "", ""),
        ("draw", ["AsAdKh9h8h", "KsKdQh"], "", "2c2d2h2s"),
        ("badugi", ["As2d3h", "Ks2s3d"], "", ""),
        ("badugi", ["As2d3h4h", "Ks2s3d", "5c5d6h"], "", ""),
        ("2-7", ["2s3d4h7h", "2d3s5h9c"], "", ""),
        ("2-7", ["2s3s4s7s", "2d3d5d7d", "8c7c6c5s4c"], "", "AsAdAcAh"),
    ],
    ids=lambda value: " v ".join(value) if isinstance(value, list) else value or "-",
)
def test_against_the_twin(game: str, hands: list[str], board: str, dead: str) -> None:
    agrees(game, hands, board, dead)


@pytest.mark.no_jit
@pytest.mark.parametrize("game", CARD_GAMES)
def test_every_game_with_little_unknown(game: str) -> None:
    """One card of the first player, and of the board where there is one."""
    rules = GAMES[game]
    cards = parse_cards("5s8d3h7cAsKd2h9cQs4d6hTcJs8c3s2d5h")
    first, second = cards[: rules.hole - 1], cards[rules.hole : 2 * rules.hole]
    board = cards[12 : 12 + rules.board]
    dead = [card for card in range(52) if card % 3 == 0 and card not in {*first, *second, *board}]
    agrees(game, [format_cards(first), format_cards(second)], format_cards(board[:-1]), format_cards(dead))


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, list[str], str, str]:
    """A game, two or three hands with at most two unknown cards, a board with at most one, and many dead cards."""
    game = GAMES[draw(st.sampled_from(CARD_GAMES))]
    players = draw(st.integers(2, 3))
    cards = draw(st.permutations(range(52)))
    unknown = draw(st.lists(st.integers(0, 1), min_size=players, max_size=players))
    hands = [cards[game.hole * p : game.hole * (p + 1) - unknown[p]] for p in range(players)]
    middle = cards[game.hole * players : game.hole * players + game.board]
    board = middle[: len(middle) - draw(st.integers(0, 1))] if middle else []
    rest = [card for card in cards if not any(card in held for held in (*hands, board))]
    return game.name, [format_cards(hand) for hand in hands], format_cards(board), format_cards(rest[12:])


@settings(max_examples=60)
@given(tables())
def test_any_table_against_the_twin(table: tuple[str, list[str], str, str]) -> None:
    agrees(*table)


@settings(max_examples=30)
@given(tables(), st.integers(0, 1000))
def test_sampled_answers_are_near_the_exact_ones(table: tuple[str, list[str], str, str], seed: int) -> None:
    game, hands, board, dead = table
    exact, deals = equity(hands, board=board, dead=dead, game=game, exact=True), 10_000
    sampled = equity(hands, board=board, dead=dead, game=game, samples=deals, seed=seed)
    assert (sampled.method, sampled.samples) == ("simulation", deals)
    for true, found in zip(equities(exact), equities(sampled), strict=True):
        spread = max(sampled.stderr, sqrt(true * (1 - true) / deals))
        assert found == pytest.approx(true, abs=5 * spread + 5 / deals)
    assert sum(equities(sampled)) == pytest.approx(1.0, abs=1e-12)


def test_the_players_may_sit_in_any_order() -> None:
    hands = ["AsAdKh9h4c5c", "KsKdQhJc2h", "TsTh9s9d8c8h7c"]
    answers = dict(zip(hands, equity(hands, game="stud").players, strict=True))
    for order in permutations(hands):
        for player in equity(order, game="stud").players:
            assert player == answers[player.hand]


def test_hold_em_is_stud_with_a_board() -> None:
    """The same showdown by the two roads: ranges, and known cards."""
    by_cards = Showdown("test", "test", 2, 5)
    deal = ask_cards(["AsKs", "QdQh"], game=by_cards, board="2c7d9h")
    from felt.odds.equity.any_game import exact_cards

    players, deals = exact_cards(deal)
    by_range = equity(["AsKs", "QdQh"], board="2c7d9h")
    assert deals == by_range.samples
    assert [p.equity for p in players] == pytest.approx(equities(by_range), abs=1e-12)


# Facts that can be counted by hand


def test_a_royal_flush_in_draw_ties_with_three_others() -> None:
    result = equity(["AsKsQsJsTs", "random"], game="draw", exact=True)
    assert result.samples == comb(47, 5)
    assert result.players[0].tie * result.samples == pytest.approx(3, abs=1e-6)
    assert result.players[1].win == 0.0


def test_the_best_badugi_ties_with_the_nine_ways_to_exchange_its_suits() -> None:
    result = equity(["As2d3h4c", "random"], game="badugi", exact=True)
    assert result.samples == comb(48, 4)
    assert result.players[0].tie * result.samples == pytest.approx(9, abs=1e-6)
    assert result.players[1].win == 0.0


def test_number_one_ties_with_the_other_cards_of_its_ranks() -> None:
    """No suit has all five ranks left, so none of the 3⁵ others is a flush."""
    result = equity(["2s3d4h5c7s", "random"], game="2-7", exact=True)
    assert result.players[0].tie * comb(47, 5) == pytest.approx(3**5, abs=1e-6)
    assert result.players[1].win == 0.0


def test_a_wheel_cannot_be_beaten_in_razz() -> None:
    result = equity(["As2d3h4c5s", "random"], game="razz", samples=20_000)
    assert result.players[1].win == 0.0
    assert 0 < result.players[0].tie < 0.01


def test_omaha_plays_two_cards_from_the_hand() -> None:
    """A royal flush on the board belongs to nobody; in hold'em everybody would share the pot."""
    result = equity(["9s8s3h2h", "AhKdQdJd"], board="AsKsQsJsTs", game="omaha")
    assert (result.players[0].win, result.samples) == (1.0, 1)
    assert equity(["Js2h3h4h", "KdKc5d5c"], board="AsKsQs2s2d", game="omaha").players[1].win == 1.0  # no flush with one


@pytest.mark.parametrize(
    ("hands", "equal"),
    [
        (["As2dKsKd", "Ac2cQhJh"], [(0.75, 0.0, 1.0), (0.25, 0.0, 1.0)]),
        (["As2dKsKd", "Ac2cKhKc"], [(0.5, 0.0, 1.0), (0.5, 0.0, 1.0)]),
        (["As2dKsKd", "QcJcQhJh"], [(1.0, 1.0, 0.0), (0.0, 0.0, 0.0)]),
        (["As3dQsQd", "QcJcKhKd"], [(0.5, 0.0, 1.0), (0.5, 0.0, 1.0)]),
        (["As2dKsKd", "Ac2cQhJh", "Ad2h9c9d"], [(1 / 2 + 1 / 6, 0.0, 1.0), (1 / 6, 0.0, 1.0), (1 / 6, 0.0, 1.0)]),
    ],
    ids=["quartered", "both halves shared", "scooped", "one half each", "a low for three"],
)
def test_pots_of_hi_lo(hands: list[str], equal: list[tuple[float, float, float]]) -> None:
    """The best pair in the hand has the high half, with the tens of the board; an ace and a two the low half."""
    result = equity(hands, board="4h6s8dTsTh", game="omaha-hilo")
    found = [(player.equity, player.win, player.tie) for player in result.players]
    assert [pytest.approx(row) for row in equal] == found


def test_a_low_that_nobody_has_leaves_the_pot_to_the_high_hand() -> None:
    result = equity(["As2dKsKd", "Ac2cQhQd"], board="9h6sTdTsTh", game="omaha-hilo")
    assert (result.players[0].win, result.players[1].equity) == (1.0, 0.0)


# Listing deals, and names of games


@pytest.mark.no_jit
def test_every_deal_is_listed_once() -> None:
    from felt.odds.equity.general_kernels import list_deals

    deck = np.arange(7, dtype=np.uint8) * 3
    edges, order = np.array([0, 1, 3, 3, 5]), np.array([0, 3, 1])  # a board of one, hands of two, none and two
    cards = np.empty((7 * 15 * 6, 5), dtype=np.uint8)
    list_deals(deck, edges, order, np.array([[0, 0], [0, 1], [0, 1]]), cards)
    listed = [(row[0], frozenset(row[1:3]), frozenset(row[3:5])) for row in cards.tolist()]
    assert len(set(listed)) == len(listed)
    assert all(len({*row}) == 5 and {*row} <= {*deck.tolist()} for row in cards.tolist())


def test_any_deal_can_be_the_first() -> None:
    from felt.odds.equity.general_kernels import list_deals

    deal = ask_cards(["2c3c4c5c6c", "7c8c9cTc"], game=GAMES["draw"], dead=format_cards(range(36, 48)))
    order, edges = np.array([2]), np.array([0, 0, 0, 1])
    assert isinstance(deal, Deal)
    every = np.empty((deal.count(), 1), dtype=np.uint8)
    list_deals(np.array(deal.deck, dtype=np.uint8), edges, order, choice_at(0, deal, order), every)
    for number in range(deal.count()):
        one = np.empty((1, 1), dtype=np.uint8)
        list_deals(np.array(deal.deck, dtype=np.uint8), edges, order, choice_at(number, deal, order), one)
        assert one[0, 0] == every[number, 0]


def test_subsets_by_number() -> None:
    ordered = sorted(combinations(range(9), 3), key=lambda subset: subset[::-1])
    assert [tuple(subset_at(number, 3)) for number in range(len(ordered))] == ordered


@pytest.mark.no_jit
def test_random_deals_are_fair() -> None:
    """Each card comes to each place as often as any other, and never twice in a deal."""
    from felt.odds.equity.general_kernels import draw_deals

    cards = np.empty((6000, 4), dtype=np.uint8)
    with np.errstate(over="ignore"):
        draw_deals(np.uint64(1), np.arange(10, 16, dtype=np.uint8), cards)
    assert all(len(set(row)) == 4 for row in cards.tolist())
    for place in range(4):
        assert np.bincount(cards[:, place] - 10, minlength=6) == pytest.approx(np.full(6, 1000), abs=5 * sqrt(1000))


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("holdem", "holdem"),
        ("Texas Hold'em", "holdem"),
        ("PLO", "omaha"),
        ("Omaha Hi/Lo", "omaha-hilo"),
        ("omaha_hi_lo", "omaha-hilo"),
        ("6+", "short-deck"),
        ("Short Deck", "short-deck"),
        ("deuce-to-seven", "2-7"),
        ("big o", "omaha5-hilo"),
    ],
)
def test_names_of_games(name: str, game: str) -> None:
    assert find_game(name) is GAMES[game]


def test_no_two_games_have_a_name_in_common() -> None:
    names = [name for game in GAMES.values() for name in (game.name, *game.aliases)]
    assert len(set(names)) == len(names)
    assert all(find_game(name).name in GAMES for name in names)


def test_games_are_shown_down_as_their_variants_say() -> None:
    assert showdown_of(load("nlhe"), HOLDEM.name, HOLDEM.title, HOLDEM.aliases) == HOLDEM
    expected = {
        "holdem": (2, 5, ("high",), False, 52),
        "short-deck": (2, 5, ("short",), False, 36),
        "short-deck-trips": (2, 5, ("short-trips",), False, 36),
        "omaha": (4, 5, ("high",), True, 52),
        "omaha5": (5, 5, ("high",), True, 52),
        "omaha6": (6, 5, ("high",), True, 52),
        "omaha-hilo": (4, 5, ("high", "low-8"), True, 52),
        "omaha5-hilo": (5, 5, ("high", "low-8"), True, 52),
        "stud": (7, 0, ("high",), False, 52),
        "stud-hilo": (7, 0, ("high", "low-8"), False, 52),
        "razz": (7, 0, ("low-a5",), False, 52),
        "draw": (5, 0, ("high",), False, 52),
        "badugi": (4, 0, ("badugi",), False, 52),
        "2-7": (5, 0, ("low-27",), False, 52),
    }
    games = {
        name: (game.hole, game.board, game.kinds, game.exactly_two, game.deck_size) for name, game in GAMES.items()
    }
    assert games == expected and list(games) == list(expected)


def test_a_game_that_its_tables_cannot_rank_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot rank 4 cards as 'high'"):
        Showdown("short stud", "short stud", 4, 0)
    with pytest.raises(ValueError, match="deuce-to-seven"):
        Showdown("stud27", "stud27", 7, 0, ("low-27",))


# Unknown cards


@pytest.mark.parametrize("text", ["AsAd", "AsAd??", "As Ad x X", "AsAd**", "As?Ad"])
def test_ways_to_write_unknown_cards(text: str) -> None:
    assert read_hand(text, GAMES["omaha"]) == parse_cards("AsAd")


@pytest.mark.parametrize("text", ["random", "*", "????", "x", " Random "])
def test_ways_to_write_a_hand_of_which_nothing_is_known(text: str) -> None:
    assert read_hand(text, GAMES["omaha"]) == ()


@pytest.mark.parametrize("game", CARD_GAMES)
def test_strangers_are_alike(game: str) -> None:
    """Players of whom nothing is known own the same share of the pot."""
    players = min(4, (52 - GAMES[game].board) // GAMES[game].hole)
    result = equity(["random"] * players, game=game, samples=20_000, seed=4)
    assert not result.exact
    assert equities(result) == pytest.approx([1 / players] * players, abs=5 * result.stderr)
    assert sum(equities(result)) == pytest.approx(1.0, abs=1e-12)


def test_ten_players_of_omaha() -> None:
    result = equity(["AsAdKsKd", *["random"] * 9], game="omaha", samples=20_000)
    assert result.players[0].equity > 0.2
    assert equities(result)[1:] == pytest.approx([(1 - result.players[0].equity) / 9] * 9, abs=5 * result.stderr)


def test_hands_that_are_known_in_full_before_the_flop() -> None:
    result = equity(["AsAdKsKd", "QhJhTc9c"], game="omaha")
    assert (result.exact, result.samples) == (True, comb(44, 5))


# How an answer is found


@pytest.mark.parametrize("how", [{"samples": 3 * BLOCK + 5}, {"stderr": 0.003}, {"exact": True}])
def test_threads_do_not_change_the_answer(how: dict[str, object]) -> None:
    one, *others = (
        equity(["AsAdKh9h4c", "KsKdQhJc2h6s"], game="stud-hilo", threads=threads, seed=9, **how)
        for threads in (1, 2, 3)
    )
    for other in others:
        assert other.players == one.players
        assert (other.samples, other.stderr) == (one.samples, one.stderr)


@pytest.mark.no_jit
def test_a_seed_reproduces_and_another_differs() -> None:
    first, again, other = (equity(["As2d", "3s4d"], game="badugi", samples=150, seed=seed) for seed in (5, 5, 6))
    assert first.players == again.players
    assert first.players != other.players


def test_dealing_goes_on_until_the_error_is_small_enough() -> None:
    result = equity(["AsAdKh", "KsKdQh", "random"], game="stud", stderr=0.002)
    assert 0.001 < result.stderr <= 0.002
    assert result.samples > 4 * BLOCK


def test_the_error_is_honest() -> None:
    """Two hundred answers with different seeds differ as much as their standard error says."""
    hands = ["As2dKsKd", "Ah3hTc9c"]
    results = [equity(hands, game="omaha-hilo", samples=500, seed=seed) for seed in range(200)]
    spread = np.std([result.players[0].equity for result in results], ddof=1)
    assert spread / np.mean([result.stderr for result in results]) == pytest.approx(1.0, abs=0.15)
    true = equity(hands, game="omaha-hilo", exact=True).players[0].equity
    assert np.mean([result.players[0].equity for result in results]) == pytest.approx(true, abs=5 * spread / sqrt(200))


def test_what_is_exact_by_itself() -> None:
    assert equity(["AsAdKsKd", "QhJhTc9c"], game="omaha").exact
    assert not equity(["AsAdKsKd", "random"], game="omaha", board="2c7d9h").exact
    with pytest.raises(OddsError, match=r"'AsAdKsKd' v 'random' v 'random' would take about .* days"):
        equity(["AsAdKsKd", "random", "random"], game="omaha", exact=True)


def test_progress_is_told() -> None:
    calls: list[tuple[int, int]] = []
    equity(["AsAdKsKd", "QhJhTc9c"], game="omaha", exact=True, progress=lambda *call: calls.append(call))
    assert [done for done, _ in calls] == list(range(1, calls[-1][1] + 1))
    assert len(calls) > 100


# Bad input


@pytest.mark.parametrize(
    ("game", "hands", "options", "words"),
    [
        ("omaha", ["AsAdKsKdQs", "random"], {}, "'AsAdKsKdQs' has 5 cards: a hand of Omaha has 4"),
        ("omaha", ["AsAdKs??", "random"], {}, "'AsAdKs\\?\\?' has 5 cards"),
        ("omaha", ["AsAsKs", "random"], {}, "'AsAsKs'"),
        ("omaha", ["AA", "random"], {}, "'AA' is no hand of Omaha.*no suit"),
        ("omaha", ["ZZ", "random"], {}, "'ZZ' is no hand of Omaha"),
        ("omaha", ["AsZZ??", "random"], {}, "'AsZZ\\?\\?'"),
        ("omaha", ["", "random"], {}, "'' names no cards"),
        ("omaha", ["AsJkKs", "random"], {}, "Jk in 'AsJkKs'"),
        ("omaha", ["AsAd", "AsKd"], {}, "As is in the hand 'AsAd' and in the hand 'AsKd'"),
        ("omaha", ["AsAd", "KsKd"], {"board": "As7d2c"}, "As is in the hand 'AsAd' and in the board 'As7d2c'"),
        ("omaha", ["AsAd", "KsKd"], {"dead": "As"}, "As is in the hand 'AsAd' and in the dead cards 'As'"),
        ("omaha", ["AsAd", "KsKd"], {"board": "2c3c4c", "dead": "2c"}, "2c is on the board"),
        ("omaha", ["AsAd", "KsKd"], {"board": "2c3c4c5c6c7c"}, "'2c3c4c5c6c7c' has 6 cards: give at most 5"),
        ("omaha", ["AsAd"], {}, "2 to 10 players, not 1"),
        ("omaha", ["random"] * 11, {}, "not 11"),
        ("omaha6", ["random"] * 9, {}, "59 cards are to come for 9 players of six-card Omaha and the deck has 52 left"),
        ("stud", ["random"] * 8, {}, "56 cards are to come"),
        ("stud", ["AsAd", "KsKd"], {"board": "2c3c4c"}, "seven-card stud has no board: put '2c3c4c'"),
        ("stud", ["AsAd", "KsKd"], {"samples": -1}, "samples=-1"),
        ("stud", ["AsAd", "KsKd"], {"samples": 10**12}, "samples=1000000000000 would take days"),
        ("holdem8", ["AsAd", "KsKd"], {}, "'holdem8' is not a game.*holdem, short-deck, .*omaha, .*badugi, 2-7"),
    ],
)
def test_mistakes_are_one_line_that_quotes_the_input(
    game: str, hands: list[str], options: dict[str, object], words: str
) -> None:
    with pytest.raises(FeltError, match=words) as caught:
        equity(hands, game=game, **options)
    assert "\n" not in str(caught.value)


def test_ranges_are_for_games_of_two_hole_cards() -> None:
    with pytest.raises(OddsError, match=r"Omaha takes cards, not ranges like 'AA'.*holdem and short-deck"):
        equity([Range.parse("AA"), "random"], game="omaha")
