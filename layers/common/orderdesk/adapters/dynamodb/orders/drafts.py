"""A draft's next state, its number and its order; each step is one transaction.

Concurrent writers: another submit, the sweep, and a createOrder that reuses an overdue draft's
number. The draft's version lets either the submit or the sweep succeed; the reservation's owner
lets either the draft or the new order succeed.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from orderdesk.adapters.dynamodb.client import QueryParts, TableStore
from orderdesk.adapters.dynamodb.keys import DUE_SHARDS, Index, Key
from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.adapters.dynamodb.orders.creation import buy_writes, ending_write
from orderdesk.adapters.dynamodb.orders.items import draft_item, found_by
from orderdesk.adapters.dynamodb.orders.reads import OrderWrites
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import NumberLost
from orderdesk.services.orders.sweep import Due, DueKind
from orderdesk.services.ports import Chance, NewBuy

_PAGE_LIMIT = 200


class DraftStore(OrderWrites):
    def change(self, before: Draft, after: Draft, token: str) -> None:
        transact(self._client, [self._changed(before, after)], token)

    def end(self, before: Draft, after: Draft, chance: Chance) -> None:
        writes = [self._changed(before, after)]
        if before.merchant_order_no is not None:
            with suppress(NumberLost):
                transact(self._client, [*writes, self._free_number(before)], chance.token())
                return
        transact(self._client, writes, chance.token())

    def complete(self, before: Draft, after: Draft, buy: NewBuy, token: str) -> None:
        writes = [self._changed(before, after)]
        if before.merchant_order_no is not None:
            writes.append(self._hand_number_over(before, buy.order))
        else:
            writes.append(ending_write(self._tables.orders, buy.order))
        transact(self._client, [*writes, *buy_writes(self._tables, buy)], token)

    def _changed(self, before: Draft, after: Draft) -> Write:
        return Write.change(self._tables.orders, "pk", draft_item(before), draft_item(after))

    def _free_number(self, draft: Draft) -> Write:
        """End a draft's reservation, which still finds the draft until the number is reused."""
        return self._number_write(draft, "SET expire_time = :over", {":over": 0})

    def _hand_number_over(self, draft: Draft, order: Order) -> Write:
        return self._number_write(
            draft,
            "SET order_no = :order_no, order_id = :order_id, desk_key = :desk_key "
            "REMOVE pending_no, expire_time",
            {
                ":order_no": order.order_no,
                ":order_id": order.order_id,
                ":desk_key": found_by(order.order_no, None)["desk_key"],
            },
        )

    def _number_write(self, draft: Draft, to: str, values: Mapping[str, Value]) -> Write:
        """Update a draft's reservation while the draft has it. Lost: NumberLost."""
        assert draft.merchant_order_no is not None
        return Write.update(
            self._tables.orders,
            {"pk": Key.number(draft.merchant_id, draft.merchant_order_no)},
            to,
            "pending_no = :pending_no",
            lambda _: NumberLost(),
            values={**values, ":pending_no": draft.pending_no},
        )


class DueEntries(TableStore):
    shards = DUE_SHARDS

    def due(self, shard: int, now: int, after: Due | None = None) -> Sequence[Due]:
        key = Key.due(shard)
        place: Item | None = None
        if after is not None:
            place = {"due_key": key, "due_time": after.due_time, "pk": after.number}
        more: QueryParts = {"limit": _PAGE_LIMIT, "after": place}
        asked = self._query(self._table, Index.DUE, key, ("<=", now), **more)
        rows = asked.rows()
        return [Due(DueKind(row["kind"]), row["pk"], row["due_time"]) for row in rows]
