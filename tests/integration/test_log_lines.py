"""Lambda reads the level of a log line, so that LogLevel filters it and alarms count it.

Lambda reads `level` and an RFC 3339 `timestamp`; a line without them counts as INFO
(docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html).
"""

import json
from datetime import datetime
from typing import Any

import pytest

from tests.support.merchant_client import buy
from tests.support.template import template
from tests.support.world import TimeLeft, World

METRICS = "_aws"


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_has_a_level_and_a_time_that_lambda_reads(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    _, client = world.add_merchant()
    world.add_trader()
    assert client.create(buy()).code == 1
    assert client.create(buy(cny_amount="x")).code == 1002
    world.cold_start("expire_drafts").handler({}, TimeLeft())
    lines = [line for line in lines_of(capsys.readouterr().out) if METRICS not in line]
    assert len(lines) >= 3
    for line in lines:
        assert line["level"] in {"INFO", "ERROR"}
        assert "T" in line["timestamp"]
        assert datetime.fromisoformat(line["timestamp"]).tzinfo is not None


def test_metrics_have_no_level_so_no_level_above_info_is_allowed(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.cold_start("expire_drafts").handler({}, TimeLeft())
    (metrics,) = [line for line in lines_of(capsys.readouterr().out) if METRICS in line]
    assert "level" not in metrics
    assert template()["Parameters"]["LogLevel"]["AllowedValues"] == ["DEBUG", "INFO"]
