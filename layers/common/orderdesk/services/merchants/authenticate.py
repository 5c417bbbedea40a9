"""Authentication: the checks of contract section 2 from "key known" to the timestamp."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.errors import (
    BadSignature,
    IpNotAllowed,
    MerchantSuspended,
    TimestampOutOfWindow,
    UnknownApiKey,
)
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus, merchant_id_of
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.merchants.request_rate import RequestRates
from orderdesk.services.ports import MerchantDirectory


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


@dataclass(frozen=True, slots=True)
class AuthenticatePorts:
    directory: MerchantDirectory
    rates: RequestRates


def authenticate(call: SignedCall, ports: AuthenticatePorts, now_us: int) -> Merchant:
    """Find the merchant; check address, signature, timestamp, rate. The nonce is checked later.

    The rate is checked after the timestamp, so that neither a stranger nor a replay of an old call
    can use up a merchant's rate. `now_us` in Unix us.
    Raises, in the order of the checks: UnknownApiKey, MerchantSuspended, IpNotAllowed,
    BadSignature, TimestampOutOfWindow, TooManyRequests; TryAgain.
    """
    directory, now = ports.directory, now_us // US_PER_SECOND
    merchant = _merchant_of(call.api_key, directory)
    _check_open(merchant, call)
    text = signing.string_to_sign(call.method, call.path, call.params)
    if not _signed(call, text, merchant, directory):
        # The secret may have been rotated since the merchant was read, so read the merchant again.
        anew = directory.find_anew(merchant.merchant_id)
        if anew is None or anew == merchant or not _signed(call, text, anew, directory):
            raise BadSignature(signing.shown_string_to_sign(call.path, text))
        merchant = anew
        _check_open(merchant, call)
    if abs(now - call.timestamp) > signing.TIMESTAMP_WINDOW_SECONDS:
        raise TimestampOutOfWindow(now)
    ports.rates.admit(merchant, now_us)
    return merchant


def _check_open(merchant: Merchant, call: SignedCall) -> None:
    if merchant.status is not MerchantStatus.ACTIVE:
        raise MerchantSuspended
    if not merchant.allows_address(call.source_ip):
        raise IpNotAllowed


def _signed(call: SignedCall, text: str, merchant: Merchant, directory: MerchantDirectory) -> bool:
    secrets = directory.secrets(merchant).api_secrets
    return signing.verifies(secrets, text, call.signature)


def _merchant_of(api_key: str, directory: MerchantDirectory) -> Merchant:
    merchant_id = merchant_id_of(api_key)
    merchant = None if merchant_id is None else directory.find(merchant_id)
    if merchant is None or merchant.api_key != api_key:
        raise UnknownApiKey
    return merchant
