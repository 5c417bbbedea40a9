"""The last refused calls of each merchant, which its developers read at the portal (section 12).

Successful calls are not recorded, and neither are parameters or whole addresses.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.errors import Refusal
from orderdesk.domain.merchants.merchant import UnknownApiKey, merchant_id_of
from orderdesk.domain.orders.order_errors import DeskRule, RefusedByDesk
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.ports import FindsMerchants

KEPT_MOST = 100
KEPT_SECONDS = 30 * SECONDS_PER_DAY

# A container records as many calls of a merchant at once as the list can hold, then one in ten
# seconds. So a flood costs little, also one by somebody who knows an api_key but no secret.
SECONDS_EACH = 10
_MERCHANTS_MOST = 1_000
_IPV4_PREFIX = 24
_IPV6_PREFIX = 48


@dataclass(frozen=True, slots=True)
class RefusedCall:
    """One refused call: when (Unix seconds), with which key, which operation, and why.

    `reason` is the slug of contract section 3, `network` the caller's /24 or /48, `rule` what the
    desk refused it by, if that is the reason.
    """

    at: int
    key: Mode
    operation: str
    reason: str
    network: str
    rule: DeskRule | None = None


@dataclass(frozen=True, slots=True)
class KeyActivity:
    """When each key was last used (Unix seconds), and the refused calls, newest first."""

    used_at: Mapping[Mode, int]
    refused: tuple[RefusedCall, ...]


class RefusedCalls(Protocol):
    """The last calls of each merchant."""

    def add(self, merchant_id: str, call: RefusedCall) -> None:
        """Append a call with at most a few requests. Raises: TryAgain if the store is busy."""


class RefusalLog:
    """Records refused calls, as many as this container may."""

    def __init__(self, merchants: FindsMerchants, calls: RefusedCalls) -> None:
        self._merchants = merchants
        self._calls = calls
        self._full_until: dict[str, int] = {}

    def note(
        self, api_key: object, operation: str, refusal: Refusal, source_ip: str, now: int
    ) -> None:
        """Record a refused call of a known key; `now` in Unix seconds. Raises: TryAgain.

        A call of an unknown key is nobody's. `api_key` is what the body has under this name.
        """
        merchant_id = merchant_id_of(api_key) if isinstance(api_key, str) else None
        if merchant_id is None or isinstance(refusal, UnknownApiKey):
            return
        merchant = self._merchants.find(merchant_id)
        held = None if merchant is None else merchant.key(str(api_key))
        key = None if held is None else held.mode
        if key is not None and self._has_room(merchant_id, now):
            rule = refusal.rule if isinstance(refusal, RefusedByDesk) else None
            network = network_of(source_ip)
            call = RefusedCall(now, key, operation, refusal.reason, network, rule)
            self._calls.add(merchant_id, call)

    def _has_room(self, merchant_id: str, now: int) -> bool:
        until = max(self._full_until.get(merchant_id, 0), now) + SECONDS_EACH
        if until > now + KEPT_MOST * SECONDS_EACH:
            return False
        if merchant_id not in self._full_until and len(self._full_until) >= _MERCHANTS_MOST:
            self._full_until.pop(next(iter(self._full_until)))
        self._full_until[merchant_id] = until
        return True


def network_of(source_ip: str) -> str:
    """Return the /24 of an IPv4 address or the /48 of an IPv6 address; "" for neither."""
    try:
        ip = ipaddress.ip_address(source_ip)
    except ValueError:
        return ""
    prefix = _IPV4_PREFIX if isinstance(ip, ipaddress.IPv4Address) else _IPV6_PREFIX
    return str(ipaddress.ip_network(f"{ip}/{prefix}", strict=False))
