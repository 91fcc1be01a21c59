"""The interface as a page to read, made from its description; it needs no script, and nothing from elsewhere."""

from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

_HEAD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: for programs</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg" type="image/svg+xml"></head><body>
<h1>{title} {version}: for programs</h1>
<p>Types of requests and answers are in <a href="{described}">{described}</a> (OpenAPI).
Errors are <code>{{"error": {{"code": "…", "message": "…", "field": null}}}}</code>.</p>"""
_METHODS = ("get", "put", "post", "patch", "delete")


def install(app: FastAPI, path: str) -> None:
    @app.get(path, include_in_schema=False)
    async def reference() -> HTMLResponse:
        return HTMLResponse(page(app.openapi(), described=str(app.openapi_url)))


def page(description: dict[str, Any], *, described: str) -> str:
    """The page for a description that is at the address `described`."""
    info = description["info"]
    head = _HEAD.format(title=escape(info["title"]), version=escape(info["version"]), described=escape(described))
    routes = (
        piece
        for path, methods in description["paths"].items()
        for method in _METHODS
        if method in methods
        for piece in _route(method, path, methods[method])
    )
    return "\n".join((head, *routes, "</body></html>"))


def _route(method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"<h2><code>{method.upper()} {escape(path)}</code></h2>"
    yield f"<p>{escape(operation.get('description') or operation.get('summary', ''))}</p>"
    rows = [*map(_parameter, operation.get("parameters", ())), *_bodies("body", operation.get("requestBody", {}))]
    answers = operation["responses"].items()
    rows += _bodies("answer", next((answer for code, answer in answers if code.startswith("2")), {}))
    if rows:
        yield "<ul>" + "".join(f"<li>{row}</li>" for row in rows) + "</ul>"


def _parameter(parameter: dict[str, Any]) -> str:
    needed = ", required" if parameter.get("required") and parameter["in"] != "path" else ""
    words = parameter.get("description") or ""
    return f"<code>{escape(parameter['name'])}</code> ({escape(parameter['in'])}{needed}) {escape(words)}".rstrip()


def _bodies(label: str, body: dict[str, Any]) -> list[str]:
    kinds = (_kind(content.get("schema", {})) for content in body.get("content", {}).values())
    return [f"{label}: <code>{escape(kind)}</code>" for kind in kinds if kind]


def _kind(schema: dict[str, Any]) -> str:
    """A type in a word: its name, or what it is made of.

    >>> _kind({"anyOf": [{"$ref": "#/components/schemas/Me"}, {"type": "null"}]})
    'Me or null'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", ""))
