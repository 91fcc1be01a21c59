"""What browsers are told with every answer, and the page that describes the interface."""

import re

import pytest

from felt.server.net.middleware import SAFE
from tests.server.live_helpers import BASE, service


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with service(tmp_path_factory.mktemp("data"), hosts=frozenset({"testserver"})) as running:
        yield running


@pytest.mark.parametrize(
    "path", ["/", "/sw.js", f"{BASE}/health", f"{BASE}/docs", f"{BASE}/nothing", f"{BASE}/hands/x"]
)
def test_every_answer_is_guarded(client, path):
    told = client.get(path).headers
    assert {name: told.get(name) for name in SAFE} == dict(SAFE)
    policy = dict(part.split(" ", 1) for part in told["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'" and policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in str(policy) and "http" not in str(policy)


def test_refusals_too(client):
    assert client.get("/", headers={"Host": "evil.org"}).headers["x-content-type-options"] == "nosniff"
    with pytest.raises(Exception) as denied, client.websocket_connect(f"{BASE}/tables/none/live"):
        pass
    assert denied.value.headers["x-content-type-options"] == "nosniff" and denied.value.status_code == 404


def test_the_interface_is_described_without_anything_from_elsewhere(client):
    page = client.get(f"{BASE}/docs").text
    told = client.get(f"{BASE}/openapi.json").json()
    for path, methods in told["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in page
    assert (
        f'href="{BASE}/openapi.json"' in page
        and "HandReplay" in page
        and "answer: <code>list of Variant</code>" in page
    )
    assert "<script" not in page and "://" not in page and "<style" not in page
    known = {"html", "head", "meta", "link", "title", "body", "h1", "h2", "p", "a", "code", "ul", "li"}
    assert set(re.findall(r"</?([a-z0-9]+)", page)) == known


def test_hsts_under_tls(client):
    def told(url):
        return client.get(f"{url}{BASE}/health").headers.get("strict-transport-security")

    assert told("http://testserver") is None
    assert told("https://testserver") == "max-age=15552000"


def test_no_hsts_for_the_name_that_all_programs_of_a_machine_share(tmp_path):
    with service(tmp_path) as client:
        for host, sent in {"localhost": False, "127.0.0.1": True, "poker.lan": True}.items():
            told = client.get(f"https://{host}{BASE}/health").headers
            assert ("strict-transport-security" in told) == sent
