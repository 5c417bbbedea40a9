"""Merchants, secrets and rates behind a bounded cache of a warm container.

Thread-safe: two threads may load the same item at the same time; neither removes other entries.
"""

import threading
from collections.abc import Callable, Mapping
from math import inf
from typing import TYPE_CHECKING

from orderdesk.domain.merchants.merchant import (
    ApiSecrets,
    CallbackAddress,
    Merchant,
    MerchantKey,
    MerchantSecrets,
)
from orderdesk.domain.pricing import BaseRate, OrderType

if TYPE_CHECKING:
    from orderdesk.adapters.dynamodb.merchants import MerchantStore
    from orderdesk.adapters.kms import KmsSecrets

MAX_MERCHANTS = 1_000

# A bad signature may come from a secret that was rotated after the merchant was read. This limits
# how often bad signatures cause a read.
REREAD_SECONDS = 1


type Desk = tuple[Mapping[OrderType, BaseRate], Mapping[str, int], Mapping[str, int]]
"""The base rates, the block list (keyed hashes, ends of blocks), and the limits of a day."""


class Expiring[K, V]:
    """A cache with a time to live; beyond a bound, the oldest entry is dropped."""

    def __init__(self, ttl_seconds: float, clock: Callable[[], float], bound: int) -> None:
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._bound = bound
        self._entries: dict[K, tuple[float, V]] = {}
        self._keeping = threading.Lock()

    def get(self, key: K, load: Callable[[], V], max_age_seconds: int | None = None) -> V:
        """Return the cached value, or load and cache it."""
        now = self._clock()
        good_for = self._ttl_seconds
        if max_age_seconds is not None:
            good_for = min(good_for, max_age_seconds)
        entry = self._entries.get(key)
        if entry is not None and now < entry[0] + good_for:
            return entry[1]
        value = load()
        if value is None:
            # Unknown keys are not cached, so many of them cannot evict known keys.
            return value
        with self._keeping:
            self._entries.pop(key, None)
            if len(self._entries) >= self._bound:
                self._entries.pop(next(iter(self._entries)))
            self._entries[key] = (now, value)
        return value


class CachedMerchants:
    """Merchants without secrets; an operator's change is visible within `ttl_seconds`."""

    def __init__(
        self, store: "MerchantStore", ttl_seconds: int, clock: Callable[[], float]
    ) -> None:
        self._store = store
        self._merchants = Expiring[str, Merchant | None](ttl_seconds, clock, MAX_MERCHANTS)

    def find(self, merchant_id: str) -> Merchant | None:
        return self._merchants.get(merchant_id, lambda: self._store.merchant(merchant_id))


class CachedDirectory(CachedMerchants):
    """Merchants with secrets and base rates.

    Secrets are cached by ciphertext, so a rotation is visible with the merchant's new item.
    """

    def __init__(
        self,
        store: "MerchantStore",
        kms: "KmsSecrets",
        ttl_seconds: int,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(store, ttl_seconds, clock)
        self._kms = kms
        self._desk = Expiring[None, Desk](ttl_seconds, clock, 1)
        # A ciphertext never has another content.
        self._unsealed = Expiring[bytes, MerchantSecrets](inf, clock, MAX_MERCHANTS)
        self._unsealed_keys = Expiring[bytes, ApiSecrets](inf, clock, MAX_MERCHANTS)
        self._unsealed_callback = Expiring[bytes, tuple[str, ...]](inf, clock, MAX_MERCHANTS)

    def find_fresh(self, merchant_id: str) -> Merchant | None:
        """Return a merchant whose item was read at most REREAD_SECONDS ago, or None."""
        return self._merchants.get(
            merchant_id, lambda: self._store.merchant(merchant_id), REREAD_SECONDS
        )

    def secrets(self, merchant: Merchant) -> MerchantSecrets:
        sealed = merchant.sealed_secrets
        return self._unsealed.get(sealed, lambda: self._kms.unseal(merchant.merchant_id, sealed))

    def key_secrets(self, merchant: Merchant, key: MerchantKey) -> ApiSecrets:
        if key.api_key == merchant.api_key:
            return self.secrets(merchant)
        return self._unsealed_keys.get(
            key.sealed, lambda: self._kms.unseal_key(merchant.merchant_id, key.mode, key.sealed)
        )

    def callback_secrets(
        self, merchant: Merchant, address: CallbackAddress | None = None
    ) -> tuple[str, ...]:
        sealed = merchant.sealed_callback_secrets if address is None else address.sealed
        return self._unsealed_callback.get(
            sealed, lambda: self._kms.unseal_callback(merchant.merchant_id, sealed)
        )

    def base_rate(self, side: OrderType) -> BaseRate | None:
        rates, *_ = self._desk.get(None, self._store.desk)
        return rates.get(side)

    def blocks(self) -> Mapping[str, int]:
        _, blocks, _ = self._desk.get(None, self._store.desk)
        return blocks

    def day_limits(self) -> Mapping[str, int]:
        *_, limits = self._desk.get(None, self._store.desk)
        return limits
