"""The VAPID key, which identifies us to push services: a P-256 key that never leaves KMS.

A warm container that sends pushes caches the public key and one token for each push service.
"""

import threading

from botocore.session import Session

from orderdesk.adapters.sending import LazyKms, call
from orderdesk.domain.pushes.vapid import (
    TOKEN_SECONDS,
    Token,
    authorization,
    public_key_of,
    signed,
    signing_input,
)

TOKENS_MAX = 100  # devices name their push services, so their number has no limit
_LEAST_LEFT_SECONDS = 3600  # remaining life of a token that is reused


class KmsVapidKey:
    """Thread-safe. `subject`: our contact for push services, a `mailto:` or `https:` URL."""

    def __init__(self, session: Session, key_id: str, subject: str = "") -> None:
        self._kms = LazyKms(session)
        self._key_id = key_id
        self._subject = subject
        self._public_key = ""
        self._tokens: dict[str, Token] = {}
        self._lock = threading.Lock()

    def public_key(self) -> str:
        """Return the public key in the format that browsers use. Raises: TryAgain."""
        answer = call(lambda: self._kms.client().get_public_key(KeyId=self._key_id))
        return public_key_of(answer["PublicKey"])

    def authorization(self, origin: str, now: int) -> str:
        """Return the Authorization header for a push service; `now` in Unix seconds.

        Raises: TryAgain.
        """
        with self._lock:
            token = self._tokens.get(origin)
            if token is None or token.expires_at - now < _LEAST_LEFT_SECONDS:
                if len(self._tokens) >= TOKENS_MAX:
                    self._tokens.clear()
                token = self._tokens[origin] = self._sign(origin, now + TOKEN_SECONDS)
            self._public_key = self._public_key or self.public_key()
            return authorization(token, self._public_key)

    def _sign(self, origin: str, expires_at: int) -> Token:
        text = signing_input(origin, self._subject, expires_at)
        answer = call(
            lambda: self._kms.client().sign(
                KeyId=self._key_id,
                Message=text.encode(),
                MessageType="RAW",
                SigningAlgorithm="ECDSA_SHA_256",
            )
        )
        return Token(signed(text, answer["Signature"]), expires_at)
