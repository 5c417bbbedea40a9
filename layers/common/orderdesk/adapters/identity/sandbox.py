"""The sandbox provider: it answers by fixed rules, so that every outcome can be tested."""

from typing import Final

from orderdesk.domain.identity import Identity, Verification, VerificationOutcome

PROVIDER: Final = "sandbox"
_REFERENCE: Final = "sandbox"
_FAILED_SUFFIX: Final = "0000"
_UNAVAILABLE_SUFFIX: Final = "9999"


class SandboxVerifier:
    """Answers by the mobile's last digits alone (contract section 10), without any request."""

    def verify(self, identity: Identity) -> Verification:
        """Give FAILED for …0000, UNAVAILABLE for …9999, else PASSED."""
        return Verification(_outcome(identity.mobile), PROVIDER, _REFERENCE)


def _outcome(mobile: str) -> VerificationOutcome:
    if mobile.endswith(_FAILED_SUFFIX):
        return VerificationOutcome.FAILED
    if mobile.endswith(_UNAVAILABLE_SUFFIX):
        return VerificationOutcome.UNAVAILABLE
    return VerificationOutcome.PASSED
