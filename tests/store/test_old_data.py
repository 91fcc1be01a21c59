"""Data folders of earlier releases are opened by this one: accounts, hands, strategies, and tables in play go on."""

import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from tests.fixtures.make_data_folder import shown_state, shown_statistics
from tests.server.live_helpers import BASE, plain_move, service
from tests.server.test_accounts import Person
from tests.server.test_service import until

FOLDER = Path(__file__).parent.parent / "fixtures"
RELEASES = sorted(path.stem for path in FOLDER.glob("data-*.zip"))


def test_there_is_a_folder_of_an_earlier_release():
    assert "data-0.1.0" in RELEASES


@pytest.fixture(params=RELEASES)
def release(request, tmp_path):
    """A data folder as that release left it when it was killed, and what Ada was shown then."""
    with zipfile.ZipFile(FOLDER / f"{request.param}.zip") as archive:
        archive.extractall(tmp_path)
    return tmp_path, json.loads((FOLDER / f"{request.param}.json").read_text())


def test_accounts_hands_and_tables_in_play_go_on(release):
    data, shown = release
    counts = rows(data)
    playing = in_play(data, but=shown["watched"])  # where its agents go on at once
    with service(data) as client:
        ada = Person(client)
        me = ada.enter("/account/login", name="Ada", password=shown["password"])
        assert {name: me[name] for name in shown["me"]} == shown["me"]
        assert {seat["table"] for seat in me["seats"]} == {table["id"] for table in shown["tables"].values()}
        for game, before in shown["tables"].items():
            assert shown_state(ada, before["id"]) == before, game
        assert [agent["agent"] for agent in client.get(f"{BASE}/strategies").json()] == ["strategy:mine"]
        hands = {hand["id"]: hand for hand in ada.get("/hands").json()["hands"]}
        for hand in shown["hands"]:
            assert hands[hand["id"]] == hand
            replay = ada.get(f"/hands/{hand['id']}").json()
            assert replay["hand"]["text"] == hand["text"] and replay["steps"]
        assert shown_statistics(ada) == shown["statistics"]
        assert ada.get(f"/tables/{shown['closed']}").status_code == 404
        assert in_play(data, but=shown["watched"]) == playing, "a deal or a move of a hand in play has changed"
        for game, before in shown["tables"].items():
            state = ada.state(before["id"])
            assert ada.post(f"/tables/{before['id']}/act", **plain_move(state)).status_code == 200, game
            until(
                lambda table=before["id"]: ada.state(table),
                lambda state, before=before: (state["hand"], state["step"]) > (before["hand"], before["step"]),
            )
        watched = shown["watched"]
        hand = ada.state(watched)["hand"]
        until(lambda: ada.state(watched), lambda told: told["hand"] > hand)
    assert all(rows(data)[table] >= count for table, count in counts.items()), "rows were lost"


def in_play(data: Path, *, but: str) -> dict[str, tuple[object, object, object]]:
    """Of every open table that people sit at: the hand, its deal and the moves so far."""
    connection = sqlite3.connect(data / "felt.db")
    tables = connection.execute("SELECT id, saved FROM tables WHERE NOT closed").fetchall()
    connection.close()
    saved = {table: json.loads(text) for table, text in tables if table != but}
    return {table: (hand["hands"], hand["deal"], hand["moves"]) for table, hand in saved.items()}


def rows(data: Path) -> dict[str, int]:
    """How many rows each table of the database has."""
    connection = sqlite3.connect(data / "felt.db")
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    counts = {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}
    connection.close()
    return counts
