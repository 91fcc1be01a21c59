"""Documents that are wrong: each way ends in one clear line with the place, and never in anything else."""

import re
from contextlib import suppress

import pytest

from felt.games.pgdl import PgdlError, read_parameters, read_pgdl
from tests.games.documents import BLINDED, WHOLE, error_of

FREE_TEXT = {"name", "title", "description", "version", "id"}
DOCUMENTS = {"whole": WHOLE, "blinded": BLINDED}


def attributes() -> list[tuple[str, int, str]]:
    """Every attribute of the documents that is more than a text: document, where it stands, and as it stands."""
    found = []
    for name, text in DOCUMENTS.items():
        for match in re.finditer(r'(?<=\s)(\w+)="[^"]*"', text):
            if match[1] not in FREE_TEXT:
                found.append((name, match.start(), match[0]))
    return found


def elements() -> list[tuple[str, int, str]]:
    """Every start tag of the documents."""
    return [(n, m.start(), m[1]) for n, text in DOCUMENTS.items() for m in re.finditer(r"<(\w+)", text)]


def line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def test_the_documents_themselves_are_right() -> None:
    game = read_pgdl(WHOLE)
    assert (game.unit, game.bring_in, game.showdown.wild, len(game.deck)) == (0.5, 2, (52,), 14)
    assert read_pgdl(WHOLE, bet=5).rounds[0].betting.most == 10  # type: ignore[union-attr]
    assert read_pgdl(BLINDED).blinds == (1, 2)


@pytest.mark.parametrize(("name", "at", "attribute"), attributes())
def test_every_attribute_wrong_in_turn(name: str, at: int, attribute: str) -> None:
    text = DOCUMENTS[name]
    key = attribute.partition("=")[0]
    error = error_of(f'{text[:at]}{key}="wrong"{text[at + len(attribute) :]}')
    assert error.line == line_of(text, at)
    assert "wrong" in str(error)
    assert key in str(error)
    assert re.search("use |means nothing", str(error)), "says what would be right"


@pytest.mark.parametrize("number", ["9" * 5000, "0" * 5000 + "1", "1e999", "1e-999", "-44", "0x1", "4_4", "²", "٣"])
def test_odd_numbers_in_every_attribute(number: str) -> None:
    """Each is refused where a number is meant, and nowhere does it end in anything but a line or a game."""
    for name, at, attribute in attributes():
        key = attribute.partition("=")[0]
        text = f'{DOCUMENTS[name][:at]}{key}="{number}"{DOCUMENTS[name][at + len(attribute) :]}'
        with suppress(PgdlError):
            game = read_pgdl(text)
            assert key == "share" and 0 <= game.rake.share <= 1, f"{key} was read"


@pytest.mark.parametrize(("name", "at", "attribute"), attributes())
def test_every_attribute_misspelt_in_turn(name: str, at: int, attribute: str) -> None:
    text = DOCUMENTS[name]
    error = error_of(f"{text[:at]}x{text[at:]}")
    assert (error.line, error.column) == (line_of(text, at), at - text.rfind("\n", 0, at))
    assert f"has no attribute 'x{attribute.partition('=')[0]}': it has " in str(error)


@pytest.mark.parametrize(("name", "at", "element"), elements())
def test_every_element_misspelt_in_turn(name: str, at: int, element: str) -> None:
    text = DOCUMENTS[name]
    wrong = text[:at] + re.sub(rf"(</?){element}\b", rf"\1{element}x", text[at:])
    error = error_of(wrong)
    assert error.line == line_of(text, at)
    assert f"<{element}x>" in str(error)


@pytest.mark.parametrize(("name", "at", "element"), elements())
def test_every_element_with_a_stranger_inside(name: str, at: int, element: str) -> None:
    text = DOCUMENTS[name]
    end = re.compile(r'(?:[^>"/]|"[^"]*")*').match(text, at).end()  # type: ignore[union-attr]
    stranger = "<Stranger/>"
    if text[end] == "/":
        wrong = f"{text[:end]}>{stranger}</{element}>{text[end + 2 :]}"
    else:
        wrong = f"{text[: end + 1]}{stranger}{text[end + 1 :]}"
    error = error_of(wrong)
    assert f"<Stranger> may not stand in <{element}>: " in str(error)
    assert error.line == line_of(text, end)


REQUIRED = [
    ("whole", "<Players .*?/>", "<PokerGame> has no <Players>: add "),
    ("whole", "(?s)<Rounds>.*</Rounds>", "<PokerGame> has no <Round>: add one for every round"),
    ("whole", "(?s)<PokerGame .*</PokerGame>", "<PGDL> has no <PokerGame>: add one"),
    ("whole", ' name="everything"', "<PokerGame> has no 'name': add name="),
    ("whole", ' minimum="2"', "<Players> has no 'minimum': add minimum="),
    ("whole", ' maximum="4"', "<Players> has no 'maximum': add maximum="),
    ("whole", ' default="10"', "<Parameter> has no 'default': add default="),
    ("whole", ' name="bet"', "<Parameter> has no 'name': add name="),
    ("whole", '<BettingStructure type="limit">.*?</BettingStructure>', "<Round> has no <BettingStructure>: add one"),
    ("whole", '<Bet value="20" maxNumRaises="unlimited"/>', "<BettingStructure> has no <Bet>: add <Bet"),
    ("whole", ' value="20"', "<Bet> has no 'value': add value="),
    ("whole", ' type="limit"', "<BettingStructure> has no 'type': add type="),
    ("whole", ' max="1"', "<DrawCards> has no 'max': add max="),
    ("whole", ' value="1" direction="clockwise"', "<PassCards> has no 'value': add value="),
    ("whole", '(?<=DiscardCards) value="1"', "<DiscardCards> has no 'value': add value="),
    (
        "blinded",
        "(?s)<BlindStructure>.*</BlindStructure>",
        "blinds is 'yes', but there is no <BlindStructure>: add one",
    ),
    ("blinded", "(?s)<Blind .*?<(?=/BlindS)", "<BlindStructure> has no <Blind>: add one"),
    ("blinded", '(?<=id="big") value="2"', "<Blind> has no 'value': add value="),
    ("blinded", "<Subrank>.c2.rank</Subrank>", "<Score> has no <Subrank>: add one"),
    ("blinded", ' rank="0"', "<Score> has no 'rank': add rank="),
    ("blinded", "(?s)<Score .*</Score>", "standard is 'no', but no <Score> is given"),
    (
        "blinded",
        ' name="leduc-4x3"',
        "standard is 'no', but no cards are listed: add <Card> elements, a name or lowest",
    ),
]


@pytest.mark.parametrize(("name", "missing", "message"), REQUIRED, ids=[case[2] for case in REQUIRED])
def test_what_is_missing_is_named(name: str, missing: str, message: str) -> None:
    replacement = "<" if missing.endswith("(?=/BlindS)") else ""
    text, count = re.subn(missing, replacement, DOCUMENTS[name], count=1)
    assert count == 1
    error = error_of(text)
    assert message in str(error)
    assert error.line >= 1


SECOND_ROUND = '<Round number="2"'
WRONG = [
    # numbers and words
    (
        "whole",
        'minimum="2" m',
        'minimum="1" m',
        'minimum="1" maximum="4"',
        "minimum is '1': use a whole number from 2 to 10",
    ),
    ("whole", 'maximum="4"', 'maximum="11"', "", "maximum is '11': use a whole number from 2 to 10"),
    ("whole", 'minimum="2" ', 'minimum="-2" ', "", "minimum is '-2'"),
    ("whole", 'ante="1"', 'ante="1e9"', "", "ante is '1e9': use a number such as 2 or 0.5"),
    ("whole", 'ante="1"', 'ante="999999999999"', "", "is 999999999999 chips: at most 2000000000 fit"),
    ("whole", 'unit="0.5"', 'unit="0"', "<PokerGame", "unit is 0.0; a chip is worth a number above 0"),
    ("whole", 'share="5%"', 'share="100%"', "<Rake", "<Rake> cannot be: rake: a share of 1.0; use 0 to under 1"),
    ("whole", 'jokers="1"', 'jokers="3"', "", "jokers is '3': use a whole number from 0 to 2"),
    (
        "whole",
        'type="limit"',
        'type="limitless"',
        "",
        "type is 'limitless': use no-limit, limit, pot-limit, spread-limit or none",
    ),
    (
        "whole",
        'order="counter clockwise"',
        'order="counter"',
        "",
        "order is 'counter': use clockwise or counterclockwise",
    ),
    (
        "whole",
        'maxNumRaises="4"',
        'maxNumRaises="0"',
        "",
        "maxNumRaises is '0': use a whole number from 1 to 255, or unlimited",
    ),
    *(
        ("whole", 'maxNumRaises="4"', f'maxNumRaises="{number}"', "", "use a whole number from 1 to 255, or unlimited")
        for number in ("256", "00010000", "0001" + "0" * 5000, "٣", "1.0")
    ),
    ("whole", 'number="2"', 'number="01"', "", "number is 1: another round has it"),
    ("whole", 'number="2"', 'number="3"', "", "number is '3': use a whole number from 1 to 2"),
    # parts that do not fit together
    ("whole", 'wildCards="yes"', 'wildCards="no"', "<Deck", "Jk have no rank and no suit; make them wild"),
    ("whole", 'winningType="high"', 'winningType="low"', "", "winningType is 'low', but high is high"),
    ("whole", 'kinds="high"', 'kinds="high high"', "<Scoring", "the kind 'high' stands twice"),
    ("whole", 'kinds="high"', 'kinds="hihg"', "", "kinds names 'hihg': use high, low-a5"),
    ("whole", 'handSize="5"', 'handSize="6"', "", "handSize is '6': use a whole number from 1 to 5"),
    ("whole", 'holeCards="2"', 'holeCards="1"', "<Scoring", "with exactly 1 hole cards cannot be made of 2"),
    ("whole", 'standard="yes" handSize', 'standard="no" handSize', "", "standard is 'no', but no <Score> is given"),
    ("whole", 'bringIn="2"', 'bringIn="20"', "<PokerGame", "a bring-in of 20 is more than a bet of 10"),
    ("whole", 'forceBet="yes"', 'forceBet="no"', "", "forceBet is 'no', but the game has a bring-in"),
    ("whole", 'name="second"', 'forceBet="true"', "", "only the first round can be forced"),
    ("whole", 'name="second"', 'blinds="yes"', "", "blinds is 'yes', but there is no <BlindStructure>"),
    ("whole", '"lowestUpCard"', '"nextBlinds"', "<Round ", "round 'first' starts after the blinds"),
    ("whole", 'most="{bet * 2}"', 'most="{bet / 2}"', "<Bet ", "a spread from 10 to 5 is empty"),
    ("whole", 'most="{bet * 2}"', 'most="{bet / 3}"', "", "{bet / 3} gives 10/3, which is no decimal number"),
    (
        "whole",
        'value="{bet}"',
        'value="{bets}"',
        "",
        "{bets} at 1: 'bets' means nothing here: the parameters here are bet",
    ),
    ("whole", 'value="{bet}"', 'value="{bet +}"', "", "in {bet +} at 6: the end of the formula where"),
    ("whole", 'value="{bet}"', 'value="{bet"', "", "value is '{bet': use a number"),
    ("whole", 'value="{bet}"', 'value="{1 / (bet - bet)}"', "", "divides by 0"),
    *(
        ("whole", 'value="{bet}"', f'value="{{{formula}}}"', "", "gives a number that is too long: use smaller")
        for formula in ("*".join(["bet"] * 19), "*".join(["99999999999999"] * 300), "1" + "/99999999999999" * 299)
    ),
    ("whole", 'default="10"', 'default="100"', "", "default is 100: use a number from 1 to 99"),
    ("whole", 'name="bet"', 'name="Bet"', "", "name is 'Bet': use small letters"),
    (
        "whole",
        "<Players",
        '<Parameter default="1" name="bet"/><Players',
        'name="bet"/>',
        "another parameter has that name",
    ),
    (
        "whole",
        'faceDownCardsDealt="1" f',
        'faceDownCardsDealt="9" f',
        "<PokerGame",
        "deals 11 cards to a player; at most 7",
    ),
    (
        "whole",
        'maximum="4"',
        'maximum="4" minimun="3"',
        'minimun="3"',
        "gives 'minimum' twice, as 'minimum' and 'minimun'",
    ),
    ("whole", 'DiscardCards value="1"', 'DiscardCards value="5"', SECOND_ROUND, "moves more cards than a player holds"),
    ("whole", 'jokersAre="wild"', 'jokersAre="flea"', "", "jokersAre is 'flea': use wild or bug"),
    (
        "blinded",
        'name="leduc-4x3"',
        'name="leduc-4x3" jokersAre="bug"',
        "jokersAre",
        "but no joker is wild in the deck",
    ),
    ("whole", 'min="0" max="1"', 'min="2" max="1"', SECOND_ROUND, "draws from 2 to 1 cards are none"),
    ("whole", 'value="{bet}"', 'value="0"', "<Bet ", "the bet is 0; it must be 1 chip or more"),
    ("whole", '<Bet value="20"', '<Bet value="20" most="40"', "", "is for spread limit only"),
    ("whole", '"limit"><Bet', '"none"><Bet', '<Bet value="20"', "stands in a round without betting"),
    # cards
    ("whole", '<Card id="Ks"', '<Card id="Ah" suit="x"/><Card id="Ks"', 'suit="x"', "suit is 'x': use clubs, diamonds"),
    ("whole", '<Card id="Ks"', '<Card  id="as"/><Card id="Ks"', "", "<Card> is As, which is in the deck already"),
    (
        "whole",
        '<Card id="Ks"',
        '<Card name="?"/><Card id="Ks"',
        "",
        "<Card> rank is '': use 2 to 10, J, Q, K, A or joker",
    ),
    ("whole", '<Card id="Ks"', '<Card value="5"/><Card id="Ks"', "", "<Card> has no 'suit': add suit="),
    ("whole", 'value="K"', 'value="X"', "", "value is 'X': use 2 to 10, J, Q, K, A or joker"),
    ("whole", 'rank="10"', 'rank="13"', "", "rank is '13': use a whole number from 0 to 12"),
    ("whole", 'suit="spades"', 'suit="swords"', "", "suit is 'swords': use clubs, diamonds, hearts or spades"),
    ("whole", 'standard="no"', 'standard="yes"', "", "standard is 'yes', but cards are listed too"),
    ("whole", 'name="mine"', 'lowest="7"', "", "lowest stands for all cards from there up, but cards are listed too"),
    ("whole", 'name="mine"', 'wild="Q joker 3h"', "", "wild names '3h', which the deck does not have, or twice"),
    ("whole", 'name="mine"', 'wild="Q U"', "", "wild names 'U': use ranks (3 9), jokers, or cards (Ks)"),
    ("whole", 'jokers="1"', 'jokers="0"', 'wildCards="yes"', "wildCards is 'yes', but the deck names none"),
    ("blinded", 'name="leduc-4x3"', 'name="leduc-44x3"', "", "is no deck: "),
    ("blinded", 'name="leduc-4x3"', 'name="kuhn"', "<Deck", "2 players need 4 cards and the deck has 3"),
    (
        "blinded",
        'standard="no" name',
        'standard="yes" name',
        "",
        "standard is 'yes', but the deck is described otherwise",
    ),
    ("blinded", 'name="leduc-4x3"', 'lowest="1"', "", "lowest is '1': use 2, 3, 4, 5, 6, 7, 8, 9, T, J, Q, K or A"),
    # blinds
    ("blinded", 'position="nextSmall"', 'position="nextBig"', "", "position is 'nextBig': use nextDealer or nextSmall"),
    ("blinded", 'position="nextSmall"', 'position="leftDealer"', "", "another blind is posted there"),
    ("blinded", 'id="big"', 'id="Small"', "", "id is 'Small': another blind has it"),
    ("blinded", 'blinds="yes"', 'blinds="no"', "", "blinds is 'no', but there is a <BlindStructure>"),
    ("blinded", '<Blind id="small"', '<Blind value="1"/><Blind id="small"', 'position="nextDealer"', "posted there"),
    # scoring
    ("blinded", "$c2.suit", "$c3.suit", "", "'$c3.suit' is no card of the hand: use $c1 to $c2"),
    ("blinded", "* 13", "* 13 ?", "+ $c2.suit", "'+' where a number, a card such as $c1.rank or '(' is wanted"),
    ("blinded", "== $c2.rank", "= $c2.rank", "", "'=' compares nothing: write '=='"),
    ("blinded", "$c1.rank == $c2.rank", "", "<Condition>", "<Condition> is empty"),
    ("blinded", "== $c2.rank", "+ ((", "(<", "the end of the formula where a number"),
    ("blinded", "$c1.rank == $c2.rank", "1 &lt; &#36;c9", "&#36;c9", "'$c9' is no card of the hand"),
    ("blinded", ' default="yes"', "", "<Scoring", "score 'high': has no condition"),
    ("blinded", 'default="no"', 'default="yes"', "<Scoring", "score 'pair': is the default and has conditions"),
    ("blinded", 'rank="0"', 'rank="1" ', "<Scoring", "another one has rank 1 too"),
    ("blinded", 'standard="no" handSize', 'standard="yes" handSize', "", "standard is 'yes', but scores are given"),
    ("blinded", "<Deck", '<Deck wild="J" ', "<Scoring", "wild cards are known for high hands of 5 cards only"),
    # elements
    ("whole", "<Rake", "<Rake/><Rake", "<Rake share", "<Rake> stands twice in <PokerGame>: give it once"),
    ("whole", "</PGDL>", "<Rake/></PGDL>", "<Rake share", "<Rake> stands twice in the game: give it once"),
    ("whole", "<DrawCards", "text<DrawCards", "text<", "<Round> holds no text, but 'text' stands there"),
    (
        "blinded",
        "PokerGame",
        "Game",
        "<Game",
        "the document starts with <Game>: a game starts with <PGDL> or <PokerGame>",
    ),
]


@pytest.mark.parametrize(("name", "old", "new", "place", "message"), WRONG, ids=[case[4] for case in WRONG])
def test_what_is_wrong_is_named_with_its_place(name: str, old: str, new: str, place: str, message: str) -> None:
    """`place` is the text that the error must point at; by default that which was put in."""
    assert old in DOCUMENTS[name]
    text = DOCUMENTS[name].replace(old, new, -1 if old == "PokerGame" else 1)
    error = error_of(text)
    assert message in str(error)
    at = text.index(place or new)
    assert (error.line, error.column) == (line_of(text, at), at - text.rfind("\n", 0, at)), str(error)


def test_blinds_belong_to_the_first_round() -> None:
    again = re.findall("(?s)<Round .*</Round>", BLINDED)[0]
    text = BLINDED.replace("</PokerGame>", f"{again}</PokerGame>")
    error = error_of(text)
    assert "<BlindStructure> stands in a later round: blinds are posted in the first one" in str(error)
    assert error.line == line_of(text, text.rindex("<BlindStructure"))


def test_ten_blinds_are_enough() -> None:
    more = "".join(f'<Blind id="b{i}" value="1"/>' for i in range(9))
    error = error_of(BLINDED.replace("</BlindStructure>", f"{more}</BlindStructure>"))
    assert "<Blind> is one too many: 10 players can post one each" in str(error)


class TestParameters:
    def test_they_are_listed(self) -> None:
        (parameter,) = read_parameters(WHOLE).values()
        assert (parameter.name, parameter.allowed, parameter.description) == ("bet", "a number from 1 to 99", "the bet")

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"bets": 1}, "there is no parameter 'bets': it has bet"),
            ({"bet": 100}, "bet is '100': use a number from 1 to 99"),
            ({"bet": "ten"}, "bet is 'ten': use a number from 1 to 99"),
            ({"bet": -1}, "bet is '-1'"),
            ({"bet": True}, "bet is 'True'"),
            ({"bet": None}, "bet is 'None'"),
            ({"bet": [5]}, r"bet is '\[5\]'"),
            ({"bet": float("nan")}, "bet is 'nan'"),
            ({"bet": 10**5000}, "bet is 'thousands of digits': use a number from 1 to 99"),
            ({"bet": "9" * 13}, "use a number from 1 to 99, of at most 12 digits and 6 behind the point"),
        ],
    )
    def test_wrong_ones_are_refused(self, given: dict[str, object], message: str) -> None:
        with pytest.raises(PgdlError, match=message):
            read_pgdl(WHOLE, **given)  # type: ignore[arg-type]

    def test_numbers_in_any_form(self) -> None:
        for bet in (7, 7.0, "7", "7.00"):
            assert read_pgdl(WHOLE, bet=bet).rounds[0].betting.bet == 7  # type: ignore[union-attr]

    def test_a_default_may_follow_from_others(self) -> None:
        def with_default(formula: str) -> str:
            more = f'<Parameter name="more" default="{formula}" maximum="50"/><Parameter name="bet"'
            return WHOLE.replace('<Parameter name="bet"', more)

        text = with_default("{bet + 1}")
        assert [(each.name, each.usual) for each in read_parameters(text).values()] == [
            ("more", "11 (bet + 1)"),
            ("bet", "10"),
        ]
        read_pgdl(text, bet=70, more=3)
        with pytest.raises(
            PgdlError, match=r"more follows from bet \+ 1 and would be 71: choose a whole number from 0"
        ):
            read_pgdl(text, bet=70)
        with pytest.raises(PgdlError, match=r"more follows from 9 / \(bet - 7\): .*; choose it"):
            read_pgdl(with_default("{9 / (bet - 7)}"), bet=7)
        with pytest.raises(PgdlError, match="'more' means nothing here: the parameters here are bet"):
            read_pgdl(with_default("{more}"))

    def test_without_parameters_braces_are_text(self) -> None:
        text = BLINDED.replace('name="blinds"', 'name="{bet}"')
        assert read_pgdl(text).name == "{bet}"
        with pytest.raises(PgdlError, match="there is no parameter 'bet': it has none"):
            read_pgdl(text, bet=1)
