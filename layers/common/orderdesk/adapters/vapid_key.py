"""The key with which push services know us: a P-256 key of KMS that never leaves it.

A warm container that sends keeps the public key, and one token for each push service.
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

TOKENS_MOST = 100  # a device names its push service, so there may be any number
_LEAST_LEFT_SECONDS = 3600  # of a token that is used again


class KmsVapidKey:
    """Thread-safe. `subject` is where a push service's people ask: a `mailto:` or `https:`."""

    def __init__(self, session: Session, key_id: str, subject: str = "") -> None:
        self._kms = LazyKms(session)
        self._key_id = key_id
        self._subject = subject
        self._public_key = ""
        self._tokens: dict[str, Token] = {}
        self._lock = threading.Lock()

    def public_key(self) -> str:
        """Ask for the public key as browsers take it. Raises: TryAgain."""
        answer = call(lambda: self._kms.client().get_public_key(KeyId=self._key_id))
        return public_key_of(answer["PublicKey"])

    def authorization(self, origin: str, now: int) -> str:
        """Give the Authorization header for a push service, at a time (Unix seconds).

        Raises: TryAgain.
        """
        with self._lock:
            token = self._tokens.get(origin)
            if token is None or token.expires_at - now < _LEAST_LEFT_SECONDS:
                if len(self._tokens) >= TOKENS_MOST:
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
