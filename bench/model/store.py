"""The modelled DynamoDB: the tables that placing a buy uses, and the transaction coordinator.

Not modelled: indexes of Orders (their writes spread over many keys), and idempotency tokens.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from bench.model import refusals
from bench.model.capacity import read_units
from bench.model.expressions import WireItem, Write, holds
from bench.model.index import LaggingIndex
from bench.model.refusals import Reason
from bench.model.table import Stamp, Table
from bench.model.timeline import Timeline
from bench.model.timing import Span, Timing
from orderdesk.adapters.dynamodb.keys import Index, TableNames
from orderdesk.adapters.dynamodb.marshal import to_item

TABLES = TableNames(traders="Traders", orders="Orders", guards="Guards", ledger="Ledger")


class Store:
    """Executes queries and transactions. Only a transaction takes virtual time by itself."""

    def __init__(self, timeline: Timeline, timing: Timing, random: Random) -> None:
        self.timeline, self.timing, self._random = timeline, timing, random
        rotation = LaggingIndex(Index.ROTATION, timing.index_lag, random)
        self.tables = {
            TABLES.traders: Table(["trader_id"], rotation),
            TABLES.orders: Table(["pk"]),
            TABLES.guards: Table(["pk"]),
            TABLES.ledger: Table(["pk", "sk"]),
        }
        self._stamped = 0

    def put(self, table: str, item: Mapping[str, Any]) -> None:
        """Store an item before a run begins."""
        self.write_before({"Put": {"TableName": table, "Item": to_item(item)}})

    def write_before(self, statement: Mapping[str, Any]) -> None:
        """Apply a write before a run begins."""
        write = Write(statement)
        self.tables[write.table].apply(write, (0, 0), 0)

    def query(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], float]:
        """Answer `query` on an index; return the answer and its read units.

        `Limit` counts the items read; the filter is applied later and saves no units.
        """
        now_us = self.timeline.now_us
        table = self.tables[request["TableName"]]
        index = table.indexes[request["IndexName"]]
        values = request["ExpressionAttributeValues"]
        key, value = request["KeyConditionExpression"].split(" = ")
        if key != index.keys.key:
            raise NotImplementedError(request["KeyConditionExpression"])
        asked, start = values[value]["S"], request.get("ExclusiveStartKey")
        after = start and (int(start[index.keys.sort]["N"]), table.key_of(start))
        entries, last = index.page(asked, after, request["Limit"], now_us)
        units = read_units(sum(entry.size_bytes for entry in entries), consistent=False)
        reads = index.partitions[asked].reads
        if not reads.admits(now_us):
            raise refusals.throttled("Query")
        reads.take(units)
        wanted = request.get("FilterExpression")
        items = [e.item for e in entries if not wanted or holds(wanted, e.item, request)]
        answer = {"Items": items, "Count": len(items), "ScannedCount": len(entries)}
        if last is not None:
            keys = (index.keys.key, index.keys.sort, *table.key_names)
            answer["LastEvaluatedKey"] = {key: entries[-1].item[key] for key in keys}
        return answer, units

    def items(self, table_name: str, keys: Sequence[WireItem]) -> list[WireItem]:
        """Answer `batch_get_item` with each item after its last commit."""
        table = self.tables[table_name]
        return [item for key in keys if (item := table.item(table.key_of(key))) is not None]

    def transact(self, statements: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Answer `transact_write_items`: prepare every item, then commit or cancel every item.

        Each phase is sent to all items in parallel. Raises: ClientError.
        """
        writes = [Write(statement) for statement in statements]
        self._stamped += 1
        stamp = self.timeline.now_us, self._stamped
        self.timeline.wait(self.timing.ledger.draw(self._random))
        reasons = self._prepare(writes, stamp)
        accepted = [write for write, why in zip(writes, reasons, strict=True) if why is None]
        if len(accepted) < len(writes):
            self._finish(accepted, stamp, commits=False)
            raise refusals.cancelled(reasons)
        self.timeline.wait(self.timing.ledger.draw(self._random))
        self._finish(writes, stamp, commits=True)
        return {}

    def _prepare(self, writes: Sequence[Write], stamp: Stamp) -> list[Reason | None]:
        reasons: list[Reason | None] = [None] * len(writes)
        for number in self._arrivals(len(writes), self.timing.prepare):
            write = writes[number]
            table = self.tables[write.table]
            reasons[number] = table.refusal(write, stamp, self.timeline.now_us)
            if reasons[number] is None:
                table.hold(write, stamp)
        return reasons

    def _finish(self, writes: Sequence[Write], stamp: Stamp, *, commits: bool) -> None:
        for number in self._arrivals(len(writes), self.timing.commit):
            table = self.tables[writes[number].table]
            if commits:
                table.commit(writes[number], stamp, self.timeline.now_us)
            else:
                table.hold(writes[number], None)

    def _arrivals(self, count: int, span: Span) -> Iterator[int]:
        """Send `count` messages in parallel; yield each one's number on arrival."""
        sent_us = self.timeline.now_us
        spans = [span.draw(self._random) for _ in range(count)]
        for number in sorted(range(count), key=spans.__getitem__):
            self.timeline.wait_until(sent_us + spans[number] // 2)
            yield number
        self.timeline.wait_until(sent_us + max(spans, default=0))
