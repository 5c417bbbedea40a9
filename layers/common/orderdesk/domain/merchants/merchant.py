"""Merchants: who may call, under which agreement, at which price."""

import ipaddress
import re
from dataclasses import dataclass, field
from enum import StrEnum

from orderdesk.domain.pricing import FeePolicy

DEFAULT_MIN_CNY_FEN = 1
DEFAULT_MAX_CNY_FEN = 100_000_000

# A merchant holds two active secrets while it rotates; the third drops the oldest.
MAX_ACTIVE_SECRETS = 2

_API_KEY_PREFIX = "mk_"
# Bounded: what anybody may send must fit a table's key.
_API_KEY = re.compile(rf"{_API_KEY_PREFIX}(?P<merchant_id>[a-z0-9]{{1,32}})_[A-Za-z0-9]{{1,64}}\Z")


class MerchantStatus(StrEnum):
    """Whether a merchant's calls are answered."""

    ACTIVE = "active"
    SUSPENDED = "suspended"


@dataclass(frozen=True, slots=True)
class MerchantSecrets:
    """What signs: the API's secrets, newest first, and the secret the page links derive from."""

    api_secrets: tuple[str, ...] = field(repr=False)
    link_secret: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Merchant:
    """A merchant's policy and sealed credentials, as one item holds them.

    `version` grows with each change an operator makes, so that two changes cannot cross. `events`
    are the types of callbacks it wants, None for all.
    """

    merchant_id: str
    name: str
    api_key: str = field(repr=False)
    status: MerchantStatus
    created_at: int
    sealed_secrets: bytes = field(repr=False)
    sealed_callback_secrets: bytes = field(repr=False)
    identity_required: bool = False
    callback_url: str = ""
    fees: FeePolicy = field(default_factory=FeePolicy)
    min_cny_fen: int = DEFAULT_MIN_CNY_FEN
    max_cny_fen: int = DEFAULT_MAX_CNY_FEN
    allowed_cidrs: tuple[str, ...] = ()
    events: tuple[str, ...] | None = None
    version: int = 1

    def allows_address(self, address: str) -> bool:
        """Tell whether the caller's IP is allowed; a merchant without CIDRs allows any."""
        if not self.allowed_cidrs:
            return True
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(ip in ipaddress.ip_network(cidr) for cidr in self.allowed_cidrs)

    def wants(self, event_type: str) -> bool:
        """Tell whether the merchant wants callbacks of a type."""
        return self.events is None or event_type in self.events


def make_api_key(merchant_id: str, chance: str) -> str:
    """Write an api_key that carries the merchant id, so that finding its merchant is one read."""
    return f"{_API_KEY_PREFIX}{merchant_id}_{chance}"


def merchant_id_of(api_key: str) -> str | None:
    """Read the merchant id out of an api_key; None where the text can be no key of ours."""
    match = _API_KEY.match(api_key)
    return None if match is None else match["merchant_id"]
