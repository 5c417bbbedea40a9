"""The portal's first page: balance, figures, and what needs attention."""

import time

from orderdesk.adapters.dynamodb.ledger import balance_key
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from tests.support.faults import requests_of
from tests.support.market import Market
from tests.support.merchant_client import MerchantClient, buy
from tests.support.portal import PortalVisit
from tests.support.sealing import Sealer
from tests.support.world import World

REQUESTS = ["BatchGetItem"] * 3 + ["Query"] * 2
"""For session, merchant and team; for accounts; for days; for disputes; for endpoints."""


def count(world: World) -> None:
    """Seal all that was done so far, which counts it."""
    Sealer(world, lambda: int(time.time()) + 3, every=1).seal()


def visit_of(market: Market) -> PortalVisit:
    return PortalVisit.of_new_member(market.world, merchant=market.merchant)


def test_a_new_merchant_has_zeros_and_its_days_are_not_counted_yet(world: World) -> None:
    merchant, _ = world.add_merchant(created_at=int(time.time()))
    page = PortalVisit.of_new_member(world, merchant=merchant).get()
    assert page["statusCode"] == 200
    for shown in ("0.000000", "not counted yet", "No open dispute"):
        assert shown in page["body"], shown
    assert "in the sums" not in page["body"], "no day before the merchant existed is missing"
    older = PortalVisit.of_new_member(world).get()
    assert "in the sums: 29." in older["body"], "today's own part says that it is not counted"


def test_the_figures_are_those_of_the_counted_orders(market: Market) -> None:
    done, open_one = market.buy(), market.buy()
    market.move(done, Move.PAY, Actor.PAYER)
    market.move(done, Move.CONFIRM, Actor.TRADER)
    market.move(market.buy(), Move.CANCEL, Actor.MERCHANT)
    count(market.world)
    body = visit_of(market).get()["body"]
    for shown in ("<dd>3</dd>", "<dd>1,000.00</dd>", "<dd>50%</dd>", "≤ 1 min", "135.995023"):
        assert shown in body.replace(" <abbr>", "<"), shown
    assert "Today was counted at" in body
    for axis in ("<span>1,000</span>", "<span>500</span>", "<span>0</span>", "<line "):
        assert axis in body, axis
    first = body.rpartition('<th scope="row">')[2][5:10]
    assert f"<span>{first}</span>" in body, "the oldest day is the last row and the axis' left end"
    assert market.order(open_one).status.is_open
    other = PortalVisit.of_new_member(market.world).get()["body"]
    assert "1,000.00" not in other


def test_test_orders_are_not_counted(world: World) -> None:
    merchant, client = world.add_merchant()
    world.add_trader(mode=Mode.TEST)
    assert client.create(buy(), route="test").code == 1
    count(world)
    body = PortalVisit.of_new_member(world, merchant=merchant).get()["body"]
    assert "Today was counted at" in body
    assert "<dd>1</dd>" not in body


def test_what_needs_attention_is_shown(market: Market) -> None:
    market.disputed_buy()
    place = EndpointId(market.merchant.merchant_id, Mode.LIVE, "https://paused.example")
    market.world.endpoints.save(Endpoint(place, version=1, since_ms=1, probe_ms=1))
    other = PortalVisit.of_new_member(market.world)
    visit = visit_of(market)
    with requests_of(market.world.cold_start("merchant_portal").dynamodb) as made:
        body = visit.get()["body"]
    assert sorted(made) == REQUESTS
    assert "Open disputes: 1" in body
    assert "status=disputed" in body
    assert place.origin in body
    elsewhere = other.get()["body"]
    assert "Open disputes" not in elsewhere
    assert place.origin not in elsewhere


def test_a_limit_near_its_end_is_shown(world: World) -> None:
    merchant, client = world.add_merchant(max_open_buys=5, max_open_sells=5)
    world.fund(merchant, 10**12)
    world.only_trader()
    visit = PortalVisit.of_new_member(world, merchant=merchant)
    make(client, 3)
    assert "Open buys:" not in visit.get()["body"]
    make(client, 1)
    body = visit.get()["body"]
    assert "Open buys: 4 of 5 in use" in body
    assert "Open sells:" not in body


def make(client: MerchantClient, count_of: int) -> None:
    for _ in range(count_of):
        assert client.create(buy()).code == 1, OrderType.BUY


def test_a_balance_that_is_split_since_its_terms_were_lowered_is_whole(world: World) -> None:
    merchant, _ = world.add_merchant(balance_shards=4)
    world.fund(merchant, 5_000_000)
    for shard in range(1, 4):
        key = balance_key(Account(AccountKind.MERCHANT, merchant.merchant_id, Mode.LIVE), shard)
        world.put(world.tables.ledger, key | {"available_micro": 1_000_000, "held_micro": 0})
    merchant = world.change_merchant(merchant, balance_shards=1)
    assert "8.000000" in PortalVisit.of_new_member(world, merchant=merchant).get()["body"]
