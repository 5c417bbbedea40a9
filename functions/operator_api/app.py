"""The operators' API (contract section 11): one function for all commands."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.domain.operators import Caller
from orderdesk.services.operator.actions import RequestKey
from orderdesk.web.operator.declare import OperatorPorts
from orderdesk.web.operator.endpoint import Access, Stage, answer
from orderdesk.wiring.operators import AwsClients, OperatorAdapters, OperatorSettings

logger = Logger(use_rfc3339=True)
settings = OperatorSettings.read(os.environ)
clients = AwsClients(Session(), emulated=settings.emulated)


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle one API Gateway event."""
    return answer(event, logger, access)


def ports_of(caller: Caller, key: RequestKey | None, stage: Stage) -> OperatorPorts:
    """Return the ports of a command for its caller."""
    partition = caller.arn.split(":")[1]
    region = os.environ["AWS_REGION"]
    arn = f"arn:{partition}:execute-api:{region}:{stage.account}:{stage.api_id}/{stage.name}"
    return OperatorAdapters(clients, settings, caller, key, arn)


access = Access(settings.role_patterns, settings.allow_local_targets, ports_of)
cold_start.over()
