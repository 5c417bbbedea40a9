"""The ports of operators' commands with their adapters, each created on first use."""

from functools import cached_property
from typing import TYPE_CHECKING

from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.services.operator.actions import Operator

if TYPE_CHECKING:
    from botocore.session import Session
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

    from orderdesk.adapters.dynamodb.audit import AuditStore
    from orderdesk.adapters.dynamodb.ledger import LedgerStore
    from orderdesk.adapters.dynamodb.ledger_statement import AccountPostings
    from orderdesk.adapters.dynamodb.operator.callbacks import OperatorCallbacks
    from orderdesk.adapters.dynamodb.operator.funds import (
        OperatorFunds,
        OperatorProposals,
        OperatorRequests,
    )
    from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan
    from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders, OperatorReads
    from orderdesk.adapters.dynamodb.operator.parties import OperatorMerchants, OperatorTraders
    from orderdesk.adapters.dynamodb.operator.runs import RunStore
    from orderdesk.adapters.dynamodb.operator.scans import RestoredLedger
    from orderdesk.adapters.dynamodb.orders.reads import (
        DeskOrderIndex,
        OrderStore,
        WaitingSellIndex,
    )
    from orderdesk.adapters.kms import KmsSecrets
    from orderdesk.adapters.operator import CallerRights, KeptEvidence
    from orderdesk.adapters.queues import RedeliveryQueue
    from orderdesk.domain.operators import Caller
    from orderdesk.services.operator.actions import RequestKey
    from orderdesk.services.operator.ledger import CheckPorts
    from orderdesk.services.operator.moves import OperatorMovePorts
    from orderdesk.services.operator.report import ReportPorts
    from orderdesk.settings.operators import OperatorSettings


class AwsClients:
    """The clients of a container, which all its requests share."""

    def __init__(self, session: "Session", *, emulated: bool) -> None:
        self.session = session
        self.emulated = emulated

    @cached_property
    def dynamodb(self) -> "DynamoDBClient":
        """The client of all tables."""
        from orderdesk.adapters.dynamodb.client import dynamodb_client

        return dynamodb_client(self.session)

    @cached_property
    def scanning(self) -> "DynamoDBClient":
        """The client that reads whole tables, in several threads."""
        from orderdesk.adapters.dynamodb.operator.ledger_scan import scan_client

        return scan_client(self.session)

    @cached_property
    def s3(self) -> "S3Client":
        """The client of the buckets."""
        from orderdesk.adapters.receipts import s3_client

        return s3_client(self.session, emulated=self.emulated)

    @cached_property
    def sqs(self) -> "SQSClient":
        """The client of the queues."""
        from orderdesk.adapters.queues import sqs_client

        return sqs_client(self.session)


class OperatorAdapters:
    """The adapters for one request; a command imports only those that it uses."""

    def __init__(
        self,
        clients: AwsClients,
        settings: "OperatorSettings",
        caller: "Caller",
        key: "RequestKey | None",
        stage_arn: str,
    ) -> None:
        self._clients = clients
        self._settings = settings
        self._stage_arn = stage_arn
        self.operator = Operator(caller, SystemChance(), now_us, pause_ms, key)

    @cached_property
    def rights(self) -> "CallerRights":
        from orderdesk.adapters.operator import CallerRights

        return CallerRights(
            self._clients.session,
            self.operator.caller.arn,
            self._stage_arn,
            emulated=self._clients.emulated,
        )

    @cached_property
    def merchants(self) -> "OperatorMerchants":
        from orderdesk.adapters.dynamodb.operator.parties import OperatorMerchants

        return OperatorMerchants(self._clients.dynamodb, self._settings.tables)

    @property
    def rates(self) -> "OperatorMerchants":
        return self.merchants

    @cached_property
    def vault(self) -> "KmsSecrets":
        from orderdesk.adapters.kms import KmsSecrets

        return KmsSecrets(self._clients.session, self._settings.secrets_key_arn)

    @cached_property
    def traders(self) -> "OperatorTraders":
        from orderdesk.adapters.dynamodb.operator.parties import OperatorTraders

        return OperatorTraders(self._clients.dynamodb, self._settings.tables)

    @cached_property
    def open_orders(self) -> "DeskOrderIndex":
        from orderdesk.adapters.dynamodb.orders.reads import DeskOrderIndex

        return DeskOrderIndex(self._clients.dynamodb, self._settings.orders_table)

    @cached_property
    def orders(self) -> "OrderStore":
        from orderdesk.adapters.dynamodb.orders.reads import OrderStore

        return OrderStore(self._clients.dynamodb, self._settings.orders_table)

    @cached_property
    def order_listing(self) -> "OperatorOrders":
        from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders

        return OperatorOrders(self._clients.dynamodb, self._settings.orders_table)

    @cached_property
    def order_moves(self) -> "OperatorMovePorts":
        from orderdesk.services.operator.moves import OperatorMovePorts
        from orderdesk.wiring.ports import move_ports

        moves = move_ports(self._clients.dynamodb, self._settings.tables)
        return OperatorMovePorts(moves, self.operator, self.traders)

    @cached_property
    def waiting_sells(self) -> "WaitingSellIndex":
        from orderdesk.adapters.dynamodb.orders.reads import WaitingSellIndex

        return WaitingSellIndex(self._clients.dynamodb, self._settings.orders_table)

    @cached_property
    def evidence(self) -> "KeptEvidence":
        from orderdesk.adapters.operator import KeptEvidence

        return KeptEvidence(self._clients.s3, self._settings.receipts_bucket)

    @cached_property
    def deliveries(self) -> "OperatorCallbacks":
        from orderdesk.adapters.dynamodb.operator.callbacks import OperatorCallbacks

        days = self._settings.callback_retention_days
        return OperatorCallbacks(self._clients.dynamodb, self._settings.tables, days)

    @cached_property
    def callback_queue(self) -> "RedeliveryQueue":
        from orderdesk.adapters.queues import RedeliveryQueue

        return RedeliveryQueue(self._clients.sqs, self._settings.callbacks_queue_url)

    @cached_property
    def funds(self) -> "OperatorFunds":
        from orderdesk.adapters.dynamodb.operator.funds import OperatorFunds

        return OperatorFunds(self._clients.dynamodb, self._settings.tables)

    @cached_property
    def proposals(self) -> "OperatorProposals":
        from orderdesk.adapters.dynamodb.operator.funds import OperatorProposals

        return OperatorProposals(self._clients.dynamodb, self._settings.tables)

    @cached_property
    def requests(self) -> "OperatorRequests":
        from orderdesk.adapters.dynamodb.operator.funds import OperatorRequests

        return OperatorRequests(self._clients.dynamodb, self._settings.tables)

    @property
    def allow_loopback(self) -> bool:
        return self._settings.allow_local_targets

    @property
    def pages_url(self) -> str:
        return self._settings.pages_url

    @cached_property
    def balances(self) -> "LedgerStore":
        from orderdesk.adapters.dynamodb.ledger import LedgerStore

        return LedgerStore(self._clients.dynamodb, self._settings.ledger_table)

    @cached_property
    def postings(self) -> "AccountPostings":
        from orderdesk.adapters.dynamodb.ledger_statement import AccountPostings

        return AccountPostings(self._clients.dynamodb, self._settings.ledger_table)

    @cached_property
    def ledger_scan(self) -> "DynamoLedgerScan":
        from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan

        return DynamoLedgerScan(self._clients.scanning, self._settings.tables)

    def restored_ledger(self, table: str) -> "RestoredLedger":
        from orderdesk.adapters.dynamodb.operator.scans import RestoredLedger

        return RestoredLedger(self._clients.scanning, self._settings.ledger_table, table)

    @cached_property
    def day_report(self) -> "ReportPorts":
        from orderdesk.adapters.dynamodb.operator.scans import DynamoDayScan
        from orderdesk.services.operator.report import ReportPorts

        operator, scan = self.operator, DynamoDayScan(self._clients.scanning, self._settings.tables)
        runs = self._runs("report.day")
        return ReportPorts(scan, runs, operator.chance, operator.now, operator.pause_ms)

    @cached_property
    def audit(self) -> "AuditStore":
        from orderdesk.adapters.dynamodb.audit import AuditStore

        return AuditStore(self._clients.dynamodb, self._settings.audit_table)

    @cached_property
    def ledger_check(self) -> "CheckPorts":
        from orderdesk.services.operator.ledger import CheckPorts

        operator, runs = self.operator, self._runs("ledger.check")
        clock = (operator.now_us, operator.pause_ms)
        return CheckPorts(self.ledger_scan, runs, operator.chance, *clock)

    @cached_property
    def reads(self) -> "OperatorReads":
        from orderdesk.adapters.dynamodb.operator.orders import OperatorReads

        return OperatorReads(self._clients.dynamodb, self._settings.tables)

    @property
    def assignment_seconds(self) -> int:
        return self._settings.assignment_seconds

    @property
    def rotation_shards(self) -> int:
        return self._settings.rotation_shards

    def _runs(self, command: str) -> "RunStore":
        """Return the store of a long command's runs of this person; nobody else continues them."""
        from orderdesk.adapters.dynamodb.operator.runs import RunStore

        operator, table = self.operator, self._settings.guards_table
        scope = f"{command}#{operator.who.casefold()}"
        return RunStore(self._clients.dynamodb, table, scope, operator.chance, operator.now)
