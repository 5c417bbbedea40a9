"""The input of the cost sheet: assumptions that no test can measure, template.yaml, and polls."""

# ruff: noqa: RUF009 -- _given makes a field

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from pathlib import PurePosixPath
from statistics import NormalDist, fmean, median
from typing import Any, NamedTuple

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.web.pages.pay.page import PACES, Paces, wait_seconds
from tests.support.template import resources

_PERCENTILES = 999


class Polls(NamedTuple):
    """The mean number of polls until the page knows, and the median delay of it in seconds."""

    mean_count: float
    median_delay: float


def confirmations(median_seconds: float, spread: float) -> Iterator[float]:
    """Yield the times of confirmation in seconds after the payment; `spread` is of their log.

    They are log-normal: most come soon, some much later. Percentiles stand for them, so that the
    same schedule has the same figures in every run.
    """
    for number in range(_PERCENTILES):
        share = (number + 0.5) / _PERCENTILES
        yield median_seconds * math.exp(spread * NormalDist().inv_cdf(share))


def polls_until(paces: Paces, times: Iterable[float]) -> Polls:
    """Poll by a schedule until changes at these ages of the status are seen."""
    counts, delays = [], []
    for time in times:
        count, at = 0, 0
        while not count or at < time:
            at += wait_seconds(paces, at)
            count += 1
        counts.append(count)
        delays.append(at - time)
    return Polls(fmean(counts), median(delays))


def polls_within(paces: Paces, open_seconds: float) -> int:
    """Count the polls of a page that is open for so long, and sees no change."""
    count, at = 0, wait_seconds(paces, 0)
    while at <= open_seconds:
        count += 1
        at += wait_seconds(paces, at)
    return count


def _given(value: int | str, meaning: str) -> Any:
    return field(default=Decimal(value), metadata={"meaning": meaning})


def _of_functions(name: str) -> dict[str, Any]:
    """Return a property of each function that has it, by the function's folder."""
    functions = resources("AWS::Serverless::Function")
    return {PurePosixPath(f["CodeUri"]).name: f[name] for f in functions if name in f}


def _compressed_from() -> float:
    """Return the size from which API Gateway compresses an answer, in bytes."""
    return float(resources("AWS::Serverless::Api")[0]["MinimumCompressionSize"])


@dataclass(frozen=True, slots=True)
class Basis:
    """The assumptions, each with its meaning; then values that the template or a lever sets."""

    unpaid_seconds: Decimal = _given(180, "s that the pay page is open before the payment")
    confirmed_seconds: Decimal = _given(90, "s from the payment to its confirmation, the median")
    confirmed_spread: Decimal = _given("0.8", "is the spread of their log: a tenth is over 250 s")
    desk_seconds: Decimal = _given(60, "s that the desk is open, per order: 60 orders an hour")
    receipt_kb: Decimal = _given(78, "KB of a receipt: 3 times its small picture, once its page")
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
    traced_share: Decimal = _given("0.05", "of traced functions' runs are traced: Lambda's rule")
    log_line_bytes: Decimal = _given(26, "bytes that CloudWatch adds to a log line")
    header_bytes: Decimal = _given(350, "bytes of headers that API Gateway adds to an answer")
    callback_bytes: Decimal = _given(1200, "bytes of a callback on the wire")
    idle_receives: Decimal = _given(15, "receives a minute of Lambda's pollers on an empty queue")
    access_log_bytes: Decimal = _given(320, "bytes of a line of the API's access log")

    desk_poll_seconds: int = 15  # as in desk/watch.js; opening the list, once an order, is one too
    api: str = "API Gateway, REST"
    has_web_acl: bool = True  # as prod in samconfig.toml
    has_access_logs: bool = True
    compressed_from: float = field(default_factory=_compressed_from)
    tracing: Mapping[str, str] = field(default_factory=lambda: _of_functions("Tracing"))
    memory_mb: Mapping[str, int] = field(default_factory=lambda: _of_functions("MemorySize"))

    @property
    def confirmation(self) -> Polls:
        """The polls after the payment, and the delay with which the page shows its end."""
        times = confirmations(float(self.confirmed_seconds), float(self.confirmed_spread))
        return polls_until(PACES[OrderStatus.PAID], times)

    def times(self, step: str) -> Decimal:
        """Return how often an order takes a step; open pages poll their status."""
        if step == "GET /pay/{order_no}/{token}/status":
            unpaid = polls_within(PACES[OrderStatus.PENDING], float(self.unpaid_seconds))
            return unpaid + Decimal(f"{self.confirmation.mean_count:.1f}")
        polls = math.ceil(self.desk_seconds / self.desk_poll_seconds) - 1
        # The script of the desk opens a picture by its signed address.
        is_direct = step.startswith("GET /trader/orders/{order_no}/receipts/")
        return Decimal(polls if step.endswith("r/status") else 0 if is_direct else 1)

    def assumptions(self) -> list[tuple[str, str]]:
        """Return each assumption's value and meaning."""
        known = [each for each in fields(self) if "meaning" in each.metadata]
        return [(str(getattr(self, each.name)), each.metadata["meaning"]) for each in known]
