"""Reads of whole tables in pages: for a daily report, and of a restored copy of the ledger."""

from collections.abc import Mapping, Sequence
from itertools import batched
from typing import TYPE_CHECKING, Any, assert_never

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import KEYS_MAX, TablesStore, TableStore, get_items
from orderdesk.adapters.dynamodb.keys import BALANCE_SORT_KEY, POSTING_PREFIX
from orderdesk.adapters.dynamodb.marshal import UNREADABLE, WireItem, from_item, readable, to_item
from orderdesk.adapters.dynamodb.operator.ledger_scan import (
    balance_row_of,
    checked_row,
    trader_row_of,
)
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.ledger.accounts import TransferKind
from orderdesk.domain.ledger.check_run import Source
from orderdesk.domain.ledger.day_report import CompletedRow, PostedRow, ReportRow
from orderdesk.domain.ledger.rows import LedgerRow
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import UnknownId
from orderdesk.services.operator.ledger import RestoredPage, RestoredPlace
from orderdesk.services.operator.report import DayTable, Place

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


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


class RestoredLedger(TableStore):
    """The postings of a restored table. The role may read tables with this prefix only."""

    def __init__(self, client: "DynamoDBClient", table: str, restored: str) -> None:
        super().__init__(client, table)
        if not restored.startswith(f"{table}-restored-"):
            raise UnknownId("restored table", restored)
        self._restored = restored

    def page(self, start: RestoredPlace | None) -> RestoredPage:
        scan: dict[str, Any] = {"TableName": self._restored, "ConsistentRead": True}
        if start is not None:
            pk, sk = start
            scan["ExclusiveStartKey"] = to_item({"pk": pk, "sk": sk})
        try:
            answer = call(lambda: self._client.scan(**scan))
        except ClientError as error:
            if error_code(error) == "ResourceNotFoundException":
                raise UnknownId("restored table", self._restored) from None
            raise
        then = [item for item in answer["Items"] if item["sk"]["S"].startswith(POSTING_PREFIX)]
        keys = [from_item({name: item[name] for name in ("pk", "sk")}) for item in then]
        now = [
            item
            for some in batched(keys, KEYS_MAX, strict=False)
            for item in get_items(self._client, self._table, some)
        ]
        pairs = [
            (_row(old), _row(to_item(new)) if new else None)
            for old, new in zip(then, now, strict=True)
        ]
        last: Any = answer.get("LastEvaluatedKey")
        return RestoredPage(pairs, None if last is None else (last["pk"]["S"], last["sk"]["S"]))


def _row(item: WireItem) -> LedgerRow | None:
    return checked_row(Source.LEDGER, item)


class DynamoDayScan(TablesStore):
    """Read what a daily report is made of, and the orders that were completed on the day."""

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
