"""A hand as bytes and back: check sum, version, game, starting stacks, antes, posts, and the record."""

import hashlib
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from felt.errors import FeltError
from felt.games.engine.compiled import Compiled, fingerprint_of
from felt.games.engine.record import SIZES, VERSION, read_record
from felt.games.engine.stakes import Stakes
from felt.games.rules import MAX_PLAYERS

CHECK, GAME = 8, 8
"""Bytes of the check sum and of the game's fingerprint."""

HEAD = 3 + GAME
"""Version, players, whether antes are dead, and the game; then come the amounts, 12 bytes a player."""


def pack(compiled: Compiled, stakes: Stakes, record: NDArray[np.uint8]) -> bytes:
    """The snapshot of a hand."""
    amounts = np.array(stakes[:3], dtype="<i4").tobytes()
    head = bytes([VERSION, len(stakes.stacks), stakes.dead_antes]) + compiled.fingerprint
    body = head + amounts + record.tobytes()
    return hashlib.sha256(body).digest()[:CHECK] + body


def unpack(compiled: Compiled, snapshot: bytes) -> tuple[Stakes, NDArray[np.uint8]]:
    """What a snapshot holds; one that is damaged, of an unknown version or of another game is refused."""
    check, body = snapshot[:CHECK], snapshot[CHECK:]
    if not body or hashlib.sha256(body).digest()[:CHECK] != check:
        raise FeltError(f"a snapshot of {len(snapshot)} bytes is damaged: its check sum does not fit")
    version = body[0]
    if version not in SIZES:
        raise FeltError(f"a snapshot of version {version} cannot be read by version {VERSION} of the engine")
    cut = HEAD + 12 * body[1] if len(body) > HEAD else 0
    if not _same_game(compiled, body[3:HEAD]) or len(body) != cut + SIZES[version]:
        raise FeltError(f"a snapshot of {len(snapshot)} bytes is of another game than {compiled.rules.name} here")
    stacks, antes, posts = np.frombuffer(body[HEAD:cut], dtype="<i4").reshape(3, body[1]).tolist()
    stakes = Stakes(tuple(stacks), tuple(antes), tuple(posts), bool(body[2]))
    return stakes, read_record(body[cut:], version)


def _same_game(compiled: Compiled, fingerprint: bytes) -> bool:
    """Whether a snapshot is of this game; for how many others the game is has no bearing on a hand that is dealt."""
    rules = compiled.rules
    return fingerprint == compiled.fingerprint or any(
        fingerprint == fingerprint_of(replace(rules, max_players=most))
        for most in range(rules.min_players, MAX_PLAYERS + 1)
    )
