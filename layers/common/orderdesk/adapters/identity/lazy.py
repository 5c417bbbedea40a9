"""The configured verifier, made when the first customer needs it."""

import logging
from collections.abc import Callable

from orderdesk.domain.identity import (
    Identity,
    IdentityVerifier,
    Verification,
    VerificationOutcome,
)

logger = logging.getLogger(__name__)


class LazyVerifier:
    """Fills the port `IdentityVerifier`; trouble in making the real one is UNAVAILABLE too.

    Credentials that cannot be read must refuse or hold an order, not break it. They are read again
    for the next customer.
    """

    def __init__(self, make: Callable[[], IdentityVerifier]) -> None:
        self._make = make
        self._made: IdentityVerifier | None = None

    def verify(self, identity: Identity) -> Verification:
        """Ask the provider. Never raises for its trouble."""
        if self._made is None:
            try:
                self._made = self._make()
            except Exception as error:  # noqa: BLE001 whatever it is, the provider is not there
                logger.warning("no identity provider: %s", type(error).__name__)
                return Verification(VerificationOutcome.UNAVAILABLE, "", "")
        return self._made.verify(identity)
