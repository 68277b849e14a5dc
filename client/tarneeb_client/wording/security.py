"""Sentences about TLS and certificates."""

from __future__ import annotations

import ssl

from tarneeb_client.addresses import Address
from tarneeb_client.language import N_, _
from tarneeb_protocol.text import harmless

BRIEF = {
    "certificate_changed": N_("another certificate is there than before"),
    "certificate_unknown": N_("nobody vouches for the certificate"),
    "no_tls": N_("the connection there is not encrypted"),
    "known_servers_unreadable": N_("the file of known servers cannot be read"),
}
"""Why there is no connection, in a few words, by the code of ``dialling.Untrusted``."""


def brief(code: str) -> str:
    """The words of ``BRIEF`` in the language in use."""
    return _(BRIEF[code])


def first_time(address: Address, fingerprint: str, why: str) -> str:
    """A certificate that nobody vouches for is accepted because it is the first one there."""
    return _(
        "First time at {address} with encryption. Nobody vouches for the certificate ({why})."
        " Its fingerprint:\n  {fingerprint}\n"
        "The host sees the same one when the server starts: ask, if you want to be sure. From now on no other"
        " is taken."
    ).format(address=_typed(address), fingerprint=fingerprint, why=why)


def not_remembered(reason: str) -> str:
    """What a server showed could not be written down."""
    return _("It cannot be remembered, so that the next time will be a first time again: {reason}.").format(
        reason=harmless(reason)
    )


def changed(address: Address, before: str, now: str) -> str:
    """The server shows another certificate than before."""
    return _(
        "the certificate is not the one that was there before.\n"
        "  before: {before}\n"
        "  now:    {now}\n"
        "Somebody may be between you and the server, or the host has a new certificate. Ask for the"
        " fingerprint, which the host sees when the server starts. If it is the new one, type:\n"
        "  tarneeb forget {address}\n"
        "and connect again"
    ).format(address=_typed(address), before=before, now=now)


def not_the_given(given: str, now: str) -> str:
    """The server shows another certificate than the player asked for."""
    return _(
        "the certificate is not the one that was asked for.\n"
        "  asked for: {given}\n"
        "  there:     {now}\n"
        "Ask the host, who sees the fingerprint when the server starts"
    ).format(given=given, now=now)


def vouched_for_no_more(address: Address, why: str, now: str) -> str:
    """An authority vouched for the server's certificate before."""
    return _(
        "no authority vouches for the certificate any more ({why}).\n"
        "  now: {now}\n"
        "Somebody may be between you and the server, or the host has another certificate. Ask for the"
        " fingerprint. If it is this one, type:\n"
        "  tarneeb forget {address}\n"
        "and connect again"
    ).format(address=_typed(address), why=why, now=now)


def unknown(why: str, now: str) -> str:
    """Nobody vouches for the certificate, and nothing is accepted at first sight."""
    return _(
        "no authority vouches for the certificate ({why}).\n"
        "  there: {now}\n"
        "If the host says that it is the right one, ask for this fingerprint"
    ).format(why=why, now=now)


def no_tls(address: Address, reason: str, *, was_there: bool) -> str:
    """TLS is wanted and not to be had."""
    if was_there:
        sentence = _(
            "there is no TLS to be had ({reason}): the server does not speak it, or somebody is in between. "
            "It was there before. If the host has turned it off, type:\n"
            "  tarneeb forget {address}\n"
            "and connect again"
        )
    else:
        sentence = _(
            "there is no TLS to be had ({reason}): the server does not speak it, or somebody is in between. "
            "Without --tls and --fingerprint you would play there in plain"
        )
    return sentence.format(reason=reason, address=_typed(address))


def ssl_reason(error: BaseException) -> str:
    """What OpenSSL says, in a few words."""
    said = getattr(error, "verify_message", None) or getattr(error, "reason", None)
    if isinstance(error, ssl.SSLError) and not said:
        said = error.strerror
    if isinstance(error, ssl.SSLError) and said:
        return harmless(str(said).replace("_", " ").rstrip(".").lower())
    return _("the connection was closed")


def _typed(address: Address) -> str:
    """An address as it is typed in a shell, to which brackets are a pattern."""
    text = harmless(str(address))
    return f"'{text}'" if "[" in text else text
