"""Process the queue of pushes: each message notifies one device, or waits for a retry."""

from orderdesk import cold_start

# isort: split
import os
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.callback_http.sender import CallbackSender
from orderdesk.adapters.callback_http.wire import Limits
from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.traders.desk import DeskTraders
from orderdesk.adapters.dynamodb.traders.devices import PushDevices
from orderdesk.adapters.queues import PushQueue, sqs_client
from orderdesk.adapters.system import SystemChance, pause_ms
from orderdesk.adapters.vapid_key import KmsVapidKey
from orderdesk.domain.pushes.devices import ENDPOINT_LENGTH_MAX
from orderdesk.services.pushes.devices import DevicePorts
from orderdesk.services.pushes.send import PushDone, PushMessage, PushOutcome, SendPorts, send_push
from orderdesk.settings import Settings
from orderdesk.wiring.jobs import count, reporter

# The size of a batch, so a hanging push service delays no other message of its batch.
WORKERS = 10
# Push services respond much faster; the queue retries.
LIMITS = Limits(whole_seconds=5, lookup_seconds=2, connect_seconds=2)


class PushSettings(Settings):
    """Settings of sending pushes; `push_subject` is our contact for push services."""

    guards_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    pushes_queue_url: str = Field(min_length=1)
    push_key_arn: str = Field(min_length=1)
    push_subject: str = Field(min_length=1)
    allow_local_targets: bool


logger = Logger(use_rfc3339=True)
metrics = Metrics()
settings = PushSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
sqs = sqs_client(session)
chance = SystemChance()
pool = ThreadPoolExecutor(WORKERS)
key = KmsVapidKey(session, settings.push_key_arn, settings.push_subject)


def now() -> int:
    """Return the time in Unix seconds."""
    return int(time.time())


ports = SendPorts(
    devices=DevicePorts(PushDevices(dynamodb, settings.guards_table), chance, pause_ms),
    traders=DeskTraders(dynamodb, settings.tables),
    sender=CallbackSender(
        allow_loopback=settings.allow_local_targets,
        limits=LIMITS,
        url_length_max=ENDPOINT_LENGTH_MAX,
    ),
    hide=PushQueue(sqs, settings.pushes_queue_url).hide,
    authorization=key.authorization,
    now=now,
    report=reporter(logger),
    allow_loopback=settings.allow_local_targets,
)
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, list[dict[str, str]]]:
    """Process a batch concurrently; return the messages that stay on the queue."""
    records = event["Records"]
    done = list(pool.map(visit_of, records))
    tally = Counter(each.outcome for each in done)
    counts = {outcome.value: tally[outcome] for outcome in PushOutcome}
    count(metrics, counts, "pushes_")
    logger.info("visited", extra=counts)
    kept = (
        record["messageId"]
        for record, each in zip(records, done, strict=True)
        if each.keeps_message
    )
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in kept]}


def visit_of(record: Mapping[str, Any]) -> PushDone:
    """Process one message."""
    received_count = int(record["attributes"]["ApproximateReceiveCount"])
    return send_push(PushMessage(record["receiptHandle"], record["body"], received_count), ports)
