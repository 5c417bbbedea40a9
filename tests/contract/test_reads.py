"""What comes back, filters of lists, and the reads of contract section 4."""

import secrets
import time
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.ledger import posting_writes
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.adapters.dynamodb.withdrawals import request_item
from orderdesk.domain.accounts import Account, AccountKind, TransferKind, decided_transfer
from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.merchants.withdrawals import Network, WithdrawalRequest
from orderdesk.domain.pricing import Mode
from tests.support.deliveries import keep_delivery
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.seed import Seed, post_funding

EVENTS, WITHDRAWALS = "/merchant/listEvents", "/merchant/listWithdrawals"
QUOTE, AGREEMENT = "/merchant/quote", "/merchant/agreement"
LISTS = (
    *("/merchant/listOrders", "/merchant/statement", "/merchant/listCallbacks"),
    *(EVENTS, WITHDRAWALS),
)
SENT = {
    "remark": "table 5",
    "callback_url": "https://shop.example.com/callback",
    "return_url": "https://shop.example.com/thanks",
    "metadata": {"cart": "8817", "note": "", "名": "x"},
}
NAMES_MAX, VALUE_MAX = 20, 500


def numbers(client: MerchantClient, **filters: Any) -> list[str]:
    return [order["merchant_order_no"] for order in client.listed(**filters)["orders"]]


@pytest.mark.parametrize("path", LISTS)
def test_an_unknown_parameter_of_a_list_is_refused(client: MerchantClient, path: str) -> None:
    reply = client.post(path, {"statuss": "paid", "zzz": "1", "unsent": ""})
    assert (reply.status, reply.code) == (400, 1002)
    assert [each["field"] for each in reply.data["fields"]] == ["statuss", "zzz"]
    assert client.post(path, {"unsent": None}).code == 1


@pytest.mark.parametrize("order", [buy(), sell()])
def test_what_was_sent_comes_back(client: MerchantClient, order: dict[str, Any]) -> None:
    metadata = {"cart": "8817", "note": "", "name": "张三"}
    sent = {**SENT, "metadata": metadata}
    made = client.create({**order, **sent, "merchant_order_no": "A-1"})
    assert made.code == 1, made
    found = client.query(merchant_order_no="A-1").data
    assert {name: found[name] for name in sent} == sent
    [listed] = client.listed()["orders"]
    assert listed == found


def test_what_was_not_sent_is_absent(client: MerchantClient) -> None:
    client.create(buy(merchant_order_no="A-1", metadata={}, remark=""))
    assert not SENT.keys() & client.query(merchant_order_no="A-1").data.keys()


@pytest.mark.parametrize(
    ("metadata", "fields"),
    [
        ("text", ["metadata"]),
        (["a"], ["metadata"]),
        ({"A": "x"}, ["metadata.A"]),
        ({"a" * 41: "x"}, ["metadata." + "a" * 41]),
        ({"a": "x" * (VALUE_MAX + 1)}, ["metadata.a"]),
        ({f"a{n}": "x" for n in range(NAMES_MAX + 1)}, ["metadata"]),
        ({f"a{n}": "x" * 410 for n in range(5)}, ["metadata"]),
        ({"a": {"b": "c"}}, ["metadata.a"]),
        ({"a": 1}, ["metadata.a"]),
    ],
)
def test_metadata_has_limits(client: MerchantClient, metadata: Any, fields: list[str]) -> None:
    reply = client.create(buy(metadata=metadata))
    assert (reply.status, reply.code) == (400, 1002)
    assert [each["field"] for each in reply.data["fields"]] == fields


def test_the_largest_metadata(client: MerchantClient) -> None:
    # {"a":"…"} and three more names of one letter: 8 bytes each, without the last comma, and {}.
    texts = dict.fromkeys("abcd", "x" * VALUE_MAX)
    texts["e"] = "x" * (2048 - 4 * (VALUE_MAX + 7) - 8)
    assert client.create(buy(metadata=texts)).code == 1
    texts["e"] += "x"
    assert client.create(buy(metadata=texts)).code == 1002
    assert client.create(buy(metadata={f"a{n}": "x" for n in range(NAMES_MAX)})).code == 1


def test_orders_are_found_by_what_was_sent(client: MerchantClient) -> None:
    client.create(buy(merchant_order_no="a", metadata={"cart": "1", "shop": "x"}))
    client.create(buy(merchant_order_no="b", metadata={"cart": "2"}, cny_amount="1000.01"))
    client.create(sell(merchant_order_no="c", metadata={"cart": "1"}))
    assert numbers(client, metadata_key="cart", metadata_value="1") == ["c", "a"]
    assert numbers(client, metadata_key="cart", metadata_value="3") == []
    assert numbers(client, metadata_key="cart", metadata_value="1", order_type=1) == ["a"]
    assert numbers(client, merchant_order_no="b") == ["b"]
    assert numbers(client, merchant_order_no="b", status="paid,completed") == []
    assert numbers(client, merchant_order_no="nobody") == []
    assert numbers(client, cny_amount="1000.01") == ["b"]
    for half in ({"metadata_key": "cart"}, {"metadata_value": "1"}):
        reply = client.post("/merchant/listOrders", half)
        [problem] = reply.data["fields"]
        assert {problem["field"], *half} == {"metadata_key", "metadata_value"}


def test_callbacks_are_found_by_state_type_and_time(seed: Seed) -> None:
    merchant, client = seed.add_merchant()
    first = 1_763_700_000
    types = (CallbackType.ORDER_PAID, CallbackType.ORDER_COMPLETED, CallbackType.ORDER_PAID)
    kept = [
        keep_delivery(seed, merchant, timestamp=first + n, kind=kind).event.webhook_id
        for n, kind in enumerate(types)
    ]

    def ids(**filters: Any) -> list[str]:
        data = client.post("/merchant/listCallbacks", filters).data
        return [each["webhook_id"] for each in data["callbacks"]]

    assert ids(type="order.paid") == [kept[2], kept[0]]
    assert ids(type="order.paid, order.completed") == kept[::-1]
    assert ids(start_time=first + 1) == [kept[2], kept[1]]
    assert ids(end_time=first + 1) == [kept[1], kept[0]]
    assert ids(start_time=first + 1, end_time=first + 1) == [kept[1]]
    for late in (9_999_999_999, 10**15, 10**17):
        assert (ids(end_time=late), ids(start_time=late)) == (kept[::-1], [])
        assert (ids(end_time=-late), ids(start_time=-late)) == ([], kept[::-1])
    assert ids(status="pending") == []
    assert ids(status="dead, delivered") == kept[::-1]
    assert client.post("/merchant/listCallbacks", {"status": "sent"}).code == 1002
    assert client.post("/merchant/listCallbacks", {"type": "order.payed"}).code == 1002


def test_events_are_the_bodies_of_callbacks(seed: Seed) -> None:
    merchant, client = seed.add_merchant()
    _, test = seed.add_test_key(merchant)
    first = 1_763_700_000
    live = keep_delivery(seed, merchant, timestamp=first, is_test=0).event
    tested = keep_delivery(seed, merchant, timestamp=first + 1, is_test=1).event

    def listed(by: MerchantClient, **filters: Any) -> list[str]:
        return [each["event_id"] for each in by.post(EVENTS, filters).data["events"]]

    assert listed(client) == [tested.webhook_id, live.webhook_id]
    assert listed(test) == [tested.webhook_id]
    assert listed(client, end_time=first) == [live.webhook_id]
    page = client.post(EVENTS, {"limit": 1}).data
    assert listed(client, cursor=page["cursor"]) == [live.webhook_id]
    [event] = page["events"]
    assert event["data"]["is_test"] == 1
    assert {"event_id", "type", "timestamp", "data"} == set(event)
    assert client.post(EVENTS, {"merchant_order_no": "nobody"}).code == 2002


def test_a_quote_has_the_amounts_of_the_order(client: MerchantClient) -> None:
    for order in (buy(), sell()):
        asked = {name: order[name] for name in ("order_type", "cny_amount")}
        quoted = client.post(QUOTE, asked).data
        made = client.create(order).data
        found = client.query(order_no=made["order_no"]).data
        shared = quoted.keys() & found.keys()
        assert {"rate", "usdt_amount", "service_amount", "merchant_actual_amount"} <= shared
        assert {name: quoted[name] for name in shared} == {name: found[name] for name in shared}
        assert quoted["would_match"] is (True if order["order_type"] == 1 else None)
        assert 0 < quoted["rate_time"] <= time.time()


def test_a_quote_says_whether_a_trader_fits_and_refuses_as_an_order(seed: Seed) -> None:
    trader = seed.only_trader()
    _, client = seed.add_merchant(min_cny_fen=1_00)
    before = seed.trader(trader.trader_id)
    fits = {"order_type": 1, "cny_amount": "1000.00", "method_type": "bank"}
    assert client.post(QUOTE, fits).data["would_match"] is True
    assert client.post(QUOTE, {**fits, "method_type": "wechat"}).data["would_match"] is False
    assert client.post(QUOTE, {**fits, "is_test": 1}).data["would_match"] is False
    assert client.post(QUOTE, {**fits, "cny_amount": "0.99"}).code == 1003
    bad = client.post(QUOTE, {"order_type": 3, "cny_amount": "1.001"})
    assert [each["field"] for each in bad.data["fields"]] == ["order_type", "cny_amount"]
    assert seed.trader(trader.trader_id) == before


def test_the_agreement_has_the_terms_and_what_is_open(seed: Seed) -> None:
    seed.only_trader()
    merchant, client = seed.add_merchant(identity_required=False, max_open_buys=7)
    _, test = seed.add_test_key(merchant)
    seed.fund(merchant, 10**12)
    client.create(buy(cny_amount="12.34"))
    client.create(sell(cny_amount="56.78"))
    data = client.post(AGREEMENT, {}).data
    assert data["fees"] == {
        "service_bps": 60,
        "service_fixed": "0.000000",
        "deposit_bps": 100,
        "spread_bps": 0,
    }
    assert (data["min_cny"], data["identity_required"], data["max_rps"]) == ("0.01", False, 1000)
    live = data["live"]
    assert (live["max_open_buys"], live["open_buys"], live["open_cny"]) == (7, 1, "12.34")
    assert (live["open_sells"], live["open_sell_cny"]) == (1, "56.78")
    assert (data["test"]["open_buys"], data["test"]["open_cny"]) == (0, "0.00")
    assert "live" not in test.post(AGREEMENT, {}).data


def test_withdrawals_are_those_of_the_mode_and_no_other_posting(seed: Seed) -> None:
    merchant, client = seed.add_merchant()
    _, test = seed.add_test_key(merchant)
    for mode in Mode:
        post_funding(seed, merchant, 10**9, mode)
    assert client.post(WITHDRAWALS, {}).data == {"withdrawals": [], "cursor": None}
    numbers = [f"P2025112100098765432100{n:02}" for n in range(3)]
    paid = [
        decided_transfer(
            TransferKind.WITHDRAWAL,
            Account(AccountKind.MERCHANT, merchant.merchant_id, mode),
            10**6 * (1 + n),
            transfer_id=numbers[n],
            at_us=(1_763_700_000 + n) * 10**6,
            memo="test",
        )
        for n, mode in enumerate((Mode.LIVE, Mode.TEST, Mode.LIVE))
    ]
    for transfer in paid:
        writes = posting_writes(seed.tables.ledger, transfer)
        transact(seed.client, writes, secrets.token_hex(16))
    page = client.post(WITHDRAWALS, {"limit": 1}).data
    [newest] = page["withdrawals"]
    assert (newest["withdrawal_no"], newest["amount"]) == (numbers[2], "3.000000")
    assert (newest["state"], newest["time"], newest["txid"]) == ("approved", 1_763_700_002, None)
    rest = client.post(WITHDRAWALS, {"cursor": page["cursor"]}).data
    assert [each["withdrawal_no"] for each in rest["withdrawals"]] == [numbers[0]]
    assert rest["cursor"] is None
    for by, filters in ((client, {"is_test": 1}), (test, {})):
        listed = by.post(WITHDRAWALS, filters).data["withdrawals"]
        assert [each["withdrawal_no"] for each in listed] == [numbers[1]]
    assert client.post(WITHDRAWALS, {"cursor": "x"}).code == 1002


def test_a_withdrawal_has_the_transaction_that_paid_it(seed: Seed) -> None:
    """Also one that the merchant did not request."""
    merchant, client = seed.add_merchant()
    post_funding(seed, merchant, 10**9, Mode.LIVE)
    of = Account(AccountKind.MERCHANT, merchant.merchant_id, Mode.LIVE)
    numbers = [f"P2025112100098765432100{n:02}" for n in range(2)]
    for number in numbers:
        paid = decided_transfer(
            *(TransferKind.WITHDRAWAL, of, 10**6),
            transfer_id=number,
            at_us=int(number[-12:]),
            memo="test",
        )
        transact(seed.client, posting_writes(seed.tables.ledger, paid), secrets.token_hex(16))
    key = {"pk": Key.PROPOSALS, "sk": numbers[0]}
    seed.client.put_item(TableName=seed.tables.ledger, Item=to_item({**key, "txid": "0xab"}))
    listed = client.post(WITHDRAWALS, {}).data["withdrawals"]
    assert {each["withdrawal_no"]: (each["state"], each["txid"]) for each in listed} == {
        numbers[0]: ("sent", "0xab"),
        numbers[1]: ("approved", None),
    }


@pytest.mark.parametrize(
    ("approved", "state"), [({}, "requested"), ({"agreed_at_us": 2}, "approved")]
)
def test_a_request_is_approved_before_a_seal_proves_it(
    seed: Seed, approved: dict[str, int], state: str
) -> None:
    merchant, client = seed.add_merchant()
    request = WithdrawalRequest(
        *("W202511210009876543210000", merchant.merchant_id, Network.TRC20, "TX123456", "", 1),
        *(10**6, "memo", "mei", 1),
    )
    item = to_item({**request_item(request), **approved})
    seed.client.put_item(TableName=seed.tables.ledger, Item=item)
    [listed] = client.post(WITHDRAWALS, {}).data["withdrawals"]
    assert (listed["state"], listed["address_ending"]) == (state, "123456")
