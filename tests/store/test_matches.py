"""Matches of a log: played by the arena, cut off, gone on with; and what is refused."""

import pytest

from felt.arena.match.run import play
from felt.arena.match.spec import Match
from felt.arena.schedule.tasks import Task
from felt.games import load, names
from felt.store.files import LogError
from felt.store.log.logged import match_folder, match_folders, read_match
from felt.store.log.matches import open_match
from felt.store.log.part_writer import done_parts
from felt.store.log.reading import query, read_matches, records
from tests.store.logs import log_match, rows_of


def a_match(agents=("call", "random"), game: str = "nlhe", **choose) -> Match:
    return Match.of(agents, load(game), **{"seed": 3, **choose})


@pytest.mark.parametrize("game", names())
def test_the_rules_of_every_game_come_back(tmp_path, game):
    logged = log_match(tmp_path, 1, game, 2, hands=2, parts=1)
    assert read_match(1, logged.folder).rules == logged.rules


def test_what_a_description_says(tmp_path):
    open_match(tmp_path, a_match(), number=12, command="felt match call random").close()
    found = read_match(12, match_folder(tmp_path, 12))
    assert match_folders(tmp_path) == {12: tmp_path / "match=0012"}
    assert (found.seed, found.stack, found.names, found.duplicate) == (3, 200, ("call", "random"), False)
    assert found.description["command"] == "felt match call random" and found.description["set_size"] == 2


@pytest.mark.parametrize("choose", [{}, {"duplicate": True}, {"agents": ("call", "random", "random"), "game": "stud"}])
def test_a_match_is_logged_as_it_was_played(tmp_path, choose):
    match = a_match(**choose)
    log = open_match(tmp_path, match)
    result = play(match, 60, workers=1, log=log)
    won = query(tmp_path, "SELECT player_id, sum(payoff), sum(adjusted), count(*) FROM results GROUP BY ALL ORDER BY 1")
    for player, payoff, adjusted, hands in won[1]:
        assert (payoff, hands) == (result.totals[:, player].sum(), result.hands)
        assert adjusted == pytest.approx(result.adjusted[:, player].sum())
    assert [record.hand_id for record in records(tmp_path)] == [f"1-{number}" for number in range(result.hands)]


def test_a_match_that_was_cut_off_goes_on(tmp_path):
    match = a_match(duplicate=True)
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    result = play(match, 200, workers=1, log=open_match(whole, match))
    play(match, 80, workers=1, log=open_match(cut, match))
    folder = match_folder(cut, 1)
    (folder / "actions" / f"{Task(90, 5).name}.parquet").write_bytes(b"half")
    (folder / "hands" / f"{Task(90, 5).name}.parquet.tmp").write_bytes(b"half")
    again = play(match, 200, workers=1, log=open_match(cut, match))
    assert (again.totals == result.totals).all() and (again.adjusted == result.adjusted).all()
    assert again.played == 120
    assert rows_of(cut) == rows_of(whole)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seed": 4}, "seed 3, not 4"),
        ({"stack": 100}, "stack 200, not 100"),
        ({"duplicate": True}, "duplicate False, not True"),
        ({"on_error": "call"}, "on_error fold, not call"),
        ({"agents": ("call", "fold")}, "players call, random, not call, fold"),
        ({"game": "limit-holdem"}, "game nlhe, not limit-holdem"),
    ],
)
def test_another_match_does_not_go_into_the_same_folder(tmp_path, change, why):
    open_match(tmp_path, a_match()).close()
    with pytest.raises(LogError, match=rf"holds another match \({why}\): choose another folder"):
        open_match(tmp_path, a_match(**change))


def test_two_do_not_write_to_one_match(tmp_path):
    first = open_match(tmp_path, a_match())
    with pytest.raises(LogError, match=r"somebody else is writing to .*match=0001"):
        open_match(tmp_path, a_match())
    first.close()
    open_match(tmp_path, a_match()).close()
    second = open_match(tmp_path, a_match())
    del second
    open_match(tmp_path, a_match())


def test_hands_of_a_part_are_read_back(tmp_path):
    logged = log_match(tmp_path, 1, "badugi", 3, hands=8, parts=2)
    log = open_match(tmp_path, logged.match)
    assert log.parts() == [Task(0, 2).name, Task(2, 2).name]
    hands, note = log.read(log.parts()[1])
    assert note == "it's 1" and hands.task == Task(2, 2)
    played = logged.hands[4:]
    assert hands.numbers.tolist() == [4, 5, 6, 7] and hands.places.tolist() == [0, 1, 0, 1]
    assert hands.deals.tolist() == [one.deal for one in played]
    assert hands.seatings.tolist() == [list(one.seating) for one in played]
    assert hands.codes.tolist() == [code for one in played for code in one.codes]
    assert hands.counts.tolist() == [len(one.rows) for one in played]
    log.remove(log.parts()[1])
    assert done_parts(log.folder) == [Task(0, 2).name]


def test_a_match_that_cannot_be_written(tmp_path):
    (tmp_path / "log").write_text("")
    with pytest.raises(LogError, match=r"cannot write the log in '.*log' \(file exists\)"):
        open_match(tmp_path / "log", a_match())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "Expecting property name"),
        ("[]", "not an object"),
        ('{"seed": 1}', "'game' is missing"),
        ('{"game": {"pgdl": "<game/>"}}', "match.json"),
    ],
)
def test_a_match_that_is_not_described(tmp_path, text, why):
    log_match(tmp_path, 1, "kuhn", 2, hands=2)
    (match_folder(tmp_path, 1) / "match.json").write_text(text)
    with pytest.raises(LogError, match=f"match.json' does not describe a match: .*{why}"):
        read_matches(tmp_path)
