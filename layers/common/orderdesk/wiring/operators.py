"""The ports of operators' commands with their adapters, each created on first use."""

from functools import cached_property
from typing import TYPE_CHECKING

from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.services.operator.actions import Operator

if TYPE_CHECKING:
    from botocore.session import Session
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.adapters.dynamodb.audit import AuditStore
    from orderdesk.adapters.dynamodb.operator.day_scan import DynamoDayScan
    from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan
    from orderdesk.adapters.dynamodb.operator.merchants import OperatorMerchants
    from orderdesk.adapters.iam import CallerRights
    from orderdesk.domain.operators import Caller
    from orderdesk.services.operator.ledger import CheckPorts
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

    @cached_property
    def audit(self) -> "AuditStore":
        from orderdesk.adapters.dynamodb.audit import AuditStore

        return AuditStore(self._clients.dynamodb, self._settings.tables.audit)

    @property
    def rates(self) -> "OperatorMerchants":
        return self.merchants

    @cached_property
    def ledger_scan(self) -> "DynamoLedgerScan":
        from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan, scan_client

        return DynamoLedgerScan(scan_client(self._clients.session), self._settings.tables)

    @cached_property
    def ledger_check(self) -> "CheckPorts":
        from orderdesk.adapters.dynamodb.operator.check_runs import CheckRunStore
        from orderdesk.services.operator.ledger import CheckPorts

        operator, tables = self.operator, self._settings.tables
        runs = CheckRunStore(self._clients.dynamodb, tables.guards, operator.chance, operator.now)
        clock = (operator.now_us, operator.pause_ms)
        return CheckPorts(self.ledger_scan, runs, operator.chance, *clock)

    @cached_property
    def day_scan(self) -> "DynamoDayScan":
        from orderdesk.adapters.dynamodb.operator.day_scan import DynamoDayScan
        from orderdesk.adapters.dynamodb.operator.ledger_scan import scan_client

        return DynamoDayScan(scan_client(self._clients.session), self._settings.tables)
