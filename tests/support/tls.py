"""TLS for tests: authorities and certificates of their own, and clients that trust them or nobody."""

from __future__ import annotations

import datetime as dt
import functools
import socket
import ssl
import tempfile
from pathlib import Path
from typing import Self

import trio
import trustme

from support.wire_client import WireClient
from tarneeb_server.tls import ServerTls, load


@functools.cache
def authority() -> trustme.CA:
    """An authority that nobody knows but who is told."""
    return trustme.CA()


def issued(*names: str, ends_in: dt.timedelta = dt.timedelta(days=30)) -> trustme.LeafCert:
    """A certificate of the authority for these host names and addresses."""
    return authority().issue_cert(*names, not_after=dt.datetime.now(dt.UTC) + ends_in)


def write_certificate(folder: Path, certificate: trustme.LeafCert) -> tuple[str, str]:
    """Put certificate and key into files; their names."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(b"".join(blob.bytes() for blob in certificate.cert_chain_pems))
    key.write_bytes(certificate.private_key_pem.bytes())
    key.chmod(0o600)
    return str(cert), str(key)


def flags(folder: Path, certificate: trustme.LeafCert) -> list[str]:
    """Flags of ``tarneeb-server`` for a certificate whose files are put into this folder."""
    cert, key = write_certificate(folder, certificate)
    return ["--tls-cert", cert, "--tls-key", key]


@functools.cache
def server_tls() -> ServerTls:
    """TLS with a certificate of the authority for 127.0.0.1."""
    with tempfile.TemporaryDirectory() as folder:
        return load(*write_certificate(Path(folder), issued("127.0.0.1")))


def trusting() -> ssl.SSLContext:
    """A client's context that trusts the authority, and checks names."""
    context = ssl.create_default_context()
    authority().configure_trust(context)
    return context


def unverified() -> ssl.SSLContext:
    """A client's context that looks at no certificate."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class TlsWireClient(WireClient):
    """A client over TLS that trusts the authority."""

    @classmethod
    async def connect(cls, port: int, *, receive_buffer: int | None = None) -> Self:
        client = await super().connect(port, receive_buffer=receive_buffer)
        client.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        secured = trio.SSLStream(client.stream, trusting(), server_hostname="127.0.0.1", https_compatible=True)
        await secured.do_handshake()
        client.carrier = secured
        return client


class HandMadeTls:
    """A client's end of TLS on memory, for a test that moves every byte itself."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.incoming = ssl.MemoryBIO()
        self.outgoing = ssl.MemoryBIO()
        self.tls = (context or trusting()).wrap_bio(self.incoming, self.outgoing, server_hostname="127.0.0.1")

    def first_bytes(self) -> bytes:
        """The ClientHello."""
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            return self.outgoing.read()
        raise AssertionError("a handshake is not over before it has begun")

    async def shake_hands(self, stream: trio.SocketStream, piece: int = 1 << 20) -> None:
        """The whole handshake, sent in pieces of so many bytes."""
        while True:
            try:
                self.tls.do_handshake()
            except ssl.SSLWantReadError:
                await self.send_waiting(stream, piece)
                chunk = await stream.receive_some(65536)
                assert chunk, "the server ended the handshake"
                self.incoming.write(chunk)
            else:
                await self.send_waiting(stream, piece)
                return

    async def send_waiting(self, stream: trio.SocketStream, piece: int = 1 << 20) -> None:
        """Send what waits, in pieces of so many bytes."""
        waiting = self.outgoing.read()
        for at in range(0, len(waiting), piece):
            await stream.send_all(waiting[at : at + piece])
