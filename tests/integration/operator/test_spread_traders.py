"""`tools/deploy/spread_traders.py`: each rotation key gets its part of the traders."""

from collections import Counter
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.client import scan_pages
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.pricing import Mode
from tests.support.world import World
from tools.deploy import spread_traders as tool

SHARDS = 3


@pytest.fixture
def world(world: World) -> World:
    """Add seven online traders, all on the one key of a stack that began with one."""
    for _ in range(7):
        world.add_trader()
    return world


def traders(world: World) -> list[dict[str, Any]]:
    rows = [{**row} for row in world.items("Traders") if "available_micro" in row]
    return sorted(rows, key=lambda row: str(row["trader_id"]))


def spread(world: World) -> tuple[int, int]:
    return tool.spread_traders(world.client, "Traders", SHARDS, SystemChance())


def test_each_key_has_as_many_and_nothing_else_changes(world: World) -> None:
    before = traders(world)
    assert spread(world) == (4, 0)
    after = traders(world)
    assert sorted(Counter(row["shard"] for row in after).values()) == [2, 2, 3]
    for old, new in zip(before, after, strict=True):
        assert new["rotation_key"] == Key.rotation(Mode.LIVE, new["shard"])
        moved = {"shard": new["shard"], "rotation_key": new["rotation_key"]}
        is_moved = old["shard"] != new["shard"]
        assert new == {**old, **moved, "version": old["version"] + is_moved}
    assert spread(world) == (0, 0)


def test_a_trader_that_changes_meanwhile_is_left(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = traders(world)[1]["trader_id"]

    def scan_then_change(*arguments: Any) -> list[Any]:
        pages = list(scan_pages(*arguments))
        world.client.update_item(
            TableName="Traders",
            Key={"trader_id": {"S": busy}},
            UpdateExpression="ADD version :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )
        return pages

    monkeypatch.setattr(tool, "scan_pages", scan_then_change)
    assert spread(world) == (3, 1)
    monkeypatch.undo()
    assert spread(world) == (1, 0)
