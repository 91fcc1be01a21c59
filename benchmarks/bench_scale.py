"""How throughput grows with workers, at home and on a Ray cluster.

Run it alone with ``python -m benchmarks --only scale``; Ray comes with ``pip install -e '.[scale]'``.
"""

import time
from pathlib import Path
from typing import Any

from benchmarks.rows import Figure, Row, Section, figure
from felt.arena import Match, play
from felt.games import load

AGENTS = Path(__file__).with_name("plain_agents.py")
WAITING = 25
"""Hands a second that two who wait 5 ms for each of 8 decisions cannot exceed."""
SECONDS = 5


def bench(quick: bool = False) -> Section:
    from ray.cluster_utils import Cluster as Nodes

    from felt.scale import Cluster

    sizes, hands, rounds = ((1, 2, 4), 10_000, 1) if quick else ((1, 2, 4, 8, 16), 40_000, 3)
    rows, nodes = [], None
    chancers, waiters = _match("Chancer"), _match("Waiter")
    home = {workers: _speed(chancers, hands, rounds, workers=workers) for workers in (1, 2)}
    rows.append(Row("computing agents at home, 2 workers", home[2], "1 worker", home[1]))
    try:
        nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        found: dict[int, Figure] = {}
        for workers in sizes:
            if workers > 1:  # one more machine, with as many cores as all before it
                nodes.add_node(num_cpus=workers // 2)
                nodes.wait_for_nodes()
            with Cluster(nodes.address) as cluster:
                if workers <= 2:
                    away = _speed(chancers, hands, rounds, executor=cluster.executor)
                    name = f"computing agents over Ray, {workers} worker{'s' * (workers > 1)}"
                    rows.append(Row(name, away, "as many at home", home[workers]))
                began = time.process_time(), time.perf_counter()
                found[workers] = _speed(waiters, WAITING * workers * SECONDS, rounds, executor=cluster.executor)
                load = (time.process_time() - began[0]) / (time.perf_counter() - began[1])
                name = f"waiting agents over Ray, {workers} worker{'s' * (workers > 1)}"
                note = f"the coordinator uses {load:.0%} of a core"
                rows.append(Row(name, found[workers], f"{workers} × 1 worker", _times(found[1], workers), note=note))
    finally:
        if nodes is not None:
            nodes.shutdown()
    return Section(
        "Many workers",
        tuple(rows),
        note="Heads-up no-limit hold'em, plain Python agents in processes of their own; workers' start left out. "
        "Computing agents use a core each, of which this machine has one in two threads; those that wait (5 ms for "
        "each decision, as for another machine's answer) use none, so that what is left is Felt's and Ray's share. "
        "The cluster is real, its machines are processes here: one of 1 core, and for each further row another one "
        "that doubles the cores.",
        order=47,
    )


def _match(name: str) -> Match:
    return Match.of([f"{AGENTS}:{name}"] * 2, load("nlhe"))


def _speed(match: Match, hands: int, rounds: int, **more: Any) -> Figure:
    """Hands a second of a long match: what it takes more than a short one, without beginning and end."""
    return figure(
        [2 * hands / (_seconds(match, 3 * hands, **more) - _seconds(match, hands, **more)) for _ in range(rounds)],
        "hands/s",
    )


def _seconds(match: Match, hands: int, **more: Any) -> float:
    began = time.perf_counter()
    play(match, hands, **more)
    return time.perf_counter() - began


def _times(one: Figure, count: int) -> Figure:
    return Figure(one.value * count, one.unit, one.low * count, one.high * count)
