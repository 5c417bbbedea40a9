"""The same merchant and traders for both contestants, each as its own project stores them."""

import base64
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from boto3.dynamodb.types import TypeSerializer

from orderdesk.adapters.dynamodb.keys import RATES_KEY
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.merchants import merchant_item, rate_attribute, rate_value
from orderdesk.adapters.dynamodb.traders.items import trader_item
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus, make_api_key
from orderdesk.domain.modes import Mode
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import BaseRate, FeePolicy, OrderType
from orderdesk.domain.traders.trader import Trader

MERCHANT_ID = "m0123456789ab"
API_KEY = make_api_key(MERCHANT_ID, "0123456789abcdef")
API_SECRET = "sk_" + "0123456789abcdef" * 2
RATE_E4 = 7_2360
FEES = FeePolicy(service_bps=60, deposit_bps=100)
AVAILABLE_USDT = 10_000_000
# As KmsSecrets writes them before it seals them; nothing here is sealed.
SECRETS = json.dumps({"api": [API_SECRET], "link": base64.b64encode(b"l" * 32).decode()}).encode()

ANY_AMOUNT_FEN = (1_00, 1_000_000_00)
# Each of the amounts fits one or two of these ranges.
MIXED_RANGES_FEN = ((1_00, 500_00), (100_00, 50_000_00), (1_000_00, 1_000_000_00))
AMOUNTS_CNY = ("1000.00", "250.00", "3200.50", "500.00", "18000.00", "720.00", "64000.00")

type Rows = dict[str, list[dict[str, Any]]]
"""Items in DynamoDB's typed form, by the logical id of their table."""


@dataclass(frozen=True, slots=True)
class Floor:
    """So many traders online; the first has waited longest."""

    traders: int
    ranges_fen: Sequence[tuple[int, int]] = (ANY_AMOUNT_FEN,)

    def range_fen(self, number: int) -> tuple[int, int]:
        """Give the amounts that a trader takes."""
        return self.ranges_fen[number % len(self.ranges_fen)]


def orderdesk_rows(floor: Floor) -> Rows:
    """Write the floor as orderdesk's own adapters do."""
    now = int(time.time())
    merchant = Merchant(
        merchant_id=MERCHANT_ID,
        name="a merchant",
        api_key=API_KEY,
        status=MerchantStatus.ACTIVE,
        created_at=now,
        sealed_secrets=SECRETS,
        sealed_callback_secrets=b"-",
        fees=FEES,
    )
    rate = rate_value(BaseRate(RATE_E4, "bench", now))
    rates = {rate_attribute(side): rate for side in OrderType}
    traders = [_trader(floor, number, now) for number in range(floor.traders)]
    return {
        "MerchantsTable": [to_item(merchant_item(merchant)), to_item({"pk": RATES_KEY, **rates})],
        "TradersTable": [to_item(trader_item(trader, shard=0)) for trader in traders],
    }


def _trader(floor: Floor, number: int, now: int) -> Trader:
    min_cny_fen, max_cny_fen = floor.range_fen(number)
    return Trader(
        trader_id=f"t{number:012d}",
        name=f"trader {number}",
        mode=Mode.LIVE,
        online=True,
        suspended=False,
        min_cny_fen=min_cny_fen,
        max_cny_fen=max_cny_fen,
        max_open=None,
        daily_cap_fen=None,
        methods=_methods(number),
        available_micro=AVAILABLE_USDT * 10**6,
        last_accepted_us=number + 1,
        created_at=now,
        access_code_hash=f"{number:064x}",
    )


def _methods(number: int) -> tuple[PaymentMethod, ...]:
    payee = "交易员"
    bank = PaymentMethod(
        method_type=MethodType.BANK,
        real_name=payee,
        bank="测试银行",
        sub_bank="测试支行",
        card_number=f"6200000000000{number:06d}",
    )
    wallets = [
        PaymentMethod(
            method_type=kind,
            real_name=payee,
            account=f"trader-{number}",
            qr_code=f"https://img.example.com/{kind.value}-{number}.png",
        )
        for kind in (MethodType.WECHAT, MethodType.ALIPAY)
    ]
    return (bank, *wallets)


def baseline_rows(floor: Floor) -> Rows:
    """Write the floor as the baseline's handler reads it."""
    now = int(time.time())
    merchant = {
        "api_key": API_KEY,
        "merchant_id": MERCHANT_ID,
        "name": "a merchant",
        "status": "active",
        "api_secret": API_SECRET,
        "identity_required": False,
        "buy_base_rate": Decimal(RATE_E4).scaleb(-4),
        "spread_bps": FEES.spread_bps,
        "service_bps": FEES.service_bps,
        "service_fixed": Decimal(0),
        "deposit_bps": FEES.deposit_bps,
        "min_cny": Decimal("0.01"),
        "max_cny": Decimal(1_000_000),
        "created_at": now,
    }
    return {
        "MerchantsTable": [_typed(merchant)],
        "TradersTable": [_typed(_baseline_trader(floor, n, now)) for n in range(floor.traders)],
        "BalancesTable": [
            _typed({"trader_id": f"t{n:012d}", "available": AVAILABLE_USDT, "held": 0})
            for n in range(floor.traders)
        ],
    }


def _baseline_trader(floor: Floor, number: int, now: int) -> dict[str, Any]:
    min_cny_fen, max_cny_fen = floor.range_fen(number)
    methods = {
        method.method_type.value: {
            name: value
            for name, value in method.fields().items()
            if value and name != "method_type"
        }
        for method in _methods(number)
    }
    return {
        "trader_id": f"t{number:012d}",
        "pool": "live",
        "last_accepted_at": number + 1,
        "name": f"trader {number}",
        "min_cny": Decimal(min_cny_fen).scaleb(-2),
        "max_cny": Decimal(max_cny_fen).scaleb(-2),
        "methods": methods,
        "accepted_orders": 0,
        "created_at": now,
    }


def _typed(row: Mapping[str, Any]) -> dict[str, Any]:
    serializer = TypeSerializer()
    return {name: serializer.serialize(value) for name, value in row.items()}
