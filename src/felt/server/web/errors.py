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
from felt.store.database.db import StoreError

log = logging.getLogger(__name__)
JSON_HEADER = "send JSON, with the header 'Content-Type: application/json'"
STATUS = {
    **dict.fromkeys(("no_session", "wrong_password", "wrong_code"), 401),
    **dict.fromkeys(("foreign_origin", "wrong_token", "no_invitation", "not_seated", "not_owner"), 403),
    "other_peoples_cards": 403,
    **dict.fromkeys(("no_table", "no_such_hand", "no_seat"), 404),
    **dict.fromkeys(("stale", "not_your_turn", "seat_taken", "name_taken", "begun", "seated", "closed"), 409),
    **dict.fromkeys(("name_in_use", "logged_in", "no_account"), 409),
    **dict.fromkeys(("no_rebuy", "not_ready", "in_play", "empty_seat", "no_hand", "nobody"), 409),
    **dict.fromkeys(("people", "not_paused", "open_cards"), 409),
    "too_large": 413,
    "wrong_host": 421,
    **dict.fromkeys(("no_format", "bad_state", "before"), 422),
    **dict.fromkeys(("too_fast", "too_many_tables", "too_many_connections"), 429),
}
"""HTTP's word for our codes; 400 for all others."""
_HTTP = {
    400: ("invalid", f"the body cannot be read: {JSON_HEADER}"),
    404: ("not_found", "there is nothing at this address: /api/v1/docs lists what there is"),
    405: ("not_allowed", "this address is not asked in this way: /api/v1/docs says how it is"),
    413: ("too_large", "this request is too large"),
}
RETRY_AFTER = {"too_many_tables": 60, "too_many_connections": 5, "store": 2, "busy": 2}
"""Seconds after which to try again, where nobody has counted them."""
LONGEST_WAIT = 3600
BUSY = "the service has no room for this at the moment: try again"
UNKEPT = "this cannot be kept or looked up at the moment: try again"
_LONGEST_MESSAGE, _LONGEST_FIELD, _LONGEST_QUOTE = 300, 60, 40
_SECRETS = {"password", "old", "new", "code", "recovery"}
"""Fields that are never shown again, not even to who sent them."""
_PLACES = ("body", "query", "path", "header", "cookie")
_WORDS = {
    "missing": "it is missing: give it",
    "extra_forbidden": "this is not known here: check its spelling, or leave it out",
    "string_type": "{sent} is no text: put it in quotes",
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "{sent} is no whole number"),
    "int_parsing_size": "{sent} is too large",
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), "{sent} is no number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "{sent} is neither true nor false"),
    "list_type": "{sent} is no list: give one, [a, b, …]",
    **dict.fromkeys(
        ("dict_type", "model_type", "model_attributes_type"), '{sent} is no object: give one, {{"name": value, …}}'
    ),
    "greater_than": "{sent} is too small: give more than {gt:,}",
    "greater_than_equal": "{sent} is too small: give at least {ge:,}",
    "less_than": "{sent} is too large: give less than {lt:,}",
    "less_than_equal": "{sent} is too large: give at most {le:,}",
    "too_short": "it has {actual_length} entries: give at least {min_length}",
    "too_long": "it has {actual_length} entries: give at most {max_length}",
    "string_too_short": "{sent} has {length} characters: give at least {min_length}",
    "string_too_long": "{sent} has {length} characters: give at most {max_length}",
    "literal_error": "{sent} is not one of {expected}",
    "value_error": "{error}",
}
"""Our words by the name that pydantic has for a mistake, with what was sent and the limits of the check: no names of
our classes, and no phrases of a library. All other mistakes get `_ANY`."""
_ANY = "{sent} is not what belongs here: the description at /api/v1/docs says what does"


def describe(errors: Sequence[Any], sent: Any) -> tuple[str | None, str]:
    """The field and one line about the first mistake in what was `sent` (the body, or a message of a socket).

    >>> error = {"type": "int_type", "loc": ("body", "state", "Branch", "seed"), "input": "x"}
    >>> describe([error], {"state": {"seed": "x"}})
    ('state.seed', 'state.seed: "x" is no whole number')
    """
    if not errors:
        return None, "the request cannot be read"
    first = errors[0]
    place, path = _path(first, sent)
    if first["type"] == "json_invalid":
        return None, f"what was sent is not JSON: {JSON_HEADER}"
    if place == "body" and not path and not isinstance(first.get("input"), (dict, list, int, float)):
        return None, f"the request has no JSON object in it: {JSON_HEADER}"
    same = [error for error in errors if _path(error, sent) == (place, path)]  # a value may have several kinds
    kind, value = same[-1]["type"], same[-1].get("input")
    length = len(value) if isinstance(value, str) else 0
    words = _WORDS.get(kind, _ANY).format(sent=_quote(value), length=length, **(same[-1].get("ctx") or {}))
    if _SECRETS.intersection(path):
        words = words.replace(_quote(value), "this")
    field = ".".join(path) or None
    own = kind == "value_error"  # a sentence of ours, which says what it is about
    return field, words if own else f"{field or 'the request'}: {words}"


def _path(error: Any, sent: Any) -> tuple[str, tuple[str, ...]]:
    """Where a mistake is, in names that were sent or are missing: those that only the check has are left out."""
    parts = list(error["loc"])
    place = str(parts.pop(0)) if parts and parts[0] in _PLACES else "body"
    if place != "body":
        return place, tuple(map(str, parts[:1]))
    path = []
    for number, part in enumerate(parts, start=1):
        if (isinstance(sent, dict) and part in sent) or (isinstance(sent, list) and part in range(len(sent))):
            sent = sent[part]
        elif not (number == len(parts) and error["type"] == "missing"):
            continue
        path.append(str(part))
    return place, tuple(path)


def _quote(sent: Any) -> str:
    """What was sent, as it was written, if it is short."""
    try:
        text = json.dumps(sent, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = str(type(sent).__name__)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"


def error_told(code: str, message: str, field: str | None = None) -> dict[str, Any]:
    """The inside of an error."""
    # others' names and words are in messages, and programs print them
    return {
        "code": code,
        "message": printable(" ".join(message.split()))[:_LONGEST_MESSAGE],
        "field": field and printable(field),
    }


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
    mistakes = (FeltError, SQLAlchemyError, RequestValidationError, HTTPException)
    for kind in (*mistakes, OSError, MemoryError, RuntimeError, Exception):
        app.add_exception_handler(kind, _answer)


async def _answer(request: Request, error: Exception) -> Response:
    """Every error in the one shape."""
    if isinstance(error, FeltError):
        return response(*told_of(error))
    if isinstance(error, DataError):  # PostgreSQL takes no text with a zero byte, and no number over 32 bits
        return response(422, error_told("invalid", "there is a value in the request that cannot be looked up"))
    if isinstance(error, SQLAlchemyError):
        log.error("%s", request.app.state.study.store.reason(error))
        return response(503, error_told("store", UNKEPT))
    if isinstance(error, RequestValidationError):
        return response(422, validation_told(error.errors(), error.body))
    if isinstance(error, HTTPException):
        return response(error.status_code, error_told(*_HTTP.get(error.status_code, ("http", str(error.detail)))))
    if is_machine_fault(error):
        log.error("a request could not be served: %s: %s", type(error).__name__, error_text(error))
        return response(503, error_told("busy", BUSY))
    log.exception("unexpected", exc_info=error)
    return response(500, error_told("internal", "something went wrong here, not with you: try again"))
