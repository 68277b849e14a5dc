"""Sentences about the connection to a server."""

from __future__ import annotations

import math
import shlex

from tarneeb_client.link_items import LinkLost
from tarneeb_protocol.messages import PROTOCOL_VERSION, Goodbye, Refused
from tarneeb_protocol.text import harmless


def duration(seconds: float) -> str:
    """Minutes and seconds: ``1:52``."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def spelled_duration(seconds: float) -> str:
    """Minutes and seconds in words: ``2 minutes``, ``1 minute 5 seconds``."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    parts = [
        f"{count} {unit}{'' if count == 1 else 's'}"
        for count, unit in ((minutes, "minute"), (rest, "second"))
        if count
    ]
    return " ".join(parts) or "0 seconds"


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


def lost_link(lost: LinkLost, *, has_seat: bool, is_first: bool) -> str:
    """The link was lost, or an attempt to get it back failed."""
    verb = "lost" if is_first else "still lost"
    held = f"; {_held(lost, has_seat=has_seat)}" if lost.held_seconds is not None else ""
    return f"! Link {verb} ({lost.reason}). {_next_try(lost)}{held}."


def _next_try(lost: LinkLost) -> str:
    seconds = round(lost.retry_seconds)
    return f"Next try in {seconds} s" if seconds else "Next try at once"


def _held(lost: LinkLost, *, has_seat: bool) -> str:
    what = "seat" if has_seat else "place"
    return f"{what} held {duration(lost.held_seconds)}" if lost.held_seconds else f"{what} no longer held"


def lost_link_status(lost: LinkLost, *, has_seat: bool) -> str:
    """The same for a line that is drawn anew each second."""
    seconds = math.ceil(lost.retry_seconds)
    attempt = f"try {lost.attempt} in {seconds} s" if seconds else f"try {lost.attempt} under way"
    held = f"; {_held(lost, has_seat=has_seat)}" if lost.held_seconds is not None else ""
    return f"Link lost: {attempt}{held}; retry to try now"


def other_away(name: str, seconds: float) -> str:
    """Another player is away, for a line that is drawn anew each second."""
    # A server that began anew holds seats for longer than it said before.
    return f"{name} is away" + (f", seat held {duration(seconds)}" if seconds >= 1 else "")


def still_held(seconds: int) -> str:
    """So much is left of the time for which the player's own seat is held while the link is lost."""
    if seconds == 0:
        return (
            "! The time for which your seat was held is over: it is given up by now, unless the server was "
            "away too."
        )
    return f"! Your seat is held for {spelled_duration(seconds)} more."


def seat_given_up(table: int, table_name: str | None, *, has_seat: bool, grace_seconds: int) -> str:
    """The server no longer knew the session; ``grace_seconds`` is how long it said that it would."""
    name = "" if table_name is None else f" {harmless(table_name)}"
    what, held = ("seat", "seats are held") if has_seat else ("place", "places are kept")
    held += f" for {spelled_duration(grace_seconds)}"
    return f"your {what} at table {table}{name} was given up meanwhile ({held})"


def come_back(seconds: float, command: str, address: str, *, has_seat: bool) -> str:
    """The last line of a client that ends with its seat held."""
    what = "Your seat is held" if has_seat else "Your place is kept"
    return f"{what} for {spelled_duration(seconds)}: {command_to_return(command, address)}"


def command_to_return(command: str, address: str) -> str:
    """What to type in a shell to be back."""
    return shlex.join(["tarneeb", command, address])
