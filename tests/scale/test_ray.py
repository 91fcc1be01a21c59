"""A real cluster of two nodes: the results of one machine, byte for byte, also when a node is lost half way."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from felt.arena import Match, play
from felt.arena.competition import play_competition
from felt.arena.evolution import Evolution, play_evolution
from felt.arena.match.league import play_league
from felt.arena.ring import Ring, play_rings
from felt.arena.tournament import Tournament, play_tournaments
from felt.errors import FeltError
from felt.games import load
from felt.store.log.matches import open_match, open_runs, read_runs
from tests.store.logs import rows_of

pytest.importorskip("ray", reason="Ray is not installed: pip install 'felt-poker[scale]'")
pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore"),  # Ray's own
]
PLAYERS = str(Path(__file__).parents[1] / "arena" / "players.py")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster; nodes can be added and lost."""
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    yield found
    found.shutdown()


@pytest.fixture
def cluster(nodes: Any) -> Iterator[Any]:
    """The same, with two nodes."""
    from felt.scale import Cluster

    if len(nodes.list_all_nodes()) < 2:
        nodes.add_node(num_cpus=1)
        nodes.wait_for_nodes()
    with Cluster(nodes.address) as joined:
        yield joined


def loses_a_node(nodes: Any, after: int) -> Callable[..., None]:
    """A progress callback that takes a node away, as if its plug were pulled."""
    told = []

    def progress(*args: Any) -> None:
        told.append(args)
        if len(told) == after:
            nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)

    return progress


def contents(folder: Path) -> dict[str, bytes]:
    """The hands and actions of a log, joined: how they are cut into parts depends on how fast they are played."""
    import duckdb

    found = {}
    for kind in ("hands", "actions"):
        rows = duckdb.sql(f"select * from '{folder}/match=*/{kind}/*.parquet' order by all").fetchall()
        found[kind] = repr(rows).encode()
    return found


@pytest.mark.parametrize(
    ("agents", "hands"),
    [(["call", "raise"], 40_000), (["tag", f"{PLAYERS}:Chancer"], 3_000), ([f"{PLAYERS}:Saver", "random"], 2_000)],
    ids=["in step", "processes", "with a memory"],
)
def test_a_match_is_the_same_although_a_node_is_lost(nodes, cluster, agents, hands, tmp_path):
    match = Match.of(agents, load("nlhe"), seed=5, duplicate=True)
    home = play(match, hands, log=open_match(tmp_path / "home", match))
    away = play(
        match, hands, log=open_match(tmp_path / "away", match), executor=cluster.executor,
        progress=loses_a_node(nodes, 2),
    )  # fmt: skip
    assert away.totals.tobytes() == home.totals.tobytes() and away.adjusted.tobytes() == home.adjusted.tobytes()
    assert contents(tmp_path / "away") == contents(tmp_path / "home")
    assert len(nodes.list_all_nodes()) == 1


def test_a_league_is_the_same(cluster):
    everybody = Match.of(["call", "raise", "tag"], load("leduc"), seats=2, seed=3)
    home, away = play_league(everybody, 600), play_league(everybody, 600, executor=cluster.executor)
    told = [{**one.as_dict(), "matches": [{**m, "hands_per_second": 0} for m in one.as_dict()["matches"]]}
            for one in (home, away)]  # fmt: skip
    assert told[0] == told[1]


def test_a_competition_is_the_same_although_a_node_is_lost(nodes, cluster):
    everybody = Match.of(["call", "tag", "random", f"{PLAYERS}:Chancer"], load("leduc", players=3), seats=3, seed=3)
    home = play_competition(everybody, 3, 6_000)
    lost = loses_a_node(nodes, 2)
    away = play_competition(everybody, 3, 6_000, executor=cluster.executor, progress=lambda *_: lost)
    for agents, result in home.results.items():
        assert away.results[agents].totals.tobytes() == result.totals.tobytes()
    assert away.run_off_table == home.run_off_table and away.table == home.table
    assert len(nodes.list_all_nodes()) == 1


AGENTS = ["tag", "call*3", f"{PLAYERS}:Chancer"]
COMPETITIONS = {
    "tournament": (Tournament.of(AGENTS, load("nlhe"), seed=8), partial(play_tournaments, repeat=60)),
    "ring": (Ring.of(AGENTS, load("nlhe"), rounds=300, seed=8), partial(play_rings, repeat=40)),
    "evolution": (Evolution.of("dials", load("nlhe"), population=16, generations=4, seats=2, seed=8), play_evolution),
}


@pytest.mark.parametrize("kind", COMPETITIONS)
def test_runs_are_the_same_although_a_node_is_lost(nodes, cluster, kind, tmp_path):
    competition, play_it = COMPETITIONS[kind]
    logs = {where: open_runs(tmp_path / where, competition.describe()) for where in ("home", "away")}
    play_it(competition, log=logs["home"])
    play_it(competition, log=logs["away"], executor=cluster.executor, progress=loses_a_node(nodes, 2))
    home, away = (list(read_runs(tmp_path / where)) for where in ("home", "away"))
    assert home == away and len(home) > 10
    assert rows_of(tmp_path / "home") == rows_of(tmp_path / "away")
    assert len(nodes.list_all_nodes()) == 1


def test_who_ends_its_process_is_named_on_another_machine_too(cluster):
    match = Match.of([f"{PLAYERS}:Wrong:what=die,every=50", "call"], load("nlhe"), seed=1)
    home, away = play(match, 200, workers=1), play(match, 200, executor=cluster.executor)
    assert away.totals.tobytes() == home.totals.tobytes()
    assert away.conduct.counts == home.conduct.counts and away.conduct.counts[0]["errors"] > 0


def test_what_cannot_be_sent_is_refused(cluster, tmp_path):
    class Own:
        def act(self, view):
            raise AssertionError

    with pytest.raises(FeltError, match="known to this program only"):
        play(Match.of([Own, "call"], load("nlhe")), 100, executor=cluster.executor)


def test_where_there_is_no_cluster():
    from felt.scale import Cluster

    with pytest.raises(FeltError, match="no Ray cluster at '127"), Cluster("127.0.0.1:1"):
        pass
