"""Every minute: sells that wait are offered to the next trader in rotation."""

from orderdesk import cold_start

# isort: split
import os
import time
from collections.abc import Mapping
from typing import Any, Protocol

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics, MetricUnit
from botocore.session import Session

from orderdesk.adapters.chance import SystemChance
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
from orderdesk.adapters.dynamodb.orders.reads import WaitingSellIndex
from orderdesk.adapters.dynamodb.traders.items import ShardedRotation
from orderdesk.services.orders.assign_sells import AssignPorts, Offered, assign_waiting
from orderdesk.services.orders.move import MovePorts
from orderdesk.settings.schedules import AssignSettings
from orderdesk.web.logs import log_unexpected

# What one assignment may take at worst; the assigner begins none with less time left.
RESERVE_MS = 15_000

logger = Logger()
metrics = Metrics(namespace="orderdesk")
settings = AssignSettings.read(os.environ)
dynamodb = dynamodb_client(Session())
chance = SystemChance()


class LambdaContext(Protocol):
    """What the assigner asks of Lambda's context."""

    def get_remaining_time_in_millis(self) -> int:
        """Tell how long this invocation may still run."""


ports = AssignPorts(
    waiting=WaitingSellIndex(dynamodb, settings.orders_table),
    rotation=ShardedRotation(dynamodb, settings.traders_table, settings.rotation_shards, chance),
    moves=MovePorts(
        moves=OrderMoveStore(dynamodb, settings.tables),
        chance=chance,
        pause_ms=lambda pause_ms: time.sleep(pause_ms / 1000),
    ),
    window_seconds=settings.assignment_seconds,
    report=lambda error: log_unexpected(logger, error),
)
cold_start.over()


def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, int]:
    """Offer what waits, one after the other; what is left over is the next minute's."""
    tally = assign_waiting(
        ports,
        lambda: time.time_ns() // 1000,
        lambda: context.get_remaining_time_in_millis() > RESERVE_MS,
        after_seconds=settings.assign_after_seconds,
    )
    counts = {outcome.value: tally[outcome] for outcome in Offered}
    for name, count in counts.items():
        metrics.add_metric(name=f"sells_{name}", unit=MetricUnit.Count, value=count)
    metrics.flush_metrics()
    logger.info("assigned", extra=counts)
    return counts
