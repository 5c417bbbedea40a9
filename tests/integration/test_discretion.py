"""Nothing personal and nothing secret reaches a log line or a refusal.

Lambda reads the level of a log line, so that LogLevel filters it and alarms count it.

Lambda reads `level` and an RFC 3339 `timestamp`; a line without them counts as INFO
(docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html).
"""

import json
from datetime import datetime
from typing import Any

import pytest

from tests.support.identities import identity
from tests.support.merchant_client import BANK, WALLET, buy, sell
from tests.support.template import template
from tests.support.world import TimeLeft, World


@pytest.mark.parametrize("log_level", ["INFO", "DEBUG"])
def test_logs_hold_no_secret_and_nothing_personal(
    world: World,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    log_level: str,
) -> None:
    monkeypatch.setenv("LOG_LEVEL", log_level)
    caplog.set_level(log_level)  # the root logger's, as Lambda sets it: every library logs
    merchant, client = world.add_merchant(identity_required=True)
    world.fund(merchant, 10**12)
    world.add_trader()
    calls: list[dict[str, Any]] = [
        buy(**identity(), merchant_order_no="private-no", remark="private-remark"),
        buy(**identity(mobile="13800000000"), callback_url="https://m.example.com/private-path"),
        sell(**identity()),
        sell(**identity(mobile="13800009999"), payment_method=WALLET),
        sell(**identity(), cny_amount="private-amount"),
        buy(api_key="mk_private_key"),
    ]
    sent: set[str] = {client.api_key, client.api_secret}
    answers = []
    for call in calls:
        params = client.signed("/merchant/createOrder", call)
        sent |= {str(params[name]) for name in ("nonce", "signature", "api_key")}
        answers.append(client.post_as_is("/merchant/createOrder", params))
    assert {answer.code for answer in answers} == {1, 2202, 1002, 1101}
    tokens = {url.rsplit("/", 1)[1] for a in answers if a.code == 1 for url in _urls(a.data)}
    personal = {*identity().values(), *BANK.values(), *WALLET.values()} - {"bank", "alipay"}
    captured = capsys.readouterr()
    logged = captured.out + captured.err
    assert len(logged.splitlines()) >= len(calls)
    logged += caplog.text
    for text in sent | tokens | personal | {"private"}:
        assert text not in logged
        assert json.dumps(text).strip('"') not in logged
    for answer in answers:
        if answer.code != 1:
            assert not any(text in json.dumps(answer.envelope) for text in sent | personal)


def _urls(data: dict[str, Any]) -> list[str]:
    return [data[name] for name in ("pay_url", "identity_url") if name in data]


def test_what_is_stored_of_an_identity_is_masked_but_for_an_open_buys_name(world: World) -> None:
    _, client = world.add_merchant(identity_required=True)
    world.add_trader()
    client.create(buy(**identity()))
    client.create(buy(**identity(mobile="13800000000")))
    [order] = world.items(world.tables.orders, "order")
    record: Any = order["identity"]
    assert record.pop("open_name") == identity()["customer_name"]
    stored = json.dumps([order, *world.items(world.tables.orders, "draft")], ensure_ascii=False)
    for text in (*identity().values(), "13800000000"):
        assert text not in stored
    assert record["outcome"] == "passed"
    assert record["provider"] == "sandbox"
    assert record["masked_mobile"] == "138****0001"


def test_no_whole_name_is_stored_of_a_sells_customer(world: World) -> None:
    merchant, client = world.add_merchant(identity_required=True)
    world.fund(merchant, 10**12)
    client.create(sell(**identity()))
    [order] = world.items(world.tables.orders, "order")
    record: Any = order["identity"]
    assert record["open_name"] == ""


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
