"""Process the queue of callbacks: each message is one delivery attempt, now or when it is due.

Every minute the schedule invokes the function without messages; it then queues due deliveries.
"""

from orderdesk import cold_start

# isort: split
import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics, MetricUnit
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.callback_http.sender import CallbackSender
from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.adapters.dynamodb.callback_lanes import LaneStore, SharedLanes
from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.queues import CallbackMessages, sqs_client
from orderdesk.adapters.system import SystemChance
from orderdesk.services.callbacks.deliver import Done, Outcome, deliver
from orderdesk.services.callbacks.endpoints import DeliveryPorts
from orderdesk.services.callbacks.sweep import (
    CallbackSweepPorts,
    DueDelivery,
    Swept,
    sweep_callbacks,
)
from orderdesk.settings import Settings
from orderdesk.wiring.jobs import LambdaContext, count, has_time, reporter
from orderdesk.wiring.ports import merchant_directory

# The size of a batch, so a hanging endpoint delays no other message of its batch.
WORKERS = 10
# The longest time of a page of the sweep, in ms; none is started with less time left.
RESERVE_MS = 10_000


class DeliverySettings(Settings):
    """Settings of the delivery of callbacks."""

    merchants_table: str = Field(min_length=1)
    callbacks_table: str = Field(min_length=1)
    secrets_key_arn: str = Field(min_length=1)
    cache_seconds: int = Field(ge=0)
    callbacks_queue_url: str = Field(min_length=1)
    callbacks_dead_letter_queue_url: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    callback_lanes: int = Field(ge=1)
    allow_local_targets: bool
    # Only tests set this, on a deployed function; it is not in the template.
    callback_speedup: int = Field(default=1, ge=1)


logger = Logger(use_rfc3339=True)
metrics = Metrics()
settings = DeliverySettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
kms = KmsSecrets(session, settings.secrets_key_arn)
sqs = sqs_client(session)
chance = SystemChance()
pool = ThreadPoolExecutor(WORKERS)
directory = merchant_directory(kms, dynamodb, settings.merchants_table, settings.cache_seconds)


def now_ms() -> int:
    """Return the time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


store = CallbackStore(dynamodb, settings.callbacks_table, settings.callback_retention_days)
report = reporter(logger)
endpoints = EndpointStore(
    dynamodb, settings.callbacks_table, settings.callback_retention_days, report
)
ports = DeliveryPorts(
    deliveries=store,
    endpoints=endpoints,
    merchants=directory,
    lanes=SharedLanes(
        LaneStore(dynamodb, settings.callbacks_table, settings.callback_lanes, chance), now_ms
    ),
    sender=CallbackSender(allow_loopback=settings.allow_local_targets),
    messages=CallbackMessages(
        sqs, settings.callbacks_queue_url, settings.callbacks_dead_letter_queue_url
    ),
    chance=chance,
    now_ms=now_ms,
    report=report,
    speedup=settings.callback_speedup,
)


def run_all(sweep_one: Any, page: Sequence[DueDelivery]) -> Iterable[Swept]:
    """Queue a page's deliveries concurrently."""
    return pool.map(sweep_one, page)


sweep_ports = CallbackSweepPorts(store, endpoints, directory, ports.messages, run_all, report)
cold_start.over()


def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, list[dict[str, str]]]:
    """Process a batch concurrently; return the messages that stay on the queue.

    An event of the schedule has no records.
    """
    records = event.get("Records")
    if records is None:
        sweep(context)
        return {"batchItemFailures": []}
    done = list(pool.map(visit_of, records))
    report_on(done)
    kept = (
        record["messageId"]
        for record, each in zip(records, done, strict=True)
        if each.keeps_message
    )
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in kept]}


def visit_of(record: Mapping[str, Any]) -> Done:
    """Process one message."""
    return deliver(record["body"], ports)


def sweep(context: LambdaContext) -> None:
    """Queue the deliveries that are due outside the queue; write the results as metrics."""
    tally = sweep_callbacks(sweep_ports, now_ms(), has_time(context, RESERVE_MS))
    counts = {each.value: tally[each] for each in Swept}
    count(metrics, counts, "callbacks_swept_")
    logger.info("swept", extra=counts)


def report_on(done: Sequence[Done]) -> None:
    """Write the results of a batch as metrics and one log line."""
    tally = Counter(each.outcome for each in done)
    counts = {outcome.value: tally[outcome] for outcome in Outcome}
    counts["attempts"] = sum(each.attempted for each in done)
    for age in (each.age_seconds for each in done if each.age_seconds is not None):
        metrics.add_metric(name="callback_age", unit=MetricUnit.Seconds, value=age)
    count(metrics, counts, "callbacks_")
    logger.info("visited", extra=counts)
