"""The ports of all operators' commands; `wiring/operators.py` joins them to their adapters."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import Caller
from orderdesk.domain.orders.notes import Note
from orderdesk.services.callbacks.merchant import Redeliveries
from orderdesk.services.merchants.statement import Balances
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.callbacks import DeliveryRegister
from orderdesk.services.operator.duty import OpenOrders
from orderdesk.services.operator.evidence import EvidenceFiles
from orderdesk.services.operator.moves import OperatorMovePorts
from orderdesk.services.operator.ports import (
    MerchantRegister,
    OrderListing,
    RateBoard,
    TraderRegister,
    Vault,
)
from orderdesk.services.ports import Orders
from orderdesk.web.operator.parties import NameBook


class Rights(Protocol):
    """IAM's decisions about the caller's identity."""

    def allowed(self, commands: Collection[str]) -> frozenset[str]:
        """Return those of the commands that the caller may call. Raises: TryAgain."""


class OrderReads(Orders, Protocol):
    """Reads orders, drafts and the notes of a dispute."""

    def notes(self, order_no: str) -> Sequence[Note]:
        """Return the notes of an order's dispute, oldest first. Raises: TryAgain."""


class BatchReads(NameBook, Protocol):
    """Reads of several items at once. Each raises TryAgain."""

    def notes_of_orders(self, order_nos: Sequence[str]) -> Mapping[str, Sequence[Note]]:
        """Return the notes of at most 100 orders, by order_no."""

    def open_buys(self, merchant_id: str, mode: Mode) -> tuple[int, int]:
        """Return the number of a merchant's open buys, and their sum in fen."""


class OperatorPorts(Protocol):
    """What commands work with; each port is created on first use."""

    @property
    def caller(self) -> Caller:
        """The person who calls."""

    @property
    def operator(self) -> Operator:
        """The caller, with the clock and the randomness of the action."""

    @property
    def rights(self) -> Rights:
        """What IAM allows the caller."""

    @property
    def merchants(self) -> MerchantRegister:
        """Merchants."""

    @property
    def traders(self) -> TraderRegister:
        """Traders."""

    @property
    def rates(self) -> RateBoard:
        """The base rates."""

    @property
    def vault(self) -> Vault:
        """Merchants' secrets."""

    @property
    def balances(self) -> Balances:
        """The balances of accounts."""

    @property
    def orders(self) -> OrderReads:
        """Single orders and drafts."""

    @property
    def order_listing(self) -> OrderListing:
        """Lists of orders."""

    @property
    def order_moves(self) -> OperatorMovePorts:
        """Moves of orders."""

    @property
    def desk_orders(self) -> OpenOrders:
        """Open orders by their trader."""

    @property
    def callbacks(self) -> DeliveryRegister:
        """Deliveries of callbacks."""

    @property
    def callback_queue(self) -> Redeliveries:
        """The queue of callbacks."""

    @property
    def evidence(self) -> EvidenceFiles:
        """What payers and traders sent."""

    @property
    def reads(self) -> BatchReads:
        """Reads of several items at once."""

    @property
    def assignment_seconds(self) -> int:
        """How long a trader has for an assigned sell."""

    @property
    def rotation_shards(self) -> int:
        """Over how many shards the traders' rotation is split."""

    @property
    def allows_loopback(self) -> bool:
        """Whether callbacks may go to this machine."""
