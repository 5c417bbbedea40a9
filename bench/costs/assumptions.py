"""What the sheet takes as given, because no test bench can measure it."""

from dataclasses import dataclass
from decimal import Decimal

# layers/common/orderdesk/web/pages/pay/page.js: asked for less and less often.
PAY_POLL_FIRST_SECONDS, PAY_POLL_LONGEST_SECONDS = Decimal(3), Decimal(30)
PAY_POLL_GROWTH = Decimal("1.5")
# layers/common/orderdesk/web/pages/desk/desk.js: while somebody looks.
DESK_POLL_SECONDS = Decimal(5)

# What Lambda itself writes at system log level INFO of each run, with tracing on.
_REQUEST_ID = "13aa488f-0f3b-4f0e-9d39-5c7e1f2a3b4c"
_TRACING = (
    '"tracing":{"spanId":"53995c3f42cd8ad8","type":"X-Amzn-Trace-Id","value":'
    '"Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0"}'
)
_STARTED = (
    '{"time":"2026-06-17T17:23:55.826Z","type":"platform.start","record":'
    f'{{"requestId":"{_REQUEST_ID}","version":"12",{_TRACING}}}}}'
)
_REPORTED = (
    '{"time":"2026-06-17T17:23:55.826Z","type":"platform.report","record":'
    f'{{"requestId":"{_REQUEST_ID}","metrics":{{"durationMs":18.593,"billedDurationMs":19,'
    f'"memorySizeMB":1024,"maxMemoryUsedMB":146}},{_TRACING},"status":"success"}}}}'
)
PLATFORM_LINES = (_STARTED, _REPORTED)


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Habits of people, waits of the network, shares that depend on the traffic."""

    payer_looks_before_paying_seconds: Decimal = Decimal(180)
    payer_looks_after_paying_seconds: Decimal = Decimal(120)
    trader_looks_an_order_seconds: Decimal = Decimal(60)
    desk_poll_seconds: Decimal = DESK_POLL_SECONDS
    receipt_kb: Decimal = Decimal(300)
    receipt_downloads: Decimal = Decimal(3)
    get_item_ms: Decimal = Decimal(4)
    query_ms: Decimal = Decimal(6)
    write_ms: Decimal = Decimal(6)
    transaction_ms: Decimal = Decimal(15)
    other_request_ms: Decimal = Decimal(20)
    callback_ms: Decimal = Decimal(200)
    cpu_ms_a_request: Decimal = Decimal("0.3")
    cold_share: Decimal = Decimal("0.005")
    cold_ms: Decimal = Decimal(350)
    cold_decrypts: Decimal = Decimal(1)
    orders_a_cache_read: Decimal = Decimal(20)
    traced_share: Decimal = Decimal("0.05")
    platform_log_bytes: int = sum(len(line) for line in PLATFORM_LINES)
    platform_log_lines: int = len(PLATFORM_LINES)
    log_line_overhead_bytes: int = 26
    gateway_header_bytes: int = 350
    callback_request_bytes: int = 1200
    idle_receives_a_minute: int = 15
    metrics_an_api_method: int = 5

    @property
    def pay_polls(self) -> int:
        """How often a pay page asks for the status, before and after it is paid."""
        looks = (self.payer_looks_before_paying_seconds, self.payer_looks_after_paying_seconds)
        return sum(_pay_polls(seconds) for seconds in looks)

    @property
    def desk_polls(self) -> int:
        """How often a desk asks for news, an order."""
        return int(self.trader_looks_an_order_seconds / self.desk_poll_seconds)


def _pay_polls(seconds: Decimal) -> int:
    count, delay, next_at = 0, PAY_POLL_FIRST_SECONDS, PAY_POLL_FIRST_SECONDS
    while next_at <= seconds:
        count += 1
        delay = min(delay * PAY_POLL_GROWTH, PAY_POLL_LONGEST_SECONDS)
        next_at += delay
    return count


EXPLAINED = (
    ("payer_looks_before_paying_seconds", "s the payer has the page open before paying"),
    (
        "payer_looks_after_paying_seconds",
        "s it stays open after; the page asks after 3 s, then less and less often",
    ),
    ("trader_looks_an_order_seconds", "s the trader has the desk open, an order"),
    ("desk_poll_seconds", "s between two questions of an open desk"),
    ("receipt_kb", "KB of a receipt or proof"),
    ("receipt_downloads", "downloads of it: in the order's page twice, and once in full"),
    ("get_item_ms", "ms that a GetItem waits for the network and DynamoDB"),
    ("query_ms", "ms that a Query does"),
    ("write_ms", "ms that a single write does"),
    ("transaction_ms", "ms that a transaction does"),
    ("other_request_ms", "ms that a request to S3, SQS or KMS does"),
    ("callback_ms", "ms until a merchant has answered a callback"),
    ("cpu_ms_a_request", "ms of CPU for TLS and HTTP of a request to AWS, which moto leaves out"),
    ("cold_share", "of all invocations start cold"),
    ("cold_ms", "ms of a cold start, billed at the function's memory"),
    ("cold_decrypts", "KMS requests a cold start"),
    ("orders_a_cache_read", "orders that a warm container takes on one read of merchant and rates"),
    ("traced_share", "of all requests are traced (X-Ray's default rule)"),
    (
        "platform_log_bytes",
        "bytes that Lambda itself logs an invocation (LogFormat JSON, level INFO)",
    ),
    ("platform_log_lines", "lines in which it does"),
    ("log_line_overhead_bytes", "bytes that CloudWatch adds to a log line"),
    ("gateway_header_bytes", "bytes of the headers that API Gateway adds to an answer"),
    ("callback_request_bytes", "bytes of a callback on the wire"),
    ("idle_receives_a_minute", "receives of Lambda's pollers on an empty queue"),
    ("metrics_an_api_method", "metrics that API Gateway keeps of each method, in detail"),
)
"""What each assumption says, for the sheet."""
