"""The outbox loses no event: the stream's filter, retries, queues and alarms in the template."""

from typing import Any

import pytest

from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.orders.items import draft_item, order_item
from orderdesk.domain.callbacks.events import Subject, callback_type
from orderdesk.domain.orders.drafts import Draft
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.pushes.notices import notice_of
from tests.support.callback_functions import SOURCE, passes, stream_record
from tests.support.order_walks import Step, draft_steps, moves, other_changes
from tests.support.orders import order_in
from tests.support.template import template

RESOURCES: dict[str, dict[str, Any]] = template()["Resources"]
STEPS = [*moves(), *draft_steps(), *other_changes()]
QUEUES = ("CallbacksQueue", "CallbacksDeadLetterQueue", "RelayFailuresQueue")
A_DAY, FORTNIGHT = 86_400, 14 * 86_400


def item(subject: Subject) -> Item:
    return draft_item(subject) if isinstance(subject, Draft) else order_item(subject)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_every_event_and_every_push_passes_the_filter(step: Step) -> None:
    before = None if step.before is None else item(step.before)
    change = (step.before, step.after)
    if callback_type(*change) is not None or notice_of(*change) is not None:
        assert passes(stream_record(before, item(step.after)))


NEW = [step.after for step in STEPS if step.before is None]


@pytest.mark.parametrize("new", NEW, ids=lambda new: item(new)["kind"])
def test_a_new_item_passes_the_filter_if_it_has_a_trader(new: Subject) -> None:
    assert passes(stream_record(None, item(new))) is ("trader_id" in to_item(item(new)))


def test_a_new_sell_and_a_new_draft_are_filtered_out() -> None:
    sell = order_item(order_in(OrderType.SELL, OrderStatus.MATCHING, since=1))
    (draft, *_) = (item(new) for new in NEW if isinstance(new, Draft))
    assert not passes(stream_record(None, {**sell, "trader_id": None}))
    assert not passes(stream_record(None, draft))


@pytest.mark.parametrize(
    ("new", "changed"),
    [
        ({"pk": "number#m#1", "kind": "reservation", "order_no": "B1"}, {"pending_no": "D1"}),
        ({"pk": "open_buys:m:live:0", "kind": "open_buys", "open_fen": 1}, {"open_fen": 2}),
    ],
)
def test_reservations_and_counters_are_filtered_out(new: Item, changed: Item) -> None:
    assert not passes(stream_record(None, new))
    assert not passes(stream_record({**new, **changed}, new))


def test_the_event_source_retries_while_the_stream_keeps_the_record() -> None:
    assert SOURCE["StartingPosition"] == "TRIM_HORIZON"
    assert "FunctionResponseTypes" not in SOURCE, "a failed batch fails as a whole"
    assert SOURCE["MaximumRetryAttempts"] == -1
    assert A_DAY - 4 * 3600 <= SOURCE["MaximumRecordAgeInSeconds"] < A_DAY
    assert SOURCE["BisectBatchOnFunctionError"]
    failed = SOURCE["DestinationConfig"]["OnFailure"]
    assert failed == {"Type": "SQS", "Destination": {"Fn::GetAtt": ["RelayFailuresQueue", "Arn"]}}


def test_the_stream_carries_both_images() -> None:
    stream = RESOURCES["OrdersTable"]["Properties"]["StreamSpecification"]
    assert stream == {"StreamViewType": "NEW_AND_OLD_IMAGES"}


@pytest.mark.parametrize("name", QUEUES)
def test_a_queue_is_encrypted_and_keeps_messages_for_14_days(name: str) -> None:
    queue = RESOURCES[name]["Properties"]
    assert queue["SqsManagedSseEnabled"]
    assert queue["MessageRetentionPeriod"] == FORTNIGHT
    assert "FifoQueue" not in queue


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("CallbacksDeadLetter", "NumberOfMessagesSent"),  # by send-callback, not by SQS
        ("RelayFailures", "ApproximateNumberOfMessagesVisible"),
    ],
)
def test_a_dead_letter_raises_an_alarm(name: str, metric: str) -> None:
    alarm = RESOURCES[f"{name}Alarm"]["Properties"]
    (dimension,) = alarm["Dimensions"]
    assert dimension["Value"] == {"Fn::GetAtt": [f"{name}Queue", "QueueName"]}
    assert (alarm["MetricName"], alarm["Threshold"]) == (metric, 1)


def test_changes_without_a_run_of_the_relay_raise_an_alarm() -> None:
    alarm = RESOURCES["RelayEventsStoppedAlarm"]["Properties"]
    metrics = {each["Id"]: each for each in alarm["Metrics"]}
    expression = metrics["unrelayed"]["Expression"]
    assert expression == "IF(FILL(runs, 0) == 0, FILL(changes, 0), 0)"
    named = {
        name: metrics[name]["MetricStat"]["Metric"]["MetricName"] for name in ("changes", "runs")
    }
    assert named == {"changes": "ConsumedWriteCapacityUnits", "runs": "Invocations"}
    assert (alarm["TreatMissingData"], alarm["Threshold"]) == ("notBreaching", 1)


def test_a_relay_that_falls_behind_raises_an_alarm() -> None:
    alarm = RESOURCES["RelayEventsLagAlarm"]["Properties"]
    assert (alarm["MetricName"], alarm["Statistic"], alarm["Threshold"]) == (
        "IteratorAge",
        "Maximum",
        60_000,
    )
