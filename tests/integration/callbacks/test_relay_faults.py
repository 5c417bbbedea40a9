"""relay-events when it dies, when the queue refuses, and with a record that cannot be read."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.callback_functions import RelayWorld, paid_buys
from tests.support.faults import Killed
from tests.support.money_world import MoneyWorld
from tests.support.world import World


@pytest.fixture
def relay(money: MoneyWorld, world: World) -> RelayWorld:
    return RelayWorld(world)


def refused(*places: int) -> Any:
    """Return the answer to a batch in which these entries failed."""
    failed = [{"Id": str(n), "SenderFault": False, "Code": "InternalError"} for n in places]
    return SimpleNamespace(status_code=200), {"Successful": [], "Failed": failed}


def unanswered(code: str) -> Any:
    status = 503 if code == "ServiceUnavailable" else 400
    error = {"Code": code, "Message": "private"}
    metadata = {"HTTPStatusCode": status}
    return SimpleNamespace(status_code=status), {"Error": error, "ResponseMetadata": metadata}


@pytest.mark.parametrize("when", ["before-call", "after-call"])
@pytest.mark.parametrize("number", range(3))
def test_killed_at_any_request_it_sends_the_same_again(
    money: MoneyWorld, relay: RelayWorld, number: int, when: str
) -> None:
    ids = paid_buys(money, 25)
    records = relay.records()
    with pytest.raises(Killed), relay.killed_at(number, when):
        relay.handle(records)
    before = {event.webhook_id: event for event in relay.sent()}
    relay.restart()
    relay.handle(records)
    after = {event.webhook_id: event for event in relay.sent()}
    assert sorted(after) == sorted(ids)
    assert before.items() <= after.items(), "the same bytes again"
    assert len(before) == min(25, 10 * (number + (when == "after-call")))


def test_entries_that_fail_are_sent_again_alone(money: MoneyWorld, relay: RelayWorld) -> None:
    ids = paid_buys(money, 4)
    with relay.answering(refused(1, 3), None) as seen:
        relay.handle(relay.records())
    assert [[entry["Id"] for entry in entries] for entries in seen] == [list("0123"), list("13")]
    sent = [event.webhook_id for event in relay.sent()]
    assert set(sent) <= set(ids)
    assert len(sent) == 2


def test_where_one_event_keeps_failing_the_invocation_fails(
    money: MoneyWorld, relay: RelayWorld
) -> None:
    ids = paid_buys(money, 25)
    records = relay.records()
    with (
        relay.answering(None, refused(4, 6), refused(4, 6), refused(4, 6)) as seen,
        pytest.raises(relay.module.RelayStopped),
    ):
        relay.handle(records)
    assert [len(entries) for entries in seen] == [10, 10, 2, 2]
    assert len(relay.sent()) == 10
    assert relay.messages("PUSHES_QUEUE_URL") == []
    relay.handle(records)
    assert sorted(event.webhook_id for event in relay.sent()) == sorted(ids)


@pytest.mark.parametrize("code", ["ServiceUnavailable", "RequestThrottled", "AccessDenied"])
def test_where_nothing_is_taken_the_invocation_fails(
    money: MoneyWorld, relay: RelayWorld, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    relay.restart()  # so that it logs to this test's stdout
    ids = paid_buys(money, 2)
    records = relay.records()
    with relay.answering(*[unanswered(code)] * 3), pytest.raises(relay.module.RelayStopped):
        relay.handle(records)
    logged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any(line.get("code") == 5000 for line in logged) is (code == "AccessDenied")
    assert "private" not in str(logged)
    relay.handle(records)
    assert sorted(event.webhook_id for event in relay.sent()) == sorted(ids)


def test_a_record_that_nobody_can_read_is_set_aside(
    money: MoneyWorld, relay: RelayWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    relay.restart()
    ids = paid_buys(money, 3)
    records = relay.records()
    broken = records[3 + 1]["dynamodb"]  # after those of the three new buys, which have no event
    broken["NewImage"]["status"] = {"S": "private-status"}
    del broken["NewImage"]["timeline"]
    relay.handle(records)
    number = broken["Keys"]["pk"]["S"]
    assert {event.webhook_id for event in relay.sent()} == set(ids) - {f"msg_{number}_2"}
    (aside,) = relay.aside()
    assert (aside["sequence_number"], aside["number"]) == (broken["SequenceNumber"], number)
    lines = capsys.readouterr().out
    assert "private" not in lines
    assert any(json.loads(line).get("code") == 5000 for line in lines.splitlines())


@pytest.mark.parametrize("log_level", ["INFO", "DEBUG"])
def test_logs_name_the_callbacks_and_tell_nothing_of_them(
    money: MoneyWorld,
    relay: RelayWorld,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    log_level: str,
) -> None:
    relay.restart()
    ids = paid_buys(money, 1)
    records = relay.records()
    records[0]["dynamodb"]["NewImage"]["remark"] = {"S": "private"}
    caplog.set_level(log_level)  # the root logger's, as Lambda sets it: every library logs
    relay.module.logger.setLevel(log_level)
    relay.handle(records)
    logged = capsys.readouterr().out + caplog.text
    assert all(one in logged for one in ids)
    for text in ("private", "cny_amount", "payment_method", "6200000000000001234"):
        assert text not in logged
