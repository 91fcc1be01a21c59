"""The page's client is made from the service's description, and is not older than it."""

from pathlib import Path

from felt.server.web.openapi import described, fingerprint

SCHEMA = Path(__file__).parents[2] / "web" / "src" / "client" / "schema.ts"


def test_the_client_is_as_new_as_the_service() -> None:
    told = described()["info"]["x-fingerprint"]
    first = SCHEMA.read_text(encoding="utf-8").splitlines()[0]
    assert told in first, "the page's client is stale: run `npm run client` in web/"


def test_prose_does_not_count_and_types_do() -> None:
    def one(kind: str, words: str) -> str:
        field = {"title": {"type": kind, "description": words}}
        return fingerprint({"paths": {}, "components": {"schemas": {"Game": {"title": words, "properties": field}}}})

    assert one("string", "a") == one("string", "b")
    assert one("string", "a") != one("integer", "a")
