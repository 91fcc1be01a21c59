"""How many requests a second the hand-rank server answers, and how long quick ones wait behind slow ones.

The server runs in a process of its own; the client speaks to it over the loopback interface and does next to
nothing itself. The server keeps no answers here and remembers no lines: every request is computed. Hands are
random and, but for CHEN, different. Each figure is the median of several runs, with the worst and the best.

Run it alone with ``python benchmarks/bench_rank_server.py [--quick]``.
"""

import random
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from felt.cards.card import format_cards
from felt.cards.ranking.evaluator import rank
from felt.cards.starting import chen

SERVER = """
from felt.server.rank.server import run_rank_server
run_rank_server(lambda addresses: print(addresses[0][1], flush=True))
"""
TARGET = 20_000
SLOW_HELD = 32
"""Slow requests kept waiting while quick ones are timed."""

NOTE = "Server and client are two processes on one machine; every request is computed, none is remembered."

Row = dict[str, Any]


def bench(quick: bool = False) -> dict[str, Any]:
    """All figures as rows of name, value, unit, spread (worst, best) and, where there is one, target."""
    runs = 3 if quick else 7
    count = 10_000 if quick else 50_000
    with server() as port:
        rows = [pipelined(port, command, count, runs) for command in ("RANK", "CHEN", "ARS")]
        rows.append(windowed(port, count // 5, runs))
        rows.append(many_clients(port, count // 8, runs))
        rows += slow_rates(port, 20 if quick else 60, runs)
        rows += latencies(port, 300 if quick else 3000)
    return {"name": "Hand-rank server", "rows": rows, "note": NOTE, "spread": "the worst and the best run, or request"}


@contextmanager
def server() -> Iterator[int]:
    """A server process; gives its port and stops it afterwards."""
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()
            process.wait(30)


def connect(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def requests(command: str, count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    if command == "CHEN":
        return [f"CHEN {format_cards(rng.sample(range(52), 2), separator=' ')}" for _ in range(count)]
    sizes = (7,) if command == "RANK" else (5, 6, 7) if command == "ARS" else (5,)
    number = "" if command == "RANK" else " 1"
    return [f"{command} {format_cards(rng.sample(range(52), rng.choice(sizes)))}{number}" for _ in range(count)]


def exchange(port: int, lines: list[str]) -> tuple[float, list[str]]:
    """Send all lines as fast as they go, read all answers: seconds, and the answers."""
    payload = "".join(f"{line}\n" for line in lines).encode()
    with connect(port) as connection:
        sender = threading.Thread(target=connection.sendall, args=(payload,))
        began = time.perf_counter()
        sender.start()
        parts, missing = [], len(lines)
        while missing:
            parts.append(connection.recv(1 << 18))
            missing -= parts[-1].count(b"\n")
        seconds = time.perf_counter() - began
        sender.join()
    return seconds, b"".join(parts).decode().splitlines()


def check(lines: list[str], answers: list[str]) -> None:
    """A fast answer that is wrong does not count."""
    for line, answer in list(zip(lines, answers, strict=True))[:: max(1, len(lines) // 200)]:
        command, _, rest = line.partition(" ")
        if command == "RANK":
            assert int(answer) == rank(rest), (line, answer)
        elif command == "CHEN":
            assert float(answer) == chen(rest), (line, answer)
        else:
            assert 0 <= float(answer.split()[0]) <= 1, (line, answer)


def row(name: str, values: list[float], unit: str, *, higher_is_better: bool = True, **more: Any) -> Row:
    ends = sorted(values, reverse=not higher_is_better)
    return {
        "name": name,
        "value": statistics.median(values),
        "unit": unit,
        "spread": [ends[0], ends[-1]],
        "runs": values,
        **more,
    }


def pipelined(port: int, command: str, count: int, runs: int) -> Row:
    """One client that sends without waiting for answers."""
    rates = []
    for seed in range(runs):
        lines = requests(command, count, seed)
        seconds, answers = exchange(port, lines)
        check(lines, answers)
        rates.append(count / seconds)
    name = f"{command}, one pipelining client"
    return row(name, rates, "requests/s", target=TARGET, target_kind="at least")


def windowed(port: int, count: int, runs: int, window: int = 32) -> Row:
    """One client that keeps 32 requests under way: sends 32, reads 32."""
    rates = []
    for seed in range(runs):
        lines = requests("RANK", count // window * window, seed)
        with connect(port) as connection:
            began = time.perf_counter()
            for at in range(0, len(lines), window):
                connection.sendall("".join(f"{line}\n" for line in lines[at : at + window]).encode())
                missing = window
                while missing:
                    missing -= connection.recv(1 << 16).count(b"\n")
            rates.append(len(lines) / (time.perf_counter() - began))
    return row(f"RANK, one client, {window} at a time", rates, "requests/s")


def many_clients(port: int, count: int, runs: int, clients: int = 8) -> Row:
    """Several pipelining clients at once, on threads of one process."""
    rates = []
    for seed in range(runs):
        work = [requests("RANK", count, seed * clients + number) for number in range(clients)]
        threads = [threading.Thread(target=exchange, args=(port, lines)) for lines in work]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rates.append(clients * count / (time.perf_counter() - began))
    return row(f"RANK, {clients} pipelining clients together", rates, "requests/s")


def slow_rates(port: int, count: int, runs: int) -> list[Row]:
    rows = []
    for command in ("HS", "HP", "EHS"):
        rates = []
        for seed in range(runs):
            lines = requests(command, count, seed)
            seconds, answers = exchange(port, lines)
            check(lines, answers)
            rates.append(count / seconds)
        rows.append(row(f"{command} on the flop", rates, "requests/s"))
    return rows


def latencies(port: int, count: int) -> list[Row]:
    """Round trips of single quick requests: alone, beside slow work of another client, and of the same."""
    lines = requests("RANK", count, seed=1)
    rows = latency_rows("nothing else going on", round_trips(port, lines))
    with slow_load(port):
        rows += latency_rows("another client's EHS under way", round_trips(port, lines))
    with connect(port) as connection, slow_feed(connection.sendall, tag=b"#s ") as _:
        rows += latency_rows("tagged, own EHS under way", tagged_round_trips(connection, lines))
    with endless_quick(port):
        rows += latency_rows("another client pipelining RANK", round_trips(port, lines[: count // 3]))
    return rows


def latency_rows(beside: str, seconds: list[float]) -> list[Row]:
    micros = sorted(1e6 * s for s in seconds)
    quantiles = {"median": 0.5, "99th percentile": 0.99}
    return [
        {
            "name": f"RANK round trip, {beside}, {name}",
            "value": micros[int(share * (len(micros) - 1))],
            "unit": "µs",
            "spread": [micros[-1], micros[0]],
        }
        for name, share in quantiles.items()
    ]


def round_trips(port: int, lines: list[str]) -> list[float]:
    seconds = []
    with connect(port) as connection:
        for line in lines:
            payload = f"{line}\n".encode()
            began = time.perf_counter()
            connection.sendall(payload)
            answer = connection.recv(4096)
            seconds.append(time.perf_counter() - began)
            assert answer.endswith(b"\n")
    return seconds


def tagged_round_trips(connection: socket.socket, lines: list[str]) -> list[float]:
    """Quick tagged requests on a connection that also has slow ones under way."""
    seconds = []
    reader = connection.makefile("rb")
    for line in lines:
        payload = f"#q {line}\n".encode()
        began = time.perf_counter()
        connection.sendall(payload)
        while not reader.readline().startswith(b"#q"):
            pass
        seconds.append(time.perf_counter() - began)
    reader.close()
    return seconds


@contextmanager
def background(work: Callable[[threading.Event], None]) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=work, args=(stop,))
    thread.start()
    time.sleep(0.2)
    try:
        yield
    finally:
        stop.set()
        thread.join()


def slow_load(port: int) -> Any:
    """A client that always has slow requests waiting."""
    lines = [f"{line}\n".encode() for line in requests("EHS", 5000, seed=2)]

    def work(stop: threading.Event) -> None:
        with connect(port) as connection:
            connection.sendall(b"".join(lines[:SLOW_HELD]))
            sent = SLOW_HELD
            while not stop.is_set():
                for _ in range(connection.recv(65536).count(b"\n")):
                    connection.sendall(lines[sent % len(lines)])
                    sent += 1

    return background(work)


def slow_feed(send: Callable[[bytes], None], tag: bytes) -> Any:
    """Slow requests on a connection that somebody else reads: a steady trickle, faster than they are done."""
    lines = [tag + f"{line}\n".encode() for line in requests("EHS", 5000, seed=3)]

    def work(stop: threading.Event) -> None:
        sent = 0
        while not stop.wait(0.002) and sent < 800:  # below the limit on queued requests
            send(lines[sent % len(lines)])
            sent += 1

    return background(work)


def endless_quick(port: int) -> Any:
    """A client that pipelines quick requests without end."""
    payload = "".join(f"{line}\n" for line in requests("RANK", 20_000, seed=4)).encode()

    def work(stop: threading.Event) -> None:
        with connect(port) as connection:
            sender = threading.Thread(target=send_until, args=(connection, payload, stop))
            sender.start()
            while connection.recv(1 << 18):
                pass
            sender.join()

    return background(work)


def send_until(connection: socket.socket, payload: bytes, stop: threading.Event) -> None:
    while not stop.is_set():
        connection.sendall(payload)
    connection.shutdown(socket.SHUT_WR)


def main() -> None:
    for each in bench(quick="--quick" in sys.argv)["rows"]:
        low, high = each["spread"]
        print(f"{each['name']:<75} {each['value']:>12,.0f} {each['unit']:<11} ({low:,.0f} to {high:,.0f})")


if __name__ == "__main__":
    main()
