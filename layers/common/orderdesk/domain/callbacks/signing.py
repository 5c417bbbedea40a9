"""The signature of a callback: Standard Webhooks (standardwebhooks.com), scheme v1.

The merchant's `whsec_` secret is the key in base64. The signed text is `id.timestamp.body`.
"""

import base64
import hmac
from collections.abc import Sequence

from orderdesk.domain.credentials import CALLBACK_SECRET_PREFIX

_SCHEME = "v1"


def sign(webhook_id: str, timestamp: int, body: str, secrets: Sequence[str]) -> str:
    """Return the header `webhook-signature`: one signature for each secret, the newest first.

    `timestamp` (Unix seconds) is the attempt's, as in the header `webhook-timestamp`. During a
    rotation there are two secrets, and a receiver verifies with either of them.
    Raises: ValueError if there is no secret, or if one is not `whsec_<base64>`. The error never
    contains the secret.
    """
    if not secrets:
        raise ValueError("nothing to sign with")
    signed = f"{webhook_id}.{timestamp}.{body}".encode()
    digests = (hmac.digest(_key(secret), signed, "sha256") for secret in secrets)
    return " ".join(f"{_SCHEME},{base64.b64encode(digest).decode()}" for digest in digests)


def _key(secret: str) -> bytes:
    encoded = secret.removeprefix(CALLBACK_SECRET_PREFIX)
    try:
        key = b"" if encoded == secret else base64.b64decode(encoded, validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("a callback secret is whsec_ and base64")
    return key
