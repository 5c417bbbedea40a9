"""An order's next state and its money, in one transaction.

Who else may write now: another actor's move (the version is another: read again and decide again),
a claim on the same trader (both add to its balance, neither sets it). What if the process dies:
before the transaction the order stands where it stood, after it it has moved with its money.
"""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.audit import audit_statement
from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.adapters.dynamodb.order_effects import effect_statements
from orderdesk.adapters.dynamodb.order_store import OrderStore
from orderdesk.adapters.dynamodb.orders import order_item
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.adapters.dynamodb.versioned import change_statement
from orderdesk.domain.orders import Order
from orderdesk.services.move_order import OrderChange

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

    def commit(self, change: OrderChange, token: str) -> None:
        """Write what differs, and what the move does beside. Raises: see the port."""
        before, after = order_item(change.before), order_item(change.after)
        statements = [change_statement(self._tables.orders, "pk", before, after)]
        if change.row is not None:
            now = change.after.updatetime
            statements += effect_statements(
                self._tables, change.before, change.row, change.claim, now
            )
        if change.audit is not None:
            statements.append(audit_statement(self._tables.ledger, change.audit))
        transact(self._client, statements, token)
