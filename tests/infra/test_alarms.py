"""Each alarm of the template fires at its bound, and is quiet below it and on healthy days."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.infra.translated import made
from tests.support.alarms import Samples, fires, metrics_of, points

DAYS = 3
MINUTES = DAYS * 1440

type Day = Mapping[str, Callable[[int], list[float]]]
"""By metric, its samples of a minute; the minute counts from the first day's start."""


def alarms(**parameters: str) -> dict[str, Any]:
    found = made(**parameters).items()
    return {n: each["Properties"] for n, each in found if each["Type"] == "AWS::CloudWatch::Alarm"}


def every(minutes: int, *values: float) -> Callable[[int], list[float]]:
    """Return the same samples once in so many minutes."""
    return lambda minute: [] if minute % minutes else list(values)


def always(*values: float) -> Callable[[int], list[float]]:
    return lambda _: list(values)


NOTHING = always()
IDLE: Day = {
    "Errors": always(0),
    "Throttles": always(0),
    "Invocations": always(1),
    "ReadThrottleEvents": NOTHING,
    "WriteThrottleEvents": NOTHING,
    "5XXError": NOTHING,
    "Latency": NOTHING,
    "InternalErrors": NOTHING,
    "VerificationsCapped": NOTHING,
    "ActingAlone": NOTHING,
    "ReceiptsWaiting": NOTHING,
    "ConsumedWriteCapacityUnits": NOTHING,
    "IteratorAge": NOTHING,
    "NumberOfMessagesSent": NOTHING,
    "NumberOfMessagesReceived": always(0),
    "ApproximateNumberOfMessagesVisible": always(0),
    "ApproximateNumberOfMessagesVisibleInQuietGroups": always(0),
    "ApproximateNumberOfMessagesNotVisible": always(0),
    "shards_unreached": always(0),
    "sells_unreached": always(0),
    "callbacks_swept_queued": always(0),
    "payouts_blocked": NOTHING,
    "seal_made": every(15, 1),
    "seal_findings": every(15, 0),
    "seal_seconds": every(15, 2),
    "again_findings": every(1440, 0),
    "merchants_unpaid_percent": NOTHING,
}
"""A night without an order: schedules run, queues are empty, and most metrics have no data."""

BUSY: Day = {
    **IDLE,
    "5XXError": lambda minute: [0] * 399 + [float(minute % 60 == 0)],
    "Latency": lambda minute: [180.0] * 198 + [900.0, 2600.0 if minute % 15 == 0 else 900.0],
    "ReadThrottleEvents": every(30, 1),
    "WriteThrottleEvents": every(30, 1),
    "VerificationsCapped": every(60, 1),
    "ReceiptsWaiting": every(5, 1, 1),
    "ConsumedWriteCapacityUnits": always(90_000),
    "Invocations": always(1, 1, 1),
    "IteratorAge": always(400, 2_500),
    "NumberOfMessagesSent": always(0),
    "NumberOfMessagesReceived": always(2_000, 1_900),
    "ApproximateNumberOfMessagesVisible": always(0),
    "ApproximateNumberOfMessagesVisibleInQuietGroups": always(40, 300),
    "ApproximateNumberOfMessagesNotVisible": always(450, 500),
    "shards_unreached": lambda minute: [float(minute % 30 == 0)],
    "sells_unreached": lambda minute: [float(minute % 30 < 4)],
    "callbacks_swept_queued": always(25),
    "payouts_blocked": every(10, 0),
    "seal_seconds": every(15, 290),
    "merchants_unpaid_percent": every(15, 55),
}
"""A day at full load: some requests fail, traders are late, and callbacks are swept."""


def samples_of(day: Day, **changed: Callable[[int], list[float]]) -> Samples:
    return {name: [*map(of, range(MINUTES))] for name, of in {**day, **changed}.items()}


HEALTHY = {"idle": samples_of(IDLE), "busy": samples_of(BUSY)}
START = 1440
"""The minute in which something fails."""


def during(
    minutes: int, *values: float, of: str, day: Day = BUSY
) -> dict[str, Callable[[int], list[float]]]:
    """Return a metric that has other samples for some minutes, and before and after the day's."""
    usual = day[of]
    return {of: lambda m: list(values) if START <= m < START + minutes else usual(m)}


type Changed = dict[str, Callable[[int], list[float]]]
CASES: dict[str, tuple[Changed, Changed]] = {
    "ApiServerErrorsAlarm": (
        during(2, *[0] * 99, 1, of="5XXError"),
        during(2, *[0] * 199, 1, of="5XXError"),
    ),
    "ApiLatencyAlarm": (during(15, 2_001, of="Latency"), during(10, 9_000, of="Latency")),
    "InternalErrorsAlarm": (during(1, 1, of="InternalErrors"), {}),
    "VerificationsCappedAlarm": (
        during(10, 1, of="VerificationsCapped"),
        during(9, 1, of="VerificationsCapped"),
    ),
    "ActingAloneAlarm": (during(1, 1, of="ActingAlone"), {}),
    "ReceiptsWaitingAlarm": (
        during(5, 1, 1, of="ReceiptsWaiting"),
        during(4, 1, 1, of="ReceiptsWaiting"),
    ),
    "ExpireDraftsSilentAlarm": (during(5, of="Invocations"), during(4, of="Invocations")),
    "AssignSellsSilentAlarm": (during(5, of="Invocations"), during(4, of="Invocations")),
    "PayOutSilentAlarm": (during(5, of="Invocations"), during(4, of="Invocations")),
    "CallbackSweepSilentAlarm": (
        during(5, of="callbacks_swept_queued"),
        during(4, of="callbacks_swept_queued"),
    ),
    "SealSilentAlarm": (during(30, of="seal_made"), during(15, of="seal_made")),
    "ProveAgainSilentAlarm": (
        during(2 * 1440, of="again_findings"),
        during(1440, of="again_findings"),
    ),
    "ExpireDraftsBehindAlarm": (
        during(5, 1, of="shards_unreached"),
        during(4, 60, of="shards_unreached"),
    ),
    "AssignSellsBehindAlarm": (
        during(5, 1, of="sells_unreached"),
        during(2, 60, of="sells_unreached"),
    ),
    "SealFindingsAlarm": (during(1, 1, of="seal_findings"), {}),
    "ProvedAgainAlarm": (during(1, 1, of="again_findings"), {}),
    "SealSlowAlarm": (during(1, 480, of="seal_seconds"), during(1, 479, of="seal_seconds")),
    "UnpaidBuysAlarm": (
        during(1, 90, of="merchants_unpaid_percent"),
        during(600, 89, of="merchants_unpaid_percent"),
    ),
    "PayoutsBlockedAlarm": (during(1, 1, of="payouts_blocked"), {}),
    "RelayEventsLagAlarm": (
        during(1, 60_000, of="IteratorAge"),
        during(9, 59_999, of="IteratorAge"),
    ),
    "RelayEventsStoppedAlarm": (during(60, of="Invocations"), during(59, of="Invocations")),
    "CallbacksDeadLetterAlarm": (during(1, 1, of="NumberOfMessagesSent"), {}),
    "RelayFailuresAlarm": (during(1, 1, of="ApproximateNumberOfMessagesVisible"), {}),
    "CallbacksBacklogAlarm": (
        during(5, 3_901, of="ApproximateNumberOfMessagesVisibleInQuietGroups"),
        during(4, 9_999, of="ApproximateNumberOfMessagesVisibleInQuietGroups"),
    ),
    "CallbacksInFlightAlarm": (
        during(1, 10_000, of="ApproximateNumberOfMessagesNotVisible"),
        during(9, 9_999, of="ApproximateNumberOfMessagesNotVisible"),
    ),
}
"""By alarm, what makes it fire, and what is almost that."""
for _of in ("Read", "Write"):
    for _what in ("Table", "Index"):
        _metric = f"{_of}ThrottleEvents"
        CASES[f"{_what}{_of}ThrottlesAlarm"] = (during(2, 2, of=_metric), during(1, 99, of=_metric))
FUNCTION_CASES: dict[str, tuple[Changed, Changed]] = {
    "Errors": (during(1, 1, of="Errors"), {}),
    "Throttles": (during(1, 1, of="Throttles"), {}),
}
PREPARED = alarms()


def case_of(name: str) -> tuple[Changed, Changed]:
    """Return an alarm's case. Raises: KeyError for an alarm that has none."""
    alarm = PREPARED[name]
    if alarm.get("Namespace") == "AWS/Lambda" and alarm["MetricName"] in FUNCTION_CASES:
        return FUNCTION_CASES[alarm["MetricName"]]
    return CASES[name]


@pytest.mark.parametrize("name", sorted(PREPARED))
def test_an_alarm_fires_at_its_bound_and_not_before(name: str) -> None:
    failing, almost = case_of(name)
    assert fires(PREPARED[name], samples_of(BUSY, **failing))
    assert not fires(PREPARED[name], samples_of(BUSY, **almost))


@pytest.mark.parametrize("day", sorted(HEALTHY))
def test_no_alarm_fires_on_a_healthy_day(day: str) -> None:
    assert [name for name, alarm in PREPARED.items() if fires(alarm, HEALTHY[day])] == []


def test_an_alarm_of_dynamodbs_metrics_ends_when_they_have_no_data() -> None:
    """Without a value it keeps its state, whatever TreatMissingData says (PutMetricAlarm)."""
    kept = [
        name
        for name, alarm in PREPARED.items()
        if "AWS/DynamoDB" in [each["Metric"]["Namespace"] for each in metrics_of(alarm)]
        and None in points(alarm, HEALTHY["idle"])
    ]
    assert kept == []


def test_each_case_is_an_alarm() -> None:
    assert CASES.keys() <= PREPARED.keys()


def test_a_backlog_is_an_alarm_also_if_no_message_is_received() -> None:
    stopped = {"NumberOfMessagesReceived": always(0)}
    waits = during(5, 1, of="ApproximateNumberOfMessagesVisibleInQuietGroups")
    assert fires(PREPARED["CallbacksBacklogAlarm"], samples_of(BUSY, **stopped, **waits))


SCHEDULES = {
    "ExpireDraftsFunctionEveryMinute": "ExpireDraftsSilentAlarm",
    "AssignSellsFunctionEveryMinute": "AssignSellsSilentAlarm",
    "PayOutFunctionEveryMinute": "PayOutSilentAlarm",
    "SendCallbackFunctionEveryMinute": "CallbackSweepSilentAlarm",
    "SealBooksFunctionEveryMinutes": "SealSilentAlarm",
    "SealBooksFunctionEveryDay": "ProveAgainSilentAlarm",
}


def test_a_schedule_that_does_not_run_is_an_alarm() -> None:
    scheduled = {
        name for name, each in made().items() if each["Type"] == "AWS::Scheduler::Schedule"
    }
    assert scheduled == SCHEDULES.keys()
    assert {*SCHEDULES.values()} == {name for name in PREPARED if name.endswith("SilentAlarm")}
