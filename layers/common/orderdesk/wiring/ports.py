"""Ports of use cases with their adapters.

Each function below imports what it wires, so a Lambda function loads only the adapters that it
uses.
"""

import time
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from aws_lambda_powertools.logging import Logger
    from botocore.session import Session
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.adapters.callback_http.sender import CallbackSender
    from orderdesk.adapters.dynamodb.keys import TableNames
    from orderdesk.adapters.kms import KmsSecrets
    from orderdesk.adapters.merchant_directory import CachedDirectory, CachedMerchants
    from orderdesk.adapters.receipts import Bucket
    from orderdesk.services.merchants.authenticate import AuthenticatePorts
    from orderdesk.services.merchants.refused_calls import RefusalLog
    from orderdesk.services.orders.move import MovePorts
    from orderdesk.services.orders.place_buy import MatchingPorts
    from orderdesk.services.orders.receipts import ReceiptPorts
    from orderdesk.services.orders.verify_customer import Cap, VerifyPorts
    from orderdesk.services.ports import FindsMerchants, LimitsRoom
    from orderdesk.settings.merchants import MerchantSettings, PlacementSettings
    from orderdesk.settings.receipts import PayPageSettings, ReceiptSettings


def merchant_directory(
    kms: "KmsSecrets", dynamodb: "DynamoDBClient", merchants_table: str, cache_seconds: int
) -> "CachedDirectory":
    """Return the cached directory of merchants, their secrets and the base rates."""
    from orderdesk.adapters.dynamodb.merchants import MerchantStore
    from orderdesk.adapters.merchant_directory import CachedDirectory

    store = MerchantStore(dynamodb, merchants_table)
    return CachedDirectory(store, kms, cache_seconds, time.time)


def shown_merchants(dynamodb: "DynamoDBClient", settings: "PayPageSettings") -> "CachedMerchants":
    """Return the cache of merchants for a page that shows their names and contacts."""
    from orderdesk.adapters.dynamodb.merchants import MerchantStore
    from orderdesk.adapters.merchant_directory import CachedMerchants

    store = MerchantStore(dynamodb, settings.merchants_table)
    return CachedMerchants(store, settings.cache_seconds, time.time)


def authenticate_ports(
    directory: "CachedDirectory", dynamodb: "DynamoDBClient", settings: "MerchantSettings"
) -> "AuthenticatePorts":
    """Return the ports of authentication; a warm container caches each merchant's rate."""
    from orderdesk.adapters.dynamodb.nonces import CallCountStore
    from orderdesk.adapters.system import now_us
    from orderdesk.services.merchants.authenticate import AuthenticatePorts, RequestRates

    rates = RequestRates(CallCountStore(dynamodb, settings.guards_table), now_us)
    return AuthenticatePorts(directory, rates)


def refusal_log(
    directory: "CachedDirectory", dynamodb: "DynamoDBClient", settings: "MerchantSettings"
) -> "RefusalLog":
    """Return the log of refused calls; a warm container limits what it records."""
    from orderdesk.adapters.dynamodb.refused_calls import RefusedCallStore
    from orderdesk.services.merchants.refused_calls import RefusalLog

    return RefusalLog(directory, RefusedCallStore(dynamodb, settings.guards_table))


def move_ports(dynamodb: "DynamoDBClient", tables: "TableNames") -> "MovePorts":
    """Return the ports of a move."""
    from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
    from orderdesk.adapters.system import SystemChance, pause_ms
    from orderdesk.services.orders.move import MovePorts

    return MovePorts(OrderMoveStore(dynamodb, tables), SystemChance(), pause_ms)


def explorer_sender(*, allow_loopback: bool) -> "Callable[[], CallbackSender]":
    """Return how to create, once, the sender of the API explorer's calls.

    The portal's own limit of time is 29 seconds. A call whose connection broke off is not sent
    again, so no connection is kept open.
    """

    @cache
    def made() -> "CallbackSender":
        from orderdesk.adapters.callback_http.sender import CallbackSender
        from orderdesk.adapters.callback_http.wire import Limits

        limits = Limits(
            whole_seconds=20, kept_bytes=64 * 1024, received_bytes=96 * 1024, idle_wires=0
        )
        return CallbackSender(allow_loopback=allow_loopback, limits=limits, url_length_max=2_048)

    return made


def matching_ports(
    limits: "LimitsRoom",
    dynamodb: "DynamoDBClient",
    directory: "CachedDirectory",
    settings: "PlacementSettings",
    session: "Session",
) -> "MatchingPorts":
    """Return the ports of pricing and matching; KMS is connected to on first use."""
    from orderdesk.adapters.dynamodb.traders.items import ShardedRotation
    from orderdesk.adapters.kms import KmsBlockKey
    from orderdesk.adapters.system import SystemChance, pause_ms
    from orderdesk.services.orders.match import Contention
    from orderdesk.services.orders.place_buy import MatchingPorts, Terms

    chance, shards = SystemChance(), settings.rotation_shards
    return MatchingPorts(
        rotation=ShardedRotation(dynamodb, settings.traders_table, shards, chance),
        limits=limits,
        directory=directory,
        contention=Contention(),
        chance=chance,
        pause_ms=pause_ms,
        terms=Terms(
            pay_window_seconds=settings.pay_window_seconds,
            draft_life_seconds=settings.draft_life_seconds,
            rate_max_age_seconds=settings.rate_max_age_seconds,
        ),
        block_key=KmsBlockKey(session, settings.identity_key_arn),
    )


def verify_ports(
    session: "Session", dynamodb: "DynamoDBClient", settings: "PlacementSettings", logger: "Logger"
) -> "VerifyPorts":
    """Return the ports of a verification; provider and KMS are connected to on first use."""
    from orderdesk.adapters.dynamodb.failure_caps import FailureCapStore
    from orderdesk.adapters.identity.configured import (
        LazyVerifier,
        make_verifier,
        read_tencent_credentials,
    )
    from orderdesk.adapters.kms import KmsPseudonyms
    from orderdesk.services.orders.verify_customer import VerifyPorts

    def report(cap: "Cap", merchant_id: str) -> None:
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
        KmsPseudonyms(session, settings.identity_key_arn).pseudonym,
        settings.verification_failures_per_hour,
    )
    return VerifyPorts(provider, caps.reserve, report)


def receipt_buckets(session: "Session", settings: "ReceiptSettings") -> "tuple[Bucket, Bucket]":
    """Return the buckets of uploads and of pictures, with one client."""
    from orderdesk.adapters.receipts import Bucket, lazy_s3

    client = lazy_s3(session, emulated=settings.emulated)
    return Bucket(client, settings.uploads_bucket), Bucket(client, settings.receipts_bucket)


def logo_signer(session: "Session", bucket: str, *, emulated: bool) -> "Callable[[str], str]":
    """Return how to sign the address of a logo; the client is created on first use."""

    @cache
    def pictures() -> "Bucket":
        from orderdesk.adapters.receipts import Bucket, lazy_s3

        return Bucket(lazy_s3(session, emulated=emulated), bucket)

    return lambda key: pictures().url(key)


def receipt_ports(
    session: "Session",
    settings: "ReceiptSettings",
    moves: "MovePorts",
    merchants: "FindsMerchants | None" = None,
) -> "ReceiptPorts":
    """Return the ports of storing a receipt."""
    from orderdesk.adapters.receipts import LambdaRenderer
    from orderdesk.services.orders.receipts import ReceiptPorts

    renderer = LambdaRenderer(session, settings.render_receipt_function, merchants)
    return ReceiptPorts(renderer, moves)
