"""Keep every merchant within its request rate, over all containers (contract section 3, 1201)."""

from typing import Protocol

from orderdesk.domain.errors import TooManyRequests
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.request_rate import (
    Seen,
    after_count,
    next_call,
    retry_after_seconds,
)

# The size of the directory's cache. Beyond it, the merchant that was first seen is dropped, and its
# next few calls pass uncounted.
_MERCHANTS_MOST = 1_000
_NS_PER_US = 1_000


class CallCounts(Protocol):
    """The merchants' token buckets, which all containers share."""

    def count(self, merchant_id: str, calls: int, max_rps: int, now_ns: int) -> int | None:
        """Count calls if there is room; return the bucket's new time, or None. Raises: TryAgain."""


class RequestRates:
    """What this container has seen of each merchant's calls."""

    def __init__(self, counts: CallCounts) -> None:
        self._counts = counts
        self._seen: dict[str, Seen] = {}

    def admit(self, merchant: Merchant, now_us: int) -> None:
        """Admit one authenticated call; `now_us` in Unix us. Raises: TooManyRequests, TryAgain.

        A call that is refused here does not count, so a merchant that sends too many calls still
        gets its full rate. Every admitted call counts, whatever its response.
        """
        merchant_id, now_ns = merchant.merchant_id, now_us * _NS_PER_US
        step = next_call(self._seen.get(merchant_id, Seen()), merchant.max_rps, now_ns)
        seen = step.seen
        if step.to_count:
            used = self._counts.count(merchant_id, step.to_count, merchant.max_rps, now_ns)
            seen = after_count(used, now_ns)
        self._keep(merchant_id, seen)
        if now_ns < seen.refused_until_ns:
            raise TooManyRequests(retry_after_seconds(seen, now_ns))

    def _keep(self, merchant_id: str, seen: Seen) -> None:
        if merchant_id not in self._seen and len(self._seen) >= _MERCHANTS_MOST:
            self._seen.pop(next(iter(self._seen)))
        self._seen[merchant_id] = seen
