"""Sentences about the connection to a server."""

from __future__ import annotations

import math
import shlex

from tarneeb_client.language import _, plural
from tarneeb_client.link_items import LinkLost
from tarneeb_client.wording.refusals import refusal_text
from tarneeb_protocol.errors import ErrorCode
from tarneeb_protocol.messages import PROTOCOL_VERSION, Goodbye, Refused
from tarneeb_protocol.text import harmless


def duration(seconds: float) -> str:
    """Minutes and seconds: ``1:52``."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def spelled_duration(seconds: float) -> str:
    """Minutes and seconds in words: ``2 minutes``, ``1 minute 5 seconds``."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    in_minutes = plural("{number} minute", "{number} minutes", minutes).format(number=minutes)
    in_seconds = plural("{number} second", "{number} seconds", rest).format(number=rest)
    if not minutes:
        return in_seconds
    return _("{minutes} {seconds}").format(minutes=in_minutes, seconds=in_seconds) if rest else in_minutes


def no_answer() -> str:
    """The server does not answer in time."""
    return _("the server does not answer")


def no_connection(error: OSError) -> str:
    """No connection could be made."""
    if isinstance(error, ConnectionRefusedError) or _has_refused(error):
        return _("no server listens there")
    return _("no connection: {reason}").format(reason=harmless(error.strerror or str(error)))


def _has_refused(error: OSError) -> bool:
    """Several addresses were tried, and each refused."""
    cause = error.__cause__
    if isinstance(cause, BaseExceptionGroup):
        return all(isinstance(each, ConnectionRefusedError) for each in cause.exceptions)
    return isinstance(cause, ConnectionRefusedError)


def no_welcome(reason: str) -> str:
    """The connection ended before the server's welcome."""
    return _("what answers there does not greet as a Tarneeb server: {reason}").format(reason=reason)


def refused(refusal: Refused) -> str:
    """The server refused the hello."""
    if refusal.code == ErrorCode.UNSUPPORTED_VERSION:
        if refusal.protocol_min > PROTOCOL_VERSION:
            sentence = _(
                "the server speaks protocol {server}, this client speaks {own}: a newer client is needed"
            )
        else:
            sentence = _(
                "the server speaks protocol {server}, this client speaks {own}: a newer server is needed"
            )
        server = versions(refusal.protocol_min, refusal.protocol_max)
        return sentence.format(server=server, own=PROTOCOL_VERSION)
    reason = refusal_text(refusal.code, refusal.message)
    if refusal.code == ErrorCode.WRONG_PASSWORD:
        return _("{reason} (give the server's password with --password-file FILE)").format(reason=reason)
    if refusal.code == ErrorCode.BAD_NAME:
        return _("{reason} (choose another name with --name)").format(reason=reason)
    return _("the server refused: {reason} ({code})").format(reason=reason, code=harmless(refusal.code))


def versions(lowest: int, highest: int) -> str:
    """The versions of the protocol that a server speaks."""
    if lowest == highest:
        return str(lowest)
    return _("{first} to {last}").format(first=lowest, last=highest)


def goodbye(message: Goodbye) -> str:
    """The server said goodbye."""
    if message.code == ErrorCode.SUPERSEDED:
        return _("another client took over this seat")
    if message.code == ErrorCode.SHUTDOWN:
        return _("the server is stopping")
    reason = refusal_text(message.code, message.message) or _("no reason given")
    return _("the server ended the connection: {reason} ({code})").format(
        reason=reason, code=harmless(message.code)
    )


def silence(seconds: float) -> str:
    """Nothing was received for so long that the connection counts as dead."""
    return _("nothing was heard from the server for {seconds} s").format(seconds=int(seconds))


def closed() -> str:
    """The connection is gone without a goodbye."""
    return _("the connection was closed")


def broken_protocol(fault: str) -> str:
    """The server sent what no server may send."""
    return _("the server broke the protocol: {fault}").format(fault=harmless(fault))


def unreadable_reply(fault: str) -> str:
    """A reply that is not what the protocol says."""
    return _("the server's answer cannot be read: {fault}").format(fault=harmless(fault))


def given_up(reason: str) -> str:
    """The link gives up on a server that breaks the protocol again and again."""
    return _("given up on this server: {reason}").format(reason=reason)


def session_lost() -> str:
    """A request was not answered before its session was lost."""
    return _("the server no longer knew the session; the request may not have been done")


def lost_link(lost: LinkLost, *, has_seat: bool, is_first: bool) -> str:
    """The link was lost, or an attempt to get it back failed."""
    sentence = _("! Link lost ({reason}). {next}.") if is_first else _("! Link still lost ({reason}). {next}.")
    seconds = round(lost.retry_seconds)
    next_try = _("Next try in {seconds} s").format(seconds=seconds) if seconds else _("Next try at once")
    return sentence.format(reason=lost.reason, next=_with_held(next_try, lost, has_seat=has_seat))


def _with_held(sentence: str, lost: LinkLost, *, has_seat: bool) -> str:
    """The sentence, and how long the seat is held where that is known."""
    if lost.held_seconds is None:
        return sentence
    if lost.held_seconds:
        held = _("{sentence}; seat held {time}") if has_seat else _("{sentence}; place held {time}")
    else:
        held = _("{sentence}; seat no longer held") if has_seat else _("{sentence}; place no longer held")
    return held.format(sentence=sentence, time=duration(lost.held_seconds))


def lost_link_status(lost: LinkLost, *, has_seat: bool) -> str:
    """The same for a line that is drawn anew each second."""
    seconds = math.ceil(lost.retry_seconds)
    attempt = (
        _("try {number} in {seconds} s").format(number=lost.attempt, seconds=seconds)
        if seconds
        else _("try {number} under way").format(number=lost.attempt)
    )
    return _("Link lost: {state}; retry to try now").format(state=_with_held(attempt, lost, has_seat=has_seat))


def other_away(name: str, seconds: float) -> str:
    """Another player is away, for a line that is drawn anew each second."""
    # A server that began anew holds seats for longer than it said before.
    if seconds < 1:
        return _("{name} is away").format(name=name)
    return _("{name} is away, seat held {time}").format(name=name, time=duration(seconds))


def still_held(seconds: int) -> str:
    """So much is left of the time for which the player's own seat is held while the link is lost."""
    if seconds == 0:
        return _(
            "! The time for which your seat was held is over: it is given up by now, unless the server was "
            "away too."
        )
    return _("! Your seat is held for {time} more.").format(time=spelled_duration(seconds))


def seat_given_up(table: int, table_name: str | None, *, has_seat: bool, grace_seconds: int) -> str:
    """The server no longer knew the session; ``grace_seconds`` is how long it said that it would."""
    if has_seat:
        sentence = _("your seat at table {table} was given up meanwhile (seats are held for {time})")
    else:
        sentence = _("your place at table {table} was given up meanwhile (places are kept for {time})")
    called = str(table) if table_name is None else f"{table} {harmless(table_name)}"
    return sentence.format(table=called, time=spelled_duration(grace_seconds))


def other_server(table: int, table_name: str | None, *, has_seat: bool) -> str:
    """What answers now is not the server that the player was on, by the id that it gives."""
    if has_seat:
        sentence = _(
            "this is another server than the one your seat at table {table} was on, or it lost its data"
        )
    else:
        sentence = _(
            "this is another server than the one with your place at table {table}, or it lost its data"
        )
    return sentence.format(table=str(table) if table_name is None else f"{table} {harmless(table_name)}")


def come_back(seconds: float, command: str, address: str, *, has_seat: bool) -> str:
    """The last line of a client that ends with its seat held."""
    if has_seat:
        sentence = _("Your seat is held for {time}: {command}")
    else:
        sentence = _("Your place is kept for {time}: {command}")
    return sentence.format(time=spelled_duration(seconds), command=command_to_return(command, address))


def ended_without_link(reason: str, address: str) -> str:
    """The last line of a client that ends when the time for which its seat was held is over."""
    sentence = _(
        "The link was lost ({reason}). If the server was away too, your seat may still be there: {command}"
    )
    return sentence.format(reason=reason, command=command_to_return("play", address))


def command_to_return(command: str, address: str) -> str:
    """What to type in a shell to be back."""
    return shlex.join(["tarneeb", command, address])
