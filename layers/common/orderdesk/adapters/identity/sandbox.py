"""The sandbox provider: answers by fixed rules, so that every branch can be driven."""

from typing import Final

from orderdesk.domain.identity import Identity, Verification, VerificationOutcome

PROVIDER: Final = "sandbox"
_REFERENCE: Final = "sandbox"
_FAILED_SUFFIX: Final = "0000"
_UNAVAILABLE_SUFFIX: Final = "9999"


class SandboxVerifier:
    """Judges by the mobile's last digits alone (contract section 10); asks nobody."""

    def verify(self, identity: Identity) -> Verification:
        """Answer FAILED for …0000, UNAVAILABLE for …9999, else PASSED."""
        return Verification(_outcome(identity.mobile), PROVIDER, _REFERENCE)


def _outcome(mobile: str) -> VerificationOutcome:
    if mobile.endswith(_FAILED_SUFFIX):
        return VerificationOutcome.FAILED
    if mobile.endswith(_UNAVAILABLE_SUFFIX):
        return VerificationOutcome.UNAVAILABLE
    return VerificationOutcome.PASSED
