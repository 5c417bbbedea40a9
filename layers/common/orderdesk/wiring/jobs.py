"""What a function without a caller does around its use case: time left, metrics, its log line."""

from collections.abc import Callable, Mapping
from typing import Protocol

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics, MetricUnit

from orderdesk.web.logs import log_unexpected

NAMESPACE = "orderdesk"


class LambdaContext(Protocol):
    """What a job asks of Lambda's context."""

    def get_remaining_time_in_millis(self) -> int:
        """Tell how long this invocation may still run."""


def has_time(context: LambdaContext, reserve_ms: int) -> Callable[[], bool]:
    """Give what tells whether more than `reserve_ms` are left of this invocation."""
    return lambda: context.get_remaining_time_in_millis() > reserve_ms


def reporter(logger: Logger) -> Callable[[Exception], None]:
    """Give what logs an error of one item, while the job goes on with the others."""
    return lambda error: log_unexpected(logger, error)


def count(metrics: Metrics, counts: Mapping[str, int], prefix: str = "") -> None:
    """Write counts as metrics."""
    for name, value in counts.items():
        metrics.add_metric(name=f"{prefix}{name}", unit=MetricUnit.Count, value=value)
    metrics.flush_metrics()
