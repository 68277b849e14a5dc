"""The fingerprint of a certificate: what people compare to know that a server is the one they mean.

It is the SHA-256 of the certificate's DER, all 256 bits, in the form that SSH made known: ``SHA256:`` and 43
characters of base64.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re

PREFIX = "SHA256:"
ACCEPTED = "SHA256: and 43 characters of base64, or 64 hexadecimal digits with or without colons"

_HEX = re.compile(r"(?:sha256 fingerprint=)?((?:[0-9a-f]{2}:?){31}[0-9a-f]{2})", re.IGNORECASE)
_BASE64 = re.compile(r"(?:sha256:)?([A-Za-z0-9+/]{43})=?", re.IGNORECASE)


def fingerprint_of(certificate: bytes) -> str:
    """The fingerprint of a certificate in DER."""
    return _written(hashlib.sha256(certificate).digest())


def parse_fingerprint(text: str) -> str:
    """A fingerprint as ``fingerprint_of`` writes it, from that form or from what ``openssl x509 -fingerprint
    -sha256`` prints. Raises ``ValueError`` that says what is accepted.
    """
    stripped = text.strip()
    if in_hex := _HEX.fullmatch(stripped):
        return _written(bytes.fromhex(in_hex[1].replace(":", "")))
    if in_base64 := _BASE64.fullmatch(stripped):
        try:
            digest = base64.b64decode(f"{in_base64[1]}=", validate=True)
        except binascii.Error:
            digest = b""
        # The last character has two bits to spare; a fingerprint has one way to be written.
        if (written := _written(digest)) == PREFIX + in_base64[1]:
            return written
    raise ValueError(f"no fingerprint: accepted are {ACCEPTED}")


def _written(digest: bytes) -> str:
    return PREFIX + base64.b64encode(digest).decode().rstrip("=")
