"""An operator compares the ledger with a table that was restored to an earlier time."""

from collections.abc import Collection
from dataclasses import dataclass

from orderdesk.domain.ledger.restored import (
    LedgerAtATime,
    RestoredDifference,
    differences,
    newer,
)
from orderdesk.services.operator.ledger import LedgerScan, read_in_segments


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences that no transfer explains, newer transfers, and how much was compared."""

    differences: tuple[RestoredDifference, ...]
    newer: tuple[str, ...]
    accounts: int
    postings: int


def compare_with_restored(
    restored: LedgerScan, present: LedgerScan, owners: Collection[str] | None, *, segments: int
) -> Comparison:
    """Read both tables in parallel segments, the restored one first, and compare them.

    Money may move meanwhile: the balance of an account in use may briefly differ from its postings.
    The restored table does not change. Raises: TryAgain.
    """
    then, now = LedgerAtATime(owners), LedgerAtATime(owners)
    for scan, ledger in ((restored, then), (present, now)):
        read_in_segments([scan.entries], segments, ledger.add, lambda *_: None)
    return Comparison(
        tuple(differences(then, now)),
        tuple(newer(then, now)),
        len(now.owned),
        len(now.posted),
    )
