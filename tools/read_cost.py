"""Measure operators' reads on the running local stack, with 10,000 more completed orders of today.

`python -m tools.read_cost [ORDERS]` needs `make run`. It prints the CPU and elapsed time of each
command as an operator runs it.
"""

import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import boto3

from local.places import REPOSITORY, WORK
from local.running import running_stack
from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.adapters.dynamodb.ledger import balance_place, posting_item
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.ids import RANDOM_BITS, numbered, time_ordered_id
from orderdesk.domain.ledger.accounts import Account, Transfer
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.orders.order import Order, TimelineEntry
from orderdesk.domain.traders.trader import DAY_OFFSET_SECONDS
from tools.check_cost import completed

BATCH = 25  # items in one BatchWriteItem
ORDERS_A_SECOND = 10


def orders_until(now: int, count: int, merchant_id: str, trader_id: str) -> Iterator[Order]:
    """Yield completed buys of a merchant and trader, the newest at `now` (Unix seconds)."""
    for number in range(count):
        then = now - number // ORDERS_A_SECOND
        order_id = time_ordered_id(then * 1000, number % (1 << RANDOM_BITS))
        order = completed(number)
        timeline = tuple(TimelineEntry(each.status, then) for each in order.timeline)
        yield replace(
            order,
            order_no=numbered("B", order_id, then),
            order_id=order_id,
            merchant_id=merchant_id,
            trader_id=trader_id,
            merchant_order_no=f"cost-{order_id}",
            createtime=then,
            timeline=timeline,
        )


def write(client: Any, table: str, items: Iterable[Mapping[str, Any]]) -> None:
    """Write items, `BATCH` at a time."""
    puts = [{"PutRequest": {"Item": item}} for item in items]
    for start in range(0, len(puts), BATCH):
        left = {table: puts[start : start + BATCH]}
        while left:
            left = client.batch_write_item(RequestItems=left)["UnprocessedItems"]


def credit(client: Any, tables: TableNames, transfers: Iterable[Transfer]) -> None:
    """Add the transfers to the balances; otherwise a report reads everything three times."""
    sums: Counter[Account] = Counter()
    for posting in (each for transfer in transfers for each in transfer.postings):
        sums[posting.account] += posting.amount_micro
    for account, amount_micro in sums.items():
        table, key = balance_place(tables, account)
        client.update_item(
            TableName=table,
            Key=to_item(key),
            UpdateExpression="ADD available_micro :amount, held_micro :zero",
            ExpressionAttributeValues=to_item({":amount": amount_micro, ":zero": 0}),
        )


def measured(words: list[str], environment: Mapping[str, str]) -> str:
    """Run a command of orderdesk; return its CPU and elapsed seconds."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [str(REPOSITORY / ".venv/bin/orderdesk"), *words]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)  # noqa: S603 our command
    elapsed, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"exit {done.returncode}, CPU {cpu:.2f} s, {elapsed:.2f} s"


def main(count: int) -> None:
    """Write the orders, then measure each command three times."""
    stack = running_stack(WORK)
    session = boto3.Session("test", "test", region_name=stack["region"])
    client = session.client("dynamodb", endpoint_url=stack["endpoint_url"])
    outputs, demo, now = stack["outputs"], stack["demo"], int(time.time())
    merchant_id, trader_id = demo["merchant"]["merchant_id"], demo["traders"][0]["trader_id"]
    orders = list(orders_until(now, count, merchant_id, trader_id))
    write(client, outputs["OrdersTableName"], (to_item(order_item(each)) for each in orders))
    transfers = [settlement(order, order.createtime) for order in orders]
    postings = (to_item(posting_item(each, one)) for each in transfers for one in each.postings)
    write(client, outputs["LedgerTableName"], postings)
    tables = TableNames(traders=outputs["TradersTableName"], ledger=outputs["LedgerTableName"])
    credit(client, tables, transfers)
    today = datetime.fromtimestamp(now + DAY_OFFSET_SECONDS, UTC).date().isoformat()
    environment = {
        **os.environ,
        "AWS_ENDPOINT_URL": stack["endpoint_url"],
        "AWS_DEFAULT_REGION": stack["region"],
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
    }
    for words in (
        ["order", "list", "--limit", "50"],
        ["order", "show", orders[count // 2].order_no],
        ["report", today, "--json"],
    ):
        for _ in range(3):
            sys.stdout.write(f"{' '.join(words)}: {measured(words, environment)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10_000)
