"""A provider that cannot be created counts as unavailable."""

from orderdesk.adapters.identity.configured import LazyVerifier, SandboxVerifier
from orderdesk.domain.identity import Identity, IdentityVerifier, VerificationOutcome
from tests.support.identities import identity


def test_trouble_is_unavailable_and_the_next_customer_tries_again() -> None:
    troubles = [KeyError("secret_id"), TimeoutError()]

    def make() -> IdentityVerifier:
        if troubles:
            raise troubles.pop()
        return SandboxVerifier()

    verifier = LazyVerifier(make)
    customer = Identity(**identity())
    outcomes = [verifier.verify(customer).outcome for _ in range(3)]
    assert outcomes == [
        VerificationOutcome.UNAVAILABLE,
        VerificationOutcome.UNAVAILABLE,
        VerificationOutcome.PASSED,
    ]
