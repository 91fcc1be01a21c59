"""The one shape of errors: a code for programs, a line for people, and the field that is wrong."""

import json
import logging
import math
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from sqlalchemy.exc import DataError, SQLAlchemyError
from starlette.exceptions import HTTPException

from felt.errors import FeltError, error_text, printable
from felt.games.actions import IllegalAction
from felt.server.net.faults import is_machine_fault
from felt.server.tables.settings import TableError
from felt.server.web.request_errors import JSON_HEADER, describe
from felt.store.database.db import StoreError

log = logging.getLogger(__name__)

STATUS = {
    "no_session": 401,
    "wrong_password": 401,
    "wrong_code": 401,
    "foreign_origin": 403,
    "wrong_token": 403,
    "no_invitation": 403,
    "not_seated": 403,
    "not_owner": 403,
    "other_peoples_cards": 403,
    "no_table": 404,
    "no_such_hand": 404,
    "no_seat": 404,
    "too_large": 413,
    "wrong_host": 421,
    "no_format": 422,
    "bad_state": 422,
    "before": 422,
    "too_fast": 429,
    "too_many_tables": 429,
    "too_many_connections": 429,
    **dict.fromkeys(("stale", "not_your_turn", "seat_taken", "name_taken", "begun", "seated", "closed"), 409),
    **dict.fromkeys(("name_in_use", "logged_in", "no_account"), 409),
    **dict.fromkeys(("no_rebuy", "not_ready", "in_play", "empty_seat", "no_hand", "nobody"), 409),
    **dict.fromkeys(("people", "not_paused", "open_cards"), 409),
}
"""HTTP's word for our codes; 400 for all others."""
_HTTP = {
    400: ("invalid", f"the body cannot be read: {JSON_HEADER}"),
    404: ("not_found", "there is nothing at this address: /api/v1/docs lists what there is"),
    405: ("not_allowed", "this address is not asked in this way: /api/v1/docs says how it is"),
    413: ("too_large", "this request is too large"),
}
_SHORT = 300
RETRY_AFTER = {"too_many_tables": 60, "too_many_connections": 5, "store": 2, "busy": 2}
"""Seconds after which to try again, where nobody has counted them."""
LONGEST_WAIT = 3600
BUSY = "the service has no room for this at the moment: try again"
_LONGEST_FIELD = 60
UNKEPT = "this cannot be kept or looked up at the moment: try again"


def error_told(code: str, message: str, field: str | None = None) -> dict[str, Any]:
    """The inside of an error."""
    # others' names and words are in messages, and programs print them
    return {"code": code, "message": printable(" ".join(message.split()))[:_SHORT], "field": field and printable(field)}


def told_of(error: FeltError) -> tuple[int, dict[str, Any], float | None]:
    """The status and the inside for a mistake that was made here, and in how many seconds to try again."""
    if isinstance(error, StoreError):
        log.error("%s", error)
        return 503, error_told("store", UNKEPT), None
    code = error.code if isinstance(error, TableError) else "illegal" if isinstance(error, IllegalAction) else "invalid"
    retry_after = error.retry_after if isinstance(error, TableError) else None
    return STATUS.get(code, 400), error_told(code, str(error)), retry_after


def validation_told(errors: Sequence[Any], sent: Any) -> dict[str, Any]:
    """The first thing wrong with what was sent."""
    field, message = describe(errors, sent)
    return error_told("invalid", message, field and field[:_LONGEST_FIELD])


def response(status: int, error: dict[str, Any], retry_after: float | None = None) -> Response:
    """The error as an answer, in ASCII, whatever was sent; who may try again is told in how many seconds."""
    headers = {}
    if status in (429, 503):
        seconds = RETRY_AFTER.get(error["code"], 1) if retry_after is None else retry_after
        headers["Retry-After"] = str(math.ceil(min(max(seconds, 1.0), LONGEST_WAIT)))
    return Response(json.dumps({"error": error}), status, headers, media_type="application/json")


def install(app: FastAPI) -> None:
    """Answer every error in the one shape."""

    @app.exception_handler(FeltError)
    async def felt(_: Request, error: FeltError) -> Response:
        return response(*told_of(error))

    @app.exception_handler(SQLAlchemyError)
    async def database(request: Request, error: SQLAlchemyError) -> Response:
        if isinstance(error, DataError):  # PostgreSQL takes no text with a zero byte, and no number over 32 bits
            return response(422, error_told("invalid", "there is a value in the request that cannot be looked up"))
        log.error("%s", request.app.state.study.store.reason(error))
        return response(503, error_told("store", UNKEPT))

    @app.exception_handler(RequestValidationError)
    async def validation(_: Request, error: RequestValidationError) -> Response:
        return response(422, validation_told(error.errors(), error.body))

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> Response:
        code, message = _HTTP.get(error.status_code, ("http", str(error.detail)))
        return response(error.status_code, error_told(code, message))

    @app.exception_handler(OSError)
    @app.exception_handler(MemoryError)
    @app.exception_handler(RuntimeError)
    @app.exception_handler(Exception)
    async def unexpected(_: Request, error: Exception) -> Response:
        if is_machine_fault(error):
            log.error("a request could not be served: %s: %s", type(error).__name__, error_text(error))
            return response(503, error_told("busy", BUSY))
        log.exception("unexpected", exc_info=error)
        return response(500, error_told("internal", "something went wrong here, not with you: try again"))
