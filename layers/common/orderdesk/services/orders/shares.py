"""The choice among the counters of a merchant's open buys, and its balances' shards (section 6)."""

from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.errors import OpenLimitReached
from orderdesk.domain.orders.open_buys import OpenLimit, OpenShare, open_shares
from orderdesk.services.ports import Chance


def draw_balance_shard(merchant: Merchant, chance: Chance) -> int | None:
    """Draw the shard of a new order's money; None if the merchant's balances are not split."""
    shards = merchant.balance_shards
    return None if shards == 1 else chance.below(shards)


class OpenShares:
    """The shares of a merchant's limits that may still have room for one order."""

    def __init__(self, merchant: Merchant) -> None:
        self._left = list(
            open_shares(
                max_buys=merchant.max_open_buys,
                max_fen=merchant.max_open_cny_fen,
                largest_fen=merchant.max_cny_fen,
            )
        )

    def draw(self, chance: Chance) -> OpenShare:
        """Draw a share at random."""
        return self._left[chance.below(len(self._left))]

    def drop(self, share: OpenShare, limit: OpenLimit) -> None:
        """Drop a share that is full by a limit. Raises: OpenLimitReached if it was the last."""
        self._left.remove(share)
        if not self._left:
            raise OpenLimitReached(limit)
