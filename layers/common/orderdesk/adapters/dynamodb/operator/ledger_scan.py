"""Scans of the Ledger, Traders and Orders tables, in parallel segments, for the ledger check."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from botocore.config import Config
from botocore.session import Session

from orderdesk.adapters.dynamodb.balance_shards import listed_in
from orderdesk.adapters.dynamodb.client import TablesStore, scan_pages
from orderdesk.adapters.dynamodb.keys import (
    BALANCE_SORT_KEY,
    OPEN_BUYS_KIND,
    POSTING_PREFIX,
    PROPOSALS_KEY,
)
from orderdesk.adapters.dynamodb.marshal import from_item, to_item
from orderdesk.adapters.dynamodb.orders.items import order_of
from orderdesk.adapters.sending import CLIENT_CONFIG
from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.rows import (
    BalanceRow,
    LedgerRow,
    OpenBuysRow,
    PostingRow,
    TraderRow,
    WithdrawalRow,
    shard_of,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.proposals import ProposalStatus
from orderdesk.services.operator.ledger import SEGMENTS_MAX, Pages, Segment

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

# Reads can be retried safely, so botocore retries them. It retries often, because a table throttles
# parallel scans first.
SCAN_CONFIG = CLIENT_CONFIG.merge(
    Config(
        max_pool_connections=SEGMENTS_MAX,
        read_timeout=10,
        retries={"total_max_attempts": 8, "mode": "standard"},
    )
)

_BALANCES = {
    "FilterExpression": "sk = :balance",
    "ProjectionExpression": "pk, sk, available_micro, held_micro, shards",
    "ExpressionAttributeValues": to_item({":balance": BALANCE_SORT_KEY}),
}
_ENTRIES = {
    "FilterExpression": (
        "sk = :balance OR begins_with(sk, :posting) OR "
        "(pk = :proposals AND #status = :open AND begins_with(#command, :withdraw))"
    ),
    "ProjectionExpression": (
        "pk, sk, available_micro, held_micro, shards, transfer_id, amount_micro, account"
    ),
    "ExpressionAttributeNames": {"#status": "status", "#command": "command"},
    "ExpressionAttributeValues": to_item(
        {
            ":balance": BALANCE_SORT_KEY,
            ":posting": POSTING_PREFIX,
            ":proposals": PROPOSALS_KEY,
            ":open": ProposalStatus.OPEN.value,
            ":withdraw": "withdraw.",
        }
    ),
}
_TRADERS = {
    "ProjectionExpression": (
        "trader_id, #mode, available_micro, held_micro, open_orders, unique_amounts, open_amounts"
    ),
    "ExpressionAttributeNames": {"#mode": "mode"},
}
_STATUSES = {f":{status.value}": status.value for status in OrderStatus if status.is_open}
_OPEN_ORDERS = {
    "FilterExpression": (
        f"kind = :counter OR (kind = :order AND #status IN ({', '.join(_STATUSES)}))"
    ),
    "ExpressionAttributeNames": {"#status": "status"},
    "ExpressionAttributeValues": to_item(
        {":order": "order", ":counter": OPEN_BUYS_KIND, **_STATUSES}
    ),
}


def scan_client(session: Session) -> "DynamoDBClient":
    """Create a client for scans; it is thread-safe."""
    return cast("DynamoDBClient", session.create_client("dynamodb", config=SCAN_CONFIG))


class DynamoLedgerScan(TablesStore):
    """Scan for the ledger check; each page is read consistently at its own time."""

    def entries(self, segment: Segment) -> Pages:
        return segment_pages(self._client, self._tables.ledger, _ENTRIES, segment, _entry_of)

    def balances(self, segment: Segment) -> Pages:
        return segment_pages(self._client, self._tables.ledger, _BALANCES, segment, _entry_of)

    def traders(self, segment: Segment) -> Pages:
        return segment_pages(self._client, self._tables.traders, _TRADERS, segment, trader_row_of)

    def open_orders(self, segment: Segment) -> Pages:
        return segment_pages(self._client, self._tables.orders, _OPEN_ORDERS, segment, _open_of)


def segment_pages[R](
    client: "DynamoDBClient",
    table: str,
    scan: Mapping[str, Any],
    segment: Segment,
    row_of: Callable[[Mapping[str, Any]], R],
) -> Iterator[Sequence[R]]:
    """Scan a segment of a table, read consistently. Raises: TryAgain."""
    part = {"Segment": segment.index, "TotalSegments": segment.of, "ConsistentRead": True}
    for page in scan_pages(client, {"TableName": table, **scan, **part}):
        yield [row_of(from_item(item)) for item in page]


# A missing attribute counts as 0, so the check reports a damaged item instead of failing.
def _entry_of(row: Mapping[str, Any]) -> LedgerRow:
    if row["sk"] == BALANCE_SORT_KEY:
        return balance_row_of(row)
    if row["pk"] == PROPOSALS_KEY:
        return WithdrawalRow(row.get("account", ""), row.get("amount_micro", 0))
    return PostingRow(row["pk"], row.get("transfer_id", row["sk"]), row.get("amount_micro", 0))


def balance_row_of(row: Mapping[str, Any]) -> BalanceRow:
    """Return the balance of one shard of an account."""
    account_key, shard = shard_of(row["pk"])
    return BalanceRow(account_key, balance_of(row), shard, listed_in(row))


def trader_row_of(row: Mapping[str, Any]) -> TraderRow:
    """Return a trader's balance, count of open orders, and open amounts if they are unique."""
    account = Account(AccountKind.TRADER, row["trader_id"], Mode(row["mode"]))
    amounts = row.get("open_amounts", frozenset()) if row.get("unique_amounts") else None
    return TraderRow(account, balance_of(row), row.get("open_orders", 0), amounts)


def _open_of(row: Mapping[str, Any]) -> LedgerRow:
    if row["kind"] == OPEN_BUYS_KIND:
        return OpenBuysRow(row["pk"], row.get("open_buys", 0), row.get("open_fen", 0))
    return order_of(row)


def balance_of(row: Mapping[str, Any]) -> Balance:
    """Return the balance of an account's or a trader's item."""
    return Balance(row.get("available_micro", 0), row.get("held_micro", 0))
