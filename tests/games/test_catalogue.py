"""The catalogue: every variant is there, makes sense, and is what the rule book says."""

import importlib.util
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from felt.cards.card import DECK_SIZE, format_cards, parse_cards
from felt.errors import FeltError
from felt.games import Hand
from felt.games.catalogue import FOLDER, load, names, parameters
from felt.games.describing import facts, round_facts
from felt.games.rules import First, GameRules, RulesError, Structure

ROOT = Path(__file__).parents[2]
GAMES = {name: load(name) for name in names()}

WANTED = [
    "nlhe", "limit-holdem", "pot-limit-holdem", "spread-holdem", "cap-holdem", "preflop-limit", "preflop-nolimit",
    "short-deck", "plo", "plo8", "omaha8", "plo5", "cincinnati", "manila", "stud", "stud8", "razz", "six-card-stud",
    "roll-your-own", "baseball", "five-card-draw", "five-card-draw-jokers", "five-card-draw-bug", "27-triple-draw",
    "27-single-draw", "a5-triple-draw", "badugi", "badacey", "anaconda", "kuhn", "leduc", "leduc-one-raise", "brag",
]  # fmt: skip


def test_every_variant_is_there() -> None:
    assert sorted(WANTED) == list(names())


@pytest.mark.parametrize("name", names())
def test_each_file_says_what_it_is(name: str) -> None:
    game = GAMES[name]
    assert game.name == name
    assert game.title and len(game.description) > 50
    assert game.stack > 0


@pytest.mark.parametrize("name", names())
def test_the_deck_is_enough_for_all_players(name: str) -> None:
    """Draws may use up the rest: then what was thrown away is shuffled. In stud eight players share the last card.

    Nine players of razz share the last two.
    """
    game = GAMES[name]
    shared = {"stud": 7, "stud8": 7, "baseball": 7, "razz": 16}.get(name, 0)
    assert game.hole_cards * game.max_players + game.board_cards - shared <= len(game.deck)
    assert Hand.new(game, players=game.max_players).players == game.max_players
    if game.has_draws and any(part.draw_most for part in game.rounds):
        assert game.hole_cards * game.max_players < len(game.deck)


@pytest.mark.parametrize("name", names())
def test_every_round_can_be_told_apart(name: str) -> None:
    rounds = [part.name for part in GAMES[name].rounds]
    assert len(set(rounds)) == len(rounds)


@pytest.mark.parametrize(
    ("name", "shared", "up", "down"),
    [
        ("nlhe", 5, 0, 2), ("plo", 5, 0, 4), ("baseball", 0, 4, 3), ("cincinnati", 5, 0, 5),
        ("five-card-draw", 0, 0, 5),
        ("anaconda", 0, 0, 7), ("manila", 5, 0, 2), ("stud", 0, 4, 3), ("kuhn", 0, 0, 1), ("leduc", 1, 0, 1),
    ],
)  # fmt: skip
def test_cards_are_those_of_the_published_table(name: str, shared: int, up: int, down: int) -> None:
    """Teófilo (2016), table 18."""
    rounds = GAMES[name].rounds
    assert sum(part.board for part in rounds) == shared
    assert sum(part.up for part in rounds) == up
    assert sum(part.down for part in rounds) == down


def bets(game: GameRules) -> list[int]:
    return [part.betting.bet for part in game.rounds if part.betting]


def structures(game: GameRules) -> set[Structure]:
    return {part.betting.structure for part in game.rounds if part.betting}


class TestRuleBook:
    """What must hold in each family of games."""

    @pytest.mark.parametrize(
        "name", ["nlhe", "pot-limit-holdem", "limit-holdem", "short-deck", "plo", "plo8", "omaha8"]
    )
    def test_board_games(self, name: str) -> None:
        game = GAMES[name]
        assert [part.board for part in game.rounds] == [0, 3, 1, 1]
        assert [part.first for part in game.rounds] == [First.AFTER_BLINDS, *[First.AFTER_BUTTON] * 3]
        assert game.heads_up_button_blind
        assert len(game.blinds) == 2

    def test_structures(self) -> None:
        assert structures(GAMES["nlhe"]) == structures(GAMES["cap-holdem"]) == {Structure.NO_LIMIT}
        assert structures(GAMES["plo"]) == structures(GAMES["pot-limit-holdem"]) == {Structure.POT_LIMIT}
        assert structures(GAMES["spread-holdem"]) == {Structure.SPREAD}
        assert structures(GAMES["limit-holdem"]) == structures(GAMES["stud"]) == {Structure.LIMIT}
        assert structures(GAMES["27-single-draw"]) == {Structure.NO_LIMIT}

    @pytest.mark.parametrize("name", [name for name in names() if structures(GAMES[name]) == {Structure.LIMIT}])
    def test_limit_games_have_a_cap_on_raises(self, name: str) -> None:
        wanted = {"kuhn": {1}, "leduc": {2}, "leduc-one-raise": {1}}.get(name, {4})
        assert {part.betting.max_raises for part in GAMES[name].rounds if part.betting} == wanted

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("limit-holdem", [2, 2, 4, 4]), ("omaha8", [2, 2, 4, 4]), ("stud", [40, 40, 80, 80, 80]),
            ("27-triple-draw", [2, 2, 4, 4]), ("badugi", [2, 2, 4, 4]), ("leduc", [2, 4]), ("leduc-one-raise", [1, 1]),
        ],
    )  # fmt: skip
    def test_big_bets_begin_where_they_should(self, name: str, expected: list[int]) -> None:
        assert bets(GAMES[name]) == expected

    @pytest.mark.parametrize("name", ["stud", "stud8", "razz", "baseball", "six-card-stud"])
    def test_stud_games(self, name: str) -> None:
        game = GAMES[name]
        opens, leads = game.rounds[0].first, {part.first for part in game.rounds[1:]}
        assert (game.rounds[0].down, game.rounds[0].up, game.rounds[-1].down) == (2, 1, 1)
        razz = name == "razz"
        assert opens == (First.HIGHEST_UP if razz else First.LOWEST_UP)
        assert leads == {First.BEST_LOW_UP if razz else First.BEST_UP}
        assert 0 < game.ante < game.bring_in < bets(game)[0]
        assert not game.blinds

    @pytest.mark.parametrize("name", ["five-card-draw", "27-single-draw", "27-triple-draw", "a5-triple-draw", "badugi"])
    def test_draw_games(self, name: str) -> None:
        game = GAMES[name]
        draws = [part.draw_most for part in game.rounds]
        assert draws == [0, *[game.hole_cards] * (3 if "triple" in name or name == "badugi" else 1)]
        assert game.rounds[0].first == First.AFTER_BLINDS

    @pytest.mark.parametrize(
        ("name", "kinds"),
        [
            ("plo8", ("high", "low-8")), ("stud8", ("high", "low-8")), ("razz", ("low-a5",)), ("badugi", ("badugi",)),
            ("27-triple-draw", ("low-27",)), ("a5-triple-draw", ("low-a5",)), ("badacey", ("badugi", "low-a5")),
            ("short-deck", ("short",)), ("manila", ("short",)), ("cincinnati", ("high",)),
        ],
    )  # fmt: skip
    def test_what_wins(self, name: str, kinds: tuple[str, ...]) -> None:
        assert GAMES[name].showdown.kinds == kinds

    @pytest.mark.parametrize("name", ["plo", "plo8", "omaha8", "plo5", "manila"])
    def test_games_in_which_exactly_two_of_ones_own_count(self, name: str) -> None:
        assert GAMES[name].showdown.hole_exactly == 2

    def test_wild_cards(self) -> None:
        assert GAMES["baseball"].showdown.wild == tuple(sorted(parse_cards("3c3d3h3s9c9d9h9s")))
        assert GAMES["five-card-draw-jokers"].showdown.wild == (52, 53)
        assert load("five-card-draw-jokers", jokers=1).showdown.wild == (52,)

    def test_manila_has_the_cards_from_seven_up(self) -> None:
        deck = GAMES["manila"].deck
        assert len(deck) == 32
        assert min(deck) >> 2 == 5

    def test_anaconda_passes_and_discards(self) -> None:
        moves = [(part.down, part.passes, part.discards) for part in GAMES["anaconda"].rounds]
        assert moves == [(7, 0, 0), (0, 3, 0), (0, 2, 0), (0, 1, 2)]

    @pytest.mark.parametrize("name", ["preflop-limit", "preflop-nolimit"])
    def test_preflop_games_have_one_betting_round_and_a_board(self, name: str) -> None:
        game = GAMES[name]
        assert [part.betting is not None for part in game.rounds] == [True, False]
        assert game.board_cards == 5

    def test_cap_and_spread(self) -> None:
        assert GAMES["cap-holdem"].cap == 60
        assert [(part.betting.bet, part.betting.most) for part in GAMES["spread-holdem"].rounds if part.betting] == [
            (2, 10)
        ] * 4


class TestParameters:
    def test_kuhn(self) -> None:
        for cards, players in product(range(3, 14), range(2, 11)):
            if players > cards:
                with pytest.raises(
                    RulesError, match=f"{players} players need {players} cards and the deck has {cards}"
                ):
                    load("kuhn", cards=cards, players=players)
                continue
            game = load("kuhn", cards=cards, players=players)
            assert (len(game.deck), game.min_players, game.max_players) == (cards, players, players)
        assert format_cards(load("kuhn").deck) == "JsQsKs"

    def test_kuhn_has_a_card_more_than_players_unless_told(self) -> None:
        for players in range(2, 11):
            assert len(load("kuhn", players=players).deck) == players + 1
        assert len(load("kuhn", players=3, cards=3).deck) == 3
        assert parameters("kuhn")[0].usual == "3 (players + 1)"

    @pytest.mark.parametrize(
        ("suits", "ranks", "players", "raises"), [(2, 3, 2, 2), (3, 3, 3, 1), (3, 4, 10, 2), (4, 13, 10, 3)]
    )
    def test_leduc(self, suits: int, ranks: int, players: int, raises: int) -> None:
        game = load("leduc", suits=suits, ranks=ranks, players=players, raises=raises)
        assert (len(game.deck), game.max_players) == (suits * ranks, players)
        assert [part.betting.max_raises for part in game.rounds if part.betting] == [raises] * 2
        assert game.stack == game.ante + raises * sum(bets(game))

    def test_stakes(self) -> None:
        game = load("limit-holdem", small_blind=5, big_blind=10, small_bet=10, big_bet=20)
        assert (game.blinds, bets(game), game.stack) == ((5, 10), [10, 10, 20, 20], 2000)
        assert load("nlhe", big_blind_ante=2).big_blind_ante == 2

    @pytest.mark.parametrize("name", names())
    def test_defaults_are_what_one_gets(self, name: str) -> None:
        given = {parameter.name: parameter.default for parameter in parameters(name)}
        assert load(name, **given) == GAMES[name]

    @pytest.mark.parametrize("name", names())
    def test_each_parameter_has_its_bounds(self, name: str) -> None:
        for parameter in parameters(name):
            assert parameter.description
            beyond = [parameter.least - 1] + ([parameter.most + 1] if parameter.most is not None else [])
            for value in beyond:
                with pytest.raises(FeltError, match=f"{parameter.name} is '.*': use a"):
                    load(name, **{parameter.name: value})

    def test_the_error_says_what_there_is(self) -> None:
        with pytest.raises(FeltError, match=r"^kuhn\.xml: there is no parameter 'card': it has cards, players$"):
            load("kuhn", card=4)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("nhle", "there is no game 'nhle' in the catalogue: did you mean 'nlhe'?"),
        ("", "there is no game '' in the catalogue: it has 27-single-draw, "),
        ("../rules", "there is no game '../rules' in the catalogue"),
        ("x" * 200, "there is no game 'xxxx"),
    ],
)
def test_a_game_that_is_not_there(wrong: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        load(wrong)
    assert message in str(caught.value)
    with pytest.raises(RulesError):
        parameters(wrong)


def test_nothing_else_is_in_the_folder() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.xml" for name in names()}


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_variant_pages", ROOT / "scripts" / "build_variant_pages.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_the_variants_is_current(builder: ModuleType) -> None:
    page = (ROOT / "docs" / "play" / "variants.md").read_text(encoding="utf-8")
    assert page == builder.page(), "run .venv/bin/python scripts/build_variant_pages.py"


class TestInWords:
    def test_facts(self) -> None:
        assert facts(GAMES["plo8"])["hands"] == (
            "5 cards, high and eight-or-better low share the pot; exactly 2 of one's own"
        )
        assert facts(GAMES["manila"])["deck"] == "32 cards, 7 to A"
        assert facts(GAMES["kuhn"])["deck"] == "3 cards, J to K in 1 suit"
        assert facts(GAMES["baseball"])["deck"] == "52 cards; threes and nines wild"
        assert facts(GAMES["five-card-draw-jokers"])["deck"] == "52 cards and 2 jokers; jokers wild"
        assert facts(GAMES["five-card-draw-bug"])["deck"] == "52 cards and 1 joker; jokers are bugs"
        assert facts(GAMES["stud"])["forced bets"] == "an ante of 5 and a bring-in of 10"
        assert facts(GAMES["cap-holdem"])["cap"] == "60 a player and hand"
        assert facts(GAMES["brag"])["hands"].startswith(
            "3 cards, by formulas: prial, running flush, run, flush, pair and"
        )

    def test_amounts_are_in_the_unit_of_the_game(self) -> None:
        game = load("nlhe", small_blind=0.5, big_blind=1, ante=0.25, rake="5%", rake_cap=3.5)
        assert facts(game)["forced bets"] == "an ante of 0.25 and blinds of 0.5 and 1"
        assert facts(game)["rake"].startswith("5% of the pot, at most 3.5;")
        assert (facts(game)["usual stack"], facts(game)["one chip"]) == ("100", "0.25")
        assert round_facts(game.rounds[0], game.unit)["betting"] == "no limit, from 1"

    def test_rounds(self) -> None:
        assert round_facts(GAMES["anaconda"].rounds[3]) == {
            "round": "pass one",
            "dealt": "–",
            "exchanged": "pass 1 to the left, discard 2",
            "first to act": "left of the button",
            "betting": "limit 4, 4 bets at most",
        }
        assert round_facts(GAMES["stud"].rounds[0])["dealt"] == "2 down, 1 up"
        assert round_facts(GAMES["spread-holdem"].rounds[1])["betting"] == "spread limit, 2 to 10, 4 bets at most"
        assert round_facts(GAMES["preflop-limit"].rounds[1])["betting"] == "none"
        assert round_facts(GAMES["27-triple-draw"].rounds[1])["exchanged"] == "draw 0 to 5"

    @pytest.mark.parametrize("name", names())
    def test_nothing_is_left_empty(self, name: str) -> None:
        game = GAMES[name]
        assert all(facts(game).values())
        assert all(all(round_facts(part).values()) for part in game.rounds)
        assert max(game.deck) >= DECK_SIZE or "joker" not in facts(game)["deck"]
