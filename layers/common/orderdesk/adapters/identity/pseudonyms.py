"""Persons without their data: a keyed hash, so that failed verifications can be counted.

The key is an HMAC key of KMS that never leaves it. An id card has few possible values, so a plain
hash could be tried out by anybody who reads the table.
"""

import hashlib
import hmac
from dataclasses import dataclass

from botocore.session import Session

from orderdesk.adapters.kms_client import LazyKms
from orderdesk.adapters.sending import call
from orderdesk.domain.identity import Identity


@dataclass(frozen=True, slots=True)
class Pseudonym:
    """A person by id card, and the three factors that were tried, each as a hash in hex."""

    person: str
    factors: str


class KmsPseudonyms:
    """Asks KMS once for each verification."""

    def __init__(self, session: Session, key_id: str) -> None:
        self._kms = LazyKms(session)
        self._key_id = key_id

    def pseudonym(self, identity: Identity) -> Pseudonym:
        """Give an identity's hashes. Raises: TryAgain."""
        answer = call(
            lambda: self._kms.client().generate_mac(
                KeyId=self._key_id,
                Message=identity.id_card.encode(),
                MacAlgorithm="HMAC_SHA_256",
            )
        )
        # A person's own key. It is not stored, so the factors' hash cannot be tried out either.
        key = answer["Mac"]
        factors = f"{identity.customer_name}\n{identity.mobile}"
        return Pseudonym(_hash(key, "person"), _hash(key, factors))


def _hash(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
