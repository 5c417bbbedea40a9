"""The reversal of a completed order, in one transaction with its postings and balances.

A transaction has at most 100 actions, and each split account may have 32 shards. So what the
order's shard lacks is gathered there first, in a transaction of its own: it moves available USDT
within the account, and a crash after it loses nothing.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.balance_shards import balance_key, shard_hold_writes
from orderdesk.adapters.dynamodb.balance_writes import Shift, balance_write
from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.adapters.dynamodb.ledger import balance_place, credit_write, posting_writes
from orderdesk.adapters.dynamodb.operator.funds import OperatorFunds, trader_credit_write
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.reads import OrderStore
from orderdesk.adapters.dynamodb.transactions import Write, change_write, transact
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.ledger.accounts import AccountKind, Posting, Transfer
from orderdesk.domain.orders.order import Order
from orderdesk.domain.times import US_PER_SECOND

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class OperatorReversals(OperatorFunds):
    def __init__(self, client: "DynamoDBClient", tables: TableNames) -> None:
        super().__init__(client, tables)
        self._orders = OrderStore(client, tables.orders)

    def order(self, order_no: str) -> Order | None:
        return self._orders.order(order_no)

    def reverse(
        self,
        before: Order,
        after: Order,
        transfer: Transfer,
        entry: AuditEntry,
        token: str,
        *,
        also: Sequence[tuple[Order, Order]] = (),
    ) -> None:
        at, shard = transfer.at_us // US_PER_SECOND, before.shard
        for number, posting in enumerate(transfer.postings):
            self._gather(posting, shard, at, f"{token}{number}")
        moved = [self._moved(posting, shard, at) for posting in transfer.postings]
        writes = [
            *audit_writes(self._tables, entry),
            *(
                change_write(self._tables.orders, "pk", order_item(old), order_item(new))
                for old, new in [(before, after), *also]
            ),
            *moved,
            *posting_writes(self._tables.ledger, transfer),
        ]
        transact(self._client, writes, token)

    def _gather(self, posting: Posting, shard: int, at: int, token: str) -> None:
        """Gather what a split account returns on one shard. Raises: ChangedMeanwhile."""
        account, amount = posting.account, -posting.amount_micro
        if amount <= 0 or account.kind is AccountKind.TRADER:
            return
        found = self._shards.gather(account, shard, amount)
        if found is None:
            raise ChangedMeanwhile
        if found.given:
            moved = Shift(0, 0, at)
            writes = shard_hold_writes(self._tables.ledger, account, found, moved, _changed)
            transact(self._client, writes, token)

    def _moved(self, posting: Posting, shard: int, at: int) -> Write:
        account, amount = posting.account, posting.amount_micro
        if account.kind is AccountKind.TRADER:
            if amount > 0:
                return trader_credit_write(self._tables.traders, posting, at)
            place = balance_place(self._tables, account)
            return balance_write(*place, Shift(amount, 0, at), _changed)
        if amount > 0:
            return credit_write(self._tables.ledger, posting, at, shard)
        key = balance_key(account, shard)
        return balance_write(self._tables.ledger, key, Shift(amount, 0, at), _changed)


def _changed(_: object) -> OrderdeskError:
    return ChangedMeanwhile()
