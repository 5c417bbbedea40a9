"""A trader's devices: their number, their session, and the allowed addresses."""

import pytest

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
