"""Verifying a customer: the provider is asked, masked values are stored (contract section 8)."""

from orderdesk.domain.identity import (
    Identity,
    IdentityVerifier,
    Verification,
    VerificationOutcome,
    mask_id_card,
    mask_mobile,
    mask_name,
)
from orderdesk.domain.orders.order import IdentityRecord

# Missing or malformed data fails without a request to the provider.
MISSING = Verification(outcome=VerificationOutcome.FAILED, provider="", reference="")


def verify_customer(
    identity: Identity, verifier: IdentityVerifier
) -> tuple[Verification, IdentityRecord | None]:
    """Ask the provider. The record is None unless the customer passed."""
    verification = verifier.verify(identity)
    if verification.outcome is not VerificationOutcome.PASSED:
        return verification, None
    return verification, _record(identity, verification)


def _record(identity: Identity, verification: Verification) -> IdentityRecord:
    return IdentityRecord(
        outcome=verification.outcome.value,
        provider=verification.provider,
        reference=verification.reference,
        masked_name=mask_name(identity.customer_name),
        masked_id_card=mask_id_card(identity.id_card),
        masked_mobile=mask_mobile(identity.mobile),
    )
