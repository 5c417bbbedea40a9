"""Seal the books when a window is over, and prove a sealed day again once a day."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.operator.books import DynamoBooks
from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan
from orderdesk.adapters.dynamodb.portal import MerchantDayStore
from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ledger.seals import BrokenSeal, Finding, Seal
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.ledger.reprove import ReprovePorts, prove_a_day, scan_tables
from orderdesk.services.ledger.seal import READS_AT_ONCE, SealPorts, most_unpaid, seal_next
from orderdesk.wiring.jobs import LambdaContext, count, has_time
from orderdesk.wiring.seals import SealsSettings, seal_files

# A schedule runs at most once a minute, so seals that are closer together share an invocation.
WAITS_SECONDS = 50
# The longest time of a window at the greatest rate, as the alarm says.
RESERVE_MS = 480_000
# Of the 15 minutes of a run that proves again: what is left after its first half, and at its end.
HALF_MS, END_MS = 450_000, 60_000
PAUSE_MS = 1_000
LOGGED_MAX = 100


class SealSettings(SealsSettings):
    """Settings of sealing the books."""

    orders_table: str = Field(min_length=1)
    merchants_table: str = Field(min_length=1)
    audit_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    seal_lock_days: int = Field(ge=0)


logger = Logger(use_rfc3339=True)
metrics = Metrics()
settings = SealSettings.read(os.environ)
session = Session()
client = dynamodb_client(session, connections=2 * READS_AT_ONCE)
books = DynamoBooks(client, settings.tables)
files = seal_files(session, client, settings, settings.seal_lock_days)
ports = SealPorts(books, files, lambda: now_us() // US_PER_SECOND, settings.seal_seconds)
again = ReprovePorts(books, files, DynamoLedgerScan(client, settings.tables), SystemChance())
merchant_days = MerchantDayStore(client, settings.guards_table)
cold_start.over()


def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, int]:
    """Make the seals that are due; wait for the next one if it is due within the minute.

    The daily event `{"again": true}` proves what is sealed again.
    """
    if event.get("again"):
        return prove_again(context)
    made, ends_at = 0, ports.now() + WAITS_SECONDS
    in_time = has_time(context, RESERVE_MS)
    while in_time():
        if seal():
            made += 1
        elif ports.now() + settings.seal_seconds < ends_at:
            pause_ms(PAUSE_MS)
        else:
            break
    return {"made": made}


def seal() -> bool:
    """Make one seal if one is due; return whether it was."""
    started_us = now_us()
    try:
        sealed = seal_next(ports, merchant_days.save)
    except ChangedMeanwhile:
        logger.info("sealed_meanwhile")
        return False
    except BrokenSeal as broken:
        logger.exception("broken_seal", extra={"end": broken.end, "problem": broken.problem})
        count(metrics, {"findings": 1}, "seal_")
        return False
    if sealed is None:
        return False
    for each in sealed.new[:LOGGED_MAX]:
        log_finding(each.finding, each.finding_id)
    counts = {
        "made": 1,
        "findings": len(sealed.seal.findings),
        "seconds": (now_us() - started_us) // US_PER_SECOND,
    }
    count(metrics, counts, "seal_")
    count_unpaid(sealed.seal)
    logger.info("sealed", extra={**counts, "end": sealed.seal.end})
    return True


def prove_again(context: LambdaContext) -> dict[str, int]:
    """Prove a sealed day again and scan tables; log and count what is found."""
    try:
        day = prove_a_day(again, has_time(context, HALF_MS))
        findings = [*day.findings, *scan_tables(again, has_time(context, END_MS))]
    except BrokenSeal as broken:
        logger.exception("broken_seal", extra={"end": broken.end, "problem": broken.problem})
        count(metrics, {"findings": 1}, "again_")
        return {"findings": 1}
    for finding in findings[:LOGGED_MAX]:
        log_finding(finding)
    counts = {"accounts": day.accounts, "findings": len(findings)}
    count(metrics, counts, "again_")
    logger.info("proved_again", extra={**counts, "end": day.end})
    return counts


def log_finding(finding: Finding, finding_id: str = "") -> None:
    """Log a finding; one that no seal has cannot be acknowledged and has no id."""
    names = {"finding_id": finding_id, "kind": finding.kind.value, "key": finding.key}
    others = ("order_no", "proposal_no", "account", "problem")
    logger.error("finding", extra=names | {name: getattr(finding, name) for name in others})


def count_unpaid(seal: Seal) -> None:
    """Log the merchant with the largest share of unpaid buys of the day, and count the share."""
    most = most_unpaid(seal)
    if most is not None:
        merchant_id, buys = most
        extra = {"merchant_id": merchant_id, "ended": buys.ended, "unpaid": buys.unpaid}
        logger.info("most_unpaid", extra=extra)
        count(metrics, {"unpaid_percent": buys.percent or 0}, "merchants_")
