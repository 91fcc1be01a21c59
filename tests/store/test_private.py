"""The data folder is for its owner only, and the deck of a hand in play is not in the database for all to read."""

import json
import logging
import os
import shutil
import stat
from contextlib import closing

import pytest

from felt.cli.app import run
from felt.server.net import tls
from felt.store import private
from felt.store.database.db import Store, StoredHand, StoredTable
from felt.store.database.engine import Database
from felt.store.database.sealing import DeckSeal
from felt.store.database.upgrade import upgrade_alone
from felt.store.database.values import StoreError
from tests.kept_hands import hands_of
from tests.server.live_helpers import service
from tests.server.test_accounts import Person
from tests.server.test_own_account import all_that_is_kept
from tests.server.test_service import until

DECK = [*range(52)]
DEALT = StoredTable("t", {"hands": 1, "deal": {"deck": DECK, "salt": "ab" * 32}}, {"seq": 1})
FOLDERS, FILES = 0o700, 0o600


@pytest.fixture(autouse=True)
def everybody_may_read(monkeypatch):
    """Whatever is made without care is open to all."""
    before = os.umask(0o000)
    monkeypatch.setattr(private, "_warned", set())
    yield
    os.umask(before)


def modes(folder):
    """The permissions of a folder and of all in it, by path."""
    paths = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in paths}


def assert_closed(folder, *least):
    told = modes(folder)
    assert {path: mode for path, mode in told.items() if mode & 0o077} == {}
    assert set(least) <= set(told)


def test_a_new_data_folder_is_for_its_owner_only(tmp_path):
    data = tmp_path / "new" / "felt"
    with service(data) as client:
        Person(client, "Ada").table(agents=["call"])
        assert_closed(data, "felt.db", "felt.db-wal", "felt.db-shm", "felt.lock", "deck.key")


def test_a_data_folder_that_was_open_is_closed(tmp_path):
    data = tmp_path / "felt"
    with service(data) as client:
        Person(client, "Ada")
        shutil.copytree(data, tmp_path / "killed")  # with -wal and -shm, as a process that was killed leaves them
    data = tmp_path / "killed"
    (data / "strategies").mkdir()
    (data / "strategies" / "x.felt").write_text("x")
    (data / "felt.db-journal").write_text("")
    tls.self_made(data, "localhost")
    for path in (data, *data.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    with closing(Store(data)):
        assert_closed(data, "felt.db-wal", "tls/felt.key", "strategies/x.felt")


def test_a_data_folder_made_for_a_certificate_is_closed(tmp_path):
    data = tmp_path / "felt"
    tls.self_made(data, "localhost")
    assert modes(data) == {".": FOLDERS, "tls": FOLDERS, "tls/felt.crt": FILES, "tls/felt.key": FILES}


def test_a_database_elsewhere_is_closed_and_its_folder_left_as_it_is(tmp_path):
    (tmp_path / "there").mkdir(mode=0o755)
    with closing(Store(tmp_path / "data", f"sqlite:///{tmp_path}/there/poker.db")) as store:
        store.keep_table(DEALT).result()
        told = modes(tmp_path / "there")
        assert told.pop(".") == 0o755 and set(told.values()) == {FILES} and "poker.db-wal" in told
    assert_closed(tmp_path / "data", "deck.key")


def test_strategies_alone_make_no_open_database(tmp_path):
    database = Database(tmp_path / "felt")
    upgrade_alone(database)
    database.close()
    assert_closed(tmp_path / "felt", "felt.db")


def test_other_files_in_the_folder_stay_as_they_are(tmp_path):
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    Store(tmp_path).close()
    assert modes(tmp_path)["bot.sh"] == 0o755 and modes(tmp_path)["."] == FOLDERS


def test_what_cannot_be_closed_is_named_in_a_warning(tmp_path, caplog, monkeypatch):
    data = tmp_path / "felt"
    data.mkdir()
    data.chmod(0o1777)
    with caplog.at_level(logging.WARNING):
        Store(data).close()
        Store(data).close()
    assert [record.getMessage() for record in caplog.records] == [
        f"{str(data)!r} is open to other users of this machine and stays so (it is a folder for everybody): "
        "choose another --data folder"
    ]
    (data / "felt.db").chmod(0o644)
    monkeypatch.setattr(private.Path, "chmod", lambda *_: None)
    with caplog.at_level(logging.WARNING):
        Store(data).close()
    assert "felt.db' is open to other users" in caplog.records[-1].getMessage()
    assert "keeps no permissions" in caplog.records[-1].getMessage()


def test_felt_serve_sets_the_umask(tmp_path, monkeypatch, capsys):
    masks = []
    monkeypatch.setattr("felt.server.web.serving.run_service", lambda *_, **__: masks.append(os.umask(0o000)) or True)
    assert run(["serve", "--no-open", "--data", str(tmp_path / "felt"), "--tls-self"]) == 0
    assert masks == [0o077]
    assert_closed(tmp_path / "felt", "tls/felt.key")


def test_the_deck_of_a_hand_in_play_is_sealed(place):
    with service(place.folder, database=place.url) as client:
        ada = Person(client, "Ada")
        table = ada.table(time_limit=600)
        until(lambda: ada.state(table), lambda told: told["turn"] == 0)
        deal = client.app.state.tables.get(table).state.deal
        kept = all_that_is_kept(place)
        assert deal.salt not in kept and json.dumps(list(deal.deck)) not in kept
        assert json.dumps(list(deal.deck)).replace(" ", "") not in kept and "sealed" in kept
        before = ada.state(table)
    key = (place.folder / "deck.key").read_text().strip()
    assert key not in all_that_is_kept(place)
    with service(place.folder, database=place.url) as client:  # comes back with the key
        ada.client = client
        after = ada.state(table)
        assert (after["hand"], after["seats"][0]["cards"]) == (before["hand"], before["seats"][0]["cards"])
        assert client.app.state.tables.get(table).state.deal == deal


def test_a_hand_that_is_over_is_kept_open_for_replays(place):
    hand = StoredHand(1, "nlhe", DEALT.saved, {"text": "Ada wins"}, {"deck": "x"}, [], [])
    with closing(Store(place.folder, place.url)) as store:
        store.keep_table(DEALT, hand).result()
        assert hands_of(store, "t") == [hand]
        assert [store.opened(table) for table in store.open_tables()] == [DEALT]


def test_a_table_of_an_earlier_release_has_its_deck_unsealed(tmp_path):
    assert DeckSeal(tmp_path).open(DEALT) == DEALT
    waiting = DEALT._replace(saved={"hands": 1, "deal": None})
    assert DeckSeal(tmp_path).seal(waiting) == waiting.saved == DeckSeal(tmp_path).open(waiting).saved


def test_another_key_opens_no_deck_and_loses_no_table(tmp_path, caplog, monkeypatch):
    with service(tmp_path) as client:
        ada = Person(client, "Ada")
        table = ada.table(time_limit=600)
        until(lambda: ada.state(table), lambda told: told["turn"] == 0)
    key = (tmp_path / "deck.key").read_text().strip()
    (tmp_path / "deck.key").unlink()
    with service(tmp_path) as client:
        ada.client = client
        assert ada.get(f"/tables/{table}").status_code == 404
        assert (
            f"table {table} cannot be brought back (StoreError): the deck of its hand in play was sealed" in caplog.text
        )
    monkeypatch.setenv("FELT_DECK_KEY", key)
    with service(tmp_path) as client:
        ada.client = client
        assert ada.state(table)["turn"] == 0


def test_a_sealed_deck_belongs_to_one_hand(tmp_path):
    seal = DeckSeal(tmp_path)
    sealed = DEALT._replace(saved=seal.seal(DEALT))
    assert seal.open(sealed) == DEALT and seal.seal(DEALT) == sealed.saved, "sealed once for all steps of a hand"
    other = seal.seal(DEALT._replace(saved={"hands": 2, "deal": {"deck": DECK, "salt": "cd"}}))
    for wrong in (
        sealed._replace(id="u"),
        sealed._replace(saved={**sealed.saved, "hands": 2}),
        sealed._replace(saved={**sealed.saved, "deal": other["deal"]}),
        sealed._replace(saved={**sealed.saved, "deal": {"sealed": "x"}}),
        sealed._replace(saved={**sealed.saved, "deal": {"sealed": None}}),
    ):
        with pytest.raises(StoreError, match="sealed with another key"):
            seal.open(wrong)


@pytest.mark.parametrize("text", ["", "secret", "ab" * 31, "zz" * 32, "ä"])
def test_keys_that_are_none(tmp_path, text, monkeypatch):
    (tmp_path / "deck.key").write_text(text, encoding="utf-8")
    with pytest.raises(StoreError, match=r"deck\.key' is no key: put the one of before back, or remove it"):
        Store(tmp_path)
    if text:
        monkeypatch.setenv("FELT_DECK_KEY", text)
        with pytest.raises(StoreError, match="FELT_DECK_KEY is no key: give 64 hexadecimal digits") as refused:
            Store(tmp_path)
        assert text not in str(refused.value).replace("hexadecimal", "")
