"""Accounts: registered, logged in and out over HTTP, on both databases, and everything that is refused."""

import json
from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError

from felt.server.net.limits import Limits
from felt.server.net.middleware import allowed_hosts
from felt.server.tables.table import Table
from felt.store.database.db import Player
from felt.store.database.models import now
from tests.server.live_helpers import BASE, MANY, Guest, plain_move, refused, service
from tests.server.test_service import until

PASSWORD = "correct horse"


class Person(Guest):
    """Somebody in a browser, which takes the cookies that it is given."""

    def __init__(self, client, name=None):
        self.client, self.me, self.key = client, {"token": ""}, ""
        if name is not None:
            self.enter("/session", name=name)

    def post(self, path, **body):
        answer = super().post(path, **body)
        self.client.cookies.clear()
        return answer

    def enter(self, path, **body):
        answer = self.post(path, **body)
        assert answer.status_code == 200, answer.text
        self.me = answer.json()
        self.key = answer.cookies.get("felt_session", self.key)
        return self.me

    def other_browser(self):
        other = Person(self.client)
        other.me, other.key = self.me, self.key
        return other


@pytest.fixture
def client(tmp_path):
    with service(tmp_path, limits=MANY) as running:
        yield running


def test_a_guest_becomes_an_account_and_comes_back(place):
    with service(place.folder, database=place.url) as client:
        ada = Person(client, "Ada")
        table = ada.table(time_limit=600)
        guest, old = ada.me, ada.other_browser()
        me = ada.enter("/account/register", name="Ada L", password=PASSWORD)
        assert (me["id"], me["name"], me["guest"]) == (guest["id"], "Ada L", False)
        assert [seat["table"] for seat in me["seats"]] == [table] and me["token"] != guest["token"]
        assert old.get("/me").status_code == 200 and old.get("/me").json() is None, "the guest's key has ended"
        state = until(lambda: ada.state(table), lambda told: told["turn"] == 0)
        while state["hand"] == 1:
            assert ada.post(f"/tables/{table}/act", **plain_move(state)).status_code == 200
            state = until(lambda: ada.state(table), lambda told: told["turn"] == 0)
        assert ada.post("/account/logout").json() is None and ada.get("/me").json() is None
        refused(ada.post(f"/tables/{table}/leave"), 401, "no_session")
    with service(place.folder, database=place.url) as client:
        back = Person(client)
        assert back.post("/account/login", name="Ada\0", password=PASSWORD).status_code in (401, 422)
        assert back.get("/hands?table=%00&game=%00").status_code in (200, 422)
        me = back.enter("/account/login", name="ADA l", password=PASSWORD)
        assert me["id"] == guest["id"] and [seat["table"] for seat in me["seats"]] == [table]
        assert back.state(table)["you"] == 0
        assert [hand["number"] for hand in back.get("/hands").json()["hands"]] == [1]
        assert [game["hands"] for game in back.get("/statistics").json()["games"]] == [1]


def test_a_new_password_ends_other_sessions(client):
    ada = Person(client)
    ada.enter("/account/register", name="Ada", password=PASSWORD)
    thief = Person(client)
    thief.enter("/account/login", name="Ada", password=PASSWORD)
    table = ada.table(agents=[])
    with thief.live(table) as socket:
        assert socket.receive_json()["state"]["you"] == 0
        refused(ada.post("/account/password", old="wrong", new="another horse"), 401, "wrong_password")
        refused(ada.post("/account/password", old=PASSWORD, new="short"), 422, "invalid")
        ada.enter("/account/password", old=PASSWORD, new="another horse")
        socket.send_json({"type": "act", "hand": 1, "step": 0, "move": "call"})
        with pytest.raises(Exception) as closed:
            while True:
                assert socket.receive_json()["type"] == "refused"
        assert type(closed.value).__name__ == "WebSocketDisconnect"
    assert thief.get("/me").json() is None and ada.get("/me").json()["name"] == "Ada"
    refused(thief.post("/account/login", name="Ada", password=PASSWORD), 401, "wrong_password")
    refused(Person(client, "Bo").post("/account/password", old="x" * 8, new="y" * 8), 409, "no_account")


def test_a_session_that_ends_while_a_table_is_opened_does_not_follow_it(client, monkeypatch):
    ada = Person(client, "Ada")
    table = ada.table(agents=[])
    accounts, meet = client.app.state.accounts, Table.meet

    async def slow(room, viewer):
        await meet(room, viewer)
        await accounts.logout(Player(ada.me["id"], "Ada", False), ada.key)

    monkeypatch.setattr(Table, "meet", slow)
    with ada.live(table) as socket, pytest.raises(Exception) as closed:
        socket.receive_json()
    assert type(closed.value).__name__ == "WebSocketDisconnect"


def test_what_is_refused(client):
    ada, bo = Person(client, "Ada"), Person(client, "Bo")
    ada.enter("/account/register", name="Ada", password=PASSWORD)
    for name in ("Ada", "aDA", "Ａda"):
        refused(bo.post("/account/register", name=name, password=PASSWORD), 409, "name_taken")
        refused(Person(client).post("/session", name=name), 409, "name_taken")
        refused(bo.post("/session", name=name), 409, "name_taken")
    nobody = Person(client).post("/account/login", name="Nobody", password=PASSWORD)
    wrong = Person(client).post("/account/login", name="Ada", password="x")
    for answer in (nobody, wrong):
        refused(answer, 401, "wrong_password")
    assert nobody.json() == wrong.json()
    refused(bo.post("/account/register", name="Bo", password="seven77"), 422, "invalid")
    refused(bo.post("/account/register", name="Bo", password="x" * 201), 422, "invalid")
    refused(bo.post("/account/register", name="Bo: raises", password=PASSWORD), 422, "invalid")
    refused(bo.post("/account/login", name="Bo", password="x" * 201), 422, "invalid")
    refused(bo.post("/account/login", name="Bo"), 422, "invalid")
    refused(ada.post("/account/register", name="Ada 2", password=PASSWORD), 409, "logged_in")
    refused(ada.post("/session", name="Eve"), 409, "logged_in")
    assert ada.post("/session", name="Ada").json() == ada.get("/me").json()
    body, json_type = json.dumps({"name": "Ada", "password": PASSWORD}), {"Content-Type": "application/json"}
    foreign = client.post(f"{BASE}/account/login", content=body, headers={**json_type, "Origin": "https://evil.org"})
    refused(foreign, 403, "foreign_origin")
    tokenless = {**json_type, "Cookie": f"felt_session={bo.key}"}
    for path in ("login", "logout", "register", "password"):
        refused(client.post(f"{BASE}/account/{path}", content=body, headers=tokenless), 403, "wrong_token")
    assert Person(client).post("/account/logout").json() is None


def test_a_guest_who_logs_in_gets_up(client):
    Person(client).enter("/account/register", name="Ada", password=PASSWORD)
    bo = Person(client, "Bo")
    table = bo.table(agents=[])
    bo.enter("/account/login", name="Ada", password=PASSWORD)
    assert bo.me["seats"] == [] and bo.state(table)["seats"] == [None, None]


def test_a_guest_whose_name_has_become_an_accounts(client):
    ada, other = Person(client, "Ada"), Person(client)
    other.enter("/account/register", name="ada", password=PASSWORD)
    assert ada.get("/me").json()["name"] == "Ada (guest)" and other.get("/me").json()["name"] == "ada"
    refused(ada.post("/session", name="Ada"), 409, "name_taken")
    assert ada.enter("/session", name="Bo")["name"] == "Bo" == ada.get("/me").json()["name"]


def test_names_in_use(tmp_path):
    with service(tmp_path, limits=Limits(changes=1e6, sessions=1e6, name_seconds=0.2)) as client:
        ada, bo = Person(client, "Ada"), Person(client, "Bo")
        refused(Person(client).post("/session", name="ada"), 409, "name_in_use")
        refused(bo.post("/account/register", name="ADA", password=PASSWORD), 409, "name_in_use")
        assert ada.enter("/session", name="ada")["name"] == "ada"
        until(lambda: Person(client).post("/session", name="Ada").status_code, lambda status: status == 200)
        table = bo.table(agents=[])
        answers = [Person(client).post("/session", name="Bo").status_code for _ in range(3)]
        assert answers == [409] * 3
        until(lambda: client.app.state.sessions.names.users("Bo"), lambda users: not users)
        refused(Person(client).post("/session", name="bo"), 409, "name_in_use")  # seated
        assert bo.enter("/session", name="Bo")["name"] == "Bo" and bo.state(table)["you"] == 0
        bo.post("/account/logout")
        assert Person(client, "Bo").me["name"] == "Bo"


def test_too_many_attempts(tmp_path):
    with service(tmp_path, limits=Limits(logins=0.0, logins_at_once=3)) as client:
        ada = Person(client)
        ada.enter("/account/register", name="Ada", password=PASSWORD)
        for _ in range(3):
            refused(Person(client).post("/account/login", name="Ada", password="guess"), 401, "wrong_password")
        refused(Person(client).post("/account/login", name="Ada", password=PASSWORD), 429, "too_fast")
        refused(ada.post("/account/password", old=PASSWORD, new=PASSWORD), 429, "too_fast")
        for number in range(27):
            refused(Person(client).post("/account/login", name=f"B{number}", password="guess"), 401, "wrong_password")
        refused(Person(client).post("/account/login", name="Bo", password=PASSWORD), 429, "too_fast")  # the address


def test_a_database_that_does_not_answer(client, monkeypatch):
    ada = Person(client, "Ada")

    def gone(*_, **__):
        raise OperationalError("SELECT", {}, Exception("connection refused"))

    players = client.app.state.sessions._store.players
    monkeypatch.setattr(players, "by_session", gone)
    monkeypatch.setattr(players, "is_taken", gone)
    assert ada.get("/me").status_code == 200, "known without asking"
    refused(ada.post("/account/register", name="Ada", password=PASSWORD), 503, "store")
    ada.key = "another"
    refused(ada.get("/me"), 503, "store")


def test_sessions_end_after_a_year(client, monkeypatch):
    ada = Person(client, "Ada")
    client.app.state.sessions._known.clear()
    monkeypatch.setattr("felt.store.accounts.players.now", lambda: now() + timedelta(days=366))
    assert ada.get("/me").json() is None


def test_cookies_are_secure_under_tls(client):
    body = {"name": "Ada", "password": PASSWORD}
    answer = client.post(f"https://testserver{BASE}/account/register", json=body)
    assert {"Secure", "HttpOnly", "SameSite=lax"} <= set(answer.headers["set-cookie"].split("; "))
    client.cookies.clear()
    answer = client.post(f"http://testserver{BASE}/account/login", json=body)
    assert "Secure" not in answer.headers["set-cookie"]


def test_no_hash_and_no_password_is_told(client, tmp_path):
    ada = Person(client)
    ada.enter("/account/register", name="Ada", password=PASSWORD)
    assert "argon2" not in json.dumps(ada.me) and PASSWORD not in json.dumps(ada.me)
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert PASSWORD.encode() not in kept and b"$argon2id$" in kept and ada.key.encode() not in kept


OUR_NAMES = ("localhost", "LOCALHOST:5252", "127.0.0.1:1", "[::1]:5252", "[::1]", "poker.lan:80")
OTHER_NAMES = ("evil.org", "127.0.0.1.evil.org:5252", "localhost@evil.org", "", "::1")


def test_only_its_own_names_are_answered(tmp_path):
    with service(tmp_path, hosts=allowed_hosts("127.0.0.1", ["Poker.LAN"])) as client:
        for path in (f"{BASE}/health", "/"):
            for host in OUR_NAMES:
                assert client.get(path, headers={"Host": host}).status_code == 200, host
            for host in OTHER_NAMES:
                refused(client.get(path, headers={"Host": host}), 421, "wrong_host")


def test_websockets_too(tmp_path):
    with service(tmp_path, hosts=allowed_hosts("127.0.0.1")) as client:
        client.headers["Host"] = "localhost"
        ada = Person(client, "Ada")
        table = ada.table(agents=[])
        path = f"{BASE}/tables/{table}/live"
        with client.websocket_connect(path, headers={**ada.headers, "Host": "localhost"}) as socket:
            assert socket.receive_json()["state"]["you"] == 0
        rebound = {**ada.headers, "Host": "evil.org", "Origin": "http://evil.org"}
        with (
            pytest.raises(Exception) as denied,
            client.websocket_connect(path, headers=rebound),
        ):
            pass
        assert denied.value.status_code == 421


def test_hosts_where_others_are_served():
    assert allowed_hosts("0.0.0.0") is None and allowed_hosts("192.168.0.2") is None
    assert "127.0.0.1" in allowed_hosts("localhost") and "[::1]" in allowed_hosts("::1")
    assert allowed_hosts("192.168.0.2", ["poker.lan"]) >= {"192.168.0.2", "poker.lan", "localhost"}
