"""Wiring of identity verification: for createOrder, and for the identity page."""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.failure_caps import FailureCapStore
from orderdesk.adapters.identity.configured import (
    LazyVerifier,
    make_verifier,
    read_tencent_credentials,
)
from orderdesk.adapters.identity.pseudonyms import KmsPseudonyms
from orderdesk.services.orders.verify_customer import Cap, VerifyPorts

if TYPE_CHECKING:
    from aws_lambda_powertools.logging import Logger
    from botocore.session import Session
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.settings.merchants import IdentityPageSettings


def verify_ports(
    session: "Session",
    dynamodb: "DynamoDBClient",
    settings: "IdentityPageSettings",
    logger: "Logger",
) -> VerifyPorts:
    """Make the ports of a verification; the provider and KMS are connected to on first use."""

    def report(cap: Cap, merchant_id: str) -> None:
        # The metric filter VerificationsCapped counts this line by its field.
        logger.warning(
            "verification capped", extra={"capped_by": cap.value, "merchant_id": merchant_id}
        )

    provider = LazyVerifier(
        lambda: make_verifier(
            settings.identity_provider,
            lambda: read_tencent_credentials(session, settings.tencent_secret_arn),
        )
    )
    caps = FailureCapStore(
        dynamodb,
        settings.guards_table,
        KmsPseudonyms(session, settings.identity_key_arn),
        settings.verification_failures_per_hour,
    )
    return VerifyPorts(provider, caps, report)
