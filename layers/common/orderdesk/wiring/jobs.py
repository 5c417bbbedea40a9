"""Remaining time, metrics and error log of a function without an HTTP caller."""

from collections.abc import Callable, Mapping
from typing import Protocol

from aws_lambda_powertools.logging import Logger
from aws_lambda_powertools.metrics import Metrics, MetricUnit

from orderdesk.web.http import log_unexpected


class LambdaContext(Protocol):
    """The part of Lambda's context that a job uses."""

    def get_remaining_time_in_millis(self) -> int:
        """Return how many ms this invocation may still run."""


def has_time(context: LambdaContext, reserve_ms: int) -> Callable[[], bool]:
    """Return a function that returns whether more than `reserve_ms` are left."""
    return lambda: context.get_remaining_time_in_millis() > reserve_ms


def reporter(logger: Logger) -> Callable[[Exception], None]:
    """Return a function that logs one item's error, so that the job continues."""
    return lambda error: log_unexpected(logger, error)


def count(metrics: Metrics, counts: Mapping[str, int], prefix: str = "") -> None:
    """Write counts as metrics."""
    for name, value in counts.items():
        metrics.add_metric(name=f"{prefix}{name}", unit=MetricUnit.Count, value=value)
    metrics.flush_metrics()
