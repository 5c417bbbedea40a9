"""The client of the operators' API: envelope, refusals, repetition (contract section 11)."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from orderdesk_cli.api import Api, NoAnswer, NotAllowed, Refused, Reply
from orderdesk_cli.complaints import complaint_about


class Wire:
    """Answers with prepared replies, and keeps what was sent."""

    def __init__(self, *replies: Reply | NoAnswer) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.paused: list[float] = []
        self._replies: Iterator[Reply | NoAnswer] = iter(replies)
        self.api = Api(self, self.paused.append)

    def __call__(self, path: str, body: bytes) -> Reply:
        self.sent.append((path, json.loads(body)))
        reply = next(self._replies)
        if isinstance(reply, NoAnswer):
            raise reply
        return reply


def done(data: Mapping[str, Any]) -> Reply:
    envelope = {"code": 1, "msg": "success", "data": data, "time": 1}
    return Reply(200, json.dumps(envelope).encode())


def refused(status: int, code: int, **data: Any) -> Reply:
    envelope = {"code": code, "msg": "no", "data": data, "time": 1}
    return Reply(status, json.dumps(envelope).encode())


def test_a_read_sends_what_was_given_and_no_key() -> None:
    wire = Wire(done({"a": 1}))
    assert wire.api.call("order.show", order_no="B1", status=None) == {"a": 1}
    assert wire.sent == [("order.show", {"order_no": "B1"})]


def test_a_write_has_a_new_key_and_alone_has_its_own_path() -> None:
    wire = Wire(done({}), done({}))
    wire.api.write("rate.set", rate="7")
    wire.api.write("rate.set", alone=True, rate="7")
    (path, first), (solo, second) = wire.sent
    assert (path, solo) == ("rate.set", "solo/rate.set")
    assert first["idempotency_key"] != second["idempotency_key"]
    assert first["rate"] == "7"


@pytest.mark.parametrize(
    "lost",
    [
        NoAnswer("reset"),
        Reply(502, b'{"message": "Internal server error"}'),
        Reply(504, b"<html>"),
        refused(503, 5001, reason="try_again"),
    ],
    ids=["no answer", "gateway", "no JSON", "try again"],
)
def test_a_lost_answer_is_asked_for_again_with_the_same_key(lost: Reply | NoAnswer) -> None:
    wire = Wire(lost, lost, done({"ok": True}))
    assert wire.api.write("fund.trader", amount="1") == {"ok": True}
    assert len({body["idempotency_key"] for _, body in wire.sent}) == 1
    assert len(wire.paused) == 2


def told(wire: Wire, command: str, *, writes: bool = True, **given: Any) -> tuple[list[str], int]:
    """Return the lines and the exit code of a call that fails."""
    with pytest.raises((NoAnswer, NotAllowed, Refused)) as error:
        wire.api.write(command, **given) if writes else wire.api.call(command, **given)
    complaint = complaint_about(error.value, wire.api, writes=writes)
    assert complaint is not None
    return [*complaint.lines], complaint.exit_code


def test_after_three_attempts_a_write_is_undecided() -> None:
    [line], exit_code = told(Wire(*[NoAnswer("reset")] * 3), "fund.trader", amount="1")
    assert ("orderdesk audit" in line, exit_code) == (True, 1)


def test_a_refusal_says_the_servers_own_text() -> None:
    wire = Wire(refused(409, 2003, reason="state_conflict", detail="it was executed before"))
    assert told(wire, "proposal.approve", proposal_no="P1") == (["it was executed before"], 1)


def test_wrong_parameters_are_a_usage_error_a_line_each() -> None:
    fields = [{"field": "min_cny", "problem": "too large"}, {"field": "memo", "problem": "empty"}]
    wire = Wire(refused(400, 1002, reason="invalid_parameter", fields=fields))
    assert told(wire, "merchant.set") == (["min_cny: too large", "memo: empty"], 2)


FORBIDDEN = b'{"Message": "User: arn:x is not authorized to perform: execute-api:Invoke on y"}'


HAS_IT = "you may not call rate.set (the role finance has it)"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("User: arn:x is not authorized to perform: execute-api:Invoke on y", HAS_IT),
        ("Forbidden", HAS_IT),
        ("The security token is invalid.", "AWS refused rate.set: {}"),
        ("is not authorized to y with an explicit deny", "AWS refused rate.set from here: {}"),
    ],
)
def test_what_aws_refuses_names_the_command_and_who_has_it(message: str, said: str) -> None:
    rights = done({"items": [], "roles": {"rate.set": "finance"}, "next": None})
    wire = Wire(Reply(403, json.dumps({"message": message}).encode()), rights)
    assert told(wire, "rate.set", rate="7") == ([said.format(message)], 1)


def test_who_may_not_act_alone_reads_so() -> None:
    said = "you may not call fund.merchant alone: only an administrator of AWS may"
    assert told(Wire(Reply(403, FORBIDDEN)), "fund.merchant", alone=True) == ([said], 1)


def test_where_the_api_does_not_tell_the_role_all_roles_are_described() -> None:
    wire = Wire(Reply(403, FORBIDDEN), Reply(403, FORBIDDEN))
    [line], _ = told(wire, "order.list", writes=False)
    assert "viewers read" in line


def test_pages_are_read_as_they_are_wanted() -> None:
    wire = Wire(
        done({"items": [{"n": 1}, {"n": 2}], "next": "c2"}),
        done({"items": [{"n": 3}], "next": None}),
    )
    items = wire.api.items("order.list", limit=2)
    assert next(items) == {"n": 1}
    assert len(wire.sent) == 1
    assert [item["n"] for item in items] == [2, 3]
    assert wire.sent[1] == ("order.list", {"limit": 2, "after": "c2"})


EXPIRED = b"<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"


@pytest.mark.parametrize("refusal", [EXPIRED, b"<Error><Code>SignatureDoesNotMatch</Code></Error>"])
def test_a_link_that_s3_refuses_is_no_missing_file(refusal: bytes) -> None:
    api = Api(Wire(), fetch=lambda _: Reply(403, refusal))
    with pytest.raises(NoAnswer, match="HTTP 403 instead of the file"):
        api.file("https://bucket.s3.eu-west-1.amazonaws.com/key")


def test_a_bug_is_not_explained_away() -> None:
    assert complaint_about(KeyError("x"), None, writes=False) is None
