"""Every minute: settle expired drafts and proposals, due orders, abandoned verifications."""

from orderdesk import cold_start

# isort: split
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.orders.drafts import DraftStore, DueEntries
from orderdesk.adapters.dynamodb.proposals import ProposalStore
from orderdesk.services.expire_proposals import Ended, ExpiryPorts, ProposalSweep
from orderdesk.services.orders.sweep import Due, Settled, SweepPorts, sweep
from orderdesk.settings import Settings
from orderdesk.wiring.jobs import LambdaContext, count, has_time, reporter
from orderdesk.wiring.ports import move_ports

# A settlement waits for two requests; eight concurrent ones keep one vCPU busy.
WORKERS = 8
# The longest time of a page of settlements, in ms; none is started with less time left.
RESERVE_MS = 15_000


class SweepSettings(Settings):
    """Settings of the sweep."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)


logger = Logger(use_rfc3339=True)
metrics = Metrics()
settings = SweepSettings.read(os.environ)
dynamodb = dynamodb_client(Session())
pool = ThreadPoolExecutor(WORKERS)


def run_all(settle: Any, page: Sequence[Due]) -> Iterable[Settled]:
    """Settle a page's entries concurrently."""
    return pool.map(settle, page)


ports = SweepPorts(
    index=DueEntries(dynamodb, settings.orders_table),
    drafts=DraftStore(dynamodb, settings.tables),
    moves=move_ports(dynamodb, settings.tables),
    run_all=run_all,
    report=reporter(logger),
)
expiry = ProposalSweep(
    ExpiryPorts(
        proposals=ProposalStore(dynamodb, settings.tables),
        chance=ports.moves.chance,
        pause_ms=ports.moves.pause_ms,
        report=ports.report,
    )
)
cold_start.over()


def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, int]:
    """Sweep in bounded pages; the next run continues."""
    now, more = int(time.time()), has_time(context, RESERVE_MS)
    try:
        ended = expiry.run(now, more)
    finally:
        tally = sweep(ports, now, more)
    counts = {
        **{outcome.value: tally[outcome] for outcome in Settled},
        **{outcome.value: ended[outcome] for outcome in Ended},
    }
    count(metrics, counts)
    logger.info("swept", extra=counts)
    return counts
