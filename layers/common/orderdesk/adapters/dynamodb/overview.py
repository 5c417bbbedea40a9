"""What the portal's overview and the agreement read of a merchant."""

from collections.abc import Mapping
from typing import Any

from orderdesk.adapters.dynamodb.client import TablesStore, get_items_of
from orderdesk.adapters.dynamodb.keys import Index, Key
from orderdesk.adapters.dynamodb.ledger import READS_MAX, balance_key, listed_in, total_of
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.open_orders import SHARDS_MAX, OpenLimit, counter_key
from orderdesk.domain.pricing import Mode
from orderdesk.services.merchants.statement import MerchantBalance


class MerchantOverview(TablesStore):
    def accounts(
        self, merchant: Merchant, mode: Mode = Mode.LIVE
    ) -> tuple[MerchantBalance, Mapping[OpenLimit, int]]:
        """Read balances and counters with one request, a split balance with two or more.

        A split balance is read again until no amount was moved between its items meanwhile.
        """
        shards, before = merchant.terms.balance_shards, None
        for _ in range(READS_MAX):
            own, deposit, counters = self._read(merchant.merchant_id, mode, shards)
            listed = listed_in(own[0]) | listed_in(deposit[0])
            now = [(item.get("gathers", 0), listed) for item in (*own, *deposit)]
            if now == before or not listed:
                total, held_back = total_of(own), total_of(deposit).available_micro
                balance = MerchantBalance(total.available_micro, total.held_micro, held_back)
                return balance, _used(own, counters)
            shards, before = 1 + max(listed), now
        raise TryAgain

    def _read(self, merchant_id: str, mode: Mode, shards: int) -> tuple[Any, Any, Any]:
        """Return the items of the account, of the deposit, and of the counters of buys."""
        ledger, orders = self._tables.ledger, self._tables.orders
        keys: Any = [
            (ledger, balance_key(Account(kind, merchant_id, mode), shard))
            for kind in (AccountKind.MERCHANT, AccountKind.DEPOSIT)
            for shard in range(shards)
        ]
        counters = (counter_key(merchant_id, mode, shard) for shard in range(SHARDS_MAX))
        keys += [(orders, {"pk": key}) for key in counters]
        items = get_items_of(self._client, keys)
        return items[:shards], items[shards : 2 * shards], items[2 * shards :]

    def open_disputes(self, merchant_id: str) -> int:
        """Read one page: few orders of all merchants are disputed, and it has about 8,000."""
        asked = self._query(
            *(self._tables.orders, Index.DUE, Key.disputed(Mode.LIVE)),
            filtered="merchant_id = :merchant",
            values={":merchant": merchant_id},
        )
        return int(asked.answer(Select="COUNT")["Count"])


def _used(own: Any, counters: Any) -> Mapping[OpenLimit, int]:
    return {
        OpenLimit.BUYS: sum(item.get("open_buys", 0) for item in counters),
        OpenLimit.CNY: sum(item.get("open_fen", 0) for item in counters),
        OpenLimit.SELLS: sum(item.get("open_sells", 0) for item in own),
        OpenLimit.SELL_CNY: sum(item.get("open_sell_fen", 0) for item in own),
    }
