"""PGDL: published documents are read as they stand, writing and reading is the identity, and errors name the place."""

from dataclasses import replace
from pathlib import Path

import pytest
import xmlschema
from hypothesis import given, settings

from felt.cards.card import format_cards
from felt.cards.deck import kuhn_deck, leduc_deck, short_deck, standard_deck
from felt.games.catalogue import FOLDER, load, names
from felt.games.pgdl import SCHEMA, PgdlError, PgdlWarning, load_pgdl, read_pgdl, save_pgdl, write_pgdl
from felt.games.rules import Betting, First, GameRules, Rake, Round, RulesError, Showdown, Structure
from tests.games.strategies import games

TOY_CARDS = "".join(
    f'<Card id="{r}{s[0]}" name="{r} of {s}" rank="{i}" suit="{s}" wild="false" />'
    for s in ("hearts", "clubs")
    for i, r in enumerate("jqk")
)
NO_MOVES = '<DrawCards min="0" max="0" /> <PassCards value="0" direction="clockwise" /> <DiscardCards value="0" />'


def printed_round(number: int, down: int, board: int, type_: str, bet: str, raises: int, more: str = "") -> str:
    """A round as the appendix prints it, every attribute given."""
    return f"""
 <Round number="{number}" name="Round {number}" communityCardsNumber="{board}" faceUpCardsDealt="0"
   faceDownCardsDealt="{down}" forceBet="false" blinds="{"true" if "<Blind" in more else "false"}">
  <BettingStructure type="{type_}"> <Bet value="{bet}" maxNumRaises="{raises}" /> </BettingStructure>
  {more if "<Draw" in more else NO_MOVES}
  <BettingOrder order="Clockwise" firstPlayerBetting="nextDealer" />
  {more if "<Blind" in more else ""}
 </Round>"""


def printed(name: str, ante: int, deck: str, size: int, players: str, *rounds: str) -> str:
    return f"""<PGDL>
 <PokerGame name="{name}" wildCards="false" winningType="high" ante="{ante}" />
 <History /> <Description />
 <Players {players} />
 {deck}
 <Scoring standard="true" handSize="{size}" />{"".join(rounds)}
</PGDL>"""


def toy_deck(cards: int) -> str:
    listed = "/>".join(TOY_CARDS.split("/>")[:cards]) + "/>"
    return f'<Deck standard="false" jokers="0">{listed}</Deck>'


BLINDS = """<BlindStructure>
   <Blind id="smallBlind" value="0.5" name="Small-Blind" position="nextDealer" />
   <Blind id="bigBlind" value="1" name="Big-Blind" position="nextSmallBlind" />
  </BlindStructure>"""
MISPRINTED = printed("Kuhn", 1, toy_deck(3), 1, 'minimun="2" maximum="2"', printed_round(1, 1, 0, "limit", "1", 1))
KUHN = MISPRINTED.replace("minimun", "minimum")
LEDUC = printed(
    "Leduc Hold'em", 1, toy_deck(6), 2, 'minimum="2" maximum="2"',
    printed_round(1, 1, 0, "limit", "1", 1), printed_round(2, 0, 1, "limit", "1", 1),
)  # fmt: skip
HOLDEM = printed(
    "No-Limit Hold'em", 0, '<Deck standard="true" jokers="0" />', 5, 'minimum="2" maximum="9"',
    printed_round(1, 2, 0, "no-limit", "1", 4, BLINDS), printed_round(2, 0, 3, "no-limit", "1", 4),
    printed_round(3, 0, 1, "no-limit", "1", 4), printed_round(4, 0, 1, "no-limit", "1", 4),
)  # fmt: skip
DRAW = printed(
    "Five Card Draw", 1, '<Deck standard="true" jokers="0" />', 5, 'minimum="2" maximum="6"',
    printed_round(1, 5, 0, "limit", "1", 4),
    printed_round(2, 0, 0, "no-limit", "1", 4, '<DrawCards min="0" max="3" />'),
)  # fmt: skip


class TestPublishedDocuments:
    """Documents in the dialect of appendix C (Teófilo 2016), with all that is odd in them."""

    def test_kuhn(self) -> None:
        game = read_pgdl(KUHN)
        assert format_cards(game.deck) == "JhQhKh"
        assert (game.name, game.ante, game.min_players, game.max_players) == ("Kuhn", 1, 2, 2)
        assert game.rounds == (Round("Round 1", down=1, betting=Betting(Structure.LIMIT, 1, max_raises=1)),)
        assert game.showdown == Showdown(size=1)

    def test_leduc_has_one_raise_there_and_two_in_the_catalogue(self) -> None:
        game = read_pgdl(LEDUC)
        assert format_cards(game.deck) == "JhQhKhJcQcKc"
        assert [part.betting.max_raises for part in game.rounds if part.betting] == [1, 1]
        ours, same = load("leduc"), load("leduc-one-raise")
        assert [(part.betting.bet, part.betting.max_raises) for part in ours.rounds if part.betting] == [(2, 2), (4, 2)]
        assert [part.betting for part in same.rounds] == [part.betting for part in game.rounds]

    def test_holdem_is_read_as_it_stands_and_is_right_in_the_catalogue(self) -> None:
        game, ours = read_pgdl(HOLDEM), load("nlhe")
        assert game.blinds == ours.blinds == (1, 2)
        assert game.unit == 0.5
        assert [part.betting for part in game.rounds] == [Betting(Structure.NO_LIMIT, 2, max_raises=4)] * 4
        assert (game.heads_up_button_blind, ours.heads_up_button_blind) == (False, True)
        assert (game.rounds[0].first, ours.rounds[0].first) == (First.AFTER_BUTTON, First.AFTER_BLINDS)

    def test_five_card_draw(self) -> None:
        game = read_pgdl(DRAW)
        assert [(part.down, part.draw_least, part.draw_most) for part in game.rounds] == [(5, 0, 0), (0, 0, 3)]
        assert [part.betting.structure for part in game.rounds if part.betting] == [Structure.LIMIT, Structure.NO_LIMIT]

    def test_everything_inside_the_game_and_rounds_in_their_own_element(self) -> None:
        nested = LEDUC.replace('ante="1" />', 'ante="1">').replace("</PGDL>", "</PokerGame></PGDL>")
        alone = nested.replace("<PGDL>", "").replace("</PGDL>", "")
        bundled = alone.replace("<Round ", "<Rounds><Round ", 1).replace("</PokerGame>", "</Rounds></PokerGame>")
        assert read_pgdl(nested) == read_pgdl(alone) == read_pgdl(bundled) == read_pgdl(LEDUC)

    def test_the_schema_knows_the_dialect(self) -> None:
        schema = xmlschema.XMLSchema(SCHEMA)
        for document in (MISPRINTED, KUHN, LEDUC, HOLDEM, DRAW):
            schema.validate(document)

    def test_the_misprint_is_read_with_one_warning_that_names_its_line(self) -> None:
        with pytest.warns(PgdlWarning) as told:
            game = read_pgdl(MISPRINTED, source="kuhn.xml")
        line = 1 + MISPRINTED[: MISPRINTED.index("minimun")].count("\n")
        (warning,) = told
        assert str(warning.message) == (
            f"kuhn.xml line {line}, column 11: <Players> 'minimun' is read as 'minimum': mend the spelling"
        )
        assert game == read_pgdl(KUHN)

    @pytest.mark.parametrize(
        ("right", "wrong"), [('<Parameter name="a" default="1" minimum', "minimun"), ("<DrawCards min", "minimun")]
    )
    def test_the_same_misprint_elsewhere(self, right: str, wrong: str) -> None:
        text = DRAW.replace("<History />", '<Parameter name="a" default="1" minimum="0"/>')
        assert right in text
        with pytest.warns(PgdlWarning, match="'minimun' is read as 'min"):
            read_pgdl(text.replace(right, right.rpartition(" ")[0] + f" {wrong}"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('type="limit"', 'type="Limit"'),
        ('type="limit"', 'type="fixed limit"'),
        ('"false"', '"no"'),
        ('"false"', '"No"'),
        ('"false"', '"FALSE"'),
        ('"false"', '"0"'),
        ('standard="true"', 'standard="Yes"'),
        ("<Deck standard=", "<Deck standardDeck="),
        ("minimum", "min"),
        ('"Clockwise"', '"clockwise"'),
        ('winningType="high"', 'winningType="High"'),
        ("nextDealer", "leftDealer"),
        ("nextDealer", "next dealer"),
        ("nextDealer", "after-button"),
        ("maxNumRaises", "MaxNumRaises"),
        ("BettingStructure", "bettingStructure"),
        ('rank="0"', 'value="J"'),
        ('rank="0"', 'value="jack"'),
        ('rank="0"', 'rank="J"'),
        ('suit="hearts"', 'suit="h"'),
        ('suit="hearts"', 'suit="Hearts"'),
        ('suit="hearts"', 'suit="♥"'),
        ('suit="hearts"', ""),
        ("<DiscardCards value=\"0\" />", ""),
        (' order="Clockwise"', ""),
        ("<PGDL>", '<?xml version="1.0" encoding="utf-16"?><!-- in fact UTF-8 --><PGDL version="1">'),
        ("<PGDL>", "\ufeff<PGDL>"),
        ("\n", "\r\n"),
    ],
)  # fmt: skip
def test_spellings(old: str, new: str) -> None:
    assert old in LEDUC
    assert read_pgdl(LEDUC.replace(old, new)) == read_pgdl(LEDUC)
    assert read_pgdl(LEDUC.replace(old, new).encode()) == read_pgdl(LEDUC)


@pytest.mark.parametrize(
    ("written", "structure"),
    [
        *((text, Structure.NO_LIMIT) for text in ("No-Limit", "noLimit", "no-limit", "No Limit", "NOLIMIT")),
        *((text, Structure.POT_LIMIT) for text in ("Pot-Limit", "potLimit", "pot limit")),
        *((text, Structure.LIMIT) for text in ("Limit", "limit", "fixedLimit")),
    ],
)
def test_structures(written: str, structure: Structure) -> None:
    game = read_pgdl(KUHN.replace('type="limit"', f'type="{written}"'))
    assert game.rounds[0].betting == Betting(structure, 1, max_raises=1)


def test_cards_that_are_only_numbered() -> None:
    cards = "".join(f'<Card id="card {i}" rank="{i}" suit="spades"/>' for i in range(3))
    game = read_pgdl(KUHN.replace(toy_deck(3), f'<Deck standard="no">{cards}</Deck>'))
    assert format_cards(game.deck) == "2s3s4s"


def test_numbers_that_contradict_the_ids_count() -> None:
    cards = '<Card id="kh" rank="0" suit="h"/><Card id="qh" rank="1" suit="h"/><Card id="jh" rank="2" suit="h"/>'
    game = read_pgdl(KUHN.replace(toy_deck(3), f'<Deck standard="no">{cards}</Deck>'))
    assert format_cards(game.deck) == "2h3h4h"


class TestMoney:
    """Fractions become whole chips once, and what a chip is worth is remembered."""

    @pytest.mark.parametrize(
        ("blind", "unit", "blinds", "bet"),
        [("0.5", 0.5, (1, 2), 2), ("1", 1.0, (1, 1), 1), ("0.25", 0.25, (1, 4), 4), ("0.05", 0.05, (1, 20), 20)],
    )
    def test_scaling(self, blind: str, unit: float, blinds: tuple[int, ...], bet: int) -> None:
        game = read_pgdl(HOLDEM.replace('value="0.5"', f'value="{blind}"'))
        assert (game.unit, game.blinds) == (unit, blinds)
        assert game.rounds[3].betting and game.rounds[3].betting.bet == bet

    def test_every_amount_is_scaled(self) -> None:
        game = load("stud", ante=0.5, bring_in=1, small_bet=2, big_bet=4)
        assert (game.ante, game.bring_in, game.stack, game.unit) == (1, 2, 400, 0.5)
        assert [part.betting.bet for part in game.rounds if part.betting] == [4, 4, 8, 8, 8]

    def test_where_the_unit_is_given_amounts_are_chips(self) -> None:
        text = write_pgdl(read_pgdl(HOLDEM))
        assert 'unit="0.5"' in text and 'value="1" position="nextDealer"' in text
        with pytest.raises(PgdlError, match=r"value is '1\.5': where a unit is given, amounts are whole chips"):
            read_pgdl(text.replace('value="1"', 'value="1.5"'))


class TestBlinds:
    def test_straddles_are_further_blinds(self) -> None:
        straddle = '<Blind id="straddle" value="2" position="nextBigBlind"/><Blind value="4"/></BlindStructure>'
        assert read_pgdl(HOLDEM.replace("</BlindStructure>", straddle)).blinds == (1, 2, 4, 8)

    def test_places_without_a_blind(self) -> None:
        text = HOLDEM.replace('position="nextDealer" />', 'position="twoLeftDealer" />')
        assert read_pgdl(text).blinds == (0, 1, 2)

    def test_without_places_they_follow_each_other(self) -> None:
        text = HOLDEM.replace('position="nextDealer" />', "/>").replace('position="nextSmallBlind" />', "/>")
        assert read_pgdl(text).blinds == (1, 2)


GAMES = {name: load(name) for name in names()}


class TestRoundTrip:
    @pytest.mark.parametrize("name", names())
    def test_catalogue(self, name: str) -> None:
        text = write_pgdl(GAMES[name])
        assert read_pgdl(text) == GAMES[name]
        assert write_pgdl(read_pgdl(text)) == text

    @pytest.mark.parametrize("text", [KUHN, LEDUC, HOLDEM, DRAW], ids=["kuhn", "leduc", "holdem", "draw"])
    def test_published_documents(self, text: str) -> None:
        game = read_pgdl(text)
        assert read_pgdl(write_pgdl(game)) == game

    @given(games())
    @settings(max_examples=100)
    def test_any_game(self, game: GameRules) -> None:
        text = write_pgdl(game)
        assert read_pgdl(text) == game
        assert read_pgdl(text.encode()) == game

    @given(games())
    @settings(max_examples=25)
    def test_what_is_written_is_in_the_schema(self, game: GameRules) -> None:
        _SCHEMA.validate(write_pgdl(game))

    @pytest.mark.parametrize(
        "changes",
        [
            {"name": "a \"quoted\" & <b> 'name' {x}"},
            {"title": "two\nlines\tand a tab\r"},
            {"description": "  kept as it is:\n\n  {all} ]]> of it & more\r\n"},
            {"description": "one line"},
            {"unit": 1 / 3},
            {"rake": Rake(1e-7, 3, False)},
            {"heads_up_button_blind": False},
            {"blinds": (0, 5, 0, 7)},
        ],
    )
    def test_what_is_hard_to_write(self, changes: dict[str, object]) -> None:
        game = replace(GAMES["nlhe"], **changes)  # type: ignore[arg-type]
        assert read_pgdl(write_pgdl(game)) == game

    @pytest.mark.parametrize(
        "deck", [standard_deck(), short_deck(), kuhn_deck(13), leduc_deck(4, 3)], ids=lambda d: d.name
    )
    def test_known_decks_are_written_by_name(self, deck: object) -> None:
        game = replace(GAMES["kuhn"], deck=deck, max_players=2)  # type: ignore[arg-type]
        assert "<Card" not in write_pgdl(game)
        assert read_pgdl(write_pgdl(game)).deck == deck

    def test_files(self, tmp_path: Path) -> None:
        save_pgdl(GAMES["plo"], tmp_path / "plo.xml")
        assert load_pgdl(tmp_path / "plo.xml") == GAMES["plo"]

    @pytest.mark.parametrize("wrong", ["\x00", "\x1b", "\ud800", "\uffff"])
    def test_what_xml_cannot_hold_is_refused(self, wrong: str) -> None:
        with pytest.raises(RulesError, match="cannot stand in XML; remove it"):
            write_pgdl(replace(GAMES["nlhe"], description=f"a{wrong}b"))


_SCHEMA = xmlschema.XMLSchema(SCHEMA)


@pytest.mark.parametrize("name", names())
def test_the_catalogue_is_in_the_schema(name: str) -> None:
    _SCHEMA.validate(FOLDER / f"{name}.xml")
    _SCHEMA.validate(write_pgdl(GAMES[name]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('type="limit"', 'type="limitless"'),
        ("<Players", "<Playerz"),
        ('minimum="2"', 'minimum="two"'),
        (' name="Leduc', ' nam="Leduc'),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(old: str, new: str) -> None:
    assert old in LEDUC
    assert not _SCHEMA.is_valid(LEDUC.replace(old, new))
    with pytest.raises(PgdlError):
        read_pgdl(LEDUC.replace(old, new))
