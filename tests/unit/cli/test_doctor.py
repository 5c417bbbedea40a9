"""`orderdesk doctor`: each check at its limit, and no finding on a healthy stack."""

from collections.abc import Iterable
from typing import Any

import pytest

from orderdesk_cli import doctor as checks
from orderdesk_cli.doctor import DAY_SECONDS, Finding
from orderdesk_cli.installation import actions_of
from orderdesk_cli.sheets.sheet import Json

NOW = 1_800_000_000
MAX_AGE = 86_400


def levels(found: Iterable[Finding]) -> list[Json]:
    return [finding["level"] for finding in found]


def rates_aged(buy: int, sell: int) -> dict[str, Json]:
    return {
        "buy": {"rate": "7.2360", "source": "operator", "set_at": NOW - buy},
        "sell": {"rate": "7.1000", "source": "operator", "set_at": NOW - sell},
    }


@pytest.mark.parametrize(
    ("age", "expected"),
    [
        (0, []),
        (MAX_AGE * 3 // 4 - 1, []),
        (MAX_AGE * 3 // 4, ["risk"]),
        (MAX_AGE - 1, ["risk"]),
        (MAX_AGE, ["wrong"]),
    ],
)
def test_the_age_of_a_rate(age: int, expected: list[str]) -> None:
    assert levels(checks.rates(NOW, MAX_AGE, rates_aged(0, age))) == expected


def test_a_rate_that_was_never_set() -> None:
    [finding] = checks.rates(NOW, MAX_AGE, {"buy": rates_aged(0, 0)["buy"]})
    assert (finding["level"], finding["remedy"]) == ("wrong", "orderdesk rate set sell RATE")


def test_the_age_of_a_secret() -> None:
    old, older = NOW - 365 * DAY_SECONDS, NOW - 366 * DAY_SECONDS
    merchants: list[dict[str, Json]] = [
        {"merchant_id": "m1", "created_at": old},
        {"merchant_id": "m2", "created_at": older},
        {"merchant_id": "m3", "created_at": older, "secret_rotated_at": old},
    ]
    [finding] = checks.secrets(NOW, merchants)
    assert finding["remedy"] == "its people make a new one in the portal"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (checks.dead_letters(0, 0), []),
        (checks.dead_letters(1, 2), ["risk", "wrong"]),
        (checks.alarms(1, []), []),
        (checks.alarms(0, ["InternalErrorsAlarm"]), ["risk", "wrong"]),
        (checks.schedules({"s-a": True, "s-b": False}, ["s-a"]), []),
        (checks.schedules({"s-a": False}, ["s-a", "s-b"]), ["wrong", "wrong"]),
        (checks.mappings({"f": "Enabled", "g": "Disabled", "h": "missing"}), ["wrong", "wrong"]),
        (checks.rotation(1, 250 * 60), []),
        (checks.rotation(1, 250 * 60 + 60), ["risk"]),
        (checks.rotation(2, 500 * 60), []),
        (checks.standby({"s-a": False}, {"relay": "Disabled"}), []),
        (checks.standby({"s-a": True}, {"relay": "Enabled"}), ["wrong", "wrong"]),
        (checks.table("t", is_restorable=True, is_protected=True, capped=[]), []),
        (checks.table("t", is_restorable=True, is_protected=True, capped=["Max"]), ["risk"]),
        (checks.table("t", is_restorable=False, is_protected=False, capped=[]), ["wrong", "risk"]),
        (checks.throttle(500, 1000, 500, 1000), []),
        (checks.throttle(501, 1001, 500, 1000), ["wrong", "wrong"]),
        (checks.concurrency(500, 110), []),
        (checks.concurrency(500, 109), ["wrong"]),
        (checks.rights("r", {"a:B"}, {"a:B"}, []), []),
        (checks.rights("r", {"a:B"}, {"a:B", "a:*"}, ["arn:x"]), ["wrong", "wrong"]),
        (checks.identity("tencent"), []),
        (checks.identity("sandbox"), ["wrong"]),
        (checks.passkeys("https://pay.example.com"), []),
        (checks.passkeys(""), ["risk"]),
        (checks.status("UPDATE_COMPLETE"), []),
        (checks.status("UPDATE_ROLLBACK_COMPLETE"), ["wrong"]),
        (checks.status("UPDATE_FAILED"), ["wrong"]),
    ],
)
def test_errors_and_risks_of_a_stack(found: Iterable[Finding], expected: list[str]) -> None:
    assert levels(found) == expected


def test_the_actions_of_a_policy() -> None:
    document = {
        "Statement": [
            {"Effect": "Allow", "Action": "a:One", "Resource": "*"},
            {"Fn::If": ["C", {"Effect": "Allow", "Action": ["a:Two"]}, {"Ref": "AWS::NoValue"}]},
            {"Effect": "Allow", "Action": {"Fn::If": ["C", ["a:Three"], ["a:Four", "a:Five"]]}},
            {"Effect": "Deny", "Action": "a:Six"},
        ]
    }
    assert actions_of(document) == {"a:One", "a:Two", "a:Three", "a:Four", "a:Five"}


def trusting(action: str | list[str], **condition: Any) -> dict[str, Any]:
    return {"Statement": [{"Effect": "Allow", "Action": action, "Condition": condition}]}


@pytest.mark.parametrize(
    ("trust", "found"),
    [
        (trusting("sts:AssumeRole"), ["wrong"]),
        (trusting(["sts:TagSession", "sts:AssumeRole"]), ["wrong"]),
        (trusting("sts:AssumeRoleWithWebIdentity"), ["wrong"]),
        (trusting(["sts:AssumeRoleWithSAML", "sts:TagSession"]), []),
        (trusting("sts:AssumeRole", StringLike={"sts:RoleSessionName": "${aws:username}"}), []),
    ],
)
def test_a_listed_role_whose_session_name_its_caller_chooses(
    trust: dict[str, Any], found: list[str]
) -> None:
    assert levels(checks.people([("operators", trust)])) == found
