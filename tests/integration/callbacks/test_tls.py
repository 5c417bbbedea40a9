"""Where the sender connects: the target's name, its addresses, and TLS."""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509

from orderdesk.adapters.callback_http.sender import CallbackSender, system_lookup
from orderdesk.adapters.callback_http.wire import connect
from orderdesk.domain.callbacks.delivery import Failure
from orderdesk.domain.callbacks.target import Address
from tests.integration.callbacks.certificates import Authority, authority, self_signed
from tests.integration.callbacks.receivers import (
    OK,
    Behaviour,
    Receiver,
    always,
    answering,
    closing_at_once,
    dripping,
    never_reading,
    read_request,
    receiving,
    reset,
    resetting,
)
from tests.integration.callbacks.sending import PATIENT, SHORT, Names, nobody, sender, sent
from tests.support.waiting import wait_until

ADDRESS = x509.IPAddress(ipaddress.IPv4Address("127.0.0.1"))
SHOP = x509.DNSName("shop.example")
ALWAYS_OK = always(OK)
NAMES = Names({"shop.example": ["127.0.0.1"]})


@pytest.fixture(scope="module")
def trusted(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return authority(tmp_path_factory.mktemp("certificates"))


@contextmanager
def securing(
    trusted: Authority, server: ssl.SSLContext, behave: Behaviour = ALWAYS_OK
) -> Iterator[tuple[Receiver, CallbackSender]]:
    """Yield a receiver with TLS, and a sender that trusts the authority."""
    with (
        receiving(behave, server) as receiver,
        sender(lookup=NAMES, tls=trusted.trusting()) as sending,
    ):
        yield receiver, sending


def https(receiver: Receiver, host: str = "shop.example") -> str:
    return f"https://{host}:{receiver.port}/cb"


def test_the_name_is_verified_shown_and_kept(trusted: Authority) -> None:
    with securing(trusted, trusted.serving(SHOP)) as (receiver, sending):
        attempts = [sent(sending, https(receiver)) for _ in range(3)]
    assert [attempt.answer for attempt in attempts] == [b"ok"] * 3
    assert receiver.server_names == ["shop.example"]
    assert receiver.connections == 1
    for request in receiver.requests:
        assert f"\r\nHost: shop.example:{receiver.port}\r\n".encode() in request


def test_an_address_is_verified_as_such_and_not_shown_as_a_name(trusted: Authority) -> None:
    with (
        receiving(always(OK), trusted.serving(ADDRESS)) as receiver,
        sender(tls=trusted.trusting()) as sending,
    ):
        assert sent(sending, https(receiver, "127.0.0.1")).delivered
    assert receiver.server_names == [None]


@pytest.mark.parametrize(
    "fault", ["another name", "its address", "expired", "not yet valid", "self-signed"]
)
def test_a_certificate_that_does_not_prove_the_name_is_refused(
    trusted: Authority, tmp_path: Path, fault: str
) -> None:
    server = {
        "another name": lambda: trusted.serving(x509.DNSName("evil.example")),
        "its address": lambda: trusted.serving(ADDRESS),
        "expired": lambda: trusted.serving(SHOP, age_days=31),
        "not yet valid": lambda: trusted.serving(SHOP, age_days=-1),
        "self-signed": lambda: self_signed(tmp_path, SHOP),
    }[fault]()
    with securing(trusted, server) as (receiver, sending):
        attempt = sent(sending, https(receiver))
    assert (attempt.status, attempt.failure) == (None, Failure.TLS)
    assert receiver.requests == []


def reset_at_once(sock: socket.socket, receiver: Receiver) -> None:
    sock.recv(1)
    reset(sock)


def answering_anything(sock: socket.socket, receiver: Receiver) -> None:
    sock.recv(65536)
    sock.sendall(OK)


@pytest.mark.parametrize(
    ("behave", "failure"),
    [
        (answering_anything, Failure.TLS),
        (closing_at_once, Failure.TLS),
        (reset_at_once, Failure.TLS),
        (never_reading, Failure.TIMEOUT),
    ],
)
def test_a_receiver_without_tls_fails(
    trusted: Authority, behave: Behaviour, failure: Failure
) -> None:
    limits = SHORT if failure is Failure.TIMEOUT else PATIENT
    trusting = sender(lookup=NAMES, tls=trusted.trusting(), limits=limits)
    with receiving(behave) as receiver, trusting as sending:
        attempt = sent(sending, https(receiver))
    assert (attempt.status, attempt.failure) == (None, failure)
    assert receiver.requests == []


def test_a_dripping_handshake_ends_in_time(trusted: Authority) -> None:
    def behave(sock: socket.socket, receiver: Receiver) -> None:
        sock.recv(65536)
        sock.sendall(b"\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03")
        while not receiver.released.wait(0.05):
            sock.sendall(b"\0")

    trusting = sender(lookup=NAMES, tls=trusted.trusting(), limits=SHORT)
    with receiving(behave) as receiver, trusting as sending:
        attempt = sent(sending, https(receiver))
    assert attempt.failure in {Failure.TIMEOUT, Failure.TLS}


def test_plain_http_to_a_tls_port_fails(trusted: Authority) -> None:
    with receiving(always(OK), trusted.serving(SHOP)) as receiver, sender(lookup=NAMES) as sending:
        assert not sent(sending, f"http://shop.example:{receiver.port}/").delivered
    assert receiver.requests == []


def closing_between(sock: socket.socket, receiver: Receiver) -> None:
    """Read a second request and close without a TLS close notification."""
    read_request(sock, receiver)
    sock.sendall(OK)
    read_request(sock, receiver)
    reset(sock)


@pytest.mark.parametrize("behave", [answering(OK), closing_between])
def test_a_secured_connection_that_died_is_made_anew(trusted: Authority, behave: Behaviour) -> None:
    with securing(trusted, trusted.serving(SHOP), behave) as (receiver, sending):
        assert [sent(sending, https(receiver)).status for _ in range(3)] == [200] * 3
    assert receiver.connections in {2, 3}


@pytest.mark.parametrize(
    ("behave", "failure"),
    [
        (dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", b"x"), Failure.TIMEOUT),
        (dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), Failure.TIMEOUT),
        (resetting, Failure.RESET),
        (closing_at_once, Failure.RESET),
    ],
)
def test_hostility_behind_tls_costs_no_more(
    trusted: Authority, behave: Behaviour, failure: Failure
) -> None:
    limits = SHORT if failure is Failure.TIMEOUT else PATIENT
    with sender(lookup=NAMES, tls=trusted.trusting(), limits=limits) as sending:
        with receiving(behave, trusted.serving(SHOP)) as receiver:
            attempt = sent(sending, https(receiver))
        with receiving(always(OK), trusted.serving(SHOP)) as kind:
            wait_until(lambda: sent(sending, https(kind)).delivered)
    assert attempt.failure is failure


def test_tls_before_1_2_is_refused(trusted: Authority) -> None:
    server = trusted.serving(SHOP)
    server.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        server.minimum_version = ssl.TLSVersion.TLSv1
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        server.maximum_version = ssl.TLSVersion.TLSv1_1
    with securing(trusted, server) as (receiver, sending):
        assert sent(sending, https(receiver)).failure is Failure.TLS
    assert receiver.requests == []


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
