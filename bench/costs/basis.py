"""What the sheet takes as given: assumptions that no test can measure, and template.yaml."""

# ruff: noqa: RUF009 -- _given makes a field

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from tests.support.template import template


def _given(value: int | str, meaning: str) -> Any:
    return field(default=Decimal(value), metadata={"meaning": meaning})


def resources(kind: str) -> list[Mapping[str, Any]]:
    """Give the properties of the template's resources of a type."""
    found = template()["Resources"].values()
    return [resource["Properties"] for resource in found if resource["Type"] == kind]


def _memory_mb() -> dict[str, int]:
    functions = resources("AWS::Serverless::Function")
    return {PurePosixPath(each["CodeUri"]).name: each["MemorySize"] for each in functions}


@dataclass(frozen=True, slots=True)
class Basis:
    """The assumptions, each with its meaning; below them what the template says or a lever sets."""

    unpaid_seconds: Decimal = _given(180, "s that the pay page is open before the payment")
    paid_seconds: Decimal = _given(120, "s that the pay page stays open after the payment")
    desk_seconds: Decimal = _given(60, "s that the trader has the desk open, per order")
    desk_poll_seconds: Decimal = _given(5, "s between two status requests of an open desk")
    receipt_kb: Decimal = _given(330, "KB of a receipt: its small picture twice, its page once")
    get_ms: Decimal = _given(4, "ms of waiting for a GetItem")
    transaction_ms: Decimal = _given(15, "ms of waiting for a transaction")
    dynamodb_ms: Decimal = _given(6, "ms of waiting for any other request to DynamoDB")
    other_ms: Decimal = _given(20, "ms of waiting for a request to S3, SQS or KMS")
    callback_ms: Decimal = _given(200, "ms until a merchant has answered a callback")
    request_cpu_ms: Decimal = _given(1, "ms of CPU per request to AWS: botocore, TLS and HTTP")
    cold_share: Decimal = _given("0.005", "of all invocations start cold")
    cold_ms: Decimal = _given(350, "ms of a cold start, which also sends one request to KMS")
    cached_orders: Decimal = _given(20, "orders per read of merchant and rates, which are cached")
    traced_share: Decimal = _given("0.05", "of all requests are traced (X-Ray's default rule)")
    lambda_log_bytes: Decimal = _given(725, "bytes of Lambda's own two log lines per invocation")
    log_line_bytes: Decimal = _given(26, "bytes that CloudWatch adds to a log line")
    header_bytes: Decimal = _given(350, "bytes of headers that API Gateway adds to an answer")
    callback_bytes: Decimal = _given(1200, "bytes of a callback on the wire")
    idle_receives: Decimal = _given(15, "receives a minute of Lambda's pollers on an empty queue")
    method_metrics: Decimal = _given(5, "metrics that API Gateway keeps of each method")

    api: str = "API Gateway, REST"
    is_compressed: bool = False
    memory_mb: Mapping[str, int] = field(default_factory=_memory_mb)

    def times(self, step: str) -> int:
        """Give how often an order takes a step: open pages ask for their status again and again."""
        if step == "GET /pay/{order_no}/{token}/status":
            return _pay_polls(self.unpaid_seconds) + _pay_polls(self.paid_seconds)
        return int(self.desk_seconds / self.desk_poll_seconds) if step.endswith("r/status") else 1

    def assumptions(self) -> list[tuple[str, str]]:
        """Give each assumption's value and meaning."""
        known = [each for each in fields(self) if "meaning" in each.metadata]
        return [(str(getattr(self, each.name)), each.metadata["meaning"]) for each in known]


def _pay_polls(open_seconds: Decimal) -> int:
    """Count a pay page's status requests: the first after 3 s, then in waits that grow to 30 s."""
    count, wait, at = 0, Decimal(3), Decimal(3)
    while at <= open_seconds:
        count, wait = count + 1, min(wait * Decimal("1.5"), Decimal(30))
        at += wait
    return count
