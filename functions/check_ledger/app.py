"""Every night prove the ledger, in as many invocations as it takes; count merchants' days."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics
from botocore.session import Session

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.day_figures import MerchantDayStore
from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan, scan_client
from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders
from orderdesk.adapters.dynamodb.operator.runs import RunStore
from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ledger.check_run import night_of
from orderdesk.domain.orders.open_orders import UnpaidBuys
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.ledger import CheckPorts, nightly_part
from orderdesk.services.operator.report import count_days
from orderdesk.settings.schedules import CheckSettings
from orderdesk.wiring.jobs import LambdaContext, count, has_time

# Enough for the pages under way, the end of a reading, and to store the run.
RESERVE_MS = 60_000
# Each is logged; the rest is counted. `orderdesk ledger check` lists more.
LOGGED_MAX = 100

logger = Logger(use_rfc3339=True)
metrics = Metrics()
settings = CheckSettings.read(os.environ)
session = Session()
chance = SystemChance()
ports = CheckPorts(
    scan=DynamoLedgerScan(scan_client(session), settings.tables),
    runs=RunStore(
        dynamodb_client(session),
        settings.guards_table,
        "nightly",
        chance,
        lambda: now_us() // US_PER_SECOND,
    ),
    chance=chance,
    now_us=now_us,
    pause_ms=pause_ms,
)
client = dynamodb_client(session)
facts = OperatorOrders(client, settings.orders_table)
merchant_days = MerchantDayStore(client, settings.guards_table)
cold_start.over()


def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, int]:
    """Read on while there is time; the next invocation of the night continues."""
    checked = check(context)
    try:
        now = now_us() // US_PER_SECOND
        days = count_days(facts, merchant_days, now, has_time(context, RESERVE_MS))
        logger.info("counted", extra={"days": [day.isoformat() for day in days]})
    except TryAgain:
        logger.warning("not_counted")  # the next invocation counts
    return checked


def check(context: LambdaContext) -> dict[str, int]:
    """Read on in the night's check; report it once it is finished."""
    night = night_of(now_us() // US_PER_SECOND)
    run, is_finished = nightly_part(ports, night, has_time(context, RESERVE_MS))
    if not is_finished:
        logger.info("read", extra={"rows": run.rows, "reading": run.number, "done": run.is_done})
        return {}
    for finding in run.found[:LOGGED_MAX]:
        logger.error(
            "finding",
            extra={
                "kind": finding.kind.value,
                "key": finding.key,
                "order_no": finding.order_no,
                "proposal_no": finding.proposal_no,
                "account": finding.account,
            },
        )
    counts = {
        "unpaid_percent": _unpaid_percent(run.most_unpaid()),
        "findings": len(run.found) + run.more,
        "moving": len(run.moving),
        "finished": 1,
    }
    count(metrics, counts, "ledger_")
    logger.info("checked", extra=counts)
    return counts


def _unpaid_percent(most: tuple[str, UnpaidBuys] | None) -> int:
    """Log the merchant with the largest share of unpaid buys, and return this share in percent."""
    if most is None or most[1].percent is None:
        return 0
    merchant_id, buys = most
    extra = {"merchant_id": merchant_id, "ended": buys.ended, "unpaid": buys.unpaid}
    logger.info("most_unpaid", extra=extra)
    return most[1].percent
