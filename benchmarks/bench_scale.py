"""How throughput grows with workers, at home and on a Ray cluster.

Run it alone with ``python -m benchmarks --only scale``; Ray comes with ``pip install -e '.[scale]'``.
"""

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.rows import Figure, Row, Section, figure
from felt.arena import Match, play
from felt.arena.ledger import Ledger
from felt.games import load

AGENTS = Path(__file__).with_name("plain_agents.py")
WAITING = 25
"""Hands a second that two who wait 5 ms for each of 8 decisions cannot exceed."""
SECONDS = 12
PARTS = 5


def bench(quick: bool = False) -> Section:
    from ray.cluster_utils import Cluster as Nodes

    from felt.scale import Cluster

    sizes, hands = ((1, 2, 4), 4_000) if quick else ((1, 2, 4, 8, 16), 40_000)
    rows, nodes = [], None
    chancers, waiters = _match("Chancer"), _match("Waiter")
    home = {workers: _speed(chancers, hands, workers=workers) for workers in (1, 2)}
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
                    away = _speed(chancers, hands, crew=cluster.match_crew)
                    name = f"computing agents over Ray, {workers} worker{'s' * (workers > 1)}"
                    rows.append(Row(name, away, "as many at home", home[workers]))
                began = time.process_time(), time.perf_counter()
                found[workers] = _speed(waiters, WAITING * workers * SECONDS, crew=cluster.match_crew)
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
        note="Heads-up no-limit hold'em, plain Python agents in processes of their own, after the workers have begun. "
        "Computing agents use a core each, of which this machine has one in two threads; those that wait (5 ms for "
        "each decision, as for another machine's answer) use none, so that what is left is Felt's and Ray's share. "
        "The cluster is real, its machines are processes here: one of 1 core, and for each further row another one "
        "that doubles the cores.",
        order=47,
    )


def _match(name: str) -> Match:
    return Match.of([f"{AGENTS}:{name}"] * 2, load("nlhe"))


def _speed(match: Match, hands: int, **more: Any) -> Figure:
    """Hands a second in each part of a match, from a third of it on: by then all workers are there."""
    seen: list[tuple[float, int]] = []

    def progress(ledger: Ledger) -> None:
        seen.append((time.perf_counter(), ledger.hands))

    play(match, hands, progress=progress, **more)
    last = seen[-1][1]
    late = [one for one in seen if one[1] >= last / 3]
    step = max(1, len(late) // PARTS)
    marks = late[::step]
    return figure([(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(marks)], "hands/s")


def _times(one: Figure, count: int) -> Figure:
    return Figure(one.value * count, one.unit, one.low * count, one.high * count)
