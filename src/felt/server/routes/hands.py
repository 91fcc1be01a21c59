"""Hands that are over: listed, played again, downloaded, and their deals opened."""

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response

from felt.games.fair_view import seen_positions
from felt.server.downloads import as_phh, as_phhs, as_pokerstars
from felt.server.live_table import TableError
from felt.server.replays import Replay
from felt.server.schemas_hands import CardsAsked, HandReplay, HandsTold, OpenedDeal
from felt.server.sessions import Viewer
from felt.server.study import Study
from felt.store.db import Player
from felt.store.past import PastHand, hands_before, split_id

router = APIRouter()
MOST_LISTED = 200
MOST_IN_FILE = 1000


TEXT: dict[int | str, dict[str, Any]] = {
    200: {"description": "A file", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


class File(Response):
    """No kind of its own, so that errors of these routes are described as JSON."""

    media_type = None


def study_of(request: Request, player: Viewer) -> Study:
    """What is behind these pages; who asks too often waits."""
    study: Study = request.app.state.study
    study.allowance.check(player.id if player else request.client.host if request.client else "")
    return study


Here = Annotated[Study, Depends(study_of)]
HandId = Annotated[str, Path(max_length=80, description="TABLE-NUMBER", examples=["b0Yf3c-1w2Qk-12"])]
CardsOf = Annotated[
    CardsAsked,
    Query(description="`mine`: what the caller saw; `all`: every card, where no other person was dealt in"),
]
_PLAIN = r"^[A-Za-z0-9_-]+$"  # what else there may be, a database might not take
TableId = Annotated[
    str | None, Query(max_length=60, pattern=_PLAIN, description="Only this table; a public one's hands for anybody")
]
GameName = Annotated[str | None, Query(max_length=60, pattern=_PLAIN, description="Only this game", examples=["nlhe"])]


@router.get("/hands")
def hands(
    study: Here,
    player: Viewer,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
    before: Annotated[str | None, Query(max_length=80, description="A hand's id, or a time in ISO format")] = None,
    table: TableId = None,
    game: GameName = None,
) -> HandsTold:
    """The hands in which the caller was dealt, newest first; with `table`, also a public table's, for anybody."""
    who = id_of(player)
    found = hands_before(study.store, who, table=table, game=game, before=_before(before), limit=limit)
    told = [Replay(past, who).told() for past in found]
    return HandsTold(hands=told, next=told[-1].id if len(told) == limit else None)


@router.get("/hands/{hand}")
def replay(study: Here, player: Viewer, hand: HandId, cards: CardsOf = "mine") -> HandReplay:
    """A hand step by step, with pot odds and equity at each decision."""
    return opened(study, player, hand, cards)[1].whole()


@router.get("/hands.phhs", response_class=File, responses=TEXT)
def all_as_phh(study: Here, player: Viewer, cards: CardsOf = "mine", table: TableId = None) -> PlainTextResponse:
    """The caller's last hands in one file of PHH (the newest 1,000); `all` opens cards where no other person was in."""
    who, every = id_of(player), cards == "all"
    found = hands_before(study.store, who, table=table, limit=MOST_IN_FILE)
    opened = ((past, Replay(past, who), every and past.may_see_all(who)) for past in reversed(found))
    return attachment(as_phhs(opened), "felt-hands.phhs")


@router.get("/hands/{hand}/phh", response_class=File, responses=TEXT)
def phh(study: Here, player: Viewer, hand: HandId, cards: CardsOf = "mine") -> PlainTextResponse:
    """A hand as a file of PHH; unknown cards are `??`."""
    past, found = opened(study, player, hand, cards)
    return attachment(as_phh(past, found, everything=cards == "all"), f"felt-{past.id}.phh")


@router.get("/hands/{hand}/pokerstars", response_class=File, responses=TEXT)
def pokerstars(study: Here, player: Viewer, hand: HandId, cards: CardsOf = "mine") -> PlainTextResponse:
    """A hand as PokerStars text, with the caller as its hero."""
    past, found = opened(study, player, hand, cards)
    return attachment(as_pokerstars(past, found, everything=cards == "all"), f"felt-{past.id}.txt")


def attachment(text: str, name: str) -> PlainTextResponse:
    """A text to be saved as a file."""
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/hands/{hand}/deal")
def deal(study: Here, player: Viewer, hand: HandId) -> OpenedDeal:
    """The deal of a hand, opened as far as the caller saw its cards: `felt verify-deal` checks it."""
    _, found = opened(study, player, hand, "mine")
    shuffled = found.table.deal
    assert shuffled is not None
    places = seen_positions(shuffled.deck, found.hand, found.own)
    return OpenedDeal.model_validate(shuffled.opening(places))


def opened(study: Study, player: Player | None, hand: str, cards: CardsAsked) -> tuple[PastHand, Replay]:
    """A hand as the caller asked for it; every card only for who may see them all."""
    who = id_of(player)
    past = study.hand(hand, who)
    if cards == "all" and not past.may_see_all(who):
        raise TableError("other_peoples_cards", "other people were dealt in: their hidden cards stay hidden")
    return past, Replay(past, who, everything=cards == "all")


def id_of(player: Player | None) -> str | None:
    """Who asks, by id."""
    return player.id if player else None


def _before(text: str | None) -> str | datetime | None:
    if text is None or (split_id(text) is not None and not text[:4].isdigit()):
        return text
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        if split_id(text) is not None:
            return text
        raise TableError("before", f"before={text!r}: give the id of a hand, or a time like 2026-01-31T12:00") from None
    return when if when.tzinfo is None else when.astimezone(UTC).replace(tzinfo=None)
