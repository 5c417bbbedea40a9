"""The model's assumptions about time.

Published: DynamoDB promises single-digit milliseconds for single items. The only open measurement
of transactions that we know of (alexdebrie/dynamodb-performance-testing, 2020, from Lambda, client
included) reports PutItem p50 7.6 ms, p99 16 ms and TransactWriteItems of five items p50 25 ms, p99
92 ms; `MEASURED_2020` is scaled to that. AWS documents that an index follows "within a second",
without a distribution.

Assumed: `ASSUMED`, today's usual figures in a Lambda function: Query about 4 ms,
TransactWriteItems about 15 ms, of which an item is locked about 6 ms; the index lags 10 ms in the
median and 50 ms at p99. The split of a transaction into its phases follows the paper
"Distributed Transactions at Scale in Amazon DynamoDB" (USENIX ATC 2023), which reports no times.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from random import Random


@dataclass(frozen=True, slots=True)
class Span:
    """A log-normal duration: its median in microseconds and the sigma of its logarithm."""

    median_us: int
    sigma: float = 0.0

    def draw(self, random: Random) -> int:
        """Draw a duration in microseconds."""
        if not self.sigma:
            return self.median_us
        return round(self.median_us * math.exp(self.sigma * random.gauss()))


@dataclass(frozen=True, slots=True)
class Timing:
    """The duration of each part of a request.

    hop: between function and DynamoDB, one way. read: one query inside DynamoDB, which reads at
    half of it. ledger: the transaction coordinator's record, once before it prepares and once
    before it commits. prepare, commit: coordinator to storage node and back, for all items in
    parallel; an item is locked from the middle of prepare to the middle of commit. index_lag: from
    a write until the index shows it. cpu_…: the function's CPU time before, around each request
    (half of it before sending) and after. cpu_item: for each order that the assigner reads.
    """

    hop: Span = Span(500, 0.25)
    read: Span = Span(3_000, 0.35)
    ledger: Span = Span(2_000, 0.3)
    prepare: Span = Span(3_000, 0.4)
    commit: Span = Span(3_000, 0.4)
    index_lag: Span = Span(10_000, 0.7)
    cpu_begin: Span = Span(2_000)
    cpu_request: Span = Span(1_500)
    cpu_end: Span = Span(1_000)
    cpu_item: Span = Span(200)

    def stretched(self, percent: int) -> "Timing":
        """Return the timing with DynamoDB slower (over 100) or faster, and the same CPU time."""
        own = {"cpu_begin", "cpu_request", "cpu_end", "cpu_item"}
        spans = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in own}
        medians = {name: span.median_us * percent // 100 for name, span in spans.items()}
        return replace(self, **{n: replace(spans[n], median_us=us) for n, us in medians.items()})


ASSUMED = Timing()
MEASURED_2020 = ASSUMED.stretched(170)


def percentile(values: Sequence[int], percent: int) -> int:
    """Return the smallest value that `percent` of the values do not exceed; 0 if there are none."""
    rank = -(-len(values) * percent // 100)
    return sorted(values)[max(rank, 1) - 1] if values else 0
