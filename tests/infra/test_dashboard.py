"""The dashboard shows every function, table, queue and counter."""

import json
import re
from typing import Any

import pytest

from orderdesk.services.callbacks.deliver import Outcome
from orderdesk.services.orders.assign_sells import Offered
from orderdesk.services.orders.sweep import Settled
from orderdesk.services.pushes.send import PushOutcome
from tests.support.template import template

RESOURCES: dict[str, dict[str, Any]] = template()["Resources"]
BODY: str = RESOURCES["OperationsDashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
NOT_SHOWN = {Outcome.EARLY, Outcome.OVER, Outcome.SKIPPED}  # no attempt was due

type Metric = tuple[str, ...]


def written_out(rows: list[list[Any]]) -> list[Metric]:
    """Expand a widget's metrics: "." repeats one value of the previous row, "..." several."""
    whole: list[Metric] = []
    for row in rows:
        values = [value for value in row if isinstance(value, str)]
        if values[0] == "...":
            rest = values[1:]
            values = [*whole[-1][: len(whole[-1]) - len(rest)], *rest]
        whole.append(
            tuple(whole[-1][at] if value == "." else value for at, value in enumerate(values))
        )
    return whole


WIDGETS = [widget["properties"] for widget in json.loads(BODY)["widgets"]]
METRICS = {metric for widget in WIDGETS for metric in written_out(widget["metrics"])}


def of_type(kind: str) -> list[str]:
    return sorted(name for name, resource in RESOURCES.items() if resource["Type"] == kind)


def test_every_metric_names_its_dimensions_in_pairs() -> None:
    for metric in METRICS:
        assert len(metric) % 2 == 0, metric
        assert "." not in metric


def test_it_refers_to_existing_resources() -> None:
    named = {name.split(".")[0] for name in re.findall(r"\$\{([^}]+)\}", BODY)}
    own = {name for name in named if not name.startswith("AWS::")}
    assert own <= RESOURCES.keys() | template()["Parameters"].keys()


@pytest.mark.parametrize(
    ("kind", "service", "names", "dimension", "value"),
    [
        ("Serverless::Function", "Lambda", "Errors Throttles", "FunctionName", "${%s}"),
        (
            "DynamoDB::Table",
            "DynamoDB",
            "ReadThrottleEvents WriteThrottleEvents",
            "TableName",
            "${%s}",
        ),
        ("SQS::Queue", "SQS", "ApproximateNumberOfMessagesVisible", "QueueName", "${%s.QueueName}"),
    ],
)
def test_every_function_table_and_queue_is_shown(
    kind: str, service: str, names: str, dimension: str, value: str
) -> None:
    shown = [
        (f"AWS/{service}", name, dimension, value % each)
        for each in of_type(f"AWS::{kind}")
        for name in names.split()
    ]
    assert shown
    assert METRICS.issuperset(shown)


def test_the_functions_counters_are_shown() -> None:
    counts = {
        "expire-drafts": {settled.value for settled in Settled},
        "assign-sells": {f"sells_{offered.value}" for offered in Offered},
        "send-callback": {f"callbacks_{outcome.value}" for outcome in set(Outcome) - NOT_SHOWN},
        "send-push": {f"pushes_{outcome.value}" for outcome in PushOutcome},
    }
    for service, names in counts.items():
        for name in names:
            assert ("orderdesk/${AWS::StackName}", name, "service", service) in METRICS


@pytest.mark.parametrize(
    ("alarm", "count"),
    [
        ("ExpireDraftsBehindAlarm", Settled.SHARD_UNREACHED.value),
        ("AssignSellsBehindAlarm", f"sells_{Offered.UNREACHED.value}"),
    ],
)
def test_the_alarm_on_a_late_job_counts_what_it_did_not_reach(alarm: str, count: str) -> None:
    """Items that another request settled first do not raise the alarm."""
    assert RESOURCES[alarm]["Properties"]["MetricName"] == count
