"""HTTPS: certificates that are given, and those that the service makes itself."""

import ssl
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from felt.cli.app import run
from felt.errors import FeltError
from felt.server.net import tls


def names_of(file):
    found = x509.load_pem_x509_certificate(file.read_bytes())
    told = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(one.value) for one in told}


def test_a_certificate_of_its_own(tmp_path, monkeypatch):
    made = tls.self_made(tmp_path, "poker.lan")
    certificate, key = (tmp_path / "tls" / name for name in ("felt.crt", "felt.key"))
    assert made == (str(certificate), str(key)) and tls.load_certificate(certificate, key) == made
    assert key.stat().st_mode & 0o777 == 0o600 and key.parent.stat().st_mode & 0o777 == 0o700
    assert names_of(certificate) == {"localhost", "127.0.0.1", "::1", "poker.lan"}
    before = certificate.read_bytes()
    tls.self_made(tmp_path, "poker.lan")
    tls.self_made(tmp_path, "127.0.0.1")
    assert certificate.read_bytes() == before, "it is still good"
    tls.self_made(tmp_path, "192.168.0.7")
    assert "192.168.0.7" in names_of(certificate)

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(days=tls.DAYS - tls.RENEW_DAYS + 1)

    before = certificate.read_bytes()
    monkeypatch.setattr(tls, "datetime", Later)
    tls.self_made(tmp_path, "192.168.0.7")
    assert certificate.read_bytes() != before, "it would have ended soon"
    key.write_text("broken")
    tls.self_made(tmp_path, "192.168.0.7")
    assert tls.load_certificate(certificate, key) and key.stat().st_mode & 0o777 == 0o600
    lasts = x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc
    assert lasts > datetime.now(UTC) + timedelta(days=tls.DAYS)


def test_files_that_cannot_be_used(tmp_path, capsys):
    one, other = (tls.self_made(tmp_path / name, "localhost") for name in "ab")
    text = tmp_path / "text"
    text.write_text("nothing")
    secret = serialization.load_pem_private_key((tmp_path / "a" / "tls" / "felt.key").read_bytes(), None)
    locked = tmp_path / "locked.key"
    form = serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"x")
    locked.write_bytes(secret.private_bytes(serialization.Encoding.PEM, *form))
    for certificate, key, words in [
        (one.certificate, tmp_path / "none", "none' cannot be read: No such file"),
        (tmp_path, one.key, "cannot be read: Is a directory"),
        (one.certificate, other.key, "the key does not belong to the certificate"),
        (one.certificate, locked, "protected by a passphrase"),
        (text, one.key, "no certificate and private key in PEM"),
        (one.certificate, text, "no certificate and private key in PEM"),
        (one.key, one.certificate, "no certificate and private key in PEM"),
    ]:
        assert run(["serve", "--no-open", "--data", str(tmp_path), "--tls", str(certificate), str(key)]) == 2
        told = capsys.readouterr().err
        assert words in told and told.count("\n") == 1, told
    assert run(["serve", "--tls", one.certificate, one.key, "--tls-self", "--data", str(tmp_path)]) == 2
    assert "exclude each other" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    with pytest.raises(FeltError, match=r"the folder .*file' cannot be used: File exists"):
        tls.self_made(tmp_path / "file", "localhost")


def test_browsers_that_trust_it_connect(tmp_path):
    made = tls.self_made(tmp_path, "localhost")
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=made.certificate)
    server.load_cert_chain(*made)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server, server_hostname="127.0.0.1"),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    for _ in range(4):
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
    assert ends[0].version() == "TLSv1.3"


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_names_by_which_a_machine_is_asked(tmp_path, monkeypatch, host):
    monkeypatch.setattr("socket.gethostname", lambda: "shed")
    certificate = tmp_path / "tls" / "felt.crt"
    tls.self_made(tmp_path, host)
    assert names_of(certificate) == {"localhost", "127.0.0.1", "::1", "shed"}
    tls.self_made(tmp_path, host, ["Poker.LAN:5252", "10.0.0.7", "[fd00::7]", "bücher.example"])
    more = {"poker.lan", "10.0.0.7", "fd00::7", "xn--bcher-kva.example"}
    assert names_of(certificate) == {"localhost", "127.0.0.1", "::1", "shed", *more}
    with pytest.raises(FeltError, match="is no name of a host"):
        tls.self_made(tmp_path, host, ["ü" * 70])
