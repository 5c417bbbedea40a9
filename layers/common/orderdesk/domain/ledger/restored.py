"""Compare the ledger with its state at an earlier time: postings are never changed or removed.

Every posting of the earlier ledger must be in the present one, with the same amount. Each balance
must be the sum of its postings, at both times.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from orderdesk.domain.ledger.rows import BalanceRow, LedgerRow, PostingRow, account_of


class RestoredKind(StrEnum):
    """What differs between two states of the ledger."""

    LOST = "lost"
    CHANGED = "changed"
    BALANCE_THEN = "balance_then"
    BALANCE_NOW = "balance_now"


@dataclass(frozen=True, slots=True)
class RestoredDifference:
    """A difference that no transfer explains, in micro-USDT.

    LOST and CHANGED are about one transfer on an account: its earlier amount, and its present one.
    The balances are about a whole account (`transfer_id` is empty): the sum of its postings, and
    what it owns.
    """

    account_key: str
    kind: RestoredKind
    transfer_id: str
    expected: int
    actual: int

    @property
    def delta(self) -> int:
        """The surplus; negative for a shortfall."""
        return self.actual - self.expected


@dataclass
class LedgerAtATime:
    """What the accounts of some owners own, and their postings, in micro-USDT.

    `owners` are merchants' ids; None means all accounts of the table.
    """

    owners: Collection[str] | None = None
    owned: Counter[str] = field(default_factory=Counter)
    posted: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, row: LedgerRow) -> None:
        """Add a balance or a posting of these owners; ignore other rows."""
        match row:
            case BalanceRow(account_key=key) if self._is_wanted(key):
                self.owned[key] += row.balance.available_micro + row.balance.held_micro
            case PostingRow(account_key=key) if self._is_wanted(key):
                self.posted[key, row.transfer_id] += row.amount_micro
            case _:
                return

    def recomputed(self) -> Counter[str]:
        """Sum up the postings of each account."""
        sums: Counter[str] = Counter()
        for (key, _), amount in self.posted.items():
            sums[key] += amount
        return sums

    def _is_wanted(self, key: str) -> bool:
        if self.owners is None:
            return True
        account = account_of(key)
        return account is not None and account.owner in self.owners


def differences(then: LedgerAtATime, now: LedgerAtATime) -> Iterator[RestoredDifference]:
    """Yield the differences that no transfer explains, by account and transfer."""
    for (key, transfer_id), amount in sorted(then.posted.items()):
        found = now.posted.get((key, transfer_id))
        if found is None:
            yield RestoredDifference(key, RestoredKind.LOST, transfer_id, amount, 0)
        elif found != amount:
            yield RestoredDifference(key, RestoredKind.CHANGED, transfer_id, amount, found)
    yield from _balances(then, RestoredKind.BALANCE_THEN)
    yield from _balances(now, RestoredKind.BALANCE_NOW)


def newer(then: LedgerAtATime, now: LedgerAtATime) -> list[str]:
    """Return the transfers that are in the present ledger and not in the earlier one."""
    return sorted({transfer_id for _, transfer_id in now.posted.keys() - then.posted.keys()})


def _balances(ledger: LedgerAtATime, kind: RestoredKind) -> Iterator[RestoredDifference]:
    sums = ledger.recomputed()
    # A trader's balance is in the Traders table.
    for key in sorted(key for key in sums.keys() | ledger.owned.keys() if not _is_traders(key)):
        if sums[key] != ledger.owned[key]:
            yield RestoredDifference(key, kind, "", sums[key], ledger.owned[key])


def _is_traders(key: str) -> bool:
    return key.startswith("trader:")
