"""Merchants: their status, keys, limits and fees; and refusals by these (contract sections 2, 3).

What a scope does not list needs the scope `full`, so a new route is closed to the others until it
is added (contract section 2).
"""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from orderdesk.domain.errors import Refusal
from orderdesk.domain.merchants.request_rate import DEFAULT_MAX_RPS
from orderdesk.domain.orders.open_orders import SHARDS_MAX, OpenShare, open_shares
from orderdesk.domain.orders.order import DEFAULT_SLOT_SHARE
from orderdesk.domain.pricing import ByType, FeePolicy, Mode, OrderType


class UnknownApiKey(Refusal, reason="unknown_api_key"):
    """No such key, or the key is disabled."""


class NotAllowedByKey(Refusal, reason="not_allowed_by_key"):
    """The key's scope does not allow this route, or this type of order."""


class BadSignature(Refusal, reason="bad_signature"):
    """No active secret of the merchant matches the signature.

    At the test route it carries the beginning of the text that the server signed (contract section
    2).
    """

    def __init__(self, string_to_sign: str | None = None) -> None:
        super().__init__(string_to_sign=string_to_sign)


class TimestampOutOfWindow(Refusal, reason="timestamp_out_of_window"):
    """More than 300 s from the server's clock; carries `server_time` in Unix seconds."""

    def __init__(self, server_time: int) -> None:
        super().__init__(server_time=server_time)


class NonceReused(Refusal, reason="nonce_reused"):
    """The api_key used this nonce within the last 600 s."""


class IpNotAllowed(Refusal, reason="ip_not_allowed"):
    """The merchant lists CIDRs and the caller's address is in none of them."""


class MerchantSuspended(Refusal, reason="merchant_suspended"):
    """The operator suspended the merchant."""


DEFAULT_MAX_CALLBACK_RPS = 200
DEFAULT_MAX_OPEN_BUYS = 100
DEFAULT_MAX_OPEN_CNY_FEN = 100_000_000
DEFAULT_MAX_OPEN_SELLS = 100
DEFAULT_MAX_OPEN_SELL_CNY_FEN = 100_000_000
# send-callback's 50 containers send about 2,000 a second to quick endpoints.
MAX_CALLBACK_RPS_MAX = 1_000
# A hold that gathers from all of them must fit a transaction of at most 100 items.
BALANCE_SHARDS_MAX = 32

# During a rotation a merchant has two active secrets; a third removes the oldest.
MAX_ACTIVE_SECRETS = 2

_API_KEY_PREFIX = "mk_"
# Limited in length, because any caller can send it and it must fit a table's key.
_API_KEY = re.compile(
    rf"{_API_KEY_PREFIX}(?:{'|'.join(Mode)})_"
    r"(?P<merchant_id>[a-z0-9]{1,32})_[A-Za-z0-9]{1,64}\Z"
)

ADDRESSES_MAX = 5
"""How many addresses a merchant has at most beside the default one."""

KEYS_MAX = 5
"""How many keys a merchant has at most in a mode; they share one request rate."""


class Scope(StrEnum):
    """What a key may do."""

    FULL = "full"
    BUY = "buy"
    READ = "read"


@dataclass(frozen=True, slots=True)
class MerchantKey:
    """A key of a merchant; `sealed` are its encrypted secrets, `created_at` is in Unix seconds."""

    api_key: str = field(repr=False)
    mode: Mode
    scope: Scope
    sealed: bytes = field(repr=False)
    created_at: int = 0


_QUERIES = frozenset(
    {
        *("/merchant/queryOrder", "/merchant/listOrders", "/merchant/statement"),
        *("/merchant/listCallbacks", "/merchant/listEvents", "/merchant/listWithdrawals"),
        *("/merchant/quote", "/merchant/agreement"),
    }
)
_CREATE = frozenset({"/merchant/createOrder", "/test/createOrder"})
_ALLOWED: Mapping[Scope, frozenset[str]] = MappingProxyType(
    {
        Scope.BUY: (_QUERIES - {"/merchant/statement"}) | _CREATE | {"/merchant/cancelOrder"},
        Scope.READ: _QUERIES | {"/merchant/balance"},
    }
)


def allows(scope: Scope, route: str, order_type: object) -> bool:
    """Return whether a scope allows a call; `order_type` is the text of the parameter, if any."""
    if scope is Scope.FULL:
        return True
    is_allowed = route in _ALLOWED[scope]
    return is_allowed and (route not in _CREATE or str(order_type).lstrip("0") == "1")


@dataclass(frozen=True, slots=True)
class CallbackAddress:
    """A further address: it gets every callback of its types, signed with its own secret.

    `events` are the types that it takes; None means all. `sealed` are its encrypted secrets,
    `created_at` is in Unix seconds.
    """

    endpoint_id: str
    url: str = field(repr=False)
    events: tuple[str, ...] | None
    sealed: bytes = field(repr=False)
    created_at: int = 0

    def wants(self, event_type: str) -> bool:
        """Return whether the address takes callbacks of a type."""
        return self.events is None or event_type in self.events


class MerchantStatus(StrEnum):
    """Whether a merchant's calls are accepted."""

    ACTIVE = "active"
    SUSPENDED = "suspended"


@dataclass(frozen=True, slots=True)
class ApiSecrets:
    """The secrets of an api_key, newest first.

    `rotated_at` has, for each secret in their order, when a rotation made it (Unix seconds). An
    entry is 0, or missing at the end, for the first secret and for one without a stored time.
    """

    api_secrets: tuple[str, ...] = field(repr=False)
    rotated_at: tuple[int, ...] = ()

    def rotated(self, new: str, now: int) -> Self:
        """Return the secrets after a rotation at a time (Unix seconds); the oldest is dropped."""
        return replace(
            self,
            api_secrets=(new, *self.api_secrets)[:MAX_ACTIVE_SECRETS],
            rotated_at=(now, *self.rotated_at)[:MAX_ACTIVE_SECRETS],
        )

    def rotation_time(self, position: int) -> int:
        """Return when a rotation made the API secret at a position; 0 if none did."""
        return self.rotated_at[position] if position < len(self.rotated_at) else 0


@dataclass(frozen=True, slots=True)
class MerchantSecrets(ApiSecrets):
    """The live key's secrets, and the secret from which page links are derived."""

    link_secret: bytes = field(kw_only=True, repr=False)


@dataclass(frozen=True, slots=True)
class MerchantTerms:
    """What a merchant agreed with the operator; the defaults are a new merchant's.

    - `min_cny_fen` and `max_cny_fen` limit an order. `max_open_buys` and `max_open_cny_fen` limit
      the buys that are pending, paid or disputed, in each mode; `max_open_sells` and
    `max_open_sell_cny_fen` limit the sells that are matching, assigned or disputed.
    - `slot_share` is the percentage of a trader's slots that the merchant's orders may take.
    - `require_receipt`: a payer can report a payment only with a receipt.
    - `callback_url` is "" for none. `events` are the types of callbacks that the merchant wants;
      None means all.
    - `allowed_cidrs` are the networks that may call; without any, every address may.
    - `max_rps` is the request rate, in calls a second.
    - `max_callback_rps` is how many callbacks a second it gets at most.
    - `balance_shards` is the number of items that each account is split over.
    - `limits_epoch` grows with each change of the limits of open orders (`with_limits_epoch`).
    - `other_sums` says whether a buy may complete with another sum than the asked one: `no`,
      `operator` or `agreed:PERCENT` (domain/orders/other_sums.py).
    - The pages show `display_name`, and `support` as the contact for questions; "" shows nothing.
    - `logo` is the prefix of its pictures' keys (domain/receipts/places.py), "" for none. It is
      shown with the `display_name`.
    """

    identity_required: bool = False
    callback_url: str = ""
    fees: FeePolicy = field(default_factory=FeePolicy)
    min_cny_fen: int = 1
    max_cny_fen: int = 100_000_000
    max_open_buys: int = DEFAULT_MAX_OPEN_BUYS
    max_open_cny_fen: int = DEFAULT_MAX_OPEN_CNY_FEN
    max_open_sells: int = DEFAULT_MAX_OPEN_SELLS
    max_open_sell_cny_fen: int = DEFAULT_MAX_OPEN_SELL_CNY_FEN
    slot_share: int = DEFAULT_SLOT_SHARE
    require_receipt: bool = False
    allowed_cidrs: tuple[str, ...] = ()
    events: tuple[str, ...] | None = None
    max_rps: int = DEFAULT_MAX_RPS
    max_callback_rps: int = DEFAULT_MAX_CALLBACK_RPS
    balance_shards: int = 1
    display_name: str = ""
    support: str = ""
    logo: str = field(default="", repr=False)
    limits_epoch: int = 0
    other_sums: str = "no"

    @property
    def allows_other_sums(self) -> bool:
        """Whether a trader may report that a different sum arrived."""
        return self.other_sums != "no"

    def open_shares(self, order_type: OrderType) -> tuple[OpenShare, ...]:
        """Return how the limits of open orders of a type are split over counters."""
        most, most_fen = self.open_limits(order_type)
        return open_shares(
            max_orders=most,
            max_fen=most_fen,
            largest_fen=self.max_cny_fen,
            shards_max=ByType(buy=SHARDS_MAX, sell=self.balance_shards)[order_type],
            epoch=self.limits_epoch,
        )

    def open_limits(self, order_type: OrderType) -> tuple[int, int]:
        """Return the most open orders of a type, and the most fen in them."""
        match order_type:
            case OrderType.BUY:
                return self.max_open_buys, self.max_open_cny_fen
            case OrderType.SELL:
                return self.max_open_sells, self.max_open_sell_cny_fen

    def allows_address(self, address: str) -> bool:
        """Return whether the caller's IP is allowed; without CIDRs any address is."""
        if not self.allowed_cidrs:
            return True
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(ip in ipaddress.ip_network(cidr) for cidr in self.allowed_cidrs)

    def wants(self, event_type: str) -> bool:
        """Return whether the merchant wants callbacks of a type."""
        return self.events is None or event_type in self.events


@dataclass(frozen=True, slots=True)
class Merchant:
    """A merchant's terms and encrypted credentials, as stored in one item.

    `created_at` is in Unix seconds. `approved` are the numbers of the terms that two people last
    approved; those that are missing are the present ones. `version` grows with each operator
    change, so that one of two concurrent changes is refused. `test_api_key` and its secrets are
    empty if the merchant has no test key yet. `more_keys` are those beside the first one of each
    mode. `addresses` get callbacks beside the default address.
    """

    merchant_id: str
    name: str
    api_key: str = field(repr=False)
    status: MerchantStatus
    created_at: int
    sealed_secrets: bytes = field(repr=False)
    sealed_callback_secrets: bytes = field(repr=False)
    terms: MerchantTerms = field(default_factory=MerchantTerms)
    approved: Mapping[str, int] = field(default_factory=dict)
    version: int = 1
    test_api_key: str = field(default="", repr=False)
    sealed_test_secrets: bytes = field(default=b"", repr=False)
    more_keys: tuple[MerchantKey, ...] = ()
    addresses: tuple[CallbackAddress, ...] = ()

    @property
    def keys(self) -> tuple[MerchantKey, ...]:
        """All keys: the first one of each mode, whose scope is `full`, and those made later."""
        first = (
            MerchantKey(self.api_key, Mode.LIVE, Scope.FULL, self.sealed_secrets),
            MerchantKey(self.test_api_key, Mode.TEST, Scope.FULL, self.sealed_test_secrets),
        )
        return (*(key for key in first if key.api_key), *self.more_keys)

    def address(self, endpoint_id: str) -> CallbackAddress | None:
        """Return one of the merchant's callback addresses, or None."""
        return next((each for each in self.addresses if each.endpoint_id == endpoint_id), None)

    def key(self, api_key: str) -> MerchantKey | None:
        """Return one of the merchant's keys; None if it is not the merchant's."""
        return next((key for key in self.keys if key.api_key == api_key), None)


def make_api_key(merchant_id: str, mode: Mode, chance: str) -> str:
    """Return an api_key that contains the merchant id, so that one read finds its merchant."""
    return f"{_API_KEY_PREFIX}{mode.value}_{merchant_id}_{chance}"


def counter_of(merchant_id: str, mode: Mode) -> str:
    """Return whose calls or failures a counter counts: those of a test key use up no live limit."""
    return merchant_id if mode is Mode.LIVE else f"{merchant_id}:{mode.value}"


def merchant_id_of(api_key: str) -> str | None:
    """Return the merchant id of an api_key; None if the text does not have the format of a key."""
    match = _API_KEY.match(api_key)
    return None if match is None else match["merchant_id"]
