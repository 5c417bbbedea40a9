"""Merchants' secrets, encrypted by KMS: two ciphertexts a merchant, each decrypted once.

A warm container keeps the decrypted secrets in its cache (`merchant_directory`).
"""

import base64
import json
import threading
from typing import TYPE_CHECKING, cast

from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG, read
from orderdesk.domain.merchants.merchant import MerchantSecrets

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient

_API = "api"
_CALLBACK = "callback"


class KmsSecrets:
    """The encryption context binds a ciphertext to its merchant and its purpose."""

    def __init__(self, session: Session, key_id: str) -> None:
        self._session = session
        self._key_id = key_id
        self._made: KMSClient | None = None
        self._making = threading.Lock()

    def seal(self, merchant_id: str, secrets: MerchantSecrets) -> bytes:
        plain = {
            "api": list(secrets.api_secrets),
            "link": base64.b64encode(secrets.link_secret).decode(),
        }
        return self._encrypt(merchant_id, _API, json.dumps(plain))

    def unseal(self, merchant_id: str, sealed: bytes) -> MerchantSecrets:
        plain = json.loads(self._decrypt(merchant_id, _API, sealed))
        return MerchantSecrets(tuple(plain["api"]), base64.b64decode(plain["link"]))

    def seal_callback(self, merchant_id: str, secrets: tuple[str, ...]) -> bytes:
        return self._encrypt(merchant_id, _CALLBACK, json.dumps(list(secrets)))

    def unseal_callback(self, merchant_id: str, sealed: bytes) -> tuple[str, ...]:
        return tuple(json.loads(self._decrypt(merchant_id, _CALLBACK, sealed)))

    def close(self) -> None:
        """Close the connections if any are open."""
        if self._made is not None:
            self._made.close()

    @property
    def _client(self) -> "KMSClient":
        # Made on first use: a warm container that has all secrets in its cache does not need it.
        # Under a lock: a botocore session cannot make two clients at the same time.
        with self._making:
            if self._made is None:
                client = self._session.create_client("kms", config=CLIENT_CONFIG)
                self._made = cast("KMSClient", client)
            return self._made

    def _encrypt(self, merchant_id: str, purpose: str, text: str) -> bytes:
        answer = self._client.encrypt(
            KeyId=self._key_id,
            Plaintext=text.encode(),
            EncryptionContext=_context(merchant_id, purpose),
        )
        return answer["CiphertextBlob"]

    def _decrypt(self, merchant_id: str, purpose: str, sealed: bytes) -> bytes:
        answer = read(
            lambda: self._client.decrypt(
                KeyId=self._key_id,
                CiphertextBlob=sealed,
                EncryptionContext=_context(merchant_id, purpose),
            )
        )
        return answer["Plaintext"]


def _context(merchant_id: str, purpose: str) -> dict[str, str]:
    return {"merchant_id": merchant_id, "purpose": purpose}
