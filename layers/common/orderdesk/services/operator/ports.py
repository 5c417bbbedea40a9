"""The ports of the operators' use cases.

Every commit is one conditional transaction that also writes its audit entry. `token` makes a commit
idempotent, so that it can be sent again after a time-out. Reads raise TryAgain. Commits raise
Contended, Throttled, TryAgain, and the exceptions of each docstring.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ledger.accounts import Transfer
from orderdesk.domain.ledger.withdrawals import Withdrawal
from orderdesk.domain.merchants.merchant import Merchant, MerchantSecrets
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.domain.traders.trader import Trader


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
        """Return a merchant's present state, or None."""

    def merchants(self) -> Iterator[Merchant]:
        """Yield every merchant, unsorted."""

    def add(self, merchant: Merchant, entry: AuditEntry, token: str) -> None:
        """Store a new merchant. Raises: ChangedMeanwhile if the id is taken."""

    def change(self, before: Merchant, after: Merchant, entry: AuditEntry, token: str) -> None:
        """Write the changed attributes. Raises: ChangedMeanwhile if `before` is outdated."""


class TraderRegister(Protocol):
    """Reads and changes traders for operators; `change` never writes the attributes of matching."""

    def trader(self, trader_id: str) -> Trader | None:
        """Return a trader's present state, or None."""

    def traders(self) -> Iterator[Trader]:
        """Yield every trader, unsorted."""

    def add(self, trader: Trader, shard: int, entry: AuditEntry, token: str) -> None:
        """Store a new trader. Raises: ChangedMeanwhile if the id is taken."""

    def open_orders(self, trader_id: str) -> Sequence[Order]:
        """Return the present state of a trader's open orders; a new one may be missing."""

    def change(self, before: Trader, after: Trader, entry: AuditEntry, token: str) -> None:
        """Write the changed attributes. Raises: ChangedMeanwhile if `before` is outdated.

        If unique amounts begin, `before` is also outdated if an order was taken or ended since.
        """


class RateBoard(Protocol):
    """Reads and sets the base rates of both sides."""

    def rates(self) -> dict[OrderType, BaseRate]:
        """Return the base rates that were set."""

    def set_rate(self, side: OrderType, rate: BaseRate, entry: AuditEntry, token: str) -> None:
        """Set a side's rate. Raises: NewerRate."""


class Funds(Protocol):
    """Posts money from outside."""

    def fund(self, transfer: Transfer, entry: AuditEntry, token: str) -> None:
        """Post a funding and change both balances. Raises: UnknownId."""


class Withdrawals(Protocol):
    """Reads and decides withdrawals, and moves the USDT that they hold."""

    def withdrawal(self, withdrawal_no: str) -> Withdrawal | None:
        """Return a withdrawal's present state, or None."""

    def withdrawals(self, *, open_only: bool) -> Iterator[Withdrawal]:
        """Yield withdrawals, newest first."""

    def propose(self, withdrawal: Withdrawal, entry: AuditEntry, token: str) -> None:
        """Store a new one and hold its amount.

        Raises: UnknownId, BalanceTooLow; ChangedMeanwhile if the number is taken.
        """

    def decide(self, decided: Withdrawal, entry: AuditEntry, token: str) -> None:
        """Approve or reject an open one, and pay out or release its amount.

        Raises: ChangedMeanwhile if it is no longer open.
        """
