"""What the sender sends and stores, and the connections that it opens, keeps and reuses."""

import select
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from orderdesk.adapters.callback_http import wire
from orderdesk.adapters.callback_http.sender import CallbackSender, public_tls
from orderdesk.adapters.callback_http.wire import DEFAULT_LIMITS
from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.callbacks.target import Address
from tests.integration.callbacks.receivers import (
    OK,
    Receiver,
    always,
    answering,
    answering_before_reading,
    closed_port,
    read_request,
    receiving,
    reset,
)
from tests.integration.callbacks.sending import BODY, HEADERS, NO_TLS, PATIENT, Names, sender, sent
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


def headers_of(request: bytes) -> dict[str, str]:
    lines = request.split(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    names = [line.split(": ")[0].lower() for line in lines]
    assert len(names) == len(set(names))
    return {line.split(": ")[0].lower(): line.split(": ")[1] for line in lines}


def test_a_request_is_one_post_of_the_body_as_it_is() -> None:
    with receiving(always(OK)) as receiver, sender() as sending:
        attempt = sent(sending, receiver.url + "?a=%20b", '{"名":1}')
    assert attempt == Attempt(200, attempt.latency_ms, b"ok")
    assert attempt.delivered
    assert attempt.latency_ms >= 0
    (request,) = receiver.requests
    assert request.startswith(b"POST /cb?a=%20b HTTP/1.1\r\n")
    assert request.endswith(b"\r\n\r\n" + '{"名":1}'.encode())
    assert headers_of(request) == {
        "host": f"127.0.0.1:{receiver.port}",
        "accept-encoding": "identity",
        "content-length": "9",
        **HEADERS,
    }


@pytest.mark.parametrize("status", [200, 201, 204, 299, 300, 302, 400, 410, 500, 503, 999])
def test_delivered_is_any_2xx(status: int) -> None:
    answer = b"HTTP/1.1 %d X\r\nContent-Length: 0\r\n\r\n" % status
    with receiving(always(answer)) as receiver, sender() as sending:
        attempt = sent(sending, receiver.url)
    assert (attempt.status, attempt.failure) == (status, None)
    assert attempt.delivered is (200 <= status < 300)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_no_cookie_kept(status: int) -> None:
    with receiving(always(OK)) as other, sender() as sending:
        answer = (
            f"HTTP/1.1 {status} Moved\r\nLocation: {other.url}\r\nSet-Cookie: a=b\r\n"
            "Content-Length: 0\r\n\r\n"
        )
        with receiving(always(answer.encode())) as receiver:
            first, second = sent(sending, receiver.url), sent(sending, receiver.url)
    assert first.status == second.status == status
    assert not first.delivered
    assert other.connections == 0
    assert "cookie" not in headers_of(receiver.requests[1])


def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving(always(OK)) as proxy, receiving(always(OK)) as receiver:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        with sender() as sending:
            assert sent(sending, receiver.url).delivered
    assert proxy.connections == 0


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ("120", "120"),
        ("Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 21 Oct 2026 07:28:00 GMT"),
        ("9" * 65, None),
        ("1\r\n 2", None),
        ("\u00e9", None),
    ],
)
def test_retry_after_is_given_as_it_came_if_it_could_be_meant(
    header: str, kept: str | None
) -> None:
    answer = f"HTTP/1.1 503 X\r\nRetry-After: {header}\r\nContent-Length: 0\r\n\r\n"
    with receiving(always(answer.encode("latin-1"))) as receiver, sender() as sending:
        attempt = sent(sending, receiver.url)
    assert (attempt.status, attempt.retry_after) == (503, kept)


def test_an_answer_before_the_request_was_read_counts() -> None:
    with receiving(answering_before_reading) as receiver, sender() as sending:
        attempts = [sent(sending, receiver.url, body) for body in (BODY, "x" * 8_000_000)]
    # The large answer is cut off by a reset, after its first bytes.
    assert [(attempt.status, attempt.failure) for attempt in attempts] == [(413, None)] * 2
    assert receiver.connections == 2


@pytest.mark.parametrize(
    "header", ["Host", "content-length", "Transfer-Encoding", "connection", "Accept-Encoding"]
)
def test_the_senders_own_headers_are_not_the_callers(header: str) -> None:
    with sender() as sending, pytest.raises(ValueError, match="the sender sets"):
        sending.send("http://127.0.0.1:8080/", {header: "x"}, BODY)


def test_a_line_break_in_a_header_is_refused() -> None:
    with (
        receiving(always(OK)) as receiver,
        sender() as sending,
        pytest.raises(ValueError, match="header"),
    ):
        sending.send(receiver.url, {"webhook-id": "a\r\nb: c"}, BODY)
    assert receiver.requests == []


def test_an_attempt_shows_no_payload_in_its_repr() -> None:
    assert "secret" not in repr(Attempt(200, 1, b"secret"))


def test_by_default_the_public_authorities_are_trusted() -> None:
    tls = public_tls()
    assert tls.check_hostname
    assert tls.minimum_version.name == "TLSv1_2"
    assert len(tls.get_ca_certs()) > 50
    with CallbackSender(allow_loopback=False) as sending:
        assert sent(sending, "http://127.0.0.1/").failure is Failure.REFUSED_TARGET
    assert NO_TLS.get_ca_certs() == []


def file_answer(content: bytes, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content


SMALL = replace(PATIENT, kept_bytes=1000)


@pytest.mark.parametrize(
    ("answer", "fetched"),
    [
        (file_answer(b"x" * 999), b"x" * 999),
        (file_answer(b"x" * 1000), None),
        (file_answer(b"x" * 9000), None),
        (file_answer(b""), None),
        (file_answer(b"x", "404 Not Found"), None),
        (file_answer(b"x", "302 Found\r\nLocation: http://127.0.0.1:1/"), None),
        (file_answer(b"x" * 20)[:-10], None),
    ],
    ids=["whole", "at the limit", "too large", "empty", "missing", "moved", "cut off"],
)
def test_a_file_is_fetched_whole_or_not_at_all(answer: bytes, fetched: bytes | None) -> None:
    with receiving(answering(answer)) as receiver, sender(limits=SMALL) as sending:
        assert sending.fetch(receiver.url) == fetched
    [request] = receiver.requests
    assert request.startswith(b"GET /cb HTTP/1.1\r\n")
    assert b"content-length" not in request.lower()


def test_a_file_of_a_private_address_is_not_fetched() -> None:
    with receiving(always(OK)) as receiver, sender(allow_loopback=False) as sending:
        assert sending.fetch(receiver.url) is None
    assert receiver.connections == 0
