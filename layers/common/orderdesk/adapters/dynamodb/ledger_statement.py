"""An account's statement: its postings, newest first."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.keys import POSTING_PREFIX
from orderdesk.adapters.dynamodb.marshal import Value, from_item, to_item
from orderdesk.adapters.sending import read
from orderdesk.domain.ledger.accounts import Account, Entry, TransferKind
from orderdesk.services.traders.desk import Slice

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

# Sorts after every posting: "$" follows the "#" that ends the prefix.
_BEHIND_ALL = POSTING_PREFIX.removesuffix("#") + "$"


class LedgerStatement:
    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def entries(self, account: Account, before: str | None, limit: int) -> Slice[Entry]:
        """Give postings older than `before`, a posting's sort key; None for the newest.

        An invalid key counts as None.
        """
        last = before if before is not None and before.startswith(POSTING_PREFIX) else _BEHIND_ALL
        answer = read(
            lambda: self._client.query(
                TableName=self._table,
                KeyConditionExpression="pk = :account AND sk BETWEEN :first AND :last",
                ExpressionAttributeValues=to_item(
                    {":account": account.key, ":first": POSTING_PREFIX, ":last": last}
                ),
                ScanIndexForward=False,
                Limit=limit + 2,  # the posting at `last`, and one that shows there are more
                ConsistentRead=True,
            )
        )
        older = [row for row in map(from_item, answer["Items"]) if row["sk"] != last]
        page = older[:limit]
        more = len(older) > limit
        return Slice([_entry_of(row) for row in page], str(page[-1]["sk"]) if more else None)


def _entry_of(item: Mapping[str, Value]) -> Entry:
    row = cast("Mapping[str, Any]", item)
    return Entry(
        at_us=row["at_us"],
        kind=TransferKind(row["kind"]),
        amount_micro=row["amount_micro"],
        order_no=row.get("order_no", ""),
        memo=row["memo"],
    )
