"""Merchants, secrets and rates behind a bounded cache that a warm container keeps.

The threads of a container may share it: two may read the same at the same time, none loses what
another has kept.
"""

import threading
from collections.abc import Callable
from typing import Protocol

from orderdesk.domain.merchants.merchant import Merchant, MerchantSecrets
from orderdesk.domain.pricing import BaseRate, OrderType

MAX_MERCHANTS = 1_000

# A bad signature may be a secret rotated since the merchant was read; this bounds how often a
# stranger's bad signatures make us look.
REREAD_SECONDS = 1


class MerchantReads(Protocol):
    """The store behind the cache."""

    def merchant(self, merchant_id: str) -> Merchant | None:
        """Give a merchant, or None."""

    def rates(self) -> dict[OrderType, BaseRate]:
        """Give the base rates that were set."""


class Unsealer(Protocol):
    """The key service behind the cache."""

    def unseal(self, merchant_id: str, sealed: bytes) -> MerchantSecrets:
        """Decrypt a merchant's secrets."""

    def unseal_callback(self, merchant_id: str, sealed: bytes) -> tuple[str, ...]:
        """Decrypt a merchant's callback secrets, newest first."""


class Expiring[K, V]:
    """Values that are good for some seconds, the oldest dropped beyond a bound."""

    def __init__(self, ttl_seconds: int, clock: Callable[[], float], bound: int) -> None:
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        self._bound = bound
        self._entries: dict[K, tuple[float, V]] = {}
        self._keeping = threading.Lock()

    def get(self, key: K, load: Callable[[], V], max_age_seconds: int | None = None) -> V:
        """Give the kept value, or load and keep it."""
        now = self._clock()
        good_for = self._ttl_seconds
        if max_age_seconds is not None:
            good_for = min(good_for, max_age_seconds)
        entry = self._entries.get(key)
        if entry is not None and now < entry[0] + good_for:
            return entry[1]
        value = load()
        if value is None:
            # A flood of unknown keys must not push the known ones out.
            return value
        with self._keeping:
            self._entries.pop(key, None)
            if len(self._entries) >= self._bound:
                self._entries.pop(next(iter(self._entries)))
            self._entries[key] = (now, value)
        return value


class ByCiphertext[V]:
    """Unsealed secrets, kept by what they were sealed in; all dropped beyond a bound."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._kept: dict[bytes, V] = {}

    def get(self, sealed: bytes, unseal: Callable[[], V]) -> V:
        """Give the kept secrets, or unseal and keep them."""
        kept = self._kept.get(sealed)
        if kept is not None:
            return kept
        if len(self._kept) >= self._bound:
            self._kept.clear()
        return self._kept.setdefault(sealed, unseal())


class CachedDirectory:
    """Fills the ports `MerchantDirectory` and `CallbackMerchants`.

    What an operator changes is seen after `ttl_seconds` at most. Secrets are kept by their
    ciphertext, so a rotation is seen with the merchant that carries it.
    """

    def __init__(
        self,
        store: MerchantReads,
        unsealer: Unsealer,
        ttl_seconds: int,
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._unsealer = unsealer
        self._merchants = Expiring[str, Merchant | None](ttl_seconds, clock, MAX_MERCHANTS)
        self._rates = Expiring[None, dict[OrderType, BaseRate]](ttl_seconds, clock, 1)
        self._unsealed = ByCiphertext[MerchantSecrets](MAX_MERCHANTS)
        self._unsealed_callback = ByCiphertext[tuple[str, ...]](MAX_MERCHANTS)

    def find(self, merchant_id: str) -> Merchant | None:
        """Give a merchant, or None."""
        return self._merchants.get(merchant_id, lambda: self._store.merchant(merchant_id))

    def find_anew(self, merchant_id: str) -> Merchant | None:
        """Give a merchant, read again unless that was done within the last second."""
        return self._merchants.get(
            merchant_id, lambda: self._store.merchant(merchant_id), REREAD_SECONDS
        )

    def secrets(self, merchant: Merchant) -> MerchantSecrets:
        """Unseal a merchant's secrets, once for each ciphertext."""
        sealed = merchant.sealed_secrets
        return self._unsealed.get(
            sealed, lambda: self._unsealer.unseal(merchant.merchant_id, sealed)
        )

    def callback_secrets(self, merchant: Merchant) -> tuple[str, ...]:
        """Unseal a merchant's callback secrets, newest first, once for each ciphertext."""
        sealed = merchant.sealed_callback_secrets
        return self._unsealed_callback.get(
            sealed, lambda: self._unsealer.unseal_callback(merchant.merchant_id, sealed)
        )

    def base_rate(self, side: OrderType) -> BaseRate | None:
        """Give the operator's rate of a side, or None before one was set."""
        return self._rates.get(None, self._store.rates).get(side)
