"""Verify a customer: call the provider, and record the result (contract section 8).

Failed verifications are capped, because every response costs money and reveals which name, id card
and mobile belong together. Beyond a cap the provider is not called.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from orderdesk.domain.errors import TryAgain
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
from orderdesk.domain.pricing import Mode


class Cap(StrEnum):
    """Whose failed verifications are at their limit."""

    MERCHANT = "merchant"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class CustomerCheck:
    """One verification of a merchant's customer; `now` in Unix seconds.

    `has_draft`: it is the only attempt of a held draft, so no other one of this draft has failed.
    `mode` is the order's or draft's. Failures of test orders use up no live cap of the merchant.
    """

    identity: Identity
    merchant_id: str
    now: int
    has_draft: bool = False
    mode: Mode = Mode.LIVE


@dataclass(frozen=True, slots=True)
class VerifyPorts:
    """The ports of a verification; `report` receives a reached cap and the merchant_id.

    `reserve` counts an attempt as failed, before the call of the provider. It returns the cap that
    is reached, or a function that removes the attempt from the count if it does not fail. Each
    raises TryAgain.
    """

    provider: IdentityVerifier
    reserve: Callable[[CustomerCheck], Cap | Callable[[], None]]
    report: Callable[[Cap, str], None]


def verify_customer(
    attempt: CustomerCheck, ports: VerifyPorts
) -> IdentityRecord | VerificationOutcome:
    """Call the provider, unless a cap is reached; return the record, or why there is none.

    Beyond a cap, and if the store does not answer, this is UNAVAILABLE: it says nothing about the
    person, and an identity page returns the attempt.
    """
    try:
        reserved = ports.reserve(attempt)
    except TryAgain:
        return VerificationOutcome.UNAVAILABLE
    if isinstance(reserved, Cap):
        ports.report(reserved, attempt.merchant_id)
        return VerificationOutcome.UNAVAILABLE
    verification = ports.provider.verify(attempt.identity)
    if verification.outcome is VerificationOutcome.FAILED:
        return verification.outcome
    with suppress(TryAgain):  # an attempt that is not removed expires with its window
        reserved()
    if verification.outcome is VerificationOutcome.UNAVAILABLE:
        return verification.outcome
    return _record(attempt.identity, verification)


def _record(identity: Identity, verification: Verification) -> IdentityRecord:
    return IdentityRecord(
        outcome=verification.outcome.value,
        provider=verification.provider,
        reference=verification.reference,
        masked_name=mask_name(identity.customer_name),
        masked_id_card=mask_id_card(identity.id_card),
        masked_mobile=mask_mobile(identity.mobile),
        open_name=identity.customer_name,
    )
