"""An order's type, its mode, and its amounts in integers (contract sections 4 to 6).

The two modes, live and test, never mix their money and orders. Rounding always favours orderdesk: a
merchant never receives more, and never pays less, than the exact formula yields.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import assert_never


class Mode(StrEnum):
    """Which traders, accounts and orders a call may use."""

    LIVE = "live"
    TEST = "test"

    @classmethod
    def of(cls, is_test: int) -> "Mode":
        """Convert the wire's `is_test` (0 or 1) to a mode."""
        return cls.TEST if is_test else cls.LIVE

    @property
    def is_test(self) -> int:
        """The wire's `is_test`."""
        return int(self is Mode.TEST)

    def reaches(self, other: "Mode") -> bool:
        """Return whether a key of this mode reaches another mode (contract section 2).

        A live key reaches both modes, a test key test only.
        """
        return self is Mode.LIVE or other is Mode.TEST


BPS = 10_000


class OrderType(IntEnum):
    """The merchant's side of an order (contract section 4)."""

    BUY = 1
    SELL = 2


class ByType[T]:
    """One value for each order type; a missing one is a type error.

    `ByType`, `ByStatus` and the like are plain classes, because importing a dataclass takes ten
    times as long.
    """

    def __init__(self, *, buy: T, sell: T) -> None:
        def of(order_type: OrderType) -> T:
            match order_type:
                case OrderType.BUY:
                    return buy
                case OrderType.SELL:
                    return sell

        self._values = {order_type: of(order_type) for order_type in OrderType}

    def __getitem__(self, order_type: OrderType) -> T:
        return self._values[order_type]


@dataclass(frozen=True, slots=True)
class FeePolicy:
    """The merchant's fees; 0 for a new merchant.

    A field's name ends in its unit: basis points (`bps`) or micro-USDT (`micro`). Storage, the
    operators' names, checks and changes of a fee term are derived from its field here.
    """

    service_bps: int = 0
    service_fixed_micro: int = 0
    deposit_bps: int = 0
    spread_bps: int = 0


FEE_TERMS = tuple(FeePolicy.__slots__)


@dataclass(frozen=True, slots=True)
class BaseRate:
    """An operator's rate of one side: CNY per USDT in 1/10 000, its source, and when it was set.

    `set_at` is in Unix seconds. `approved_e4` is the rate that two people last approved; None is
    this one.
    """

    rate_e4: int
    source: str
    set_at: int
    approved_e4: int | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """An order's amounts in micro-USDT, and the values they were computed from.

    `cny_fen` is in fen. `rate_e4` is the merchant's rate in CNY per USDT, in 1/10 000.
    `trader_micro` is what the trader holds and pays, or gets: `usdt_micro` at the base rate.
    """

    cny_fen: int
    rate_e4: int
    usdt_micro: int
    service_micro: int
    merchant_micro: int
    deposit_micro: int
    merchant_actual_micro: int
    trader_micro: int


def ceil_div(dividend: int, divisor: int) -> int:
    """Divide integers, rounding up."""
    return -(-dividend // divisor)


def merchant_rate_e4(side: OrderType, base_e4: int, spread_bps: int) -> int:
    """Apply the merchant's spread to the base rate: raise a buy's, lower a sell's."""
    match side:
        case OrderType.BUY:
            return ceil_div(base_e4 * (BPS + spread_bps), BPS)
        case OrderType.SELL:
            return base_e4 * (BPS - spread_bps) // BPS


def quote(side: OrderType, cny_fen: int, base_e4: int, policy: FeePolicy) -> Quote:
    """Compute every amount of an order (contract section 5); its rate must be positive."""
    rate_e4 = merchant_rate_e4(side, base_e4, policy.spread_bps)
    # fen / 100 / (rate / 10^4) in micro: fen * 10^(6 + 4 - 2) / rate
    scaled = cny_fen * 10**8
    match side:
        case OrderType.BUY:
            usdt, at_base = scaled // rate_e4, scaled // base_e4
            service = ceil_div(usdt * policy.service_bps, BPS) + policy.service_fixed_micro
            merchant = usdt - service
            deposit = ceil_div(merchant * policy.deposit_bps, BPS)
            actual = merchant - deposit
        case OrderType.SELL:
            usdt, at_base = ceil_div(scaled, rate_e4), ceil_div(scaled, base_e4)
            service = ceil_div(usdt * policy.service_bps, BPS) + policy.service_fixed_micro
            merchant = usdt + service
            deposit = 0
            actual = merchant
        case _:
            assert_never(side)
    return Quote(
        cny_fen=cny_fen,
        rate_e4=rate_e4,
        usdt_micro=usdt,
        service_micro=service,
        merchant_micro=merchant,
        deposit_micro=deposit,
        merchant_actual_micro=actual,
        trader_micro=at_base,
    )
