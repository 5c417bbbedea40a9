"""The guard of effects refuses a write without the power, and knows each stored attribute."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.merchants import merchant_item
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.traders.items import trader_item
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator import actions, desk_rules, merchants, proposals, traders
from tests.support import engine
from tests.support.effects import KINDS, Change, needs_of
from tests.support.effects_guard import Guard
from tests.support.market import Market
from tests.support.operator_api import OperatorApi
from tests.support.orders import TRADER, order_in
from tests.support.portal import PortalVisit
from tests.support.seed import a_merchant
from tests.support.world import World

WALLET = {"method_type": "alipay", "real_name": "丙", "account": "a@b.cn"}
CODE = "https://qr.alipay.com/fkx123"
CALL = engine.Call("operator_api")


@pytest.fixture
def refused(guard: Guard) -> Callable[[], str]:
    """Return a function that returns what the guard found, and lets the test pass."""

    def found() -> str:
        text = "\n".join(guard.found)
        guard.found.clear()
        return text

    return found


def as_stop(*_: object, **__: object) -> Effect:
    """Return the effect of a command that declares another power than it uses."""
    return Effect(Power.STOP)


def test_a_destination_under_another_power_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch, refused: Callable[[], str]
) -> None:
    api, trader = OperatorApi(world), world.add_trader()
    monkeypatch.setattr(traders, "Effect", as_stop)
    asked = {"trader_id": trader.trader_id, **WALLET, "qr_code": CODE}
    assert "proposal" not in api.data("finance-1", "trader.add-method", **asked)
    assert f"methods of {trader.trader_id} needs destination" in refused()


def test_a_far_price_that_is_declared_near_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch, refused: Callable[[], str]
) -> None:
    api, (merchant, _) = OperatorApi(world), world.add_merchant()
    monkeypatch.setattr(desk_rules, "is_far_from", lambda *_: False)
    monkeypatch.setattr(merchants, "far_terms", lambda *_: [])
    api.data("finance-1", "rate.set", order_type="buy", rate="8", yes=True)
    assert "buy of rates needs price, by two people" in refused()
    api.data("finance-1", "merchant.set", merchant_id=merchant.merchant_id, spread_bps=900)
    assert "spread_bps" in refused()


def test_one_person_who_approves_is_refused(
    market: Market, monkeypatch: pytest.MonkeyPatch, refused: Callable[[], str]
) -> None:
    """The guard reads who proposed and who decided; it believes no flag."""
    api = OperatorApi(market.world)
    monkeypatch.setattr(proposals, "is_same_person", lambda *_: False)
    asked = {"trader_id": market.trader_id, "amount": "5", "memo": "m"}
    made = api.data("finance-1", "fund.trader", **asked)["proposal"]
    api.data("finance-1", "proposal.approve", proposal_no=made["proposal_no"])
    assert f"the sum of trader:{market.trader_id}:live needs money" in refused()


def test_a_move_without_a_check_of_hands_is_refused(
    market: Market, monkeypatch: pytest.MonkeyPatch, refused: Callable[[], str]
) -> None:
    api, order_no = OperatorApi(market.world), market.disputed_buy()
    monkeypatch.setattr(actions.Permit, "_solo", lambda _: None)
    asked = {"order_no": order_no, "outcome": "completed", "reason": "r"}
    api.data("support-1", "order.resolve", **asked)
    assert "nobody's hands were checked" in refused()


def test_a_page_that_asks_for_no_role_or_passkey_is_refused(
    world: World, refused: Callable[[], str]
) -> None:
    visit = PortalVisit.of_new_member(world, MemberRole.VIEWER)
    module = world.modules["merchant_portal"]
    path = "/portal/developers/keys/{mode}/rotate"
    open_to_all = replace(module.ROUTES["POST", path], by=None, fresh=False)
    module.ROUTES["POST", path] = open_to_all
    assert visit.post("developers/keys/live/rotate")["statusCode"] == 200
    assert "sealed_secrets of merchant#" in refused()


@pytest.mark.parametrize(
    ("table", "pattern", "rows"), [each for each in KINDS if "*" not in each[2]]
)
def test_an_unknown_attribute_is_refused(
    guard: Guard, refused: Callable[[], str], table: str, pattern: str, rows: Mapping[str, object]
) -> None:
    key = pattern.replace("[a-z]+:.*", "merchant:m1:live").replace("[BS][0-9]+", "B1").strip("$")
    known = dict.fromkeys(rows, 1)
    guard.compare([Change(table, key, known, {**known, "unheard_of": 2})], CALL)
    assert f"unheard_of of {table} {key} has no row" in refused()


@pytest.mark.parametrize(
    ("table", "item"),
    [
        ("Merchants", merchant_item(a_merchant("m1"))),
        ("Traders", trader_item(TRADER, shard=0)),
        ("Orders", order_item(order_in(OrderType.BUY, OrderStatus.DISPUTED, since=1))),
    ],
)
def test_each_attribute_of_a_party_and_an_order_has_a_power(table: str, item: Item) -> None:
    row: dict[str, Any] = {name: value for name, value in item.items() if value is not None}
    key = str(row["trader_id" if table == "Traders" else "pk"])
    named = {what.partition(" of ")[0] for what, _ in needs_of([Change(table, key, {}, row)])}
    assert named


def test_an_entry_is_appended_only(guard: Guard, refused: Callable[[], str]) -> None:
    entry = {"audit_id": "1", "who": "finance-1", "powers": ["money"], "alone": True}
    guard.compare([Change("Audit", "audit#2026-11 1", entry, entry | {"who": "finance-2"})], CALL)
    assert "who of audit#2026-11 1 never changes" in refused()
