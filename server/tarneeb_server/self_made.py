"""A certificate of the server's own making: made once, kept with its key in one file, used again.

Nobody vouches for it; clients remember its fingerprint.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import os
import tempfile
from pathlib import Path

import platformdirs
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tarneeb_server.logs import LOGGER_NAME, format_event
from tarneeb_server.tls import CannotUseTlsError, ServerTls, load

FILE_NAME = "self-made-tls.pem"
FLAG = "--tls self-made"

BEGINS_EARLIER = dt.timedelta(days=2)
"""For clients whose clock is behind."""
NEVER_ENDS = dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC)
"""What RFC 5280, 4.1.2.5, has for a certificate without an end: a fingerprint that is known does not go bad."""

logger = logging.getLogger(LOGGER_NAME)


def self_made(data_dir: str | None) -> ServerTls:
    """TLS with the server's own certificate, made if there is none yet.

    It is kept in the data directory, or else in the account's state directory; where that cannot be written, it
    is made for this run alone, with a warning. A file that is there and cannot be used is left as it is. Raises
    ``CannotUseTlsError``.
    """
    if data_dir is not None:
        try:
            return _kept_in(Path(data_dir))
        except OSError as error:
            raise CannotUseTlsError(
                f"{FLAG}: {Path(data_dir, FILE_NAME)} cannot be written: {error.strerror}"
            ) from None
    try:
        return _kept_in(state_dir())
    except OSError as error:
        logger.warning(
            "%s",
            format_event(
                "tls_certificate_not_kept",
                (("reason", error.strerror), ("so", "the fingerprint will be another after a restart")),
            ),
        )
    with tempfile.TemporaryDirectory(prefix="tarneeb-") as folder:
        return _kept_in(Path(folder))


def state_dir() -> Path:
    """Where this account's servers keep what they need and no data directory has."""
    return Path(platformdirs.user_state_path("tarneeb", appauthor=False)) / "server"


def _kept_in(folder: Path) -> ServerTls:
    file = folder / FILE_NAME
    if not file.exists():
        _write(file, make())
    try:
        return load(str(file), str(file), (FLAG, FLAG))
    except CannotUseTlsError as error:
        raise CannotUseTlsError(
            f"{error}. Put the file back from a copy, or delete it to have a new one made: friends are then"
            " told that the certificate is another"
        ) from None


def make() -> bytes:
    """A new certificate and its key, in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tarneeb server")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(dt.datetime.now(dt.UTC) - BEGINS_EARLIER)
        .not_valid_after(NEVER_ENDS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(file: Path, content: bytes) -> None:
    """Put the file there whole, for its owner alone; one that another server has just put there stays."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(temporary, file)
    finally:
        Path(temporary).unlink()
