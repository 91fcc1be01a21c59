"""Certificates for HTTPS: given ones, or one of the service's own making."""

import socket
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from felt.errors import FeltError
from felt.server.net.middleware import bare
from felt.store.private import close_to_others, make_folder, write_private

if TYPE_CHECKING:
    from cryptography import x509

DAYS = 365
RENEW_DAYS = 30  # a certificate that ends within so many days is made anew
FOLDER = "tls"


class Certificate(NamedTuple):
    """The files of a certificate and its private key."""

    certificate: str
    key: str


def load_certificate(certificate: Path, key: Path) -> Certificate:
    """Files that somebody has brought, if they can be used."""
    for file in (certificate, key):
        try:
            file.read_bytes()
        except OSError as error:
            raise FeltError(f"--tls: {str(file)!r} cannot be read: {error.strerror or error}") from None
    reason = _unusable(certificate, key)
    if reason:
        raise FeltError(f"--tls: {str(certificate)!r} and {str(key)!r} cannot be used: {reason}")
    return Certificate(str(certificate), str(key))


def self_made(data: Path, host: str, more: Iterable[str] = ()) -> Certificate:
    """A certificate for this machine in the data folder; made anew when it ends, or does not have all the names.

    Those are the host that is listened on, or where that is every address of the machine, the machine's name; and the
    ones that are given.
    """
    folder = data / FOLDER
    made = folder / "felt.crt", folder / "felt.key"
    own = [socket.gethostname()] if _is_any(host) else [host]
    names = list(dict.fromkeys(("localhost", "127.0.0.1", "::1", *own, *(bare(name).strip("[]") for name in more))))
    try:
        if not _good(*made, names):
            make_folder(data)
            close_to_others(data)
            make_folder(folder)
            _make(*made, names)
    except OSError as error:
        raise FeltError(f"--tls-self: {str(folder)!r} cannot be used: {error.strerror or error}") from None
    return Certificate(str(made[0]), str(made[1]))


def _is_any(host: str) -> bool:
    """Whether this is no address but stands for all of them."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return not host


def _unusable(certificate: Path, key: Path) -> str:
    """Why the two files are no certificate and its key; empty if they are."""
    encrypted = False

    def passphrase() -> str:
        nonlocal encrypted
        encrypted = True
        return ""

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=passphrase)
    except ssl.SSLError as error:
        if encrypted:
            return "the key is protected by a passphrase; save it without one"
        if "MISMATCH" in (error.reason or ""):
            return "the key does not belong to the certificate"
        return "they are no certificate and private key in PEM"
    except (OSError, ValueError) as error:
        return str(error)
    return ""


def _good(certificate: Path, key: Path, names: list[str]) -> bool:
    from cryptography import x509

    if not (certificate.is_file() and key.is_file()) or _unusable(certificate, key):
        return False
    loaded = x509.load_pem_x509_certificate(certificate.read_bytes())
    covered = loaded.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    lasts = loaded.not_valid_after_utc > datetime.now(UTC) + timedelta(days=RENEW_DAYS)
    return lasts and set(_alternatives(names)) <= set(covered)


def _make(certificate: Path, key: Path, names: list[str]) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID

    secret, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Felt")])
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    made = (
        x509.CertificateBuilder(name, name, secret.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName(_alternatives(names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(usage, critical=False)
        .sign(secret, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    write_private(key, secret.private_bytes(serialization.Encoding.PEM, *form))
    write_private(certificate, made.public_bytes(serialization.Encoding.PEM))


def _alternatives(names: list[str]) -> "list[x509.GeneralName]":
    from cryptography import x509

    alternatives: list[x509.GeneralName] = []
    for name in names:
        try:
            alternatives.append(x509.IPAddress(ip_address(name)))
        except ValueError:
            alternatives.append(x509.DNSName(_ascii(name)))
    return alternatives


def _ascii(name: str) -> str:
    try:
        return name if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        raise FeltError(f"--tls-self: {name!r} is no name of a host") from None
