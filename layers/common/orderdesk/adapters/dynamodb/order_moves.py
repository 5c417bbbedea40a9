"""An order's next state and its money, in one transaction.

Who else may write now: another actor's move (the version is another: read again and decide again),
a claim on the same trader (both add to its balance, neither sets it). What if the process dies:
before the transaction the order stands where it stood, after it it has moved with its money.
"""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.adapters.dynamodb.ledger import release_hold_statement
from orderdesk.adapters.dynamodb.order_store import OrderStore
from orderdesk.adapters.dynamodb.orders import order_item
from orderdesk.adapters.dynamodb.traders import release_statement
from orderdesk.adapters.dynamodb.transactions import Statement, transact
from orderdesk.adapters.dynamodb.versioned import change_statement
from orderdesk.domain.orders import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.transitions import MoneyEffect

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class OrderMoveStore:
    """Fills the port `OrderMoves`."""

    def __init__(self, client: "DynamoDBClient", tables: TableNames) -> None:
        self._client = client
        self._tables = tables
        self._orders = OrderStore(client, tables.orders)

    def order(self, order_no: str) -> Order | None:
        """Give an order, or None. Raises: TryAgain."""
        return self._orders.order(order_no)

    def commit(self, before: Order, after: Order, money: MoneyEffect, token: str) -> None:
        """Write what differs, and move the money. Raises: see the port."""
        item_before, item_after = order_item(before), order_item(after)
        statements = [change_statement(self._tables.orders, "pk", item_before, item_after)]
        if money is MoneyEffect.RELEASED:
            statements.append(self._released(before, after.updatetime))
        transact(self._client, statements, token)

    def _released(self, order: Order, now: int) -> Statement:
        if order.order_type is OrderType.BUY:
            return release_statement(self._tables.traders, order, now)
        return release_hold_statement(self._tables.ledger, order)
