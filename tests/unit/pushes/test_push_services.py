"""A trader's devices, their push services' answers, and how we identify us to these (VAPID)."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.pushes.devices import (
    DEVICE_SECONDS,
    DEVICES_MAX,
    Device,
    Devices,
    push_origin,
    with_device,
    without_device,
    without_session,
)
from orderdesk.domain.pushes.notices import GAPS_SECONDS, PushResult, push_result, retry_seconds
from orderdesk.domain.pushes.vapid import (
    BadKeyAnswer,
    Token,
    authorization,
    public_key_of,
    signed,
    signing_input,
)
from tests.support.push_service import SIGNED, decoded, verified

NOW = 1_795_268_000


def device(name: str, *, session: str = "s1", code: str = "c1", at: int = NOW) -> Device:
    return Device(f"https://push.example.com/{name}", session, code, at)


def names(devices: Devices) -> str:
    return "".join(one.endpoint[-1] for one in devices)


def test_a_device_that_asks_again_is_renewed_and_changes_its_session() -> None:
    first = with_device((), device("a"))
    again = with_device((*first, device("b")), device("a", session="s2", at=NOW + 9))
    assert names(again) == "ba"
    assert (again[1].session, again[1].at) == ("s2", NOW + 9)


def test_the_devices_that_were_renewed_longest_ago_make_room() -> None:
    devices: Devices = ()
    for place, name in enumerate("abcdefg"):
        devices = with_device(devices, device(name, at=NOW + place))
    assert names(devices) == "cdefg"
    assert len(devices) == DEVICES_MAX


def test_devices_of_another_access_code_or_of_long_ago_go() -> None:
    old = device("a", at=NOW - DEVICE_SECONDS), device("b", code="c0")
    assert names(with_device(old, device("c"))) == "c"


def test_a_session_takes_its_own_devices_along() -> None:
    devices = device("a"), device("b", session="s2")
    assert names(without_session(devices, "s1")) == "b"
    assert names(without_device(devices, device("b").key)) == "a"


@pytest.mark.parametrize(
    ("endpoint", "origin"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc:APA91", "https://fcm.googleapis.com"),
        ("https://push.example.com:8443/a?b", "https://push.example.com:8443"),
        ("https://[2606:4700::1]/a", "https://[2606:4700::1]"),
        ("https://push.example.com/" + "x" * 400, "https://push.example.com"),
        ("https://push.example.com/" + "x" * 2048, None),
        ("http://push.example.com/a", None),
        ("https://127.0.0.1/a", None),
        ("https://169.254.169.254/latest/meta-data", None),
        ("https://10.0.0.8/a", None),
        ("https://localhost/a", None),
        ("https://user@push.example.com/a", None),
        ("javascript:alert(1)", None),
        ("", None),
    ],
)
def test_a_push_goes_to_public_https_only(endpoint: str, origin: str | None) -> None:
    assert push_origin(endpoint, allow_loopback=False) == origin


def test_the_local_stack_may_also_push_to_itself() -> None:
    assert push_origin("http://127.0.0.1:4599/a", allow_loopback=True) == "http://127.0.0.1:4599"
    assert push_origin("http://10.0.0.8/a", allow_loopback=True) is None


def test_nothing_that_is_printed_tells_an_endpoint() -> None:
    shown = repr(device("secret"))
    assert "example" not in shown
    assert "s1" not in shown
    assert "secret" not in device("secret").key


A_DAY = 86_400


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (200, PushResult.TAKEN),
        (201, PushResult.TAKEN),
        (404, PushResult.GONE),
        (410, PushResult.GONE),
        (301, PushResult.REFUSED),
        (400, PushResult.REFUSED),
        (403, PushResult.REFUSED),
        (413, PushResult.REFUSED),
        (408, PushResult.LATER),
        (429, PushResult.LATER),
        (500, PushResult.LATER),
        (503, PushResult.LATER),
    ],
)
def test_a_status(status: int, verdict: PushResult) -> None:
    assert push_result(Attempt(status, 1)) is verdict


@pytest.mark.parametrize("failure", Failure)
def test_without_an_answer_it_is_tried_later_but_not_where_nothing_may_go(failure: Failure) -> None:
    is_refused = failure is Failure.REFUSED_TARGET
    assert push_result(Attempt(None, 1, failure=failure)) is (
        PushResult.GONE if is_refused else PushResult.LATER
    )


def test_what_was_taken_is_not_sent_again_because_the_answer_broke_off() -> None:
    assert push_result(Attempt(201, 1, failure=Failure.RESET)) is PushResult.TAKEN


def test_three_more_attempts_within_the_orders_time() -> None:
    waits = [retry_seconds(tries, NOW + A_DAY, NOW, None) for tries in range(1, 6)]
    assert waits == [*GAPS_SECONDS, None, None]
    assert retry_seconds(1, NOW + 5, NOW, None) is None
    assert retry_seconds(1, NOW + 6, NOW, None) == 5


def test_the_push_service_may_ask_for_more_time_but_not_for_less() -> None:
    assert retry_seconds(1, NOW + A_DAY, NOW, "60") == 60
    assert retry_seconds(1, NOW + A_DAY, NOW, "1") == 5
    assert retry_seconds(1, NOW + 600, NOW, "3600") is None
    assert retry_seconds(1, NOW + 600, NOW, "soon") == 5


KEY = ec.derive_private_key(1_000_003, ec.SECP256R1())
DER_KEY = KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def header(expires_at: int = NOW + 3600) -> dict[str, str]:
    text = signing_input("https://push.example.com", "https://pay.example.com", expires_at)
    token = Token(signed(text, KEY.sign(text.encode(), SIGNED)), expires_at)
    return {"authorization": authorization(token, public_key_of(DER_KEY))}


def test_a_push_service_verifies_the_token_and_reads_whose_it_is() -> None:
    vapid = verified(header())
    assert vapid.header == {"typ": "JWT", "alg": "ES256"}
    assert vapid.claims == {
        "aud": "https://push.example.com",
        "exp": NOW + 3600,
        "sub": "https://pay.example.com",
    }
    assert len(decoded(vapid.key)) == 65
    assert "=" not in vapid.key


TOO_SHORT = bytes.fromhex("3006020101020205")  # the second number has one byte of its two
numbers = st.integers(1, 2**256 - 1) | st.integers(0, 300) | st.integers(2**247, 2**248)


@given(numbers, numbers)
def test_every_signature_is_two_numbers_of_32_bytes(r: int, s: int) -> None:
    raw = decoded(signed("a.b", encode_dss_signature(r, s)).rpartition(".")[2])
    assert raw == r.to_bytes(32) + s.to_bytes(32)


@pytest.mark.parametrize(
    "der", [encode_dss_signature(2**256, 1), encode_dss_signature(1, 2**256), TOO_SHORT]
)
def test_a_number_that_is_too_long_or_cut_is_refused(der: bytes) -> None:
    with pytest.raises(BadKeyAnswer):
        signed("a.b", der)


@given(st.binary(max_size=80))
def test_what_is_no_signature_is_refused(der: bytes) -> None:
    try:
        text = signed("a.b", der)
    except BadKeyAnswer:
        return
    assert len(decoded(text.rpartition(".")[2])) == 64


@pytest.mark.parametrize("der", [b"", b"\x04", bytes(91), DER_KEY[:-1]])
def test_what_is_no_key_of_p256_is_refused(der: bytes) -> None:
    with pytest.raises(BadKeyAnswer):
        public_key_of(der)
