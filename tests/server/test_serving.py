"""`felt serve` as a process: started, killed, started again, and stopped."""

import json
import os
import re
import signal
import ssl
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from felt.cli.app import run
from felt.server.web import serving

START = "from felt.cli.app import main; main()"


class Served:
    """A service in a process of its own."""

    def __init__(self, data: Path, *options: str) -> None:
        command = [sys.executable, "-c", START, "serve", "--no-open", "--port", "0", "--data", str(data), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ})
        line = self.process.stdout.readline()
        found = re.search(r"https?://\S+", line)
        assert found, line
        self.address = found[0]
        secure = self.address.startswith("https")
        self.trust = ssl.create_default_context(cafile=data / "tls" / "felt.crt") if secure else None

    def ask(self, path: str, body: object = None, **headers: str):
        data = None if body is None else json.dumps(body).encode()
        sent = {**headers, **({"Content-Type": "application/json"} if data else {})}
        asked = urllib.request.Request(f"{self.address}api/v1{path}", data, sent)
        with urllib.request.urlopen(asked, context=self.trust) as answer:
            return json.load(answer), answer.headers

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        with self.process.stdout:
            return self.process.wait(20)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def test_killed_and_started_again(tmp_path, kind, request):
    options = []
    if kind == "postgresql":
        options = ["--database", request.getfixturevalue("postgres_server").database(), "--tls-self"]
    served = Served(tmp_path, *options)
    me, told = served.ask("/session", {"name": "Ada"})
    headers = {"Cookie": told["set-cookie"].partition(";")[0], "X-Felt-Token": me["token"]}
    made, _ = served.ask("/tables", {"agents": ["call"], "time_limit": 600}, **headers)
    path = f"/tables/{made['table']['id']}"
    state: dict = {"turn": -1}
    while state["turn"] != 0:
        state, _ = served.ask(path, **headers)
    served.end(signal.SIGKILL)
    served = Served(tmp_path, *options)
    again, _ = served.ask(path, **headers)
    assert {**again, "deadline_ms": 0} == {**state, "deadline_ms": 0} and again["seats"][0]["cards"]
    assert served.end(signal.SIGINT) == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--host", "nowhere.invalid"], "cannot listen on"),
        (["--port", "99999"], "'99999' is too large: give 65,535 or less"),
        (
            ["--port", "0", "--database", "postgresql://ada:s3cret@127.0.0.1:1/felt"],
            "ada:***@127.0.0.1:1/felt",
        ),
        (["--port", "0", "--database", "mysql://ada:s3cret@host/felt"], "'mysql' is not supported"),
    ],
)
def test_where_it_cannot_be_served(args, words, tmp_path, capsys):
    assert run(["serve", "--no-open", "--data", str(tmp_path), *args]) == 2
    told = capsys.readouterr().err
    assert words in told and "s3cret" not in told and told.count("\n") == 1


def test_nobody_can_say_that_they_are_somebody_else(tmp_path, monkeypatch):
    configs = []
    monkeypatch.setattr(serving.FeltServer, "run", lambda server, sockets: configs.append(server.config))
    serving.run_service(tmp_path, host="127.0.0.1", port=0, announce=print)
    (config,) = configs
    config.load()
    assert config.proxy_headers is False and not isinstance(config.loaded_app, ProxyHeadersMiddleware)


@pytest.mark.long
def test_an_agent_that_never_answers_does_not_keep_the_service(tmp_path):
    (tmp_path / "bot.py").write_text(
        "import time\nfrom felt.agents import Agent\n\n\nclass Bot(Agent):\n"
        "    def act(self, view):\n        while True:\n            time.sleep(1)\n"
    )
    served = Served(tmp_path / "data", "--agent", f"slow={tmp_path / 'bot.py'}")
    state = {"game": "nlhe", "stacks": [200, 200], "cards": "AsAd"}
    told, _ = served.ask("/decide", {"agent": "slow", "state": state, "time_limit": 0.2})
    assert told["fallback"]
    assert served.end(signal.SIGINT) == 0
