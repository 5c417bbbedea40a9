"""`order.list`, `.find`, `.show`, `.evidence` and `draft.show`."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from orderdesk.domain.orders.transitions import Actor, Move
from tests.support import receipt_samples as samples
from tests.support.faults import requests_of
from tests.support.market import Market
from tests.support.merchant_client import BANK, buy
from tests.support.operator_api import OperatorApi
from tests.support.payer import Payer
from tests.support.seed import with_changes
from tests.support.world import ENVIRONMENT, World

VIEWER = "viewer-1"
RECEIPTS = ENVIRONMENT["RECEIPTS_BUCKET"]
PDF, PNG = samples.pdf(2), samples.png()


def listed(api: OperatorApi, **parameters: Any) -> list[str]:
    """Return the numbers of all pages of a listing."""
    return [order["order_no"] for order in api.items(VIEWER, "order.list", **parameters)]


def test_each_filter_leaves_out_what_does_not_match(market: Market, api: OperatorApi) -> None:
    small, large, sold = market.buy(cny_amount="100.00"), market.buy(), market.sell()
    _, other = market.world.add_merchant(name="晨光商城")
    others = other.create(buy()).data["order_no"]
    market.move(large, Move.PAY, Actor.PAYER)
    overdue = market.overdue_buy()
    everything = listed(api)
    assert everything == sorted(
        [small, large, sold, others, overdue], key=lambda n: n[9:], reverse=True
    )
    merchant = market.merchant.merchant_id
    cases: list[tuple[Mapping[str, Any], set[str]]] = [
        ({"merchant_id": merchant}, {small, large, sold, overdue}),
        ({"merchant_id": "晨光商城"}, {others}),
        ({"trader_id": market.trader_id}, {small, large, others, overdue}),
        ({"status": "paid"}, {large}),
        ({"status": "pending"}, {small, others}),
        ({"status": "expired"}, {overdue}),
        ({"order_type": "sell"}, {sold}),
        ({"mode": "live"}, set(everything)),
        ({"mode": "test"}, set()),
        ({"min_cny": "100.01"}, {large, sold, others, overdue}),
        ({"max_cny": "100"}, {small}),
        (
            {"order_type": "buy", "merchant_id": merchant, "trader_id": market.trader_id},
            {small, large, overdue},
        ),
    ]
    for asked, wanted in cases:
        assert listed(api, **asked) == [n for n in everything if n in wanted], asked
        assert listed(api, **asked, limit=2) == [n for n in everything if n in wanted], asked


def test_times_are_of_creation_and_both_ends_count(market: Market, api: OperatorApi) -> None:
    number = market.buy()
    created = market.order(number).createtime
    assert listed(api, since=created, until=created) == [number]
    assert listed(api, until=created - 1) == listed(api, since=created + 1) == []


def refused(api: OperatorApi, kind: str, text: str) -> tuple[int, dict[str, Any]]:
    asked: dict[str, Any] = {f"{kind}_id": text}
    return api.call(VIEWER, "order.list", **asked)


@pytest.mark.parametrize("kind", ["merchant", "trader"])
def test_an_unknown_or_ambiguous_name_is_refused(
    market: Market, api: OperatorApi, kind: str
) -> None:
    for _ in range(2):
        market.world.add_merchant(name="twice")
        market.world.add_trader(name="twice")
    status, envelope = refused(api, kind, "nobody")
    assert (status, envelope["code"]) == (404, 2002)
    assert envelope["data"]["detail"] == f"no such {kind}: nobody"
    status, envelope = refused(api, kind, "Twice")
    assert (status, envelope["code"]) == (409, 2003)
    assert envelope["data"]["detail"].startswith(f"2 {kind}s have the name Twice: ")


def test_a_page_costs_at_most_20_requests(market: Market, api: OperatorApi) -> None:
    for _ in range(3):
        market.disputed_buy()
    market.sell()
    name = market.world.trader(market.trader_id).name
    pages: list[dict[str, Any]] = [
        {},
        {"status": "disputed"},
        {"min_cny": "5000.01", "max_cny": "5000.01"},
        {"merchant_id": market.merchant.name, "trader_id": name, "status": "disputed"},
    ]
    client = market.world.modules["operator_api"].clients.dynamodb
    for asked in pages:
        with requests_of(client) as sent:
            api.data(VIEWER, "order.list", **asked, limit=100)
        assert 0 < len(sent) <= 20, (asked, sent)


def test_every_wrong_filter_is_named(api: OperatorApi) -> None:
    wrong: dict[str, Any] = {
        "status": "lost",
        "mode": "both",
        "order_type": "swap",
        "min_cny": "1.001",
        "since": "x",
        "limit": 101,
        "after": "x",
    }
    status, envelope = api.call(VIEWER, "order.list", **wrong)
    assert (status, envelope["code"]) == (400, 1002)
    assert {each["field"] for each in envelope["data"]["fields"]} == wrong.keys()


def test_an_order_is_found_by_each_of_its_numbers(market: Market, api: OperatorApi) -> None:
    order_no = market.buy(merchant_order_no="no-1")
    for text in (order_no, "no-1", str(market.order(order_no).order_id)):
        [found] = api.data(VIEWER, "order.find", text=text)["items"]
        assert (found["order_no"], found["merchant_name"]) == (order_no, market.merchant.name)
    for text in ("no-2", "x" * 256, "", "B" + "0" * 24):
        assert api.call(VIEWER, "order.find", text=text)[0] == 404, text


def test_a_draft_is_found_and_shown(world: World, api: OperatorApi) -> None:
    _, client = world.add_merchant(identity_required=True)
    world.add_trader()
    draft = client.create(buy(merchant_order_no="no-3")).data["pending_no"]
    for text in (draft, "no-3"):
        [found] = api.data(VIEWER, "order.find", text=text)["items"]
        assert (found["pending_no"], found["status"]) == (draft, "held")
        assert "identity_url" not in found
    shown = api.data(VIEWER, "draft.show", pending_no=draft)
    assert (shown["status"], shown["cny_amount"], shown["callbacks"]) == ("held", "1000.00", [])
    assert "identity_url" not in shown
    numbers: list[tuple[str, dict[str, Any]]] = [
        ("draft.show", {"pending_no": "D" + "2" * 24}),
        ("order.show", {"order_no": "B" + "2" * 24}),
    ]
    for command, parameters in numbers:
        assert api.call(VIEWER, command, **parameters)[0] == 404
    status, envelope = api.call(VIEWER, "order.show", order_no=draft)
    assert (status, "is a draft (held)" in envelope["data"]["detail"]) == (409, True)


def test_an_order_is_shown_with_its_story(market: Market, api: OperatorApi) -> None:
    order_no = market.disputed_buy()
    shown = api.data(VIEWER, "order.show", order_no=order_no)
    assert [entry["by"] for entry in shown["timeline"]] == ["merchant", "payer", "trader"]
    assert (shown["notes"], shown["evidence"], shown["callbacks"]) == ([], [], [])
    name = market.world.trader(market.trader_id).name
    of_trader = {"account": "trader", "trader_id": market.trader_id, "trader_name": name}
    trader = {**of_trader, "usdt": "138.197899"}
    assert shown["money"] == {"state": "held", "lines": [trader]}
    assert shown["transfer_remark"] == order_no[-6:]
    ask, completed, cancelled = shown["actions"]
    assert (ask["command"], ask["to"]) == ("order.ask", ["payer", "trader", "both"])
    assert completed["parameters"] == {"outcome": "completed"}
    merchant = market.merchant
    whose = {"merchant_id": merchant.merchant_id, "merchant_name": merchant.name}
    assert completed["lines"] == [
        {**of_trader, "usdt": "-138.197899"},
        {"account": "merchant", **whose, "usdt": "135.995023"},
        {"account": "deposit", **whose, "usdt": "1.373688"},
        {"account": "fee", **whose, "usdt": "0.829188"},
    ]
    assert (cancelled["money"], cancelled["lines"]) == ("released", [trader])
    by_id = api.data(VIEWER, "order.show", order_no=str(shown["order_id"]))
    assert by_id == shown
    assert "pay_url" not in shown


def test_traders_that_fit_are_for_waiting_sells_only(market: Market, api: OperatorApi) -> None:
    away = market.world.add_trader(online=False, name="away")
    market.world.add_trader(min_cny_fen=100_000_00, max_cny_fen=200_000_00)
    sold = market.sell()
    shown = api.data(VIEWER, "order.show", order_no=sold)
    assert [(each["trader_id"], each["online"]) for each in shown["fitting_traders"]] == [
        (market.trader_id, True),
        (away.trader_id, False),
    ]
    assert [each["command"] for each in shown["actions"]] == ["order.assign", "order.cancel"]
    for order_no in (market.buy(), market.overdue_buy()):
        shown = api.data(VIEWER, "order.show", order_no=order_no)
        assert shown["fitting_traders"] is None
    assert [each["command"] for each in shown["actions"]] == ["order.dispute"]
    assert shown["actions"][0]["money"] == "held_again"


def test_customers_and_traders_are_masked(market: Market, api: OperatorApi) -> None:
    sold = api.data(VIEWER, "order.show", order_no=market.sell())
    assert sold["customer_payment_method"]["card_number"] == "*" * 15 + "0017"
    assert sold["customer_payment_method"]["real_name"] == "测**"
    bought = api.data(VIEWER, "order.show", order_no=market.buy())
    assert bought["payment_method"]["card_number"].endswith("*1234")
    for shown in (sold, bought):
        assert BANK["card_number"] not in str(shown)
        assert "交易员甲" not in str(shown)


def test_disputes_say_whether_somebody_has_answered(market: Market, api: OperatorApi) -> None:
    first, second = market.disputed_buy(), market.disputed_buy()
    market.put(with_changes(market.order(second), notes=1))
    note: Any = {"by": "payer", "time": 1, "text": "I paid"}
    market.world.put("Orders", {"pk": f"{second}#notes", "kind": "notes", "said": [note]})
    rows = api.data(VIEWER, "order.list", status="disputed")["items"]
    assert {row["order_no"]: row["new_answer"] for row in rows} == {first: False, second: True}


def test_evidence_is_links_to_originals_and_pictures(world: World, api: OperatorApi) -> None:
    payer = Payer.of_new_order(world)
    for content in (PDF, PNG):
        assert payer.upload(content)["statusCode"] == 303
    told = api.data(VIEWER, "order.evidence", order_no=payer.order_no)
    document, picture = told["evidence"]
    assert (told["order_no"], document["kind"]) == (payer.order_no, "receipt")
    assert (document["content_type"], document["size_bytes"]) == ("application/pdf", len(PDF))
    assert document["file_name"] == f"{payer.order_no}-receipt-1.pdf"
    assert len(document["picture_names"]) == len(document["pictures"]) == 2
    files = world.files()
    for link, content in ((document["original"], PDF), (picture["original"], PNG)):
        address = urlsplit(link)
        query = parse_qs(address.query)
        assert files[address.path.lstrip("/").removeprefix(f"{RECEIPTS}/")] == content
        assert int(query["X-Amz-Expires"][0]) <= 300
        assert query["response-content-disposition"][0].startswith("attachment; ")
        assert query["response-content-type"] == ["application/octet-stream"]
    shown = api.data(VIEWER, "order.show", order_no=payer.order_no)["evidence"]
    assert [each["file_name"] for each in shown] == [each["file_name"] for each in told["evidence"]]
    assert "original" not in shown[0]
