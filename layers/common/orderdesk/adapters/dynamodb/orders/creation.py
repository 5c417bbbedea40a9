"""The writes of createOrder: each commit is one conditional transaction.

Concurrent writers: another creation (same nonce, same number, same trader), an operator (trader
offline, range changed), a release (the trader's balance grows). After a crash, either nothing or
the whole transaction is stored. A merchant that gets no response retries with the same
merchant_order_no and receives the existing order's number.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.keys import Key, TableNames
from orderdesk.adapters.dynamodb.ledger import LedgerStore, hold_writes
from orderdesk.adapters.dynamodb.marshal import Item, Value
from orderdesk.adapters.dynamodb.nonces import NonceStore, nonce_write
from orderdesk.adapters.dynamodb.open_orders import count_write
from orderdesk.adapters.dynamodb.orders.items import draft_item, found_by, order_item
from orderdesk.adapters.dynamodb.orders.reads import OrderWrites, reservation_of
from orderdesk.adapters.dynamodb.traders.amounts import amount_claim_write
from orderdesk.adapters.dynamodb.traders.claims import claim_write
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.accounts import Gather
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.ledger.settlement import account_held_on, amount_held
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import DeskRule, NumberTaken, OrderIdTaken, RefusedByDesk
from orderdesk.domain.orders.requests import fingerprint
from orderdesk.services.ports import NewBuy, NewSell, Nonce

if TYPE_CHECKING:
    from orderdesk.domain.orders.blocks import DayCount


class NewOrderStore(OrderWrites):
    def consume(self, nonce: Nonce) -> None:
        NonceStore(self._client, self._tables.guards).consume(nonce)

    def commit_buy(self, buy: NewBuy, nonce: Nonce | None, token: str) -> None:
        writes = [*self._guards(buy.order, nonce), *buy_writes(self._tables, buy)]
        transact(self._client, writes, token)

    def commit_sell(self, sell: NewSell, nonce: Nonce | None, token: str) -> None:
        money = hold_writes(self._tables.ledger, sell)
        put = new_item_write(self._tables.orders, order_item(sell.order))
        refund = []
        if sell.refunded is not None:
            items = map(order_item, sell.refunded)
            refund.append(Write.change(self._tables.orders, "pk", *items))
        day = day_writes(self._tables.guards, sell.day)
        writes = [*self._guards(sell.order, nonce), *day, *refund, *money, put]
        transact(self._client, writes, token)

    def gather(self, order: Order, shards: int) -> Gather | None:
        account, amount = account_held_on(order), amount_held(order)
        ledger = LedgerStore(self._client, self._tables.ledger)
        return ledger.gather(account, order.shard, amount, shards)

    def commit_draft(self, draft: Draft, token: str) -> None:
        put = new_item_write(self._tables.orders, draft_item(draft))
        transact(self._client, [*self._guards(draft, None), put], token)

    def _guards(self, new: Order | Draft, nonce: Nonce | None) -> list[Write]:
        """Consume the nonce and reserve the number; they are first, so their errors win."""
        writes = [] if nonce is None else [nonce_write(self._tables.guards, nonce)]
        if new.merchant_order_no is not None:
            writes.append(reservation_write(self._tables.orders, new))
        elif isinstance(new, Order):
            writes.append(ending_write(self._tables.orders, new))
        return writes


def ending_write(table: str, order: Order) -> Write:
    """Store the ending of an order that reserves no merchant_order_no; operators search by it."""
    return new_item_write(
        table,
        {
            "pk": Key.ending(order.order_no),
            "kind": "ending",
            "order_no": order.order_no,
            **found_by(order.order_no, None),
        },
    )


def buy_writes(tables: TableNames, buy: NewBuy) -> list[Write]:
    """Count a new buy, claim its trader, write the order.

    The count is first, so a merchant at its limit gets that error even if the claim is lost too.
    """
    order, has_amount = buy.order, buy.order.counted.unique_amount
    return [
        *day_writes(tables.guards, buy.day),
        count_write(tables.orders, order, buy.share),
        claim_write(tables.traders, order, buy.claim),
        *([amount_claim_write(tables.traders, order)] if has_amount else []),
        new_item_write(tables.orders, order_item(order)),
    ]


def day_writes(table: str, day: "DayCount | None") -> list[Write]:
    """Add an order to a limited day, within its limits. Lost: RefusedByDesk."""
    if day is None:
        return []
    left = ["(attribute_not_exists(fen) OR fen <= :left)"] if day.most_fen else []
    room = ["(attribute_not_exists(orders) OR orders < :most)"] if day.most else []
    values: Item = {":one": 1, ":fen": day.fen, ":expires_at": day.expires_at}
    values |= {":left": day.most_fen - day.fen} if day.most_fen else {}
    values |= {":most": day.most} if day.most else {}
    return [
        Write.update(
            table,
            {"pk": Key.limited_day(day.mode, day.day, day.digest)},
            "ADD orders :one, fen :fen SET expires_at = :expires_at",
            " AND ".join((*left, *room)),
            lambda _: RefusedByDesk(DeskRule.DAY),
            values=values,
        )
    ]


def new_item_write(table: str, item: Item) -> Write:
    """Write a new order or draft. Lost: OrderIdTaken, if its number exists."""
    return Write.put(table, item, "attribute_not_exists(pk)", lambda _: OrderIdTaken())


def reservation_write(table: str, new: Order | Draft) -> Write:
    """Reserve a merchant_order_no: permanently for an order, until expire_time for a draft.

    An expired draft's reservation is ignored, even before the sweep ends it. Lost: NumberTaken,
    with the number of the order or draft that has it.
    """
    assert new.merchant_order_no is not None
    number = new.order_no if isinstance(new, Order) else new.pending_no
    owner: dict[str, Value] = (
        {"order_no": number}
        if isinstance(new, Order)
        else {"pending_no": number, "expire_time": new.expire_time}
    )
    never_reserved = "attribute_not_exists(pk)"
    draft_ran_out = "expire_time <= :now"
    return Write.put(
        table,
        {
            "pk": Key.number(new.merchant_id, new.merchant_order_no),
            "kind": "reservation",
            "merchant_order_no": new.merchant_order_no,
            "fingerprint": fingerprint(new),
            "mode": new.mode.value,
            **owner,
            **found_by(number, new.merchant_order_no),
        },
        f"{never_reserved} OR {draft_ran_out}",
        _number_taken,
        values={":now": new.createtime},
        returns_item=True,
    )


def _number_taken(item: Mapping[str, Value] | None) -> OrderdeskError:
    return NumberTaken(None if item is None else reservation_of(item))
