"""`felt game …`: list, show, validate, tree and play, as a user types them."""

import io
import json
import random

import pytest
from rich.console import Console

from felt.cli.app import run
from felt.cli.table import Table, made_hand, random_action
from felt.games import Hand, load, names, write_pgdl
from felt.games.describing import NOTHING, facts, round_facts
from tests.cli.test_app import mistake


def answer(capsys, *args: str) -> dict:
    assert run(["game", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def shown(capsys, *args: str) -> str:
    assert run(["game", *args]) == 0
    return capsys.readouterr().out


def test_the_list_has_the_whole_catalogue(capsys):
    assert [game["name"] for game in answer(capsys, "list")["games"]] == list(names())
    assert "Seven-card stud hi/lo" in shown(capsys, "list")


@pytest.mark.parametrize("name", names())
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
        (["tree", "nlhe", "--depth", "-1"], ["--depth -1", "negative"]),
        (["tree", "nlhe", "--sizes", "half"], ["'half'", "0.5,1,all"]),
        (["tree", "nlhe", "--sizes", ","], ["','", "0.5,1,all"]),
        (["tree", "nlhe", "--sizes", "every", "--depth", "4"], ["too large to show", "--depth"]),
        (["show", "nlhe", "--xml", "--json"], ["--json and --xml exclude each other"]),
        (["play", "nlhe", "--players", "40"], ["--players 40", "2 to 9 players"]),
        (["play", "nlhe", "--players", "0"], ["--players 0", "2 to 9 players"]),
        (["play", "nlhe", "--json", "--players", "99999999999"], ["--players 99999999999", "2 to 9 players"]),
        (["tree", "nlhe", "-n", "99999999999"], ["--players 99999999999", "2 to 9 players"]),
        (["tree", "kuhn", "-n", "99999999999"], ["players is '99999999999'", "2 to 10"]),
        (["play", "nlhe", "--stack", "0"], ["stacks", "1 chip or more"]),
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


@pytest.mark.parametrize("name", names())
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
    assert "'' is no amount" in text
    assert "you cannot raise to 9999; legal now" in text
    assert "See you." in text
    assert sum(table.stacks) == 400


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
        hand.exchange(hand.cards(hand.turn)[: hand.legal().exchange[1]]) if hand.legal().exchange else hand.call()
    told = made_hand(hand.view(0), rules, 0)
    assert isinstance(told, str)
    if name in ("nlhe", "stud", "badugi", "plo", "27-triple-draw"):
        assert told
