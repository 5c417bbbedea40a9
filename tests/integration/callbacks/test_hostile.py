"""Hostile receivers: each costs one failed attempt, and no more time or bytes than the limits."""

import gzip
import random
import socket
from collections.abc import Buffer, Iterator
from typing import override

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orderdesk.adapters.callback_http.wire import DEFAULT_LIMITS
from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.callbacks.target import Address
from tests.integration.callbacks.receivers import (
    OK,
    Behaviour,
    always,
    answering,
    closing_after_the_request,
    closing_at_once,
    dripping,
    flooding,
    hanging,
    never_reading,
    receiving,
    resetting,
)
from tests.integration.callbacks.sending import SHORT, sender, sent
from tests.support.depth import examples
from tests.support.waiting import wait_until

HEAD = b"HTTP/1.1 200 OK\r\n"
HINT = b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"

SLOW: dict[str, Behaviour] = {
    "hangs before answering": hanging,
    "drips its status line": dripping(b"", HEAD),
    "drips a status line without end": dripping(b"HTTP/1.1 200 ", b"x"),
    "drips its headers": dripping(HEAD, b"X-Header: x\r\n"),
    "drips one header": dripping(HEAD + b"X-Header: ", b"x"),
    "drips 100 Continue": dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "drips its body": dripping(HEAD + b"Content-Length: 100\r\n\r\n", b"x"),
    "drips a body without end": dripping(HEAD + b"\r\n", b"x"),
    "drips its chunks": dripping(CHUNKED, b"1\r\nx\r\n"),
    "drips a chunk's size": dripping(CHUNKED, b"0"),
    "drips its trailer": dripping(CHUNKED + b"0\r\n", b"X: x\r\n"),
    "says nothing after its headers": dripping(HEAD + b"Content-Length: 9\r\n\r\n", b"x", 60),
}

BROKEN: dict[str, tuple[Behaviour, Failure]] = {
    "closes at once": (closing_at_once, Failure.RESET),
    "closes after the request": (closing_after_the_request, Failure.RESET),
    "resets": (resetting, Failure.RESET),
    "breaks off its status line": (answering(b"HTTP/1.1 2"), Failure.PROTOCOL),
    "breaks off its body": (answering(HEAD + b"Content-Length: 9\r\n\r\nx"), Failure.RESET),
    "breaks off its chunks": (answering(CHUNKED + b"9\r\nx"), Failure.PROTOCOL),
    "speaks no HTTP": (answering(b"SSH-2.0-OpenSSH_9.9\r\n"), Failure.PROTOCOL),
    "speaks no text": (answering(random.Random(7).randbytes(4096)), Failure.PROTOCOL),
    "speaks HTTP/2": (answering(b"\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0d\n"), Failure.PROTOCOL),
    "has no status": (answering(b"HTTP/1.1 OK\r\n\r\n"), Failure.PROTOCOL),
    "has a status of four digits": (answering(b"HTTP/1.1 2000 OK\r\n\r\n"), Failure.PROTOCOL),
    "has a negative status": (answering(b"HTTP/1.1 -200 OK\r\n\r\n"), Failure.PROTOCOL),
    "switches protocols": (always(b"HTTP/1.1 101 Go\r\n\r\n" + OK), Failure.PROTOCOL),
    "hints and breaks off": (answering(b"HTTP/1.1 103 Hint\r\n\r\n"), Failure.RESET),
    "hints with 200 headers": (answering(HINT[:-2] + b"A: b\r\n" * 200), Failure.PROTOCOL),
    "talks nonsense in chunks": (answering(CHUNKED + b"nonsense\r\nx\r\n"), Failure.PROTOCOL),
    "sends chunks of no size": (answering(CHUNKED + b"\r\n\r\n\r\n"), Failure.PROTOCOL),
    "sends 200 headers": (answering(HEAD + b"A: b\r\n" * 200 + b"\r\n"), Failure.PROTOCOL),
}

BLOCK = 1 << 16
GIB = (1 << 30) // BLOCK
ENDLESS: dict[str, tuple[Behaviour, Failure | None]] = {
    "a status line of 1 GiB": (flooding(HEAD[:-2], b"x" * BLOCK, GIB), Failure.TOO_LONG),
    "a header of 1 GiB": (flooding(HEAD + b"X: ", b"x" * BLOCK, GIB), Failure.TOO_LONG),
    "headers of 1 KiB": (
        flooding(HEAD, (b"X: " + b"x" * 1019 + b"\r\n") * 64, GIB),
        Failure.TOO_LONG,
    ),
    "100 Continue without end": (
        flooding(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 2620, GIB),
        Failure.TOO_LONG,
    ),
    "a chunk's extension of 1 GiB": (flooding(CHUNKED + b"1;", b"x" * BLOCK, GIB), None),
    "trailers of 1 GiB": (flooding(CHUNKED + b"0\r\n", b"X: x\r\n" * 10922, GIB), None),
}
BODIES: dict[str, Behaviour] = {
    "1 GiB": flooding(HEAD + b"Content-Length: 1073741824\r\n\r\n", b"x" * BLOCK, GIB),
    "1 GiB without a length": flooding(HEAD + b"\r\n", b"x" * BLOCK, GIB),
    "1 GiB in a chunk": flooding(CHUNKED + b"40000000\r\n", b"x" * BLOCK, GIB),
    "a million chunks": flooding(CHUNKED, b"1\r\nx\r\n" * 10922, GIB),
}
# The kernels' buffers on both sides, which fill before the receiver notices that nobody reads.
BUFFERED = 16 << 20


# Their 200 arrives with its whole head: it is delivered, whatever follows.
WHOLE_HEADS = {
    "drips its body",
    "drips a body without end",
    "drips its chunks",
    "drips a chunk's size",
    "drips its trailer",
    "says nothing after its headers",
    "breaks off its body",
    "breaks off its chunks",
    "talks nonsense in chunks",
    "sends chunks of no size",
    "a chunk's extension of 1 GiB",
    "trailers of 1 GiB",
}


INTERIM = {
    "100": b"HTTP/1.1 100 Continue\r\n\r\n",
    "102": b"HTTP/1.1 102 Processing\r\n\r\n",
    "103": HINT,
    "several": HINT + b"HTTP/1.1 100 \r\n\r\n" + HINT + b"HTTP/1.1 199 Any\r\nA: b\r\n\r\n",
}


@pytest.mark.parametrize("interim", INTERIM.values(), ids=INTERIM)
def test_interim_answers_are_read_over(interim: bytes) -> None:
    with receiving(always(interim + OK)) as receiver, sender() as sending:
        attempts = [sent(sending, receiver.url) for _ in range(2)]
        assert receiver.connections == 1
    for attempt in attempts:
        assert (attempt.delivered, attempt.status, attempt.failure) == (True, 200, None)


@pytest.mark.parametrize(("name", "behave"), SLOW.items(), ids=SLOW)
def test_a_slow_receiver_fails_in_time_and_the_next_request_works(
    name: str, behave: Behaviour
) -> None:
    with sender(limits=SHORT) as sending:
        with receiving(behave) as receiver:
            attempt = sent(sending, receiver.url)
            wait_until(lambda: receiver.connections > 0)
            connections = receiver.connections
        with receiving(always(OK)) as kind:
            wait_until(lambda: sent(sending, kind.url).delivered)
    assert attempt.failure is Failure.TIMEOUT
    assert attempt.delivered is (name in WHOLE_HEADS)
    assert connections == 1


def test_a_receiver_that_never_reads_fails_in_time() -> None:
    with receiving(never_reading) as receiver, sender(limits=SHORT) as sending:
        attempt = sent(sending, receiver.url, "x" * (64 << 20))
    assert (attempt.status, attempt.failure) == (None, Failure.TIMEOUT)


@pytest.mark.parametrize(("name", "broken"), BROKEN.items(), ids=BROKEN)
def test_a_broken_receiver_fails_and_the_next_request_works(
    name: str, broken: tuple[Behaviour, Failure]
) -> None:
    behave, failure = broken
    with sender() as sending:
        with receiving(behave) as receiver:
            attempt = sent(sending, receiver.url)
            connections = receiver.connections
        with receiving(always(OK)) as kind:
            assert sent(sending, kind.url).delivered
    assert attempt.failure is failure
    assert attempt.delivered is (name in WHOLE_HEADS)
    assert connections == 1


@pytest.mark.parametrize(("name", "endless"), ENDLESS.items(), ids=ENDLESS)
def test_an_endless_head_fails_and_is_not_read(
    name: str, endless: tuple[Behaviour, Failure | None]
) -> None:
    behave, failure = endless
    with sender() as sending:
        with receiving(behave) as receiver:
            attempt = sent(sending, receiver.url)
        with receiving(always(OK)) as kind:
            assert sent(sending, kind.url).delivered
    assert attempt.delivered is (name in WHOLE_HEADS)
    assert attempt.failure in ({failure} if failure else {Failure.TOO_LONG, Failure.PROTOCOL})
    assert receiver.sent < BUFFERED


@pytest.mark.parametrize("behave", BODIES.values(), ids=BODIES)
def test_of_an_endless_body_the_first_kib_is_read(behave: Behaviour) -> None:
    """A 2xx is delivered, whatever follows the first KiB."""
    with sender() as sending:
        with receiving(behave) as receiver:
            first, second = sent(sending, receiver.url), sent(sending, receiver.url)
            assert receiver.connections == 2
        with receiving(always(OK)) as kind:
            assert sent(sending, kind.url).delivered
    assert first.answer == second.answer == b"x" * 1024
    assert first.delivered
    assert receiver.sent < BUFFERED


def test_a_decompression_bomb_is_not_opened() -> None:
    bomb = gzip.compress(bytes(10 << 20))
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    with receiving(always(head + bomb)) as receiver, sender() as sending:
        attempt = sent(sending, receiver.url)
    assert attempt.answer == bomb[:1024]


PIECES = st.sampled_from([
    b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 ", b"HTTP/1.0 204 \r\n", b"HTTP/9.9 200\r\n", b"200",
    b"\r\n", b"\n", b"\r", b":", b" ", b"\0", b"\xff", b"Content-Length: ",
    b"Content-Length: 5\r\n", b"-1", b"99999999999999999999",
    b"Transfer-Encoding: chunked\r\n", b"\r\n\r\n", b"0\r\n\r\n", b"5\r\nhello\r\n",
    b"-5\r\n", b"0x5\r\n", b"1_0\r\n", b"Connection: close\r\n", b"Connection: keep-alive\r\n",
    b"Retry-After: ", b"HTTP/1.1 100 Continue\r\n\r\n", b"x" * 2000, b"A: b\r\n" * 101,
    b"Content-Type: multipart/mixed; boundary=a\r\n", b"=?utf-8?q?=FF?=",
])  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.binary(max_size=8)), max_size=12).map(b"".join))
@settings(max_examples=examples(full=150))
def test_no_answer_raises(answer: bytes) -> None:
    with receiving(answering(answer)) as receiver, sender() as sending:
        attempt = sent(sending, receiver.url)
    assert attempt.failure is not None or attempt.status is not None
    assert len(attempt.answer) <= 1024
    assert receiver.connections == 1


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class SlowSocket(socket.socket):
    """A socket whose pieces arrive after so many seconds each, on a clock that nobody waits for."""

    def __init__(self, clock: Clock, pieces: Iterator[tuple[float, bytes]]) -> None:
        super().__init__()
        self._clock = clock
        self._pieces = pieces
        self._timeout_seconds = 0.0

    @override
    def settimeout(self, value: float | None, /) -> None:
        assert value
        self._timeout_seconds = value

    @override
    def send(self, data: Buffer, flags: int = 0, /) -> int:
        return memoryview(data).nbytes

    @override
    def recv_into(self, buffer: Buffer, nbytes: int = 0, flags: int = 0) -> int:
        seconds, piece = next(self._pieces)
        self._clock.seconds += min(seconds, self._timeout_seconds)
        if seconds > self._timeout_seconds:
            raise TimeoutError
        memoryview(buffer)[: len(piece)] = piece
        return len(piece)


def attempted(*pieces: tuple[float, bytes], connecting_seconds: float = 0) -> Attempt:
    """Post to a receiver whose answer arrives in these pieces."""
    clock = Clock()

    def connect(_address: Address, _port: int, seconds: float) -> socket.socket:
        clock.seconds += min(connecting_seconds, seconds)
        if connecting_seconds > seconds:
            raise TimeoutError
        return SlowSocket(clock, iter(pieces))

    with sender(limits=DEFAULT_LIMITS, clock=clock, connect=connect) as sending:
        return sent(sending, "http://127.0.0.1/")


@pytest.mark.parametrize("seconds", [0, 6, 8, 9.9])
def test_an_answer_within_10_s_is_delivered(seconds: float) -> None:
    attempt = attempted((seconds, OK))

    assert attempt.delivered
    assert attempt.latency_ms == seconds * 1000


def test_a_later_answer_is_a_timeout_at_10_s() -> None:
    assert attempted((10.1, OK)) == Attempt(None, 10_000, b"", Failure.TIMEOUT)


def test_the_connection_counts() -> None:
    assert attempted((7.1, OK), connecting_seconds=3).failure is Failure.TIMEOUT
    assert attempted((6.9, OK), connecting_seconds=3).delivered


def test_a_connection_has_3_s() -> None:
    assert attempted(connecting_seconds=3.1) == Attempt(None, 3_000, b"", Failure.CONNECT)


def test_a_body_in_pieces_ends_at_10_s() -> None:
    head, piece = OK[:-2].replace(b"Length: 2", b"Length: 99"), b"x"

    attempt = attempted((4, head), (4, piece), (4, piece))

    assert (attempt.status, attempt.latency_ms, attempt.answer) == (200, 10_000, b"x")
    assert attempt.failure is Failure.TIMEOUT
