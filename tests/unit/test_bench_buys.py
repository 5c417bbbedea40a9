"""The bench's baseline does the same job as orderdesk: it signs, prices and requests the same."""

import importlib
import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.artifacts import BASELINE
from bench.buys import BUY, signed_events
from bench.seed_rows import AMOUNTS_CNY, API_SECRET, baseline_rows, orderdesk_rows, traders_online
from local.places import REPOSITORY
from local.templates import read_template, table_definitions
from orderdesk.domain import pricing
from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.signing import JsonNumber
from orderdesk.domain.money import format_cny
from orderdesk.domain.pricing import FeePolicy, OrderType

# The contract's worked example (section 2).
VECTORS = json.loads((REPOSITORY / "docs" / "signing-vectors.json").read_text("utf-8"))
WORKED = VECTORS["signed"][0]


@pytest.fixture(scope="module")
def baseline() -> Iterator[dict[str, ModuleType]]:
    """Import the baseline's pure modules by the names that they have in Lambda."""
    names = ("errors", "signing", "pricing")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BASELINE / "src"))
        yield {name: importlib.import_module(name) for name in names}
    for name in names:
        del sys.modules[name]


def test_the_baseline_verifies_the_contracts_signature(baseline: dict[str, ModuleType]) -> None:
    verify = baseline["signing"].verify_signature
    secret, body = WORKED["api_secret"], WORKED["body"]
    verify(secret, "POST", "/merchant/createOrder", body)
    with pytest.raises(baseline["errors"].OrderError, match="signature"):
        verify(secret, "POST", "/test/createOrder", body)


@given(
    cny_fen=st.integers(1, 10**8),
    base_e4=st.integers(1_0000, 20_0000),
    fees=st.builds(
        FeePolicy,
        service_bps=st.integers(0, 1000),
        service_fixed_micro=st.integers(0, 10**7),
        deposit_bps=st.integers(0, 1000),
        spread_bps=st.integers(0, 1000),
    ),
)
def test_the_baseline_prices_as_orderdesk_does(
    baseline: dict[str, ModuleType], cny_fen: int, base_e4: int, fees: FeePolicy
) -> None:
    merchant = {
        "buy_base_rate": Decimal(base_e4).scaleb(-4),
        "spread_bps": Decimal(fees.spread_bps),
        "service_bps": Decimal(fees.service_bps),
        "service_fixed": Decimal(fees.service_fixed_micro).scaleb(-6),
        "deposit_bps": Decimal(fees.deposit_bps),
    }
    theirs = baseline["pricing"].quote_buy(Decimal(format_cny(cny_fen)), merchant)
    ours = pricing.quote(OrderType.BUY, cny_fen, base_e4, fees)
    assert theirs.rate == Decimal(ours.rate_e4).scaleb(-4)
    for name in ("usdt", "service", "merchant", "deposit", "merchant_actual"):
        amount = getattr(theirs, f"{name}_amount")
        assert amount == Decimal(getattr(ours, f"{name}_micro")).scaleb(-6)


def test_each_event_is_signed_and_unlike_the_others() -> None:
    nonces, numbers, amounts = set(), set(), []
    for event in signed_events(BUY, len(AMOUNTS_CNY) + 1):
        params: dict[str, Any] = json.loads(
            event["body"], parse_int=JsonNumber, parse_float=JsonNumber
        )
        text = signing.string_to_sign(event["httpMethod"], event["resource"], params)
        assert signing.verifying_secret([API_SECRET], text, params["signature"]) == 0
        nonces.add(params["nonce"])
        numbers.add(params["merchant_order_no"])
        amounts.append(params["cny_amount"].text)
    assert amounts == [*AMOUNTS_CNY, AMOUNTS_CNY[0]]
    assert len(nonces) == len(numbers) == len(amounts)


@pytest.mark.parametrize("name", ["orderdesk", "baseline"])
def test_rows_belong_to_tables_of_their_template(name: str) -> None:
    path = REPOSITORY / "template.yaml" if name == "orderdesk" else BASELINE / "template.yaml"
    rows = orderdesk_rows if name == "orderdesk" else baseline_rows
    tables = table_definitions(read_template(path))
    for logical_id, items in rows(traders_online(2)).items():
        keys = {key["AttributeName"] for key in tables[logical_id]["KeySchema"]}
        assert all(keys <= item.keys() for item in items)
