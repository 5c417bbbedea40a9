"""What a test key reaches, and what a key's scope allows (contract section 2)."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.domain.merchants.merchant import Merchant, Scope, counter_of
from orderdesk.domain.merchants.request_rate import UNCOUNTED_MOST
from orderdesk.domain.pricing import Mode
from tests.support import openapi
from tests.support.deliveries import keep_delivery
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.seed import ALL_METHODS, Seed, post_funding

CREATE, TEST_CREATE = "/merchant/createOrder", "/test/createOrder"
QUERY, LIST, STATEMENT = "/merchant/queryOrder", "/merchant/listOrders", "/merchant/statement"
CALLBACKS, REDELIVER = "/merchant/listCallbacks", "/merchant/redeliverCallback"
EVENTS, WITHDRAWALS = "/merchant/listEvents", "/merchant/listWithdrawals"
BALANCE, AGREEMENT, QUOTE = "/merchant/balance", "/merchant/agreement", "/merchant/quote"
NUMBERS = ("order_no", "merchant_order_no", "pending_no")
MICRO = 10**9


@dataclass(frozen=True)
class Shop:
    """A merchant with live data: an order of each type, a draft, postings, callbacks."""

    seed: Seed
    merchant: Merchant
    live: MerchantClient
    test: MerchantClient
    data: Mapping[str, str]

    def stored(self) -> list[Any]:
        """Return the merchant's live items."""
        tables, its_id = self.seed.tables, self.merchant.merchant_id
        numbers = [self.data[name] for name in ("buy_no", "sell_no", "pending_no")]
        rows = [self.seed.get(tables.orders, {"pk": number}) for number in numbers]
        rows += [self.seed.get(tables.callbacks, {"webhook_id": self.data["webhook_id"]})]
        ledger = self.seed.items(tables.ledger)
        return rows + [row for row in ledger if its_id in str(row) and "live" in str(row["pk"])]

    @contextmanager
    def nothing_live(self) -> Iterator[list[Reply]]:
        """Check that the replies name nothing live, and that nothing live changes."""
        before, replies = self.stored(), list[Reply]()
        yield replies
        assert self.stored() == before
        for reply in replies:
            text = json.dumps(reply.envelope, ensure_ascii=False)
            assert [name for name, value in self.data.items() if value in text] == []


@pytest.fixture
def shop(seed: Seed) -> Shop:
    seed.only_trader(methods=ALL_METHODS)
    seed.add_trader(methods=ALL_METHODS, mode=Mode.TEST)
    merchant, live = seed.add_merchant(identity_required=True)
    merchant, test = seed.add_test_key(merchant)
    post_funding(seed, merchant, MICRO)
    seed.change_merchant(merchant, identity_required=False)
    bought = live.create(
        buy(merchant_order_no="live-buy", remark="live remark", metadata={"shelf": "live"})
    ).data
    sold = live.create(sell(merchant_order_no="live-sell")).data
    seed.change_merchant(merchant, identity_required=True)
    held = live.create(buy(merchant_order_no="live-draft")).data
    kept = keep_delivery(seed, merchant, number=bought["order_no"], is_test=0)
    data = {
        "buy_no": bought["order_no"],
        "sell_no": sold["order_no"],
        "sell_id": str(sold["order_id"]),
        "pending_no": held["pending_no"],
        "pay_url": bought["pay_url"],
        "identity_url": held["identity_url"],
        "webhook_id": kept.event.webhook_id,
        "balance": live.balance()["live"]["available"],
        "hold": live.balance()["live"]["held"],
    }
    return Shop(seed, merchant, live, test, data)


def named(shop: Shop) -> list[dict[str, str]]:
    """Return every number of the live orders and of the draft, as a parameter."""
    return [
        {"order_no": shop.data["buy_no"]},
        {"order_no": shop.data["sell_no"]},
        {"merchant_order_no": "live-buy"},
        {"merchant_order_no": "live-sell"},
        {"merchant_order_no": "live-draft"},
    ]


def against_live(shop: Shop) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Yield calls of every route that name live data, and the code of the answer."""
    any_number = [*named(shop), {"pending_no": shop.data["pending_no"]}]
    yield from ((QUERY, number, 2002) for number in any_number)
    yield from ((CALLBACKS, number, 2002) for number in any_number)
    for path in ("/merchant/cancelOrder", "/merchant/disputeOrder"):
        yield from ((path, number, 2002) for number in named(shop))
    for to in ("paid", "completed", "cancelled"):
        yield from (("/test/advanceOrder", {**number, "to": to}, 2002) for number in named(shop))
    yield "/merchant/testCallback", {"callback_url": "https://shop.example.com"}, 1
    yield REDELIVER, {"webhook_id": shop.data["webhook_id"]}, 2002
    for order in (buy(), sell(), buy(is_test=0), buy(is_test="0")):
        yield CREATE, order, 1002
    yield TEST_CREATE, buy(is_test=0), 1002
    for number in ("live-buy", "live-sell", "live-draft"):
        yield CREATE, buy(is_test=1, merchant_order_no=number), 2001
        yield TEST_CREATE, buy(merchant_order_no=number), 2001
        yield TEST_CREATE, sell(merchant_order_no=number), 2001
    for path in (LIST, STATEMENT, WITHDRAWALS):
        yield path, {"is_test": 0}, 1002
    yield QUOTE, {"order_type": 1, "cny_amount": "1.00", "is_test": 0}, 1002
    yield QUOTE, {"order_type": 1, "cny_amount": "1.00"}, 1
    yield from ((EVENTS, number, 2002) for number in named(shop))
    yield LIST, {"merchant_order_no": "live-buy"}, 1
    yield LIST, {"metadata_key": "shelf", "metadata_value": "live"}, 1
    for path in (BALANCE, AGREEMENT, LIST, STATEMENT, CALLBACKS, EVENTS, WITHDRAWALS):
        yield path, {}, 1
    yield LIST, {"cursor": shop.live.listed(limit=1)["cursor"]}, 1
    cursor = shop.live.post(STATEMENT, {"limit": 1, "is_test": 0}).data["cursor"]
    yield STATEMENT, {"cursor": cursor} if cursor else {}, 1002 if cursor else 1


def test_no_route_reads_or_changes_live_data_with_a_test_key(shop: Shop) -> None:
    calls = list(against_live(shop))
    assert {path for path, _ in openapi.operations()} == {path for path, _, _ in calls}
    with shop.nothing_live() as replies:
        for path, params, code in calls:
            reply = shop.test.post(path, params)
            assert reply.code == code, (path, params, reply)
            replies.append(reply)


@pytest.mark.parametrize("order", [buy(), buy(is_test=0), buy(is_test=0, cny_amount="x")])
def test_a_live_order_of_a_test_key_names_the_field(shop: Shop, order: dict[str, Any]) -> None:
    reply = shop.test.create(order)
    assert (reply.status, reply.code) == (400, 1002)
    fields = {each["field"]: each["problem"] for each in reply.data["fields"]}
    assert fields["is_test"] == "must be 1 with a test key"
    assert ("cny_amount" in fields) == (order["cny_amount"] == "x")


@pytest.mark.parametrize("path", [LIST, STATEMENT])
def test_a_live_list_of_a_test_key_names_the_field(shop: Shop, path: str) -> None:
    reply = shop.test.post(path, {"is_test": 0})
    assert [each["field"] for each in reply.data["fields"]] == ["is_test"]


def test_2001_on_a_live_number_names_no_order(shop: Shop) -> None:
    for number in ("live-buy", "live-draft"):
        reply = shop.test.create(buy(merchant_order_no=number), route="test")
        assert (reply.status, reply.code) == (409, 2001)
        assert reply.data == {"reason": "merchant_order_no_exists", "same": False}


def test_2001_on_a_test_number_names_the_order(shop: Shop) -> None:
    first = shop.live.create(buy(merchant_order_no="mine"), route="test")
    again = shop.test.create(buy(merchant_order_no="mine"), route="test")
    assert (again.code, again.data["order_no"]) == (2001, first.data["order_no"])
    assert again.data["same"] is True


def test_a_test_key_does_everything_with_test_orders(shop: Shop) -> None:
    post_funding(shop.seed, shop.merchant, MICRO, Mode.TEST)
    bought = shop.test.create(buy(merchant_order_no="t-buy"), route="test").data["order_no"]
    assert bought == shop.live.query(merchant_order_no="t-buy").data["order_no"], "a live key too"
    sold = shop.test.create(sell(merchant_order_no="t-sell", is_test=1), route="test").data
    assert shop.test.query(order_no=bought).data["is_test"] == 1
    assert [each["order_no"] for each in shop.test.listed()["orders"]] == [sold["order_no"], bought]
    assert shop.test.post("/merchant/cancelOrder", {"order_no": sold["order_no"]}).code == 1
    done = shop.test.post("/test/advanceOrder", {"order_no": bought, "to": "completed"})
    assert done.data["status"] == "completed"
    balance = shop.test.balance()
    assert list(balance) == ["test"]
    assert balance["test"] == shop.live.balance()["test"]
    rows = shop.test.post(STATEMENT, {}).data["postings"]
    assert rows == shop.live.post(STATEMENT, {"is_test": 1}).data["postings"]
    assert {row["order_no"] for row in rows} == {None, bought}


def test_a_draft_of_a_test_key_is_a_test_draft(shop: Shop) -> None:
    held = shop.test.create(buy(is_test=1, merchant_order_no="t-draft"))
    assert held.data["result_status"] == "pending_identity"
    assert shop.test.query(pending_no=held.data["pending_no"]).data["status"] == "held"
    again = shop.test.create(buy(is_test=1, merchant_order_no="t-draft"))
    assert (again.code, again.data["pending_no"]) == (2001, held.data["pending_no"])


def test_callbacks_of_test_orders_between_live_ones(shop: Shop) -> None:
    times = range(1_763_700_000, 1_763_700_008)
    kept = [
        keep_delivery(shop.seed, shop.merchant, timestamp=time, is_test=time % 2) for time in times
    ]
    own = [each.event.webhook_id for each in reversed(kept) if each.event.mode is Mode.TEST]
    seen, cursor = list[str](), None
    while True:
        data = shop.test.post(CALLBACKS, {"limit": 3, "cursor": cursor}).data
        seen += [each["webhook_id"] for each in data["callbacks"]]
        cursor = data["cursor"]
        if cursor is None:
            break
    assert seen == own
    assert shop.test.post(REDELIVER, {"webhook_id": own[0]}).code == 1


def test_a_live_statements_cursor_is_no_cursor_of_a_test_key(shop: Shop) -> None:
    post_funding(shop.seed, shop.merchant, MICRO)
    cursor = shop.live.post(STATEMENT, {"limit": 1}).data["cursor"]
    for params in ({"cursor": cursor}, {"cursor": cursor, "is_test": 1}):
        reply = shop.test.post(STATEMENT, params)
        assert (reply.code, reply.data["fields"][0]["field"]) == (1002, "cursor")


def test_each_key_has_its_own_secret_and_nonces(shop: Shop) -> None:
    assert replace(shop.test, api_secret=shop.live.api_secret).create(buy()).code == 1102
    assert replace(shop.live, api_secret=shop.test.api_secret).create(buy()).code == 1102
    params = {**shop.live.common(), "nonce": "one-nonce-of-two-keys"}
    assert shop.live.post("/merchant/balance", params).code == 1
    params["api_key"] = shop.test.api_key
    assert shop.test.post("/merchant/balance", params).code == 1
    assert shop.test.post("/merchant/balance", params).code == 1104


@pytest.mark.parametrize("spent", Mode)
def test_each_key_has_its_own_rate(shop: Shop, spent: Mode) -> None:
    key = Key.calls(counter_of(shop.merchant.merchant_id, spent))
    used_until_ns = (int(time.time()) + 3_600) * 10**9
    guard: Item = {"pk": key, "used_until_ns": used_until_ns, "expires_at": 4_000_000_000}
    shop.seed.put(shop.seed.tables.guards, guard)
    codes = {
        mode: {client.post("/merchant/balance", {}).code for _ in range(2 * UNCOUNTED_MOST)}
        for mode, client in ((Mode.LIVE, shop.live), (Mode.TEST, shop.test))
    }
    assert 1201 in codes.pop(spent)
    assert [*codes.values()] == [{1}]


PROVOKED: dict[str, tuple[int, dict[str, Any]]] = {
    "1201": (429, {"reason": "too_many_requests"}),
    "2101": (409, {"reason": "no_trader_available"}),
    "2102": (409, {"reason": "insufficient_balance"}),
    "2103": (503, {"reason": "rate_unavailable"}),
    "2104": (409, {"reason": "open_limit_reached", "limit": "max_open_buys"}),
    "2105": (409, {"reason": "open_sell_limit_reached", "limit": "max_open_sells"}),
    "2106": (409, {"reason": "refused_by_desk"}),
    "2202": (503, {"reason": "identity_provider_unavailable"}),
    "5001": (503, {"reason": "try_again"}),
}


@pytest.mark.parametrize("code", PROVOKED)
def test_an_ending_provokes_its_refusal_and_stores_nothing(shop: Shop, code: str) -> None:
    for order in (buy(), sell()):
        number = f"{order['order_type']}-{code}"
        reply = shop.test.create({**order, "merchant_order_no": number}, route="test")
        assert (reply.code, (reply.status, reply.data)) == (int(code), PROVOKED[code])
        assert ("retry-after" in reply.headers) == (reply.status in {429, 503})
        assert shop.test.query(merchant_order_no=number).code == 2002


@pytest.mark.parametrize("code", PROVOKED)
def test_an_ending_means_nothing_elsewhere(shop: Shop, code: str) -> None:
    live = shop.live.create(buy(merchant_order_no=f"a-{code}"), route="test")
    assert (live.code, live.data["merchant_order_no"]) == (1, f"a-{code}")
    other = shop.test.create(buy(merchant_order_no=f"b-{code}", is_test=1))
    assert other.data["result_status"] == "pending_identity"
    inside = shop.test.create(buy(merchant_order_no=f"c-{code}-1"), route="test")
    assert inside.code == 1


def test_an_ending_lowers_the_amount_to_pay(shop: Shop) -> None:
    asked = buy(merchant_order_no="a-lowered", cny_amount="50.00", max_discount="0.01")
    created = shop.test.create(asked, route="test").data
    found = shop.test.query(merchant_order_no="a-lowered").data
    for answer in (created, found):
        assert (answer["cny_amount"], answer["requested_cny_amount"]) == ("49.99", "50.00")
        assert Decimal(answer["merchant_amount"]) < Decimal("49.99") / Decimal(answer["rate"])
    assert shop.test.create(asked, route="test").data["same"] is True


def test_an_ending_lowers_nothing_without_a_discount_or_a_test_key(shop: Shop) -> None:
    plain = buy(merchant_order_no="b-lowered", cny_amount="51.00")
    assert shop.test.create(plain, route="test").data["cny_amount"] == "51.00"
    live = buy(merchant_order_no="c-lowered", cny_amount="52.00", max_discount="0.01")
    assert shop.live.create(live, route="test").data["cny_amount"] == "52.00"


def test_a_replay_of_a_provoked_refusal_is_a_used_nonce(shop: Shop) -> None:
    params = shop.test.signed(TEST_CREATE, buy(merchant_order_no="a-2101"))
    assert shop.test.post_as_is(TEST_CREATE, params).code == 2101
    assert shop.test.post_as_is(TEST_CREATE, params).code == 1104


LISTS = {
    *("/merchant/queryOrder", "/merchant/listOrders", "/merchant/listCallbacks"),
    *("/merchant/listEvents", "/merchant/listWithdrawals", "/merchant/quote"),
    "/merchant/agreement",
}
PATHS = [path for path, _ in openapi.operations()]
ALLOWED = {
    Scope.FULL: {*PATHS},
    Scope.BUY: LISTS | {CREATE, TEST_CREATE, "/merchant/cancelOrder"},
    Scope.READ: LISTS | {"/merchant/balance", "/merchant/statement"},
}


def parameters(path: str) -> dict[str, Any]:
    """Return parameters that create no order."""
    return {"order_type": 1, "limit": "x"} if path in {CREATE, TEST_CREATE} else {"limit": "x"}


@pytest.mark.parametrize("scope", Scope)
def test_each_route_by_scope(seed: Seed, scope: Scope) -> None:
    merchant, _ = seed.add_merchant()
    _, client = seed.add_scoped_key(merchant, scope)
    for path in PATHS:
        reply = client.post(path, parameters(path))
        assert (reply.code == 1107) == (path not in ALLOWED[scope]), (path, reply)
        if reply.code == 1107:
            assert (reply.status, reply.data) == (403, {"reason": "not_allowed_by_key"})


def test_a_key_for_buys_creates_and_cancels_them_and_no_sell(seed: Seed) -> None:
    seed.only_trader()
    merchant, _ = seed.add_merchant()
    seed.fund(merchant, 10**12)
    _, client = seed.add_scoped_key(merchant, Scope.BUY)
    made = client.create(buy())
    assert (made.code, client.cancel(made).code) == (1, 1)
    for spelt in ("1", "01"):
        assert client.create(buy(order_type=spelt)).code == 1
    for order_type in (2, "2", "02", None):
        assert client.create({**sell(), "order_type": order_type}).code == 1107


def test_the_scope_is_checked_after_the_signature_and_before_the_nonce(seed: Seed) -> None:
    merchant, _ = seed.add_merchant()
    _, client = seed.add_scoped_key(merchant, Scope.READ)
    unsigned = replace(client, api_secret="sk_of_somebody")
    assert unsigned.create(buy()).code == 1102
    nonce = {"nonce": "used-for-two-calls"}
    assert client.create(buy(**nonce)).code == 1107
    assert client.post("/merchant/balance", nonce).code == 1
    assert client.create(buy(**nonce)).code == 1107
    assert client.post("/merchant/balance", nonce).code == 1104


def test_the_keys_of_a_mode_share_a_rate(seed: Seed) -> None:
    merchant, first = seed.add_merchant()
    merchant, second = seed.add_scoped_key(merchant, Scope.READ)
    _, tested = seed.add_scoped_key(merchant, Scope.READ, Mode.TEST)
    spent = (int(time.time()) + 3_600) * 10**9
    key = Key.calls(counter_of(merchant.merchant_id, Mode.LIVE))
    guard: Any = {"pk": key, "used_until_ns": spent, "expires_at": 4_000_000_000}
    seed.put(seed.tables.guards, guard)
    codes = [
        {client.post("/merchant/agreement", {}).code for _ in range(2 * UNCOUNTED_MOST)}
        for client in (first, second, tested)
    ]
    assert [1201 in each for each in codes] == [True, True, False]


def test_a_further_test_key_reaches_test_only_and_an_unknown_one_nothing(seed: Seed) -> None:
    merchant, _ = seed.add_merchant()
    merchant, client = seed.add_scoped_key(merchant, Scope.FULL, Mode.TEST)
    assert list(client.balance()) == ["test"]
    assert client.create(buy()).code == 1002
    other = replace(client, api_key=client.api_key + "x")
    assert other.post("/merchant/balance", {}).code == 1101
