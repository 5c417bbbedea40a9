"""The rows that seals are made of: balances, postings, decisions, holds, counters, orders."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from orderdesk.domain.accounts import (
    SHARD_MARK,
    Account,
    AccountKind,
    Balance,
    TransferKind,
    shard_key,
)
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Proposal

_ORDER_KINDS = frozenset(kind.value for kind in TransferKind if kind.is_of_order)


class Source(StrEnum):
    """A table that is read."""

    LEDGER = "ledger"
    TRADERS = "traders"
    ORDERS = "orders"
    AUDIT = "audit"
    MERCHANTS = "merchants"


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """The stored balance of one of an account's shards; shard 0 lists the others.

    `open_sells` and `open_sell_fen` count the merchant's open sells on this shard.
    """

    account_key: str
    balance: Balance
    shard: int = 0
    listed: frozenset[int] = frozenset()
    open_sells: int = 0
    open_sell_fen: int = 0


@dataclass(frozen=True, slots=True)
class PostingRow:
    """One posting of a transfer on one account, in micro-USDT; `at_us` in Unix microseconds.

    `kind` is the transfer's; `order_no` is empty if the transfer has no order.
    """

    account_key: str
    transfer_id: str
    amount_micro: int
    kind: str = ""
    order_no: str = ""
    at_us: int = 0

    @property
    def is_of_order(self) -> bool:
        """Whether its kind is one of an order's settlement."""
        return self.kind in _ORDER_KINDS


@dataclass(frozen=True, slots=True)
class TraderRow:
    """A trader's stored balance and stored number of open orders.

    `slots` are the stored numbers of open orders by merchant (`slot_holder`).
    """

    account: Account
    balance: Balance
    open_orders: int
    slots: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class AmountRow:
    """The numbers of the open orders that have an amount of a trader reserved."""

    account: Account
    open_orders: frozenset[str]


@dataclass(frozen=True, slots=True)
class OpenBuysRow:
    """A counter of a merchant's open buys: `key` contains merchant, mode and counter."""

    key: str
    open_buys: int
    open_fen: int


@dataclass(frozen=True, slots=True)
class RequestPlaceRow:
    """What finds a withdrawal request by its number, among the open or the ended ones."""

    request_no: str
    merchant_id: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """An audit entry: `who` proposed or approved the funding or withdrawal of a proposal.

    That of a withdrawal request has its request_no.
    """

    proposal_no: str
    is_approval: bool
    who: str
    account_key: str
    amount_micro: int


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An audit entry of a transfer without a proposal; `at_us` in microseconds.

    `is_alone`: an administrator acted alone, or the entry is from a release in which one person was
    enough.
    """

    audit_id: str
    at_us: int
    account_key: str
    amount_micro: int
    kind: TransferKind
    is_alone: bool
    request_no: str = ""


@dataclass(frozen=True, slots=True)
class AcknowledgedRow:
    """An audit entry of a finding that was acknowledged; `ref` is the proposal or the entry."""

    finding_id: str
    ref: str
    at_us: int


@dataclass(frozen=True, slots=True)
class MalformedRow:
    """An item that cannot be read: its table, its key, and what is wrong with it."""

    table: str
    key: str
    problem: str


type LedgerRow = (
    BalanceRow
    | PostingRow
    | TraderRow
    | AmountRow
    | OpenBuysRow
    | Proposal
    | WithdrawalRequest
    | RequestPlaceRow
    | DecisionRow
    | EntryRow
    | MalformedRow
    | Order
)


@lru_cache(maxsize=1 << 16)
def account_of(key: str) -> Account | None:
    """Parse an account's key; None if it is not the key of an account."""
    kind, _, rest = key.partition(":")
    owner, _, mode = rest.rpartition(":")
    try:
        account = Account(AccountKind(kind), owner, Mode(mode))
    except ValueError:
        return None
    return account if account.key == key else None


def shard_of(key: str) -> tuple[str, int]:
    """Parse a shard's key into account key and number; the number is 0 for any other key."""
    named = account_of(key)
    if named is None:
        return key, 0
    owner, _, number = named.owner.partition(SHARD_MARK)
    account = Account(named.kind, owner, named.mode)
    shard = int(number) if number.isdecimal() else 0
    return (account.key, shard) if shard_key(account, shard) == key else (key, 0)
