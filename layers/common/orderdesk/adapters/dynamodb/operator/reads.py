"""Batch reads for operators' answers: names, notes of several orders, counts of open orders.

They are eventually consistent, except the counters. A malformed item is left out.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from orderdesk.adapters.dynamodb.balance_shards import balance_key
from orderdesk.adapters.dynamodb.client import TablesStore, get_items
from orderdesk.adapters.dynamodb.keys import merchant_key, notes_key
from orderdesk.adapters.dynamodb.orders.notes import notes_of
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.merchants.merchant import BALANCE_SHARDS_MAX
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.open_orders import SHARDS_MAX, counter_key


class OperatorReads(TablesStore):
    def names(
        self, merchant_ids: Collection[str], trader_ids: Collection[str]
    ) -> Mapping[str, str]:
        """Return names by id, at most 100 of each kind; unknown ids are left out."""
        merchants = {each: {"pk": merchant_key(each)} for each in merchant_ids}
        traders = {each: {"trader_id": each} for each in trader_ids}
        return {
            **dict(self._names(self._tables.merchants, merchants)),
            **dict(self._names(self._tables.traders, traders)),
        }

    def notes_of_orders(self, order_nos: Sequence[str]) -> Mapping[str, Sequence[Note]]:
        """Return the notes of at most 100 orders by order_no."""
        keys = [{"pk": notes_key(number)} for number in order_nos]
        items = get_items(self._client, self._tables.orders, keys, consistent=False)
        found = {}
        for number, item in zip(order_nos, items, strict=True):
            with suppress(KeyError, TypeError, ValueError):
                found[number] = notes_of(item)
        return found

    def open_buys(self, merchant_id: str, mode: Mode) -> tuple[int, int]:
        """Return the number of a merchant's open buys, and their sum in fen."""
        keys = [{"pk": counter_key(merchant_id, mode, shard)} for shard in range(SHARDS_MAX)]
        items = cast(
            "Sequence[Mapping[str, Any]]", get_items(self._client, self._tables.orders, keys)
        )
        return (
            sum(item.get("open_buys", 0) for item in items),
            sum(item.get("open_fen", 0) for item in items),
        )

    def open_sells(self, merchant_id: str, mode: Mode) -> tuple[int, int]:
        """Return the number of a merchant's open sells, and their sum in fen."""
        account = Account(AccountKind.MERCHANT, merchant_id, mode)
        keys = [balance_key(account, shard) for shard in range(BALANCE_SHARDS_MAX)]
        items: Sequence[Mapping[str, Any]] = get_items(self._client, self._tables.ledger, keys)
        return (
            sum(item.get("open_sells", 0) for item in items),
            sum(item.get("open_sell_fen", 0) for item in items),
        )

    def _names(
        self, table: str, keys: Mapping[str, Mapping[str, str]]
    ) -> Iterator[tuple[str, str]]:
        items = get_items(self._client, table, list(keys.values()), consistent=False)
        for own_id, item in zip(keys, items, strict=True):
            name = item.get("name")
            if isinstance(name, str):
                yield own_id, name
