"""What the operator's use cases ask of the outside; the adapters give it.

Every commit is one conditional transaction that also writes its audit entry; `token` lets an
unanswered one be sent again. Commits raise Contended, Throttled, TryAgain beside what each names.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ledger.accounts import Account, Balance, Transfer
from orderdesk.domain.merchants.merchant import Merchant, MerchantSecrets
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.domain.traders.trader import Trader


class Vault(Protocol):
    """Seals merchants' secrets; a ciphertext opens for its own merchant only."""

    def seal(self, merchant_id: str, secrets: MerchantSecrets) -> bytes:
        """Encrypt the API's secrets and the link secret."""

    def unseal(self, merchant_id: str, sealed: bytes) -> MerchantSecrets:
        """Decrypt the API's secrets and the link secret."""

    def seal_callback(self, merchant_id: str, secrets: tuple[str, ...]) -> bytes:
        """Encrypt the callback secrets, newest first."""

    def unseal_callback(self, merchant_id: str, sealed: bytes) -> tuple[str, ...]:
        """Decrypt the callback secrets, newest first."""


class MerchantRegister(Protocol):
    """Merchants, as operators keep them."""

    def merchant(self, merchant_id: str) -> Merchant | None:
        """Give a merchant as it is now, or None."""

    def merchants(self) -> Iterator[Merchant]:
        """Give every merchant, in no order."""

    def add(self, merchant: Merchant, entry: AuditEntry, token: str) -> None:
        """Put a new merchant. Raises: ChangedMeanwhile where the id is taken."""

    def change(self, before: Merchant, after: Merchant, entry: AuditEntry, token: str) -> None:
        """Write what differs. Raises: ChangedMeanwhile where `before` is no longer so."""


class TraderRegister(Protocol):
    """Traders, as operators keep them; `change` leaves alone what matching writes."""

    def trader(self, trader_id: str) -> Trader | None:
        """Give a trader as it is now, or None."""

    def traders(self) -> Iterator[Trader]:
        """Give every trader, in no order."""

    def add(self, trader: Trader, shard: int, entry: AuditEntry, token: str) -> None:
        """Put a new trader. Raises: ChangedMeanwhile where the id is taken."""

    def change(self, before: Trader, after: Trader, entry: AuditEntry, token: str) -> None:
        """Write what differs. Raises: ChangedMeanwhile where `before` is no longer so."""


class RateBoard(Protocol):
    """The base rates of both sides."""

    def rates(self) -> dict[OrderType, BaseRate]:
        """Give the base rates that were set."""

    def set_rate(self, side: OrderType, rate: BaseRate, entry: AuditEntry, token: str) -> None:
        """Set a side's rate. Raises: NewerRate."""


class Funds(Protocol):
    """Money that comes from outside."""

    def fund(self, transfer: Transfer, entry: AuditEntry, token: str) -> None:
        """Post a funding and move both balances. Raises: UnknownId."""


class Balances(Protocol):
    """What accounts own."""

    def balance(self, account: Account) -> Balance:
        """Give what an account owns."""


class OrderListing(Protocol):
    """Orders, many at a time; drafts are not among them."""

    def of_merchant(self, merchant_id: str) -> Iterator[Order]:
        """Give a merchant's orders, newest first."""

    def every(self) -> Iterator[Order]:
        """Give every order, in no order."""


class AuditTrail(Protocol):
    """What operators did."""

    def entries(self, months: Iterable[str], since_us: int) -> Iterator[AuditEntry]:
        """Give the entries of these UTC months from a time on, oldest first."""
