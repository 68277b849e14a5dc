"""Connections to a server: in plain, or over TLS to a server whose certificate is accepted.

A certificate is accepted when it has the fingerprint that the player asked for; else when it is what the server
showed before; else, the first time, when an authority of the system vouches for it, or when the player is told
its fingerprint. Nothing is said to a server before that.
"""

from __future__ import annotations

import errno
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio
from anyio.abc import ByteStream
from anyio.streams.tls import TLSAttribute, TLSStream

from tarneeb_client.addresses import Address
from tarneeb_client.known_servers import AUTHORITY, CannotTellError, KnownServers
from tarneeb_client.language import _
from tarneeb_client.wording import security as wording
from tarneeb_protocol.fingerprint import fingerprint_of

CONNECT_SECONDS = 10.0
"""How long a server may take to accept, and again for the handshake of TLS."""

Dial = Callable[[], Awaitable[ByteStream]]
"""Makes a new connection; raises ``OSError`` or ``Untrusted`` when there is none."""


def tcp(address: Address) -> Dial:
    """A ``Dial`` in plain, to whichever of the host's addresses answers first."""

    async def dial() -> ByteStream:
        with anyio.fail_after(CONNECT_SECONDS):
            return await anyio.connect_tcp(address.host, address.port)

    return dial


class Untrusted(Exception):
    """No connection to a server that can be trusted. The text is for a person and may have several lines;
    ``brief`` has one.

    ``code`` is ``certificate_changed``, ``certificate_unknown``, ``no_tls`` or ``known_servers_unreadable``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.brief = wording.brief(code)


def _nobody(text: str) -> None:
    del text


@dataclass(frozen=True, slots=True)
class Security:
    """What a player asks of the connections to a server.

    ``tls``: never in plain; without it TLS is used where the server asks for it or had it before.
    ``fingerprint``, as ``parse_fingerprint`` returns it: TLS, with this certificate alone. ``known`` remembers
    what servers showed; without it no certificate is accepted at first sight. ``tell`` gets a sentence for the
    player when one is.
    """

    tls: bool = False
    fingerprint: str | None = None
    known: KnownServers | None = None
    tell: Callable[[str], None] = _nobody


def peer_fingerprint(stream: ByteStream) -> str | None:
    """The fingerprint of the certificate at the other end; ``None`` for a stream in plain."""
    certificate: bytes | None = stream.extra(  # noqa: S610  (anyio's, not Django's)
        TLSAttribute.peer_certificate_binary, None
    )
    return None if certificate is None else fingerprint_of(certificate)


class Dialler:
    """A ``Dial`` to one address, for any number of links. Once it has used TLS it never goes back to plain.

    Raises ``Untrusted`` when what is known of servers cannot be read.
    """

    def __init__(self, address: Address, security: Security = Security()) -> None:
        self._address = address
        self._connect = tcp(address)
        self._security = security
        self._expected = security.fingerprint or self._known()
        self._uses_tls = security.tls or self._expected is not None
        self._first_time = anyio.Lock()

    @property
    def uses_tls(self) -> bool:
        """Whether the next connection will be over TLS."""
        return self._uses_tls

    def demand_tls(self) -> None:
        """The server asks for TLS."""
        self._uses_tls = True

    async def __call__(self) -> ByteStream:
        """A new connection. Raises ``OSError``, ``TimeoutError`` or ``Untrusted``."""
        if not self._uses_tls:
            return await self._connect()
        if self._expected is None:
            async with self._first_time:
                if self._expected is None:
                    return await self._meet()
        if self._expected == AUTHORITY:
            return await self._vouched_for()
        return await self._as_expected(self._expected)

    # ---------------------------------------------------------------- which certificate is accepted

    async def _as_expected(self, expected: str) -> ByteStream:
        stream, shown = await self._over_tls(_unverified())
        if shown == expected:
            if expected == self._security.fingerprint:
                self._remember(expected)
            return stream
        await anyio.aclose_forcefully(stream)
        if expected == self._security.fingerprint:
            raise Untrusted("certificate_changed", wording.not_the_given(expected, shown))
        raise Untrusted("certificate_changed", wording.changed(self._address, expected, shown))

    async def _vouched_for(self) -> ByteStream:
        try:
            stream, _ = await self._over_tls(ssl.create_default_context())
        except ssl.SSLCertVerificationError as error:
            why, shown = wording.ssl_reason(error), await self._look()
            raise Untrusted(
                "certificate_changed", wording.vouched_for_no_more(self._address, why, shown)
            ) from None
        return stream

    async def _meet(self) -> ByteStream:
        """The first connection over TLS."""
        if (met_meanwhile := self._known()) is not None:
            self._expected = met_meanwhile
            return await self()
        try:
            stream, _ = await self._over_tls(ssl.create_default_context())
        except ssl.SSLCertVerificationError as error:
            why = wording.ssl_reason(error)
        else:
            self._expected = AUTHORITY
            self._remember(AUTHORITY)
            return stream
        if self._security.known is None:
            raise Untrusted("certificate_unknown", wording.unknown(why, await self._look()))
        stream, shown = await self._over_tls(_unverified())
        self._security.tell(wording.first_time(self._address, shown, why))
        self._expected = shown
        self._remember(shown)
        return stream

    async def _look(self) -> str:
        """The fingerprint that the server shows, of a connection on which nothing is said."""
        stream, shown = await self._over_tls(_unverified())
        await anyio.aclose_forcefully(stream)
        return shown

    def _known(self) -> str | None:
        known = self._security.known
        if known is None:
            return None
        try:
            return known.get(self._address)
        except CannotTellError as error:
            raise Untrusted("known_servers_unreadable", str(error)) from None

    def _remember(self, shown: str) -> None:
        known = self._security.known
        if known is None:
            return
        try:
            if known.get(self._address) != shown:
                known.remember(self._address, shown)
        except OSError as error:
            self._security.tell(wording.not_remembered(f"{known.path}: {error.strerror}"))
        except CannotTellError as error:
            self._security.tell(wording.not_remembered(str(error)))

    # ---------------------------------------------------------------- streams

    async def _over_tls(self, context: ssl.SSLContext) -> tuple[ByteStream, str]:
        """A new stream over TLS, and the fingerprint at its other end. Raises ``ssl.SSLCertVerificationError``
        as the context wants it, ``Untrusted`` when the other end does not speak TLS.
        """
        try:
            stream = await _over_tls(self._address, context)
        except ssl.SSLCertVerificationError:
            raise
        except ssl.SSLError as error:
            was_there = self._expected is not None and self._expected != self._security.fingerprint
            reason = wording.ssl_reason(error)
            raise Untrusted("no_tls", wording.no_tls(self._address, reason, was_there=was_there)) from None
        shown = peer_fingerprint(stream)
        assert shown is not None  # noqa: S101  (no handshake is over without the server's certificate)
        return stream, shown


async def _over_tls(address: Address, context: ssl.SSLContext) -> ByteStream:
    """A new stream over TLS. Raises ``ssl.SSLError``, which is an ``OSError``, for a handshake that fails."""
    plain = await tcp(address)()
    try:
        with anyio.fail_after(CONNECT_SECONDS):
            return await _TlsStream.wrap(
                plain,
                hostname=address.host.partition("%")[0],
                ssl_context=context,
                standard_compatible=False,  # a goodbye tells whether all was said
            )
    except BaseException as error:
        with anyio.CancelScope(shield=True):
            await anyio.aclose_forcefully(plain)
        if isinstance(error, anyio.EndOfStream | anyio.BrokenResourceError):
            raise ConnectionAbortedError(
                errno.ECONNABORTED, _("the connection was closed in the handshake of TLS")
            ) from None
        if isinstance(error, ValueError) and not isinstance(error, ssl.SSLError):
            raise ssl.SSLError(ssl.SSL_ERROR_SSL, _("no name for TLS: {reason}").format(reason=error)) from None
        raise


class _TlsStream(TLSStream):
    """As anyio's, but a stream that somebody has damaged on the way is one that broke."""

    async def receive(self, max_bytes: int = 65536) -> bytes:
        """See ``ByteStream``."""
        try:
            return await super().receive(max_bytes)
        except ssl.SSLError as error:
            raise anyio.BrokenResourceError from error

    async def send(self, item: bytes) -> None:
        """See ``ByteStream``."""
        try:
            await super().send(item)
        except ssl.SSLError as error:
            raise anyio.BrokenResourceError from error


def _unverified() -> ssl.SSLContext:
    """For a certificate that is compared with a fingerprint instead: only whoever has its key gets through the
    handshake.
    """
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
