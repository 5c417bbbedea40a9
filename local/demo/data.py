"""The merchants, traders, rates and funds of a new local stack."""

from typing import Any

from local import sam
from local.callback_sink import CallbackSink
from local.stack import Stack
from orderdesk.domain.merchants.merchant import MerchantTerms
from orderdesk.domain.modes import Mode
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import FeePolicy, OrderType
from orderdesk.domain.traders.terms import TraderTerms
from orderdesk.services.operator import funds, merchants, traders
from orderdesk.services.operator.duty import Duty, set_duty
from orderdesk.services.operator.rates import set_rate
from orderdesk_cli.wiring import Office, open_local_office

# Those of the contract's worked examples (section 5).
BUY_RATE_E4, SELL_RATE_E4 = 7_2360, 7_1640
FEES = FeePolicy(service_bps=60, deposit_bps=100)
FUNDS_MICRO = 10_000_000 * 10**6
TRADERS_A_MODE = 3
# High, so that a load test with the demo merchants does not reach them (contract section 10).
OPEN_BUYS, OPEN_CNY_FEN = 10_000, 100_000_000_00
ANY_AMOUNT = TraderTerms(min_cny_fen=1, max_cny_fen=1_000_000_00, max_open=None, daily_cap_fen=None)
DEMO_MAX_RPS = 1_000
MEMO = "demo data"


def load_demo_data(stack: Stack, sink: CallbackSink, sink_url: str) -> dict[str, Any]:
    """Create the demo data with the operator's use cases; return its part of stack.json."""
    office = open_local_office(stack.endpoint_url, sam.STACK_NAME)
    set_rates(office)
    return {
        "merchant": add_merchant(office, "演示商户", sink, sink_url, identity=False),
        "merchant_identity": add_merchant(office, "演示商户-实名", sink, sink_url, identity=True),
        "traders": [
            add_trader(office, mode, number, sink_url)
            for mode in Mode
            for number in range(1, TRADERS_A_MODE + 1)
        ],
    }


def set_rates(office: Office) -> None:
    """Set both base rates."""
    set_rate(office.merchants, office.operator, OrderType.BUY, BUY_RATE_E4, is_confirmed=True)
    set_rate(office.merchants, office.operator, OrderType.SELL, SELL_RATE_E4, is_confirmed=True)


def add_merchant(
    office: Office, name: str, sink: CallbackSink, sink_url: str, *, identity: bool
) -> dict[str, str]:
    """Add a funded merchant whose callbacks go to the sink; return its id and secrets."""
    terms = MerchantTerms(
        fees=FEES,
        identity_required=identity,
        max_open_buys=OPEN_BUYS,
        max_open_cny_fen=OPEN_CNY_FEN,
        max_rps=DEMO_MAX_RPS,
        display_name=name,
        support="support@example.com",
    )
    new = merchants.add_merchant(
        office.merchants, office.vault, office.operator, name, terms, allow_loopback=True
    )
    merchant_id = new.merchant.merchant_id
    sink.secrets[merchant_id] = new.callback_secret
    merchants.set_terms(
        office.merchants,
        office.operator,
        merchant_id,
        {"callback_url": f"{sink_url}/{merchant_id}"},
        allow_loopback=True,
    )
    for mode in Mode:
        funds.fund_merchant(
            office.funds, office.operator, merchant_id, FUNDS_MICRO, mode=mode, memo=MEMO
        )
    return {
        "merchant_id": merchant_id,
        "api_key": new.merchant.api_key,
        "api_secret": new.api_secret,
        "callback_secret": new.callback_secret,
    }


def add_trader(office: Office, mode: Mode, number: int, sink_url: str) -> dict[str, Any]:
    """Add a funded trader with all methods, online; return its id and access code."""
    name = f"{mode.value}-{number}"
    made = traders.add_trader(
        office.traders,
        office.operator,
        name,
        mode,
        ANY_AMOUNT,
        shards=office.stack.rotation_shards,
    )
    trader_id = made.trader.trader_id
    for kind in MethodType:
        method = _method(kind, number, sink_url)
        traders.add_method(office.traders, office.operator, trader_id, method)
    funds.fund_trader(
        office.funds, office.traders, office.operator, trader_id, FUNDS_MICRO, memo=MEMO
    )
    set_duty(office.traders, office.operator, trader_id, Duty.ONLINE)
    return {
        "trader_id": trader_id,
        "access_code": made.access_code,
        "name": name,
        "is_test": mode.is_test,
        "methods": [kind.value for kind in MethodType],
    }


def _method(kind: MethodType, number: int, sink_url: str) -> PaymentMethod:
    payee = "演" + "示" * number  # invented
    match kind:
        case MethodType.BANK:
            return PaymentMethod(
                method_type=kind,
                real_name=payee,
                bank="演示银行",
                sub_bank="演示支行",
                card_number=f"62000000000000000{number:02d}",
            )
        case MethodType.WECHAT | MethodType.ALIPAY:
            return PaymentMethod(
                method_type=kind,
                real_name=payee,
                account=f"demo-{kind.value}-{number}",
                qr_code=f"{sink_url}/payment-code/{kind.value}-{number}.png",
            )
