"""A merchant's api_keys and what each scope allows (contract section 2).

What is not listed needs the scope `full`, so a new route is closed to the others until it is added.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from orderdesk.domain.modes import Mode

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
