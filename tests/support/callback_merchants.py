"""Merchants that take callbacks: a target, and the secrets that sign."""

import secrets
from typing import Any

from orderdesk.domain.credentials import new_callback_secret
from orderdesk.domain.merchants.merchant import Merchant
from tests.support.merchant_client import MerchantClient
from tests.support.seed import Seed


def add_callback_merchant(
    seed: Seed, url: str, **changes: Any
) -> tuple[Merchant, MerchantClient, str]:
    """Add a merchant with a callback secret; give it, its client and the secret."""
    secret = new_callback_secret(secrets.randbelow)
    merchant, client = seed.add_merchant(callback_url=url, **changes)
    return sign_with(seed, merchant, secret), client, secret


def sign_with(seed: Seed, merchant: Merchant, *callback_secrets: str) -> Merchant:
    """Give a merchant these callback secrets, the newest first."""
    sealed = seed.kms.seal_callback(merchant.merchant_id, callback_secrets)
    return seed.change_merchant(merchant, sealed_callback_secrets=sealed)
