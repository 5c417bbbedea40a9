"""Every minute: drafts past their life, orders past their pay window, attempts that hang."""

from orderdesk import cold_start

# isort: split
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics, MetricUnit
from botocore.session import Session

from orderdesk.adapters.chance import SystemChance
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.orders.drafts import DraftStore, DueEntries
from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
from orderdesk.services.orders.move import MovePorts
from orderdesk.services.orders.sweep import Due, Settled, SweepPorts, sweep
from orderdesk.settings.schedules import SweepSettings
from orderdesk.web.logs import log_unexpected

# A settlement is two requests that wait; eight at once keep one vCPU and the connections busy.
WORKERS = 8
# What a page of settlements may take at worst; the sweep begins none with less time left.
RESERVE_MS = 15_000

logger = Logger()
metrics = Metrics(namespace="orderdesk")
settings = SweepSettings.read(os.environ)
dynamodb = dynamodb_client(Session())
pool = ThreadPoolExecutor(WORKERS)


class LambdaContext(Protocol):
    """What the sweep asks of Lambda's context."""

    def get_remaining_time_in_millis(self) -> int:
        """Tell how long this invocation may still run."""


def run_all(settle: Any, page: Sequence[Due]) -> Iterable[Settled]:
    """Settle a page's entries concurrently."""
    return pool.map(settle, page)


ports = SweepPorts(
    index=DueEntries(dynamodb, settings.orders_table),
    drafts=DraftStore(dynamodb, settings.tables),
    moves=MovePorts(
        moves=OrderMoveStore(dynamodb, settings.tables),
        chance=SystemChance(),
        pause_ms=lambda pause_ms: time.sleep(pause_ms / 1000),
    ),
    run_all=run_all,
    report=lambda error: log_unexpected(logger, error),
)
cold_start.over()


def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, int]:
    """Sweep once, in bounded pages; what is left over is the next minute's."""
    tally = sweep(
        ports, int(time.time()), lambda: context.get_remaining_time_in_millis() > RESERVE_MS
    )
    counts = {outcome.value: tally[outcome] for outcome in Settled}
    for name, count in counts.items():
        metrics.add_metric(name=name, unit=MetricUnit.Count, value=count)
    metrics.flush_metrics()
    logger.info("swept", extra=counts)
    return counts
