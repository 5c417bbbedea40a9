"""Authentication: the checks of contract section 2 up to the timestamp, the rate and the scope.

The rate is kept over all containers (contract section 3, 1201).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from orderdesk.domain.errors import TooManyRequests, TryAgain
from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.merchant import (
    ApiSecrets,
    BadSignature,
    IpNotAllowed,
    Merchant,
    MerchantKey,
    MerchantStatus,
    MerchantSuspended,
    NotAllowedByKey,
    TimestampOutOfWindow,
    UnknownApiKey,
    allows,
    counter_of,
    merchant_id_of,
)
from orderdesk.domain.merchants.request_rate import (
    BURST_NS,
    LATE_NS,
    Seen,
    after_count,
    next_call,
    retry_after_seconds,
)
from orderdesk.domain.merchants.signing import JsonNumber, JsonValue
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.ports import MerchantDirectory

# As many as the directory's cache has merchants. Beyond it, the key that was first seen is dropped,
# and its next few calls pass uncounted.
_KEYS_MOST = 1_000
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


class KeyDirectory(MerchantDirectory, Protocol):
    """Reads the secrets of a merchant's keys."""

    def key_secrets(self, merchant: Merchant, key: MerchantKey) -> ApiSecrets:
        """Decrypt the secrets of one of a merchant's keys. Raises: TryAgain."""


class CallCounts(Protocol):
    """The token buckets of the merchants' keys, which all containers share."""

    def count(self, counter: str, calls: int, max_rps: int, now_ns: int) -> int | None:
        """Count calls if there is room; return the bucket's new time, or None. Raises: TryAgain."""


class RequestRates:
    """What this container has seen of the calls with each key. The clock returns Unix us."""

    def __init__(self, counts: CallCounts, clock: Callable[[], int]) -> None:
        self._counts = counts
        self._clock = clock
        self._seen: dict[str, Seen] = {}

    def admit(self, merchant: Merchant, key: Mode, now_us: int) -> None:
        """Admit one call with a key; `now_us` in Unix us. Raises: TooManyRequests, TryAgain.

        A call that is refused here does not count, so a merchant that sends too many calls still
        gets its full rate. Every admitted call counts, whatever its response.
        """
        counter, now_ns = counter_of(merchant.merchant_id, key), now_us * _NS_PER_US
        max_rps, before = merchant.terms.max_rps, self._seen.get(counter, Seen())
        seen, to_count = next_call(before, max_rps, now_ns)
        if to_count:
            used, now_ns = self._count(counter, to_count, max_rps, now_ns)
            seen = after_count(used, now_ns)
        self._keep(counter, seen)
        if now_ns < seen.refused_until_ns:
            raise TooManyRequests(retry_after_seconds(seen, now_ns))

    def _count(self, counter: str, calls: int, max_rps: int, now_ns: int) -> tuple[int | None, int]:
        """Count calls; return the bucket's new time, or None, and the time of the count.

        A call can wait for DynamoDB while later calls move the bucket's time on. It is then
        counted once more, at the present time. Raises: TryAgain if it then waited so long that
        later calls alone may have filled the bucket.
        """
        for late_ns in (LATE_NS, BURST_NS):
            used = self._counts.count(counter, calls, max_rps, now_ns)
            present_ns = self._clock() * _NS_PER_US
            if used is not None or present_ns - now_ns <= late_ns:
                return used, now_ns
            now_ns = present_ns
        raise TryAgain

    def _keep(self, counter: str, seen: Seen) -> None:
        if counter not in self._seen and len(self._seen) >= _KEYS_MOST:
            self._seen.pop(next(iter(self._seen)))
        self._seen[counter] = seen


@dataclass(frozen=True, slots=True)
class AuthenticatePorts:
    directory: KeyDirectory
    rates: RequestRates


def authenticate(
    call: SignedCall, ports: AuthenticatePorts, now_us: int
) -> tuple[Merchant, Mode, int]:
    """Find the merchant; check address, signature, timestamp, rate. The nonce is checked later.

    Return the merchant, the mode of the key, and when a rotation made the secret that verified the
    call (Unix seconds; 0 if none did). `now_us` in Unix us. The rate is checked after the
    timestamp, so that neither a stranger nor a replay of an old call can use up a merchant's rate.
    Raises, in the order of the checks: UnknownApiKey, MerchantSuspended, IpNotAllowed,
    BadSignature, TimestampOutOfWindow, TooManyRequests, NotAllowedByKey; TryAgain.
    """
    directory, now = ports.directory, now_us // US_PER_SECOND
    merchant, key = _holder_of(call.api_key, directory)
    _check_open(merchant, call)
    text = signing.string_to_sign(call.method, call.path, call.params)
    rotated_at = _secret_time(call, text, merchant, key, directory)
    if rotated_at is None:
        # The secret may have been rotated since the merchant was read, so read the merchant again.
        fresh = directory.find_fresh(merchant.merchant_id)
        if fresh is not None and fresh != merchant:
            merchant, key = fresh, _key_of(fresh, call.api_key)
            rotated_at = _secret_time(call, text, fresh, key, directory)
        if rotated_at is None:
            raise BadSignature(signing.shown_string_to_sign(call.path, text))
        _check_open(merchant, call)
    if abs(now - call.timestamp) > signing.TIMESTAMP_WINDOW_SECONDS:
        raise TimestampOutOfWindow(now)
    ports.rates.admit(merchant, key.mode, now_us)
    order_type = call.params.get("order_type")
    kind = order_type.text if isinstance(order_type, JsonNumber) else order_type
    if not allows(key.scope, call.path, kind):
        raise NotAllowedByKey
    return merchant, key.mode, rotated_at


def _check_open(merchant: Merchant, call: SignedCall) -> None:
    if merchant.status is not MerchantStatus.ACTIVE:
        raise MerchantSuspended
    if not merchant.terms.allows_address(call.source_ip):
        raise IpNotAllowed


def _secret_time(
    call: SignedCall, text: str, merchant: Merchant, key: MerchantKey, directory: KeyDirectory
) -> int | None:
    """Return when a rotation made the secret that verifies the call; None if no secret does."""
    secrets = directory.key_secrets(merchant, key)
    position = signing.verifying_secret(secrets.api_secrets, text, call.signature)
    return None if position is None else secrets.rotation_time(position)


def _key_of(merchant: Merchant, api_key: str) -> MerchantKey:
    key = merchant.key(api_key)
    if key is None:
        raise UnknownApiKey
    return key


def _holder_of(api_key: str, directory: MerchantDirectory) -> tuple[Merchant, MerchantKey]:
    """Return the merchant of a key, and the key. Raises: UnknownApiKey, TryAgain."""
    merchant_id = merchant_id_of(api_key)
    if merchant_id is not None:
        # The key may have been made since the merchant was read, so read it again.
        for find in (directory.find, directory.find_fresh):
            merchant = find(merchant_id)
            if merchant is None:
                break
            key = merchant.key(api_key)
            if key is not None:
                return merchant, key
    raise UnknownApiKey
