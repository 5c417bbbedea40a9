"""Traders: who receives and pays CNY, and which order each of them can take."""

from dataclasses import dataclass, field
from enum import StrEnum

from orderdesk.domain.modes import Mode
from orderdesk.domain.payment_methods import MethodType, PaymentMethod

# Daily caps follow the traders' working day, which is China's (UTC+8, no daylight saving).
DAY_OFFSET_SECONDS = 8 * 3600
DAY_SECONDS = 86_400


def trading_day(now_seconds: int) -> int:
    """Number the day (UTC+8) that a daily cap counts in."""
    return (now_seconds + DAY_OFFSET_SECONDS) // DAY_SECONDS


@dataclass(frozen=True, slots=True)
class Trader:
    """A trader as one item holds it: a match checks and takes all of this in one write.

    `last_accepted_us` is the time of the last acceptance in Unix microseconds, 0 before the first.
    `max_open` and `daily_cap_fen` are None where there is no cap. `version` grows with each change
    an operator makes, so that a claim made on an outdated range or method is lost.
    """

    trader_id: str
    name: str = field(repr=False)
    mode: Mode
    online: bool
    suspended: bool
    min_cny_fen: int
    max_cny_fen: int
    max_open: int | None
    daily_cap_fen: int | None
    methods: tuple[PaymentMethod, ...]
    available_micro: int = 0
    held_micro: int = 0
    open_orders: int = 0
    daily_day: int = 0
    daily_used_fen: int = 0
    daily_orders: int = 0
    last_accepted_us: int = 0
    version: int = 1
    created_at: int = 0
    access_code_hash: str = field(default="", repr=False)

    def method(self, method_type: MethodType) -> PaymentMethod | None:
        """Give the receiving method of a type, None where the trader has none."""
        return next((m for m in self.methods if m.method_type is method_type), None)

    def accepted_on(self, day: int) -> int:
        """Count the orders accepted on a trading day so far, whatever became of them."""
        return self.daily_orders if self.daily_day == day else 0

    def used_on(self, day: int) -> int:
        """Give the fen accepted on a trading day so far."""
        return self.daily_used_fen if self.daily_day == day else 0


@dataclass(frozen=True, slots=True)
class Demand:
    """What an order asks of a trader; `day` is the trading day it counts in.

    `usdt_micro` is what the trader must have: a buy's; nothing for a sell.
    """

    mode: Mode
    method_type: MethodType
    cny_fen: int
    usdt_micro: int
    day: int


class Misfit(StrEnum):
    """Why a trader cannot take an order, whoever assigns it."""

    MODE = "mode"
    SUSPENDED = "suspended"
    METHOD = "method"
    RANGE = "range"
    BALANCE = "balance"
    OPEN_ORDERS = "open_orders"
    DAILY_CAP = "daily_cap"


def misfits(trader: Trader, demand: Demand) -> list[Misfit]:
    """Name all that keeps a trader from an order, online or not."""
    cap = trader.daily_cap_fen
    rules = {
        Misfit.MODE: trader.mode is demand.mode,
        Misfit.SUSPENDED: not trader.suspended,
        Misfit.METHOD: trader.method(demand.method_type) is not None,
        Misfit.RANGE: trader.min_cny_fen <= demand.cny_fen <= trader.max_cny_fen,
        Misfit.BALANCE: trader.available_micro >= demand.usdt_micro,
        Misfit.OPEN_ORDERS: trader.max_open is None or trader.open_orders < trader.max_open,
        Misfit.DAILY_CAP: cap is None or trader.used_on(demand.day) + demand.cny_fen <= cap,
    }
    return [misfit for misfit, is_met in rules.items() if not is_met]


def fits(trader: Trader, demand: Demand) -> bool:
    """Tell whether a trader can take an order now (service specification, order creation 1, 2)."""
    return trader.online and not misfits(trader, demand)
