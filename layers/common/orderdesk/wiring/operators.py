"""The ports of operators' commands with their adapters, each created on first use."""

from functools import cached_property
from typing import TYPE_CHECKING

from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.services.operator.actions import Operator

if TYPE_CHECKING:
    from botocore.session import Session
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.adapters.dynamodb.operator.merchants import OperatorMerchants
    from orderdesk.adapters.iam import CallerRights
    from orderdesk.domain.operators import Caller
    from orderdesk.settings.operators import OperatorSettings


class AwsClients:
    """The clients of a container, which all its requests share."""

    def __init__(self, session: "Session") -> None:
        self.session = session

    @cached_property
    def dynamodb(self) -> "DynamoDBClient":
        """The client of all tables."""
        from orderdesk.adapters.dynamodb.client import dynamodb_client

        return dynamodb_client(self.session)


class OperatorAdapters:
    """The adapters for one request; a command imports only those that it uses."""

    def __init__(
        self, clients: AwsClients, settings: "OperatorSettings", caller: "Caller", stage_arn: str
    ) -> None:
        self._clients = clients
        self._settings = settings
        self._stage_arn = stage_arn
        self.caller = caller
        self.operator = Operator(caller.person, SystemChance(), now_us, pause_ms)

    @cached_property
    def rights(self) -> "CallerRights":
        from orderdesk.adapters.iam import CallerRights

        return CallerRights(
            self._clients.session,
            self.caller.arn,
            self._stage_arn,
            emulated=bool(self._settings.aws_endpoint_url),
        )

    @cached_property
    def merchants(self) -> "OperatorMerchants":
        from orderdesk.adapters.dynamodb.operator.merchants import OperatorMerchants

        return OperatorMerchants(self._clients.dynamodb, self._settings.tables)

    @property
    def rates(self) -> "OperatorMerchants":
        return self.merchants
