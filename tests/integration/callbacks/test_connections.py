"""Which connections the sender opens, keeps, reuses and closes."""

import select
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from orderdesk.adapters.callback_http import wire
from orderdesk.adapters.callback_http.wire import DEFAULT_LIMITS
from orderdesk.domain.callbacks.delivery import Failure
from orderdesk.domain.callbacks.target import Address
from tests.integration.callbacks.receivers import (
    OK,
    Receiver,
    always,
    answering,
    closed_port,
    read_request,
    receiving,
    reset,
)
from tests.integration.callbacks.sending import PATIENT, Names, sender, sent
from tests.support.waiting import wait_until


@pytest.mark.parametrize(
    ("answer", "connections"),
    [
        (OK, 1),
        (b"HTTP/1.1 204 No Content\r\n\r\n", 1),
        (b"HTTP/1.1 500 No\r\nContent-Length: 1024\r\n\r\n" + b"x" * 1024, 1),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", 1),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK, 1),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", 3),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", 3),
    ],
)
def test_a_connection_is_used_again_if_the_receiver_keeps_it(
    answer: bytes, connections: int
) -> None:
    with receiving(always(answer)) as receiver, sender() as sending:
        assert [sent(sending, receiver.url).failure for _ in range(3)] == [None] * 3
    assert (receiver.connections, len(receiver.requests)) == (connections, 3)


def test_a_connection_on_which_the_receiver_spoke_unasked_is_not() -> None:
    """Otherwise the next callback would read the bytes that were sent before it."""

    def behave(sock: socket.socket, receiver: Receiver) -> None:
        while read_request(sock, receiver):
            sock.sendall(OK)
            assert answered.wait()
            sock.sendall(b"HTTP/1.1 500 stale\r\nContent-Length: 0\r\n\r\n")
            spoken.set()

    def connect(address: Address, port: int, seconds: float) -> socket.socket:
        ends.append(wire.connect(address, port, seconds))
        return ends[-1]

    ends: list[socket.socket] = []
    answered, spoken = threading.Event(), threading.Event()
    with receiving(behave) as receiver, sender(connect=connect) as sending:
        for _ in range(3):
            answered.clear()
            spoken.clear()
            assert sent(sending, receiver.url).status == 200
            answered.set()
            assert spoken.wait()
            wait_until(lambda: select.select(ends[-1:], [], [], 0)[0])
    assert len(receiver.requests) == 3


def test_a_connection_closed_while_idle_is_made_anew() -> None:
    with receiving(answering(OK)) as receiver, sender() as sending:
        assert all(sent(sending, receiver.url).delivered for _ in range(4))
    assert (receiver.connections, len(receiver.requests)) == (4, 4)


@pytest.mark.parametrize("how", ["closed", "reset"])
def test_a_connection_that_dies_under_the_request_is_made_anew_once(how: str) -> None:
    """The receiver accepts the second request of a connection and closes without an answer."""

    def behave(sock: socket.socket, receiver: Receiver) -> None:
        read_request(sock, receiver)
        sock.sendall(OK)
        if read_request(sock, receiver) and how == "reset":
            reset(sock)

    with receiving(behave) as receiver, sender() as sending:
        assert [sent(sending, receiver.url).status for _ in range(2)] == [200, 200]
    assert (receiver.connections, len(receiver.requests)) == (2, 3)


@pytest.mark.parametrize(
    ("begun", "status", "failure"),
    [
        (b"HTTP/1.1 2", None, Failure.PROTOCOL),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", 200, Failure.RESET),
    ],
)
def test_a_used_connection_that_dies_in_its_answer_is_not_tried_again(
    begun: bytes, status: int | None, failure: Failure
) -> None:
    with receiving(answering(OK, begun)) as receiver, sender() as sending:
        assert sent(sending, receiver.url).delivered
        attempt = sent(sending, receiver.url)
    assert (attempt.status, attempt.failure) == (status, failure)
    assert receiver.connections == 1


def test_a_used_connection_that_says_nothing_is_not_tried_again() -> None:
    def behave(sock: socket.socket, receiver: Receiver) -> None:
        read_request(sock, receiver)
        sock.sendall(OK)
        read_request(sock, receiver)
        receiver.released.wait()

    with receiving(behave) as receiver, sender(limits=replace(PATIENT, whole_seconds=2)) as sending:
        assert sent(sending, receiver.url).delivered
        assert sent(sending, receiver.url).failure is Failure.TIMEOUT
    assert receiver.connections == 1


def test_connections_are_kept_for_a_while_and_only_so_many() -> None:
    now = [1000.0]
    limits = replace(PATIENT, idle_wires=2, idle_seconds=20)
    with (
        sender(limits=limits, clock=lambda: now[0]) as sending,
        receiving(always(OK)) as one,
        receiving(always(OK)) as two,
        receiving(always(OK)) as three,
    ):
        for receiver in (one, two, three, three, two, one):
            assert sent(sending, receiver.url).delivered
        assert [one.connections, two.connections, three.connections] == [2, 1, 1]
        now[0] += 20
        assert sent(sending, one.url).delivered
        assert one.connections == 2
        now[0] += 20.5
        assert sent(sending, one.url).delivered
        assert one.connections == 3


def test_attempts_at_once_have_connections_of_their_own() -> None:
    together = threading.Barrier(4)

    def behave(sock: socket.socket, receiver: Receiver) -> None:
        while read_request(sock, receiver):
            together.wait()
            sock.sendall(OK)

    with receiving(behave) as receiver, sender() as sending, ThreadPoolExecutor(4) as threads:
        for _ in range(2):
            attempts = threads.map(lambda _: sent(sending, receiver.url), range(4))
            assert [attempt.status for attempt in attempts] == [200] * 4
    assert receiver.connections == 4


def test_where_the_first_address_refuses_the_next_is_tried() -> None:
    names = Names({"shop.example": ["127.0.0.2 127.0.0.3 127.0.0.1"]})
    with receiving(always(OK)) as receiver, sender(lookup=names) as sending:
        attempt = sent(sending, f"http://shop.example:{receiver.port}/")
    assert attempt.delivered
    assert names.asked == ["shop.example"]


def test_no_address_lets_the_sender_connect() -> None:
    with sender() as sending:
        attempt = sent(sending, f"http://127.0.0.1:{closed_port()}/")
    assert (attempt.status, attempt.failure) == (None, Failure.CONNECT)


def test_only_a_few_addresses_are_tried() -> None:
    """So that a name with a thousand addresses cannot use the sender as a scanner."""
    tried = []

    def connect(address: object, port: int, seconds: float) -> socket.socket:
        tried.append(address)
        raise ConnectionRefusedError

    names = Names({"shop.example": [" ".join(f"1.1.1.{n}" for n in range(200))]})
    with sender(lookup=names, connect=connect) as sending:
        assert sent(sending, "http://shop.example/").failure is Failure.CONNECT
    assert len(tried) == DEFAULT_LIMITS.addresses_tried
