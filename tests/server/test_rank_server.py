"""The promises of the protocol, over real sockets on the loopback interface."""

import random
import socket
import threading
import time
from contextlib import ExitStack

import pytest

from felt.cards.card import format_cards
from felt.errors import FeltError
from felt.server.rank.commands import Desk, Slow
from felt.server.rank.connection import Limits
from felt.server.rank.server import RankServer
from tests.server.helpers import HAND, OTHER, PATIENCE, Client, Fakes, Running, running

QUICK = Limits(grace_seconds=2, linger_seconds=0.2)


def open_gate() -> Fakes:
    fakes = Fakes()
    fakes.gate.set()
    return fakes


def limits(**changed: float) -> Limits:
    return Limits(**{"grace_seconds": 2, "linger_seconds": 0.2, **changed})  # type: ignore[arg-type]


def random_requests(count: int, seed: int) -> list[str]:
    """Quick requests of all kinds, good and bad, some of them tagged."""
    rng = random.Random(seed)
    lines = []
    for number in range(count):
        hand = format_cards(rng.sample(range(52), rng.randint(4, 8)))
        command = rng.choice(["RANK", "ARS", "CHEN", "PING", "rank", ""])
        tag = f"#{number} " if rng.random() < 0.3 else ""
        lines.append(f"{tag}{command} {hand}".rstrip())
    return lines


def test_one_line_in_one_line_out() -> None:
    with running() as server, server.client() as client:
        assert client.ask("PING") == "PONG"
        assert client.ask("CHEN As Kh") == "2.5"
        assert client.ask("nonsense").startswith("ERR unknown command 'nonsense'")
        assert client.ask("PING") == "PONG"


def test_carriage_returns_and_empty_lines() -> None:
    with running() as server, server.client() as client:
        client.socket.sendall(b"PING\r\n\r\n\nPING\r\n")
        assert [client.read()[:14] for _ in range(4)] == ["PONG", "ERR empty line", "ERR empty line", "PONG"]


@pytest.mark.parametrize("seed", range(3))
def test_thousands_of_pipelined_requests_in_odd_chunks(seed: int) -> None:
    lines = random_requests(6000, seed)
    desk = Desk(Fakes().measures())
    expected = [bytes(desk.take(line.encode())).decode() for line in lines]  # type: ignore[arg-type]
    payload = "".join(line + "\n" for line in lines).encode()
    with running() as server, server.client() as client:
        sender = threading.Thread(target=send_in_chunks, args=(client.socket, payload, seed))
        sender.start()
        received = [client.read() + "\n" for _ in lines]
        sender.join()
    assert received == expected


def send_in_chunks(to: socket.socket, payload: bytes, seed: int, then_close: bool = False) -> None:
    rng = random.Random(seed)
    at = 0
    while at < len(payload):
        size = rng.choice([1, 2, 7, 100, 5000, 50_000])
        to.sendall(payload[at : at + size])
        at += size
    if then_close:
        to.shutdown(socket.SHUT_WR)


def test_a_thousand_lines_of_random_bytes() -> None:
    rng = random.Random(2026)
    lines = [rng.randbytes(rng.randint(0, 90)).replace(b"\n", b"") for _ in range(1000)]
    with running() as server, server.client() as client:
        client.socket.sendall(b"".join(line + b"\n" for line in lines))
        answers = [client.read() for _ in lines]
        assert client.ask("PING") == "PONG"
    assert all("ERR" in answer for answer in answers)


@pytest.mark.parametrize("chunk", [1, 63, 100_000])
def test_a_line_that_is_too_long_is_skipped_and_the_next_is_answered(chunk: int) -> None:
    payload = b"PING\n" + b"RANK " + b"As" * 1000 + b"\n#1 " + b"x" * 62 + b"\n" + b"x" * 64 + b"\n" + b"PING\n"
    with running(limits=limits(line_bytes=64)) as server, server.client() as client:
        for at in range(0, len(payload), chunk):
            client.socket.sendall(payload[at : at + chunk])
        answers = [client.read() for _ in range(5)]
    too_long = "ERR line longer than 64 bytes, skipped: a request has at most 7 cards"
    assert answers[:3] == ["PONG", too_long, f"#1 {too_long}"]
    assert answers[3].startswith("ERR unknown command 'xxx"), "64 bytes are still read"
    assert answers[4] == "PONG"


def test_a_line_without_an_end_does_not_fill_the_memory() -> None:
    with running() as server, server.client() as client:
        for _ in range(100):
            client.socket.sendall(b"x" * 50_000)
        assert client.read().startswith("ERR line longer than 512 bytes")
        client.send("", "PING")
        assert client.read() == "PONG"


def test_slow_requests_hold_up_neither_others_nor_tagged_ones() -> None:
    fakes = Fakes()
    with running(fakes.measures(), limits=limits(workers=1)) as server, server.client() as one, server.client() as two:
        one.send(f"HS {HAND} 3", "PING", "#a PING", f"#b RANK {HAND}", f"#c HS {HAND} 4")
        assert one.read() == "#a PONG"
        assert one.read().startswith("#b ")
        assert two.ask("PING") == "PONG"
        fakes.gate.set()
        assert sorted(one.read() for _ in range(3)) == ["#c 0.040000", "0.030000", "PONG"]
        assert one.ask("PING") == "PONG"


def test_untagged_answers_keep_their_order() -> None:
    fakes = Fakes()
    with running(fakes.measures(), limits=limits(workers=4)) as server, server.client() as client:
        client.send(f"HS {HAND} 1", f"EHS {HAND} 8", f"RANK {HAND}", f"HS {HAND} 2", f"HP {HAND} 4", "bad")
        fakes.gate.set()
        answers = [client.read() for _ in range(6)]
    assert answers[:2] == ["0.010000", "0.500000"]
    assert answers[2].isdigit()
    assert answers[3:5] == ["0.020000", "1.000000 0.500000"]
    assert answers[5].startswith("ERR")


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_lost_doubled_or_out_of_order(seed: int) -> None:
    """Several clients send quick, slow, tagged and bad requests in odd chunks to a server that may hold little."""
    with running(open_gate().measures(), limits=limits(workers=3, queued=7)) as server, ExitStack() as stack:
        clients = [stack.enter_context(server.client()) for _ in range(4)]
        received: list[list[str]] = [[] for _ in clients]
        talks = []
        for number, client in enumerate(clients):
            lines = mixed_requests(800, seed=10 * seed + number)
            payload = "".join(line + "\n" for line in lines).encode()
            talks.append(threading.Thread(target=send_in_chunks, args=(client.socket, payload, seed, True)))
            talks.append(
                threading.Thread(target=lambda to, of: to.extend(of()), args=(received[number], client.read_to_end))
            )
        for talk in talks:
            talk.start()
        for talk in talks:
            talk.join(PATIENCE)
    for number, answers in enumerate(received):
        expected = [answer_of(line) for line in mixed_requests(800, seed=10 * seed + number)]
        assert sorted(answers) == sorted(expected)
        untagged = [answer for answer in answers if not answer.startswith("#")]
        assert untagged == [answer for answer in expected if not answer.startswith("#")]


def mixed_requests(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    commands = ["PING", "PING now", "ARS", "HS", "EHS", "HP"]
    lines = []
    for number in range(count):
        command = rng.choice(commands)
        hand = "" if command.startswith("PING") else f" {HAND} {rng.randint(1, 9)}"
        lines.append((f"#{number} " if rng.random() < 0.4 else "") + command + hand)
    return lines


def answer_of(line: str) -> str:
    """What the desk says by itself."""
    outcome = Desk(open_gate().measures()).take(line.encode())
    answer = outcome if isinstance(outcome, bytes) else outcome.answer() if isinstance(outcome, Slow) else b""
    return answer.decode().rstrip("\n")


def test_slow_requests_of_clients_are_served_in_turn() -> None:
    fakes = Fakes()
    with running(fakes.measures(), limits=limits(workers=1)) as server, server.client() as one, server.client() as two:
        one.send(*[f"HS {HAND}"] * 50)
        assert fakes.started.acquire(timeout=PATIENCE)
        assert one.ask("#here PING") == "#here PONG", "all fifty have been taken"
        two.send(f"HS {OTHER}", "#here PING")
        assert two.read() == "#here PONG"
        fakes.gate.set()
        assert two.read() == "0.010000"
        assert [one.read() for _ in range(50)] == ["0.010000"] * 50
        order = [format_cards(cards) for cards in fakes.slow_calls]
        assert order.index(OTHER) <= 2


def test_a_client_with_too_much_queued_is_not_read() -> None:
    fakes = Fakes()
    with running(fakes.measures(), limits=limits(queued=10, workers=1)) as server, server.client() as client:
        client.send(*[f"HS {HAND} 1"] * 10, *["#t PING"] * 5)
        assert fakes.started.acquire(timeout=PATIENCE)
        client.socket.settimeout(0.2)
        with pytest.raises(TimeoutError):
            client.socket.recv(1)
        client.socket.settimeout(PATIENCE)
        with server.client() as other:
            assert other.ask("PING") == "PONG"
        fakes.gate.set()
        answers = receive_lines(client, 15)
        assert sorted(answers) == ["#t PONG"] * 5 + ["0.010000"] * 10
        assert answers[0] == "0.010000"


def receive_lines(client: Client, count: int) -> list[str]:
    """Lines read from the socket itself, for use after a time-out (which spoils a file object)."""
    data = b""
    while data.count(b"\n") < count:
        data += client.socket.recv(65536)
    return data.decode().splitlines()


def test_a_client_that_does_not_read_is_not_read_either() -> None:
    """Its answers pile up to the buffers' size and no further, and it gets all of them once it reads."""
    with running() as server, server.client(receive_buffer=4096) as client:
        client.socket.setblocking(False)
        sent, stuck_since = 0, time.monotonic()
        line = b"HELP" + b" " * 400 + b"\n"
        payload = line * 100
        while time.monotonic() - stuck_since < 0.5:
            try:
                sent += client.socket.send(payload[sent % len(line) :])
                stuck_since = time.monotonic()
            except BlockingIOError:
                time.sleep(0.01)
            assert sent < 50_000_000, "the server reads on and on"
        client.socket.setblocking(True)
        client.socket.settimeout(PATIENCE)
        client.socket.shutdown(socket.SHUT_WR)
        answers = client.read_to_end()
    assert len(answers) == -(-sent // len(line))
    assert set(answers[:-1]) == {answers[0]}


def test_too_many_clients() -> None:
    with running(limits=limits(clients=2)) as server, server.client() as one, server.client() as two:
        assert one.ask("PING") == two.ask("PING") == "PONG"
        with server.client() as three:
            three.socket.sendall(b"PING\n" * 10)
            assert three.read_to_end() == ["ERR too many clients (limit 2): try again when one has left"]
        assert one.ask("QUIT") == "BYE"
        assert one.read() == ""
        one.close()
        deadline = time.monotonic() + PATIENCE
        while True:
            with server.client() as four:
                if four.ask("PING") == "PONG":
                    break
            assert time.monotonic() < deadline
        assert two.ask("PING") == "PONG"


def test_a_crowd_of_refused_clients_is_closed_too() -> None:
    with running(limits=limits(clients=1, linger_seconds=60)) as server, server.client() as only, ExitStack() as stack:
        assert only.ask("PING") == "PONG"
        crowd = [stack.enter_context(server.client()) for _ in range(80)]
        assert all(client.read().startswith("ERR too many clients") for client in crowd)
        assert only.ask("PING") == "PONG"


def test_quit_answers_what_came_before_and_nothing_after() -> None:
    fakes = Fakes()
    with running(fakes.measures()) as server, server.client() as client:
        client.send(f"HS {HAND} 2", f"#t HS {HAND} 3", "PING", "QUIT", "PING", "PING")
        assert fakes.started.acquire(timeout=PATIENCE)
        fakes.gate.set()
        answers = client.read_to_end()
    assert sorted(answers[:-1]) == ["#t 0.030000", "0.020000", "PONG"]
    assert answers[-1] == "BYE"


def test_a_client_that_closes_its_half_gets_its_answers() -> None:
    """As with ``echo RANK … | nc``; the last line may lack its newline."""
    with running(open_gate().measures()) as server, server.client() as client:
        client.socket.sendall(b"PING\n" + f"HS {HAND} 5\nEHS {HAND} 8".encode())
        client.socket.shutdown(socket.SHUT_WR)
        assert client.read_to_end() == ["PONG", "0.050000", "0.500000"]


def test_a_client_that_vanishes_leaves_nothing_behind() -> None:
    fakes = Fakes()
    with running(fakes.measures(), limits=limits(workers=1)) as server:
        with server.client() as client:
            client.send(*[f"HS {HAND}"] * 100)
            assert fakes.started.acquire(timeout=PATIENCE)
            reset = b"\1\0\0\0\0\0\0\0"  # linger for 0 seconds: the close is a reset
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
        with server.client() as other:
            assert other.ask("PING") == "PONG"
            wait_for_clients(server, 1)
            fakes.gate.set()
            for _ in range(6):
                assert other.ask(f"HS {OTHER}") == "0.010000"
        assert len(fakes.slow_calls) == 7, "what the lost client had waiting is dropped"


def wait_for_clients(server: Running, count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(server.server._clients) != count:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_silent_clients_are_closed_and_busy_ones_are_not() -> None:
    fakes = Fakes()
    with ExitStack() as stack:
        server = stack.enter_context(running(fakes.measures(), limits=limits(idle_seconds=0.3)))
        silent, dripping, waiting = (stack.enter_context(server.client()) for _ in range(3))
        waiting.send(f"HS {HAND}")
        assert fakes.started.acquire(timeout=PATIENCE)
        stop_dripping = threading.Event()
        drip = threading.Thread(target=send_slowly, args=(dripping.socket, stop_dripping))
        drip.start()
        for client in (silent, dripping):
            assert client.read() == "ERR no request for 0.3 seconds, closing: connect again to go on"
        stop_dripping.set()
        drip.join()
        fakes.gate.set()
        assert waiting.read() == "0.010000"


def test_a_client_that_goes_on_asking_is_not_idle() -> None:
    with running(limits=limits(idle_seconds=1.0)) as server, server.client() as client:
        for _ in range(6):
            time.sleep(0.25)
            assert client.ask("PING") == "PONG"


def send_slowly(to: socket.socket, stop: threading.Event) -> None:
    """Bytes that never make a line do not count as life."""
    while not stop.wait(0.02):
        try:
            to.sendall(b"x")
        except OSError:
            return


def test_stopping_finishes_what_is_in_flight() -> None:
    fakes = Fakes()
    with running(fakes.measures(), limits=limits(grace_seconds=PATIENCE)) as server, server.client() as client:
        client.send(f"HS {HAND} 7", "PING", f"#z EHS {HAND}")
        assert client.read() == "#z 0.062500"
        server.begin_stop()
        wait_until_refused(server)
        fakes.gate.set()
        assert client.read_to_end() == ["0.070000", "PONG"]
        client.close()
        server.finish_stop()


def wait_until_refused(server: Running) -> None:
    """A client that comes just before the door is shut is let in and sent away."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            with server.client() as late:
                late.socket.shutdown(socket.SHUT_WR)
                assert late.read_to_end() in ([], ["ERR the server is shutting down: come again when it is back"])
        except OSError:
            return
    raise AssertionError("the door stays open")


def test_stopping_gives_up_after_the_grace_period_and_says_so() -> None:
    fakes = Fakes()
    with running(fakes.measures(), limits=limits(grace_seconds=0.1)) as server, server.client() as client:
        client.send(f"HS {HAND} 7", "PING", f"#z HS {HAND}")
        assert fakes.started.acquire(timeout=PATIENCE)
        assert client.ask("#y PING") == "#y PONG"
        server.begin_stop()
        sorry = "ERR the server is shutting down: ask again when it is back"
        assert client.read_to_end() == [sorry, "PONG", f"#z {sorry}"]
        server.finish_stop()
        fakes.gate.set()


def test_ipv6() -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 on this machine")
    import asyncio

    async def converse() -> bytes:
        server = RankServer(Desk(open_gate().measures()), host="::1", limits=QUICK)
        ((host, port),) = await server.start()
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(b"PING\n")
        answer = await reader.readline()
        writer.close()
        await server.stop()
        return answer

    try:
        assert asyncio.run(converse()) == b"PONG\n"
    except FeltError as error:
        pytest.skip(f"no IPv6 loopback here: {error}")


def test_a_port_that_is_taken_is_a_clear_mistake() -> None:
    import asyncio

    with running() as server:
        second = RankServer(Desk(open_gate().measures()), port=server.port)
        with pytest.raises(FeltError, match=rf"port {server.port} \(address already in use\): choose another"):
            asyncio.run(second.start())


@pytest.mark.parametrize(
    ("host", "port"),
    [("no such host", 0), ("127.0.0.1", 70_000), ("127.0.0.1", -1), ("x" * 300, 0)],
)
def test_an_address_that_cannot_be_had(host: str, port: int) -> None:
    import asyncio

    server = RankServer(Desk(open_gate().measures()), host=host, port=port)
    with pytest.raises(FeltError, match="cannot listen on host") as caught:
        asyncio.run(server.start())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bad", [{"clients": 0}, {"line_bytes": 10}, {"queued": 0}, {"idle_seconds": -1}])
def test_limits_that_make_no_sense(bad: dict[str, float]) -> None:
    with pytest.raises(FeltError, match="cannot be"):
        limits(**bad)
