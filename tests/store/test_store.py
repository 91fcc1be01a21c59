"""The service's database, SQLite and PostgreSQL: what is kept, who may use it, and how it is brought up to date."""

import tempfile
import threading
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import OperationalError

from felt.errors import FeltError
from felt.store.accounts.names import folded
from felt.store.database import migrations
from felt.store.database.db import Store, StoredAction, StoredHand, StoredSeat, StoredTable
from felt.store.database.engine import Database
from felt.store.database.models import ActionRow, Base, HandRow, HandSeatRow, TableRow, now
from felt.store.database.values import NameTakenError, PasswordChangedError, Player, StoreError
from tests import postgres
from tests.kept_hands import hands_of

TABLE = StoredTable("t", {"hands": 1, "name": "Ä'\"%"}, {"seq": 1})
SEATS = [StoredSeat(0, "a", "Ada", None, 3, {"vpip": [1, 1]}), StoredSeat(1, None, "Bo", "call", -3)]
MOVES = [StoredAction(0, 0, "raise", 6, ""), StoredAction(1, 0, "exchange", 0, "AsKd")]
HAND = StoredHand(1, "nlhe", {"moves": []}, {"text": "Ada wins"}, {"deck": "x"}, SEATS, MOVES)


def opened(place):
    return Store(place.folder, place.url)


@contextmanager
def connected(place):
    """A connection to the database itself."""
    database = Database(place.folder, place.url)
    with database.engine.begin() as connection:
        yield connection
    database.close()


def test_what_is_kept_comes_back(place):
    store = opened(place)
    store.players.add(Player("a", "Ada", True), "hash").result()
    store.keep_table(TABLE).result()
    for _ in range(2):  # a hand is kept once
        store.keep_table(TABLE._replace(room={"seq": 2}), HAND).result()
    with pytest.raises(StoreError, match="does not take"):
        store.keep_table(TABLE, HAND._replace(number=2, seats=[StoredSeat(0, "nobody", "X", None, 0)])).result()
    together = [store.keep_table(TABLE._replace(id=f"t{i}")) for i in range(50)]
    wrong = store.keep_table(TABLE, HAND._replace(number=None))
    assert [done.result() for done in together] == [None] * 50 and isinstance(wrong.exception(), StoreError)
    store.close()
    store = opened(place)
    assert store.open_tables()[0] == TABLE._replace(room={"seq": 2}) and len(store.open_tables()) == 51
    assert hands_of(store, "t") == [HAND]
    assert store.players.by_session("hash") == Player("a", "Ada", True) and store.players.by_session("") is None
    store.close()


def test_a_hand_that_was_played_otherwise_after_all(place):
    """What was told last is kept; who sits at the table may change while its end is looked at."""
    store = opened(place)
    store.players.add(Player("a", "Ada", True), "hash").result()
    other = HAND._replace(result={"text": "Bo wins"}, seats=[StoredSeat(0, "a", "Ada", None, -5)], actions=MOVES[:1])
    for told, kept in (
        (HAND, HAND),
        (HAND._replace(seats=[], saved={}), HAND),
        (other, other),
        (other, other),
        (HAND._replace(actions=MOVES[:1]), HAND._replace(actions=MOVES[:1])),
    ):
        store.keep_table(TABLE, told).result()
        assert hands_of(store, "t") == [kept]
    store.close()


def test_a_database_that_is_gone_fails_all_who_wait_at_once(tmp_path, monkeypatch):
    store, inside, gate, tried = Store(tmp_path), threading.Event(), threading.Event(), []

    def gone(connection, synced):
        tried.append(synced)
        raise OperationalError("BEGIN", {}, Exception("connection refused"))

    busy = store.submit(lambda session: inside.set() or gate.wait(20), synced=False)
    assert inside.wait(20)
    waiting = [store.keep_table(TABLE._replace(id=f"t{i}")) for i in range(20)]
    monkeypatch.setattr(store._database, "sync", gone)
    gate.set()
    busy.result()
    assert all(isinstance(done.exception(), StoreError) for done in waiting) and len(tried) == 1
    monkeypatch.undo()
    store.keep_table(TABLE).result()
    store.close()


def test_accounts(place):
    store = opened(place)
    players, ada = store.players, Player("a", "Ada", False)
    players.add(ada._replace(guest=True), "guest").result()
    players.register(ada, "secret", "code", "first").result()
    assert players.by_session("guest") is None and players.by_session("first") == ada
    assert players.account("ＡDA")[:3] == (ada, "secret", "code") and players.account("Bo") is None
    with pytest.raises(NameTakenError, match="belongs to somebody"):
        players.register(Player("b", "ada", False), "x", "code", "y").result()
    assert players.by_session("y") is None
    account = players.account_of("a")
    players.begin_session(account, "second", instead_of="first").result()
    players.begin_session(account, "third").result()
    assert [players.by_session(key) for key in ("first", "second", "third")] == [None, ada, ada]
    players.end_session("third").result()
    players.change_password("a", "other", "next", "fourth").result()
    assert [players.by_session(key) for key in ("second", "third", "fourth")] == [None, None, ada]
    assert players.account_of("a")[1:3] == ("other", "next") and players.account_of("b") is None
    with pytest.raises(PasswordChangedError):
        players.begin_session(account, "fifth").result()
    assert players.by_session("fifth") is None
    store.close()


def test_names_that_look_alike():
    assert folded("  ADA  Lovelace") == folded("ada lovelace") == folded("Ａda lovelace")
    assert folded("ﬁne") == folded("FINE") and folded("Ada") != folded("Adа")  # the last letter is Cyrillic


def test_one_process_at_a_time(place, monkeypatch):
    monkeypatch.setattr("felt.store.database.engine.TRIES", 2)
    store = opened(place)
    with pytest.raises(FeltError, match="another Felt serves from"):
        opened(place)
    store.close()
    opened(place).close()


def test_one_process_at_a_time_through_links(tmp_path, monkeypatch):
    """Whatever name leads to the database: a link to the folder or the file, a roundabout path, a second hard name."""
    (tmp_path / "real").mkdir()
    (tmp_path / "by file").mkdir()
    store = Store(tmp_path / "real")
    (tmp_path / "by folder").symlink_to(tmp_path / "real")
    (tmp_path / "by file" / "felt.db").symlink_to(tmp_path / "real" / "felt.db")
    monkeypatch.chdir(tmp_path)
    ways = [
        (tmp_path / "by folder", None),
        (tmp_path / "by file", None),
        (tmp_path / "by file" / ".." / "real", None),
        (Path("real"), None),
        (tmp_path / "elsewhere", f"sqlite:///{tmp_path}/by file/felt.db"),
    ]
    for folder, url in ways:
        with pytest.raises(FeltError, match="another Felt serves from"):
            Store(folder, url)
    store.close()
    Store(tmp_path / "by file").close()
    (tmp_path / "hard").mkdir()
    (tmp_path / "hard" / "felt.db").hardlink_to(tmp_path / "real" / "felt.db")
    for folder in ("real", "hard", "by file"):
        with pytest.raises(FeltError, match=r"felt.db' has 2 names \(hard links\)"):
            Store(tmp_path / folder)
    (tmp_path / "hard" / "felt.db").unlink()
    Store(tmp_path / "real").close()


def test_migrations_make_what_the_models_say(place):
    opened(place).close()
    with connected(place) as connection:
        options = {"version_table": migrations.VERSION_TABLE, "compare_type": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, Base.metadata) == []
        assert context.get_current_revision() == migrations.HEAD
    steps = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert steps.get_current_head() == migrations.HEAD


def old_database(place):
    """A database as the first version made it, without a revision."""
    old = sa.MetaData()
    for name in ("players", "sessions", "tables", "hands", "hand_seats"):
        Base.metadata.tables[name].to_metadata(old)
    hands, seats = old.tables["hands"], old.tables["hand_seats"]
    for name in ("owner", "watched"):
        hands._columns.remove(hands.c[name])
    hands.indexes = set()
    old.tables["players"]._columns.remove(old.tables["players"].c.erasing)
    hands.append_column(sa.Column("phh", sa.String, nullable=False))
    seats._columns.remove(seats.c.counts)
    seats.indexes = {sa.Index("ix_hand_seats_player", seats.c.player)}
    with connected(place) as connection:
        old.create_all(connection)
        players = old.tables["players"]
        connection.execute(sa.insert(players).values(id="a", name="Ada", guest=True, created=now()))
        connection.execute(
            sa.insert(TableRow).values(id="t", saved=TABLE.saved, room=TABLE.room, closed=False, created=now())
        )
        values = {name: HAND._asdict()[name] for name in ("number", "game", "saved", "result", "deal")}
        connection.execute(sa.insert(hands).values(id=1, table_id="t", phh="…", finished=now(), **values))
        connection.execute(sa.insert(seats).values(hand=1, seat=0, player="a", name="Ada", payoff=3))


def test_a_database_from_before_revisions(place):
    old_database(place)
    store = opened(place)
    assert hands_of(store, "t") == [HAND._replace(seats=[StoredSeat(0, "a", "Ada", None, 3)], actions=[])]
    assert store.open_tables() == [TABLE]
    store.close()
    test_migrations_make_what_the_models_say(place)


@pytest.mark.parametrize(("agent", "watched"), [(None, False), ("call", True)])
def test_an_upgrade_says_whose_hands_are_and_which_were_only_watched(place, agent, watched):
    """Else quotas would take away hands of people, or none at all."""
    old_database(place)
    with connected(place) as connection:
        connection.execute(sa.update(TableRow).values(room={**TABLE.room, "owner": "a"}))
        connection.execute(sa.text("UPDATE hand_seats SET agent = :agent"), {"agent": agent})
    opened(place).close()
    with connected(place) as connection:
        assert connection.execute(sa.select(HandRow.owner, HandRow.watched)).all() == [("a", watched)]


def test_an_upgrade_that_fails_leaves_nothing_half_done(place, monkeypatch):
    old_database(place)
    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            opened(place)
    with connected(place) as connection:
        assert set(sa.inspect(connection).get_table_names()) & {"accounts", migrations.VERSION_TABLE} == set()
    store = opened(place)
    assert len(hands_of(store, "t")) == 1
    store.close()


def test_a_newer_database_is_refused(place):
    opened(place).close()
    with connected(place) as connection:
        connection.execute(sa.text(f"UPDATE {migrations.VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"made by a newer Felt \(its revision is 9999\): update") as refused:
        opened(place)
    assert "\n" not in str(refused.value)


def test_the_newest_hands_of_a_player_are_found_by_an_index(place):
    store = opened(place)
    store.players.add(Player("a", "Ada", True), "hash").result()
    store.keep_table(TABLE).result()
    store.close()
    number = 4_000
    with connected(place) as connection:
        hands = [
            {"id": i, "table_id": "t", "number": i, "game": "nlhe", "finished": now() + timedelta(seconds=i)}
            for i in range(1, number + 1)
        ]
        connection.execute(sa.insert(HandRow).values(saved={}, result={}, deal={}), hands)
        seats = [{"hand": hand["id"], "seat": 0, "player": "a" if hand["id"] % 50 else None} for hand in hands]
        connection.execute(sa.insert(HandSeatRow).values(name="Ada", payoff=1), seats)
        connection.execute(sa.text("ANALYZE"))
    asked = sa.select(HandSeatRow.hand).where(HandSeatRow.player == "a").order_by(HandSeatRow.hand.desc()).limit(50)
    with connected(place) as connection:
        text = str(asked.compile(connection, compile_kwargs={"literal_binds": True}))
        explain = "EXPLAIN" if connection.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN"
        plan = " ".join(str(row) for row in connection.execute(sa.text(f"{explain} {text}")))
        assert "ix_hand_seats_player_hand" in plan or "hand_seats_pkey" in plan
        assert "SCAN hand_seats" not in plan and "Seq Scan" not in plan and "Sort" not in plan and "TEMP" not in plan
        assert connection.scalars(asked).all()[0] == number - 1


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://ada:s3cret@host/felt", "'mysql' is not supported: give postgresql://"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("s3cret", "cannot be read"),
        ("postgresql://ada:s3cret@localhost:1/felt", "postgresql://ada:***@localhost:1/felt cannot be used"),
        ("postgresql://ada:s3cret@localhost:1/felt?nonsense=1", "cannot be used"),
        ("postgresql://ada:s3cret@localhost:x/felt", "cannot be"),
    ],
)
def test_urls_that_cannot_be_used(tmp_path, url, words):
    with pytest.raises(StoreError) as refused:
        Store(tmp_path, url)
    assert words in str(refused.value) and "s3cret" not in str(refused.value) and "\n" not in str(refused.value)


def test_another_file(tmp_path):
    file = tmp_path / "some where" / "poker.db"
    Store(tmp_path / "unused", f"sqlite:///{file}").close()
    assert file.is_file() and (file.parent / "poker.lock").is_file()
    assert [path.name for path in (tmp_path / "unused").iterdir()] == ["deck.key"]


def test_actions_go_with_their_hand(place):
    store = opened(place)
    store.players.add(Player("a", "Ada", True), "hash").result()
    store.keep_table(TABLE, HAND).result()
    with store.reading() as session:
        rows = session.execute(sa.select(ActionRow.number, ActionRow.move, ActionRow.cards)).all()
    assert rows == [(0, "raise", ""), (1, "exchange", "AsKd")]
    store.close()


def test_changes_are_synced_where_they_must_be(postgres_server, tmp_path):
    store, told = Store(tmp_path, postgres_server.database()), []

    def look(session):
        told.append(session.scalar(sa.text("SHOW synchronous_commit")))

    store.submit(look, synced=False).result()
    store.submit(look, synced=True).result()
    assert told == ["off", "on"]
    store.close()


def test_a_lost_connection_is_made_again(postgres_server, tmp_path):
    store = Store(tmp_path, postgres_server.database())
    held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = "
    held += "(SELECT oid FROM pg_database WHERE datname = current_database())"
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    with store.reading() as session:
        session.execute(sa.text(others + " AND pid <> pg_backend_pid()"))
    with pytest.raises(StoreError):
        store.keep_table(TABLE).result()
    store.keep_table(TABLE).result()
    with store.reading() as session:
        assert session.scalar(sa.text(held)) == 1
    assert len(store.open_tables()) == 1
    store.close()


@pytest.mark.long
def test_a_hand_survives_a_crash_of_postgresql(tmp_path):
    if reason := postgres.missing():
        pytest.skip(f"no tests on PostgreSQL: {reason}")
    with tempfile.TemporaryDirectory(prefix="felt-pg-") as folder:
        server = postgres.Server(Path(folder), settings=("wal_writer_delay=10s",))
        server.create()
        server.start()
        url = server.database()
        try:
            for crash in range(1, 4):
                store = Store(tmp_path, url)
                if crash == 1:
                    store.players.add(Player("a", "Ada", True), "hash").result()
                store.keep_table(TABLE, HAND._replace(number=crash)).result()
                server.end("immediate")
                server.start()
                with store.reading() as session:
                    assert session.scalar(sa.select(sa.func.count()).select_from(HandRow)) == crash
                store.close()
        finally:
            server.end()


def test_a_change_that_is_taken_back_and_one_that_fails_stop_nobody(place):
    with closing(opened(place)) as store:
        gate, begun, made = threading.Event(), threading.Event(), []

        def waits(_: object) -> None:
            begun.set()
            gate.wait(5)

        def exits(_: object) -> None:
            raise SystemExit

        first = store._writer.submit(waits, synced=False)
        assert begun.wait(5)
        dropped = store._writer.submit(lambda _: made.append(1), synced=False)
        failed = store._writer.submit(exits, synced=False)
        assert dropped.cancel() and not first.cancel()
        gate.set()
        with pytest.raises(StoreError):
            failed.result(5)
        store._writer.submit(lambda _: made.append(2), synced=False).result(5)
        assert first.done() and made == [2]
