"""What is told of a room: the whole table to one viewer, and the line that a list of tables has."""

from typing import TYPE_CHECKING, Any

from felt.server.live_state import state
from felt.server.watching import compact

if TYPE_CHECKING:
    from felt.server.room import Room


def told_to(room: "Room", viewer: str) -> str:
    """The table as a viewer sees it now, as JSON without what changes by the second."""
    seat = room.seat_of(viewer or None)
    connected = {at: room.connected(player) for at, player in enumerate(room.people)}
    face_up = range(len(room.table.dealt)) if room.open_cards else ()
    told = state(room.table, seat, room.scene, connected=connected, face_up=face_up)
    hand_id = f"{room.id}-{room.table.hands}" if room.table.hands else None
    return compact({"table": info(room, viewer), "hand_id": hand_id, **told})


def info(room: "Room", viewer: str) -> dict[str, Any]:
    """What a list of tables says of this one."""
    table, rules = room.table, room.table.rules
    taken = [who for who in table.seats if who is not None]
    return {
        "id": room.id,
        "game": table.settings.game,
        "title": rules.title or rules.name,
        "seats": table.settings.seats,
        "taken": len(taken),
        "people": [who.name for who in taken if who.agent is None],
        "agents": [who.agent for who in taken if who.agent is not None],
        "tournament": table.settings.tournament,
        "hands_per_level": table.settings.hands_per_level,
        "time_limit": table.settings.time_limit,
        "time_bank": table.settings.time_bank,
        "parameters": dict(table.settings.parameters),
        "stack": table.settings.buy_in,
        "blinds": list(rules.blinds),
        "big_blind": rules.big_blind,
        "hands": table.hands,
        "private": room.private,
        "invite": room.invite if viewer and viewer in (room.owner, *room.people) else None,
        "open_cards": room.open_cards,
        "owner": bool(viewer) and viewer == room.owner,
        "pace": dict(vars(room.speed)),
    }
