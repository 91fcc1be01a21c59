"""Statistics: of who sits at a table, and the caller's own."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from felt.errors import FeltError
from felt.games import load
from felt.server.study.readers import Cost, Here
from felt.server.study.totals import Total, Totals, seat_key
from felt.server.tables.state import Seat
from felt.server.web.routes.hands import GameName, TableId
from felt.server.web.routes.tables import Seen
from felt.server.web.schemas.statistics import GameFigures, Graph, OwnFigures, Point, SeatFigures, TableFigures
from felt.server.web.sessions import Asker
from felt.store.database.hands import winnings

router = APIRouter()
MOST_POINTS = 500


@router.get("/tables/{table}/statistics", response_model=TableFigures)
async def table_statistics(reader: Here, table: Seen) -> Response:
    """What those who sit at a table have done there: VPIP, PFR, 3-bet, AF and the rest, with their counts."""
    seats = list(zip(table.people, table.state.seats, strict=True))

    def count_table() -> TableFigures:
        totals = reader.study.totals.table(table.id)
        with totals.lock:
            return TableFigures(seats=[_seat(totals, at, *who) for at, who in enumerate(seats)])

    return await reader.answer(count_table, Cost.FIGURES)


@router.get("/statistics", response_model=OwnFigures)
async def own_statistics(reader: Here, player: Asker, game: GameName = None) -> Response:
    """What the caller has done in each game, over all tables."""

    def count_games() -> OwnFigures:
        totals = reader.study.totals.player(player.id)
        with totals.lock:
            games = [
                GameFigures.model_validate({"game": name, "title": _title(str(name)), **total.to_dict()})
                for name, total in totals.of.items()
                if game is None or name == game
            ]
        return OwnFigures(games=sorted(games, key=lambda figures: -figures.hands))

    return await reader.answer(count_games, Cost.FIGURES)


@router.get("/statistics/graph", response_model=Graph)
async def graph(reader: Here, player: Asker, table: TableId = None, game: GameName = None) -> Response:
    """What the caller has won, hand after hand."""

    def draw_graph() -> Graph:
        points, won, won_bb = list[Point](), 0, 0.0
        for n, hand in enumerate(winnings(reader.study.store, player.id, table=table, game=game), start=1):
            won += hand.payoff
            won_bb += hand.payoff / max(hand.big_blind or 1, 1)
            points.append(Point(hand=f"{hand.table}-{hand.number}", n=n, won=won, won_bb=round(won_bb, 3)))
        return Graph(points=thinned(points), n=len(points))

    return await reader.answer(draw_graph, Cost.GRAPH)


def thinned(points: list[Any], most: int = MOST_POINTS) -> list[Any]:
    """At most so many, evenly spread, the last one among them.

    >>> thinned(list(range(1, 11)), most=4)
    [2, 5, 7, 10]
    """
    count = len(points)
    return points if count <= most else [points[(at + 1) * count // most - 1] for at in range(most)]


def _seat(totals: Totals, at: int, player: str | None, seated: Seat | None) -> SeatFigures | None:
    if seated is None:
        return None
    total = totals.of.get(seat_key(player, seated.name, seated.agent)) or Total()
    return SeatFigures.model_validate({"seat": at, "name": seated.name, "agent": seated.agent, **total.to_dict()})


def _title(game: str) -> str:
    try:
        return load(game).title or game
    except FeltError:  # a game that the catalogue had once
        return game
