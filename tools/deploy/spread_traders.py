"""Spread the traders over all rotation keys: `python -m tools.deploy.spread_traders STACK`.

After `RotationShards` was raised, traders stay on their keys (docs/runbook.md). Afterwards each key
of a mode has as many traders as the others, or one more. It may run at any time and again: a trader
that changes at that moment is left to the next run. Exit code 1 if one was left.
"""

import sys
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.client import dynamodb_client, scan_pages
from orderdesk.adapters.dynamodb.marshal import Item, from_item
from orderdesk.adapters.dynamodb.traders.items import trader_item, trader_of
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.services.ports import Chance
from orderdesk_cli.api import StackUnavailable
from orderdesk_cli.stacks import Installation, session_from_environment

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.domain.pricing import Mode


def main(stack_name: str) -> int:
    session = session_from_environment()
    try:
        stack = Installation(session, stack_name).stack
        table, shards = stack.output("TradersTableName"), int(stack.parameters["RotationShards"])
    except StackUnavailable as error:
        print(f"spread_traders: {error}", file=sys.stderr)
        return 1
    done, left = spread_traders(dynamodb_client(session), table, shards, SystemChance())
    print(f"{done} traders moved, {left} left to the next run")
    return 1 if left else 0


def spread_traders(
    client: "DynamoDBClient", table: str, shards: int, chance: Chance
) -> tuple[int, int]:
    """Return how many traders were moved, and how many changed meanwhile. Raises: TryAgain."""
    rows: dict[Mode, list[Item]] = defaultdict(list)
    scan = {
        "TableName": table,
        "ConsistentRead": True,
        "FilterExpression": "attribute_exists(available_micro)",  # no reserved amounts
    }
    for page in scan_pages(client, scan):
        for row in map(from_item, page):
            rows[trader_of(row).mode].append(row)
    done = left = 0
    for of_mode in rows.values():
        of_mode.sort(key=lambda row: str(row["trader_id"]))
        for number, row in enumerate(of_mode):
            if row["shard"] == number % shards:
                continue
            is_done = _moved(client, table, row, number % shards, chance)
            done, left = done + is_done, left + (not is_done)
    return done, left


def _moved(client: "DynamoDBClient", table: str, row: Item, shard: int, chance: Chance) -> bool:
    """Move a trader to another key; return False if it changed meanwhile.

    The new version makes claims and changes fail that read the trader before.
    """
    before = trader_of(row)
    assert isinstance(row["shard"], int)
    old = trader_item(before, row["shard"])
    new = trader_item(replace(before, version=before.version + 1), shard)
    try:
        transact(client, [Write.change(table, "trader_id", old, new)], chance.token())
    except ChangedMeanwhile:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
