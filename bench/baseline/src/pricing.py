"""The amounts of a buy as Decimals: USDT with 6 places, rates with 4."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

BPS = Decimal(10_000)
USDT_STEP = Decimal("0.000001")
RATE_STEP = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Quote:
    """A buy's amounts."""

    cny_amount: Decimal
    rate: Decimal
    usdt_amount: Decimal
    service_amount: Decimal
    merchant_amount: Decimal
    deposit_amount: Decimal
    merchant_actual_amount: Decimal


def quote_buy(cny_amount: Decimal, merchant: Mapping[str, Any]) -> Quote:
    """Quote a buy under the merchant's agreement; round in the operator's favour."""
    rate = ceil(merchant["buy_base_rate"] * (1 + merchant["spread_bps"] / BPS), RATE_STEP)
    usdt = (cny_amount / rate).quantize(USDT_STEP, ROUND_FLOOR)
    service = ceil(usdt * merchant["service_bps"] / BPS + merchant["service_fixed"], USDT_STEP)
    credited = usdt - service
    deposit = ceil(credited * merchant["deposit_bps"] / BPS, USDT_STEP)
    return Quote(
        cny_amount=cny_amount,
        rate=rate,
        usdt_amount=usdt,
        service_amount=service,
        merchant_amount=credited,
        deposit_amount=deposit,
        merchant_actual_amount=credited - deposit,
    )


def ceil(amount: Decimal, step: Decimal) -> Decimal:
    """Round up to a multiple of a step."""
    return amount.quantize(step, ROUND_CEILING)
