"""Whether a request is retried, by AWS's error code and not its text."""

import pytest
from botocore.exceptions import ClientError

from orderdesk.adapters import sending
from orderdesk.domain.errors import Throttled, TryAgain


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "_PAUSE_SECONDS", 0)


def error(status: int, code: str) -> ClientError:
    answer = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, "Operation")  # type: ignore[arg-type]


class Service:
    """Fail with errors first, then succeed."""

    def __init__(self, *errors: ClientError) -> None:
        self.errors = list(errors)
        self.sent = 0

    def __call__(self) -> str:
        self.sent += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


SERVER_ERRORS = {
    "DynamoDB": (500, "InternalServerError"),
    "S3": (500, "InternalError"),
    "S3, throttling": (503, "SlowDown"),
    "KMS": (500, "KeyUnavailableException"),
    "S3, a write of the same key at the same time": (409, "ConditionalRequestConflict"),
    "S3, a body that stopped": (400, "RequestTimeout"),
    "no service's body": (503, "503"),
    "a gateway's": (502, "502"),
}


@pytest.mark.parametrize("name", SERVER_ERRORS)
def test_a_server_error_leaves_it_open_and_is_sent_again(name: str) -> None:
    service = Service(*[error(*SERVER_ERRORS[name])] * 2)
    assert sending.persistently(service) == "done"
    assert service.sent == 3


def test_a_server_error_without_end_is_to_be_tried_again() -> None:
    service = Service(*[error(503, "503")] * 9)
    with pytest.raises(TryAgain):
        sending.persistently(service)
    assert service.sent == sending.SENDS


def test_a_throttle_after_a_server_error_is_sent_again() -> None:
    throttle = error(400, "ProvisionedThroughputExceededException")
    assert sending.persistently(Service(error(502, "502"), throttle)) == "done"
    with pytest.raises(Throttled):
        sending.persistently(Service(throttle))


@pytest.mark.parametrize(
    "code", ["Throttling", "ThrottlingException", "RequestThrottled", "RequestLimitExceeded"]
)
def test_each_services_throttle_is_one(code: str) -> None:
    """IAM's, that of KMS and DynamoDB, that of SQS, and DynamoDB's for an account."""
    with pytest.raises(TryAgain):
        sending.call(Service(error(400, code)))


def test_a_refusal_is_final() -> None:
    service = Service(error(400, "ValidationException"))
    with pytest.raises(ClientError):
        sending.persistently(service)
    assert service.sent == 1
