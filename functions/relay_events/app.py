"""Relay the Orders table's stream: events for merchants to the queue of callbacks.

Notifications for traders go to the queue of pushes, after the callbacks of the batch.
"""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.callbacks import CallbackStore
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.orders.stream import stream_record
from orderdesk.adapters.dynamodb.traders.devices import PushDevices
from orderdesk.adapters.queues import CallbackQueues, PushQueue, sqs_client
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.callbacks.events import CallbackEvent
from orderdesk.services.callbacks.relay import (
    BATCH_MOST,
    PushRelayPorts,
    RelayedPushes,
    RelayPorts,
    relay,
    relay_pushes,
)
from orderdesk.settings import Settings
from orderdesk.web.merchant.views import callback_data
from orderdesk.wiring.jobs import count, reporter


class RelaySettings(Settings):
    """Settings of the relay: its queues, the records of callbacks, the table of push devices."""

    callbacks_table: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    callbacks_queue_url: str = Field(min_length=1)
    relay_failures_queue_url: str = Field(min_length=1)
    pushes_queue_url: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)


logger = Logger(use_rfc3339=True)
metrics = Metrics()
settings = RelaySettings.read(os.environ)
session = Session()
sqs = sqs_client(session)
dynamodb = dynamodb_client(session)
pool = ThreadPoolExecutor(BATCH_MOST)


deliveries = CallbackStore(dynamodb, settings.callbacks_table, settings.callback_retention_days)


def record(events: Sequence[CallbackEvent]) -> None:
    """Record a batch's events concurrently."""
    list(pool.map(deliveries.record, events))


ports = RelayPorts(
    record=record,
    queue=CallbackQueues(sqs, settings.callbacks_queue_url, settings.relay_failures_queue_url),
    data_of=callback_data,
    report=reporter(logger),
)
push_ports = PushRelayPorts(
    devices=PushDevices(dynamodb, settings.guards_table, SystemChance()).devices_of_all,
    send=PushQueue(sqs, settings.pushes_queue_url).send,
    report=reporter(logger),
)


class RelayStopped(Exception):
    """An event of a batch was not sent, so Lambda must deliver the whole batch again."""


cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> None:
    """Relay a batch: first its callbacks, then its pushes.

    Raises: RelayStopped. Lambda then retries the batch in halves. A partial batch response would
    save a few messages, but the emulator ignores it and loses the rest of the batch.
    """
    records = [stream_record(record) for record in event["Records"]]
    relayed = relay(records, ports)
    is_over = relayed.stopped_at is None
    pushes = relay_pushes(records, push_ports) if is_over else RelayedPushes()
    logger.info(
        "relayed", extra={"webhook_ids": relayed.webhook_ids, "stopped_at": relayed.stopped_at}
    )
    counts = {
        "callbacks_relayed": len(relayed.webhook_ids),
        "records_set_aside": relayed.set_aside,
        "pushes_relayed": pushes.sent,
        "pushes_lost": int(pushes.failed),
    }
    count(metrics, counts)
    if not is_over:
        raise RelayStopped
