"""An exchange may take 10 s from its start; there is no shorter limit on silence (section 7)."""

import socket
from collections.abc import Buffer, Iterator
from typing import override

import pytest

from orderdesk.adapters.callback_http.wire import DEFAULT_LIMITS
from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.callbacks.target import Address
from tests.integration.callbacks.receivers import OK
from tests.integration.callbacks.sending import sender, sent


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
