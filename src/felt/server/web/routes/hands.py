"""Hands that are over: listed, played again, downloaded, their deals opened; and statistics of them."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import PlainTextResponse, Response

from felt.errors import FeltError
from felt.games import load
from felt.games.fair import seen_positions
from felt.server.study.replays import Replay, as_phh, as_phhs, as_pokerstars
from felt.server.study.study import Cost, Here, Reader
from felt.server.study.totals import Total, Totals, seat_key
from felt.server.tables.settings import TableError
from felt.server.tables.state import Seat
from felt.server.web.routes.tables import Seen
from felt.server.web.schemas import hands as schemas
from felt.server.web.sessions import Asker
from felt.store.database.hands import FinishedHand, hands_before, split_id, winnings

router = APIRouter()
MOST_LISTED = 200
PAGE = 50
MOST_IN_FILE = 1000
MOST_POINTS = 500
TEXT: dict[int | str, dict[str, Any]] = {
    200: {"description": "A file", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


class File(Response):
    """No kind of its own, so that errors of these routes are described as JSON."""

    media_type = None


HandId = Annotated[str, Path(max_length=80, description="TABLE-NUMBER", examples=["b0Yf3c-1w2Qk-12"])]
CardsOf = Annotated[
    schemas.CardsAsked,
    Query(description="`mine`: what the caller saw; `all`: every card, where no other person was dealt in"),
]
_PLAIN = r"^[A-Za-z0-9_-]+$"  # what else there may be, a database might not take
TableId = Annotated[
    str | None, Query(max_length=60, pattern=_PLAIN, description="Only this table; a public one's hands for anybody")
]
GameName = Annotated[str | None, Query(max_length=60, pattern=_PLAIN, description="Only this game", examples=["nlhe"])]


@router.get("/hands", response_model=schemas.HandsTold)
async def hands(
    reader: Here,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = PAGE,
    before: Annotated[str | None, Query(max_length=80, description="A hand's id, or a time in ISO format")] = None,
    table: TableId = None,
    game: GameName = None,
) -> Response:
    """The hands in which the caller was dealt, newest first; with `table`, also a public table's, for anybody."""
    since = _before(before)

    def list_hands() -> schemas.HandsTold:
        past = hands_before(reader.study.store, reader.id, table=table, game=game, before=since, limit=limit)
        rows = [Replay(hand, reader.id).summary() for hand in past]
        return schemas.HandsTold(hands=rows, next=rows[-1].id if len(rows) == limit else None)

    return await reader.answer(list_hands, Cost.LIST * max(1.0, limit / PAGE))


@router.get("/hands/{hand}", response_model=schemas.HandReplay)
async def replay(reader: Here, hand: HandId, cards: CardsOf = "mine") -> Response:
    """A hand step by step, with pot odds and equity at each decision."""
    return await reader.answer(lambda: opened(reader, hand, cards)[1].replay(), Cost.REPLAY)


@router.get("/hands.phhs", response_class=File, responses=TEXT)
async def all_as_phh(reader: Here, cards: CardsOf = "mine", table: TableId = None) -> PlainTextResponse:
    """The caller's last hands in one file of PHH (the newest 1,000); `all` opens cards where no other person was in."""
    who, every = reader.id, cards == "all"

    def written() -> str:
        hands = hands_before(reader.study.store, who, table=table, limit=MOST_IN_FILE)
        return as_phhs((past, Replay(past, who), every and past.may_see_all(who)) for past in reversed(hands))

    return attachment(await reader.ask(written, Cost.ALL_HANDS), "felt-hands.phhs")


@router.get("/hands/{hand}/phh", response_class=File, responses=TEXT)
async def phh(reader: Here, hand: HandId, cards: CardsOf = "mine") -> PlainTextResponse:
    """A hand as a file of PHH; unknown cards are `??`."""
    return await _file(reader, hand, cards, as_phh, "phh")


@router.get("/hands/{hand}/pokerstars", response_class=File, responses=TEXT)
async def pokerstars(reader: Here, hand: HandId, cards: CardsOf = "mine") -> PlainTextResponse:
    """A hand as PokerStars text, with the caller as its hero."""
    return await _file(reader, hand, cards, as_pokerstars, "txt")


async def _file(
    reader: Reader, hand: str, cards: schemas.CardsAsked, write: Callable[..., str], ending: str
) -> PlainTextResponse:
    def written() -> str:
        return write(*opened(reader, hand, cards), everything=cards == "all")

    return attachment(await reader.ask(written, Cost.HAND), f"felt-{hand}.{ending}")


def attachment(text: str, name: str) -> PlainTextResponse:
    """A text to be saved as a file."""
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/hands/{hand}/deal", response_model=schemas.OpenedDeal)
async def deal(reader: Here, hand: HandId) -> Response:
    """The deal of a hand, opened as far as the caller saw its cards: `felt verify-deal` checks it."""

    def open_deal() -> schemas.OpenedDeal:
        _, replayed = opened(reader, hand, "mine")
        shuffled = replayed.table.deal
        assert shuffled is not None
        places = seen_positions(shuffled.deck, replayed.hand, replayed.own)
        return schemas.OpenedDeal.model_validate(shuffled.opening(places))

    return await reader.answer(open_deal, Cost.HAND)


def opened(reader: Reader, hand: str, cards: schemas.CardsAsked) -> tuple[FinishedHand, Replay]:
    """A hand as the caller asked for it; every card only for who may see them all."""
    past = reader.study.hand(hand, reader.id)
    if cards == "all" and not past.may_see_all(reader.id):
        raise TableError("other_peoples_cards", "other people were dealt in: their hidden cards stay hidden")
    return past, Replay(past, reader.id, everything=cards == "all")


def _before(text: str | None) -> str | datetime | None:
    if text is None or (split_id(text) is not None and not text[:4].isdigit()):
        return text
    try:
        when = datetime.fromisoformat(text)
        return when if when.tzinfo is None else when.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):  # a time zone may lead out of the years that there are
        if split_id(text) is not None:
            return text
        raise TableError("before", f"before={text!r}: give the id of a hand, or a time like 2026-01-31T12:00") from None


@router.get("/tables/{table}/statistics", response_model=schemas.TableFigures)
async def table_statistics(reader: Here, table: Seen) -> Response:
    """What those who sit at a table have done there: VPIP, PFR, 3-bet, AF and the rest, with their counts."""
    seats = list(zip(table.people, table.state.seats, strict=True))

    def count_table() -> schemas.TableFigures:
        totals = reader.study.totals.table(table.id)
        with totals.lock:
            return schemas.TableFigures(seats=[_seat(totals, at, *who) for at, who in enumerate(seats)])

    return await reader.answer(count_table, Cost.FIGURES)


@router.get("/statistics", response_model=schemas.OwnFigures)
async def own_statistics(reader: Here, player: Asker, game: GameName = None) -> Response:
    """What the caller has done in each game, over all tables."""

    def count_games() -> schemas.OwnFigures:
        totals = reader.study.totals.player(player.id)
        with totals.lock:
            games = [
                schemas.GameFigures.model_validate({"game": name, "title": _title(str(name)), **total.to_dict()})
                for name, total in totals.of.items()
                if game is None or name == game
            ]
        return schemas.OwnFigures(games=sorted(games, key=lambda figures: -figures.hands))

    return await reader.answer(count_games, Cost.FIGURES)


@router.get("/statistics/graph", response_model=schemas.Graph)
async def graph(reader: Here, player: Asker, table: TableId = None, game: GameName = None) -> Response:
    """What the caller has won, hand after hand."""

    def draw_graph() -> schemas.Graph:
        points, won, won_bb = list[schemas.Point](), 0, 0.0
        for n, hand in enumerate(winnings(reader.study.store, player.id, table=table, game=game), start=1):
            won += hand.payoff
            won_bb += hand.payoff / max(hand.big_blind or 1, 1)
            points.append(schemas.Point(hand=f"{hand.table}-{hand.number}", n=n, won=won, won_bb=round(won_bb, 3)))
        return schemas.Graph(points=thinned(points), n=len(points))

    return await reader.answer(draw_graph, Cost.GRAPH)


def thinned(points: list[Any], most: int = MOST_POINTS) -> list[Any]:
    """At most so many, evenly spread, the last one among them.

    >>> thinned(list(range(1, 11)), most=4)
    [2, 5, 7, 10]
    """
    count = len(points)
    return points if count <= most else [points[(at + 1) * count // most - 1] for at in range(most)]


def _seat(totals: Totals, at: int, player: str | None, seated: Seat | None) -> schemas.SeatFigures | None:
    if seated is None:
        return None
    total = totals.of.get(seat_key(player, seated.name, seated.agent)) or Total()
    return schemas.SeatFigures.model_validate(
        {"seat": at, "name": seated.name, "agent": seated.agent, **total.to_dict()}
    )


def _title(game: str) -> str:
    try:
        return load(game).title or game
    except FeltError:  # a game that the catalogue had once
        return game
