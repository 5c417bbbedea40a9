"""Which traders can take an order, and which is tried next (contract sections 4 and 6).

Without competitors it is the exact rotation, among many competitors a random one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.traders.trader import Trader, slot_holder

# With competitors, an order draws from this many of the rotation's first traders.
CROWD_REACH = 64

# A process expects competitors for this long after the last conflict.
CROWD_MEMORY_US = 3_000_000

# Placing an order takes at least 10 ms, so an older acceptance was not concurrent.
OVERLAP_US = 10_000


@dataclass(frozen=True, slots=True)
class Demand:
    """What an order needs of a trader; `day` is its trading day.

    `usdt_micro` is the USDT that the trader must have: at the base rate for a buy, 0 for a sell.
    `slot_share` is the percentage of the trader's slots that its merchant's orders may take.
    """

    order_type: OrderType
    mode: Mode
    method_type: MethodType
    cny_fen: int
    usdt_micro: int
    day: int
    merchant_id: str
    slot_share: int


class Misfit(StrEnum):
    """Why a trader cannot take an order, even if an operator assigns it."""

    MODE = "mode"
    SUSPENDED = "suspended"
    METHOD = "method"
    RANGE = "range"
    BALANCE = "balance"
    OPEN_ORDERS = "open_orders"
    DAILY_CAP = "daily_cap"


def misfits(trader: Trader, demand: Demand) -> list[Misfit]:
    """List every rule that excludes a trader from an order, even if an operator assigns it.

    Being online and the merchant's share of the slots are not among them.
    """
    cap, most = trader.most_a_day_fen, trader.most_open
    is_under_cap = cap is None or trader.used_on(demand.day) + demand.cny_fen <= cap
    has_account = bool(trader.accounts_on(demand.method_type))
    rules = {
        Misfit.MODE: trader.mode is demand.mode,
        Misfit.SUSPENDED: not trader.suspended,
        Misfit.METHOD: has_account,
        Misfit.RANGE: trader.smallest_fen <= demand.cny_fen <= trader.largest_fen,
        Misfit.BALANCE: trader.counts.available_micro >= demand.usdt_micro,
        Misfit.OPEN_ORDERS: most is None or trader.counts.open_orders < most,
        Misfit.DAILY_CAP: is_under_cap and (not has_account or bool(accounts_for(trader, demand))),
    }
    return [misfit for misfit, is_met in rules.items() if not is_met]


def accounts_for(trader: Trader, demand: Demand) -> list[PaymentMethod]:
    """Return the accounts that can take an order, the least used of its day first.

    A cap of an account does not apply to a sell, which is paid from any account.
    """
    on = trader.accounts_on(demand.method_type)
    if demand.order_type is OrderType.SELL:
        return on
    return sorted(
        (method for method in on if _has_room(trader, method.account_key, demand)),
        key=lambda method: trader.received_on(method.account_key, demand.day),
    )


def _has_room(trader: Trader, key: str, demand: Demand) -> bool:
    cap = trader.terms_of(key).daily_cap_fen
    return cap is None or trader.received_on(key, demand.day) + demand.cny_fen <= cap


def fits(trader: Trader, demand: Demand) -> bool:
    """Return whether a trader can take an order now (contract section 4, matching)."""
    return trader.online and not misfits(trader, demand) and _has_slot(trader, demand)


def _has_slot(trader: Trader, demand: Demand) -> bool:
    """Return whether the merchant's orders may take one more of the trader's slots."""
    most = trader.slots_for(demand.slot_share)
    return most is None or trader.counts.slots.get(slot_holder(demand.merchant_id), 0) < most


def rotation(traders: Sequence[Trader], demand: Demand) -> list[Trader]:
    """Return the traders that fit, the one with the oldest last acceptance first."""
    eligible = (trader for trader in traders if fits(trader, demand))
    return sorted(eligible, key=lambda trader: (trader.counts.last_accepted_us, trader.trader_id))


def draw(eligible: Sequence[Trader], below: Callable[[int], int]) -> Trader:
    """Draw one of the first traders at random; `below(n)` returns a random int in [0, n)."""
    return eligible[below(min(CROWD_REACH, len(eligible)))]


def draw_fair(eligible: Sequence[Trader], day: int, below: Callable[[int], int]) -> Trader:
    """Draw two of the first traders and return the one with fewer orders on a trading day.

    Choosing the less-used of two keeps the traders' counts close; with single draws they diverge
    without bound. Of two equal ones, the one that waited longer is returned.
    """
    pair = draw(eligible, below), draw(eligible, below)
    return min(pair, key=lambda t: (t.accepted_on(day), t.counts.last_accepted_us, t.trader_id))
