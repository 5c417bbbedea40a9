"""Measure operators' reads on the running local stack, with 10,000 more completed orders of today.

`python -m tools.read_cost [ORDERS]` needs `make run`. It prints the CPU and elapsed time of each
command as an operator runs it.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime

import boto3

from local.places import REPOSITORY, WORK
from local.running import running_stack
from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.domain.times import DAY_OFFSET_SECONDS
from tests.support.aged_books import completed, write_completed

ORDERS_A_SECOND = 10


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
    times = ((number, now - number // ORDERS_A_SECOND) for number in range(count))
    orders = [completed(merchant_id, trader_id, at, number) for number, at in times]
    names = {name: outputs[f"{name.title()}TableName"] for name in ("orders", "ledger", "traders")}
    write_completed(client, TableNames(**names), orders)
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
