"""balance: a merchant's USDT, live and test separately (contract section 4)."""

from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.modes import Mode


class Balances(Protocol):
    """Reads the balances of accounts."""

    def balance(self, account: Account) -> Balance:
        """Return an account's balance, zero if it has no posting. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class MerchantBalance:
    """A merchant's balances in one mode, in micro-USDT."""

    available_micro: int
    held_micro: int
    deposit_micro: int


def merchant_balance(balances: Balances, merchant_id: str, mode: Mode) -> MerchantBalance:
    """Return a merchant's balances in a mode. Raises: TryAgain."""
    own = balances.balance(Account(AccountKind.MERCHANT, merchant_id, mode))
    deposit = balances.balance(Account(AccountKind.DEPOSIT, merchant_id, mode))
    return MerchantBalance(own.available_micro, own.held_micro, deposit.available_micro)
