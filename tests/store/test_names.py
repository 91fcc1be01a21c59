"""Names that look alike, and names that cannot be seen."""

import unicodedata

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from felt.store.accounts.names import LOOK_LIKE, alike, check_name, folded, is_invisible, skeleton
from felt.store.database.db import Store
from felt.store.database.engine import Database
from felt.store.database.upgrade import up_to_date
from felt.store.database.values import NameTakenError, Player
from tests.server.live_helpers import refused, service
from tests.server.test_accounts import PASSWORD, Person
from tests.server.test_own_account import registered

LIKE_ADA = ("Аda", "Adа", "Αda", "Ａda", "ᎪᎠᎪ", "𝐀𝐝𝐚", "ɑda", "ADА", "ada", "Ⲁda".replace("Ⲁ", "А"))
INVISIBLE = (
    "\u200b", "\u200d", "\u200e", "\u202e", "\u2060", "\u2066", "\u00ad", "\u034f", "\u061c", "\u115f", "\u1160",
    "\u17b4", "\u180e", "\u2800", "\u3164", "\ufe0f", "\ufeff", "\uffa0", "\ufffc", "\U000e0041", "\U000e0101",
    "\u0000", "\u001b", "\u009b", "\ue000", "\ud800", "\U0001d159",
)  # fmt: skip


@pytest.mark.parametrize("name", LIKE_ADA)
def test_names_of_other_scripts_that_look_the_same(name):
    assert alike(name, "Ada"), [unicodedata.name(letter) for letter in name]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Iris", "lris"), ("IRIS", "lRlS"), ("Bob", "B0b"), ("Barney", "Bamey"), ("Will", "WiII"), ("НИНА", "нина"),
     ("Борис", "Бopиc"), ("O’Hara", "O'Hara"), ("vvill", "will")],
)  # fmt: skip
def test_names_that_are_taken_for_one_another(one, other):
    assert alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ada", "Adam"), ("Bo", "Bó"), ("Jürgen", "Jurgen"), ("Ann", "Ana"), ("李", "王"), ("A B", "AB")]
)
def test_names_that_are_not(one, other):
    assert not alike(one, other)


@given(st.text(min_size=1, max_size=24))
def test_looks_do_not_depend_on_how_often_one_looks(name):
    assert folded(folded(name)) == folded(name)
    assert alike(name, name) and skeleton(name) == skeleton(unicodedata.normalize("NFKC", name))


def test_what_looks_like_a_letter_is_no_letter_itself():
    letters = [letter for group in LOOK_LIKE.values() for letter in group]
    assert len(letters) == len(set(letters)) > 500
    assert not {letter for letter in letters if letter.isascii()} - set('01I|m"`')


@pytest.mark.parametrize("letter", INVISIBLE)
def test_invisible_and_filler_characters_are_refused(letter):
    assert is_invisible(letter)
    with pytest.raises(ValueError, match="without invisible characters"):
        check_name(f"A{letter}da")


@pytest.mark.parametrize("name", ["\u0301Ada", "A\u0301\u0302\u0303da", "A:", "", "  ", "x" * 25, "\u3164"])
def test_other_names_that_are_refused(name):
    with pytest.raises(ValueError, match=r"^give a name"):
        check_name(name)


@pytest.mark.parametrize(
    "name", ["Ada", "Zoë", "Nguyễn Văn", "דנה", "محمد", "李小龍", "Ω", "☺", "a b  c", "ญาดา", "नीता"]
)
def test_names_of_all_languages_are_taken(name):
    assert check_name(name) == " ".join(name.split())


def test_a_guest_cannot_look_like_an_account(tmp_path):
    with service(tmp_path) as client:
        registered(client)
        for name in LIKE_ADA:
            refused(Person(client).post("/session", name=name), 409, "name_taken")
            refused(Person(client).post("/account/register", name=name, password=PASSWORD), 409, "name_taken")
        refused(Person(client).post("/session", name="Ada\u3164"), 422, "invalid")
        refused(registered(client, "Bo").post("/account/name", name="Аda"), 409, "name_taken")


def test_a_guest_from_before_who_looks_like_an_account_is_called_a_guest(place):
    with service(place.folder, database=place.url) as client:
        guest = Person(client, "Аda")
        registered(client)
        assert guest.get("/me").json()["name"] == "Аda (guest)"
        client.app.state.sessions._known.clear()
        assert guest.get("/me").json()["name"] == "Аda (guest)"


def test_nobody_at_a_table_looks_like_another_or_like_an_agent(tmp_path):
    with service(tmp_path) as client:
        ada, other, third = Person(client, "Ada"), Person(client, "Adа"), Person(client, "Во")
        table = ada.table(agents=["call"], seats=4)
        other.post(f"/tables/{table}/sit", seat=2)
        third.post(f"/tables/{table}/sit", seat=3)
        assert [seat["name"] for seat in ada.state(table)["seats"]] == ["Ada", "Bo", "Adа 2", "Во 2"]
        mine = third.table(agents=["call"])
        assert [seat["name"] for seat in third.state(mine)["seats"]] == ["Во", "Cem"]


def test_accounts_of_before_that_look_alike_keep_working(place):
    """An old database may have `Ada` twice, once with a Cyrillic letter."""
    store = Store(place.folder, place.url)
    store.players.register(Player("a", "Ada", False), "x", "y", "1").result()
    store.players.register(Player("b", "Bo", False), "x", "y", "2").result()
    store.close()
    database = Database(place.folder, place.url)
    with database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE players SET name = 'Adа' WHERE id = 'b'"))
        connection.execute(sa.text("UPDATE accounts SET folded = 'adа' WHERE player = 'b'"))
        for index in ("ix_accounts_skeleton", "ix_hands_owner_watched_id", "ix_hands_watched_id"):
            connection.execute(sa.text(f"DROP INDEX {index}"))
        for table, column in (("accounts", "skeleton"), ("hands", "owner"), ("hands", "watched")):
            connection.execute(sa.text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        connection.execute(sa.text("UPDATE felt_version SET version_num = '0004'"))
    assert not up_to_date(database)
    database.close()
    store = Store(place.folder, place.url)
    assert [store.players.account(name).player.id for name in ("ADA", "Adа")] == ["a", "b"]
    with pytest.raises(NameTakenError):
        store.players.register(Player("c", "Αda", False), "x", "y", "3").result()
    with pytest.raises(NameTakenError):
        store.players.rename_account("a", "ADA").result()  # while somebody else looks the same
    store.players.rename_account("b", "Bo").result()
    store.players.rename_account("a", "ADA").result()
    store.close()
