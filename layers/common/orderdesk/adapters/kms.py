"""Keys of KMS: merchants' secrets, and keyed hashes of verified persons."""

import base64
import binascii
import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError
from botocore.session import Session

from orderdesk.adapters.sending import LazyKms, call, error_code
from orderdesk.domain.merchants.merchant import ApiSecrets, MerchantSecrets
from orderdesk.domain.pricing import Mode

if TYPE_CHECKING:
    from orderdesk.domain.identity import Identity

_API = "api"
_TEST = "test"
_PURPOSES = {Mode.LIVE: _API, Mode.TEST: _TEST}
_CALLBACK = "callback"
_PROPOSAL = "proposal"
_WITHDRAWAL = "withdrawal"
_BLOCKS = b"the key of the block list"  # no id card
# A changed ciphertext, an empty one, and one of another key.
_NOT_OURS = frozenset(
    {
        "InvalidCiphertextException",
        "ValidationException",
        "IncorrectKeyException",
        "AccessDeniedException",
    }
)


class KmsSecrets:
    """Encrypt and decrypt merchants' secrets, those that proposals make, and requests' digests.

    A merchant has a ciphertext for each purpose: the live key, the test key, callbacks. The
    encryption context binds a ciphertext to its merchant and purpose, to its proposal or to its
    request. A warm container caches decrypted secrets (`merchant_directory`). A merchant's secrets
    are its API secrets and its link secret; its callback secrets are the newest first. Each method
    raises TryAgain.
    """

    def __init__(self, session: Session, key_id: str) -> None:
        self._kms = LazyKms(session)
        self._key_id = key_id

    def seal(self, merchant_id: str, secrets: MerchantSecrets) -> bytes:
        link = base64.b64encode(secrets.link_secret).decode()
        text = json.dumps({**_plain(secrets), "link": link})
        return self._encrypt(text, merchant_id=merchant_id, purpose=_API)

    def unseal(self, merchant_id: str, sealed: bytes) -> MerchantSecrets:
        plain = json.loads(self._decrypt(sealed, merchant_id=merchant_id, purpose=_API))
        link = base64.b64decode(plain["link"])
        return MerchantSecrets(tuple(plain["api"]), tuple(plain["rotated_at"]), link_secret=link)

    def seal_key(self, merchant_id: str, mode: Mode, secrets: ApiSecrets) -> bytes:
        text = json.dumps(_plain(secrets))
        return self._encrypt(text, merchant_id=merchant_id, purpose=_PURPOSES[mode])

    def unseal_key(self, merchant_id: str, mode: Mode, sealed: bytes) -> ApiSecrets:
        plain = self._decrypt(sealed, merchant_id=merchant_id, purpose=_PURPOSES[mode])
        read = json.loads(plain)
        return ApiSecrets(tuple(read["api"]), tuple(read["rotated_at"]))

    def seal_callback(self, merchant_id: str, secrets: tuple[str, ...]) -> bytes:
        text = json.dumps(list(secrets))
        return self._encrypt(text, merchant_id=merchant_id, purpose=_CALLBACK)

    def unseal_callback(self, merchant_id: str, sealed: bytes) -> tuple[str, ...]:
        plain = self._decrypt(sealed, merchant_id=merchant_id, purpose=_CALLBACK)
        return tuple(json.loads(plain))

    def seal_for_people(self, proposal_no: str, secret: str) -> bytes:
        return self._encrypt(secret, proposal_no=proposal_no, purpose=_PROPOSAL)

    def unseal_for_people(self, proposal_no: str, sealed: bytes) -> str:
        return self._decrypt(sealed, proposal_no=proposal_no, purpose=_PROPOSAL).decode()

    def seal_digest(self, request_no: str, digest: str) -> str:
        sealed = self._encrypt(digest, request_no=request_no, purpose=_WITHDRAWAL)
        return base64.b64encode(sealed).decode()

    def unseal_digest(self, request_no: str, sealed: str) -> str:
        try:
            ciphertext = base64.b64decode(sealed)
            return self._decrypt(ciphertext, request_no=request_no, purpose=_WITHDRAWAL).decode()
        except binascii.Error:
            return ""
        except ClientError as error:
            if error_code(error) in _NOT_OURS:
                return ""
            raise

    def close(self) -> None:
        """Close the connections if any are open."""
        self._kms.close()

    def _encrypt(self, text: str, **context: str) -> bytes:
        answer = call(
            lambda: self._kms.client().encrypt(
                KeyId=self._key_id, Plaintext=text.encode(), EncryptionContext=context
            )
        )
        return answer["CiphertextBlob"]

    def _decrypt(self, sealed: bytes, **context: str) -> bytes:
        answer = call(
            lambda: self._kms.client().decrypt(
                KeyId=self._key_id, CiphertextBlob=sealed, EncryptionContext=context
            )
        )
        return answer["Plaintext"]


def _plain(secrets: ApiSecrets) -> dict[str, object]:
    return {"api": list(secrets.api_secrets), "rotated_at": list(secrets.rotated_at)}


@dataclass(frozen=True, slots=True)
class Pseudonym:
    """Hashes in hex of a person (the id card) and of the three factors of an attempt."""

    person: str
    factors: str


class _HmacKey:
    """An HMAC key that never leaves KMS."""

    def __init__(self, session: Session, key_id: str) -> None:
        self._kms = LazyKms(session)
        self._key_id = key_id

    def _mac(self, message: bytes) -> bytes:
        answer = call(
            lambda: self._kms.client().generate_mac(
                KeyId=self._key_id, Message=message, MacAlgorithm="HMAC_SHA_256"
            )
        )
        return answer["Mac"]


class KmsPseudonyms(_HmacKey):
    """Keyed hashes of persons, to count failed verifications; one KMS request each.

    An id card has few possible values, so a plain hash could be reversed by trying them all.
    """

    def pseudonym(self, identity: "Identity") -> Pseudonym:
        """Return an identity's hashes. Raises: TryAgain."""
        # A key of the person. It is not stored, so the factors' hash cannot be reversed either.
        key = self._mac(identity.id_card.encode())
        factors = f"{identity.customer_name}\n{identity.mobile}"
        return Pseudonym(_hash(key, "person"), _hash(key, factors))


class KmsBlockKey(_HmacKey):
    """The key of the block list's hashes: KMS derives it from its HMAC key, once a container."""

    _key: bytes | None = None

    def __call__(self) -> bytes:
        """Return the key. Raises: TryAgain."""
        if self._key is None:
            self._key = self._mac(_BLOCKS)
        return self._key


def _hash(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
