"""Keys of KMS: merchants' secrets, and keyed hashes of verified persons."""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.session import Session

from orderdesk.adapters.sending import LazyKms, call
from orderdesk.domain.merchants.merchant import ApiSecrets, MerchantSecrets

if TYPE_CHECKING:
    from orderdesk.domain.identity import Identity

_API = "api"
_TEST = "test"
_CALLBACK = "callback"
_PROPOSAL = "proposal"


class KmsSecrets:
    """Encrypt and decrypt merchants' secrets, and those that proposals make.

    A merchant has a ciphertext for each purpose: the live key, the test key, callbacks. The
    encryption context binds a ciphertext to its merchant and purpose, or to its proposal. A warm
    container caches decrypted secrets (`merchant_directory`).
    """

    def __init__(self, session: Session, key_id: str) -> None:
        self._kms = LazyKms(session)
        self._key_id = key_id

    def seal(self, merchant_id: str, secrets: MerchantSecrets) -> bytes:
        link = base64.b64encode(secrets.link_secret).decode()
        return self._encrypt(merchant_id, _API, json.dumps({**_plain(secrets), "link": link}))

    def unseal(self, merchant_id: str, sealed: bytes) -> MerchantSecrets:
        plain = json.loads(self._decrypt(merchant_id, _API, sealed))
        return MerchantSecrets(
            tuple(plain["api"]),
            tuple(plain.get("rotated_at", ())),  # older releases stored no times
            link_secret=base64.b64decode(plain["link"]),
        )

    def seal_test(self, merchant_id: str, secrets: ApiSecrets) -> bytes:
        return self._encrypt(merchant_id, _TEST, json.dumps(_plain(secrets)))

    def unseal_test(self, merchant_id: str, sealed: bytes) -> ApiSecrets:
        plain = json.loads(self._decrypt(merchant_id, _TEST, sealed))
        return ApiSecrets(tuple(plain["api"]), tuple(plain["rotated_at"]))

    def seal_callback(self, merchant_id: str, secrets: tuple[str, ...]) -> bytes:
        return self._encrypt(merchant_id, _CALLBACK, json.dumps(list(secrets)))

    def unseal_callback(self, merchant_id: str, sealed: bytes) -> tuple[str, ...]:
        return tuple(json.loads(self._decrypt(merchant_id, _CALLBACK, sealed)))

    def seal_for_proposer(self, proposal_no: str, secret: str) -> bytes:
        return self._encrypt_in(_proposal_context(proposal_no), secret)

    def unseal_for_proposer(self, proposal_no: str, sealed: bytes) -> str:
        return self._decrypt_in(_proposal_context(proposal_no), sealed).decode()

    def close(self) -> None:
        """Close the connections if any are open."""
        self._kms.close()

    def _encrypt(self, merchant_id: str, purpose: str, text: str) -> bytes:
        return self._encrypt_in(_context(merchant_id, purpose), text)

    def _encrypt_in(self, context: dict[str, str], text: str) -> bytes:
        answer = call(
            lambda: self._kms.client().encrypt(
                KeyId=self._key_id,
                Plaintext=text.encode(),
                EncryptionContext=context,
            )
        )
        return answer["CiphertextBlob"]

    def _decrypt(self, merchant_id: str, purpose: str, sealed: bytes) -> bytes:
        return self._decrypt_in(_context(merchant_id, purpose), sealed)

    def _decrypt_in(self, context: dict[str, str], sealed: bytes) -> bytes:
        answer = call(
            lambda: self._kms.client().decrypt(
                KeyId=self._key_id,
                CiphertextBlob=sealed,
                EncryptionContext=context,
            )
        )
        return answer["Plaintext"]


def _plain(secrets: ApiSecrets) -> dict[str, object]:
    return {"api": list(secrets.api_secrets), "rotated_at": list(secrets.rotated_at)}


def _context(merchant_id: str, purpose: str) -> dict[str, str]:
    return {"merchant_id": merchant_id, "purpose": purpose}


def _proposal_context(proposal_no: str) -> dict[str, str]:
    return {"proposal_no": proposal_no, "purpose": _PROPOSAL}


@dataclass(frozen=True, slots=True)
class Pseudonym:
    """Hashes in hex of a person (the id card) and of the three factors of an attempt."""

    person: str
    factors: str


class KmsPseudonyms:
    """Keyed hashes of persons, to count failed verifications; one KMS request each.

    The HMAC key never leaves KMS. An id card has few possible values, so a plain hash could be
    reversed by trying them all.
    """

    def __init__(self, session: Session, key_id: str) -> None:
        self._kms = LazyKms(session)
        self._key_id = key_id

    def pseudonym(self, identity: "Identity") -> Pseudonym:
        """Return an identity's hashes. Raises: TryAgain."""
        answer = call(
            lambda: self._kms.client().generate_mac(
                KeyId=self._key_id,
                Message=identity.id_card.encode(),
                MacAlgorithm="HMAC_SHA_256",
            )
        )
        # A key of the person. It is not stored, so the factors' hash cannot be reversed either.
        key = answer["Mac"]
        factors = f"{identity.customer_name}\n{identity.mobile}"
        return Pseudonym(_hash(key, "person"), _hash(key, factors))


def _hash(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
