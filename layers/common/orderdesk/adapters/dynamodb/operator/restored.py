"""A copy of the Ledger table that AWS restored, read beside the present table."""

from itertools import batched
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.client import KEYS_MAX, TableStore, get_items
from orderdesk.adapters.dynamodb.keys import POSTING_PREFIX
from orderdesk.adapters.dynamodb.marshal import WireItem, from_item, to_item
from orderdesk.adapters.dynamodb.operator.ledger_scan import checked_row
from orderdesk.adapters.sending import call, error_code
from orderdesk.domain.ledger.check_run import Source
from orderdesk.domain.ledger.rows import LedgerRow
from orderdesk.domain.operators import UnknownId
from orderdesk.services.operator.ledger import RestoredPage, RestoredPlace

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


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
