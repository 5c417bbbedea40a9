"""The runbook's restore on DynamoDB Local, with 20,000 postings of one merchant.

DynamoDB Local has no backups: a copy of the table replaces the table that AWS would restore.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import batched
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.session import Session

from local import dynamodb_local
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.operator.ledger_scan import RestoredLedger, scan_client
from orderdesk.domain.ledger.seals import Finding, FindingKind
from orderdesk.domain.operators import UnknownId
from orderdesk.services.operator.ledger import compare_part
from tests.support.template import table_definition

MISSING = dynamodb_local.what_is_missing()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"DynamoDB Local needs {MISSING}")
POSTINGS, WRITERS, BATCH = 20_000, 8, 25
MERCHANT, AMOUNT = "m1", 1_000_000
ACCOUNT = f"merchant:{MERCHANT}:live"
NOW, THEN = "Ledger", "Ledger-restored-1"


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
        yield {"pk": pk, "sk": Key.BALANCE, **owned}
        for number in range(count):
            sk = Key.posting(number, f"t{number}")
            row = {"transfer_id": f"t{number}", "amount_micro": AMOUNT, "kind": "funding"}
            yield {"pk": pk, "sk": sk, "at_us": number, **row}


def write(client: Any, table: str) -> None:
    def put(part: tuple[dict[str, Any], ...]) -> None:
        left = {table: [{"PutRequest": {"Item": to_item(item)}} for item in part]}
        while left:
            left = client.batch_write_item(RequestItems=left)["UnprocessedItems"]

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(put, batched(items(), BATCH, strict=False)))


def compared(client: Any) -> tuple[int, list[Finding]]:
    """Compare in parts of one page, as calls with little time do."""
    restored = RestoredLedger(client, NOW, THEN)
    postings, found, part = 0, list[Finding](), None
    while part is None or part.following is not None:
        start = None if part is None else part.following
        part = compare_part(restored, start, lambda: False)
        postings += part.postings
        found += part.found
    return postings, found


def test_one_merchants_ledger_is_compared_and_mended(client: Any) -> None:
    scanning = scan_client(Session())
    began = time.perf_counter()
    for table in (NOW, THEN):
        write(client, table)
    written = time.perf_counter()
    postings, same = compared(scanning)
    read = time.perf_counter()
    print(f"written {written - began:.1f} s, compared {read - written:.1f} s")
    assert (postings, same) == (POSTINGS + 1, [])

    lost = {"pk": ACCOUNT, "sk": Key.posting(500, "t500")}
    client.delete_item(TableName=NOW, Key=to_item(lost))
    restored, start = RestoredLedger(scanning, NOW, THEN), (ACCOUNT, Key.posting(499, "t499"))
    [named] = compare_part(restored, start, lambda: False).found
    assert (named.kind, named.account, named.delta) == (FindingKind.LOST_POSTING, ACCOUNT, -AMOUNT)
    assert named.key == f"{ACCOUNT} {lost['sk']}"
    kept = client.get_item(TableName=THEN, Key=to_item(lost), ConsistentRead=True)["Item"]
    client.put_item(TableName=NOW, Item=kept, ConditionExpression="attribute_not_exists(pk)")
    assert compare_part(restored, start, lambda: False).found == []


def test_a_table_of_another_name_is_not_read(client: Any) -> None:
    for name in ("Traders", f"{NOW}-restored", f"x{THEN}"):
        with pytest.raises(UnknownId):
            RestoredLedger(client, NOW, name)
    with pytest.raises(UnknownId):
        compare_part(RestoredLedger(client, NOW, f"{THEN}2"), None, lambda: True)
