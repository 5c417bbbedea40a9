"""Stored data of all kinds, and every page of the console."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from urllib.parse import urlsplit

from playwright.sync_api import Page

from orderdesk.adapters.dynamodb.callbacks import delivery_item
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.ids import numbered, time_ordered_id
from orderdesk.domain.orders.order import OrderStatus, TimelineEntry
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.proposals import Sum
from orderdesk.services.operator.funds import move
from orderdesk_cli.api import Api
from tests.support import receipt_samples as samples
from tests.support.commands import command_on
from tests.support.deliveries import EVENT, REFUSED, tried
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.offices import api_on, office_on
from tests.support.orders import desk_order
from tests.support.payer import Payer
from tests.support.seed import ALL_METHODS
from tests.support.world import World

USDT = 1_000_000
PROPOSER = "finance-2"
SHOP, TRADER = "晨光商城", "people-wang"
SPREAD_ORDERS = 60
_HOUR_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class BusyStack:
    """The data of a console: a disputed order with evidence, and work for operators."""

    world: World
    disputed: str
    waiting: str
    proposal: str
    merchant_id: str
    trader_id: str
    webhook_id: str


def busy_stack(world: World) -> BusyStack:
    """Create the data, as operators, payers and the clock do."""
    office, proposer = office_on(world), api_on(world, PROPOSER)
    now = office.now()
    trader = world.add_trader(name=TRADER, methods=ALL_METHODS, available_micro=0, max_open=20)
    merchant, client = world.add_merchant(name=SHOP, display_name=SHOP)
    merchant_id = merchant.merchant_id
    sums = [Sum(Account(AccountKind.TRADER, trader.trader_id, Mode.LIVE), 9_000 * USDT)]
    sums += [Sum(Account(AccountKind.MERCHANT, merchant_id, mode), 5_000 * USDT) for mode in Mode]
    for money in sums:
        move(office, command_on("fund", money.account), money, "m")
    disputed = _disputed(world, client, proposer)
    proposer.write("order.ask", order_no=disputed, to="payer", text="哪一家银行的转账？")
    waiting = client.create(sell(cny_amount="2500.00")).data["order_no"]
    memo = "to the bank in Shenzhen"
    asked = proposer.write("withdraw.merchant", merchant_id=merchant_id, amount="120", memo=memo)
    withdrawal = asked["proposal"]
    proposer.write("merchant.invite", merchant_id=merchant_id, name="小梅", role="developer")
    proposer.write("merchant.set", merchant_id=merchant_id, max_open_buys=40, reason="a busy week")
    assert isinstance(withdrawal, Mapping)
    _orders_of_today(world, merchant_id, trader.trader_id, now)
    world.add_trader(name="people-li", mode=Mode.TEST, online=False, suspended=True)
    webhook_id = _failing_callback(world, merchant_id, disputed, now * 1000)
    return BusyStack(
        *(world, disputed, waiting, str(withdrawal["proposal_no"])),
        *(merchant_id, trader.trader_id, webhook_id),
    )


def _disputed(world: World, client: MerchantClient, operator: Api) -> str:
    payer = Payer.of_link(world, client.create(buy(cny_amount="1000.37")).data["pay_url"])
    for content in (samples.png(), samples.pdf(2)):
        assert payer.upload(content)["statusCode"] == 303
    reason = "the trader sees no money"
    operator.write("order.dispute", order_no=payer.order_no, reason=reason)
    return payer.order_no


def _orders_of_today(world: World, merchant_id: str, trader_id: str, now: int) -> None:
    """Store orders of the last hours, most of them completed."""
    chance = Random(14)  # so that the pictures do not differ
    ends = (*[OrderStatus.COMPLETED] * 7, OrderStatus.EXPIRED, OrderStatus.CANCELLED)
    for _ in range(SPREAD_ORDERS):
        created = now - chance.randrange(12 * _HOUR_SECONDS)
        identifier = time_ordered_id(created * 1000, chance.randrange(1 << 13))
        status = chance.choice(ends)
        fen = chance.randrange(100_00, 5_000_00)
        order = desk_order(OrderType.BUY, status, created, fen=fen, trader_id=trader_id)
        paid = created + chance.randrange(30, 600)
        way = [TimelineEntry(OrderStatus.PENDING, created)]
        if status is OrderStatus.COMPLETED:
            way.append(TimelineEntry(OrderStatus.PAID, paid, "payer"))
            done = paid + chance.choice([40, 90, 90, 200, 280, 500, 1500, 4000])
            way.append(TimelineEntry(status, done, "trader"))
        else:
            way.append(TimelineEntry(status, paid, "clock"))
        placed = replace(
            order,
            order_no=numbered("B", identifier, created),
            order_id=identifier,
            merchant_id=merchant_id,
            merchant_order_no=f"shop-{identifier % 10_000}",
            timeline=tuple(way),
        )
        world.put("Orders", order_item(placed))


def _failing_callback(world: World, merchant_id: str, number: str, now_ms: int) -> str:
    event = replace(EVENT, webhook_id=f"msg_{number}_2", merchant_id=merchant_id, number=number)
    item = to_item(delivery_item(tried(event, REFUSED, now_ms=now_ms), 90))
    world.client.put_item(TableName=world.tables.callbacks, Item=item)
    return event.webhook_id


def root_of(tab: Page) -> str:
    """Return the address that all pages of the console begin with."""
    address = urlsplit(tab.url)
    return f"{address.scheme}://{address.netloc}/{address.path.split('/')[1]}"


def console_states(tab: Page, stack: BusyStack, root: str) -> Iterator[str]:
    """Show each page in the tab and yield its name."""
    pages = {
        "waiting": "waiting",
        "orders": "orders",
        "orders-filtered": "orders?order_type=buy&status=completed&since=24h",
        "story": f"orders/{stack.disputed}",
        "question": f"orders/{stack.disputed}/complete",
        "ask": f"orders/{stack.disputed}/ask",
        "assign": f"orders/{stack.waiting}/assign",
        "disputes": "disputes",
        "sells": "sells",
        "proposals": "proposals",
        "proposal": f"proposals/{stack.proposal}",
        "approve": f"proposals/{stack.proposal}/approve",
        "traders": "traders",
        "trader": f"traders/{stack.trader_id}",
        "limits": f"traders/{stack.trader_id}/limits",
        "merchants": "merchants",
        "merchant": f"merchants/{stack.merchant_id}",
        "merchant-limits": f"merchants/{stack.merchant_id}/limits",
        "merchant-use": f"merchants/{stack.merchant_id}/use",
        "callbacks": "callbacks",
        "redeliver": f"callbacks/{stack.webhook_id}/redeliver",
        "report": "report",
        "ledger": "ledger",
        "ledger-checked": "ledger?run=1",
        "audit": "audit",
        "rates": "rates",
        "rate": "rates/set",
        "fund": f"merchants/{stack.merchant_id}/fund",
        "callback": f"callbacks/{stack.webhook_id}",
        "found": "find?text=shop",
        "problem": "orders?max_cny=much",
        "not-found": "nowhere",
    }
    for name, path in pages.items():
        tab.goto(f"{root}/{path}")
        yield name
