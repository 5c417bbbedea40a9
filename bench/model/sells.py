"""Sells of one merchant, which contend for the shards of its balance."""

from dataclasses import replace
from typing import Any

from bench.model import market
from bench.model.contention import Market
from bench.model.store import TABLES
from orderdesk.adapters.dynamodb.ledger import credit_write, debit_held_write, posting_writes
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.domain.ledger.accounts import AccountKind
from orderdesk.domain.ledger.settlement import settlement
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.requests import OrderRequest


class Sells(Market):
    """Sells of one merchant, whose initial balance is on shard 0; they need no trader."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named | {"merchants": 1})
        merchant = market.open_directory(0, self.balance_shards).merchant
        market.fund(self.store, merchant, market.AMPLE_MICRO)

    def request(self, number: int) -> OrderRequest:
        """Create the request of a sell."""
        return market.sell(number)

    def ending(self, order: Order) -> list[Write]:
        """Debit the hold and credit the fee; the traders' items have no contention here."""
        transfer = settlement(replace(order, trader_id="t"), order.createtime)
        own = [each for each in transfer.changes if each.account.kind is not AccountKind.TRADER]
        held, *others = own
        credited = [credit_write(TABLES.ledger, p, order.createtime, order.shard) for p in others]
        moved = [debit_held_write(TABLES.ledger, held, order, order.createtime), *credited]
        return [*moved, *posting_writes(TABLES.ledger, transfer)]
