"""What a move does beside the order itself: balances, postings, the trader's count."""

from orderdesk.adapters.dynamodb.keys import TableNames
from orderdesk.adapters.dynamodb.ledger import (
    credit_statement,
    debit_held_statement,
    posting_statements,
    release_hold_statement,
)
from orderdesk.adapters.dynamodb.trader_claims import (
    claim_statement,
    free_statement,
    hold_again_statement,
    release_statement,
    settle_statement,
)
from orderdesk.adapters.dynamodb.transactions import Statement
from orderdesk.domain.ledger import AccountKind, Posting, Transfer
from orderdesk.domain.orders import Order
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.settlement import settlement
from orderdesk.domain.transitions import MoneyEffect, TraderEffect, Transition
from orderdesk.services.ports import Claim


def effect_statements(
    tables: TableNames, before: Order, row: Transition, claim: Claim | None, now: int
) -> list[Statement]:
    """Write what the table's row says of an order's money and trader, at a time (Unix seconds)."""
    match row.money:
        case MoneyEffect.CAPTURED:
            return _settled(tables, settlement(before, now))
        case MoneyEffect.RELEASED:
            return _released(tables, before, now)
        case MoneyEffect.HELD_AGAIN:
            return [hold_again_statement(tables.traders, before)]
        case MoneyEffect.STAYS:
            return _of_trader(tables, before, row, claim, now)


def _of_trader(
    tables: TableNames, before: Order, row: Transition, claim: Claim | None, now: int
) -> list[Statement]:
    match row.trader:
        case TraderEffect.STAYS:
            return []
        case TraderEffect.TAKEN:
            assert claim is not None, "an assignment claims its trader"
            return [claim_statement(tables.traders, before, claim)]
        case TraderEffect.FREED:
            return [free_statement(tables.traders, before, now)]


def _released(tables: TableNames, order: Order, now: int) -> list[Statement]:
    if order.order_type is OrderType.BUY:
        return [release_statement(tables.traders, order, now)]
    held = release_hold_statement(tables.ledger, order)
    if order.trader_id is None:
        return [held]
    return [held, free_statement(tables.traders, order, now)]


def _settled(tables: TableNames, transfer: Transfer) -> list[Statement]:
    moved = [_posted(tables, posting) for posting in transfer.postings]
    return [*moved, *posting_statements(tables.ledger, transfer)]


def _posted(tables: TableNames, posting: Posting) -> Statement:
    """Move one account's balance: a trader's is on its item, the others' in the ledger."""
    account, amount = posting.account, posting.amount_micro
    if account.kind is AccountKind.TRADER:
        return settle_statement(tables.traders, account.owner, amount)
    if amount < 0:
        return debit_held_statement(tables.ledger, posting)
    return credit_statement(tables.ledger, posting)
