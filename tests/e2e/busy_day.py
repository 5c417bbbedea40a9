"""A day of thousands of orders: one simulated day, and copies of its items with other owners."""

import base64
import json
import re
from collections.abc import Iterator, Sequence
from itertools import batched
from typing import Any

from orderdesk.adapters.dynamodb.keys import BALANCE_SORT_KEY, POSTING_PREFIX
from tests.support.money_world import MoneyWorld
from tests.support.seed import Seed

WRITTEN_AT_ONCE = 25  # BatchWriteItem's limit


def copy_day(money: MoneyWorld, copies: int) -> None:
    """Add copies of a world's traders, orders and ledger, each with its own owners and numbers.

    The items of accounts that all owners share are multiplied instead.
    """
    seed, tables = money.seed, money.seed.tables
    rows = {
        table: [item for page in _pages(seed, table) for item in page]
        for table in (tables.traders, tables.orders, tables.ledger)
    }
    names = [merchant.merchant_id for merchant in money.merchants]
    names += [trader.trader_id for trader in money.traders]
    names += [item["pk"]["S"] for item in rows[tables.orders] if item["kind"]["S"] == "order"]
    shared = [item for item in rows[tables.ledger] if _is_shared(item, names)]
    for table, items in rows.items():
        own = [item for item in items if item not in shared]
        _write(seed, table, _copies(own, names, copies))
    balances = (item for item in shared if item["sk"]["S"] == BALANCE_SORT_KEY)
    _write(seed, tables.ledger, (_times(item, copies + 1) for item in balances))
    postings = [item for item in shared if item["sk"]["S"].startswith(POSTING_PREFIX)]
    for number in range(copies):
        others = ({**item, "sk": {"S": f"{item['sk']['S']}#{number}"}} for item in postings)
        _write(seed, tables.ledger, others)


def _pages(seed: Seed, table: str) -> Iterator[list[dict[str, Any]]]:
    for page in seed.client.get_paginator("scan").paginate(TableName=table):
        yield page["Items"]


def _is_shared(item: dict[str, Any], names: Sequence[str]) -> bool:
    return not any(name in item["pk"]["S"] for name in names)


def _copies(
    items: Sequence[dict[str, Any]], names: Sequence[str], copies: int
) -> Iterator[dict[str, Any]]:
    """Yield each item once for each copy, with other names in all its texts."""
    text = json.dumps(items, default=lambda binary: base64.b64encode(binary).decode())
    parts = re.split(f"({'|'.join(map(re.escape, names))})", text)
    taken = parts[1::2]
    for number in range(copies):
        parts[1::2] = (f"{name}{number:03d}" for name in taken)
        yield from json.loads("".join(parts), object_hook=_with_binaries)


def _with_binaries(value: dict[str, Any]) -> dict[str, Any]:
    return {"B": base64.b64decode(value["B"])} if "B" in value else value


def _times(item: dict[str, Any], times: int) -> dict[str, Any]:
    amounts: dict[str, Any] = {
        name: {"N": str(int(item[name]["N"]) * times)}
        for name in ("available_micro", "held_micro")
        if name in item
    }
    return {**item, **amounts}


def _write(seed: Seed, table: str, items: Iterator[dict[str, Any]]) -> None:
    for batch in batched(items, WRITTEN_AT_ONCE, strict=False):
        requests: Any = [{"PutRequest": {"Item": item}} for item in batch]
        answer = seed.client.batch_write_item(RequestItems={table: requests})
        assert not answer["UnprocessedItems"]
