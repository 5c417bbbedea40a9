"""The text of an unexpected error may quote secrets, so only the local stack logs it."""

import io
import json
import uuid
from typing import Any

import pytest
from aws_lambda_powertools.logging import Logger

from orderdesk.web.http import log_unexpected
from tests.support.template import ROOT

SECRET = "sk_a_secret_that_a_library_quotes"


def fail() -> None:
    try:
        json.loads("{}")[SECRET]
    except KeyError as cause:
        raise ValueError(f"not a number: {SECRET}") from cause


def logged() -> dict[str, Any]:
    stream = io.StringIO()
    logger = Logger(service=str(uuid.uuid4()), stream=stream)  # a logger keeps its first stream
    try:
        fail()
    except ValueError as error:
        log_unexpected(logger, error)
    record: dict[str, Any] = json.loads(stream.getvalue())
    return record


@pytest.mark.parametrize(
    "endpoint",
    [
        None,
        "",
        "https://dynamodb.us-east-1.amazonaws.com",
        "https://vpce-0123456789abcdef0.dynamodb.us-east-1.vpce.amazonaws.com",
        "http://169.254.169.254:80",
        "http://localhost.example.com:80",
        "http://127.0.0.1.example.com:80",
    ],
)
def test_on_aws_there_is_its_type_and_place_and_never_its_text(
    monkeypatch: pytest.MonkeyPatch, endpoint: str | None
) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    if endpoint is not None:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    record = logged()
    assert record["error"] == "ValueError"
    assert record["where"][-1].endswith(" fail")
    assert SECRET not in json.dumps(record)
    assert "traceback" not in record


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:4566", "http://localhost:4600"])
def test_on_the_local_stack_there_is_the_whole_traceback(
    monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    record = logged()
    assert record["traceback"].endswith(f"ValueError: not a number: {SECRET}\n")
    assert f"KeyError: '{SECRET}'" in record["traceback"]


def test_the_template_sets_no_endpoint_by_itself() -> None:
    lines = (ROOT / "template.yaml").read_text("utf-8").splitlines()
    settings = [line.strip() for line in lines if line.strip().startswith("AWS_ENDPOINT_URL")]
    assert settings == [
        "AWS_ENDPOINT_URL: !If [HasEndpointUrl, !Ref EndpointUrl, !Ref AWS::NoValue]"
    ]
