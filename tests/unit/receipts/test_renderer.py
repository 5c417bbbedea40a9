"""The pages' call of the function that draws receipts: no response, for any reason, is 5001."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, ResponseStreamingError

from orderdesk.adapters.receipts import PAUSES_MS, LambdaRenderer
from orderdesk.domain.errors import TryAgain


class CutShort(io.RawIOBase):
    """A response whose connection ends too early."""

    def read(self, _size: int = -1) -> bytes:
        raise ResponseStreamingError(error="cut")


class Lambda:
    """A session and its client, whose only call does what the test defines."""

    def __init__(self, invoke: Callable[[], Any]) -> None:
        self._invoke = invoke

    def create_client(self, *_: Any, **__: Any) -> "Lambda":
        return self

    def invoke(self, **_: Any) -> Any:
        return self._invoke()


def refused(status: int, code: str) -> Callable[[], Any]:
    def invoke() -> Any:
        answer = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
        raise ClientError(answer, "Invoke")  # type: ignore[arg-type]

    return invoke


def cut() -> Any:
    raise ConnectionClosedError(endpoint_url="lambda")


UNANSWERED: dict[str, Callable[[], Any]] = {
    "no answer": cut,
    "half an answer": lambda: {"Payload": CutShort()},
    "throttled": refused(429, "TooManyRequestsException"),
    "its own error": refused(500, "ServiceException"),
    "a gateway's error": refused(502, "502"),
    "the function's error": lambda: {"FunctionError": "Unhandled", "Payload": io.BytesIO()},
}


@pytest.mark.parametrize("name", UNANSWERED)
def test_without_an_answer_it_is_to_be_tried_again(name: str) -> None:
    renderer: Any = LambdaRenderer(Lambda(UNANSWERED[name]), "f", pause_ms=lambda _: None)  # type: ignore[arg-type]
    with pytest.raises(TryAgain):
        renderer.render("uploads/B1/payer/1", "m1")


def test_a_call_that_is_not_allowed_is_an_error_of_ours() -> None:
    renderer = LambdaRenderer(Lambda(refused(403, "AccessDeniedException")), "f")  # type: ignore[arg-type]
    with pytest.raises(ClientError):
        renderer.render("uploads/B1/payer/1", "m1")


BUSY: dict[str, Callable[[], Any]] = {
    "the function": lambda: {"Payload": io.BytesIO(b'{"busy": true}')},
    "all its containers": refused(429, "TooManyRequestsException"),
}


@pytest.mark.parametrize("name", BUSY)
def test_a_busy_function_is_asked_again_with_pauses(name: str) -> None:
    answers, paused = [BUSY[name]] * 2, list[int]()

    def invoke() -> Any:
        drawn = b'{"key": "k", "content_type": "image/png", "size_bytes": 1, "pages": 1}'
        return answers.pop()() if answers else {"Payload": io.BytesIO(drawn)}

    renderer = LambdaRenderer(Lambda(invoke), "f", pause_ms=paused.append)  # type: ignore[arg-type]
    assert renderer.render("uploads/B1/payer/1", "m1").key == "k"
    assert paused == list(PAUSES_MS[:2])


@pytest.mark.parametrize("name", BUSY)
def test_who_waits_too_long_is_to_try_again(name: str) -> None:
    paused = list[int]()
    renderer = LambdaRenderer(Lambda(BUSY[name]), "f", pause_ms=paused.append)  # type: ignore[arg-type]
    with pytest.raises(TryAgain):
        renderer.render("uploads/B1/payer/1", "m1")
    assert paused == list(PAUSES_MS)
