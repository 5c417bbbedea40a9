"""The ports of all operators' commands; `wiring/operators.py` joins them to their adapters."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from orderdesk.domain.callbacks.events import CallbackReference
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.pricing import OrderType
from orderdesk.services.ledger.seal import SealPorts, SealStore
from orderdesk.services.merchants.statement import Postings
from orderdesk.services.operator.audit import Trail
from orderdesk.services.operator.callbacks import DeliveryRegister
from orderdesk.services.operator.ledger import LedgerScan, RestoredPostings
from orderdesk.services.operator.orders import EvidenceFiles
from orderdesk.services.operator.ports import CommandPorts, Records
from orderdesk.services.ports import Orders


class Rights(Protocol):
    """IAM's decisions about the caller's identity."""

    def allowed(self, commands: Collection[str]) -> frozenset[str]:
        """Return those of the commands that the caller may call. Raises: TryAgain."""


class OrderReads(Orders, Protocol):
    """Reads orders, drafts, and the notes of disputes."""

    def notes(self, order_no: str) -> Sequence[Note]:
        """Return what was written or sent in an order's dispute, oldest first. Raises: TryAgain."""


class FiledSeals(SealStore, Protocol):
    """The files of seals."""

    def link(self, end: int) -> str:
        """Return a short-lived link to the file of the seal that ended then."""

    def public_key(self) -> bytes:
        """Return the key that verifies signatures (DER). Raises: TryAgain."""


class BatchReads(Records, Protocol):
    """Reads of several items at once. Each raises TryAgain."""

    def names(
        self, merchant_ids: Collection[str], trader_ids: Collection[str]
    ) -> Mapping[str, str]:
        """Return the names by id; unknown ids are left out."""

    def notes_of_orders(self, order_nos: Sequence[str]) -> Mapping[str, Sequence[Note]]:
        """Return the notes of at most 100 orders, by order_no."""

    def open_orders(self, side: OrderType, merchant_id: str, mode: Mode) -> tuple[int, int]:
        """Return the number of a merchant's open orders of a side, and their sum in fen."""


class OperatorPorts(CommandPorts, Protocol):
    """What commands work with; each port is created on first use."""

    @property
    def rights(self) -> Rights:
        """What IAM allows the caller."""

    @property
    def orders(self) -> OrderReads: ...
    @property
    def evidence(self) -> EvidenceFiles: ...
    @property
    def deliveries(self) -> DeliveryRegister: ...
    def send_callback(self, reference: CallbackReference) -> None:
        """Send a callback's message to the queue. Raises: TryAgain."""

    @property
    def postings(self) -> Postings: ...
    @property
    def ledger_scan(self) -> LedgerScan: ...
    def restored_ledger(self, table: str) -> RestoredPostings:
        """Return a restored copy of the Ledger table. Raises: UnknownId."""

    @property
    def audit(self) -> Trail: ...
    @property
    def books(self) -> SealPorts: ...
    @property
    def seal_files(self) -> FiledSeals: ...
    @property
    def reads(self) -> BatchReads: ...
