"""Many tables: nobody makes all of them, and the list of them is no more work for that."""

import re
from dataclasses import replace

from felt.server.tables import registry
from tests.server.live_helpers import BASE, MANY, Guest, refused, service
from tests.server.test_clients import coming_from
from tests.server.test_service import until

QUIET = {"agents": [], "sit": False}


def ids(answer):
    return [table["id"] for table in answer.json()]


def test_one_address_cannot_make_all_tables(tmp_path, monkeypatch):
    monkeypatch.setattr("felt.server.tables.registry.MOST_TABLES", 9)
    monkeypatch.setattr("felt.server.tables.registry.MOST_OWNED", 2)
    monkeypatch.setattr("felt.server.tables.registry.MOST_AT_ADDRESS", 5)
    with service(tmp_path) as client:
        guests = [Guest(client, f"G{number}") for number in range(8)]
        answers = [guest.post("/tables", **QUIET) for guest in guests for _ in range(2)]
        assert [answer.status_code for answer in answers] == [201] * 5 + [429] * 11
        refused(answers[-1], 429, "too_many_tables")
        assert int(answers[-1].headers["retry-after"]) >= 1 and "5 tables" in answers[-1].json()["error"]["message"]
        with coming_from(client, "192.0.2.7"):
            others = [Guest(client, "Bo").post("/tables", **QUIET) for _ in range(5)]
        assert [answer.status_code for answer in others] == [201] * 4 + [429], "then there are nine"
        first = answers[0].json()["table"]["id"]
        assert guests[0].post(f"/tables/{first}/close").status_code == 200
        until(lambda: client.get(f"{BASE}/tables").json(), lambda tables: len(tables) == 8)
        assert guests[0].post("/tables", **QUIET).status_code == 201


def test_tables_are_not_made_without_end(tmp_path):
    """Each one that is closed again stays in the database."""
    with service(tmp_path, limits=replace(MANY, tables=0.01, tables_at_once=2)) as client:
        ada = Guest(client)
        for _ in range(2):
            table = ada.post("/tables", **QUIET).json()["table"]["id"]
            ada.post(f"/tables/{table}/close")
        answer = ada.post("/tables", **QUIET)
        refused(answer, 429, "too_fast")
        assert 90 < int(answer.headers["retry-after"]) <= 100
        assert Guest(client, "Bo").post("/tables", **QUIET).status_code == 201


def test_the_list_of_tables_comes_in_pages(tmp_path):
    with service(tmp_path) as client:
        ada, bo = Guest(client, "Ada"), Guest(client, "Bo")
        old, *more = [ada.table(**QUIET) for _ in range(5)]
        seated = ada.table(agents=[])
        hidden = ada.table(**QUIET, private=True)
        own = bo.table(**QUIET, private=True)
        in_order = [own, seated, *reversed(more), old]
        assert ids(bo.get("/tables")) == in_order, "one's own, then with people, then the newest"
        pages, path = [], "/tables?limit=3"
        while path:
            answer = bo.get(path)
            pages.append(ids(answer))
            link = re.fullmatch(rf'<{BASE}(.+)>; rel="next"', answer.headers.get("link", ""))
            path = link and link[1]
        assert [len(page) for page in pages] == [3, 3, 1] and [table for page in pages for table in page] == in_order
        assert hidden not in ids(client.get(f"{BASE}/tables")) and hidden in ids(ada.get("/tables"))
        for wrong in ("limit=0", "limit=501", "offset=-1", "offset=x"):
            refused(bo.get(f"/tables?{wrong}"), 422, "invalid")


def test_only_what_has_changed_is_written_anew(tmp_path, monkeypatch):
    written = []

    def counted(room, viewer):
        written.append(room.id)
        return info(room, viewer)

    with service(tmp_path) as client:
        ada = Guest(client)
        tables = [ada.table(**QUIET) for _ in range(10)]
        info = registry.info
        monkeypatch.setattr(registry, "info", counted)
        first = client.get(f"{BASE}/tables").json()
        assert sorted(written) == sorted(tables)
        written.clear()
        assert client.get(f"{BASE}/tables").json() == first and not written, "nothing has happened"
        Guest(client, "Bo").post(f"/tables/{tables[3]}/sit", seat=0)
        told = client.get(f"{BASE}/tables").json()
        assert written == [tables[3]] and [table["people"] for table in told if table["id"] == tables[3]] == [["Bo"]]
        written.clear()
        assert all(table["owner"] for table in ada.get("/tables").json()) and len(written) == 10, "hers are told to her"


def test_addresses_are_not_kept(tmp_path):
    with service(tmp_path) as client, coming_from(client, "198.51.100.77"):
        Guest(client).table(**QUIET)
    assert not any(b"198.51.100" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
