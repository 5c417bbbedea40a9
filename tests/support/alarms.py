"""A CloudWatch alarm of the template, evaluated on samples of its metrics, one list a minute.

Source: "Using Amazon CloudWatch alarms", with the rules of M out of N datapoints, missing data and
metric math. Missing data of an alarm counts as its TreatMissingData says; of DynamoDB's metrics it
never counts, so a test requires that those alarms have a value in each period.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import batched
from statistics import fmean, quantiles
from typing import Any

type Minutes = Sequence[Sequence[float]]
"""The samples of a metric in each minute; a minute without samples is missing data."""
type Samples = Mapping[str, Minutes]
"""The samples by the name of their metric."""
type Point = float | None

_STATISTICS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "Sum": sum,
    "Average": fmean,
    "Minimum": min,
    "Maximum": max,
    "SampleCount": len,
    "p99": lambda values: quantiles([*values, *values], n=100)[98],
}
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "GreaterThanOrEqualToThreshold": operator.ge,
    "GreaterThanThreshold": operator.gt,
    "LessThanThreshold": operator.lt,
}


def metrics_of(alarm: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the stored metrics that an alarm reads, each with its Stat, Period and Metric."""
    if "MetricName" in alarm:
        stat = alarm.get("Statistic") or alarm["ExtendedStatistic"]
        return [{"Stat": stat, "Period": alarm["Period"], "Metric": alarm}]
    return [each["MetricStat"] for each in alarm["Metrics"] if "MetricStat" in each]


def name_of(stat: Mapping[str, Any]) -> str:
    name = stat["Metric"]["MetricName"]
    return str(name["Fn::Sub"] if isinstance(name, Mapping) else name)


def fires(alarm: Mapping[str, Any], samples: Samples) -> bool:
    """Return whether an alarm is in ALARM at the end of any of its periods."""
    is_breach = _COMPARISONS[alarm["ComparisonOperator"]]
    missing = {"breaching": True, "notBreaching": False}[alarm["TreatMissingData"]]
    breaches = [
        missing if point is None else is_breach(point, alarm["Threshold"])
        for point in points(alarm, samples)
    ]
    periods = alarm["EvaluationPeriods"]
    least = alarm.get("DatapointsToAlarm", periods)
    assert len(breaches) >= periods, "more minutes are needed"
    return any(
        sum(breaches[end - periods : end]) >= least for end in range(periods, len(breaches) + 1)
    )


def points(alarm: Mapping[str, Any], samples: Samples) -> list[Point]:
    """Return the value that an alarm compares in each of its periods; None is missing data."""
    if "MetricName" in alarm:
        [stat] = metrics_of(alarm)
        return _series(stat, samples)
    [shown] = [each for each in alarm["Metrics"] if each.get("ReturnData", True)]
    inputs = {
        each["Id"]: _series(each["MetricStat"], samples)
        for each in alarm["Metrics"]
        if "MetricStat" in each
    }
    at_each = zip(*inputs.values(), strict=True)
    return [_value(shown["Expression"], dict(zip(inputs, at, strict=True))) for at in at_each]


def _series(stat: Mapping[str, Any], samples: Samples) -> list[Point]:
    minutes = stat["Period"] // 60
    periods = batched(samples[name_of(stat)], minutes, strict=True)
    merged = ([value for minute in period for value in minute] for period in periods)
    return [_STATISTICS[stat["Stat"]](values) if values else None for values in merged]


def _value(expression: str, at: Mapping[str, Point]) -> Point:
    """Return the value of metric math; None where it needs a value that is missing."""

    def present(values: Iterable[Point]) -> float | None:
        found = [value for value in values if value is not None]
        return sum(found) if found else None

    def filled(value: Any, other: float) -> Any:
        if isinstance(value, Iterable):
            return [filled(each, other) for each in value]
        return other if value is None else value

    functions = {
        "SUM": present,
        "METRICS": at.values,
        "FILL": filled,
        "IF": lambda chosen, value, other: value if chosen else other,
    }
    try:
        return eval(expression, {"__builtins__": {}}, {**functions, **at})  # type: ignore[no-any-return]
    except TypeError:
        return None
