"""Hands a second over the ACPC protocol, between two processes of other people's making.

Both players are ``benchmarks/acpc_player.c``, built here; with the competition's own dealer (set FELT_ACPC_SERVER to
the folder where project_acpc_server was built) the same players play at both tables, in turns.

Run it alone with ``python -m benchmarks --only acpc``.
"""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.rows import Row, Section, Target, figure, quote
from felt.interop.acpc.contest import Contest
from felt.interop.acpc.game import save_acpc_game
from felt.interop.acpc.log import usual_game
from felt.interop.acpc.table import places, play

SOURCE = Path(__file__).with_name("acpc_player.c")
TARGET = 2_000
C_DEALER = quote(2_590, "hands/s", "the C dealer with its example players, on a comparable machine")
PEER = "the competition's C dealer"


def bench(quick: bool = False) -> Section:
    rounds, hands = (3, 2_000) if quick else (7, 10_000)
    if not shutil.which("gcc"):
        raise RuntimeError("no gcc to build the players with")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        player, game = folder / "player", folder / "holdem.nolimit.2p.reverse_blinds.game"
        subprocess.run(["gcc", "-O2", "-o", player, SOURCE], check=True)
        save_acpc_game(usual_game(2, limit=False), game, players=2)
        dealer = Path(os.environ.get("FELT_ACPC_SERVER", "")) / "dealer"
        with_peer = "FELT_ACPC_SERVER" in os.environ and dealer.exists()
        ours(player, folder, 200)  # loads kernels
        own, theirs = [], []
        for _ in range(rounds):
            own.append(ours(player, folder, hands))
            if with_peer:
                theirs.append(peer(dealer, player, game, folder, hands))
    row = Row(
        "heads-up no limit, two C players, log written",
        figure(own, "hands/s"),
        PEER,
        figure(theirs, "hands/s") if theirs else C_DEALER,
        Target(TARGET, "at least"),
    )
    return Section(
        "ACPC protocol",
        (row,),
        note="A dealer and two players (benchmarks/acpc_player.c, about 6.5 decisions a hand), three processes on this "
        "machine that speak over the loopback interface; hands from the first message to the last.",
        order=45,
    )


def ours(player: Path, folder: Path, hands: int) -> float:
    """Hands a second with Felt as the dealer."""
    seats = places([f"start:{player}"] * 2)
    names = tuple(seat.name for seat in seats)
    outcome = play(Contest(usual_game(2, limit=False), names, hands, seed=1), seats, log=folder / "ours.log")
    if outcome.ended or any(any(count.values()) for count in outcome.counts):
        raise AssertionError(f"no fair match: {outcome.ended} {outcome.counts}")
    return hands / outcome.seconds


def peer(dealer: Path, player: Path, game: Path, folder: Path, hands: int) -> float:
    """Hands a second with the competition's dealer, from the moment at which both players have been started."""
    command = [dealer, "theirs", game, str(hands), "1", "a", "b", "-q"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        ports = process.stdout.readline().split()
        players = [subprocess.Popen([player, "127.0.0.1", port]) for port in ports]
        began = time.perf_counter()
        process.stdout.read()
        process.wait(600)
        seconds = time.perf_counter() - began
        for one in players:
            one.wait(10)
    return hands / seconds
