"""A table before anybody sits there."""

import secrets
from dataclasses import asdict

from felt.server.live_state import Scene
from felt.server.live_table import LiveTable
from felt.server.pace import Speed
from felt.store.db import KeptTable


def fresh(
    table: LiveTable,
    *,
    private: bool = False,
    owner: str | None = None,
    open_cards: bool = False,
    speed: Speed | None = None,
) -> KeptTable:
    """A new table as it is kept before anybody sits there."""
    room = {
        "seq": 0,
        "people": [None] * table.settings.seats,
        "left": {},
        "banks": [table.settings.time_bank] * table.settings.seats,
        "private": private,
        "invite": secrets.token_urlsafe(12),
        "owner": owner,
        "open_cards": open_cards,
        "speed": None if speed is None else asdict(speed),
        "scene": asdict(Scene()),
    }
    return KeptTable(secrets.token_urlsafe(9), table.saved(), room)
