"""advanceOrder: a test order can reach every end, a live order never moves (contract section 4)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, Move
from orderdesk.domain.pricing import FeePolicy, Mode, OrderType
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.seed import ALL_METHODS, Seed, post_funding

ADVANCE = "/test/advanceOrder"
TARGETS = ("paid", "assigned", "completed", "disputed", "expired", "cancelled")
FUNDED = "500.000000"

# Every path through the table, and the simulated actors on it.
BUYS = {
    "paid": ["payer"],
    "paid completed": ["payer", "trader"],
    "completed": ["trader"],
    "expired": ["clock"],
    "cancelled": ["payer"],
    "paid disputed completed": ["payer", "trader", "trader"],
    "paid disputed cancelled": ["payer", "trader", "operator"],
    "expired disputed completed": ["clock", "operator", "trader"],
    "cancelled disputed cancelled": ["payer", "operator", "operator"],
}
SELLS = {
    "assigned": ["clock"],
    "assigned completed": ["clock", "trader"],
    "cancelled": ["operator"],
    "assigned disputed completed": ["clock", "operator", "operator"],
    "assigned disputed cancelled": ["clock", "operator", "operator"],
}
PARAMS = {OrderType.BUY: buy(), OrderType.SELL: sell()}
FINAL = {"completed", "cancelled", "expired"}
# The available USDT and the deposit after an order was completed.
EARNED = {
    (OrderType.BUY, "completed"): ("635.995023", "1.373688"),
    (OrderType.SELL, "completed"): ("359.575655", "0.000000"),
}


@pytest.fixture
def client(seed: Seed) -> MerchantClient:
    """Return a client with test USDT; there is one test trader."""
    seed.only_trader(methods=ALL_METHODS)
    seed.add_trader(methods=ALL_METHODS, mode=Mode.TEST)
    merchant, client = seed.add_merchant()
    post_funding(seed, merchant, 500_000_000, Mode.TEST)
    return client


def advance(client: MerchantClient, number: str, to: str) -> Reply:
    return client.post(ADVANCE, {"order_no": number, "to": to})


def walked(client: MerchantClient, order_type: OrderType, way: Sequence[str]) -> Any:
    """Create a test order, advance it along a path, and return it."""
    data = client.create(PARAMS[order_type], route="test").data
    for to in way:
        reply = advance(client, data["order_no"], to)
        assert (reply.code, reply.data["status"]) == (1, to), reply
        data = reply.data
    return data


WALKS = [(OrderType.BUY, *way) for way in BUYS.items()]
WALKS += [(OrderType.SELL, *way) for way in SELLS.items()]


@pytest.mark.parametrize(("order_type", "way", "actors"), WALKS)
def test_every_end_is_reached_and_the_money_moves_too(
    client: MerchantClient, order_type: OrderType, way: str, actors: list[str]
) -> None:
    number = walked(client, order_type, way.split())["order_no"]
    order = client.query(order_no=number).data
    assert [entry["status"] for entry in order["timeline"]][1:] == way.split()
    assert (order["expire_time"] is None) == (order["status"] != "assigned"), "no window runs"
    assert [entry["by"] for entry in order["timeline"]] == ["merchant", *actors]
    if order["status"] in FINAL:
        available, deposit = EARNED.get((order_type, order["status"]), (FUNDED, "0.000000"))
        told = {"available": available, "held": "0.000000", "deposit": deposit}
        assert client.balance()["test"] == told
        rows = client.post("/merchant/statement", {"is_test": 1}).data["postings"]
        last = {row["account"]: row["balance"] for row in rows}
        assert {"deposit": "0.000000", **last} == {"available": available, "deposit": deposit}


# The moves of the table that an actor other than the merchant may make at once.
MOVES = sorted(
    {
        (row.order_type, source.value, row.target.value)
        for row in TRANSITIONS
        for source in row.sources
        if row.target.value in TARGETS
        and row.move not in {Move.REPORT_SUM, Move.PROVE_LATE}
        and any(row.actors[actor] == 0 for actor in row.actors if actor is not Actor.MERCHANT)
    },
    key=str,
)


def test_every_move_of_the_table_is_on_a_way() -> None:
    walked_ways = set()
    for order_type, way, _ in WALKS:
        steps = ["pending" if order_type is OrderType.BUY else "matching", *way.split()]
        walked_ways |= {(order_type, *pair) for pair in pairwise(steps)}
    assert walked_ways == set(MOVES)


STATUSES = dict.fromkeys((kind, status) for kind, *ends in MOVES for status in ends)
REFUSED = [
    (kind, status, to)
    for kind, status in STATUSES
    for to in TARGETS
    if to != status and (kind, status, to) not in MOVES
]


def way_to(order_type: OrderType, status: str) -> list[str]:
    if status in {"pending", "matching"}:
        return []
    if status in {"completed", "disputed"}:
        return ["paid" if order_type is OrderType.BUY else "assigned", status]
    return [status]


@pytest.mark.parametrize(("order_type", "status", "to"), REFUSED)
def test_what_the_table_does_not_allow(
    client: MerchantClient, order_type: OrderType, status: str, to: str
) -> None:
    order = walked(client, order_type, way_to(order_type, status))
    reply = advance(client, order["order_no"], to)
    assert (reply.status, reply.code, reply.data["status"]) == (409, 2003, status)
    again = client.query(order_no=order["order_no"]).data
    assert (again["status"], len(again["timeline"])) == (
        status,
        1 + len(way_to(order_type, status)),
    )


@pytest.mark.parametrize(("order_type", "status", "to"), MOVES)
def test_a_live_order_never_moves(
    seed: Seed, client: MerchantClient, order_type: OrderType, status: str, to: str
) -> None:
    merchant, client = seed.add_merchant()
    seed.fund(merchant, 10**12)
    number = client.create({**PARAMS[order_type], "merchant_order_no": "L-1"}).data["order_no"]
    key = {"pk": number}
    live: Any = seed.get(seed.tables.orders, key)
    seed.put(seed.tables.orders, {**live, "status": status})
    trader_key = {"trader_id": live.get("trader_id", "")}

    def state() -> Any:
        kept = [seed.get(seed.tables.orders, key), client.balance(), seed.balance(merchant)]
        return [*kept, live.get("trader_id") and seed.get(seed.tables.traders, trader_key)]

    before = state()
    for name, value in (("order_no", number), ("merchant_order_no", "L-1")):
        reply = client.post(ADVANCE, {name: value, "to": to})
        assert (reply.status, reply.code) == (404, 2002)
    assert state() == before


def test_a_repeated_advance_is_a_success_and_moves_once(client: MerchantClient) -> None:
    order = walked(client, OrderType.BUY, ["paid"])
    again = advance(client, order["order_no"], "paid")
    assert (again.code, again.data["timeline"]) == (1, order["timeline"])


@pytest.mark.parametrize("way", [[], ["paid"], ["expired"]])
@pytest.mark.parametrize(("term", "by"), [("operator", "operator"), ("agreed:10", "payer")])
def test_a_different_sum(
    seed: Seed, client: MerchantClient, way: list[str], term: str, by: str
) -> None:
    _, client = seed.add_merchant(other_sums=term)
    number = walked(client, OrderType.BUY, way)["order_no"]
    sent = {"order_no": number, "to": "disputed", "amount": "900.00"}
    for _ in range(2):
        data = client.post(ADVANCE, sent).data
        assert (data["status"], data["reported_cny_amount"]) == ("disputed", "900.00")
        assert (data["timeline"][-1]["by"], data["cny_amount"]) == ("trader", "1000.00")
    assert client.post(ADVANCE, sent | {"amount": 901}).code == 2003
    data = advance(client, number, "completed").data
    assert (data["cny_amount"], data["requested_cny_amount"]) == ("900.00", "1000.00")
    assert (data["usdt_amount"], data["timeline"][-1]["by"]) == ("124.378109", by)
    assert client.balance()["test"]["available"] == data["merchant_actual_amount"]


@pytest.mark.parametrize("amount", ["0.00", "2000.01", "1000.00", "1.001", "x"])
def test_a_sum_that_is_no_different_one(seed: Seed, client: MerchantClient, amount: str) -> None:
    _, client = seed.add_merchant(other_sums="agreed:100")
    number = walked(client, OrderType.BUY, [])["order_no"]
    reply = client.post(ADVANCE, {"order_no": number, "to": "disputed", "amount": amount})
    assert (reply.code, reply.data["fields"][0]["field"]) == (1002, "amount")
    reply = client.post(ADVANCE, {"order_no": number, "to": "paid", "amount": "900.00"})
    assert reply.code == 1002


def test_no_different_sum_by_default(client: MerchantClient) -> None:
    number = walked(client, OrderType.BUY, ["paid"])["order_no"]
    reply = client.post(ADVANCE, {"order_no": number, "to": "disputed", "amount": "900.00"})
    assert (reply.code, reply.data["status"]) == (2003, "paid")


def test_a_sum_that_the_fees_use_up_is_not_reported(seed: Seed) -> None:
    fees = FeePolicy(service_fixed_micro=2_000_000)
    _, client = seed.add_merchant(other_sums="operator", fees=fees)
    seed.add_trader(methods=ALL_METHODS, mode=Mode.TEST)
    number = walked(client, OrderType.BUY, [])["order_no"]
    reply = client.post(ADVANCE, {"order_no": number, "to": "disputed", "amount": "5.00"})
    assert (reply.status, reply.code) == (400, 1003)


@pytest.mark.parametrize("way", [[], ["assigned"]])
def test_a_sell_has_no_different_sum(seed: Seed, way: list[str]) -> None:
    merchant, client = seed.add_merchant(other_sums="operator")
    post_funding(seed, merchant, 500_000_000, Mode.TEST)
    number = walked(client, OrderType.SELL, way)["order_no"]
    reply = client.post(ADVANCE, {"order_no": number, "to": "disputed", "amount": "900.00"})
    assert (reply.code, reply.data["status"]) == (2003, way[-1] if way else "matching")


def test_a_sell_that_no_test_trader_fits(seed: Seed, client: MerchantClient) -> None:
    number = walked(client, OrderType.SELL, [])["order_no"]
    seed.only_trader(methods=ALL_METHODS)  # a live one
    reply = advance(client, number, "assigned")
    assert (reply.code, reply.data["reason"]) == (2101, "no_trader_available")
    assert client.query(order_no=number).data["status"] == "matching"


def test_a_required_receipt_is_sent_by_the_payer_who_is_played(seed: Seed) -> None:
    seed.clear_rotation()
    seed.add_trader(mode=Mode.TEST)
    _, client = seed.add_merchant(require_receipt=True)
    number = walked(client, OrderType.BUY, ["paid"])["order_no"]
    stored: Any = seed.get(seed.tables.orders, {"pk": number})
    (receipt,) = stored["receipts"]
    assert receipt["key"].startswith(f"rendered/{number}/payer/")


def test_a_suspended_trader_makes_no_move(seed: Seed, client: MerchantClient) -> None:
    number = walked(client, OrderType.BUY, ["paid"])["order_no"]
    stored: Any = seed.get(seed.tables.orders, {"pk": number})
    trader: Any = seed.get(seed.tables.traders, {"trader_id": stored["trader_id"]})
    seed.put(seed.tables.traders, {**trader, "suspended": True})
    for to in ("completed", "disputed"):
        reply = advance(client, number, to)
        assert (reply.code, reply.data["status"]) == (2003, "paid")


def test_a_draft_has_no_order_yet(seed: Seed) -> None:
    seed.clear_rotation()
    seed.add_trader(mode=Mode.TEST)
    seed.add_trader()
    _, client = seed.add_merchant(identity_required=True)
    for number, is_test, code in (("D-1", 1, 2003), ("D-2", 0, 2002)):
        client.create(buy(merchant_order_no=number, is_test=is_test))
        reply = client.post(ADVANCE, {"merchant_order_no": number, "to": "paid"})
        assert reply.code == code


@pytest.mark.parametrize("to", ["locked", "expired"])
@pytest.mark.parametrize("by", ["pending_no", "merchant_order_no"])
def test_a_test_draft_ends_and_its_number_is_free(seed: Seed, to: str, by: str) -> None:
    seed.add_trader(mode=Mode.TEST)
    _, client = seed.add_merchant(identity_required=True)
    held = client.create(buy(is_test=1, merchant_order_no="D-1")).data
    number = {"pending_no": held["pending_no"], "merchant_order_no": "D-1"}[by]
    for _ in range(2):
        reply = client.post(ADVANCE, {by: number, "to": to})
        assert (reply.code, reply.data["status"]) == (1, to), reply
        assert reply.data == client.query(pending_no=held["pending_no"]).data
    others = {"locked", "expired", "completed"} - {to}
    for other in others:
        reply = client.post(ADVANCE, {by: number, "to": other})
        assert (reply.code, reply.data["status"]) == (2003, to)
    assert client.create(buy(is_test=1, merchant_order_no="D-1")).code == 1


def test_only_a_test_draft_is_advanced_and_only_a_draft_is_locked(seed: Seed) -> None:
    seed.only_trader()
    seed.add_trader(mode=Mode.TEST)
    _, client = seed.add_merchant(identity_required=True)
    live = client.create(buy()).data["pending_no"]
    assert client.post(ADVANCE, {"pending_no": live, "to": "locked"}).code == 2002
    held = client.create(buy(is_test=1)).data["pending_no"]
    reply = client.post(ADVANCE, {"pending_no": held, "to": "paid"})
    assert (reply.code, reply.data["status"]) == (2003, "held")
    order = client.create(buy(), route="test").data["order_no"]
    reply = client.post(ADVANCE, {"order_no": order, "to": "locked"})
    assert (reply.code, reply.data["status"]) == (2003, "pending")
