"""Balance shards: one account's balance split over several items (contract section 6).

One item takes one transaction at a time. A busy merchant's accounts are therefore split: the
balance is the sum of its shards. Shard 0 is the item that every account has; it lists the others
for as long as the account exists. An order holds or is credited on one shard. A shard that cannot
cover a hold gets the rest from others, in the transaction of the hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from orderdesk.domain.ledger.accounts import Account, AccountKind

SHARDED = (AccountKind.MERCHANT, AccountKind.DEPOSIT, AccountKind.FEE)
"""A merchant's accounts: each settlement of its orders writes to them."""

SHARD_MARK = "#"  # in no merchant's id


def shard_key(account: Account, shard: int) -> str:
    """Name a shard of an account; shard 0 has the account's own name."""
    if shard == 0:
        return account.key
    return Account(account.kind, f"{account.owner}{SHARD_MARK}{shard}", account.mode).key


@dataclass(frozen=True, slots=True)
class Gather:
    """Where the amount of a hold comes from: what other shards give to the one that holds it.

    `given` is by the giving shard, in micro-USDT. It may be more than the hold needs, so that the
    next holds find something too; it is nothing if the shard covers the hold alone.
    """

    shard: int
    given: Mapping[int, int]


def gather(available: Sequence[int], shard: int, amount_micro: int) -> Gather | None:
    """Find what a shard needs from others to hold an amount; None if all together do not cover it.

    `available` is what each shard has. The richest gives first, and so much that both have about
    the same afterwards.
    """
    missing = amount_micro - available[shard]
    given: dict[int, int] = {}
    others = [(n, has) for n, has in enumerate(available) if n != shard]
    for other, has in sorted(others, key=itemgetter(1), reverse=True):
        if missing <= 0 or has <= 0:
            break
        even = (has - max(available[shard], 0)) // 2
        given[other] = min(has, max(missing, even))
        missing -= given[other]
    return Gather(shard, given) if missing <= 0 else None
