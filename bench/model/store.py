"""The modelled DynamoDB: the tables that placing a buy touches, and the transaction coordinator.

The indexes of Orders are left out: their writes spread over many keys. Idempotency tokens are left
out, because no answer is lost here. No two keys share a partition.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from bench.model import refusals
from bench.model.expressions import WireItem, holds, partition_value
from bench.model.index import Entry, LaggingIndex, Schema
from bench.model.refusals import Reason
from bench.model.sizes import read_units
from bench.model.table import Stamp, Table
from bench.model.throughput import Limits
from bench.model.timeline import Timeline
from bench.model.timing import Span, Timing
from bench.model.writes import Write
from orderdesk.adapters.dynamodb.keys import ROTATION_INDEX, TableNames

TABLES = TableNames(traders="Traders", orders="Orders", guards="Guards", ledger="Ledger")
ROTATION = Schema(ROTATION_INDEX, "rotation_key", "last_accepted_at")


class Store:
    """Carries out what placing a buy asks for: queries and transactions.

    Of these only a transaction takes time by itself.
    """

    def __init__(
        self, timeline: Timeline, timing: Timing, random: Random, limits: Limits | None = None
    ) -> None:
        self._timeline, self._timing, self._random = timeline, timing, random
        limits = limits or Limits()
        rotation = LaggingIndex(ROTATION, timing.index_lag, random, limits)
        self.tables = {
            TABLES.traders: Table(["trader_id"], limits, [rotation]),
            TABLES.orders: Table(["pk"], limits),
            TABLES.guards: Table(["pk"], limits),
            TABLES.ledger: Table(["pk", "sk"], limits),
        }
        self._stamped = 0

    def query(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], float]:
        """Answer `query` on an index, and say what it cost in read units.

        `Limit` counts what is read; the filter comes after it and saves nothing.
        """
        now_us = self._timeline.now_us
        table = self.tables[request["TableName"]]
        index = table.indexes[request["IndexName"]]
        names = tuple(sorted(request.get("ExpressionAttributeNames", {}).items()))
        values = request["ExpressionAttributeValues"]
        keys = index.schema.partition, index.schema.sort
        asked = partition_value(request["KeyConditionExpression"], keys, names, values)["S"]
        start = request.get("ExclusiveStartKey")
        after = None if start is None else (int(start[keys[1]]["N"]), table.key_of(start))
        entries, last = index.page(asked, after, request["Limit"], now_us)
        units = read_units(sum(entry.size_bytes for entry in entries), consistent=False)
        reads = index.partition(asked, now_us).reads
        if not reads.admits(now_us):
            raise refusals.throttled("Query")
        reads.take(units)
        wanted = request.get("FilterExpression")
        items = [e.item for e in entries if not wanted or holds(wanted, e.item, names, values)]
        answer = {"Items": items, "Count": len(items), "ScannedCount": len(entries)}
        if last is not None:
            answer["LastEvaluatedKey"] = _key_in(index, table, entries[-1])
        return answer, units

    def items(self, table_name: str, keys: Sequence[WireItem]) -> list[WireItem]:
        """Answer `batch_get_item`: each item as its last commit left it."""
        table = self.tables[table_name]
        return [item for key in keys if (item := table.item(table.key_of(key))) is not None]

    def items_at_once(self, gets: Sequence[Mapping[str, Any]]) -> list[WireItem | None]:
        """Answer `transact_get_items`: read all twice, and cancel what is being written."""
        places = [(self.tables[get["TableName"]], get["Key"]) for get in gets]
        before = [table.seen(key) for table, key in places]
        self._timeline.wait(self._timing.read.draw(self._random))
        changed = [
            table.seen(key) != then for (table, key), then in zip(places, before, strict=True)
        ]
        busy = [why or seen[1] for why, seen in zip(changed, before, strict=True)]
        if any(busy):
            conflict = refusals.reason(refusals.CONFLICT)
            raise refusals.cancelled([conflict if is_busy else None for is_busy in busy])
        return [table.item(table.key_of(key)) for table, key in places]

    def transact(self, statements: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Answer `transact_write_items`: prepare every item, then commit, or cancel, every item.

        Both are sent to all items at once. Raises: ClientError.
        """
        writes = [Write.in_transaction(statement) for statement in statements]
        stamp = self._stamp()
        self._timeline.wait(self._timing.ledger.draw(self._random))
        reasons = self._prepare(writes, stamp)
        accepted = [write for write, why in zip(writes, reasons, strict=True) if why is None]
        if len(accepted) < len(writes):
            self._finish(accepted, stamp, commits=False)
            raise refusals.cancelled(reasons)
        self._timeline.wait(self._timing.ledger.draw(self._random))
        self._finish(writes, stamp, commits=True)
        return {}

    def _prepare(self, writes: Sequence[Write], stamp: Stamp) -> list[Reason | None]:
        reasons: list[Reason | None] = [None] * len(writes)
        for number in self._arrivals(len(writes), self._timing.prepare):
            write = writes[number]
            table = self.tables[write.table]
            reasons[number] = table.refusal(write, stamp, self._timeline.now_us)
            if reasons[number] is None:
                table.lock(write, stamp)
        return reasons

    def _finish(self, writes: Sequence[Write], stamp: Stamp, *, commits: bool) -> None:
        for number in self._arrivals(len(writes), self._timing.commit):
            table = self.tables[writes[number].table]
            if commits:
                table.commit(writes[number], stamp, self._timeline.now_us)
            else:
                table.release(writes[number])

    def _arrivals(self, count: int, span: Span) -> Iterator[int]:
        """Send so many messages at once; give each one's number when it arrives."""
        sent_us = self._timeline.now_us
        spans = [span.draw(self._random) for _ in range(count)]
        for number in sorted(range(count), key=spans.__getitem__):
            self._timeline.wait_until(sent_us + spans[number] // 2)
            yield number
        self._timeline.wait_until(sent_us + max(spans, default=0))

    def _stamp(self) -> Stamp:
        self._stamped += 1
        return self._timeline.now_us, self._stamped


def _key_in(index: LaggingIndex, table: Table, entry: Entry) -> WireItem:
    names = (index.schema.partition, index.schema.sort, *table.key_names)
    return {name: entry.item[name] for name in names}
