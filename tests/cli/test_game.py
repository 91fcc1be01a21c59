"""`felt game …`: list, show, validate, tree and play, as a user types them."""

import io
import json
import random
from functools import cache

import pytest
from rich.console import Console

from felt.cards.card import parse_cards
from felt.cli.app import run
from felt.cli.games.table import Table, help_lines, random_action, read_move
from felt.errors import FeltError
from felt.games import Action, Hand, Move, load, names, write_pgdl
from felt.games.describing import NOTHING, facts, round_facts
from felt.games.views.view import View, made_hand
from tests.cli.test_app import mistake
from tests.kinds import each_kind


def answer(capsys, *args: str) -> dict:
    assert run(["game", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def shown(capsys, *args: str) -> str:
    assert run(["game", *args]) == 0
    return capsys.readouterr().out


def test_the_list_has_the_whole_catalogue(capsys):
    assert [game["name"] for game in answer(capsys, "list")["games"]] == list(names())
    assert "Seven-card stud hi/lo" in shown(capsys, "list")


@pytest.mark.parametrize("name", each_kind(names()))
def test_every_game_can_be_shown(capsys, name):
    found = answer(capsys, "show", name)
    assert found["name"] == load(name).name and len(found["rounds"]) == len(load(name).rounds)
    assert all(part.name.split()[0] in shown(capsys, "show", name) for part in load(name).rounds)


def test_parameters_are_set(capsys):
    assert answer(capsys, "show", "leduc", "--set", "players=3", "--set", "suits=3")["max_players"] == 3
    assert "small_blind" in shown(capsys, "show", "nlhe")


def test_a_game_written_as_pgdl_is_the_game(capsys, tmp_path):
    file = tmp_path / "mine.xml"
    file.write_text(shown(capsys, "show", "badugi", "--xml"))
    found = answer(capsys, "validate", str(file))
    assert found["valid"] and found["game"]["name"] == "badugi"
    assert "is a valid game: Badugi" in shown(capsys, "validate", str(file)).replace("\n", " ")


def test_an_acpc_game_is_read(capsys, tmp_path):
    file = tmp_path / "kuhn.game"
    file.write_text(
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 1\nblind = 1 1\nraiseSize = 1\nfirstPlayer = 1\nmaxRaises = 1\n"
        "numSuits = 1\nnumRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n"
    )
    assert answer(capsys, "tree", str(file))["counts"]["terminals"] == 5


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["show", "nope"], ["'nope'", "nlhe"]),
        (["show", "nlhe", "--set", "big_blind"], ["'big_blind'", "big_blind=10"]),
        (["show", "nlhe", "--set", "foo=1"], ["'foo'", "small_blind"]),
        (["validate", "absent.xml"], ["absent.xml", "cannot be read"]),
        (["tree", "nlhe", "--depth", "-1"], ["'-1' is too small"]),
        (["tree", "nlhe", "--sizes", "half"], ["'half'", "0.5,1,all"]),
        (["tree", "nlhe", "--sizes", ","], ["','", "0.5,1,all"]),
        (["tree", "nlhe", "--sizes", "every", "--depth", "4"], ["too large to show", "--depth"]),
        (["show", "nlhe", "--xml", "--json"], ["--json and --xml exclude each other"]),
        (["play", "nlhe", "--players", "40"], ["--players 40", "2 to 10 players"]),
        (["play", "nlhe", "--players", "1"], ["--players 1", "2 to 10 players"]),
        (["play", "nlhe", "--json", "--players", "99999999999"], ["--players 99999999999", "2 to 10 players"]),
        (["tree", "nlhe", "-n", "99999999999"], ["--players 99999999999", "2 to 10 players"]),
        (["tree", "kuhn", "-n", "99999999999"], ["players is '99999999999'", "2 to 10"]),
        (["play", "nlhe", "--stack", "0"], ["'0' is too small"]),
    ],
)
def test_mistakes(capsys, args, words):
    told = mistake(capsys, "game", *args)
    assert all(word in told for word in words), told


def test_a_broken_description_says_where(capsys, tmp_path):
    file = tmp_path / "broken.xml"
    file.write_text(write_pgdl(load("kuhn")).replace("<", "<<", 3))
    line = mistake(capsys, "game", "validate", str(file))
    assert "line 1" in line
    assert run(["game", "validate", str(file), "--json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out) == {"file": str(file), "valid": False, "error": line.removeprefix("felt: ").strip()}
    assert err == line


@pytest.mark.parametrize("name", ["limit-holdem", "anaconda", "brag", "preflop-limit"])
def test_rules_are_told_in_the_words_of_the_pages(capsys, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "200")
    text = shown(capsys, "show", name)
    rules = load(name)
    told = [*facts(rules).values(), *(word for part in rules.rounds for word in round_facts(part).values())]
    assert all(word in text for word in told if word != NOTHING)
    assert ("exchanged" in text) == (name == "anaconda"), "a column without anything in it is left out"


# Trees


def test_kuhns_tree(capsys):
    found = answer(capsys, "tree", "kuhn")
    counts = found["counts"]
    assert (counts["terminals"], counts["infosets"], counts["sequences"]) == (5, 12, 26)
    assert [child["action"] for child in found["tree"]["children"]] == ["check", "bet 1"]
    text = shown(capsys, "tree", "kuhn")
    assert text.count("showdown for") == 3 and text.count("takes 3") == 2


def test_a_tree_in_which_nobody_acts(capsys):
    text = shown(capsys, "tree", "kuhn", "--stack", "1")
    assert "nobody has to act, pot 2" in text
    assert "1 way to end: 0 by folding, 1 with a showdown; 0 information sets, 2 sequences" in text
    assert answer(capsys, "tree", "kuhn", "--stack", "1")["tree"] == {"round": "deal", "end": "showdown", "pot": 2}


def test_the_depth_of_a_tree(capsys):
    def depth(node: dict) -> int:
        return max((1 + depth(child) for child in node.get("children", ())), default=0)

    assert depth(answer(capsys, "tree", "leduc", "--depth", "3")["tree"]) == 3
    assert depth(answer(capsys, "tree", "leduc", "--depth", "0")["tree"]) == 0


def test_sizes_of_raises(capsys):
    tree = answer(capsys, "tree", "nlhe", "--depth", "1", "--sizes", "0,50%,all")["tree"]
    assert [child["action"] for child in tree["children"]] == [
        "fold", "call 1", "raise to 4", "raise to 200",
    ]  # fmt: skip
    every = answer(capsys, "tree", "nlhe", "--depth", "1", "--sizes", "every", "--stack", "10")["tree"]
    assert len(every["children"]) == 2 + 7


# Playing


def test_one_hand_is_played_where_nobody_types(capsys):
    text = shown(capsys, "play", "nlhe", "--seed", "3")
    assert "Texas hold'em" in text and "you get" in text and ("win" in text)


@pytest.mark.parametrize("name", each_kind(names()))
def test_every_game_plays_to_the_end(capsys, name):
    seen = answer(capsys, "play", name, "--seed", "5")
    assert seen["phase"] == "over" and seen["seat"] == -1
    assert shown(capsys, "play", name, "--seed", "5")


def visit(rules, lines: list[str], players: int = 2) -> tuple[str, Table]:
    """Sit down and type these lines, then get up."""
    out, typed = io.StringIO(), iter([*lines, "q"])

    class Typing(Console):
        def input(self, prompt="", **_):
            self.print(prompt)
            return next(typed)

    console = Typing(file=out, width=90, force_terminal=False)
    table = Table(rules, players, None, console=console, seed=1)
    table.run()
    return out.getvalue(), table


def test_a_visitor_plays_and_leaves():
    text, table = visit(load("nlhe"), ["?", "o", "xyzzy", "r", "r 9999", "c", "q"])
    assert "the odds: price of the call" in text
    assert "your equity against a random hand" in text
    assert "'xyzzy' is no move" in text
    assert "no amount was typed: type r and the total, like r " in text
    assert "you cannot raise to 9999; legal now" in text
    assert "You leave 4 chips behind in the pot." in text
    assert "You leave with 196 chips (-4) after 1 hand. See you." in text
    assert table.stacks[0] == 196


def test_who_leaves_between_hands_leaves_nothing_behind():
    text, table = visit(load("kuhn"), ["c", "c", "q"])
    assert "Enter for the next hand" in text and "behind" not in text
    assert f"You leave with {table.stacks[0]} chips" in text


NLHE, LIMIT, DRAW, PASS = "nlhe", "limit-holdem", "five-card-draw", "anaconda"
CARD = parse_cards("2c")


@cache
def spot(name: str) -> View:
    """The start of a hand, or where cards are exchanged first, as the player to act sees it."""
    hand = Hand.new(load(name), players=2, seed=1)
    while name in (DRAW, PASS) and not hand.legal().exchange:
        hand.call()
    return hand.view(hand.turn)


@pytest.mark.parametrize(
    ("name", "typed", "action"),
    [
        *((NLHE, typed, Action(Move.FOLD)) for typed in ("f", "fold", "FOLD")),
        *((NLHE, typed, Action(Move.CALL)) for typed in ("c", "call", "Call", "call 1", "c1")),
        *((NLHE, typed, Action(Move.RAISE, 10)) for typed in ("r 10", "r10", "raise 10", "Raise to 10", "bet 10")),
        *((NLHE, typed, Action(Move.RAISE, 200)) for typed in ("a", "all in", "ALL-IN", "allin", "bet all", "r 200")),
        *((LIMIT, typed, Action(Move.RAISE, 4)) for typed in ("r", "raise", "bet", "raise 4", "RAISE TO 4")),
        *((DRAW, typed, Action(Move.EXCHANGE, cards=CARD)) for typed in ("d 2c", "d2c", "draw 2c", "Draw 2C", "D 2♣")),
        *((DRAW, typed, Action(Move.EXCHANGE)) for typed in ("", "d", "draw", "pat", "stand pat")),
        *((PASS, typed, Action(Move.EXCHANGE, cards=CARD)) for typed in ("d 2c", "p 2c", "pass 2c", "p2c")),
    ],
)
def test_moves_are_typed_in_letters_or_words(name, typed, action):
    assert read_move(typed, spot(name)) == action


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        *((NLHE, typed, f"'{typed}' is no move") for typed in ("cards", "ralse 4", "folder", "call 7", "delete")),
        (NLHE, "raise four", "'four' is no amount"),
        (NLHE, "r " + "9" * 5000, "is no amount"),
        (NLHE, "check", "'check': it costs 1 to call"),
        (NLHE, "", "nothing was typed"),
        (LIMIT, "all in", "'all in': you cannot bet all 399 now; legal now: fold, call 1, raise to 4"),
        (PASS, "draw 2c", "'draw' is not what is asked for; legal now: pass 3 cards"),
        (PASS, "", "nothing was typed"),
        (DRAW, "d 2x", "'2'"),
    ],
)
def test_what_is_no_move_says_what_is_legal(name, typed, words):
    with pytest.raises(FeltError) as caught:
        read_move(typed, spot(name))
    assert words in str(caught.value)


def test_all_in_is_a_call_where_that_takes_everything():
    hand = Hand.new(load("nlhe"), [200, 50], button=0)
    hand.raise_to(200)
    assert hand.turn == 1 and hand.legal().raise_to is None
    assert read_move("all in", hand.view(1)) == Action(Move.CALL)


def test_the_help_fits_the_game():
    def told(name: str) -> dict[str, str]:
        return dict(help_lines(load(name)))

    assert {"r 40", "a"} <= told("nlhe").keys() and "d 2c 9h" not in told("nlhe")
    assert "r" in told("stud") and "r 40" not in told("stud") and "a" not in told("stud")
    assert told("badugi")["d 2c 9h"] == "draw these cards; d alone stands pat"
    assert told("anaconda")["d 2c 9h"] == "pass or discard these cards"


def test_the_visitor_draws_the_cards_they_name():
    rules = load("five-card-draw")
    dealt = Hand.new(rules, players=2, seed=1, number=0, button=1)
    first = dealt.cards(0)[0]
    from felt.cards.card import format_card

    text, _ = visit(rules, ["c"] * 2 + [f"d {format_card(first)}", "q"])
    assert "You draw 1 card" in text or "d CARDS draw" in text


def test_players_who_are_broke_buy_in_again():
    text, table = visit(load("kuhn"), ["c", ""] * 30)
    assert "Enter for the next hand" in text
    assert all(stack > 0 for stack in table.stacks)


def test_players_at_random_decide_by_what_they_see():
    """The same view gives the same move, whatever is hidden."""
    rules = load("nlhe")
    one = Hand.new(rules, deck=rules.deck.cards)
    mixed = [*rules.deck.cards]
    mixed[0], mixed[10] = mixed[10], mixed[0]  # a card of seat 0, whom it is not the turn of
    two = Hand.new(rules, deck=mixed)
    assert one.turn == two.turn == 1 and one.cards(1) == two.cards(1)
    assert one.view(1) == two.view(1)
    assert random_action(one.view(1), random.Random(3)) == random_action(two.view(1), random.Random(3))


@pytest.mark.parametrize("name", names())
def test_hands_have_names_where_there_are_names(name):
    rules = load(name)
    hand = Hand.new(rules, seed=2)
    while not hand.over:
        hand.exchange(hand.choosable()[: hand.legal().exchange[1]]) if hand.legal().exchange else hand.call()
    told = made_hand(hand.view(0), 0)
    assert isinstance(told, str)
    if name in ("nlhe", "stud", "badugi", "plo", "27-triple-draw"):
        assert told


def test_a_misprint_in_a_file_is_a_warning_in_one_line(tmp_path, capsys):
    path = tmp_path / "mine.xml"
    path.write_text(write_pgdl(load("kuhn")).replace("minimum", "minimun"))
    assert run(["game", "validate", str(path)]) == 0
    told = capsys.readouterr().err
    assert told.startswith("felt: warning: mine.xml line ") and told.count("\n") == 1 and "'minimun'" in told
