"""The ports of operators' commands with their adapters, each created on first use."""

from functools import cached_property
from typing import TYPE_CHECKING, Self

from pydantic import Field

from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.domain.money import USDT_DECIMALS
from orderdesk.services.operator.actions import Operator
from orderdesk.settings import S3Settings

if TYPE_CHECKING:
    from botocore.session import Session
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

    from orderdesk.adapters.dynamodb.audit import AuditStore
    from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement
    from orderdesk.adapters.dynamodb.operator.funds import OperatorFunds
    from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan, RestoredLedger
    from orderdesk.adapters.dynamodb.operator.orders import (
        OperatorCallbacks,
        OperatorOrders,
        OperatorReads,
    )
    from orderdesk.adapters.dynamodb.operator.parties import OperatorMerchants, OperatorTraders
    from orderdesk.adapters.dynamodb.operator.proposals import OperatorProposals
    from orderdesk.adapters.dynamodb.orders.reads import DeskOrderIndex, OrderStore
    from orderdesk.adapters.kms import KmsSecrets
    from orderdesk.adapters.operator import CallerRights, KeptEvidence
    from orderdesk.adapters.seals import SealFiles
    from orderdesk.adapters.sending import LazyKms
    from orderdesk.domain.callbacks.events import CallbackReference
    from orderdesk.domain.operators import Caller
    from orderdesk.services.ledger.seal import SealPorts
    from orderdesk.services.operator.actions import RequestKey
    from orderdesk.services.orders.move import MovePorts


class OperatorSettings(S3Settings):
    """All tables, and whose identity names a person.

    `operator_role_patterns` is a comma-separated list.
    """

    merchants_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    orders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    callbacks_table: str = Field(min_length=1)
    audit_table: str = Field(min_length=1)
    receipts_bucket: str = Field(min_length=1)
    seals_bucket: str = Field(min_length=1)
    seal_key_arn: str = Field(min_length=1)
    callbacks_queue_url: str = Field(min_length=1)
    secrets_key_arn: str = Field(min_length=1)
    identity_key_arn: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    rotation_shards: int = Field(ge=1)
    assignment_seconds: int = Field(gt=0)
    solo_resolve_usdt: int = Field(ge=0)
    pages_url: str = Field(min_length=1)
    operator_role_patterns: str
    allow_local_targets: bool

    @property
    def role_patterns(self) -> tuple[str, ...]:
        """The names of roles whose sessions are persons, with `*` and `?` as in IAM."""
        patterns = (each.strip() for each in self.operator_role_patterns.split(","))
        return tuple(each for each in patterns if each)


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
    def kms(self) -> "LazyKms":
        """The client that checks the signatures of seals."""
        from orderdesk.adapters.sending import LazyKms

        return LazyKms(self.session)

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
        settings: OperatorSettings,
        caller: "Caller",
        key: "RequestKey | None",
        stage_arn: str,
    ) -> None:
        self._clients = clients
        self._settings = settings
        self._stage_arn = stage_arn
        self.allow_loopback = settings.allow_local_targets
        self.pages_url = settings.pages_url
        self.assignment_seconds = settings.assignment_seconds
        self.rotation_shards = settings.rotation_shards
        self.solo_micro = settings.solo_resolve_usdt * 10**USDT_DECIMALS
        self.operator = Operator(caller, SystemChance(), now_us, pause_ms, key)

    def acting(self, operator: Operator) -> Self:
        """Return the adapters for another caller, or for the same one while it decides."""
        caller = operator.caller
        made = type(self)(self._clients, self._settings, caller, None, self._stage_arn)
        made.operator = operator
        return made

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
        from orderdesk.adapters.dynamodb.party_writes import NoticeBox

        days, table = self._settings.callback_retention_days, self._settings.tables.callbacks
        notices = NoticeBox(table, days, self.send_callback)
        return OperatorMerchants(self._clients.dynamodb, self._settings.tables, notices)

    def block_key(self) -> bytes:
        from orderdesk.adapters.kms import KmsBlockKey

        return KmsBlockKey(self._clients.session, self._settings.identity_key_arn)()

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
    def moves(self) -> "MovePorts":
        from orderdesk.wiring.ports import move_ports

        return move_ports(self._clients.dynamodb, self._settings.tables)

    @cached_property
    def evidence(self) -> "KeptEvidence":
        from orderdesk.adapters.operator import KeptEvidence

        return KeptEvidence(lambda: self._clients.s3, self._settings.receipts_bucket)

    @cached_property
    def deliveries(self) -> "OperatorCallbacks":
        from orderdesk.adapters.dynamodb.operator.orders import OperatorCallbacks

        days = self._settings.callback_retention_days
        return OperatorCallbacks(self._clients.dynamodb, self._settings.tables, days)

    @cached_property
    def funds(self) -> "OperatorFunds":
        from orderdesk.adapters.dynamodb.operator.funds import OperatorFunds

        return OperatorFunds(self._clients.dynamodb, self._settings.tables)

    @cached_property
    def proposals(self) -> "OperatorProposals":
        from orderdesk.adapters.dynamodb.operator.proposals import OperatorProposals

        return OperatorProposals(self._clients.dynamodb, self._settings.tables)

    @cached_property
    def postings(self) -> "LedgerStatement":
        from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement

        return LedgerStatement(self._clients.dynamodb, self._settings.ledger_table)

    @cached_property
    def ledger_scan(self) -> "DynamoLedgerScan":
        from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan

        return DynamoLedgerScan(self._clients.scanning, self._settings.tables)

    def restored_ledger(self, table: str) -> "RestoredLedger":
        from orderdesk.adapters.dynamodb.operator.ledger_scan import RestoredLedger

        return RestoredLedger(self._clients.scanning, self._settings.ledger_table, table)

    @cached_property
    def audit(self) -> "AuditStore":
        from orderdesk.adapters.dynamodb.audit import AuditStore

        return AuditStore(self._clients.dynamodb, self._settings.audit_table)

    @cached_property
    def books(self) -> "SealPorts":
        from orderdesk.adapters.dynamodb.operator.books import DynamoBooks
        from orderdesk.domain.accounts import WINDOW_SECONDS
        from orderdesk.services.ledger.seal import SealPorts

        books = DynamoBooks(self._clients.scanning, self._settings.tables)
        return SealPorts(books, self.seal_files, self.operator.now, WINDOW_SECONDS)

    @cached_property
    def seal_files(self) -> "SealFiles":
        from orderdesk.adapters.seals import SealFiles, SealVault

        clients, settings = self._clients, self._settings
        vault = SealVault(settings.seals_bucket, settings.seal_key_arn)
        return SealFiles(clients.scanning, settings.tables, clients.s3, clients.kms, vault)

    @cached_property
    def reads(self) -> "OperatorReads":
        from orderdesk.adapters.dynamodb.operator.orders import OperatorReads

        return OperatorReads(self._clients.dynamodb, self._settings.tables)

    def send_callback(self, reference: "CallbackReference") -> None:
        """Send a message; the queue's client is only created for it."""
        from orderdesk.adapters.queues import RedeliveryQueue

        RedeliveryQueue(self._clients.sqs, self._settings.callbacks_queue_url).send(reference)
