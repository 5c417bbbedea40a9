"""The provider of a deployment that has none: nobody passes, nobody is refused for good."""

from typing import Final

from orderdesk.domain.identity import Identity, Verification, VerificationOutcome

PROVIDER: Final = "none"


class UnconfiguredVerifier:
    """Always UNAVAILABLE: a missing setting must neither let customers in nor lock them out."""

    def verify(self, identity: Identity) -> Verification:  # noqa: ARG002 (the port's signature)
        """Answer UNAVAILABLE without looking at the identity."""
        return Verification(VerificationOutcome.UNAVAILABLE, PROVIDER, "")
