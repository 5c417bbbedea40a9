"""From what was seen to what is billed: quantities by the names of their prices."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from bench.costs import schema
from bench.costs.assumptions import Assumptions
from bench.costs.records import Invocation, Request
from bench.costs.units import (
    TRANSACTION_FACTOR,
    Table,
    index_write_units,
    units_of_read,
    units_of_write,
)
from bench.model.sizes import item_bytes

type Quantities = Mapping[str, Decimal]

FULL_CPU_MB = 1769
GB = Decimal(10**9)
_HTTP = frozenset({"create_order", "merchant_api", "pay_page", "trader_desk", "identity_page"})
# Takes its messages from a queue: Lambda receives and deletes them.
_QUEUE_CONSUMER = "send_callback"
_QUEUE_REQUESTS = 2
_CACHED_READS = 2  # the merchant and the rates
_CACHING = frozenset({"create_order", "send_callback"})


@dataclass(frozen=True, slots=True)
class Basis:
    """What quantities are computed with: what is assumed, and what the template says."""

    assumptions: Assumptions
    tables: Mapping[str, Table]
    memory_mb: Mapping[str, int]
    pages_compressed: bool
    lambda_logs_each_run: bool
    detailed_metrics: bool
    api_price: str = "API Gateway, REST"

    @classmethod
    def of_template(cls, assumptions: Assumptions) -> Self:
        """Read the template."""
        return cls(
            assumptions=assumptions,
            tables=schema.tables(),
            memory_mb=schema.memory_mb(),
            pages_compressed=schema.pages_are_compressed(),
            lambda_logs_each_run=schema.lambda_logs_each_run(),
            detailed_metrics=schema.has_detailed_metrics(),
        )


def units_of(request: Request, tables: Mapping[str, Table]) -> dict[tuple[str, str], Decimal]:
    """Give a request's units by (write or read, table or table/index)."""
    units: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)
    read = request.read
    if read is not None:
        place = read.table if read.index is None else f"{read.table}/{read.index}"
        size = sum(item_bytes(item) for item in read.items)
        units["read", place] += units_of_read(size, consistent=read.consistent)
    for write in request.writes:
        table = tables[write.table]
        factor = TRANSACTION_FACTOR if write.transactional else 1
        units["write", write.table] += factor * units_of_write(write.before, write.after)
        for index in table.indexes:
            place = f"{write.table}/{index.name}"
            units["write", place] += index_write_units(index, table, write.before, write.after)
    return units


def quantities_of(step: Invocation, basis: Basis) -> Quantities:
    """Give what one run of a step is billed for."""
    assumed = basis.assumptions
    found: defaultdict[str, Decimal] = defaultdict(Decimal)
    for request in step.requests:
        for (kind, _), units in units_of(request, basis.tables).items():
            found[f"DynamoDB, {kind}s"] += units
        if request.service == "sqs":
            found["SQS"] += 1
        if request.service == "s3" and request.operation == "PutObject":
            found["S3, PUT and POST"] += 1
        if request.service == "s3" and request.operation == "GetObject":
            found["S3, GET"] += 1
    found["Lambda, requests"] += 1
    found["Lambda, compute (arm64)"] += gb_seconds(step, basis)
    found["X-Ray"] += assumed.traced_share
    found["Logs, ingested"] += _logged_bytes(step, basis) / GB
    if step.function in _HTTP:
        found[basis.api_price] += 1
        found["Data out"] += _answer_bytes(step, basis) / GB
    if step.function == _QUEUE_CONSUMER:
        found["SQS"] += _QUEUE_REQUESTS
        found["Data out"] += assumed.callback_request_bytes / GB
    if step.function in _CACHING:
        found["DynamoDB, reads"] += _CACHED_READS / assumed.orders_a_cache_read
        found["KMS"] += assumed.cold_share * assumed.cold_decrypts
    return found


def _answer_bytes(step: Invocation, basis: Basis) -> int:
    body = step.body_bytes_gzipped if basis.pages_compressed else step.body_bytes
    return body + step.header_bytes + basis.assumptions.gateway_header_bytes


def _logged_bytes(step: Invocation, basis: Basis) -> int:
    assumed, lines, size = basis.assumptions, step.log_lines, step.log_bytes
    if basis.lambda_logs_each_run:
        lines, size = lines + assumed.platform_log_lines, size + assumed.platform_log_bytes
    return size + lines * assumed.log_line_overhead_bytes


def billed_ms(step: Invocation, basis: Basis) -> int:
    """Give how long a warm run is billed: its CPU time at the function's share of one, and waits.

    Below 1,769 MB a function has only part of a CPU, so the same work takes it longer.
    """
    assumed, memory = basis.assumptions, basis.memory_mb[step.function]
    cpu_ms = Decimal(str(step.cpu_ms)) + len(step.requests) * assumed.cpu_ms_a_request
    slower = Decimal(FULL_CPU_MB) / min(memory, FULL_CPU_MB)
    waits_ms = sum((_wait_ms(request, assumed) for request in step.requests), Decimal(0))
    if step.function == _QUEUE_CONSUMER:
        waits_ms += assumed.callback_ms
    return int((cpu_ms * slower + waits_ms).to_integral_value("ROUND_CEILING"))


def gb_seconds(step: Invocation, basis: Basis) -> Decimal:
    """Give what a run is billed for, cold starts by their share."""
    assumed = basis.assumptions
    ms = billed_ms(step, basis) + assumed.cold_share * assumed.cold_ms
    return ms / 1000 * basis.memory_mb[step.function] / 1024


def _wait_ms(request: Request, assumed: Assumptions) -> Decimal:
    if request.service != "dynamodb":
        return assumed.other_request_ms
    match request.operation:
        case "GetItem":
            return assumed.get_item_ms
        case "Query":
            return assumed.query_ms
        case "TransactWriteItems":
            return assumed.transaction_ms
        case _:
            return assumed.write_ms


def total(parts: Iterable[Quantities]) -> dict[str, Decimal]:
    """Add quantities up."""
    added: defaultdict[str, Decimal] = defaultdict(Decimal)
    for part in parts:
        for name, quantity in part.items():
            added[name] += quantity
    return dict(added)


def scaled(part: Quantities, factor: Decimal) -> dict[str, Decimal]:
    """Give quantities that many times."""
    return {name: quantity * factor for name, quantity in part.items()}
