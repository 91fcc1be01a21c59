"""Databases with damaged pages: one line at the start, 503 while serving, and the tables go on."""

import re
import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest

from felt.cli.app import run
from felt.server.web.serving import _try_store
from felt.store.database import engine
from felt.store.database.db import Store
from felt.store.database.engine import DamagedError
from felt.store.database.values import Player, StoreError
from tests.server.live_helpers import refused, service
from tests.server.test_accounts import Person
from tests.server.test_own_account import moved, play
from tests.server.test_service import until

PAGE = 4096
HANDS = 12


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with a table in play at which some hands are over; who plays there, and the table's id."""
    data = tmp_path_factory.mktemp("played")
    with service(data) as client:
        ada = Person(client, "Ada")
        table = ada.table(time_limit=600)
        play(ada, table=table, hands=HANDS)
    with closing(sqlite3.connect(data / "felt.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return data, ada, table


@pytest.fixture
def folder(played, tmp_path):
    """A copy of it, to be spoiled."""
    return shutil.copytree(played[0], tmp_path / "felt")


def page_of(data, text):
    """The number of the first page, from 0, in which a text stands."""
    return (data / "felt.db").read_bytes().index(text.encode()) // PAGE


def spoil(data, page, content=b"\xff" * PAGE):
    with (data / "felt.db").open("r+b") as file:
        file.seek(page * PAGE)
        file.write(content)


def page_of_first_hand(data):
    with closing(sqlite3.connect(data / "felt.db")) as connection:
        (commitment,) = connection.execute("SELECT deal FROM hands ORDER BY id LIMIT 1").fetchone()
    return page_of(data, commitment)


def change(data, statement, *values):
    with closing(sqlite3.connect(data / "felt.db")) as connection, connection:
        assert connection.execute(statement, values).rowcount == 1


def test_felt_serve_refuses_damaged_pages_in_one_line(folder, capsys):
    spoil(folder, page_of_first_hand(folder))
    assert run(["serve", "--no-open", "--port", "0", "--data", str(folder)]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "is damaged" in told and ".recover" in told and "backup" in told


@pytest.mark.parametrize("content", [b"\0" * PAGE, b"\x0d" + b"\xa5" * (PAGE - 1)])
@pytest.mark.parametrize("page", [0, 1, 3, 7])
def test_whatever_page_is_damaged_is_told_in_one_line(folder, page, content):
    spoil(folder, page, content)
    with pytest.raises(StoreError) as told:
        _try_store(folder, None)
    assert "\n" not in str(told.value) and ".recover" in str(told.value)


def test_a_large_file_is_not_looked_through(folder, monkeypatch):
    monkeypatch.setattr(engine, "CHECKED_BYTES", PAGE)
    spoil(folder, page_of_first_hand(folder))
    _try_store(folder, None)


def test_reading_a_damaged_page_is_answered_with_503_and_the_table_goes_on(folder, played, caplog):
    _, ada, table = played
    spoil(folder, page_of_first_hand(folder))
    with service(folder) as client:
        ada.client = client
        refused(ada.get(f"/hands/{table}-1"), 503, "store")
        refused(ada.get("/hands?limit=200"), 503, "store")
        broken = ada.get("/account/export")
        assert broken.status_code in (200, 503) and not broken.text.endswith("]}")
        state = ada.state(table)
        until(lambda: moved([ada], table), lambda told: told["hand"] > state["hand"] + 1, 60.0)
        assert ada.get(f"/hands/{table}-{state['hand']}").status_code == 200, "new hands are kept"
    lines = [record for record in caplog.records if "damaged" in record.getMessage()]
    assert lines and all(".recover" in line.getMessage() for line in lines)
    assert not any(record.exc_info for record in caplog.records), "no traceback"


@pytest.mark.parametrize("text", ["{", '{"seats": 1}', "[]", "null", '{"seats": [], "settings": {}}'])
def test_a_hand_whose_row_is_damaged(folder, played, caplog, text):
    _, ada, table = played
    change(folder, "UPDATE hands SET saved = ? WHERE number = 1", text)
    with service(folder) as client:
        ada.client = client
        refused(ada.get(f"/hands/{table}-1"), 503, "store")
        refused(ada.get(f"/hands/{table}-1/phh"), 503, "store")
        assert ada.get(f"/hands/{table}-2").status_code == 200
        assert ada.state(table)["turn"] == 0
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("text", ["{", '{"seats": 1}', "[]", "null", b"\xff\xfe"])
def test_a_table_whose_row_is_damaged_does_not_keep_others_from_coming_back(folder, played, caplog, text):
    _, ada, table = played
    with service(folder) as client:
        ada.client = client
        other = ada.table(time_limit=600)
    with closing(sqlite3.connect(folder / "felt.db")) as connection, connection:
        connection.execute("UPDATE tables SET saved = CAST(? AS TEXT) WHERE id = ?", (text, table))
    with service(folder) as client:
        ada.client = client
        assert ada.get(f"/tables/{table}").status_code == 404 and ada.get(f"/tables/{other}").status_code == 200
    assert f"table {table} cannot be brought back" in caplog.text
    with closing(sqlite3.connect(folder / "felt.db")) as connection:
        assert connection.execute("SELECT closed FROM tables WHERE id = ?", (table,)).fetchone() == (0,), "not lost"


def test_a_change_that_meets_damage_is_refused_with_what_to_do(folder):
    with closing(sqlite3.connect(folder / "felt.db")) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'players'").fetchone()
    spoil(folder, root - 1)
    with closing(Store(folder)) as store:
        with pytest.raises(DamagedError, match=r"is damaged .*\.recover"):
            store.players.add(Player("x", "Bo", True), "key").result()
        store.submit(lambda session: None, synced=True).result()


@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="the program sqlite3 is not installed")
def test_what_the_remedy_saves_is_served(folder, played, tmp_path):
    """As the docs say: `.recover`, which not every sqlite3 has, or `.dump`."""
    _, ada, table = played
    spoil(folder, page_of_first_hand(folder))
    saved = tmp_path / "saved"
    saved.mkdir()
    script = subprocess.run(["sqlite3", folder / "felt.db", ".recover"], capture_output=True, check=False)
    sql = script.stdout
    if script.stderr:
        script = subprocess.run(["sqlite3", folder / "felt.db", ".dump"], capture_output=True, check=False)
        sql = re.sub(rb"^ROLLBACK.*$", b"COMMIT;", script.stdout, flags=re.MULTILINE)
    subprocess.run(["sqlite3", saved / "felt.db"], input=sql, capture_output=True, check=True)
    shutil.copy(folder / "deck.key", saved)
    _try_store(saved, None)
    with service(saved) as client:
        ada.client = client
        assert ada.state(table)["turn"] == 0
        assert ada.get(f"/hands/{table}-{HANDS}").status_code == 200
