"""Every minute: assign waiting sells to the next traders in rotation."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.orders.reads import OrderStore, WaitingSellIndex
from orderdesk.adapters.dynamodb.traders.items import ShardedRotation
from orderdesk.adapters.system import SystemChance, now_us
from orderdesk.services.orders.assign_sells import AssignPorts, Offered, assign_waiting
from orderdesk.settings import Settings
from orderdesk.wiring.jobs import LambdaContext, count, has_time, reporter
from orderdesk.wiring.ports import move_ports

# Concurrent transactions; at 15 ms each, they keep the one vCPU busy.
WORKERS = 16
# The longest time of a wave or one assignment, in ms; none is started with less time left.
RESERVE_MS = 15_000


class AssignSettings(Settings):
    """Settings of the assigner."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    rotation_shards: int = Field(ge=1)
    assignment_seconds: int = Field(gt=0)
    assign_after_seconds: int = Field(ge=0)


logger = Logger(use_rfc3339=True)
metrics = Metrics()
settings = AssignSettings.read(os.environ)
dynamodb = dynamodb_client(Session(), connections=WORKERS)
pool = ThreadPoolExecutor(WORKERS)
chance = SystemChance()
ports = AssignPorts(
    waiting=WaitingSellIndex(dynamodb, settings.orders_table).waiting,
    orders=OrderStore(dynamodb, settings.orders_table).orders,
    rotation=ShardedRotation(
        dynamodb, settings.traders_table, settings.rotation_shards, chance
    ).line,
    moves=move_ports(dynamodb, settings.tables),
    window_seconds=settings.assignment_seconds,
    run_all=pool.map,
    report=reporter(logger),
)
cold_start.over()


def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, int]:
    """Assign waiting sells in waves; the next run continues."""
    tally = assign_waiting(
        ports, now_us, has_time(context, RESERVE_MS), after_seconds=settings.assign_after_seconds
    )
    counts = {outcome.value: tally[outcome] for outcome in Offered}
    count(metrics, counts, "sells_")
    logger.info("assigned", extra=counts)
    return counts
