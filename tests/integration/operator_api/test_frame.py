"""The frame of the operators' API: identity, paths, parameters, refusals and the log."""

import json
from typing import Any

import pytest

from orderdesk.web.body import MAX_BODY_BYTES
from tests.support.market import Market
from tests.support.operator_api import ACCOUNT, OperatorApi, arn_of_user
from tests.support.world import World, open_world

SSO = f"arn:aws:sts::{ACCOUNT}:assumed-role/AWSReservedSSO_Finance_0a1b/li@example.com"


def test_a_command_returns_its_data_in_the_envelope(api: OperatorApi) -> None:
    headers = {"x-amzn-requestid": "r-1"}
    status, sent, envelope = api.send(
        arn_of_user("viewer-1"), "/rate.list", b'{"idempotency_key":null}', headers=headers
    )
    assert (status, envelope["code"], envelope["msg"]) == (200, 1, "success")
    assert envelope["data"]["buy"]["rate"] == "7.2360"
    assert isinstance(envelope["time"], int)
    assert sent["x-request-id"] == "r-1"


@pytest.mark.parametrize("arn", [arn_of_user("viewer-1"), SSO])
def test_users_and_sessions_of_listed_roles_are_persons(api: OperatorApi, arn: str) -> None:
    assert api.send(arn, "/rate.list")[0] == 200


@pytest.mark.parametrize("arn", [None, f"arn:aws:iam::{ACCOUNT}:root"])
def test_nobody_else_is(api: OperatorApi, arn: str | None) -> None:
    status, _, envelope = api.send(arn, "/rate.list")
    assert (status, envelope["code"]) == (403, 2303)
    assert envelope["data"]["reason"] == "not_an_operator"


def test_the_request_names_no_person(api: OperatorApi) -> None:
    headers = {"x-amz-user": "finance-1", "authorization": "AWS4-HMAC-SHA256 Credential=x"}
    body = json.dumps({"person": "finance-1"}).encode()
    status, _, envelope = api.send(None, "/rate.list", body, headers=headers)
    assert (status, envelope["code"]) == (403, 2303)


def test_root_is_a_person_on_the_local_stack_only() -> None:
    with open_world(ALLOW_LOCAL_TARGETS="true") as world:
        arn = f"arn:aws:iam::{ACCOUNT}:root"
        status, _, envelope = OperatorApi(world).send(arn, "/rights.list")
    assert status == 200
    assert envelope["data"]["person"] == "root"
    assert "rate.set" in envelope["data"]["items"]


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/rate.list/", "//rate.list", "/Rate.list", "/rate.list%20", "/rate.nope"),
        *("/v1/rate.list", "/solo", "/solo/", "/solo//rate.list", "/solo/solo/rate.list"),
    ],
)
def test_a_path_that_is_not_exactly_a_command_is_unknown(api: OperatorApi, path: str) -> None:
    status, _, envelope = api.send(arn_of_user("viewer-1"), path)
    assert (status, envelope["code"], envelope["data"]["reason"]) == (404, 4000, "unknown_route")


def test_another_method_is_unknown(api: OperatorApi) -> None:
    assert api.send(arn_of_user("viewer-1"), "/rate.list", method="GET")[0] == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"", 400), (b"[]", 400), (b'{"a":1,"a":1}', 400), (b"x" * (MAX_BODY_BYTES + 1), 413)],
)
def test_a_body_that_is_no_object_is_refused(api: OperatorApi, body: bytes, status: int) -> None:
    found, _, envelope = api.send(arn_of_user("viewer-1"), "/rate.list", body)
    assert (found, envelope["code"]) == (status, 1001)


def test_every_bad_parameter_is_named_at_once(api: OperatorApi) -> None:
    status, envelope = api.call(
        "finance-1", "rate.set", order_type="both", rate=7.2, amount="1", idempotency_key="a b"
    )
    assert (status, envelope["code"]) == (400, 1002)
    fields = {each["field"]: each["problem"] for each in envelope["data"]["fields"]}
    assert fields.keys() == {"order_type", "rate", "amount", "idempotency_key"}
    assert fields["amount"] == "unknown parameter"


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("proposal.list", ("zzz", "P999", "0", "\x00", "W" + "1" * 24, "P" + "1" * 25, 5)),
        ("withdraw.list", ("zzz", "W1", "B" + "1" * 24)),
        ("ledger.check", ("zzz", "0" * 16)),
        ("ledger.seals", ("zzz", "F" + "0" * 16)),
        ("ledger.statement", ("zzz", "a.b")),
    ],
)
def test_what_no_list_has_written_is_a_bad_after(
    api: OperatorApi, world: World, command: str, wrong: tuple[object, ...]
) -> None:
    merchant, _ = world.add_merchant()
    needed: dict[str, dict[str, Any]] = {"ledger.statement": {"merchant_id": merchant.merchant_id}}
    for after in wrong:
        status, envelope = api.call("viewer-1", command, **needed.get(command, {}), after=after)
        assert (status, envelope["code"]) == (400, 1002)
        assert [each["field"] for each in envelope["data"]["fields"]] == ["after"]


def test_a_refusal_is_small_whatever_was_asked(api: OperatorApi) -> None:
    status, envelope = api.call("viewer-1", "order.find", text="x" * 60_000)
    assert (status, envelope["code"]) == (404, 2002)
    assert len(str(envelope)) < 500


def test_a_refusal_has_its_own_text(api: OperatorApi) -> None:
    status, envelope = api.call("finance-1", "rate.set", order_type="buy", rate="9.0000")
    assert (status, envelope["code"]) == (409, 2003)
    assert "5 %" in envelope["data"]["detail"]


def test_rights_are_what_iam_allows(api: OperatorApi) -> None:
    api.allowed = {"rate.list", "rights.list"}
    data = api.data("viewer-1", "rights.list")
    assert (data["person"], data["items"]) == ("viewer-1", ["rate.list", "rights.list"])
    assert data["roles"]["rate.set"] == "finance"


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_log_has_person_command_and_code_only(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    api = OperatorApi(world)
    secret = {"authorization": "AWS4 Signature=s3cr3t", "x-amz-security-token": "t0k3n"}
    body = json.dumps({"order_type": "buy", "rate": "7.2361", "reason": "told by phone"}).encode()
    for sent, status in ((body, 200), (b'{"rate": "x"}', 400)):
        assert api.send(arn_of_user("finance-1"), "/rate.set", sent, headers=secret)[0] == status

    text = capsys.readouterr().out
    done, refused = lines(text)
    assert (done["person"], done["command"], done["code"]) == ("finance-1", "rate.set", 1)
    assert (refused["person"], refused["code"]) == ("finance-1", 1002)
    assert done["request_id"]
    assert not any(word in text for word in ("s3cr3t", "t0k3n", "7.2361", "phone", "203.0.113"))


def test_a_call_alone_is_logged_before_it_runs(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    api = OperatorApi(world)
    status, _ = api.call("admin", "rate.set", alone=True, order_type="buy", rate="9.0000")
    assert status == 409
    first, last = lines(capsys.readouterr().out)
    assert (first["alone"], first["person"], first["command"]) == (True, "admin", "rate.set")
    assert last["code"] == 2003


def test_an_unexpected_error_is_5000_without_its_text(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    api = OperatorApi(world)
    monkeypatch.setattr(world.modules["operator_api"].clients, "dynamodb", None)
    status, envelope = api.call("viewer-1", "rate.list")
    assert (status, envelope["code"], envelope["data"]) == (500, 5000, {"reason": "internal_error"})
    (line,) = lines(capsys.readouterr().out)
    assert (line["level"], line["code"]) == ("ERROR", 5000)


def test_a_repeated_key_returns_the_first_ids(api: OperatorApi) -> None:
    asked = {"order_type": "buy", "rate": "7.2361", "idempotency_key": "k-1"}
    assert "repeated" not in api.data("finance-1", "rate.set", **asked)
    again = api.data("finance-1", "rate.set", **asked)
    assert again["repeated"] is True
    assert again["target"] == "buy"
    assert again["audit_id"]


def test_a_repeated_key_returns_the_ids_by_the_names_of_the_first_answer(api: OperatorApi) -> None:
    def twice(command: str, /, **parameters: Any) -> tuple[Any, Any]:
        asked = {**parameters, "idempotency_key": command.replace(".", "-")}
        first, again = (api.data("finance-1", command, **asked) for _ in range(2))
        assert again["repeated"] is True
        return first, again

    first, again = twice("merchant.add", alone=True, name="晨光商城")
    merchant = {"merchant_id": first["merchant_id"]}
    assert again["merchant_id"] == first["merchant_id"]
    assert not [name for name in again if "secret" in name]
    first, again = twice("merchant.invite", alone=True, **merchant, name="小梅", role="viewer")
    assert again == {**again, **merchant, "member_id": first["member_id"]}
    assert "invite_url" not in again
    first, again = twice("trader.add", alone=True, name="李四", min_cny="1.00", max_cny="2.00")
    assert again["trader_id"] == first["trader_id"]
    paid = {**merchant, "amount": "1", "memo": "m", "is_test": True}
    for command in ("fund.merchant", "withdraw.merchant"):
        first, again = twice(command, **paid)
        ids = {"transfer_id": first["transfer_id"], **merchant}
        assert again == {**again, **ids}


@pytest.mark.parametrize("command", ["trader.offline", "trader.suspend", "trader.stop-account"])
def test_a_key_is_also_that_of_a_request_that_may_run_again(
    market: Market, api: OperatorApi, command: str
) -> None:
    """One that changes nothing, and one that takes several writes."""
    asked: dict[str, Any] = {"trader_id": market.trader_id, "idempotency_key": "k-1"}
    asked["reason"] = "frozen"
    if command == "trader.stop-account":
        asked["account"] = "bank"
    api.data("support-1", "trader.offline", trader_id=market.trader_id)
    first, again = (api.data("support-1", command, **asked) for _ in range(2))
    assert again["trader_id"] == first["trader_id"] == market.trader_id
    other = {**asked, "reason": "another one"}
    status, envelope = api.call("support-1", command, **other)
    assert (status, envelope["code"]) == (409, 2302)
    api.data("support-1", "trader.online", trader_id=market.trader_id)
    assert api.data("support-1", command, **asked)["trader_id"] == market.trader_id


@pytest.mark.parametrize("change", [{"rate": "7.2362"}, {"order_type": "sell"}, {"alone": True}])
def test_a_key_stands_for_its_parameters(api: OperatorApi, change: dict[str, Any]) -> None:
    asked = {"order_type": "buy", "rate": "7.2361", "idempotency_key": "k-1"}
    api.data("finance-1", "rate.set", **asked)
    status, envelope = api.call("finance-1", "rate.set", **{**asked, **change})
    assert (status, envelope["code"]) == (409, 2302)
    assert envelope["data"]["reason"] == "idempotency_conflict"
