"""Strategies that are kept in the database: added while the service runs, and played against."""

import json

import pytest

from felt.cli.app import run
from felt.games import load
from felt.solvers.cfr.solver import Solver
from felt.solvers.strategy import save_strategy
from felt.solvers.trees.build import build_tree
from felt.store.database.db import Store
from tests.kept_hands import hands_of
from tests.server.live_helpers import BASE, Guest, plain_move, refused, service
from tests.server.test_service import until


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """The file of a strategy for Kuhn poker."""
    solver = Solver(build_tree(load("kuhn")))
    solver.run(20)
    file = tmp_path_factory.mktemp("solved") / "my kuhn.felt"
    save_strategy(file, solver, None)
    return file


def felt(capsys, *args):
    code = run(list(map(str, args)))
    out, err = capsys.readouterr()
    return code, out if code == 0 else err


def test_a_kept_strategy_is_played_against(place, solved, capsys):
    where = ["--data", place.folder, *(["--database", place.url] if place.url else [])]
    with service(place.folder, database=place.url) as client:
        ada = Guest(client)
        assert ada.get("/strategies").json() == []
        asked = {"game": "kuhn", "agents": ["strategy:mine"], "stack": 0}
        refused(ada.post("/tables", **asked), 400, "no_agent")
        code, told = felt(capsys, "strategies", "add", solved, "--name", "mine", *where)
        assert code == 0 and told.startswith("strategy:mine plays kuhn with 2 players (dcfr, 20 iterations)")
        (one,) = ada.get("/strategies").json()
        assert (one["agent"], one["game"], one["players"]) == ("strategy:mine", "kuhn", 2)
        agents = {agent["name"]: agent for agent in client.get(f"{BASE}/agents").json()}
        assert agents["strategy:mine"]["games"] == ["kuhn"]
        refused(ada.post("/tables", **{**asked, "game": "leduc"}), 400, "no_agent")
        table = ada.table(**asked)
        moved = 0
        while moved < 3:
            state = until(lambda: ada.state(table), lambda told: told["turn"] == 0 or not told["seats"][0]["stack"])
            if state["turn"] == 0:
                moved += ada.post(f"/tables/{table}/act", **plain_move(state)).status_code == 200
            elif not state["playing"]:
                ada.post(f"/tables/{table}/rebuy")
        assert not any("failed" in line for line in state["log"])
        assert felt(capsys, "strategies", "remove", "mine", *where) == (0, "")
        refused(ada.post("/tables", **asked), 400, "no_agent")
    store = Store(place.folder, place.url)
    hands = hands_of(store, table)
    assert hands and all(hand.seats[1].agent == "strategy:mine" for hand in hands)
    for hand in hands:
        seats = [move.seat for move in hand.actions]
        assert len(seats) == len(hand.saved["moves"]) and all(map(int.__ne__, seats, seats[1:]))  # they take turns
        assert {move.street for move in hand.actions} <= {0}
    assert any(hand.actions for hand in hands)
    store.close()
    assert len(list((place.folder / "strategies").iterdir())) == 1
    with service(place.folder, database=place.url):
        assert not list((place.folder / "strategies").iterdir()), "what is not kept any more is no file either"


def test_the_commands(tmp_path, solved, capsys):
    where = ("--data", tmp_path / "data")
    assert felt(capsys, "strategies", "list", *where) == (0, "There is none yet: felt strategies add FILE keeps one.\n")
    assert felt(capsys, "strategies", "add", solved, *where)[0] == 2  # the blank in the file's name
    assert felt(capsys, "strategies", "add", solved, "--name", "b", *where)[0] == 0
    assert felt(capsys, "strategies", "add", solved, "--name", "a", *where)[0] == 0
    (tmp_path / "x.felt").write_text("something else")
    for args, words in [
        (("add", solved, "--name", "b"), "there is a strategy 'b' already"),
        (("add", solved, "--name", "a:b"), "no name for a strategy"),
        (("add", solved, "--name", "x" * 31), "no name for a strategy"),
        (("add", tmp_path / "none.felt"), "is no file"),
        (("add", tmp_path), "is no file"),
        (("add", tmp_path / "x.felt"), "x.felt"),
        (("remove", "c"), "there is no strategy 'c': there are a, b"),
        (("list", "--database", "mysql://x:s3cret@y"), "'mysql' is not supported"),
    ]:
        code, told = felt(capsys, "strategies", *args, *where)
        assert code == 2 and words in told and told.count("\n") == 1 and "s3cret" not in told, args
    code, told = felt(capsys, "strategies", "list", "--json", *where)
    assert [one["name"] for one in json.loads(told)["strategies"]] == ["a", "b"]
    shown = felt(capsys, "strategies", "list", *where)[1]
    assert shown.splitlines()[0].split()[:2] == ["name", "game"] and " kuhn " in shown


def test_the_database_of_the_environment(tmp_path, solved, capsys, monkeypatch):
    monkeypatch.setenv("FELT_DATABASE_URL", f"sqlite:///{tmp_path / 'other' / 'felt.db'}")
    assert felt(capsys, "strategies", "add", solved, "--name", "a", "--data", tmp_path / "unused")[0] == 0
    assert (tmp_path / "other" / "felt.db").is_file() and not (tmp_path / "unused").exists()
