"""What the portal's overview reads of a merchant in live mode, with one request each."""

from collections.abc import Mapping
from typing import Any

from orderdesk.adapters.dynamodb.balance_shards import balance_key, is_listing
from orderdesk.adapters.dynamodb.client import TablesStore, get_items
from orderdesk.adapters.dynamodb.keys import DUE_INDEX, disputed_key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.sending import call
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.open_orders import SHARDS_MAX, OpenLimit, counter_key
from orderdesk.services.merchants.statement import MerchantBalance


class MerchantOverview(TablesStore):
    def accounts(
        self, merchant: Merchant
    ) -> tuple[MerchantBalance | None, Mapping[OpenLimit, int]]:
        own = Account(AccountKind.MERCHANT, merchant.merchant_id, Mode.LIVE)
        deposit = Account(AccountKind.DEPOSIT, merchant.merchant_id, Mode.LIVE)
        shards = [balance_key(own, shard) for shard in range(merchant.terms.balance_shards)]
        items: Any = get_items(self._client, self._tables.ledger, [*shards, balance_key(deposit)])
        first, last = items[0], items[-1]
        balance = MerchantBalance(
            first.get("available_micro", 0),
            first.get("held_micro", 0),
            last.get("available_micro", 0),
        )
        sells = {
            OpenLimit.SELLS: sum(item.get("open_sells", 0) for item in items[:-1]),
            OpenLimit.SELL_CNY: sum(item.get("open_sell_fen", 0) for item in items[:-1]),
        }
        return None if is_listing(first) or is_listing(last) else balance, sells

    def open_buys(self, merchant_id: str) -> Mapping[OpenLimit, int]:
        keys = [counter_key(merchant_id, Mode.LIVE, shard) for shard in range(SHARDS_MAX)]
        items: Any = get_items(self._client, self._tables.orders, [{"pk": key} for key in keys])
        return {
            OpenLimit.BUYS: sum(item.get("open_buys", 0) for item in items),
            OpenLimit.CNY: sum(item.get("open_fen", 0) for item in items),
        }

    def open_disputes(self, merchant_id: str) -> int:
        """Read one page: few orders of all merchants are disputed, and it has about 8,000."""
        values = {":key": disputed_key(Mode.LIVE), ":merchant": merchant_id}
        answer = call(
            lambda: self._client.query(
                TableName=self._tables.orders,
                IndexName=DUE_INDEX,
                KeyConditionExpression="due_key = :key",
                FilterExpression="merchant_id = :merchant",
                ExpressionAttributeValues=to_item(values),
                Select="COUNT",
            )
        )
        return answer["Count"]
