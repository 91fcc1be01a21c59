"""ACPC game definitions: the competition's own files come back as they were, and errors name the line."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from felt.cards.card import format_cards
from felt.cards.deck import make_deck
from felt.errors import FeltError
from felt.games.catalogue import load
from felt.games.rules import First, GameRules, Rake, Structure
from felt.interop.acpc.game import GameFileError, load_acpc_game, read_acpc_game, save_acpc_game, write_acpc_game

HOLDEM = """GAMEDEF
# heads-up, the button posts the small blind
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
KUHN = """GAMEDEF
limit
numPlayers = 3
numRounds = 1
blind = 1 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 4
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
"""


def numbers(text: str) -> dict[str, list[str]]:
    """What a definition says, without comments, order and blanks."""
    lines = [line.replace("=", " ").split() for line in text.splitlines() if line.strip() and line[0] != "#"]
    return {line[0].lower(): line[1:] for line in lines}


def test_heads_up_limit_holdem() -> None:
    game = read_acpc_game(HOLDEM)
    assert (game.blinds, game.ante, game.heads_up_button_blind) == ((5, 10), 0, True)
    assert (game.min_players, game.max_players, game.stack, len(game.deck)) == (2, 2, 0, 52)
    assert [part.first for part in game.rounds] == [First.AFTER_BLINDS, *[First.AFTER_BUTTON] * 3]
    assert [part.betting.max_raises for part in game.rounds if part.betting] == [4, 4, 4, 4]
    assert [part.betting.bet for part in game.rounds if part.betting] == [10, 10, 20, 20]
    assert [part.board for part in game.rounds] == [0, 3, 1, 1]


def test_equal_blinds_are_antes() -> None:
    game = read_acpc_game(KUHN)
    assert (game.ante, game.blinds, game.rounds[0].first) == (1, (), First.AFTER_BUTTON)
    assert game.rounds[0].betting and game.rounds[0].betting.max_raises == 1
    assert format_cards(game.deck) == "JsQsKsAs"
    assert game.showdown.size == 1


def test_blinds_in_the_order_of_the_seats() -> None:
    game = read_acpc_game(HOLDEM.replace("blind = 10 5", "blind = 5 10").replace("2 1 1 1", "1 1 1 1"))
    assert (game.blinds, game.heads_up_button_blind, game.rounds[0].first) == ((5, 10), False, First.AFTER_BLINDS)


def test_no_limit() -> None:
    text = (
        HOLDEM.replace("limit", "nolimit").replace("raiseSize = 10 10 20 20\n", "").replace("maxRaises = 3 4 4 4\n", "")
    )
    game = read_acpc_game(text)
    assert {part.betting.structure for part in game.rounds if part.betting} == {Structure.NO_LIMIT}
    assert [(part.betting.bet, part.betting.max_raises) for part in game.rounds if part.betting] == [(10, 0)] * 4


@pytest.mark.parametrize("text", [HOLDEM, KUHN], ids=["holdem", "kuhn"])
def test_round_trip(text: str, tmp_path: Path) -> None:
    game = read_acpc_game(text)
    assert numbers(write_acpc_game(game)) == numbers(text)
    save_acpc_game(game, tmp_path / "acpc.game")
    assert load_acpc_game(tmp_path / "acpc.game") == game


def test_files_of_games(hand_files: Path) -> None:
    files = sorted((hand_files / "acpc" / "game_definitions").glob("*.game"))
    assert len(files) == {"hands": 4, "data": 7}[hand_files.name]
    for file in files:
        game = load_acpc_game(file)
        assert numbers(write_acpc_game(game)) == numbers(file.read_text()), file.name
        assert read_acpc_game(write_acpc_game(game), name=file.stem) == game


@pytest.mark.parametrize(
    "spelling", [str.lower, str.upper, lambda text: text.replace(" = ", "="), lambda t: t.replace("=", "")]
)
def test_spellings(spelling: object) -> None:
    assert read_acpc_game(spelling(HOLDEM)) == read_acpc_game(HOLDEM)  # type: ignore[operator]
    assert read_acpc_game(HOLDEM.replace("\n", "\r\n").encode()) == read_acpc_game(HOLDEM)


@st.composite
def definitions(draw: st.DrawFn) -> str:
    players, rounds = draw(st.integers(2, 10)), draw(st.integers(1, 4))
    limit = draw(st.booleans())
    blinds = draw(st.lists(st.integers(0, 50), min_size=players, max_size=players).filter(any))
    last = max(i for i, blind in enumerate(blinds) if blind)
    after = (1 if blinds[0] > blinds[1] else 0) if players == 2 else (last + 1) % players
    first = 1 if len(set(blinds)) == 1 else 1 + draw(st.sampled_from([0, after]))
    raises = st.integers(1, 5) if draw(st.booleans()) else st.just(255)
    lines = [
        "GAMEDEF",
        "limit" if limit else "nolimit",
        f"numPlayers = {players}",
        f"numRounds = {rounds}",
        f"blind = {' '.join(map(str, blinds))}",
        f"raiseSize = {' '.join(str(max(blinds) + i) for i in range(rounds))}" if limit else "",
        f"firstPlayer = {' '.join(map(str, [first, *[1] * (rounds - 1)]))}",
        f"maxRaises = {' '.join(str(draw(raises)) for _ in range(rounds))}",
        f"numSuits = {draw(st.integers(3, 4))}",
        f"numRanks = {draw(st.integers(9, 13))}",
        f"numHoleCards = {draw(st.integers(1, 2))}",
        f"numBoardCards = {' '.join(str(draw(st.integers(0, 1))) for _ in range(rounds))}",
        "END GAMEDEF",
    ]
    return "\n".join(lines)


@given(definitions())
@settings(max_examples=150)
def test_any_definition_comes_back(text: str) -> None:
    game = read_acpc_game(text)
    written = write_acpc_game(game)
    assert read_acpc_game(written) == game
    said, again = numbers(text), numbers(written)
    again.setdefault("maxraises", ["255"] * len(game.rounds))
    said.setdefault("firstplayer", ["1"] * len(game.rounds))
    assert again == said


@pytest.mark.parametrize("name", ["nlhe", "limit-holdem", "kuhn", "leduc", "leduc-one-raise"])
def test_games_of_the_catalogue(name: str) -> None:
    game = load(name)
    again = read_acpc_game(write_acpc_game(game), name=name)
    assert len(again.deck) == len(game.deck)
    same = {"title", "description", "deck", "min_players", "max_players"}
    for field in set(GameRules.__dataclass_fields__) - same - {"rounds"}:
        assert getattr(again, field) == getattr(game, field), field
    assert [replace(part, name="") for part in again.rounds] == [replace(part, name="") for part in game.rounds]


def test_more_players() -> None:
    text = write_acpc_game(load("nlhe"), players=6)
    assert numbers(text)["blind"] == ["1", "2", "0", "0", "0", "0"]
    assert numbers(text)["firstplayer"] == ["3", "1", "1", "1"]


UNWRITABLE = [
    ({"cap": 100}, "it knows no big-blind ante, bring-in, cap or rake"),
    ({"rake": Rake(0.05)}, "it knows no big-blind ante"),
    ({"ante": 1}, "it has one amount for each player"),
    ({"blinds": (1, 2, 4)}, "it has one amount for each player"),
    ({"blinds": (2, 2)}, "it has one amount for each player"),
    ({"blinds": (1, 4)}, "without a limit the least bet is the largest blind (4)"),
    ({"deck": make_deck("no aces", ranks=range(12))}, "its decks are the highest ranks in one to four suits, complete"),
]


@pytest.mark.parametrize(("changes", "message"), UNWRITABLE)
def test_what_it_has_no_words_for(changes: dict[str, object], message: str) -> None:
    with pytest.raises(GameFileError) as caught:
        write_acpc_game(replace(load("nlhe"), **changes))  # type: ignore[arg-type]
    assert "nlhe cannot be written as an ACPC game: " in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("plo", "all rounds must have betting, all limit or all no limit"),
        ("preflop-limit", "all rounds must have betting"),
        ("short-deck", "the best high hand of 5 cards wins"),
        ("five-card-draw", "3 hole cards, 7 board cards and 4 rounds"),
        ("stud", "it knows no big-blind ante, bring-in, cap or rake"),
        ("cincinnati", "3 hole cards, 7 board cards and 4 rounds"),
    ],
)
def test_games_that_it_does_not_know(name: str, message: str) -> None:
    with pytest.raises(GameFileError, match=message):
        write_acpc_game(load(name))


def test_a_number_of_players_that_the_game_is_not_for() -> None:
    with pytest.raises(GameFileError, match="it is for 2 to 10 players, not 11"):
        write_acpc_game(load("nlhe"), players=11)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("GAMEDEF\n#", "GAME\n#", "line 1: 'GAME' stands where a definition starts: the first line is GAMEDEF"),
        ("END GAMEDEF\n", "", "line 13: the definition has no end: the last line is END GAMEDEF"),
        ("numPlayers = 2\n", "", "there is no numPlayers: add a line 'numPlayers = …'"),
        ("numPlayers = 2", "numPlayers = 11", "line 4: numPlayers is 11: use 2 to 10"),
        ("numPlayers = 2", "numPlayers = two", "line 4: 'numPlayers = two' is not understood: use limit, nolimit or"),
        ("numPlayers = 2", "numPlayer = 2", "line 4: 'numPlayer = 2' is not understood"),
        ("numPlayers = 2", "numPlayers = -2", "line 4: 'numPlayers = -2' is not understood"),
        ("numPlayers = 2", "numPlayers = 2\nnumPlayers = 2", "line 5: numPlayers stands twice: give it once"),
        ("numPlayers = 2", "numPlayers = 3", "line 6: blind has 2 numbers: 3 are wanted"),
        ("blind = 10 5", "blind =", "line 6: blind has 0 numbers: 2 are wanted"),
        ("blind = 10 5", "blind = 99999999999 5", "line 6: blind has a number with more than 10 digits"),
        ("blind = 10 5", "blind = 9999999999 5", "at most 2000000000 can be on a table"),
        ("numRounds = 4", "numRounds = 9", "line 5: numRounds is 9: use 1 to 8"),
        ("raiseSize = 10 10 20 20", "raiseSize = 10 10", "line 7: raiseSize has 2 numbers: 4 are wanted"),
        (
            "raiseSize = 10 10 20 20",
            "raiseSize = 10 10 20 0",
            "line 7: raiseSize is [10, 10, 20, 0]: use numbers from 1",
        ),
        ("raiseSize = 10 10 20 20\n", "", "there is no raiseSize: add a line"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 2 2 2 2", "line 8: firstPlayer is 2: use 1 here"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 3 1 1 1", "line 8: firstPlayer is 3: use 1 or 2 here"),
        ("firstPlayer = 2 1 1 1", "firstPlayer = 0 1 1 1", "line 8: firstPlayer is 0: use 1 or 2 here"),
        ("maxRaises = 3 4 4 4", "maxRaises = 3 0 4 4", "line 9: maxRaises is 0 in a round without blinds"),
        ("numSuits = 4", "numSuits = 5", "line 10: numSuits is 5: use 1 to 4"),
        ("numRanks = 13", "numRanks = 0", "line 11: numRanks is 0: use 1 to 13"),
        ("numHoleCards = 2", "numHoleCards = 8", "line 12: numHoleCards is 8: use 1 to 7"),
        ("numBoardCards = 0 3 1 1", "numBoardCards = 0 3 1 9", "line 13: numBoardCards are 13 together: at most 8 fit"),
        ("numRanks = 13", "numRanks = 2", "2 players need 9 cards and the deck has 8"),
        ("numRounds = 4", "numRounds = 4\nstack = 100 200", "line 6: stack is [100, 200]: rules know one usual stack"),
    ],
)
def test_errors_name_the_line(old: str, new: str, message: str) -> None:
    assert old in HOLDEM
    with pytest.raises(GameFileError) as caught:
        read_acpc_game(HOLDEM.replace(old, new), source="my.game")
    assert message in str(caught.value)
    assert str(caught.value).startswith("my.game ")
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"nothing\.game cannot be read: No such file"):
        load_acpc_game(tmp_path / "nothing.game")


def test_large_files_are_refused() -> None:
    with pytest.raises(GameFileError, match="has over 100000 characters"):
        read_acpc_game("#" * 100_001)


def test_random_bytes_end_in_an_error() -> None:
    chance = random.Random(30)
    for _ in range(10_000):
        with pytest.raises(FeltError):
            read_acpc_game(chance.randbytes(chance.randrange(60)))


def test_mutated_files_end_in_rules_or_an_error() -> None:
    chance = random.Random(31)
    read = 0
    for _ in range(3_000):
        content = bytearray(chance.choice((HOLDEM, KUHN)).encode())
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(content))
            content[at : at + chance.randrange(3)] = chance.choice(
                (b"0", b"9", b"255", b" ", b"\n", b"=", b"\xff", b"-1")
            )
        try:
            read_acpc_game(bytes(content))
            read += 1
        except FeltError as error:
            assert "\n" not in str(error)
    assert 0 < read < 3_000
