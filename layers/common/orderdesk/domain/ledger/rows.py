"""The rows that the check of the ledger reads: balances, postings, holds, counters, orders."""

from dataclasses import dataclass
from enum import StrEnum

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.shards import SHARD_MARK, shard_key
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import Order


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """The stored balance of one of an account's shards; shard 0 lists the others."""

    account_key: str
    balance: Balance
    shard: int = 0
    listed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PostingRow:
    """One posting of a transfer on one account; in micro-USDT."""

    account_key: str
    transfer_id: str
    amount_micro: int


@dataclass(frozen=True, slots=True)
class TraderRow:
    """A trader's stored balance, and its stored number of open orders.

    `open_amounts` are the stored ones of a trader with unique amounts, else None.
    """

    account: Account
    balance: Balance
    open_orders: int
    open_amounts: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class OpenBuysRow:
    """A counter of a merchant's open buys: `key` contains merchant, mode and counter."""

    key: str
    open_buys: int
    open_fen: int


@dataclass(frozen=True, slots=True)
class WithdrawalRow:
    """An open withdrawal: the amount that it holds on an account, in micro-USDT."""

    account_key: str
    amount_micro: int


type LedgerRow = BalanceRow | PostingRow | TraderRow | OpenBuysRow | WithdrawalRow | Order


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


class DifferenceKind(StrEnum):
    TRANSFER = "transfer"
    BALANCE = "balance"
    HELD = "held"
    NEGATIVE_AVAILABLE = "negative_available"
    NEGATIVE_HELD = "negative_held"
    OPEN_ORDERS = "open_orders"
    OPEN_BUYS = "open_buys"
    OPEN_CNY = "open_cny"
    OPEN_AMOUNTS = "open_amounts"
    UNKNOWN_ACCOUNT = "unknown_account"
    WHOLE_POSTINGS = "whole_postings"
    WHOLE_BALANCES = "whole_balances"


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that does not balance, in micro-USDT.

    OPEN_ORDERS and OPEN_BUYS count orders; OPEN_CNY is in fen; OPEN_AMOUNTS counts the amounts that
    only a trader has, or only its orders. `subject` is an account's key, a shard's key
    (`merchant:<merchant>#<shard>:<mode>`), a transfer's id, a counter's key
    (`open_buys:<merchant>:<mode>:<shard>`) or `whole:<mode>`.
    """

    subject: str
    kind: DifferenceKind
    expected: int
    actual: int

    @property
    def delta(self) -> int:
        """The surplus, in the unit of the difference; negative for a shortfall."""
        return self.actual - self.expected
