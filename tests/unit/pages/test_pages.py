"""What every page has: headers, a language, problem pages, and logs without secrets."""

import io
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import OrderdeskError, TryAgain
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.web.pages.frame import Page, answer_page
from orderdesk.web.pages.pay.routes import SITE
from orderdesk.web.pages.scene import Scene
from orderdesk.web.pages.shared_texts import SharedTexts
from orderdesk.web.pages.templates import _environment
from orderdesk.web.pages.texts import Language
from tests.support.events import proxy_event

ROUTE = "/pay/{order_no}/{token}"
TOKEN = "a-secret-token"
MIDNIGHT = 1_795_795_200  # in China
ALWAYS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Language",
    "X-Content-Type-Options": "nosniff",
}
PROBLEMS: list[tuple[Exception, int, str]] = [
    (OrderNotFound(), 404, "order_not_found"),
    (TryAgain(), 503, "try_again"),
    (ValueError("card 6200000000000001234"), 500, "internal_error"),
    (OrderdeskError(), 500, "internal_error"),
]


def event(
    lang: str | None = None, accept: str = "", parameters: Mapping[str, str] | None = None
) -> dict[str, Any]:
    names = parameters or {"order_no": "B1", "token": TOKEN}
    made = proxy_event("GET", ROUTE, headers={"Accept-Language": accept}, path_parameters=names)
    return made if lang is None else {**made, "queryStringParameters": {"lang": lang}}


def failing(error: Exception) -> Any:
    def route(scene: Scene[Any]) -> Any:
        raise error

    return route


@pytest.fixture
def log() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def logger(log: io.StringIO, request: pytest.FixtureRequest) -> Logger:
    return Logger(service=request.node.name, name=request.node.name, stream=log)


@pytest.mark.parametrize(("error", "status", "reason"), PROBLEMS)
@pytest.mark.parametrize("language", Language)
def test_a_problem_is_a_page_with_every_header_and_a_log_line_without_secrets(
    logger: Logger,
    log: io.StringIO,
    *,
    error: Exception,
    status: int,
    reason: str,
    language: Language,
) -> None:
    sent = event(lang=language.value)
    answer = answer_page(sent, logger, failing(error), SITE)
    assert answer["statusCode"] == status
    headers, html = answer["headers"], answer["body"]
    assert headers.items() >= ALWAYS.items()
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Content-Language"] == language.tag
    assert headers["x-request-id"] == sent["requestContext"]["requestId"]
    assert SharedTexts(language).problems[reason].headline in html
    assert f'<html lang="{language.tag}">' in html
    assert ("Retry-After" in headers) == (status == 503)
    assert (headers["x-request-id"] in html) == (status != 404)
    [line] = log.getvalue().splitlines()
    entry = json.loads(line)
    assert entry["request_id"] == headers["x-request-id"]
    assert entry["route"] == f"GET {ROUTE}"
    assert (entry["level"] == "ERROR") == (entry["code"] == 5000) == (status == 500)
    assert TOKEN not in line
    assert "6200000000000001234" not in line


def test_the_policy_allows_this_answers_style_and_script_only(logger: Logger) -> None:
    nonces = set()
    for _ in range(2):
        answer = answer_page(event(), logger, failing(OrderNotFound()), SITE)
        policy = answer["headers"]["Content-Security-Policy"]
        [nonce] = set(re.findall(r'nonce="([^"]+)"', answer["body"]))
        assert policy.split("; ") == [
            "default-src 'none'",
            f"style-src 'nonce-{nonce}'",
            f"script-src 'nonce-{nonce}'",
            "img-src 'none'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ]
        assert len(nonce) >= 22
        nonces.add(nonce)
    assert len(nonces) == 2


@pytest.mark.parametrize(("error", "status", "reason"), PROBLEMS)
def test_a_scripts_problem_is_its_reason(
    logger: Logger, error: Exception, status: int, reason: str
) -> None:
    answer = answer_page(event(), logger, failing(error), SITE, is_data=True)
    assert answer["statusCode"] == status
    assert json.loads(answer["body"]) == {"reason": reason}
    assert answer["headers"].items() >= ALWAYS.items()
    assert answer["headers"]["Content-Type"] == "application/json; charset=utf-8"
    assert "default-src 'none'" in answer["headers"]["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("lang", "accept", "shown"),
    [
        (None, "", "en"),
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"),
        (None, "en,zh;q=0.9", "en"),
        ("en", "zh-CN", "en"),
        ("zh", "en", "zh-CN"),
        ("<script>", "zh", "zh-CN"),
    ],
)
def test_the_switch_goes_before_the_browsers_language(
    logger: Logger, lang: str | None, accept: str, shown: str
) -> None:
    answer = answer_page(event(lang, accept), logger, failing(OrderNotFound()), SITE)
    assert answer["headers"]["Content-Language"] == shown
    other = "zh" if shown == "en" else "en"
    assert f'href="?lang={other}"' in answer["body"]


def test_a_value_that_a_template_lacks_is_an_internal_error(logger: Logger) -> None:
    answer = answer_page(event(), logger, lambda _: Page("pay.html", {}), SITE)
    assert answer["statusCode"] == 500


@pytest.mark.parametrize(
    ("filters", "value", "shown"),
    [
        ("(value | cny).whole ~ (value | cny).fen", 1_234_567_05, "1,234,567.05"),
        ("value | yuan", 1_234_567_05, "1,234,567.05"),
        ("value | usdt", -1_234_000_001, "1,234.000001"),
        ("value | signed_usdt", 1_500_000, "+1.500000"),
        ("value | signed_usdt", -1_500_000, "\N{MINUS SIGN}1.500000"),
        ("value | china_day", MIDNIGHT - 1, "2026-11-27"),
        ("(value | moment).iso", MIDNIGHT, "2026-11-27T16:00:00Z"),
        ("(value | moment).text", MIDNIGHT, "2026年11月28日 00:00"),
        ("value | indented", '{"a":["<"]}', "{\n  &#34;a&#34;: [\n    &#34;&lt;&#34;\n  ]\n}"),
        ("value is order_no", "B202611280000000000000000", "True"),
        ("value is order_no", "P202611280000000000000000", "False"),
    ],
)
def test_templates_show_values_through_filters(filters: str, value: object, shown: str) -> None:
    page = _environment().from_string(f"{{{{ {filters} }}}}")
    assert page.render(value=value, m=SharedTexts(Language.ZH)) == shown


@pytest.mark.parametrize(
    ("module", "expected"), [("pages.frame", True), ("merchant.endpoint", False)]
)
def test_only_the_pages_import_jinja2(module: str, expected: bool) -> None:  # noqa: FBT001
    script = f"import sys, orderdesk.web.{module}; print('jinja2' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(expected)
