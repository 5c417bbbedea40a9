"""VAPID: identify us to a push service (RFC 8292).

The token is a JWT (RFC 7519) with an ES256 signature (RFC 7518, 3.4). The key is in KMS, which
signs.
"""

import json
from dataclasses import dataclass, field
from typing import Final

from orderdesk.domain.ids import base64url

TOKEN_SECONDS: Final = 12 * 3600
"""How long a token is valid; RFC 8292 allows 24 hours."""

_HEADER: Final = {"typ": "JWT", "alg": "ES256"}
_POINT_BYTES: Final = 65  # an uncompressed point of P-256, at the end of its public key
_UNCOMPRESSED: Final = 4
_NUMBER_BYTES: Final = 32
_DER_SEQUENCE: Final = 0x30
_DER_INTEGER: Final = 0x02


class BadKeyAnswer(ValueError):
    """KMS did not return a P-256 key or signature."""


@dataclass(frozen=True, slots=True)
class Token:
    """A signed token for one push service, valid until `expires_at` (Unix seconds)."""

    text: str = field(repr=False)
    expires_at: int


def signing_input(origin: str, subject: str, expires_at: int) -> str:
    """Return the text to sign: the push service, the expiry and a contact.

    `subject` is a `mailto:` or `https:` address.
    """
    claims = {"aud": origin, "exp": expires_at, "sub": subject}
    return ".".join(base64url(json.dumps(part).encode()) for part in (_HEADER, claims))


def signed(text: str, der_signature: bytes) -> str:
    """Append the signature to the signed text. Raises: BadKeyAnswer."""
    return f"{text}.{base64url(_raw_signature(der_signature))}"


def authorization(token: Token, public_key: str) -> str:
    """Return the Authorization header of a push (RFC 8292, 3)."""
    return f"vapid t={token.text}, k={public_key}"


def public_key_of(der_key: bytes) -> str:
    """Return the public key in the format of browsers and push services. Raises: BadKeyAnswer."""
    point = der_key[-_POINT_BYTES:]
    if len(point) != _POINT_BYTES or point[0] != _UNCOMPRESSED:
        raise BadKeyAnswer
    return base64url(point)


def _raw_signature(der: bytes) -> bytes:
    """Convert a DER signature, two integers of up to 33 bytes, to JWT's two times 32 bytes."""
    if len(der) < 2 or der[0] != _DER_SEQUENCE or der[1] != len(der) - 2:  # noqa: PLR2004 - its head
        raise BadKeyAnswer
    r, rest = _integer(der[2:])
    s, rest = _integer(rest)
    if rest:
        raise BadKeyAnswer
    return r + s


def _integer(der: bytes) -> tuple[bytes, bytes]:
    """Return one DER integer as 32 bytes, and the rest of the input."""
    if len(der) < 2 or der[0] != _DER_INTEGER:  # noqa: PLR2004 - its head
        raise BadKeyAnswer
    end = 2 + der[1]
    number = int.from_bytes(der[2:end])
    if end > len(der) or number >> (8 * _NUMBER_BYTES):
        raise BadKeyAnswer
    return number.to_bytes(_NUMBER_BYTES), der[end:]
