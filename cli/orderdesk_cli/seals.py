"""Seals of the books, verified from their files without the stack (contract section 13).

A file is the length of the signature (2 bytes), the signature, and the compressed JSON. What is
signed, with ECDSA on P-256, is the SHA-256 of the JSON, which is the seal's hash too.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class VerifiedFile:
    """A seal's file: its place in the chain (Unix seconds), its counts, and its signature."""

    end: int
    hash: str
    before: tuple[int, str] | None
    accounts: int
    findings: int
    signature: bytes

    @classmethod
    def read(cls, stored: bytes) -> "VerifiedFile":
        """Return the seal of a file's bytes. Raises: ValueError."""
        size = 2 + int.from_bytes(stored[:2])
        try:
            content = zlib.decompress(stored[size:])
            seal = json.loads(content)
            before = seal["before"]
            return cls(
                seal["end"],
                hashlib.sha256(content).hexdigest(),
                None if before is None else (before[0], before[1]),
                len(seal["accounts"]),
                len(seal["findings"]),
                stored[2:size],
            )
        except (zlib.error, ValueError, KeyError, TypeError, IndexError):
            raise ValueError("is no seal") from None

    def is_signed_by(self, public_key: bytes) -> bool:
        """Return whether the signature is that of a key (DER of a P-256 key)."""
        # A large library, which few commands need.
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ec, utils  # noqa: PLC0415
        from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
        from cryptography.hazmat.primitives.serialization import load_der_public_key  # noqa: PLC0415

        how = ec.ECDSA(utils.Prehashed(SHA256()))
        try:
            key = load_der_public_key(public_key)
            if not isinstance(key, ec.EllipticCurvePublicKey):
                return False
            key.verify(self.signature, bytes.fromhex(self.hash), how)
        except (ValueError, InvalidSignature):
            return False
        return key.curve.name == ec.SECP256R1.name


def problems_of(seals: Sequence[VerifiedFile], public_key: bytes) -> Iterator[str]:
    """Yield what is wrong with seals: wrong signatures, and breaks of the chain between them."""
    chain = sorted(seals, key=lambda seal: seal.end)
    for seal in chain:
        if not seal.is_signed_by(public_key):
            yield f"seal {seal.end}: its signature is wrong"
    for before, seal in pairwise(chain):
        if seal.before != (before.end, before.hash):
            yield f"seal {seal.end}: it does not follow seal {before.end} that is here"
