"""Sentences about the connection to a server."""

from __future__ import annotations

from tarneeb_protocol.messages import PROTOCOL_VERSION, Goodbye, Refused
from tarneeb_protocol.text import harmless


def duration(seconds: float) -> str:
    """Minutes and seconds: ``1:52``."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def no_answer() -> str:
    """The server does not answer in time."""
    return "the server does not answer"


def no_connection(error: OSError) -> str:
    """No connection could be made."""
    if isinstance(error, ConnectionRefusedError) or _has_refused(error):
        return "no server listens there"
    return f"no connection: {harmless(error.strerror or str(error))}"


def _has_refused(error: OSError) -> bool:
    """Several addresses were tried, and each refused."""
    cause = error.__cause__
    if isinstance(cause, BaseExceptionGroup):
        return all(isinstance(each, ConnectionRefusedError) for each in cause.exceptions)
    return isinstance(cause, ConnectionRefusedError)


def no_welcome(reason: str) -> str:
    """The connection ended before the server's welcome."""
    return f"what answers there does not greet as a Tarneeb server: {reason}"


def refused(refusal: Refused) -> str:
    """The server refused the hello."""
    if refusal.code == "unsupported_version":
        server = _versions(refusal.protocol_min, refusal.protocol_max)
        side = "a newer client" if refusal.protocol_min > PROTOCOL_VERSION else "a newer server"
        return f"the server speaks protocol {server}, this client speaks {PROTOCOL_VERSION}: {side} is needed"
    if refusal.code == "wrong_password":
        return f"{harmless(refusal.message)} (give the server's password with --password-file FILE)"
    return f"the server refused: {harmless(refusal.message)} ({harmless(refusal.code)})"


def _versions(lowest: int, highest: int) -> str:
    return str(lowest) if lowest == highest else f"{lowest} to {highest}"


def goodbye(message: Goodbye) -> str:
    """The server said goodbye."""
    if message.code == "superseded":
        return "another client took over this seat"
    if message.code == "shutdown":
        return "the server is stopping"
    text = harmless(message.message) or "no reason given"
    return f"the server ended the connection: {text} ({harmless(message.code)})"


def silence(seconds: float) -> str:
    """Nothing was received for so long that the connection counts as dead."""
    return f"nothing was heard from the server for {int(seconds)} s"


def closed() -> str:
    """The connection is gone without a goodbye."""
    return "the connection was closed"


def broken_protocol(fault: str) -> str:
    """The server sent what no server may send."""
    return f"the server broke the protocol: {harmless(fault)}"


def unreadable_reply(fault: str) -> str:
    """A reply that is not what the protocol says."""
    return f"the server's answer cannot be read: {harmless(fault)}"


def given_up(reason: str) -> str:
    """The link gives up on a server that breaks the protocol again and again."""
    return f"given up on this server: {reason}"


def session_lost() -> str:
    """A request was not answered before its session was lost."""
    return "the server no longer knew the session; the request may not have been done"
