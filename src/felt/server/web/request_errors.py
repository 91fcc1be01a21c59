"""What is wrong with a request, in the words of whoever sent it: no names of our classes, no phrases of a library."""

import json
from collections.abc import Callable, Sequence
from typing import Any

JSON_HEADER = "send JSON, with the header 'Content-Type: application/json'"
_LONGEST = 40
_SECRETS = {"password", "old", "new", "code", "recovery"}
"""Fields that are never shown again, not even to who sent them."""
_PLACES = ("body", "query", "path", "header", "cookie")

Describe = Callable[[dict[str, Any], Any], str]
"""What is wrong, by what the check says of its limits and by what was sent."""


def _limit(name: str, words: str) -> Describe:
    return lambda limits, sent: f"{_quote(sent)} {words} {limits[name]:,}"


def _kind(words: str) -> Describe:
    return lambda _, sent: f"{_quote(sent)} is {words}"


def _entries(limits: dict[str, Any], _: Any) -> str:
    least, most = limits.get("min_length"), limits.get("max_length")
    rule = f"at least {least}" if least is not None else f"at most {most}"
    return f"it has {limits.get('actual_length')} entries: give {rule}"


def _letters(limits: dict[str, Any], sent: Any) -> str:
    least, most = limits.get("min_length"), limits.get("max_length")
    rule = f"at least {least}" if least is not None else f"at most {most}"
    return f"{_quote(sent)} has {len(sent)} characters: give {rule}"


_WHOLE = _kind("no whole number")
_NUMBER = _kind("no number")
_TRUTH = _kind("neither true nor false")
_OBJECT = _kind('no object: give one, {"name": value, …}')
_WORDS: dict[str, Describe] = {
    "missing": lambda *_: "it is missing: give it",
    "extra_forbidden": lambda *_: "this is not known here: check its spelling, or leave it out",
    "string_type": _kind("no text: put it in quotes"),
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": _kind("too large"),
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "list_type": _kind("no list: give one, [a, b, …]"),
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "greater_than": _limit("gt", "is too small: give more than"),
    "greater_than_equal": _limit("ge", "is too small: give at least"),
    "less_than": _limit("lt", "is too large: give less than"),
    "less_than_equal": _limit("le", "is too large: give at most"),
    "too_short": _entries,
    "too_long": _entries,
    "string_too_short": _letters,
    "string_too_long": _letters,
    "literal_error": lambda limits, sent: f"{_quote(sent)} is not one of {limits['expected']}",
    "value_error": lambda limits, _: str(limits["error"]),
}
"""Our words by the name that pydantic has for a mistake; all others get `_ANY`."""
_ANY = _kind("not what belongs here: the description at /api/v1/docs says what does")


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
    words = _WORDS.get(same[-1]["type"], _ANY)(same[-1].get("ctx") or {}, same[-1].get("input"))
    if _SECRETS.intersection(path):
        words = words.replace(_quote(same[-1].get("input")), "this")
    field = ".".join(path) or None
    own = same[-1]["type"] == "value_error"  # a sentence of ours, which says what it is about
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
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
