"""The rows of a merchant and traders, in the format of each contestant."""

import base64
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import cycle
from typing import Any

from boto3.dynamodb.types import TypeSerializer

from bench.model.market import METHODS, open_directory, trader
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import to_item, value_of
from orderdesk.adapters.dynamodb.merchants import merchant_item, rate_attribute
from orderdesk.adapters.dynamodb.traders.items import trader_item
from orderdesk.domain.merchants.request_rate import HIGHEST_MAX_RPS
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import Trader

API_KEY = open_directory(0).merchant.api_key
API_SECRET = "sk_" + "0123456789abcdef" * 2
AVAILABLE_USDT = 10_000_000
# The plain text that KmsSecrets encrypts; the stub KMS returns it.
SECRETS = json.dumps(
    {"api": [API_SECRET], "rotated_at": [0], "link": base64.b64encode(b"l" * 32).decode()}
).encode()
ANY_AMOUNT_FEN = (1_00, 1_000_000_00)
# Each amount fits one or two of these ranges.
MIXED_RANGES_FEN = ((1_00, 500_00), (100_00, 50_000_00), (1_000_00, 1_000_000_00))
AMOUNTS_CNY = ("1000.00", "250.00", "3200.50", "500.00", "18000.00", "720.00", "64000.00")

type Rows = dict[str, list[dict[str, Any]]]
"""Items in DynamoDB's wire format, by the logical id of their table."""


def traders_online(
    count: int, ranges_fen: Sequence[tuple[int, int]] = (ANY_AMOUNT_FEN,)
) -> list[Trader]:
    """Create traders; the first has waited longest and has the first range."""
    methods, ranges = tuple(METHODS.values()), zip(range(count), cycle(ranges_fen), strict=False)
    return [
        replace(trader(number, low_fen, high_fen), methods=methods)
        for number, (low_fen, high_fen) in ranges
    ]


def orderdesk_rows(traders: Iterable[Trader]) -> Rows:
    """Create the rows with orderdesk's adapters."""
    directory = open_directory(int(time.time()) * US_PER_SECOND)
    terms = replace(directory.merchant.terms, max_rps=HIGHEST_MAX_RPS)
    merchant = merchant_item(replace(directory.merchant, sealed_secrets=SECRETS, terms=terms))
    rates = {rate_attribute(side): value_of(directory.rate) for side in OrderType}
    return {
        "MerchantsTable": [to_item(merchant), to_item({"pk": Key.RATES, **rates})],
        "TradersTable": [to_item(trader_item(one, shard=0)) for one in traders],
    }


def baseline_rows(traders: Iterable[Trader]) -> Rows:
    """Create the rows in the format of the baseline's handler."""
    directory = open_directory(0)
    fees = directory.merchant.terms.fees
    merchant = {
        "api_key": API_KEY,
        "merchant_id": directory.merchant.merchant_id,
        "name": directory.merchant.name,
        "status": "active",
        "api_secret": API_SECRET,
        "identity_required": False,
        "buy_base_rate": Decimal(directory.rate.rate_e4).scaleb(-4),
        "spread_bps": fees.spread_bps,
        "service_bps": fees.service_bps,
        "service_fixed": Decimal(0),
        "deposit_bps": fees.deposit_bps,
        "min_cny": Decimal("0.01"),
        "max_cny": Decimal(1_000_000),
        "created_at": directory.merchant.created_at,
    }
    balances = [{"trader_id": t.trader_id, "available": AVAILABLE_USDT, "held": 0} for t in traders]
    rows = {
        "MerchantsTable": [merchant],
        "TradersTable": [_baseline_trader(one) for one in traders],
        "BalancesTable": balances,
    }
    typed = TypeSerializer().serialize
    return {name: [dict(typed(row)["M"]) for row in each] for name, each in rows.items()}


def _baseline_trader(one: Trader) -> dict[str, Any]:
    fields = {method.method_type.value: method.fields() for method in one.methods}
    methods = {
        kind: {name: value for name, value in its.items() if value and name != "method_type"}
        for kind, its in fields.items()
    }
    return {
        "trader_id": one.trader_id,
        "pool": "live",
        "last_accepted_at": one.counts.last_accepted_us,
        "name": one.name,
        "min_cny": Decimal(one.terms.min_cny_fen).scaleb(-2),
        "max_cny": Decimal(one.terms.max_cny_fen).scaleb(-2),
        "methods": methods,
        "accepted_orders": 0,
        "created_at": one.created_at,
    }
