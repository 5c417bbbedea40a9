"""Authentication: the checks of contract section 2 up to the timestamp, and the request rate.

The rate is kept over all containers (contract section 3, 1201).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.errors import TooManyRequests
from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.errors import (
    BadSignature,
    IpNotAllowed,
    MerchantSuspended,
    TimestampOutOfWindow,
    UnknownApiKey,
)
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus, merchant_id_of
from orderdesk.domain.merchants.request_rate import (
    Seen,
    after_count,
    next_call,
    retry_after_seconds,
)
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.ports import MerchantDirectory

# The size of the directory's cache. Beyond it, the merchant that was first seen is dropped, and its
# next few calls pass uncounted.
_MERCHANTS_MOST = 1_000
_NS_PER_US = 1_000


@dataclass(frozen=True, slots=True)
class SignedCall:
    """A merchant's call with its common parameters parsed; `params` is the whole body."""

    method: str
    path: str
    source_ip: str
    api_key: str = field(repr=False)
    timestamp: int
    nonce: str = field(repr=False)
    signature: str = field(repr=False)
    params: Mapping[str, JsonValue] = field(repr=False)


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
        step = next_call(self._seen.get(merchant_id, Seen()), merchant.terms.max_rps, now_ns)
        seen = step.seen
        if step.to_count:
            used = self._counts.count(merchant_id, step.to_count, merchant.terms.max_rps, now_ns)
            seen = after_count(used, now_ns)
        self._keep(merchant_id, seen)
        if now_ns < seen.refused_until_ns:
            raise TooManyRequests(retry_after_seconds(seen, now_ns))

    def _keep(self, merchant_id: str, seen: Seen) -> None:
        if merchant_id not in self._seen and len(self._seen) >= _MERCHANTS_MOST:
            self._seen.pop(next(iter(self._seen)))
        self._seen[merchant_id] = seen


@dataclass(frozen=True, slots=True)
class AuthenticatePorts:
    directory: MerchantDirectory
    rates: RequestRates


def authenticate(call: SignedCall, ports: AuthenticatePorts, now_us: int) -> tuple[Merchant, int]:
    """Find the merchant; check address, signature, timestamp, rate. The nonce is checked later.

    Return the merchant, and when a rotation made the secret that verified the call (Unix seconds; 0
    if none did). `now_us` in Unix us. The rate is checked after the timestamp, so that neither a
    stranger nor a replay of an old call can use up a merchant's rate.
    Raises, in the order of the checks: UnknownApiKey, MerchantSuspended, IpNotAllowed,
    BadSignature, TimestampOutOfWindow, TooManyRequests; TryAgain.
    """
    directory, now = ports.directory, now_us // US_PER_SECOND
    merchant = _merchant_of(call.api_key, directory)
    _check_open(merchant, call)
    text = signing.string_to_sign(call.method, call.path, call.params)
    rotated_at = _secret_time(call, text, merchant, directory)
    if rotated_at is None:
        # The secret may have been rotated since the merchant was read, so read the merchant again.
        fresh = directory.find_fresh(merchant.merchant_id)
        if fresh is not None and fresh != merchant:
            merchant, rotated_at = fresh, _secret_time(call, text, fresh, directory)
        if rotated_at is None:
            raise BadSignature(signing.shown_string_to_sign(call.path, text))
        _check_open(merchant, call)
    if abs(now - call.timestamp) > signing.TIMESTAMP_WINDOW_SECONDS:
        raise TimestampOutOfWindow(now)
    ports.rates.admit(merchant, now_us)
    return merchant, rotated_at


def _check_open(merchant: Merchant, call: SignedCall) -> None:
    if merchant.status is not MerchantStatus.ACTIVE:
        raise MerchantSuspended
    if not merchant.terms.allows_address(call.source_ip):
        raise IpNotAllowed


def _secret_time(
    call: SignedCall, text: str, merchant: Merchant, directory: MerchantDirectory
) -> int | None:
    """Return when a rotation made the secret that verifies the call; None if no secret does."""
    secrets = directory.secrets(merchant)
    position = signing.verifying_secret(secrets.api_secrets, text, call.signature)
    return None if position is None else secrets.rotation_time(position)


def _merchant_of(api_key: str, directory: MerchantDirectory) -> Merchant:
    merchant_id = merchant_id_of(api_key)
    merchant = None if merchant_id is None else directory.find(merchant_id)
    if merchant is None or merchant.api_key != api_key:
        raise UnknownApiKey
    return merchant
