"""A client with botocore's methods whose answers take virtual time."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from botocore.exceptions import ClientError

from bench.model.refusals import NONE
from bench.model.store import Store

type Answer = dict[str, Any]


class StoreClient:
    """One container's client. It counts requests and refusals.

    `requests`: by operation. `reasons`: by the code of each refused statement or request.
    `read_units`: of all reads.
    """

    def __init__(self, store: Store, random: Random, *, is_shared: bool = False) -> None:
        """`is_shared`: several threads use the client and one vCPU."""
        self._cpu_free_us = 0 if is_shared else None
        self._store, self._random = store, random
        self._timeline, self._timing = store.timeline, store.timing
        self.requests: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.read_units = 0.0

    def query(self, **request: Any) -> Answer:
        """Read a page of an index."""

        def look() -> Answer:
            span_us = self._timing.read.draw(self._random)
            self._timeline.wait(span_us // 2)  # DynamoDB reads at half of that time
            try:
                answer, units = self._store.query(request)
            finally:
                self._timeline.wait(span_us - span_us // 2)
            self.read_units += units
            return answer

        return self._send("Query", look)

    def batch_get_item(self, **request: Any) -> Answer:
        """Read items of one table; the function needs CPU time for each."""
        [(name, asked)] = request["RequestItems"].items()
        keys = asked["Keys"]

        def look() -> Answer:
            self._timeline.wait(self._timing.read.draw(self._random))
            self._work(self._timing.cpu_item.median_us * len(keys))
            return {"Responses": {name: self._store.items(name, keys)}}

        return self._send("BatchGetItem", look)

    def transact_write_items(self, **request: Any) -> Answer:
        """Write all items or none."""
        writes = request["TransactItems"]
        return self._send("TransactWriteItems", lambda: self._store.transact(writes))

    def _send[T](self, operation: str, serve: Callable[[], T]) -> T:
        self.requests[operation] += 1
        self._travel()
        try:
            return serve()
        except ClientError as error:
            response: Any = error.response
            alone = [{"Code": response["Error"]["Code"]}]
            codes = [reason["Code"] for reason in response.get("CancellationReasons", alone)]
            self.reasons.update(code for code in codes if code != NONE)
            raise
        finally:
            self._travel()

    def _travel(self) -> None:
        """Wait for one way: half of the client's CPU time, and the network."""
        self._work(self._timing.cpu_request.draw(self._random) // 2)
        self._timeline.wait(self._timing.hop.draw(self._random))

    def _work(self, work_us: int) -> None:
        """Use the CPU; threads that share it wait for each other."""
        if self._cpu_free_us is None:
            return self._timeline.wait(work_us)
        self._cpu_free_us = max(self._timeline.now_us, self._cpu_free_us) + work_us
        return self._timeline.wait_until(self._cpu_free_us)
