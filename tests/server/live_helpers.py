"""A service for tests: quick, and asked as a browser would."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from fastapi.testclient import TestClient

from felt.server.accounts.accounts import Passwords
from felt.server.net.limits import Limits
from felt.server.tables.settings import Pace
from felt.server.web.app import create_app
from felt.server.web.schemas.tables import Message, State

QUICK = Pace(after_hand=0.0, agent=0.0)
BASE = "/api/v1"
MANY = Limits(
    requests=None,
    decisions=None,
    tables=1e6,
    tables_at_once=10**6,
    changes=1e6,
    changes_at_once=10**6,
    sessions=1e6,
    sessions_at_once=10**6,
    logins=1e6,
    logins_at_once=10**6,
    renames=1e6,
    renames_at_once=10**6,
    name_seconds=0.0,
    studies=1e6,
    studies_at_once=10**6,
    decisions_waiting=100,
)
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@contextmanager
def service(data: Path, *, pace: Pace = QUICK, limits: Limits = MANY, **options: Any) -> Iterator[TestClient]:
    """The service over a folder, running."""
    app = create_app(data, pace=pace, limits=limits, passwords=Passwords(CHEAP), **options)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


class Guest:
    """Somebody in a browser of their own."""

    def __init__(self, client: TestClient, name: str = "Ada") -> None:
        self.client = client
        client.cookies.clear()
        answer = client.post(f"{BASE}/session", json={"name": name})
        assert answer.status_code == 200, answer.text
        self.me = answer.json()
        self.key = answer.cookies["felt_session"]
        client.cookies.clear()

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Felt-Token": self.me["token"], "Cookie": f"felt_session={self.key}"}

    def get(self, path: str) -> Any:
        return self.client.get(f"{BASE}{path}", headers=self.headers)

    def post(self, path: str, **body: Any) -> Any:
        return self.client.post(
            f"{BASE}{path}", content=json.dumps(body), headers={**self.headers, "Content-Type": "application/json"}
        )

    def table(self, **options: Any) -> str:
        answer = self.post("/tables", **{"agents": ["call"], "stack": 200, **options})
        assert answer.status_code == 201, answer.text
        return answer.json()["table"]["id"]

    def state(self, table: str) -> dict[str, Any]:
        told = self.get(f"/tables/{table}").json()
        State.model_validate(told)
        return told

    def live(self, table: str, since: int | None = None) -> Any:
        query = "" if since is None else f"?since={since}"
        return self.client.websocket_connect(f"{BASE}/tables/{table}/live{query}", headers=self.headers)


def refused(answer: Any, status: int, code: str) -> None:
    """Whether an answer is an error of the one shape."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["code"] == code and set(error) == {"code", "message", "field"}
    assert error["message"] and "\n" not in error["message"]


def read(socket: Any) -> dict[str, Any]:
    """The next message of the table."""
    message = socket.receive_json()
    Message.model_validate(message)
    return message


def plain_move(state: dict[str, Any]) -> dict[str, Any]:
    """Check, call, or keep one's cards."""
    legal, meant = state["legal"], {"hand": state["hand"], "step": state["step"]}
    if legal["exchange"]:
        least = legal["exchange"]["least"]
        own = next(seat["cards"] for seat in state["seats"] if seat and seat["seat"] == state["you"])
        return {**meant, "move": "exchange", "cards": "".join(own[:least])}
    return {**meant, "move": "call"}
