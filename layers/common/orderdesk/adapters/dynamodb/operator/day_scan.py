"""Scans of the tables for a daily report, in parallel segments."""

from collections.abc import Mapping
from typing import Any

from orderdesk.adapters.dynamodb.client import TablesStore
from orderdesk.adapters.dynamodb.keys import BALANCE_SORT_KEY, POSTING_PREFIX
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.ledger_scan import (
    balance_row_of,
    segment_pages,
    trader_row_of,
)
from orderdesk.adapters.dynamodb.orders.items import order_of
from orderdesk.domain.ledger.accounts import TransferKind
from orderdesk.domain.ledger.check_run import Segment
from orderdesk.domain.ledger.day_report import PostedRow, ReportRow
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.services.operator.report import Pages

_LEDGER = {
    "FilterExpression": "sk = :balance OR begins_with(sk, :posting)",
    "ProjectionExpression": "pk, sk, available_micro, held_micro, kind, amount_micro, at_us",
    "ExpressionAttributeValues": to_item(
        {":balance": BALANCE_SORT_KEY, ":posting": POSTING_PREFIX}
    ),
}
_TRADERS = {
    "ProjectionExpression": "trader_id, #mode, available_micro, held_micro, open_orders",
    "ExpressionAttributeNames": {"#mode": "mode"},
}


class DynamoDayScan(TablesStore):
    def ledger(self, segment: Segment) -> Pages:
        return segment_pages(self._client, self._tables.ledger, _LEDGER, segment, _ledger_row_of)

    def traders(self, segment: Segment) -> Pages:
        return segment_pages(self._client, self._tables.traders, _TRADERS, segment, trader_row_of)

    def completed_orders(self, segment: Segment, since: int) -> Pages:
        scan = {
            "FilterExpression": "kind = :order AND #status = :completed AND updatetime >= :since",
            "ExpressionAttributeNames": {"#status": "status"},
            "ExpressionAttributeValues": to_item(
                {":order": "order", ":completed": OrderStatus.COMPLETED.value, ":since": since}
            ),
        }
        return segment_pages(self._client, self._tables.orders, scan, segment, order_of)


def _ledger_row_of(row: Mapping[str, Any]) -> ReportRow:
    if row["sk"] == BALANCE_SORT_KEY:
        return balance_row_of(row)
    return PostedRow(row["pk"], TransferKind(row["kind"]), row["at_us"], row["amount_micro"])
