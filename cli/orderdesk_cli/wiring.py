"""Wires the operator's use cases to their adapters.

An `Office` is a stack with everything an operator needs to work on it. Nothing is imported, read
or opened before it is used: a listing needs two of these adapters, and importing all of them takes
as long as reading its first page.
"""

import gc
import getpass
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.adapters.system import SystemChance, now_us, pause_ms
from orderdesk.domain.operators import Caller, person_of
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.actions import Operator
from orderdesk_cli.stacks import (
    LocalSession,
    Stack,
    caller_arn,
    find_stack,
    is_emulated,
    session_from_environment,
)

if TYPE_CHECKING:
    from botocore.session import Session
    from mypy_boto3_dynamodb import DynamoDBClient

    from orderdesk.adapters.dynamodb.audit import AuditStore
    from orderdesk.adapters.dynamodb.ledger import LedgerStore
    from orderdesk.adapters.dynamodb.operator.callbacks import OperatorCallbacks
    from orderdesk.adapters.dynamodb.operator.day_scan import DynamoDayScan
    from orderdesk.adapters.dynamodb.operator.funds import OperatorFunds
    from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan
    from orderdesk.adapters.dynamodb.operator.merchants import OperatorMerchants
    from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders
    from orderdesk.adapters.dynamodb.operator.proposals import OperatorProposals
    from orderdesk.adapters.dynamodb.operator.traders import OperatorTraders
    from orderdesk.adapters.dynamodb.orders.reads import (
        DeskOrderIndex,
        OrderStore,
        WaitingSellIndex,
    )
    from orderdesk.adapters.evidence import KeptEvidence
    from orderdesk.adapters.kms import KmsSecrets
    from orderdesk.adapters.queues import RedeliveryQueue
    from orderdesk.services.operator.find_orders import FindPorts
    from orderdesk.services.operator.moves import OperatorMovePorts


class Office:
    """A stack and the operator who works on it; `find` reads the stack at its first use."""

    def __init__(self, session: "Session", find: Callable[[], Stack]) -> None:
        self._session = session
        self._find = find

    @cached_property
    def stack(self) -> Stack:
        """The stack. Raises: StackUnavailable, botocore's errors."""
        found = self._find()
        gc.enable()  # `main` turns it off while everything is loaded
        return found

    @cached_property
    def operator(self) -> Operator:
        """The caller, as STS names it; else the user of this operating system. It acts alone."""
        arn = caller_arn(self._session) or ""
        person = person_of(arn, ("*",), allow_root=True) or f"os-user:{getpass.getuser()}"
        caller = Caller(person, arn, source_ip="", request_id="", alone=True)
        return Operator(caller, SystemChance(), now_us, pause_ms)

    @property
    def proposer(self) -> Operator:
        """The caller, whose commands need a second person."""
        return replace(self.operator, caller=replace(self.operator.caller, alone=False))

    def now_us(self) -> int:
        """Give the time in Unix microseconds."""
        return now_us()

    def now(self) -> int:
        """Give the time in Unix seconds."""
        return self.now_us() // US_PER_SECOND

    @cached_property
    def merchants(self) -> "OperatorMerchants":
        """Merchants and rates."""
        from orderdesk.adapters.dynamodb.operator.merchants import OperatorMerchants

        return OperatorMerchants(self._dynamodb, self._tables)

    @cached_property
    def traders(self) -> "OperatorTraders":
        """Traders."""
        from orderdesk.adapters.dynamodb.operator.traders import OperatorTraders

        return OperatorTraders(self._dynamodb, self._tables)

    @cached_property
    def funds(self) -> "OperatorFunds":
        """Funds that come in from outside."""
        from orderdesk.adapters.dynamodb.operator.funds import OperatorFunds

        return OperatorFunds(self._dynamodb, self._tables)

    @cached_property
    def proposals(self) -> "OperatorProposals":
        """Proposals."""
        from orderdesk.adapters.dynamodb.operator.proposals import OperatorProposals

        return OperatorProposals(self._dynamodb, self._tables)

    @property
    def rates(self) -> "OperatorMerchants":
        """The base rates."""
        return self.merchants

    @property
    def allow_loopback(self) -> bool:
        """Whether callbacks may go to loopback addresses."""
        return self.stack.allows_loopback

    @cached_property
    def balances(self) -> "LedgerStore":
        """The balances of accounts."""
        from orderdesk.adapters.dynamodb.ledger import LedgerStore

        return LedgerStore(self._dynamodb, self._tables.ledger)

    @cached_property
    def ledger_scan(self) -> "DynamoLedgerScan":
        """The scan of all items that the ledger check reads."""
        from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan, scan_client

        return DynamoLedgerScan(scan_client(self._session), self._tables)

    def ledger_scan_of(self, table: str) -> "DynamoLedgerScan":
        """Make a scan of another ledger table, such as one that was restored."""
        from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan, scan_client

        tables = replace(self._tables, ledger=table)
        return DynamoLedgerScan(scan_client(self._session), tables)

    @cached_property
    def day_scan(self) -> "DynamoDayScan":
        """The scan of all items that a day's report reads."""
        from orderdesk.adapters.dynamodb.operator.day_scan import DynamoDayScan
        from orderdesk.adapters.dynamodb.operator.ledger_scan import scan_client

        return DynamoDayScan(scan_client(self._session), self._tables)

    @cached_property
    def orders(self) -> "OrderStore":
        """Single orders and drafts."""
        from orderdesk.adapters.dynamodb.orders.reads import OrderStore

        return OrderStore(self._dynamodb, self._tables.orders)

    @cached_property
    def order_ports(self) -> "OperatorMovePorts":
        """Moves of orders."""
        from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
        from orderdesk.services.operator.moves import OperatorMovePorts
        from orderdesk.services.orders.move import MovePorts

        store = OrderMoveStore(self._dynamodb, self._tables)
        operator = self.operator
        moves = MovePorts(store, operator.chance, operator.pause_ms)
        return OperatorMovePorts(moves, operator, self.traders)

    @cached_property
    def desk_orders(self) -> "DeskOrderIndex":
        """Orders by their trader."""
        from orderdesk.adapters.dynamodb.orders.reads import DeskOrderIndex

        return DeskOrderIndex(self._dynamodb, self._tables.orders)

    @cached_property
    def waiting_sells(self) -> "WaitingSellIndex":
        """Sells that wait for a trader."""
        from orderdesk.adapters.dynamodb.orders.reads import WaitingSellIndex

        return WaitingSellIndex(self._dynamodb, self._tables.orders)

    @cached_property
    def order_listing(self) -> "OperatorOrders":
        """Lists of orders."""
        from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders

        return OperatorOrders(self._dynamodb, self._tables.orders)

    @property
    def find_ports(self) -> "FindPorts":
        """What `order find` reads."""
        from orderdesk.services.operator.find_orders import FindPorts

        return FindPorts(self.order_listing, self.order_listing, self.merchants, self.traders)

    @cached_property
    def evidence(self) -> "KeptEvidence":
        """What payers and traders sent."""
        from orderdesk.adapters.evidence import KeptEvidence
        from orderdesk.adapters.receipts import s3_client

        client = s3_client(self._session, emulated=is_emulated(self._session))
        return KeptEvidence(client, self.stack.output("ReceiptsBucketName"))

    @cached_property
    def callbacks(self) -> "OperatorCallbacks":
        """Deliveries of callbacks."""
        from orderdesk.adapters.dynamodb.operator.callbacks import OperatorCallbacks

        days = self.stack.callback_retention_days
        return OperatorCallbacks(self._dynamodb, self._tables, days)

    @cached_property
    def callback_queue(self) -> "RedeliveryQueue":
        """The queue of callbacks."""
        from orderdesk.adapters.queues import RedeliveryQueue, sqs_client

        return RedeliveryQueue(sqs_client(self._session), self.stack.output("CallbacksQueueUrl"))

    @property
    def is_emulated(self) -> bool:
        """Whether the stack is on this machine's emulator."""
        return is_emulated(self._session)

    @cached_property
    def audit(self) -> "AuditStore":
        """The audit trail of operators' actions."""
        from orderdesk.adapters.dynamodb.audit import AuditStore

        return AuditStore(self._dynamodb, self._tables.audit)

    @cached_property
    def vault(self) -> "KmsSecrets":
        """Merchants' secrets."""
        from orderdesk.adapters.kms import KmsSecrets

        return KmsSecrets(self._session, self.stack.output("SecretsKeyArn"))

    @cached_property
    def _tables(self) -> TableNames:
        """The names of the stack's tables. Raises: StackUnavailable."""
        return TableNames(
            *(
                self.stack.output(f"{name.title()}TableName")
                for name in TableNames.__dataclass_fields__
            )
        )

    @cached_property
    def _dynamodb(self) -> "DynamoDBClient":
        from orderdesk.adapters.dynamodb.client import dynamodb_client

        return dynamodb_client(self._session)


def open_office(stack_name: str) -> Office:
    """Open the stack of a name, with the AWS configuration of the environment."""
    session = session_from_environment()
    return Office(session, lambda: find_stack(session, stack_name))


def open_local_office(endpoint_url: str, stack_name: str) -> Office:
    """Open a stack of the emulator at an endpoint, whatever the environment says."""
    session = LocalSession(endpoint_url)
    return Office(session, lambda: find_stack(session, stack_name))
