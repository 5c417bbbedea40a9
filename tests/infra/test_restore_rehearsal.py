"""The runbook's restore on DynamoDB Local, with 100,000 postings of one merchant.

DynamoDB Local has no backups: a copy of the table replaces the table that AWS would restore.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from itertools import batched
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.session import Session

from local import dynamodb_local
from orderdesk.adapters.dynamodb.keys import BALANCE_SORT_KEY, TableNames, posting_sort_key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.ledger_scan import DynamoLedgerScan, scan_client
from orderdesk.domain.ledger.restored import RestoredKind
from orderdesk.services.operator.ledger import Comparison, compare_with_restored
from tests.support.template import table_definition

MISSING = dynamodb_local.what_is_missing()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"DynamoDB Local needs {MISSING}")
POSTINGS, WRITERS, BATCH, SEGMENTS = 100_000, 8, 25, 8
MERCHANT, AMOUNT = "m1", 1_000_000
ACCOUNT = f"merchant:{MERCHANT}:live"
NOW, THEN = "Ledger", "Ledger-then"
UNUSED = TableNames(*(["unused"] * len(fields(TableNames))))


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with dynamodb_local.running(print, tmp_path) as endpoint_url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint_url)
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        client = boto3.client("dynamodb")
        for table in (NOW, THEN):
            client.create_table(TableName=table, **table_definition("LedgerTable"))
        yield client


def items() -> Iterator[dict[str, Any]]:
    """Yield a merchant's account with its postings, and another account."""
    for pk, count in ((ACCOUNT, POSTINGS), ("fee:m2:live", 1)):
        owned = {"available_micro": count * AMOUNT, "held_micro": 0}
        yield {"pk": pk, "sk": BALANCE_SORT_KEY, **owned}
        for number in range(count):
            sk = posting_sort_key(number, f"t{number}")
            row = {"transfer_id": f"t{number}", "amount_micro": AMOUNT, "kind": "funding"}
            yield {"pk": pk, "sk": sk, "at_us": number, **row}


def write(client: Any, table: str) -> None:
    def put(part: tuple[dict[str, Any], ...]) -> None:
        left = {table: [{"PutRequest": {"Item": to_item(item)}} for item in part]}
        while left:
            left = client.batch_write_item(RequestItems=left)["UnprocessedItems"]

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(put, batched(items(), BATCH, strict=False)))


def compared() -> Comparison:
    then, now = (
        DynamoLedgerScan(scan_client(Session()), replace(UNUSED, ledger=table))
        for table in (THEN, NOW)
    )
    return compare_with_restored(then, now, [MERCHANT], segments=SEGMENTS)


def test_one_merchants_ledger_is_compared_and_mended(client: Any) -> None:
    began = time.perf_counter()
    for table in (NOW, THEN):
        write(client, table)
    written = time.perf_counter()
    same = compared()
    read = time.perf_counter()
    print(f"written {written - began:.1f} s, compared {read - written:.1f} s")
    assert (same.differences, same.newer) == ((), ())
    assert (same.accounts, same.postings) == (1, POSTINGS)

    lost = {"pk": ACCOUNT, "sk": posting_sort_key(500, "t500")}
    client.delete_item(TableName=NOW, Key=to_item(lost))
    named = compared()
    found = [(each.kind, each.transfer_id, each.delta) for each in named.differences]
    assert found == [
        (RestoredKind.LOST, "t500", -AMOUNT),
        (RestoredKind.BALANCE_NOW, "", AMOUNT),
    ]
    kept = client.get_item(TableName=THEN, Key=to_item(lost), ConsistentRead=True)["Item"]
    client.put_item(TableName=NOW, Item=kept, ConditionExpression="attribute_not_exists(pk)")
    assert compared().differences == ()
