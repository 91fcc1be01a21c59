"""The description of the API holds: whatever it allows is answered as it says, and nothing makes the service fail.

Schemathesis makes the requests, right and wrong ones, from `/api/v1/openapi.json`; they go to a real server.
"""

import os
import threading
import time
from pathlib import Path

import pytest
import requests
import schemathesis
import uvicorn
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from felt.server.web.app import create_app
from felt.server.web.serving import listen
from tests.server.live_helpers import BASE, MANY, QUICK, plain_move

LONG = bool(os.environ.get("FELT_SLOW_TESTS"))
EXAMPLES = 60 if LONG else 3
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


class Somebody:
    """A guest of a real server, at a table where a hand was played, and at another that may be closed."""

    def __init__(self, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self.base = self.root + BASE
        self.headers, self.others = self.session("Ada"), self.session("Bo")
        self.here, self.spare = (self.post("/tables", agents=["call"]).json()["table"]["id"] for _ in range(2))
        while (state := self.get(f"/tables/{self.here}").json())["hand"] < 2:
            if state["turn"] == 0:
                self.post(f"/tables/{self.here}/act", **plain_move(state))

    def session(self, name: str) -> dict[str, str]:
        answer = requests.post(f"{self.base}/session", json={"name": name}, timeout=10)
        return {"X-Felt-Token": answer.json()["token"], "Cookie": f"felt_session={answer.cookies['felt_session']}"}

    def get(self, path: str) -> requests.Response:
        return requests.get(self.base + path, headers=self.headers, timeout=10)

    def post(self, path: str, **body: object) -> requests.Response:
        return requests.post(self.base + path, json=body, headers=self.headers, timeout=10)


@pytest.fixture(scope="module")
def guest(tmp_path_factory):
    app = create_app(tmp_path_factory.mktemp("data"), pace=QUICK, limits=MANY)
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Somebody(listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


schema = schemathesis.openapi.from_dict(create_app(Path("never started")).openapi())
schema.config.phases.coverage.enabled = LONG


@pytest.mark.grows
@schema.parametrize()
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
def test_whatever_is_asked_is_answered_as_described(case, guest):
    if "table" in case.path_parameters:
        case.path_parameters["table"] = guest.spare if case.path.endswith(("/close", "/leave")) else guest.here
    if "hand" in case.path_parameters:
        case.path_parameters["hand"] = f"{guest.here}-1"
    if "wait" in (case.query or {}):
        case.query["wait"] = "0"
    headers = guest.others if "/account/" in case.path else guest.headers  # who may be logged out
    case.call_and_validate(base_url=guest.root, headers=headers, checks=CHECKS)


def test_what_is_described_is_there(guest):
    for path in (f"/tables/{guest.here}/statistics", f"/hands/{guest.here}-1", "/statistics", "/hands", "/me"):
        assert guest.get(path).status_code == 200, path
