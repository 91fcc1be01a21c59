"""One's own account: changed, exported, recovered and deleted, on both databases."""

import asyncio
import json

import pytest
import sqlalchemy as sa

from felt.server.net.limits import Limits
from felt.server.web.schemas.accounts import Exported
from felt.server.web.sessions import session_hash
from felt.store.accounts.erase import erase
from felt.store.database.db import Player, Store
from felt.store.database.engine import Database
from felt.store.database.models import ActionRow, HandRow, HandSeatRow
from tests.server.live_helpers import BASE, MANY, plain_move, refused, service
from tests.server.test_accounts import PASSWORD, Person
from tests.server.test_service import until


@pytest.fixture
def client(tmp_path):
    with service(tmp_path, limits=MANY) as running:
        yield running


def registered(client, name="Ada"):
    person = Person(client)
    person.enter("/account/register", name=name, password=PASSWORD)
    return person


def play(*people, table, hands=1):
    """Check and call until so many hands are over."""
    until(lambda: moved(people, table), lambda state: state["hand"] > hands, 60.0)


def moved(people, table):
    """The table after whose turn it is has checked or called."""
    for person in people:
        state = person.state(table)
        if state["turn"] == state["you"] >= 0:
            person.post(f"/tables/{table}/act", **plain_move(state))
    return people[0].state(table)


def all_that_is_kept(place):
    """Every row of every table, as text."""
    database = Database(place.folder, place.url)
    with database.engine.connect() as connection:
        tables = sa.inspect(connection).get_table_names()
        rows = [tuple(row) for name in tables for row in connection.execute(sa.text(f"SELECT * FROM {name}"))]
    database.close()
    return repr(rows)  # of a `Row`, SQLAlchemy shows the ends only


def test_change_the_name_of_an_account(client):
    ada, bo = registered(client), registered(client, "Bo")
    table = ada.table(agents=[], time_limit=600)
    other = Person(client)
    other.enter("/account/login", name="Ada", password=PASSWORD)
    refused(ada.post("/account/name", name="bo"), 409, "name_taken")
    refused(ada.post("/account/name", name="A:"), 422, "invalid")
    refused(Person(client, "Guest").post("/account/name", name="Cem"), 409, "no_account")
    assert ada.enter("/account/name", name="Countess")["name"] == "Countess"
    assert ada.get("/me").json()["name"] == other.get("/me").json()["name"] == "Countess"
    assert ada.state(table)["seats"][0]["name"] == "Ada", "at the table she is who she was"
    refused(Person(client).post("/account/login", name="Ada", password=PASSWORD), 401, "wrong_password")
    assert Person(client).enter("/account/login", name="COUNTESS", password=PASSWORD)["id"] == ada.me["id"]
    assert bo.enter("/account/name", name="Bó")["name"] == "Bó"


def test_a_guest_whose_name_an_account_has_taken_is_called_a_guest(client):
    ada, guest = registered(client), Person(client, "Countess")
    ada.enter("/account/name", name="Countess")
    assert guest.get("/me").json()["name"] == "Countess (guest)"


def meanwhile(monkeypatch, owner, name, change):
    """Let something happen in the store after a call of `owner` has begun, and before it is done."""
    call = getattr(owner, name)

    def called(*args, **options):
        change().result()
        return call(*args, **options)

    monkeypatch.setattr(owner, name, called)


@pytest.mark.parametrize("what", ["password", "deleted"])
def test_a_login_is_refused_whose_password_is_none_any_more(client, monkeypatch, what):
    """Whether it is right takes a while to find out."""
    ada = registered(client)
    players, player = client.app.state.accounts._players, Player(ada.me["id"], "deleted", True)
    changes = {
        "password": lambda: players.change_password(player.id, "hash", "code", "key"),
        "deleted": lambda: players.delete(player),
    }
    meanwhile(monkeypatch, client.app.state.accounts._passwords, "right", changes[what])
    thief = Person(client)
    refused(thief.post("/account/login", name="Ada", password=PASSWORD), 401, "wrong_password")


def test_a_session_that_ends_while_its_name_is_changed_stays_ended(client, monkeypatch):
    """A thief cannot keep a session alive by asking for a new name when the password is changed."""
    ada, bo = registered(client), Person(client, "Bo")
    players = client.app.state.accounts._players
    ended = session_hash(bo.key)
    meanwhile(
        monkeypatch, players, "rename_account", lambda: players.change_password(ada.me["id"], "hash", "code", "key")
    )
    meanwhile(monkeypatch, players, "rename", lambda: players.end_session(ended))
    for person, path in ((ada, "/account/name"), (bo, "/session")):
        assert person.post(path, name=f"{person.me['name']} 2").status_code == 200
        assert person.get("/me").json() is None


def test_a_name_is_changed_five_times_at_once_at_most(tmp_path):
    with service(tmp_path, limits=Limits(changes=1e6, renames=0.0)) as client:
        ada = registered(client)
        for number in range(5):
            ada.enter("/account/name", name=f"Ada {number}")
        refused(ada.post("/account/name", name="Ada"), 429, "too_fast")


def test_a_lost_password_is_replaced_with_the_code_which_works_once(place):
    with service(place.folder, database=place.url) as client:
        ada = registered(client)
        code = ada.me.pop("recovery_code")
        assert ada.get("/account").json()["recovery_code"] is True
        kept = all_that_is_kept(place)
        assert code not in kept and code.replace("-", "") not in kept and kept.count("$argon2id$") == 2
    with service(place.folder, database=place.url) as client:
        lost = Person(client, "Somebody")
        unknown = lost.post("/account/recover", name="Nobody", code=code, new="another horse")
        wrong = lost.post("/account/recover", name="Ada", code="0000-0000", new="another horse")
        refused(unknown, 401, "wrong_code")
        assert unknown.json() == wrong.json()
        typed = code.lower().replace("-", " ").replace("0", "o")
        me = lost.enter("/account/recover", name="ada", code=typed, new="another horse")
        assert (me["id"], me["name"], me["guest"]) == (ada.me["id"], "Ada", False)
        assert me["recovery_code"] != code
        assert lost.get("/me").json()["name"] == "Ada"
        ada.client = client
        assert ada.get("/me").json() is None, "the sessions before have ended"
        refused(lost.post("/account/recover", name="Ada", code=code, new="a third horse"), 401, "wrong_code")
        refused(Person(client).post("/account/login", name="Ada", password=PASSWORD), 401, "wrong_password")
        again = Person(client)
        again.enter("/account/recover", name="Ada", code=me["recovery_code"], new="a third horse")
        Person(client).enter("/account/login", name="Ada", password="a third horse")


def test_another_recovery_code_ends_the_one_before(client):
    ada = registered(client)
    refused(ada.post("/account/recovery-code", password="wrong"), 401, "wrong_password")
    refused(Person(client, "Bo").post("/account/recovery-code", password=PASSWORD), 409, "no_account")
    code = ada.post("/account/recovery-code", password=PASSWORD).json()["recovery_code"]
    old = ada.me["recovery_code"]
    refused(Person(client).post("/account/recover", name="Ada", code=old, new=PASSWORD), 401, "wrong_code")
    Person(client).enter("/account/recover", name="Ada", code=code, new=PASSWORD)


def test_another_password_ends_the_code_that_a_thief_had_made(client):
    """Else who has known the password once could come back for ever."""
    ada, thief = registered(client), Person(client)
    thief.enter("/account/login", name="Ada", password=PASSWORD)
    stolen = thief.post("/account/recovery-code", password=PASSWORD).json()["recovery_code"]
    code = ada.enter("/account/password", old=PASSWORD, new="another horse")["recovery_code"]
    refused(thief.post("/account/recover", name="Ada", code=stolen, new=PASSWORD), 401, "wrong_code")
    Person(client).enter("/account/recover", name="Ada", code=code, new=PASSWORD)


def test_codes_cannot_be_guessed_quickly(tmp_path):
    with service(tmp_path, limits=Limits(logins=0.0, logins_at_once=3)) as client:
        ada = registered(client)
        for _ in range(3):
            refused(Person(client).post("/account/recover", name="Ada", code="x", new=PASSWORD), 401, "wrong_code")
        code = ada.me["recovery_code"]
        refused(Person(client).post("/account/recover", name="Ada", code=code, new=PASSWORD), 429, "too_fast")
        refused(Person(client).post("/account/login", name="Ada", password=PASSWORD), 429, "too_fast")


def test_an_account_without_a_code_has_none_to_guess(place):
    """As all accounts of 0.1 are."""
    with service(place.folder, database=place.url) as client:
        ada = registered(client)
        store = client.app.state.sessions._store
        store.submit(lambda session: session.execute(sa.text("UPDATE accounts SET recovery_hash = NULL")), synced=False)
        store.submit(lambda session: None, synced=True).result()
        assert ada.get("/account").json()["recovery_code"] is False
        refused(Person(client).post("/account/recover", name="Ada", code="", new=PASSWORD), 401, "wrong_code")


def test_export_of_ones_data(place):
    with service(place.folder, database=place.url) as client:
        ada, bo = registered(client), Person(client, "Bo")
        table = ada.table(agents=[], time_limit=600)
        bo.post(f"/tables/{table}/sit", seat=1)
        play(ada, bo, table=table, hands=2)
        draw = ada.table(game="five-card-draw", agents=["call"], time_limit=600)
        play(ada, table=draw)
        answer = ada.get("/account/export")
        assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
        data = Exported.model_validate(answer.json())
        assert (data.account.name, data.account.guest, len(data.sessions)) == ("Ada", False, 1)
        assert [one.hand.id for one in data.hands] == [f"{draw}-1", f"{table}-2", f"{table}-1"]
        assert all(len(one.hand.cards) >= 2 and one.moves for one in data.hands)
        assert "Ada" in data.hands[1].phh
        text = answer.text
        assert "argon2" not in text and ada.key not in text and '"salt"' not in text and bo.me["id"] not in text
        assert Exported.model_validate(bo.get("/account/export").json()).account.guest is True
        refused(Person(client).get("/account/export"), 401, "no_session")


def test_an_export_has_every_hand_in_pages(client, monkeypatch):
    monkeypatch.setattr("felt.server.web.routes.account.PAGE", 2)
    ada = registered(client)
    assert Exported.model_validate(ada.get("/account/export").json()).hands == []
    table = ada.table(time_limit=600)
    for hands in (1, 2, 3):
        play(ada, table=table, hands=hands)
        data = Exported.model_validate(ada.get("/account/export").json())
        assert [one.hand.number for one in data.hands] == list(range(hands, 0, -1))


def test_a_deleted_account_leaves_no_name(place):
    """Hands of hers alone are gone; in a hand with another she has another name, and her cards stay hidden."""
    with service(place.folder, database=place.url) as client:
        ada, bo = registered(client, "Ada Lovelace"), Person(client, "Bo")
        alone = ada.table(time_limit=600)
        play(ada, table=alone)
        table = ada.table(agents=[], seats=3, time_limit=600)
        bo.post(f"/tables/{table}/sit", seat=1)
        play(ada, bo, table=table)
        ada.enter("/account/name", name="Countess L")
        refused(ada.post("/account/delete", password="wrong"), 401, "wrong_password")
        assert ada.post("/account/delete", password=PASSWORD).json() is None
        assert ada.get("/me").json() is None
        refused(ada.get("/account"), 401, "no_session")
        refused(Person(client).post("/account/login", name="Countess L", password=PASSWORD), 401, "wrong_password")
        until(lambda: client.app.state.accounts._erasing, lambda tasks: not tasks)
        kept = all_that_is_kept(place)
        assert "Lovelace" not in kept and "Countess" not in kept
        state = until(lambda: moved([bo], table), lambda told: not told["playing"])
        assert "Lovelace" not in json.dumps(state)
        told = bo.get("/hands").json()["hands"]
        assert {hand["table"] for hand in told} == {table} and told[-1]["players"][0].startswith("deleted ")
        replay = bo.get(f"/hands/{told[-1]['id']}").json()
        assert "Lovelace" not in json.dumps(replay) and not replay["all_cards"]
        refused(bo.get(f"/hands/{told[-1]['id']}?cards=all"), 403, "other_peoples_cards")
        refused(client.get(f"{BASE}/hands/{told[-1]['id']}?cards=all"), 403, "other_peoples_cards")
        assert bo.get(f"/hands/{told[-1]['id']}/pokerstars").status_code == 200
        assert client.get(f"{BASE}/hands/{alone}-1").status_code == 404
        assert registered(client, "Ada Lovelace").get("/hands").json()["hands"] == []
    with service(place.folder, database=place.url) as client:
        assert Person(client, "Cem").get(f"/hands/{told[-1]['id']}").status_code == 200


def test_a_hand_in_play_goes_on_without_who_deletes_the_account(client):
    ada, bo, cem = registered(client), Person(client, "Bo"), Person(client, "Cem")
    table = bo.table(agents=[], seats=3, time_limit=600)
    for seat, person in ((1, cem), (2, ada)):
        person.post(f"/tables/{table}/sit", seat=seat)
    until(lambda: moved((bo, cem), table), lambda told: told["playing"] and told["seats"][2]["in_hand"])
    ada.post("/account/delete", password=PASSWORD)
    state = bo.state(table)
    assert state["seats"][2] is None or state["seats"][2]["name"].startswith("deleted ")
    assert "Ada" not in json.dumps(state)
    until(lambda: moved((bo, cem), table), lambda told: told["hand"] > state["hand"])
    assert bo.state(table)["seats"][2] is None
    assert "Ada" not in json.dumps(bo.get("/hands").json())


def test_who_sits_down_while_the_account_is_deleted_gets_up_again(client, monkeypatch):
    ada, bo = registered(client), Person(client, "Bo")
    table = bo.table(agents=[], seats=3, time_limit=600)
    state, player = client.app.state, Player(ada.me["id"], "Ada", False)
    delete, tasks = state.accounts._players.delete, []

    def slow(nobody):
        tasks.append(asyncio.ensure_future(state.tables.sit(state.tables.get(table), player, 1)))
        return delete(nobody)

    monkeypatch.setattr(state.accounts._players, "delete", slow)
    ada.post("/account/delete", password=PASSWORD)
    assert len(tasks) == 1 and tasks[0].exception() is None
    assert [seat and seat["name"] for seat in bo.state(table)["seats"]][1] != "Ada"


def test_tables_that_somebody_has_set_up_for_agents_go_with_the_account(client):
    ada = registered(client)
    table = ada.table(sit=False, agents=["call", "call"], pace={"move_seconds": 0, "hand_seconds": 0})
    until(lambda: ada.get(f"/tables/{table}").json()["hand"], lambda hand: hand > 2)
    ada.post("/account/delete", password=PASSWORD)
    refused(client.get(f"{BASE}/tables/{table}"), 404, "no_table")
    until(lambda: client.app.state.accounts._erasing, lambda tasks: not tasks)
    with client.app.state.sessions._store.reading() as session:
        for row in (HandRow, HandSeatRow, ActionRow):
            assert session.scalar(sa.select(sa.func.count()).select_from(row)) == 0


def test_deleting_goes_on_after_a_restart(place, monkeypatch):
    with service(place.folder, database=place.url) as client:
        ada, bo = registered(client), Person(client, "Bo")
        table = ada.table(agents=[], time_limit=600)
        bo.post(f"/tables/{table}/sit", seat=1)
        play(ada, bo, table=table)
        monkeypatch.setattr(
            "felt.server.accounts.accounts.erase", lambda store, player, _: erase(store, player, lambda: True)
        )
        ada.post("/account/delete", password=PASSWORD)
        until(lambda: client.app.state.accounts._erasing, lambda tasks: not tasks)
    monkeypatch.undo()
    assert "Ada" in all_that_is_kept(place)
    with service(place.folder, database=place.url) as client:
        until(lambda: client.app.state.accounts._erasing, lambda tasks: not tasks)
    assert "Ada" not in all_that_is_kept(place)
    store = Store(place.folder, place.url)
    assert store.players.being_erased() == []
    store.close()
