"""The signature of a callback: Standard Webhooks (standardwebhooks.com), scheme v1.

The merchant's `whsec_` secret is base64 of the key; what is signed is `id.timestamp.body`.
"""

import base64
import hmac
from collections.abc import Sequence

CALLBACK_SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix, not a secret
_SCHEME = "v1"


def sign(webhook_id: str, timestamp: int, body: str, secrets: Sequence[str]) -> str:
    """Give the header `webhook-signature`: one signature a secret, the newest first.

    `timestamp` (Unix seconds) is that of the attempt, as in the header `webhook-timestamp`. While a
    secret is rotated there are two, and whoever knows either verifies.
    Raises: ValueError where there is no secret, or one that is not `whsec_<base64>`; never with it.
    """
    if not secrets:
        raise ValueError("nothing to sign with")
    signed = f"{webhook_id}.{timestamp}.{body}".encode()
    return " ".join(_signature(_key(secret), signed) for secret in secrets)


def _signature(key: bytes, signed: bytes) -> str:
    return f"{_SCHEME},{base64.b64encode(hmac.digest(key, signed, 'sha256')).decode()}"


def _key(secret: str) -> bytes:
    encoded = secret.removeprefix(CALLBACK_SECRET_PREFIX)
    try:
        key = b"" if encoded == secret else base64.b64decode(encoded, validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("a callback secret is whsec_ and base64")
    return key
