"""Statistics: of who sits at a table, and the caller's own."""

from typing import Any

from fastapi import APIRouter

from felt.errors import FeltError
from felt.games import load
from felt.server.room import Room
from felt.server.routes.hands import GameName, Here, TableId
from felt.server.routes.tables import At
from felt.server.schemas_stats import GameFigures, Graph, OwnFigures, Point, SeatFigures, TableFigures
from felt.server.sessions import Asker
from felt.server.totals import Total, Totals, seat_key
from felt.store.results import winnings

router = APIRouter()
MOST_POINTS = 500


@router.get("/tables/{table}/statistics")
def table_statistics(study: Here, room: At) -> TableFigures:
    """What those who sit at a table have done there: VPIP, PFR, 3-bet, AF and the rest, with their counts."""
    totals = study.totals.table(room.id)
    with totals.lock:
        return TableFigures(seats=[_seat(room, totals, at) for at in range(room.table.settings.seats)])


@router.get("/statistics")
def own_statistics(study: Here, player: Asker, game: GameName = None) -> OwnFigures:
    """What the caller has done in each game, over all tables."""
    totals = study.totals.player(player.id)
    with totals.lock:
        found = [
            GameFigures.model_validate({"game": name, "title": _title(str(name)), **total.told()})
            for name, total in totals.of.items()
            if game is None or name == game
        ]
    return OwnFigures(games=sorted(found, key=lambda one: -one.hands))


@router.get("/statistics/graph")
def graph(study: Here, player: Asker, table: TableId = None, game: GameName = None) -> Graph:
    """What the caller has won, hand after hand."""
    points, won, won_bb = list[Point](), 0, 0.0
    for n, one in enumerate(winnings(study.store, player.id, table=table, game=game), start=1):
        won += one.payoff
        won_bb += one.payoff / max(one.big_blind or 1, 1)
        points.append(Point(hand=f"{one.table}-{one.number}", n=n, won=won, won_bb=round(won_bb, 3)))
    return Graph(points=thinned(points), n=len(points))


def thinned(points: list[Any], most: int = MOST_POINTS) -> list[Any]:
    """At most so many, evenly spread, the last one among them.

    >>> thinned(list(range(1, 11)), most=4)
    [2, 5, 7, 10]
    """
    count = len(points)
    return points if count <= most else [points[(at + 1) * count // most - 1] for at in range(most)]


def _seat(room: Room, totals: Totals, at: int) -> SeatFigures | None:
    seated = room.table.seats[at]
    if seated is None:
        return None
    total = totals.of.get(seat_key(room.people[at], seated.name, seated.agent)) or Total()
    return SeatFigures.model_validate({"seat": at, "name": seated.name, "agent": seated.agent, **total.told()})


def _title(game: str) -> str:
    try:
        return load(game).title or game
    except FeltError:  # a game that the catalogue had once
        return game
