"""The sessions shown in docs/service/rank-server.md, held with a real server and Felt's own measures."""

import re
from pathlib import Path

import pytest

from felt.server.rank.measures import felt_measures
from tests.server.helpers import running

PAGE = Path(__file__).parents[2] / "docs" / "service" / "rank-server.md"
SESSIONS = re.findall(r"^```text\n(> .*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def test_there_are_sessions() -> None:
    assert len(SESSIONS) >= 3


@pytest.mark.parametrize("session", SESSIONS, ids=range(len(SESSIONS)))
def test_session(session: str) -> None:
    """``>`` lines that stand together are sent together; tagged answers may come in any order."""
    with running(felt_measures()) as server, server.client() as client:
        for sent, answered in re.findall(r"((?:^> .*\n)+)((?:^< .*\n)+)", session, flags=re.MULTILINE):
            client.send(*[line[2:] for line in sent.splitlines()])
            expected = [line[2:] for line in answered.splitlines()]
            received = [client.read() for _ in expected]
            if "#" in sent:
                assert sorted(received) == sorted(expected)
            else:
                assert received == expected
