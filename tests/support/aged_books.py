"""What it costs to read the books, at two ages: the check, the report of a day, a statement.

The emulator's engine answers in this process, so requests and units are exact, and the seconds
include the engine's own.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import batched
from typing import Any, NamedTuple

from bench.model.capacity import item_bytes, read_units
from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.adapters.dynamodb.ledger import balance_place, posting_item
from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.seals import SealPlaces
from orderdesk.domain.accounts import AccountKind, parity_sums
from orderdesk.domain.ids import RANDOM_BITS, numbered, time_ordered_id
from orderdesk.domain.ledger.day_report import day_of
from orderdesk.domain.ledger.proof import order_moves
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.ledger.seals import day_end
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import SECONDS_PER_DAY, date_in_china
from orderdesk.services.ledger.check import check_books
from orderdesk.services.merchants.statement import Span, first_position, statement
from orderdesk.services.operator.books import report_of_day
from tests.support import engine
from tests.support.money_world import MoneyWorld
from tests.support.sealing import Sealer
from tests.support.world import open_world
from tests.unit.ledger.kept_books import an_order

ORDERS_A_DAY = 1_000
_EVERY_SECONDS = 60
_FUNDED_MICRO = 10**15
_BATCH = 25


class BooksFigures(NamedTuple):
    """Requests and read units of each read; a statement's page has 100 postings."""

    check_requests: int
    check_units: int
    today_requests: int
    today_units: int
    sealed_day_requests: int
    statement_requests: int
    statement_units: int
    check_seconds: float
    report_seconds: float


def books_read(orders: int) -> BooksFigures:
    """Complete and seal so many orders, a thousand a day, and count what each read costs."""
    engine.share()
    with open_world() as world:
        money = MoneyWorld(world)
        sealer = Sealer(world, lambda: money.now)
        money.now = day_end(money.now)
        money.fund(AccountKind.TRADER, money.traders[0].trader_id, Mode.LIVE, _FUNDED_MICRO)
        money.now += 1_000
        sealer.seal()
        for first in range(0, orders, ORDERS_A_DAY):
            start = max(money.now, sealer.end)
            _complete(money, start, first)
            money.now = day_end(start) + 200
            sealer.seal()
        money.now += SECONDS_PER_DAY // 2
        sealer.seal()
        places = SealPlaces(money.seed.client, money.seed.tables)
        for checkpoint in sealer.seals.checkpoints:
            places.put_checkpoint(checkpoint)
        return _figures(money, sealer)


def _complete(money: MoneyWorld, start: int, first: int) -> None:
    parties = money.merchants[0].merchant_id, money.traders[0].trader_id
    numbers = range(ORDERS_A_DAY)
    orders = [completed(*parties, start + n * _EVERY_SECONDS, first + n) for n in numbers]
    write_completed(money.seed.client, money.seed.tables, orders)


def completed(merchant_id: str, trader_id: str, at: int, number: int) -> Order:
    """Return a buy that was created and completed at a time (Unix seconds)."""
    order_id = time_ordered_id(at * 1000, number % (1 << RANDOM_BITS))
    timeline = TimelineEntry(OrderStatus.PENDING, at), TimelineEntry(OrderStatus.COMPLETED, at)
    return replace(
        an_order(number, OrderType.BUY, Mode.LIVE, merchant_id, trader_id),
        order_no=numbered("B", order_id, at),
        order_id=order_id,
        status=OrderStatus.COMPLETED,
        merchant_order_no=f"aged-{order_id}",
        createtime=at,
        timeline=timeline,
    )


def write_completed(client: Any, tables: TableNames, orders: Sequence[Order]) -> None:
    """Write completed orders with their postings and sums, as the moves would have."""
    sums = Counter[tuple[str, str]]()
    postings = list[Item]()
    for order in orders:
        transfer = settlement(order, order.createtime)
        postings += (posting_item(transfer, each) for each in transfer.postings)
        for move in order_moves(order):
            micro = {"available_micro": move.available_micro, "held_micro": move.held_micro}
            micro |= parity_sums(move.available_micro, move.held_micro, move.at)
            sums.update({(move.account_key, name): value for name, value in micro.items()})
    _write(client, tables.orders, map(order_item, orders))
    _write(client, tables.ledger, postings)
    for (key, name), added in sums.items():
        account = account_of(key)
        assert account is not None
        table, place = balance_place(tables, account)
        client.update_item(
            TableName=table,
            Key=to_item(place),
            UpdateExpression=f"ADD {name} :micro",
            ExpressionAttributeValues=to_item({":micro": added}),
        )


def _write(client: Any, table: str, items: Iterable[Item]) -> None:
    for some in batched(items, _BATCH, strict=False):
        left: Any = {table: [{"PutRequest": {"Item": to_item(item)}} for item in some]}
        while left:
            left = client.batch_write_item(RequestItems=left)["UnprocessedItems"]


def _figures(money: MoneyWorld, sealer: Sealer) -> BooksFigures:
    merchant_id, now = money.merchants[0].merchant_id, money.now
    postings = LedgerStatement(money.seed.client, money.seed.tables.ledger)
    today = day_of(date_in_china(now))

    def page() -> None:
        span = Span(now - SECONDS_PER_DAY)
        position = first_position(postings, merchant_id, Mode.LIVE, span)
        found = statement(postings, merchant_id, Mode.LIVE, span, position, limit=100, now=now)
        assert len(found.items) == 100

    def report(days: int) -> None:
        day = day_of(today.date - timedelta(days=days))
        assert not report_of_day(sealer.ports, lambda _: None, day).differences()

    def check() -> None:
        assert check_books(sealer.ports, lambda _: None).findings == []

    reads = [_cost(money, each) for each in (check, lambda: report(0), lambda: report(2), page)]
    (a, b, check_seconds), (c, d, report_seconds), (e, *_), (f, g, _) = reads
    return BooksFigures(a, b, c, d, e, f, g, check_seconds, report_seconds)


def _cost(money: MoneyWorld, read: Callable[[], None]) -> tuple[int, int, float]:
    """Return the requests to DynamoDB of a read, their units, and its CPU seconds."""
    units = list[float]()

    def count(parsed: Mapping[str, Any], **_: Any) -> None:
        items = parsed.get("Items", [])
        some = [item for each in parsed.get("Responses", {}).values() for item in each]
        size = read_units(sum(map(item_bytes, items)), consistent=True) if items else 0
        units.append(size + sum(read_units(item_bytes(item), consistent=True) for item in some))

    events = money.seed.client.meta.events
    events.register("after-call.dynamodb", count)
    begun = time.process_time()
    try:
        read()
    finally:
        seconds = time.process_time() - begun
        events.unregister("after-call.dynamodb", count)
    return len(units), round(sum(units)), seconds
