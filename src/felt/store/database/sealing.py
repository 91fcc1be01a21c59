"""The deck of a hand in play is sealed: whoever reads the database, a backup or a replica does not see what comes.

The key is not in the database. It is in the file ``deck.key`` of the data folder, or in ``FELT_DECK_KEY``. When a hand
is over its cards are kept open, since replays need them.
"""

import os
import re
from base64 import b64decode, b64encode
from collections import OrderedDict
from pathlib import Path
from typing import Any

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from felt.store.database.values import StoredTable, StoreError
from felt.store.private import make_folder, unusable, write_private

FILE = "deck.key"
VARIABLE = "FELT_DECK_KEY"
KEY_BYTES = 32
MOST_SEALED = 4000
"""Decks that are remembered sealed: a table is written at every step, its deck changes with the hand."""
_NONCE = 12
_HEX = re.compile(rf"[0-9a-fA-F]{{{2 * KEY_BYTES}}}")


class DeckSeal:
    """Seals decks before they are written, and opens them again (AES-256-GCM; RFC 5116). For the writer's thread."""

    def __init__(self, folder: Path) -> None:
        self._key = _key(folder)
        self._sealed: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def seal(self, table: StoredTable) -> dict[str, Any]:
        """What is written of a table."""
        deal = table.saved.get("deal")
        if deal is None:
            self._sealed.pop(table.id, None)
            return table.saved
        salt, text = self._sealed.get(table.id, ("", ""))
        if salt != deal["salt"]:  # which no two hands have in common
            nonce = os.urandom(_NONCE)
            sealed = self._cipher(table.id).encrypt(nonce, orjson.dumps(deal), _about(table))
            text = b64encode(nonce + sealed).decode()
            self._sealed[table.id] = deal["salt"], text
            if len(self._sealed) > MOST_SEALED:
                self._sealed.popitem(last=False)
        return {**table.saved, "deal": {"sealed": text}}

    def open(self, table: StoredTable) -> StoredTable:
        """A table as it was before it was sealed; those of 0.1 never were."""
        deal = table.saved.get("deal")
        if deal is None or "sealed" not in deal:
            return table
        try:
            sealed = b64decode(deal["sealed"])
            opened = self._cipher(table.id).decrypt(sealed[:_NONCE], sealed[_NONCE:], _about(table))
        except (InvalidTag, ValueError, TypeError):
            raise StoreError(
                f"the deck of its hand in play was sealed with another key: put the old {FILE} (or {VARIABLE}) back"
            ) from None
        return table._replace(saved={**table.saved, "deal": orjson.loads(opened)})

    def _cipher(self, table: str) -> AESGCM:
        """With a key for each table, so that random nonces never run out."""
        return AESGCM(HKDFExpand(SHA256(), KEY_BYTES, b"felt deck " + table.encode()).derive(self._key))


def _about(table: StoredTable) -> bytes:
    """What a sealed deck belongs to: it cannot be put into another hand."""
    return f"{table.id} {table.saved.get('hands')}".encode()


def _key(folder: Path) -> bytes:
    key_text = os.environ.get(VARIABLE)
    if key_text:
        if not _HEX.fullmatch(key_text):
            raise StoreError(f"{VARIABLE} is no key: give {2 * KEY_BYTES} hexadecimal digits")
        return bytes.fromhex(key_text)
    file = folder / FILE
    make_folder(folder)
    try:
        if not file.exists():
            write_private(file, os.urandom(KEY_BYTES).hex().encode() + b"\n")
        text = file.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise unusable(folder, error) from None
    if not _HEX.fullmatch(text):
        raise StoreError(f"{str(file)!r} is no key: put the one of before back, or remove it to have a new one made")
    return bytes.fromhex(text)
