"""TLS verifies the name of the receiver; the connection uses the checked address."""

import ipaddress
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509

from orderdesk.adapters.callback_http.sender import CallbackSender
from orderdesk.domain.callbacks.delivery import Failure
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
from tests.integration.callbacks.sending import PATIENT, SHORT, Names, sender, sent
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
