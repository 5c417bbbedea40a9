"""A ledger table restored to an earlier time: the lost items are listed and written again."""

from typing import Any

import pytest

from tests.support.market import FundedBooks, funded_books
from tests.support.world import World

THEN = "Ledger-then"


@pytest.fixture
def books(world: World, monkeypatch: pytest.MonkeyPatch) -> FundedBooks:
    monkeypatch.setattr("orderdesk.wiring.operators.pause_ms", lambda _: None)
    books = funded_books(world)
    world.client.update_continuous_backups(
        TableName="Ledger",
        PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
    )
    world.client.restore_table_to_point_in_time(
        SourceTableName="Ledger", TargetTableName=THEN, UseLatestRestorableTime=True
    )
    return books


def test_what_was_lost_is_named_and_written_back(books: FundedBooks) -> None:
    words = ("ledger", "compare", THEN, "--merchant", books.merchant.merchant_id)
    assert books.terminal.json(*words)["same"] is True
    row: Any = books.posting(books.key())
    key = {"pk": {"S": row["pk"]}, "sk": {"S": row["sk"]}}
    books.world.client.delete_item(TableName="Ledger", Key=key)
    books.set("Ledger", {"pk": books.key(), "sk": "balance"}, "available_micro", 0)

    refused = books.terminal.run(*words)
    assert refused.exit_code == 1
    account, transfer = books.key(), row["transfer_id"]
    assert refused.stderr.splitlines()[0] == (
        f"difference: {account}: transfer {transfer} of 1000.000000 USDT is lost"
    )
    other = ("ledger", "compare", THEN, "--merchant", "somebody-else")
    assert books.terminal.json(*other)["accounts"] == 0

    restored = [
        item
        for page in books.world.client.get_paginator("scan").paginate(TableName=THEN)
        for item in page["Items"]
        if item["pk"] == key["pk"]
    ]
    for item in restored:
        books.world.client.put_item(TableName="Ledger", Item=item)
    assert books.terminal.json(*words)["same"] is True
    assert books.terminal.json("ledger", "check")["balanced"] is True


def test_a_transfer_made_since_is_listed(books: FundedBooks) -> None:
    merchant_id = books.merchant.merchant_id
    funded = books.terminal.json("fund", "merchant", merchant_id, "5", "--memo", "since")
    told = books.terminal.json("ledger", "compare", THEN)
    assert told["same"] is True
    assert told["newer"] == [funded["transfer_id"]]
