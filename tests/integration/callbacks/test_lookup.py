"""Resolving a callback's host: no address, no answer, and the names of this machine."""

import socket
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from orderdesk.adapters.callback_http.sender import system_lookup
from orderdesk.domain.callbacks.delivery import Failure
from orderdesk.domain.callbacks.public_addresses import Address
from tests.integration.callbacks.receivers import OK, always, receiving
from tests.integration.callbacks.sending import PATIENT, nobody, sender, sent

URL = "http://shop.example/cb"


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
