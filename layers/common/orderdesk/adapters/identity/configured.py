"""The identity verifier that a deployment configures; created for the first customer."""

import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG
from orderdesk.domain.identity import Identity, IdentityVerifier, Verification, VerificationOutcome

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient


# A common parameter of Tencent Cloud; PhoneVerification returns the same in every region.
_TENCENT_REGION: Final = "ap-guangzhou"
# Leaves time for the order itself within API Gateway's 29 s.
_TIMEOUT_SECONDS: Final = 8.0

logger = logging.getLogger(__name__)


class LazyVerifier:
    """Create the real verifier on first use; return UNAVAILABLE if that fails.

    If credentials cannot be read, an order is refused or held, and the next customer's verification
    reads them again.
    """

    def __init__(self, make: Callable[[], IdentityVerifier]) -> None:
        self._make = make
        self._made: IdentityVerifier | None = None

    def verify(self, identity: Identity) -> Verification:
        if self._made is None:
            try:
                self._made = self._make()
            except Exception as error:  # noqa: BLE001 any trouble means no provider
                logger.warning("no identity provider: %s", type(error).__name__)
                return Verification(VerificationOutcome.UNAVAILABLE, "", "")
        return self._made.verify(identity)


class UnconfiguredVerifier:
    """Always UNAVAILABLE: without a provider, no customer may pass or be locked."""

    def verify(self, identity: Identity) -> Verification:  # noqa: ARG002 (the port's signature)
        return Verification(VerificationOutcome.UNAVAILABLE, "none", "")


def make_verifier(
    provider: str, load_tencent_credentials: Callable[[], tuple[str, str]]
) -> IdentityVerifier:
    """Return the verifier of a provider: "sandbox", "tencent" or "none" (always UNAVAILABLE).

    Tencent's SDK takes about 250 ms to import, so it is imported in its branch; do not call this in
    a cold start. The credentials (SecretId, SecretKey) are loaded for "tencent" only.
    Raises: ValueError for any other provider; the errors of `load_tencent_credentials`.
    """
    if provider == "sandbox":
        return SandboxVerifier()
    if provider == "tencent":
        from orderdesk.adapters.identity.tencent import TencentVerifier  # noqa: PLC0415

        secret_id, secret_key = load_tencent_credentials()
        return TencentVerifier(secret_id, secret_key, _TENCENT_REGION, _TIMEOUT_SECONDS)
    if provider == "none":
        return UnconfiguredVerifier()
    raise ValueError(f"unknown identity provider: {provider!r}")


def read_tencent_credentials(session: Session, secret_arn: str) -> tuple[str, str]:
    """Read `{"secret_id": …, "secret_key": …}` from Secrets Manager.

    Raises: botocore's errors, KeyError.
    """
    client = cast(
        "SecretsManagerClient", session.create_client("secretsmanager", config=CLIENT_CONFIG)
    )
    secret = json.loads(client.get_secret_value(SecretId=secret_arn)["SecretString"])
    return secret["secret_id"], secret["secret_key"]


class SandboxVerifier:
    """Decide by the mobile's last digits (contract section 10), without a request."""

    def verify(self, identity: Identity) -> Verification:
        """Return FAILED for …0000, UNAVAILABLE for …9999, otherwise PASSED."""
        outcome = _OUTCOMES.get(identity.mobile[-4:], VerificationOutcome.PASSED)
        return Verification(outcome, "sandbox", "sandbox")


_OUTCOMES: Final = {"0000": VerificationOutcome.FAILED, "9999": VerificationOutcome.UNAVAILABLE}
