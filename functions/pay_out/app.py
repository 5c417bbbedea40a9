"""Every minute: pay out what two people approved and a seal of the books proves."""

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
from orderdesk.adapters.dynamodb.operator.funds import PayoutStore
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.domain.ledger.seals import BrokenSeal
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.payouts import Paid, PayoutPorts, pay_approved
from orderdesk.wiring.jobs import LambdaContext, count, has_time, reporter
from orderdesk.wiring.seals import SealsSettings, seal_files

# A schedule runs at most once a minute, so where seals are closer together, one invocation looks
# again until the next one.
LOOKS_US = 50 * US_PER_SECOND
RESERVE_MS = 15_000
PAUSE_MS = 2_000


class PayOutSettings(SealsSettings):
    """Settings of paying out what was approved."""

    secrets_key_arn: str = Field(min_length=1)


logger = Logger(use_rfc3339=True)
metrics = Metrics()
settings = PayOutSettings.read(os.environ)
session = Session()
client = dynamodb_client(session)
ports = PayoutPorts(
    PayoutStore(client, settings.tables),
    seal_files(session, client, settings),
    KmsSecrets(session, settings.secrets_key_arn),
    SystemChance(),
    now_us,
    pause_ms,
    reporter(logger),
)
cold_start.over()


def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, int]:
    """Pay what can be paid, and look again where seals are close together."""
    in_time, until_us = has_time(context, RESERVE_MS), now_us() + LOOKS_US
    looks_again = settings.seal_seconds * 2 * US_PER_SECOND < LOOKS_US
    paid = 0
    while True:
        try:
            tally = pay_approved(ports, in_time)
        except BrokenSeal as broken:
            logger.exception("broken_seal", extra={"end": broken.end, "problem": broken.problem})
            return {"paid": paid}
        paid += tally[Paid.PAID]
        if tally:
            counts = {each.value: tally[each] for each in Paid}
            count(metrics, counts)
            logger.info("looked", extra=counts)
        if not (looks_again and in_time() and now_us() < until_us):
            return {"paid": paid}
        pause_ms(PAUSE_MS)
