"""Pages of the tables for a daily report, and the orders that were completed on the day."""

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from orderdesk.adapters.dynamodb.client import TablesStore, get_items
from orderdesk.adapters.dynamodb.keys import BALANCE_SORT_KEY, POSTING_PREFIX
from orderdesk.adapters.dynamodb.marshal import UNREADABLE, from_item, readable, to_item
from orderdesk.adapters.dynamodb.operator.ledger_scan import balance_row_of, trader_row_of
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.sending import call
from orderdesk.domain.ledger.accounts import TransferKind
from orderdesk.domain.ledger.day_report import CompletedRow, PostedRow, ReportRow
from orderdesk.domain.modes import Mode
from orderdesk.services.operator.report import DayTable, Place

_LEDGER = {
    "FilterExpression": "sk = :balance OR begins_with(sk, :posting)",
    "ProjectionExpression": (
        "pk, sk, available_micro, held_micro, kind, amount_micro, at_us, order_no"
    ),
    "ExpressionAttributeValues": to_item(
        {":balance": BALANCE_SORT_KEY, ":posting": POSTING_PREFIX}
    ),
}
_TRADERS = {
    "ProjectionExpression": "trader_id, #mode, available_micro, held_micro, open_orders",
    "ExpressionAttributeNames": {"#mode": "mode"},
    "FilterExpression": "attribute_exists(available_micro)",  # no reserved amounts
}


class DynamoDayScan(TablesStore):
    def page(
        self, table: DayTable, after: Place | None
    ) -> tuple[Sequence[ReportRow], Place | None]:
        scan: dict[str, Any]
        match table:
            case DayTable.LEDGER:
                scan, row_of = {"TableName": self._tables.ledger, **_LEDGER}, _ledger_row_of
            case DayTable.TRADERS:
                scan, row_of = {"TableName": self._tables.traders, **_TRADERS}, trader_row_of
            case _:
                assert_never(table)
        if after is not None:
            scan["ExclusiveStartKey"] = to_item(after)
        answer = call(lambda: self._client.scan(ConsistentRead=True, **scan))
        last = answer.get("LastEvaluatedKey")
        rows: list[ReportRow] = [*readable(lambda row: strictly(row_of(row)), answer["Items"])]
        return rows, None if last is None else {k: str(v) for k, v in from_item(last).items()}

    def completed(self, order_nos: Sequence[str]) -> Sequence[CompletedRow]:
        keys = [{"pk": order_no} for order_no in order_nos]
        items = get_items(self._client, self._tables.orders, keys)
        return [completed for item in items if item for completed in _completed_of(item)]


def _completed_of(row: Mapping[str, Any]) -> Sequence[CompletedRow]:
    """Return the report's row of an order; nothing if it is malformed."""
    try:
        return [
            strictly(
                CompletedRow(
                    merchant_id=row["merchant_id"],
                    trader_id=row["trader_id"],
                    mode=Mode(row["mode"]),
                    cny_fen=row["cny_fen"],
                    usdt_micro=row["usdt_micro"],
                    service_micro=row["service_micro"],
                    deposit_micro=row["deposit_micro"],
                )
            )
        ]
    except UNREADABLE:
        return ()


def _ledger_row_of(row: Mapping[str, Any]) -> ReportRow:
    if row["sk"] == BALANCE_SORT_KEY:
        return balance_row_of(row)
    kind, order_no = TransferKind(row["kind"]), row.get("order_no", "")
    return PostedRow(row["pk"], kind, row["at_us"], row["amount_micro"], order_no)
