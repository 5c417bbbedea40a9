"""The rules and the watch report each seeded fault."""

import json
import logging
import time
from collections.abc import Mapping
from typing import Any

import pytest
from aws_lambda_powertools.logging import Logger

from tests.fuzz.hostile import TAG
from tests.fuzz.requests import Case, Route
from tests.fuzz.rules import CPU_MS_MAX, broken_rules
from tests.fuzz.watch import Watch

SECRET = "sk_a_canary_0123456789_that_is_longer_than_a_fragment"
SIGNED = Case(Route("create_order", "POST", "/merchant/createOrder"), private=frozenset({SECRET}))
PAGE = Case(Route("pay_page", "GET", "/pay/{order_no}/{token}"), private=frozenset({SECRET}))


def envelope(status: int = 400, code: int = 1002, **data: Any) -> dict[str, Any]:
    body = {"code": code, "msg": "", "data": {"reason": "invalid_parameter", **data}}
    headers = {"x-request-id": "r", "Content-Type": "application/json"}
    return {"statusCode": status, "headers": headers, "body": json.dumps(body)}


def page(body: str, **headers: str) -> dict[str, Any]:
    whole = {"x-request-id": "r", "Content-Type": "text/html; charset=utf-8", **headers}
    return {"statusCode": 200, "headers": whole, "body": body}


def broken(case: Case, answer: Mapping[str, Any] | None = None, act: Any = None) -> list[str]:
    def handler(event: dict[str, Any], context: object) -> Mapping[str, Any]:
        if act is not None:
            act()
        return envelope() if answer is None else answer

    watch = Watch()
    with watch.listening():
        return list(broken_rules(case, watch.run(handler, {})))


def fail() -> None:
    raise KeyError(SECRET)


def work() -> None:
    began = time.thread_time()
    while time.thread_time() - began < CPU_MS_MAX / 1_000 * 1.1:
        pass


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        (SIGNED, envelope()),
        (SIGNED, envelope(413, 1001, reason="invalid_body")),
        (SIGNED, envelope(503, 2202, reason="identity_provider_unavailable")),
        (PAGE, page("")),
    ],
)
def test_a_valid_answer_breaks_no_rule(case: Case, answer: dict[str, Any]) -> None:
    assert broken(case, answer) == []


@pytest.mark.parametrize(
    ("case", "answer", "reported"),
    [
        (SIGNED, envelope(500, 5000, reason="internal_error"), "status 500"),
        (SIGNED, envelope(503, 5001, reason="try_again"), "status 503"),
        (SIGNED, envelope(200, 1002), "code 1002 with status 200"),
        (SIGNED, envelope(more="x" * 82_000), "an answer of"),
        (PAGE, {**page(""), "statusCode": 503}, "status 503"),
        (PAGE, page("\ud800"), "no UTF-8"),
        (PAGE, page(f"<p>{TAG}>"), "a tag"),
        (PAGE, page("", Location="a\r\nSet-Cookie: b"), "control character"),
        (PAGE, {"statusCode": 200, "headers": {}, "body": ""}, "no x-request-id"),
    ],
)
def test_a_wrong_answer_is_reported(case: Case, answer: dict[str, Any], reported: str) -> None:
    assert any(reported in each for each in broken(case, answer))


def test_an_exception_is_reported() -> None:
    assert "raised KeyError" in broken(SIGNED, act=fail)[0]


def test_cpu_time_is_reported_and_waiting_is_not() -> None:
    assert "ms of CPU" in broken(SIGNED, act=work)[0]
    assert broken(SIGNED, act=lambda: time.sleep(CPU_MS_MAX / 1_000 * 1.1)) == []


@pytest.mark.parametrize(
    "say",
    [
        lambda: print(SECRET),
        lambda: logging.getLogger("a.library").debug("sent %s", SECRET),
        lambda: Logger(service="fuzz-rules").info("refused", extra={"of": {"a": SECRET}}),
        lambda: print(f"cut: {SECRET[:30]}…"),
        lambda: print(f"cut: …{SECRET[-30:]}"),
    ],
)
def test_a_value_in_a_log_is_reported(say: Any) -> None:
    assert any(each.startswith("logged ") for each in broken(SIGNED, act=say))


def test_a_value_is_found_with_json_escapes() -> None:
    name = "张三\n的名字\t很长很长"
    case = Case(SIGNED.route, private=frozenset({name}))
    for is_ascii in (True, False):
        assert broken(case, act=lambda: print(json.dumps({"n": name}, ensure_ascii=is_ascii)))  # noqa: B023
