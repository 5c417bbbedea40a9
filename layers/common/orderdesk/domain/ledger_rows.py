"""What the check of the books reads: balances, postings, traders, orders."""

from dataclasses import dataclass

from orderdesk.domain.ledger import Account, AccountKind, Balance
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders import Order


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """What an account says that it owns."""

    account_key: str
    balance: Balance


@dataclass(frozen=True, slots=True)
class PostingRow:
    """One side of a transfer, as it was appended to an account; in micro-USDT."""

    account_key: str
    transfer_id: str
    amount_micro: int


@dataclass(frozen=True, slots=True)
class TraderRow:
    """What a trader says that it owns, and how many open orders it counts."""

    account: Account
    balance: Balance
    open_orders: int


type LedgerRow = BalanceRow | PostingRow | TraderRow | Order


def account_of(key: str) -> Account | None:
    """Read an account's key; None where there is no such account."""
    kind, _, rest = key.partition(":")
    owner, _, mode = rest.rpartition(":")
    try:
        account = Account(AccountKind(kind), owner, Mode(mode))
    except ValueError:
        return None
    return account if account.key == key else None
