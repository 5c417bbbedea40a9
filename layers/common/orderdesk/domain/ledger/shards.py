"""Balance shards: one account's balance split over several items (contract section 6).

Only one transaction at a time can write an item. A busy merchant's accounts are therefore split:
the balance is the sum of its shards. Shard 0 is the item that every account has; it lists the
others for as long as the account exists. An order holds or is credited on one shard. If the shard
does not cover a hold, the hold's transaction moves the rest from other shards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from orderdesk.domain.ledger.accounts import Account, AccountKind

SHARDED = (AccountKind.MERCHANT, AccountKind.DEPOSIT, AccountKind.FEE)
"""A merchant's accounts: each settlement of its orders writes to them."""

SHARD_MARK = "#"  # not allowed in a merchant's id


def shard_key(account: Account, shard: int) -> str:
    """Return the key of a shard of an account; shard 0 has the account's own key."""
    if shard == 0:
        return account.key
    return Account(account.kind, f"{account.owner}{SHARD_MARK}{shard}", account.mode).key


@dataclass(frozen=True, slots=True)
class Gather:
    """What other shards transfer to the one that holds an amount.

    `given` maps each giving shard to micro-USDT. The sum may exceed the hold, to leave something
    for the next holds. It is empty if the shard covers the hold alone.
    """

    shard: int
    given: Mapping[int, int]


def gather(available: Sequence[int], shard: int, amount_micro: int) -> Gather | None:
    """Return the transfers that a shard needs to hold an amount; None if the sum does not cover it.

    `available` lists what each shard has. The richest shards give first, so much that both then
    have about the same.
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
