"""Tencent's verifier with the real SDK, against a local stand-in with the documented answers."""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest

from orderdesk.adapters.identity.tencent import TencentVerifier
from orderdesk.domain.identity import Identity, Verification, VerificationOutcome, identity_problems
from tests.integration.identity.tencent_stand_in import (
    REQUEST_ID,
    Answer,
    StandIn,
    error,
    result,
    serving,
    tc3_authorization,
)

# The SDK's own: it calls datetime.utcfromtimestamp.
pytestmark = pytest.mark.filterwarnings(
    "ignore:datetime.datetime.utcfromtimestamp:DeprecationWarning"
)

SECRET_ID, SECRET_KEY = "AKIDlocalstandin", "local-stand-in-key"
# Far more than a local answer takes, also on a busy machine; and a time short enough to wait for.
PATIENT, HASTY = 20.0, 0.5
UNAVAILABLE = VerificationOutcome.UNAVAILABLE
# A fictitious person: there is no region 990000. The check character is right.
NAME, MOBILE, DIGITS = "测试甲", "13800138000", "99000019900101001"
[ID_CARD] = [DIGITS + c for c in "0123456789X" if not identity_problems(NAME, DIGITS + c, MOBILE)]
PERSON = Identity(NAME, ID_CARD, MOBILE)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as made:
        yield made


def verifier_for(stand_in: StandIn, seconds: float) -> TencentVerifier:
    return TencentVerifier(
        SECRET_ID, SECRET_KEY, "ap-guangzhou", seconds, endpoint=stand_in.endpoint, scheme="http"
    )


def verify(stand_in: StandIn, answer: Answer, seconds: float = PATIENT) -> Verification:
    stand_in.answer = answer
    return verifier_for(stand_in, seconds).verify(PERSON)


FAILED_RESULTS = ["-4", "-6", "-7", "-8", "-9", "-13"]
FAILED_ERRORS = ["IdNameMisMatch", "IdNoExistSystem", "IdFormatError", "NameFormatError"]
UNAVAILABLE_ERRORS = [
    *("FailedOperation.UnKnown", "FailedOperation.IdentityAuthLimitExceeded"),
    *("AuthFailure.SignatureFailure", "InternalError", "InvalidParameterValue"),
    *("RequestLimitExceeded", "UnauthorizedOperation.Arrears", "UnsupportedOperation", "0"),
]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (result("0"), "passed"),
        *[(result(code), "failed") for code in FAILED_RESULTS],
        *[(result(code), "unavailable") for code in ("-11", "-12", "-99", "00")],
        *[(error(f"FailedOperation.{code}"), "failed") for code in FAILED_ERRORS],
        *[(error(code), "unavailable") for code in UNAVAILABLE_ERRORS],
    ],
)
def test_every_documented_answer(stand_in: StandIn, answer: Answer, outcome: str) -> None:
    expected = Verification(VerificationOutcome(outcome), "tencent", REQUEST_ID)
    assert verify(stand_in, answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b'{"Response": {"Result": "0"', 200),
        Answer(b"<html>busy</html>", 200, "text/html"),
        Answer(b"", 200),
        Answer(b"[]", 200),
        Answer(b'{"Response": null}', 200),
        Answer(b'{"Response": {}}', 200, "application/json; charset=utf-8"),
        Answer(b'{"Response": {"Result": null, "RequestId": ["x"]}}', 200),
        Answer(b"\xff\xfe\x00", 200),
        Answer(b'{"Response": {"Result": "0"}}', 500),
        Answer(b"", 503),
    ],
)
def test_a_broken_answer_is_unavailable(stand_in: StandIn, answer: Answer) -> None:
    assert verify(stand_in, answer) == Verification(UNAVAILABLE, "tencent", "")
    assert len(stand_in.requests) == 1, "each call may be charged"


@pytest.mark.parametrize("answer", [Answer(hang=True), replace(result("0"), drip=True)])
def test_no_whole_answer_in_time_is_unavailable(stand_in: StandIn, answer: Answer) -> None:
    assert verify(stand_in, answer, HASTY) == Verification(UNAVAILABLE, "tencent", "")


def test_nobody_there_is_unavailable(stand_in: StandIn) -> None:
    stand_in.endpoint = "127.0.0.1:1"
    assert verifier_for(stand_in, PATIENT).verify(PERSON).outcome is UNAVAILABLE


def test_what_is_sent_is_a_signed_phone_verification(stand_in: StandIn) -> None:
    verify(stand_in, result("0"))
    [(path, headers, body)] = stand_in.requests
    assert path == "/"
    assert json.loads(body) == {
        "Name": PERSON.customer_name,
        "IdCard": PERSON.id_card,
        "Phone": PERSON.mobile,
    }
    assert headers["X-TC-Action"] == "PhoneVerification"
    assert headers["X-TC-Version"] == "2018-03-01"
    assert headers["X-TC-Region"] == "ap-guangzhou"
    assert headers["Authorization"] == tc3_authorization(headers, body, SECRET_ID, SECRET_KEY)


def test_nothing_personal_is_logged(
    stand_in: StandIn, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    quoting = f"{PERSON.customer_name} {PERSON.id_card} {PERSON.mobile}"
    caplog.set_level(logging.DEBUG)
    for name in ("tencentcloud_sdk_common", "urllib3", "orderdesk"):
        caplog.set_level(logging.DEBUG, logger=name)
    answers = (
        result("0", Description=quoting),
        result(quoting),
        result("-11", RequestId=quoting),
        error("InvalidParameterValue", quoting),
        error(quoting, quoting),
        Answer(quoting.encode(), 500),
    )
    shown = [repr(verify(stand_in, answer)) for answer in answers]
    shown.append(repr(verify(stand_in, Answer(hang=True), HASTY)))
    shown += [r.getMessage() + str(r.exc_info) + str(r.__dict__) for r in caplog.records]
    shown += [repr(PERSON), repr(verifier_for(stand_in, PATIENT)), *capfd.readouterr()]
    text = "\n".join(shown)
    assert "identity provider tencent unavailable: InvalidParameterValue" in text
    escaped = json.dumps(PERSON.customer_name).strip('"')
    for value in (PERSON.customer_name, escaped, PERSON.id_card, PERSON.mobile, SECRET_KEY):
        assert value not in text


def test_credentials_that_cannot_be_are_refused_without_quoting_them() -> None:
    with pytest.raises(ValueError, match="SecretId or SecretKey") as caught:
        TencentVerifier("id", "secret key ", "ap-guangzhou", PATIENT)
    assert "secret key" not in str(caught.value)


def test_plain_http_needs_an_endpoint() -> None:
    with pytest.raises(ValueError, match="endpoint"):
        TencentVerifier("id", "key", "ap-guangzhou", PATIENT, scheme="http")
