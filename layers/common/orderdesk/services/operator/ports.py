"""The ports of the operators' use cases.

Every commit is one conditional transaction that also writes its audit entry. `token` allows a
commit without an answer to be sent again. Reads raise TryAgain. Commits raise Contended, Throttled,
TryAgain, and what each docstring names.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ledger.accounts import Transfer
from orderdesk.domain.ledger.withdrawals import Withdrawal
from orderdesk.domain.merchants.merchant import Merchant, MerchantSecrets
from orderdesk.domain.orders.desk_lists import DeskList
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.ports import Reservation


class Vault(Protocol):
    """Encrypts merchants' secrets; a ciphertext can be decrypted only for its own merchant."""

    def seal(self, merchant_id: str, secrets: MerchantSecrets) -> bytes:
        """Encrypt the API secrets and the link secret."""

    def unseal(self, merchant_id: str, sealed: bytes) -> MerchantSecrets:
        """Decrypt the API secrets and the link secret."""

    def seal_callback(self, merchant_id: str, secrets: tuple[str, ...]) -> bytes:
        """Encrypt the callback secrets, newest first."""

    def unseal_callback(self, merchant_id: str, sealed: bytes) -> tuple[str, ...]:
        """Decrypt the callback secrets, newest first."""


class MerchantRegister(Protocol):
    """Reads and changes merchants for operators."""

    def merchant(self, merchant_id: str) -> Merchant | None:
        """Give a merchant as it is now, or None."""

    def merchants(self) -> Iterator[Merchant]:
        """Give every merchant, unsorted."""

    def add(self, merchant: Merchant, entry: AuditEntry, token: str) -> None:
        """Put a new merchant. Raises: ChangedMeanwhile if the id is taken."""

    def change(self, before: Merchant, after: Merchant, entry: AuditEntry, token: str) -> None:
        """Write what differs. Raises: ChangedMeanwhile if `before` is outdated."""


class TraderRegister(Protocol):
    """Reads and changes traders for operators; `change` never writes what matching writes."""

    def trader(self, trader_id: str) -> Trader | None:
        """Give a trader as it is now, or None."""

    def traders(self) -> Iterator[Trader]:
        """Give every trader, unsorted."""

    def add(self, trader: Trader, shard: int, entry: AuditEntry, token: str) -> None:
        """Put a new trader. Raises: ChangedMeanwhile if the id is taken."""

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        """Give a trader's open orders as they are now; one that is new may be missing."""

    def change(self, before: Trader, after: Trader, entry: AuditEntry, token: str) -> None:
        """Write what differs. Raises: ChangedMeanwhile if `before` is outdated.

        Where unique amounts begin, `before` is outdated also if an order was taken or ended since.
        """


class RateBoard(Protocol):
    """Reads and sets the base rates of both sides."""

    def rates(self) -> dict[OrderType, BaseRate]:
        """Give the base rates that were set."""

    def set_rate(self, side: OrderType, rate: BaseRate, entry: AuditEntry, token: str) -> None:
        """Set a side's rate. Raises: NewerRate."""


class Funds(Protocol):
    """Posts money from outside."""

    def fund(self, transfer: Transfer, entry: AuditEntry, token: str) -> None:
        """Post a funding and change both balances. Raises: UnknownId."""


class Withdrawals(Protocol):
    """Reads and decides withdrawals, and moves the USDT that they hold."""

    def withdrawal(self, withdrawal_no: str) -> Withdrawal | None:
        """Give a withdrawal as it is now, or None."""

    def withdrawals(self, *, open_only: bool) -> Iterator[Withdrawal]:
        """Give withdrawals, newest first."""

    def propose(self, withdrawal: Withdrawal, entry: AuditEntry, token: str) -> None:
        """Put a new one and hold its amount.

        Raises: UnknownId, BalanceTooLow; ChangedMeanwhile if the number is taken.
        """

    def decide(self, decided: Withdrawal, entry: AuditEntry, token: str) -> None:
        """Approve or reject an open one, and pay its amount out or give it back.

        Raises: ChangedMeanwhile if it is open no more.
        """


class OrderListing(Protocol):
    """Reads many orders, newest first, with ids in [first_id, last_id]; drafts are left out."""

    def of_merchant(self, merchant_id: str, first_id: int, last_id: int) -> Iterator[Order]:
        """Give a merchant's orders."""

    def of_trader(
        self, trader_id: str, on_desk: DeskList, first_id: int, last_id: int
    ) -> Iterator[Order]:
        """Give the orders of one list of a trader's desk."""

    def reservations(
        self, merchant_ids: Sequence[str], merchant_order_no: str
    ) -> Iterator[Reservation]:
        """Give who has a merchant_order_no, of each of these merchants that has used it."""
