"""TLS as the kit speaks it to a server: any certificate will do, or one alone."""

from __future__ import annotations

import base64
import hashlib
import ssl

import anyio
from anyio.abc import ByteStream
from anyio.streams.tls import TLSAttribute, TLSStream

from tarneeb_client.conformance.outcome import Failed


class _Stream(TLSStream):
    """A stream that broke is told like one without TLS."""

    async def receive(self, max_bytes: int = 65536) -> bytes:
        try:
            return await super().receive(max_bytes)
        except ssl.SSLError as error:
            raise anyio.BrokenResourceError from error

    async def send(self, item: bytes) -> None:
        try:
            await super().send(item)
        except ssl.SSLError as error:
            raise anyio.BrokenResourceError from error


async def secured(stream: ByteStream, seconds: float, fingerprint: str | None = None) -> ByteStream:
    """TLS over a new connection. Raises ``Failed`` when the server does not speak it in so many seconds, or has
    another certificate than that with the fingerprint.
    """
    # What is played here is no secret: a server is checked, not trusted.
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        with anyio.fail_after(seconds):
            secure = await _Stream.wrap(
                stream, server_side=False, ssl_context=context, standard_compatible=False
            )
    except (ssl.SSLError, TimeoutError, anyio.EndOfStream, anyio.BrokenResourceError) as error:
        await anyio.aclose_forcefully(stream)
        raise Failed(f"no TLS could be had: {getattr(error, 'reason', None) or error!r}") from None
    shown = secure.extra(TLSAttribute.peer_certificate_binary)  # noqa: S610  (no database is near)
    seen = "SHA256:" + base64.b64encode(hashlib.sha256(shown or b"").digest()).decode("ascii").rstrip("=")
    if fingerprint is not None and seen != fingerprint:
        await anyio.aclose_forcefully(secure)
        raise Failed(f"the server's certificate has the fingerprint {seen}, not {fingerprint}")
    return secure
