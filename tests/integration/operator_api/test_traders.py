"""`trader.*`: answers, refusals and audit entries."""

import re
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.traders.items import RotationIndex
from orderdesk.domain.pricing import Mode
from tests.support.market import Market
from tests.support.operator_api import OperatorApi
from tests.support.world import World

VIEWER, SUPPORT, FINANCE = "viewer-1", "support-1", "finance-1"
CARD = "6200000000000001234"
BANK = {"real_name": "交易员甲", "bank": "测试银行", "sub_bank": "测试支行", "card_number": CARD}
WALLET = {"real_name": "乙", "qr_code": "https://qr.alipay.com/fkx1"}


def add(api: OperatorApi, **terms: Any) -> dict[str, Any]:
    limits = {"min_cny": "100", "max_cny": "5000.00"}
    added: dict[str, Any] = api.data(
        FINANCE, "trader.add", alone=True, name="甲", **limits, **terms
    )
    return added


def test_add_answers_a_code_that_is_shown_once(world: World, api: OperatorApi) -> None:
    added = add(api, max_open=3, daily_cny="9000")
    assert re.fullmatch(r"[0-9a-z]{4}(-[0-9a-z]{4}){6}", added["access_code"])
    assert (added["duty"], added["mode"], added["max_open"]) == ("offline", "live", 3)
    asked = {"trader_id": added["trader_id"]}
    later = [
        api.data(VIEWER, "trader.show", **asked),
        api.data(VIEWER, "trader.list"),
        api.data(SUPPORT, "trader.online", **asked),
        api.data(VIEWER, "audit.list"),
        *(world.items(table) for table in ("Traders", "Audit")),
    ]
    assert not [text for text in map(repr, later) if added["access_code"] in text]


def test_a_trader_is_in_the_rotation_only_while_online(world: World, api: OperatorApi) -> None:
    rotation = RotationIndex(world.client, world.tables.traders, 1)
    trader_id = add(api)["trader_id"]
    for word, expected in (
        ("online", [trader_id]),
        ("offline", []),
        ("online", [trader_id]),
        ("suspend", []),
        ("offline", []),
        ("online", [trader_id]),
    ):
        api.data(SUPPORT, f"trader.{word}", trader_id=trader_id)
        assert [t.trader_id for t in next(rotation.pages(Mode.LIVE))] == expected, word
    assert list(next(rotation.pages(Mode.TEST))) == []


def test_what_keeps_every_order_away_is_a_warning(api: OperatorApi) -> None:
    trader_id = add(api)["trader_id"]
    assert api.data(SUPPORT, "trader.online", trader_id=trader_id)["warnings"] == ["no_method"]
    added = {"trader_id": trader_id, "method_type": "bank", **BANK}
    assert api.data(FINANCE, "trader.add-method", alone=True, **added)["warnings"] == []


def test_limits_change_by_name_and_a_cap_is_removed_by_an_empty_value(api: OperatorApi) -> None:
    trader_id = add(api, max_open=3, daily_cny="9000")["trader_id"]

    def change(**terms: Any) -> Any:
        return api.data(FINANCE, "trader.set", alone=True, trader_id=trader_id, **terms)

    limits = ("min_cny", "max_cny", "max_open", "daily_cny")
    changed = change(max_cny="800", max_open=7, reason="new bank")
    assert [changed[name] for name in limits] == ["100.00", "800.00", 7, "9000.00"]
    entry = api.data(VIEWER, "audit.list")["items"][-1]
    assert (entry["action"], entry["reason"]) == ("trader.set", "new bank")
    assert entry["details"] == {"max_cny": "5000.00 → 800.00", "max_open": "3 → 7"}
    uncapped = change(min_cny="1", max_open="", daily_cny="")
    assert [uncapped[name] for name in limits] == ["1.00", "800.00", None, None]
    assert change(min_cny="1") == uncapped  # no change: nothing is written
    assert change(unique_amounts=True)["unique_amounts"] is True
    assert len(api.data(VIEWER, "audit.list")["items"]) == 4


@pytest.mark.parametrize(
    ("terms", "is_far"),
    [
        ({"max_cny": "5250.00"}, False),
        ({"max_cny": "4750.00", "min_cny": "105"}, False),
        ({"max_cny": "5250.01"}, True),
        ({"min_cny": "94"}, True),
        ({"max_open": 11}, True),
        ({"max_open": ""}, True),
        ({"daily_cny": "9000"}, True),
        ({"unique_amounts": True}, False),
    ],
)
def test_a_number_far_from_what_two_people_approved_needs_two(
    api: OperatorApi, terms: dict[str, Any], *, is_far: bool
) -> None:
    trader_id = add(api, max_open=10)["trader_id"]
    before = api.data(VIEWER, "trader.show", trader_id=trader_id)
    answer = api.data(FINANCE, "trader.set", trader_id=trader_id, **terms)
    assert ("proposal" in answer) is is_far
    if not is_far:
        return
    assert api.data(VIEWER, "trader.show", trader_id=trader_id) == before
    proposal = answer["proposal"]
    assert trader_id in proposal["summary"]
    assert proposal["before"].keys() == proposal["after"].keys() == terms.keys()
    api.data("finance-2", "proposal.approve", proposal_no=proposal["proposal_no"])
    after = api.data(VIEWER, "trader.show", trader_id=trader_id)
    assert {name: after[name] for name in terms} != {name: before[name] for name in terms}


def test_small_steps_do_not_add_up(api: OperatorApi) -> None:
    trader_id = add(api)["trader_id"]

    def to(max_cny: str) -> Any:
        return api.data(FINANCE, "trader.set", trader_id=trader_id, max_cny=max_cny)

    assert to("5250.00")["max_cny"] == "5250.00"
    asked = to("5300.00")["proposal"]
    api.data("finance-2", "proposal.approve", proposal_no=asked["proposal_no"])
    assert to("5560.00")["max_cny"] == "5560.00"
    waiting = to("5600.00")["proposal"]
    assert to("5550.00")["max_cny"] == "5550.00"
    status, envelope = api.call("finance-2", "proposal.approve", proposal_no=waiting["proposal_no"])
    assert (status, envelope["code"]) == (409, 2003), "what it rests on has changed"


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({}, "terms"),
        ({"reason": "r"}, "terms"),
        ({"min_cny": "801", "max_cny": "800"}, "max_cny"),
        ({"min_cny": "0"}, "min_cny"),
        ({"max_open": 0}, "max_open"),
        ({"max_open": "many"}, "max_open"),
        ({"daily_cny": "0.5"}, "daily_cny"),
        ({"daily_cny": "1.001"}, "daily_cny"),
    ],
)
def test_unfit_limits_are_named(api: OperatorApi, terms: dict[str, Any], field: str) -> None:
    trader_id = add(api)["trader_id"]
    status, envelope = api.call(FINANCE, "trader.set", trader_id=trader_id, **terms)
    assert (status, envelope["code"]) == (400, 1002)
    assert {each["field"] for each in envelope["data"]["fields"]} == {field}


@pytest.mark.parametrize(
    ("method", "fields"),
    [
        ({"method_type": "cash"}, {"method_type"}),
        ({"method_type": "bank", "real_name": "甲"}, {"bank", "sub_bank", "card_number"}),
        ({"method_type": "bank", **BANK, "card_number": "12ab"}, {"card_number"}),
        ({"method_type": "bank", **BANK, "sub_bank": "a\nb"}, {"sub_bank"}),
        ({"method_type": "wechat", **WALLET}, {"account"}),
        (
            {"method_type": "alipay", **WALLET, "account": "a", "qr_code": "http://host/a.png"},
            {"qr_code"},
        ),
    ],
)
def test_unfit_methods_are_named(
    api: OperatorApi, method: dict[str, Any], fields: set[str]
) -> None:
    trader_id = add(api)["trader_id"]
    status, envelope = api.call(FINANCE, "trader.add-method", trader_id=trader_id, **method)
    assert (status, envelope["code"]) == (400, 1002)
    assert {each["field"] for each in envelope["data"]["fields"]} == fields


def test_suspend_returns_the_sells_and_names_what_is_left(market: Market, api: OperatorApi) -> None:
    bought, sold = market.buy(), market.sell()
    asked = {"trader_id": market.trader_id}
    api.data(SUPPORT, "order.assign", order_no=sold, **asked)
    answer = api.data(SUPPORT, "trader.suspend", **asked, reason="its session was stolen")
    assert (answer["suspended"], answer["given_back"], answer["left"]) == (True, [sold], [bought])
    again = api.data(SUPPORT, "trader.suspend", **asked)
    assert (again["given_back"], again["left"], again["warnings"]) == ([], [bought], [])


def test_a_trader_is_shown_with_its_open_orders(market: Market, api: OperatorApi) -> None:
    bought = market.buy()
    shown = api.data(VIEWER, "trader.show", trader_id=market.trader_id)
    assert (shown["held"], shown["open_orders"], shown["cny_today"]) == (
        *("138.197899", 1),
        "1000.00",
    )
    assert [order["order_no"] for order in shown["orders"]] == [bought]
    assert shown["orders"][0]["merchant_name"] == market.merchant.name
