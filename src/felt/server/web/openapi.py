"""The service's description as JSON: `python -m felt.server.web.openapi`. The page's client is made from it.

The description carries a fingerprint of its paths and types (not of their prose), which the client keeps, so that a
test can say when the client is older than the service.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from felt.server.web.app import create_app

_PROSE = ("description", "summary", "title", "example", "examples")


def described() -> dict[str, Any]:
    """OpenAPI 3.1, with `info.x-fingerprint`."""
    description = create_app(Path("unused")).openapi()
    description["info"]["x-fingerprint"] = fingerprint(description)
    return description


def fingerprint(description: dict[str, Any]) -> str:
    """Sixteen hex digits that change with the paths and types of a description."""
    bare = json.dumps(_bare([description["paths"], description["components"]]), sort_keys=True)
    return hashlib.sha256(bare.encode()).hexdigest()[:16]


def _bare(node: Any) -> Any:
    if isinstance(node, list):
        return [_bare(item) for item in node]
    if not isinstance(node, dict):
        return node
    # a property may be called "title": prose is a text (or a list of examples), a property is a mapping
    return {key: _bare(value) for key, value in node.items() if key not in _PROSE or isinstance(value, dict)}


if __name__ == "__main__":
    print(json.dumps(described(), indent=1))
