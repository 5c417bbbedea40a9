"""A push service's check of a push (RFC 8030, RFC 8292)."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

SIGNED = ec.ECDSA(SHA256())


@dataclass(frozen=True, slots=True)
class Vapid:
    """The content of a verified Authorization header; `key` is the sender's."""

    key: str
    header: dict[str, Any]
    claims: dict[str, Any]


def verified(headers: Mapping[str, str]) -> Vapid:
    """Check the signature of a push's token. Raises: InvalidSignature."""
    scheme, _, values = headers["authorization"].partition(" ")
    parts = dict(value.strip().split("=", 1) for value in values.split(","))
    assert (scheme, set(parts)) == ("vapid", {"t", "k"})
    text, _, signature = parts["t"].rpartition(".")
    raw = decoded(signature)
    assert len(raw) == 64
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    curve = ec.SECP256R1()
    key = ec.EllipticCurvePublicKey.from_encoded_point(curve, decoded(parts["k"]))
    key.verify(der, text.encode(), SIGNED)
    header, claims = (json.loads(decoded(part)) for part in text.split("."))
    return Vapid(parts["k"], header, claims)


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
