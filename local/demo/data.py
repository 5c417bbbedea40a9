"""The merchants, traders, rates and funds of a new local stack."""

from typing import Any

from local.callback_sink import CallbackSink
from local.operators_api import root_api
from local.stack import Stack
from orderdesk_cli.api import Api
from orderdesk_cli.sheets.sheet import Json

# Those of the contract's worked examples (section 5).
RATES = {"buy": "7.2360", "sell": "7.1640"}
FUNDS = "10000000"
MODES = ("live", "test")
METHODS = ("bank", "wechat", "alipay")
TRADERS_A_MODE = 3
# High, so that a load test with the demo merchants does not reach them (contract section 10).
MERCHANT_TERMS: dict[str, Json] = {
    "service_bps": 60,
    "deposit_bps": 100,
    "max_open_buys": 10_000,
    "max_open_cny": "100000000.00",
    "max_open_sells": 10_000,
    "max_open_sell_cny": "100000000.00",
    "slot_share": 100,
    "max_rps": 1_000,
    "support": "support@example.com",
}
ANY_AMOUNT = {"min_cny": "0.01", "max_cny": "1000000.00"}
MEMO = "demo data"
_CODES = {"wechat": "wxp://f2f0", "alipay": "https://qr.alipay.com/fkx"}


def load_demo_data(stack: Stack, sink: CallbackSink, sink_url: str) -> dict[str, Any]:
    """Create the demo data through the operators' API; return its part of stack.json."""
    api = root_api(stack.outputs)
    set_rates(api)
    return {
        "merchant": add_merchant(api, "演示商户", sink, sink_url, identity=False),
        "merchant_identity": add_merchant(api, "演示商户-实名", sink, sink_url, identity=True),
        "traders": [
            add_trader(api, mode, number)
            for mode in MODES
            for number in range(1, TRADERS_A_MODE + 1)
        ],
    }


def set_rates(api: Api) -> None:
    """Set both base rates."""
    for side, rate in RATES.items():
        api.write("rate.set", alone=True, order_type=side, rate=rate, yes=True)


def add_merchant(
    api: Api, name: str, sink: CallbackSink, sink_url: str, *, identity: bool
) -> dict[str, str]:
    """Add a funded merchant whose callbacks go to the sink; return its id, secrets and link."""
    terms = {**MERCHANT_TERMS, "identity": identity, "display_name": name}
    new = api.write("merchant.add", alone=True, name=name, **terms)
    merchant_id = str(new["merchant_id"])
    sink.secrets[merchant_id] = str(new["callback_secret"])
    url = f"{sink_url}/{merchant_id}"
    api.write("merchant.set", alone=True, merchant_id=merchant_id, callback_url=url)
    for mode in MODES:
        money: dict[str, Json] = {"amount": FUNDS, "memo": MEMO, "is_test": mode == "test"}
        api.write("fund.merchant", alone=True, merchant_id=merchant_id, **money)
    invited = api.write(
        "merchant.invite", alone=True, merchant_id=merchant_id, name="演示管理员", role="admin"
    )
    keys = ("api_key", "api_secret", "test_api_key", "test_api_secret")
    shown = {name: str(new[name]) for name in ("merchant_id", *keys, "callback_secret")}
    return {**shown, "invite_url": str(invited["invite_url"])}


def add_trader(api: Api, mode: str, number: int) -> dict[str, Any]:
    """Add a funded trader with all methods, online; return its id and access code."""
    name, is_test = f"{mode}-{number}", mode == "test"
    made = api.write("trader.add", alone=True, name=name, is_test=is_test, **ANY_AMOUNT)
    trader_id = str(made["trader_id"])
    for kind in METHODS:
        method = _method(kind, number)
        api.write("trader.add-method", alone=True, trader_id=trader_id, **method)
    api.write("fund.trader", alone=True, trader_id=trader_id, amount=FUNDS, memo=MEMO)
    api.write("trader.online", alone=True, trader_id=trader_id)
    return {
        "trader_id": trader_id,
        "access_code": made["access_code"],
        "name": name,
        "is_test": is_test,
        "methods": list(METHODS),
    }


def _method(kind: str, number: int) -> dict[str, str]:
    payee = {"method_type": kind, "real_name": "演" + "示" * number}  # invented
    if kind == "bank":
        card = f"62000000000000000{number:02d}"
        return {**payee, "bank": "演示银行", "sub_bank": "演示支行", "card_number": card}
    code = f"{_CODES[kind]}demo-{number}"
    return {**payee, "account": f"demo-{kind}-{number}", "qr_code": code}
