"""The sender connects only to an address that it checked, from the attempt's one lookup.

Resolving a callback's host: no address, no answer, and the names of this machine.
"""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from ipaddress import ip_address

import pytest

from orderdesk.adapters.callback_http.sender import CallbackSender, system_lookup
from orderdesk.adapters.callback_http.wire import connect
from orderdesk.domain.callbacks.delivery import Failure
from orderdesk.domain.callbacks.target import Address
from tests.integration.callbacks.receivers import OK, Receiver, always, receiving
from tests.integration.callbacks.sending import PATIENT, Names, nobody, sender, sent

URL = "http://shop.example/cb"
PUBLIC, OTHER, PUBLIC_V6 = "8.8.8.8", "8.8.4.4", "2606:4700:4700::1111"


@dataclass
class Internet:
    """Sends every address to one receiver; `connected` has the addresses that were connected to."""

    receiver: Receiver
    connected: list[tuple[str, int]] = field(default_factory=list)

    def __call__(self, address: Address, port: int, seconds: float) -> socket.socket:
        self.connected.append((str(address), port))
        return connect(ip_address("127.0.0.1"), self.receiver.port, seconds)


@contextmanager
def sending_to(names: Names) -> Iterator[tuple[CallbackSender, Internet]]:
    """Yield a sender, and a receiver that has every public address of these names."""
    with receiving(always(OK)) as receiver:
        internet = Internet(receiver)
        with sender(allow_loopback=False, lookup=names, connect=internet) as sending:
            yield sending, internet


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://shop.example/", "shop.example"),
        ("http://shop.example:80/", "shop.example"),
        ("http://shop.example:443/", "shop.example:443"),
        ("http://SHOP.example:8080?a", "shop.example:8080"),
        ("http://ｓｈｏｐ.example/", "shop.example"),
        (f"http://[{PUBLIC_V6}]/", f"[{PUBLIC_V6}]"),
        ("http://[2606:4700:4700::CDEF]:8080/", "[2606:4700:4700::cdef]:8080"),
    ],
)
def test_the_host_header_is_the_urls(url: str, host: str) -> None:
    names = Names({"shop.example": [PUBLIC]})
    with sending_to(names) as (sending, internet):
        assert sent(sending, url).delivered
    assert f"\r\nHost: {host}\r\n".encode() in internet.receiver.requests[0]
    assert internet.connected[0][0] == (PUBLIC if "shop" in host else ip_text(host))


def ip_text(host: str) -> str:
    return host[1:].split("]", maxsplit=1)[0]


@pytest.mark.parametrize(
    "answer",
    [
        "169.254.169.254",
        "::1",
        "fe80::1%eth0",
        f"{PUBLIC} 10.0.0.1",
        f"10.0.0.1 {PUBLIC}",
        f"{PUBLIC_V6} {PUBLIC} {OTHER} 127.0.0.1",
        f"{PUBLIC} ::1",
    ],
)
def test_one_address_that_is_not_public_refuses_the_target(answer: str) -> None:
    names = Names({"shop.example": [answer]})
    with sender(allow_loopback=False, lookup=names, connect=nobody) as sending:
        attempt = sent(sending, URL)
    assert (attempt.status, attempt.failure) == (None, Failure.REFUSED_TARGET)


@pytest.mark.parametrize("answer", ["10.0.0.1", "127.0.0.1 10.0.0.1", "::ffff:127.0.0.1", "::"])
def test_local_targets_admit_loopback_only(answer: str) -> None:
    names = Names({"shop.example": [answer]})
    with sender(lookup=names, connect=nobody) as sending:
        assert sent(sending, URL).failure is Failure.REFUSED_TARGET


@pytest.mark.parametrize(
    "url", ["http://127.1/", "http://shop.example:22/", "ftp://shop.example/", ""]
)
def test_what_creation_refuses_is_not_even_looked_up(url: str) -> None:
    names = Names({})
    with sender(allow_loopback=False, lookup=names, connect=nobody) as sending:
        assert sent(sending, url).failure is Failure.REFUSED_TARGET
    assert names.asked == []


@pytest.mark.parametrize("second", ["127.0.0.1", f"{PUBLIC} 10.0.0.1", f"10.0.0.1 {PUBLIC}"])
def test_an_open_connection_is_not_used_where_its_name_is_refused_now(second: str) -> None:
    """DNS rebinding: each attempt makes one lookup and connects to an address of that lookup."""
    names = Names({"shop.example": [PUBLIC, second, PUBLIC]})
    with sending_to(names) as (sending, internet):
        failures = [sent(sending, URL).failure for _ in range(3)]
    assert len(names.asked) == 3
    assert failures == [None, Failure.REFUSED_TARGET, None]
    assert internet.connected == [(PUBLIC, 80)]
    assert len(internet.receiver.requests) == 2


def test_a_name_that_moves_is_followed() -> None:
    names = Names({"shop.example": [PUBLIC, OTHER, f"{OTHER} {PUBLIC}"]})
    with sending_to(names) as (sending, internet):
        assert all(sent(sending, URL).delivered for _ in range(3))
    assert internet.connected == [(PUBLIC, 80), (OTHER, 80)]


def test_names_ports_and_schemes_share_no_connection() -> None:
    names = Names({"shop.example": [PUBLIC], "other.example": [PUBLIC]})
    urls = [URL, "http://other.example/", "http://shop.example:8080/", URL]
    with sending_to(names) as (sending, internet):
        assert all(sent(sending, url).delivered for url in urls)
    assert internet.connected == [(PUBLIC, 80), (PUBLIC, 80), (PUBLIC, 8080)]


def unknown(host: str) -> list[Address]:
    raise socket.gaierror(socket.EAI_NONAME, "unknown")


def unspeakable(host: str) -> list[Address]:
    raise UnicodeError("label too long")


def empty(host: str) -> list[Address]:
    return []


@pytest.mark.parametrize("lookup", [unknown, unspeakable, empty])
def test_a_name_without_addresses(lookup: Callable[[str], list[Address]]) -> None:
    with sender(lookup=lookup, connect=nobody) as sending:
        attempt = sent(sending, URL)
    assert (attempt.status, attempt.failure) == (None, Failure.DNS)


def test_a_resolver_that_hangs_costs_no_more_than_its_time() -> None:
    released = threading.Event()
    hurried = replace(PATIENT, lookup_seconds=0.3)

    def hanging(host: str) -> list[Address]:
        released.wait()
        return []

    try:
        with sender(lookup=hanging, connect=nobody, limits=hurried) as sending:
            attempt = sent(sending, URL)
    finally:
        released.set()
    assert attempt.failure is Failure.DNS
    assert attempt.latency_ms >= hurried.lookup_seconds * 1000


def test_localhost_and_the_names_under_it_are_this_machine() -> None:
    for host in ("localhost", "sink.localhost"):
        assert system_lookup(host)
        assert all(address.is_loopback for address in system_lookup(host))
        assert len(set(system_lookup(host))) == len(system_lookup(host))
    with receiving(always(OK)) as receiver, sender() as sending:
        assert sent(sending, f"http://sink.localhost:{receiver.port}/").delivered
    assert f"\r\nHost: sink.localhost:{receiver.port}\r\n".encode() in receiver.requests[0]
