"""The ports of all operators' commands; `wiring/operators.py` joins them to their adapters."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.notes import Note
from orderdesk.services.callbacks.merchant import Redeliveries
from orderdesk.services.merchants.statement import Balances, Postings
from orderdesk.services.operator.actions import FirstAnswers, Operator
from orderdesk.services.operator.audit import Trail
from orderdesk.services.operator.callbacks import DeliveryRegister
from orderdesk.services.operator.duty import OpenOrders
from orderdesk.services.operator.evidence import EvidenceFiles
from orderdesk.services.operator.find_orders import NumberIndex
from orderdesk.services.operator.ledger import CheckPorts, LedgerScan, RestoredPostings
from orderdesk.services.operator.moves import OperatorMovePorts
from orderdesk.services.operator.orders import OrderListing
from orderdesk.services.operator.ports import CommandPorts, Proposals
from orderdesk.services.operator.report import OrderFactsIndex, ReportPorts
from orderdesk.services.orders.assignment_run import WaitingSells
from orderdesk.services.ports import Orders
from orderdesk.web.operator.parties import NameBook


class Rights(Protocol):
    """IAM's decisions about the caller's identity."""

    def allowed(self, commands: Collection[str]) -> frozenset[str]:
        """Return those of the commands that the caller may call. Raises: TryAgain."""


class AnsweredProposals(Proposals, FirstAnswers, Protocol):
    """Proposals, and the first answers of idempotency keys."""


class OrderReads(Orders, Protocol):
    """Reads orders, drafts, and the notes of disputes."""

    def notes(self, order_no: str) -> Sequence[Note]:
        """Return what was written or sent in an order's dispute, oldest first. Raises: TryAgain."""


class OrderIndexes(OrderListing, NumberIndex, OrderFactsIndex, Protocol):
    """Reads the indexes of orders."""


class BatchReads(NameBook, Protocol):
    """Reads of several items at once. Each raises TryAgain."""

    def notes_of_orders(self, order_nos: Sequence[str]) -> Mapping[str, Sequence[Note]]:
        """Return the notes of at most 100 orders, by order_no."""

    def open_buys(self, merchant_id: str, mode: Mode) -> tuple[int, int]:
        """Return the number of a merchant's open buys, and their sum in fen."""

    def open_sells(self, merchant_id: str, mode: Mode) -> tuple[int, int]:
        """Return the number of a merchant's open sells, and their sum in fen."""


class OperatorPorts(CommandPorts, Protocol):
    """What commands work with; each port is created on first use."""

    @property
    def operator(self) -> Operator:
        """The caller, with the clock and the randomness of the action."""

    @property
    def rights(self) -> Rights:
        """What IAM allows the caller."""

    @property
    def proposals(self) -> AnsweredProposals:
        """Proposals, and the first answers of idempotency keys."""

    @property
    def open_orders(self) -> OpenOrders:
        """Traders' open orders."""

    @property
    def orders(self) -> OrderReads:
        """Single orders and drafts, and the notes of disputes."""

    @property
    def order_listing(self) -> OrderIndexes:
        """Lists of orders."""

    @property
    def order_moves(self) -> OperatorMovePorts:
        """Moves of orders."""

    @property
    def waiting_sells(self) -> WaitingSells:
        """Sells that wait for a trader."""

    @property
    def evidence(self) -> EvidenceFiles:
        """Files of payers and traders."""

    @property
    def deliveries(self) -> DeliveryRegister:
        """Deliveries of callbacks."""

    @property
    def callback_queue(self) -> Redeliveries:
        """The queue of callbacks."""

    @property
    def balances(self) -> Balances:
        """Balances of accounts."""

    @property
    def postings(self) -> Postings:
        """Postings of accounts."""

    @property
    def ledger_scan(self) -> LedgerScan:
        """All items that the ledger check reads."""

    def restored_ledger(self, table: str) -> RestoredPostings:
        """Return a restored copy of the Ledger table. Raises: UnknownId."""

    @property
    def day_report(self) -> ReportPorts:
        """What a day's report works with."""

    @property
    def audit(self) -> Trail:
        """The audit trail."""

    @property
    def ledger_check(self) -> CheckPorts:
        """What the ledger check works with."""

    @property
    def reads(self) -> BatchReads:
        """Reads of several items at once."""

    @property
    def assignment_seconds(self) -> int:
        """How long a trader has for an assigned sell."""

    @property
    def rotation_shards(self) -> int:
        """Over how many shards the traders' rotation is split."""
