"""Players of the ACPC protocol for tests, good ones and bad ones: threads that connect over the loopback interface."""

import re
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, contextmanager, suppress

from felt.interop.acpc.wire import accept, listen

VERSION = b"VERSION:2.0.0\r\n"
Answer = Callable[[str], bytes | None]
"""What a player sends when it is asked; None to hang up."""


def to_act(message):
    """Whether the seat of a heads-up message with reverse blinds has to act."""
    _, seat, _, betting, cards = message.split(":")
    street, rounds = betting.count("/"), betting.split("/")
    moves = re.findall(r"[fcr]", rounds[-1])
    over = "f" in betting or (cards.split("/")[0].count("|") == 1 and all(cards.split("/")[0].split("|")))
    first = 1 if street == 0 else 0
    return not over and int(seat) == (first + len(moves)) % 2


def connected(port):
    """A connection, as soon as somebody listens."""
    for _ in range(500):
        with suppress(ConnectionRefusedError):
            return socket.create_connection(("127.0.0.1", port), timeout=10)
        time.sleep(0.02)
    raise TimeoutError(f"nobody listens at port {port}")


def play(port, answer, *, version=VERSION):
    """Connect and answer until the dealer hangs up."""
    with suppress(OSError), connected(port) as connection:
        connection.sendall(version)
        for line in connection.makefile("r", newline="\r\n"):
            message = line.strip()
            if to_act(message):
                sent = answer(message)
                if sent is None:
                    return
                connection.sendall(sent)


def with_action(action):
    return lambda message: f"{message}:{action}\r\n".encode()


@contextmanager
def seated(*players, **more):
    """Connections of a dealer to players that answer like these."""
    with ExitStack() as stack:
        doors = [listen("127.0.0.1") for _ in players]
        threads = [
            threading.Thread(target=play, args=(door.getsockname()[1], answer), kwargs=more, daemon=True)
            for door, answer in zip(doors, players, strict=True)
        ]
        for thread in threads:
            thread.start()
        wires = [accept(door, 10) for door in doors]
        stack.callback(lambda: [thread.join(10) for thread in threads])
        for wire in wires:
            stack.callback(wire.close)
        yield wires
