"""The input of the cost sheet: assumptions that no test can measure, and template.yaml."""

# ruff: noqa: RUF009 -- _given makes a field

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from tests.support.template import resources


def _given(value: int | str, meaning: str) -> Any:
    return field(default=Decimal(value), metadata={"meaning": meaning})


def _memory_mb() -> dict[str, int]:
    functions = resources("AWS::Serverless::Function")
    return {PurePosixPath(each["CodeUri"]).name: each["MemorySize"] for each in functions}


def _compressed_from() -> float:
    """Return the size from which API Gateway compresses an answer, in bytes."""
    return float(resources("AWS::Serverless::Api")[0]["MinimumCompressionSize"])


@dataclass(frozen=True, slots=True)
class Basis:
    """The assumptions, each with its meaning; then values that the template or a lever sets."""

    unpaid_seconds: Decimal = _given(180, "s that the pay page is open before the payment")
    paid_seconds: Decimal = _given(120, "s that the pay page stays open after the payment")
    desk_seconds: Decimal = _given(60, "s that the desk is open, per order: 60 orders an hour")
    receipt_kb: Decimal = _given(250, "KB of a receipt: its small picture twice, its page once")
    drawing_ms: Decimal = _given(400, "ms until a separate process has drawn a receipt")
    get_ms: Decimal = _given(4, "ms of waiting for a GetItem")
    transaction_ms: Decimal = _given(15, "ms of waiting for a transaction")
    dynamodb_ms: Decimal = _given(6, "ms of waiting for any other request to DynamoDB")
    other_ms: Decimal = _given(20, "ms of waiting for a request to S3, SQS or KMS")
    callback_ms: Decimal = _given(200, "ms until a merchant has answered a callback")
    request_cpu_ms: Decimal = _given(1, "ms of CPU per request to AWS: botocore, TLS and HTTP")
    cold_share: Decimal = _given("0.005", "of all invocations start cold")
    cold_ms: Decimal = _given(350, "ms of a cold start, which also sends one request to KMS")
    cached_orders: Decimal = _given(20, "orders per read of merchant and rates, which are cached")
    traced_share: Decimal = _given("0.05", "of all runs are traced: Lambda's fixed rule")
    lambda_log_bytes: Decimal = _given(725, "bytes of Lambda's own two log lines per invocation")
    log_line_bytes: Decimal = _given(26, "bytes that CloudWatch adds to a log line")
    header_bytes: Decimal = _given(350, "bytes of headers that API Gateway adds to an answer")
    callback_bytes: Decimal = _given(1200, "bytes of a callback on the wire")
    idle_receives: Decimal = _given(15, "receives a minute of Lambda's pollers on an empty queue")
    access_log_bytes: Decimal = _given(320, "bytes of a line of the API's access log")
    original_kb: Decimal = _given(
        600, "KB of a receipt's original, kept 30 days and 7 as a version"
    )
    page_kb: Decimal = _given(160, "KB of a receipt's page, archived after 30 days")
    preview_kb: Decimal = _given(45, "KB of a receipt's small picture")
    item_kb: Decimal = _given(5, "KB in tables and indexes of one order and its postings")

    desk_poll_seconds: int = 15  # as in desk/watch.js; opening the list, once an order, is one too
    unpaid_waits: tuple[float, float] = (60, 60)  # s, the first and the longest, as in pay/page.js
    paid_waits: tuple[float, float] = (15, 30)
    api: str = "API Gateway, REST"
    has_web_acl: bool = True  # as prod in samconfig.toml
    has_access_logs: bool = True
    compressed_from: float = field(default_factory=_compressed_from)
    memory_mb: Mapping[str, int] = field(default_factory=_memory_mb)

    def times(self, step: str) -> int:
        """Return how often an order takes a step; open pages poll their status."""
        if step == "GET /pay/{order_no}/{token}/status":
            unpaid = _pay_polls(self.unpaid_seconds, *self.unpaid_waits)
            return unpaid + _pay_polls(self.paid_seconds, *self.paid_waits)
        polls = math.ceil(self.desk_seconds / self.desk_poll_seconds) - 1
        return polls if step.endswith("r/status") else 1

    def assumptions(self) -> list[tuple[str, str]]:
        """Return each assumption's value and meaning."""
        known = [each for each in fields(self) if "meaning" in each.metadata]
        return [(str(getattr(self, each.name)), each.metadata["meaning"]) for each in known]


def _pay_polls(open_seconds: Decimal, first: float, longest: float) -> int:
    """Count a pay page's status requests; each wait is 1.5 times the one before."""
    count, wait, at = 0, first, first
    while at <= open_seconds:
        count, wait = count + 1, min(wait * 1.5, longest)
        at += wait
    return count
