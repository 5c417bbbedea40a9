"""Measure the ledger check on 100,000 postings and their orders, without a database.

The items are DynamoDB's JSON, in pages of about 1 MB. `python -m tools.check_cost [ORDERS]` prints
CPU time, memory and the size of the stored run.
"""

import json
import resource
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from orderdesk.adapters.dynamodb.ledger import posting_item
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.ledger_scan import checked_row
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.ledger.check_run import ReadingPlace, Segment, Source
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.pricing import OrderType
from orderdesk.services.operator.ledger import Pages, PostingsPage, Reading, check_ledger
from tests.unit.ledger.kept_books import LATER_US, THEN, an_order

PAGES = {Source.ORDERS: 700, Source.LEDGER: 4000}
MERCHANTS, TRADERS = 200, 100


def completed(number: int) -> Order:
    order = an_order(
        number, OrderType.BUY, Mode.LIVE, f"m{number % MERCHANTS}", f"t{number % TRADERS}"
    )
    done = TimelineEntry(OrderStatus.COMPLETED, THEN)
    return replace(
        order, status=OrderStatus.COMPLETED, open_shard=None, timeline=(*order.timeline, done)
    )


class Written:
    """Pages of orders and postings as text, parsed when they are read."""

    def __init__(self, orders: int) -> None:
        completed_orders = [completed(number) for number in range(orders)]
        transfers = [settlement(order, THEN) for order in completed_orders]
        self._texts = {
            Source.ORDERS: [json.dumps(to_item(order_item(each))) for each in completed_orders],
            Source.LEDGER: [
                json.dumps(to_item(posting_item(each, posting)))
                for each in transfers
                for posting in each.postings
            ],
        }
        Random(0).shuffle(self._texts[Source.LEDGER])  # noqa: S311 no secret

    def page(self, place: ReadingPlace) -> PostingsPage:
        texts = [] if place.since_us is not None else self._texts.get(place.source, [])
        mine = range(place.segment.index, len(texts), place.segment.of)
        start = int(place.start or 0)
        end = start + PAGES.get(place.source, 1)
        rows = (checked_row(place.source, json.loads(texts[index])) for index in mine[start:end])
        found = [row for row in rows if row is not None]
        return PostingsPage(found, str(end) if end < len(mine) else None)

    def balances(self, segment: Segment) -> Pages:
        raise NotImplementedError

    traders = balances

    def counts(self) -> Iterator[int]:
        yield from map(len, self._texts.values())


def main(orders: int) -> None:
    written = Written(orders)
    reading = Reading(written, lambda: LATER_US, lambda _: None)
    before, begun = resource.getrusage(resource.RUSAGE_SELF), time.process_time()
    run = check_ledger(reading, SystemChance())
    seconds = time.process_time() - begun
    megabytes = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before.ru_maxrss) / 1024
    stored = len(zlib.compress(json.dumps(run.dump()).encode()))
    counts = " and ".join(map(str, written.counts()))
    sys.stdout.write(
        f"orders and postings: {counts}; CPU {seconds:.1f} s, memory +{megabytes:.0f} MB, "
        f"stored run {stored} bytes\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 25_000)
