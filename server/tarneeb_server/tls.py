"""TLS as the settings ask for it: the certificate read and checked, the context made."""

from __future__ import annotations

import datetime as dt
import logging
import os
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tarneeb_protocol.codec import encode
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.fingerprint import fingerprint_of
from tarneeb_protocol.messages import PROTOCOL_VERSION, Refused
from tarneeb_server.logs import LOGGER_NAME, format_event
from tarneeb_server.tls_channel import TlsChannel

if TYPE_CHECKING:
    import socket
    from typing import NoReturn

    from cryptography import x509

    from tarneeb_server.settings import Settings

# cryptography is imported where it is used: a server without TLS starts the quicker for it.

LONGEST_FILE = 1 << 20
"""Bytes: the longest chains have some tens of thousands."""
PEM_CERTIFICATE = b"-----BEGIN CERTIFICATE-----"
PEM_KEY = b"PRIVATE KEY-----"
TLS_REQUIRED = encode(
    Refused(
        code=ErrorCode.TLS_REQUIRED.value,
        message="this server speaks TLS alone; connect again with TLS",
        protocol_min=PROTOCOL_VERSION,
        protocol_max=PROTOCOL_VERSION,
    )
)
"""What a client gets, in plain bytes, that begins without TLS."""
READABLE_BY_OTHERS = 0o077

logger = logging.getLogger(LOGGER_NAME)


class CannotUseTlsError(Exception):
    """A certificate or its key cannot be used; the text names flag and file, and says what is accepted."""


@dataclass(frozen=True, slots=True)
class ServerTls:
    """What every connection of a server with TLS shares."""

    context: ssl.SSLContext
    fingerprint: str

    def open_channel(self, sock: socket.socket) -> TlsChannel:
        """The channel of a connection that was just accepted."""
        return TlsChannel(sock, self.context, TLS_REQUIRED)


def chosen(settings: Settings) -> ServerTls | None:
    """TLS as the settings ask for it, ``None`` for a server without. Raises ``CannotUseTlsError``."""
    if settings.tls_cert is not None and settings.tls_key is not None:
        return load(settings.tls_cert, settings.tls_key)
    if settings.tls == "self-made":
        from tarneeb_server.self_made import self_made  # noqa: PLC0415

        return self_made(settings.data_dir)
    return None


def load(
    certificate_file: str, key_file: str, flags: tuple[str, str] = ("--tls-cert", "--tls-key")
) -> ServerTls:
    """TLS with a certificate and its key from files in PEM; both may be in one file.

    ``flags`` are what the files were given by. Raises ``CannotUseTlsError``. A certificate that is out of its
    time is used, with a warning: whoever knows its fingerprint can still be sure of the server.
    """
    certificate_flag, key_flag = flags
    chain = _read(certificate_file, certificate_flag)
    certificate = _first_certificate(chain, certificate_file, certificate_flag)
    if PEM_KEY not in _read(key_file, key_flag):
        raise CannotUseTlsError(
            f"{key_flag}: {key_file} holds no private key; accepted is the key of the certificate, in PEM,"
            " not encrypted"
        )
    context = make_context()
    try:
        context.load_cert_chain(certificate_file, key_file, password=_refuse_to_ask)
    except _EncryptedError:
        raise CannotUseTlsError(
            f"{key_flag}: the key in {key_file} is encrypted, and nobody is there to type its password;"
            " accepted is an unencrypted one, as openssl pkey -in FILE -out NEW_FILE writes it"
        ) from None
    except ssl.SSLError as error:
        if getattr(error, "reason", None) == "KEY_VALUES_MISMATCH":
            raise CannotUseTlsError(
                f"{key_flag}: the key in {key_file} is not that of the certificate in {certificate_file}, which"
                " is the first one there"
            ) from None
        raise CannotUseTlsError(
            f"{certificate_flag}: OpenSSL does not take {certificate_file} with the key in {key_file}"
            f" ({_in_words(error)}); accepted are a certificate and its key in PEM, such as openssl or certbot"
            " makes"
        ) from None
    except OSError as error:
        raise CannotUseTlsError(f"{certificate_flag}: {certificate_file}: {error.strerror}") from None
    _warn_if_out_of_time(certificate, certificate_file)
    _warn_if_readable(key_file)
    return ServerTls(context, _fingerprint(certificate))


def make_context() -> ssl.SSLContext:
    """TLS 1.2 or later, without what makes connections costly or long-lived secrets: renegotiation, tickets."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION | ssl.OP_NO_TICKET
    context.num_tickets = 0
    return context


class _EncryptedError(Exception):
    """OpenSSL asks for the password of a key."""


def _refuse_to_ask() -> NoReturn:
    raise _EncryptedError


def _read(file: str, flag: str) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            content = stream.read(LONGEST_FILE + 1)
    except OSError as error:
        raise CannotUseTlsError(f"{flag}: {file} cannot be read: {error.strerror}") from None
    if len(content) > LONGEST_FILE:
        raise CannotUseTlsError(f"{flag}: {file} is too long; accepted are {LONGEST_FILE >> 20} MiB of PEM")
    return content


def _first_certificate(chain: bytes, file: str, flag: str) -> x509.Certificate:
    from cryptography import x509  # noqa: PLC0415

    try:
        return x509.load_pem_x509_certificate(chain[chain.index(PEM_CERTIFICATE) :])
    except ValueError:
        raise CannotUseTlsError(
            f"{flag}: {file} holds no certificate that can be read; accepted is PEM, the server's certificate"
            " first, then those that vouch for it"
        ) from None


def _fingerprint(certificate: x509.Certificate) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding  # noqa: PLC0415

    return fingerprint_of(certificate.public_bytes(Encoding.DER))


def _warn_if_out_of_time(certificate: x509.Certificate, file: str) -> None:
    now = dt.datetime.now(dt.UTC)
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if now > ends:
        logger.warning(
            "%s", format_event("tls_certificate_expired", (("file", file), ("on", f"{ends:%Y-%m-%d}")))
        )
    elif now < begins:
        logger.warning(
            "%s",
            format_event("tls_certificate_not_valid_yet", (("file", file), ("from", f"{begins:%Y-%m-%d}"))),
        )


def _warn_if_readable(key_file: str) -> None:
    if os.name == "posix" and Path(key_file).stat().st_mode & READABLE_BY_OTHERS:
        logger.warning("%s", format_event("tls_key_readable_by_others", (("file", key_file),)))


def _in_words(error: ssl.SSLError) -> str:
    return (getattr(error, "reason", None) or "it gives no reason").replace("_", " ").lower()
