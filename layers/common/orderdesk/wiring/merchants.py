"""Wiring of merchants: for every function that authenticates, prices or notifies them."""

import time
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.merchants import MerchantStore
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.merchant_directory import CachedDirectory, CachedMerchants

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.settings.callbacks import DeliverySettings
    from orderdesk.settings.merchants import MerchantSettings
    from orderdesk.settings.receipts import PayPageSettings


def merchant_directory(
    kms: KmsSecrets, dynamodb: "DynamoDBClient", settings: "MerchantSettings | DeliverySettings"
) -> CachedDirectory:
    """Make the cached directory of merchants, their secrets and the base rates."""
    return CachedDirectory(
        MerchantStore(dynamodb, settings.merchants_table),
        kms,
        settings.cache_seconds,
        time.time,
    )


def shown_merchants(dynamodb: "DynamoDBClient", settings: "PayPageSettings") -> CachedMerchants:
    """Make the cache of merchants for a page that only shows their names and contacts."""
    store = MerchantStore(dynamodb, settings.merchants_table)
    return CachedMerchants(store, settings.cache_seconds, time.time)
